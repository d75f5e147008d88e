### Terminals: what stands in them besides Redis' own words.

terminal-log = What { $name } sent and received
terminal-line = Command line of { $name }
terminal-left-out = { $n ->
    [one] 1 entry is left out here
   *[other] { NUMBER($n) } entries are left out here
}
terminal-earlier = { $n ->
    [one] Show { NUMBER($n) } earlier line
   *[other] Show some of { NUMBER($n) } earlier entries
}
terminal-rest = { $n ->
    [one] Show { NUMBER($n) } more line
   *[other] Show { NUMBER($n) } more lines
}
terminal-not-drawn = { NUMBER($n) } more lines are not shown: too many for a page.
terminal-waiting-line = waits · Ctrl-C interrupts
terminal-search = Search history (Enter runs, Tab edits, Esc leaves):
documentation-toggle = Documentation of the command being typed
terminal-waits = waits for { $keys }
terminal-waits-replicas = waits for replicas
terminal-waits-pause = waits until the server serves commands again
terminal-waits-script-end = its script takes { DURATION($ms) }; until then the server serves no one else
terminal-waits-script = its script does not end; another client can stop it with SCRIPT KILL (FUNCTION KILL for a function)
terminal-quit = closed the connection
terminal-killed = the server closed this connection
terminal-overflowed = the server closed this connection: nothing was read, and its output buffer passed `client-output-buffer-limit`
terminal-crashed = the connection broke: the node has crashed
terminal-unreachable = no answer: the link to the node is cut
terminal-under-way = on its way: it reaches the node in { DURATION($ms) }
terminal-refused = could not connect: the node is down
terminal-paused = paused, and reads nothing: its messages wait in its output buffer at the server
terminal-resumed = resumed, and reads what is waiting
terminal-reconnected = connected again
terminal-unclosed = The quote { $quote } at character { $at } is not closed.
terminal-text-after-quote = After the closing quote { $quote } at character { $at } there must be a space.
terminal-too-many-repeats = A command is repeated { NUMBER($n) } times at most: every run is a step of the timeline.

notice-paste-too-large = This paste is too large for a terminal: 10,000 lines or 12 MB at most. Nothing was run.

terminal-cross-protocol = this looked like a web request, so the server closed the connection, as Redis does against forged requests
terminal-sleeps = sleeps (DEBUG SLEEP)
terminal-words = … { NUMBER($n) } more words

### Terminals at a database.

terminal-waits-row = waits for row { $row } of { $table }, which { $holders } has locked
terminal-too-many-connections = could not connect: the database takes no more connections (error 1040)
sql-too-many-connections = The database already has as many connections as it allows (`max_connections`).
sql-duplicate = A unique index allows each value only once: another row has this one already. That is what makes an `INSERT` a lock.
sql-syntax = Parsing stopped at the text after `near`. `HELP` lists what is supported.
sql-no-table = There is no table of this name. `SHOW TABLES` lists them.
sql-no-column = The table has no column of this name. `DESCRIBE` lists them.
sql-lock-wait = Another transaction held the row's lock for longer than `innodb_lock_wait_timeout`. Only this statement was rolled back; the transaction is still open.
sql-deadlock = Two transactions each waited for a row that the other had locked. InnoDB rolled this one back whole, so that the other can go on.
sql-not-null = The column must have a value, and there is no default.
