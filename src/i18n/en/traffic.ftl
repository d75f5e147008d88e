### Traffic: figures over time. These messages come with their chunk of the program (src/i18n/late.rs).

traffic-empty = No interval is over yet.
traffic-loading = The charts are loading.
traffic-charts-missing = The charts could not be loaded. The table below has the same figures.
traffic-hint = Point at a moment to read its figures. With the keyboard: focus a chart, then ← and →.
traffic-hint-pick = A click or Enter opens a moment step by step.
traffic-last = Last interval, from
traffic-at = At
traffic-chart-requests = Requests per second
traffic-chart-hits = Hit ratio of the cache
traffic-chart-statements = Database statements per second
traffic-chart-queues = Longest queues
traffic-chart-latency = Latency in ms, logarithmic
traffic-chart-untrue = Stale and wrong answers per second
traffic-chart-keys = Keys in Redis
traffic-chart-memory = Memory of these keys
traffic-chart-age = Age of the most outdated answer
traffic-chart-commands = Redis commands per second
traffic-answered = answered
traffic-errors = errors
traffic-hit-ratio = hit ratio
traffic-statements = statements
traffic-at-database = statements at the database
traffic-waiting = requests waiting
traffic-p50 = p50
traffic-p95 = p95
traffic-p99 = p99
traffic-stale = stale
traffic-wrong = wrong
traffic-keys = keys
traffic-memory = memory
traffic-age = outdated for
traffic-commands = commands
traffic-capacity = capacity
traffic-rate = { $n }/s
traffic-ms = { $n } ms
traffic-us = { $n } µs
traffic-table = Figures as a table
traffic-table-of = Figures by time
traffic-table-from = From
traffic-table-run = Run
traffic-table-answered = answered (per s)
traffic-table-errors = errors (per s)
traffic-table-hit-ratio = hit ratio (%)
traffic-table-statements = statements (per s)
traffic-table-at-database = at the database (most)
traffic-table-waiting = waiting (most)
traffic-table-p50 = p50 (ms)
traffic-table-p95 = p95 (ms)
traffic-table-p99 = p99 (ms)
traffic-table-stale = stale (per s)
traffic-table-wrong = wrong (per s)
traffic-table-keys = keys
traffic-table-memory = memory
traffic-table-age = outdated for (most)
traffic-table-commands = Redis commands (per s)
traffic-compared = The two runs compared
traffic-measure = Measure
traffic-peak = Most statements per second
traffic-all-statements = Statements in all
traffic-all-p99 = p99 latency
traffic-all-errors = Errors
traffic-all-stale = Stale answers
traffic-all-wrong = Wrong answers
traffic-all-hits = Hit ratio
traffic-all-age = Most outdated answer
traffic-all-commands = Redis commands in all
traffic-difference = B against A
traffic-less = { $much } less
traffic-more = { $much } more
traffic-less-percent = { $much } less (−{ $percent })
traffic-more-percent = { $much } more (+{ $percent })
traffic-points = { $n } points
traffic-better = Better
traffic-alike = no difference
traffic-csv = Save CSV
traffic-csv-of = Save CSV: { $run }
traffic-png = Save PNG
traffic-picture-title = Traffic: { $runs }
traffic-saved-not = The picture could not be saved.

### Traffic: sentences of its steps.

traffic-step-begins = traffic begins
traffic-step-ends = traffic is over
traffic-step-quiet = traffic: nothing happens for a minute
traffic-step-ran = { $arrived ->
    [one] one request came
   *[other] { NUMBER($arrived) } requests came
}, { NUMBER($answered) } answered, { NUMBER($errors) } failed; the database got { $queries ->
    [one] one statement
   *[other] { NUMBER($queries) } statements
}
traffic-step-came-get = request { $request } for { $item } comes to machine { $machine }
traffic-step-came-put = request { $request } to change { $item } comes to machine { $machine }
traffic-step-came-again = request { $request } for { $item } comes to machine { $machine }: the caller retries
traffic-step-waits = { $waiting ->
    [one] it waits for a worker
   *[other] it waits for a worker, { NUMBER($waiting) } wait there now
}
traffic-step-unreachable = it fails, the machine is down
traffic-step-refused = it is refused, the queue is full
traffic-step-begins-with = machine { $machine } begins with request { $request }
traffic-step-asks = asks { $server }: { $command }
traffic-step-queued = request { $request } waits at { $server }, which is busy
traffic-step-taken = { $server } executes { $command } for request { $request }
traffic-step-taken-late = { $server } executes { $command }, which a machine sent before it crashed
traffic-step-replies = replies { $value }
traffic-step-answers = { $server } answers request { $request }: { $value }
traffic-step-hears = machine { $machine } receives { $value } for request { $request }
traffic-step-times-out = machine { $machine } no longer waits for the answer to request { $request }
traffic-step-rests = sleeps for { DURATION($ms) }
traffic-step-woke = machine { $machine } goes on with request { $request }
traffic-step-answered = answers request { $request } with { $answer } after { $took } ms
traffic-step-too-late = too late, the caller has given up
traffic-step-wrong = this was never true
traffic-step-stale = this has been out of date for { DURATION($ms) }
traffic-step-failed = request { $request } fails
traffic-step-broke = the handler breaks: { $why }
traffic-step-gave-up = the caller of request { $request } gives up
traffic-step-subscribes = machine { $machine } subscribes to { $channels }
traffic-step-subscribed = machine { $machine } is subscribed to { $channel }
traffic-step-message = machine { $machine } receives the message { $text } of channel { $channel }
traffic-step-unsubscribed = machine { $machine } loses its subscriptions; it will subscribe again
traffic-step-crashes = machine { $machine } crashes, { $lost ->
    [one] one request fails
   *[other] { NUMBER($lost) } requests fail
}
traffic-step-restarts = machine { $machine } starts again
traffic-fault-messages = Messages come faster than message() handles them: the machine drops them and subscribes again.
traffic-redis = Redis
traffic-database = the database
traffic-refused-many = More than { NUMBER($most) } requests are expected in this time. Let less time pass at once.
traffic-refused-machine = No such machine can crash or start now.
traffic-is-running = Traffic: { NUMBER($requests) } requests so far, { NUMBER($percent) } % of the time. Everything else waits for it.
traffic-stopped = Traffic was stopped here.
traffic-stopped-at-fault = The handler failed, and traffic stopped here.

