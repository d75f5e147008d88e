### The explorer: all schedules are tried, the shortest first.

explore-title = Find a bug
explore-find = Find a bug
explore-idle = There are no programs here with properties to check.
explore-goal = Looked for
explore-goal-any = any breach
explore-from = From
explore-from-beginning = the beginning of the programs
explore-from-here = where the cursor stands
explore-clients = Clients of each program
explore-clients-all = all
explore-crashes = Crashes
explore-pauses = Pauses
explore-losses = Lost messages
explore-restarts = Restarts after a crash
explore-delays = Delayed requests
explore-reply-delays = Delayed replies
explore-clock-jumps = Clocks that jump an hour
explore-node-crashes = Nodes that crash
explore-node-restarts = Nodes that restart
explore-node-clock-jumps = Clocks of nodes that jump an hour
explore-cuts = Links that are cut
explore-depth = Steps at most
explore-states = States at most
explore-number = { NUMBER($n) }
explore-limits = { $crashes ->
    [one] { NUMBER($crashes) } crash
   *[other] { NUMBER($crashes) } crashes
}, { $pauses ->
    [one] { NUMBER($pauses) } pause
   *[other] { NUMBER($pauses) } pauses
}, { $losses ->
    [one] { NUMBER($losses) } lost message
   *[other] { NUMBER($losses) } lost messages
}{ $others ->
    [0] {""}
    [one] , { NUMBER($others) } other fault
   *[other] , { NUMBER($others) } other faults
}; { NUMBER($depth) } steps and { NUMBER($states) } states at most
explore-fetching = Fetching the explorer…
explore-searching = Searching through all schedules, the shortest first…
explore-states-now = states
explore-rate = states a second
explore-frontier = waiting
explore-depth-now = steps deep
explore-broken = The shortest schedule that breaks “{ $property }” has { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
}. It was found among { NUMBER($states) } states in { DURATION($took) }.
explore-whole = Nothing: with these clients and faults no schedule breaks it. All { NUMBER($states) } states were checked, up to { NUMBER($depth) } steps deep, in { DURATION($took) }.
explore-untested = “{ $property }” was never tested: { $why }. So this result says nothing about it.
explore-cut-depth = Nothing within { $depth ->
    [one] { NUMBER($depth) } step
   *[other] { NUMBER($depth) } steps
}, in { NUMBER($states) } states. Longer schedules were not checked.
explore-cut-states = Nothing in { NUMBER($states) } states, up to { NUMBER($depth) } steps deep. There are more states than that.
explore-cut-memory = Nothing in { NUMBER($states) } states, up to { NUMBER($depth) } steps deep. Then memory ran out; with fewer clients or faults the search gets further.
explore-cut-stopped = Stopped. Nothing so far in { NUMBER($states) } states, up to { NUMBER($depth) } steps deep.
explore-unreachable = The explorer could not be fetched. Check the connection to the server of this page.
explore-broke-down = The explorer crashed after { NUMBER($states) } states: { $why } Your session is not affected.
explore-silent = The explorer stopped answering after { NUMBER($states) } states; the browser may have run out of memory. Your session is not affected.
explore-load = Load it
explore-load-hint = As a branch of the timeline, to step through
explore-share = Copy a link
explore-share-hint = To the schedule, with the cursor at its start

untested-entered = no client ever gets in
untested-released = no client ever releases { $key }
untested-end = the programs never end
untested-sum = nothing in the sum ever changes
untested-ended = no program ever ends by itself
untested-claim = none of its values ever changes
untested-if = none of its values ever changes while its “if” is true
untested-if-end = its “if” is never true at the end
untested-checks = nothing is ever checked
untested-sent = no client ever sends a command
untested-produced = no message is ever produced
untested-processed = no message is ever processed
untested-pair = fewer than two messages are processed
untested-pair-of-key = fewer than two messages with the same key are processed

verdict-none = Nothing is checked here.
verdict-holds = holds so far
verdict-kept = holds
verdict-broken = broken
verdict-open = seen at the end
verdict-open-search = seen by the search
verdict-order = Steps { NUMBER($first) } and { NUMBER($second) } decide: if { NUMBER($second) } came before { NUMBER($first) }, this would hold.
verdict-go = To the step that broke it
