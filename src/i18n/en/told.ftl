### One sentence a step. Arguments come with their own marks as code; a clause has no full stop.

step-runs = { $who } runs { $command }
step-with-clauses = { $head }: { $clauses }.
step-alone = { $head }.
step-comma = ,{" "}
step-more = and { $n ->
    [one] one more thing
   *[other] { NUMBER($n) } more things
}

step-start = The world begins: one empty Redis.
step-stage = The stage is set.
step-passes = { DURATION($ms) } pass
step-connects = { $who } connects
step-leaves = { $who } leaves
step-is-called = a client is now called { $who }
step-interrupts = { $who } presses Ctrl-C and opens a new connection
step-switches = { $who } switches to { $node }
step-on-node = { $command } on { $node }
step-key-on-node = { $key } on { $node }
step-node-crashes = { $node } crashes
step-node-restarts = { $node } restarts
step-node-clock = the clock of { $node } jumps ahead by { DURATION($ms) }
step-under-way = it reaches the node in { DURATION($ms) }
step-arrives = { $command } from { $who } arrives
step-is-answered = { $who } is answered
step-unreachable = no answer, the link is cut
step-link-cut = the link between { $who } and { $node } is cut
step-link-mended = the link between { $who } and { $node } works again
step-link-delay = each message between { $who } and { $node } now takes { DURATION($ms) }
step-connection-refused = the connection is refused, the node is down
step-too-many-connections = the connection is refused, the database takes no more
step-row-inserted = row { $row } is inserted into { $table }
step-row-deleted = row { $row } is deleted from { $table }
step-row-updated = row { $row } of { $table } is now { $value }
step-row-waits = waits for row { $row } of { $table }, which { $holders } has locked
step-rows-affected = { $n ->
    [0] no row is changed
    [one] { NUMBER($n) } row is changed
   *[other] { NUMBER($n) } rows are changed
}

step-creates = creates the { $kind } { $key }
step-removes = removes { $key }
step-empties = { $key } is gone with its last element
step-expires = { $key } has expired
step-evicts = { $key } is evicted because memory is short
step-value = { $key } goes from { $before } to { $after }
step-value-new = { $key } is now { $after }
step-grows = { $key } grows from { NUMBER($before) } to { $after ->
    [one] { NUMBER($after) } element
   *[other] { NUMBER($after) } elements
}
step-shrinks = { $key } shrinks from { NUMBER($before) } to { $after ->
    [one] { NUMBER($after) } element
   *[other] { NUMBER($after) } elements
}
step-element = in { $key }, { $element } goes from { $before } to { $after }
step-changes = changes { $key }
step-becomes = { $key } is now a { $kind }
step-ttl-set = { $key } will expire in { DURATION($ms) }
step-ttl-cleared = { $key } no longer expires

step-refused = the server refuses: { $error }
step-queued = queued, nothing runs before EXEC
step-exec-nil = nothing is run, because a watched key has changed
step-finds-nothing = finds nothing
step-answers = the answer is { $value }
step-answers-many = the answer has { $n ->
    [one] { NUMBER($n) } element
   *[other] { NUMBER($n) } elements
}
step-waits-keys = waits for { $keys }
step-waits-pause = waits until the server serves commands again (CLIENT PAUSE, DEBUG SLEEP or a script blocks it)
step-waits-sleep = puts the whole server to sleep
step-waits-script-end = runs a script that takes { DURATION($ms) }, and the server is busy with it
step-waits-script = runs a script that does not end: the server is busy with it
step-waits-replicas = waits for replicas
step-waits-most = at most { DURATION($ms) }
step-waits-ever = without limit
step-wakes = this wakes { $who }
step-gives-up = { $who } has waited long enough and gets { $value }
step-hear = { $n ->
    [0] no one listens
    [one] one client hears it
   *[other] { NUMBER($n) } clients hear it
}
step-receives = { $who } receives a message
step-listens = listens from now on
step-closed = the server closes the connection of { $who }
step-breaks-off = the connection of { $who } breaks
step-flushed = database { $db } is emptied ({ $n ->
    [one] { NUMBER($n) } key
   *[other] { NUMBER($n) } keys
})
step-swapped = databases { $first } and { $second } exchange their keys