### Traffic: its requests in the lanes.

traffic-lanes-empty = Nothing has happened step by step yet. Open a moment of the traffic by a click on a chart, then press “Next event”: each event becomes a row here.
traffic-lane-machine = machine { NUMBER($n) }
traffic-lane-short = m{ NUMBER($n) }
traffic-lane-machines = machines
traffic-lane-others = other machines
traffic-lane-get = read { $item }
traffic-lane-put = write { $item }
traffic-lane-again = { $item } again
traffic-lane-waits = in line: { NUMBER($n) }
traffic-lane-queued = in line
traffic-lane-refused = refused
traffic-lane-answered = { $answer } · { $took } ms
traffic-lane-answered-badly = { $what }: { $answer }
traffic-lane-late = too late
traffic-lane-gave-up = the caller gives up
traffic-lane-unreachable = machine down
traffic-lane-restarts = starts again
traffic-lane-unsubscribed = subscription lost

### Traffic: how it is set up.

traffic-setup = Set up
traffic-setup-more = Machines, callers, costs
traffic-handler = Handler (Lua)
traffic-handler-preset = Begin with
traffic-run = Run
traffic-run-again = Run again
traffic-run-fresh = This opens a new session with a Redis server and a database as set up here; this one is kept.
traffic-run-fresh-compared = The new run is compared with this one.
traffic-none = No traffic yet. Set it up, and run it.
traffic-scenario = Scenario
traffic-scenario-own = your own settings
traffic-scenario-calm = Calm: a cache that fills
traffic-scenario-penetration = Penetration: ids that exist nowhere
traffic-scenario-breakdown = Breakdown: one item, a slow database
traffic-scenario-avalanche = Avalanche: 23:00 to 01:05
traffic-scenario-day = Avalanche: a whole day, a million requests
traffic-scenario-hot-key = Hot key: 2,000 requests a second for one item
traffic-scenario-keys = Slow command: KEYS among fast ones
traffic-shape = Rate over time
traffic-shape-steady = steady
traffic-shape-ramp = rising to five times as many
traffic-shape-spike = five times as many for a moment
traffic-shape-points = as written
traffic-run-earlier = { $run }, before the servers changed
traffic-popularity = Which items are asked for
traffic-popularity-zipf = by Zipf’s law
traffic-popularity-uniform = all alike
traffic-popularity-hot = one hot item
traffic-field-rate = Requests/s (100, or 0s:100, 1h:400)
traffic-field-duration = Run for (s, m, h)
traffic-field-items = Items
traffic-field-exponent = Exponent
traffic-field-hot = Its share, %
traffic-field-absent = Ids that exist nowhere, %
traffic-field-absent-ids = How many of these
traffic-field-writes = Changes, %
traffic-field-database-workers = Database: workers
traffic-field-database-ms = Database: ms a statement
traffic-field-database-connections = Database: connections
traffic-field-machines = Machines
traffic-field-workers = Workers a machine
traffic-field-backlog = Queue a machine
traffic-field-patience = Callers give up after, ms
traffic-field-retries = Retries
traffic-field-network = Network one way, µs
traffic-field-command = Redis: µs a command
traffic-field-interval = Interval of figures
traffic-field-seed = Seed
traffic-field-clock = Clock starts at (23:00)
traffic-field-maxmemory = Redis: maxmemory (0: no limit)
traffic-wrong-count = Enter a whole number.
traffic-wrong-decimal = Enter a number such as 1.05.
traffic-wrong-share = Enter a percentage such as 2.5.
traffic-wrong-time = Enter a time such as 90s, 30m or 24h.
traffic-wrong-rate = Enter a number, or times with rates: 0s:100, 1h:400.
traffic-wrong-day = Enter a time of day such as 23:00.
traffic-wrong-bytes = Enter an amount of memory such as 64mb.
traffic-wrong-order = The times must ascend.
traffic-wrong-shares = Absent ids and changes together are more than 100 %.
traffic-wrong-workers = All machines together have { NUMBER($most) } workers at most.
traffic-wrong-range = Enter a number from { $least } to { $most }.
traffic-compare-with = Compare with
traffic-compare-none = nothing
traffic-run-number = Run { NUMBER($n) }
traffic-step = Next event
traffic-go-on = Go on for { DURATION($ms) }
traffic-crash-which = Machine that crashes
traffic-crash-loader = the one that is loading
traffic-crash = Crash
traffic-crash-hint = Its requests fail and its memory is lost. What it has written stays in Redis, locks too. “Loading” is the machine that has waited longest for the database.
traffic-restart = Start { $n ->
    [one] the crashed machine
   *[other] all { NUMBER($n) } crashed machines
} again
traffic-now = At { $time }
traffic-flow-machines = Machines
traffic-flow-database = Database
traffic-flow-busy = { NUMBER($busy) } of { NUMBER($all) } workers busy
traffic-flow-waiting = { NUMBER($n) } waiting
traffic-flow-callers = Callers
traffic-flow-down = down
traffic-flow-machines-down = { NUMBER($n) } { $n ->
    [one] machine
   *[other] machines
} down
traffic-flow-overloaded = overloaded
traffic-flow-full = queue full, further requests are refused
traffic-flow-requests = requests/s
traffic-flow-commands = commands/s
traffic-flow-statements = statements/s
traffic-flow-answered = { $rate } answered/s
traffic-flow-errors = { $rate } errors/s
traffic-flow-hits = hit ratio { $percent }
traffic-flow-capacity = capacity { $rate }/s
traffic-flow-at-redis = { NUMBER($n) } { $n ->
    [one] command waiting
   *[other] commands waiting
}
traffic-flow-at-database = { NUMBER($n) } { $n ->
    [one] statement
   *[other] statements
}, { NUMBER($workers) } { $workers ->
    [one] worker
   *[other] workers
}
traffic-flow-at-unlimited = { NUMBER($n) } { $n ->
    [one] statement
   *[other] statements
}
traffic-flow-measured = Rates are measured from { $from } to { $to }. Bars show how many workers are busy. Queues rise in steps: each means twice as many.
traffic-flow-unmeasured = No time has passed yet, so no rate is measured.
traffic-flow-words = { $place }: { $what }
traffic-line = Event loop of Redis: one command at a time
traffic-line-executes = Executes
traffic-line-busy = busy for another { $us } µs
traffic-line-unknown = busy with a command that no single event shows
traffic-line-idle = nothing
traffic-line-waiting = Waiting, in this order
traffic-line-empty = no command waits
traffic-line-from = machine { NUMBER($machine) }, worker { NUMBER($worker) }
traffic-line-from-subscriber = machine { NUMBER($machine) }, for messages
traffic-line-more = … and { NUMBER($n) } more
traffic-line-reply = request { $request }: { $value }
traffic-loop-sockets = Readable sockets
traffic-loop-thread = The one thread
traffic-loop-replies = Replies on their way
traffic-loop-none = none
traffic-loop-back = then its handler may send the next command
traffic-faults = What went wrong in the handler
traffic-asks-nothing = No request asked Redis or the database: { NUMBER($n) } answers came from the handler alone.
traffic-fault = { NUMBER($n) } ×
traffic-fault-then = If the handler fails
traffic-fault-go-on = go on
traffic-fault-stop = stop there
traffic-handler-own = your own
traffic-service = Time of a statement
traffic-service-fixed = always the same
traffic-service-exponential = exponentially distributed
traffic-handler-cache-aside = Cache-aside
traffic-handler-jitter = Random TTL (jitter)
traffic-handler-null-cache = Cache the missing ids too
traffic-handler-bloom-memory = Bloom filter on each machine
traffic-handler-bloom-redis = Bloom filter in Redis
traffic-handler-mutex = Mutex: one request loads
traffic-handler-logical-expiry = Logical expiry, loads in the background
traffic-handler-coalesce = One load a machine, others wait
traffic-handler-local-cache = Local cache for one second
traffic-handler-limiter = Limiter in front of the database
traffic-handler-warm-up = Load all items at the start, one TTL
traffic-handler-keys = Search with KEYS once a second
traffic-replayed = The session is opened: { NUMBER($requests) } requests replayed, { NUMBER($percent) } % of the time.
handler-yours = Your handler
handler-change = Change the handler
handler-use-hint = Keeps this handler
handler-reset = Back to the handler of the lesson
handler-show = Show this run
handler-trying = requests are coming… { NUMBER($requests) } so far
handler-stopped = undecided: it was stopped.
handler-failed = The check could not run. Try again.
handler-nothing = nothing was counted
handler-at-most = at most { $n }
handler-at-least = at least { $n }
handler-between = { $least } to { $most }
handler-figure = { $title }: { $figure } (allowed: { $allowed })
handler-done = It holds: every figure is within its bounds under { $n ->
    [one] the one load
   *[other] all { NUMBER($n) } loads
  }.
