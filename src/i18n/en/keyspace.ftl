### The keyspace panel.

keyspace-sum = { $n ->
    [one] { NUMBER($n) } key
   *[other] { NUMBER($n) } keys
} · { $bytes }
keyspace-filter = Filter
keyspace-filter-label = Filter keys by a part of their name or a pattern such as user:*
keyspace-empty = No keys yet. Type a command on the left, for example { $example }
keyspace-nothing = No key matches this filter.
keyspace-scan-order = Too many keys to sort: they are listed in the order of SCAN.
keyspace-other-database = db{ $index }: { NUMBER($n) }
keyspace-came = new in this step
keyspace-changed = changed in this step
keyspace-went = deleted in this step
keyspace-expired = expired in this step
keyspace-evicted = evicted in this step
keyspace-overdue = expired
keyspace-overdue-hint = Its time is up, but no client has read it and no expiry cycle has reached it: it still takes memory.
keyspace-memory = { $used } of { $most }
keyspace-memory-label = Memory

### Tables of a database.

tables-title = Tables
tables-none = No tables yet. Connect a terminal to the database and type `CREATE TABLE`.
tables-rows = { $n ->
    [one] { NUMBER($n) } row
   *[other] { NUMBER($n) } rows
}
tables-more = { NUMBER($n) } more rows are not shown.
tables-work = { NUMBER($connections) } connected · { NUMBER($busy) } at work · { NUMBER($queued) } queued · { NUMBER($waiting) } waiting for a lock
tables-gone = a client that has left
tables-inserted = inserted by { $who }, not committed
tables-deleted = deleted by { $who }, not committed
tables-changed = changed by { $who }, not committed
tables-locked = locked by { $who }
tables-shared = shared lock of { $who }
tables-waits = { $who } waits
tables-whole = the whole table
inside-more = … { NUMBER($n) } more
