### One sentence a step. Arguments come with their own marks as code; a clause has no full stop.

told-runs = { $who } runs { $command }
told-with-clauses = { $head }: { $clauses }.
told-alone = { $head }.
told-comma = ,{" "}
told-more = and { $n ->
    [one] one more thing
   *[other] { NUMBER($n) } more things
}

told-start = The world begins: one empty Redis.
told-stage = The stage is set.
told-passes = { DURATION($ms) } pass by
told-connects = { $who } connects
told-leaves = { $who } leaves
told-is-called = a client is now called { $who }
told-interrupts = { $who } presses Ctrl-C and opens a new connection
told-switches = { $who } switches to { $node }
told-on-node = { $command } on { $node }
told-key-on-node = { $key } on { $node }
told-node-crashes = { $node } crashes
told-node-restarts = { $node } starts again
told-node-clock = the clock of { $node } jumps ahead by { DURATION($ms) }
told-under-way = it reaches the node in { DURATION($ms) }
told-arrives = { $command } of { $who } arrives
told-is-answered = { $who } is answered
told-unreachable = no answer, the link is cut
told-link-cut = the link between { $who } and { $node } is cut
told-link-mended = the link between { $who } and { $node } works again
told-link-delay = each message between { $who } and { $node } now takes { DURATION($ms) }
told-connection-refused = the connection is refused, the node is down
told-too-many-connections = the connection is refused, the database takes no more
told-row-inserted = row { $row } comes into { $table }
told-row-deleted = row { $row } goes from { $table }
told-row-updated = row { $row } of { $table } is now { $value }
told-row-waits = waits for row { $row } of { $table }, which { $holders } has locked
told-rows-affected = { $n ->
    [0] no row is changed
    [one] { NUMBER($n) } row is changed
   *[other] { NUMBER($n) } rows are changed
}

told-creates = creates the { $kind } { $key }
told-removes = removes { $key }
told-empties = { $key } is gone with its last element
told-expires = { $key } has expired
told-evicts = { $key } is evicted because memory is short
told-value = { $key } goes from { $before } to { $after }
told-value-new = { $key } is now { $after }
told-grows = { $key } grows from { NUMBER($before) } to { $after ->
    [one] { NUMBER($after) } element
   *[other] { NUMBER($after) } elements
}
told-shrinks = { $key } shrinks from { NUMBER($before) } to { $after ->
    [one] { NUMBER($after) } element
   *[other] { NUMBER($after) } elements
}
told-element = in { $key }, { $element } goes from { $before } to { $after }
told-changes = changes { $key }
told-becomes = { $key } is now a { $kind }
told-ttl-set = { $key } will expire in { DURATION($ms) }
told-ttl-cleared = { $key } no longer expires

told-refused = the server refuses: { $error }
told-queued = queued, nothing runs before EXEC
told-exec-nil = nothing is carried out, because a watched key has changed
told-finds-nothing = finds nothing
told-answers = the answer is { $value }
told-answers-many = the answer has { $n ->
    [one] { NUMBER($n) } element
   *[other] { NUMBER($n) } elements
}
told-changes-nothing = nothing changes
told-waits-keys = waits for { $keys }
told-waits-pause = waits until the server serves commands again (CLIENT PAUSE, DEBUG SLEEP or a script holds it up)
told-waits-sleep = puts the whole server to sleep
told-waits-script-end = runs a script that takes { DURATION($ms) }, and the server is busy with it
told-waits-script = runs a script that does not end: the server is busy with it
told-waits-replicas = waits for replicas
told-waits-most = at most { DURATION($ms) }
told-waits-ever = without limit
told-wakes = this wakes { $who }
told-gives-up = { $who } has waited long enough and gets { $value }
told-hear = { $n ->
    [0] nobody listens
    [one] one client hears it
   *[other] { NUMBER($n) } clients hear it
}
told-receives = { $who } receives a message
told-listens = listens from now on
told-closed = the server closes the connection of { $who }
told-breaks-off = the connection of { $who } breaks
told-monitors = sees every command from now on
told-flushed = database { $db } is emptied ({ $n ->
    [one] { NUMBER($n) } key
   *[other] { NUMBER($n) } keys
})
told-swapped = databases { $first } and { $second } exchange their keys
