### Traffic: figures over time. These messages come with their chunk of the program (src/i18n/late.rs).

traffic-empty = No interval is over yet.
traffic-loading = The charts are on their way.
traffic-charts-missing = The charts could not be fetched. The table below has the same figures.
traffic-hint = Point at a moment to read its figures. With the keyboard: focus a chart, then ← and →.
traffic-hint-pick = A click or Enter opens a moment step by step.
traffic-last = Last interval, from
traffic-at = At
traffic-run-a = Run A
traffic-run-b = Run B
traffic-chart-requests = Requests per second
traffic-chart-hits = Hit ratio of the cache
traffic-chart-statements = Database statements per second
traffic-chart-queues = Longest queues
traffic-chart-latency = Latency in ms, logarithmic
traffic-chart-untrue = Stale and wrong answers per second
traffic-chart-keys = Keys in Redis
traffic-chart-memory = Memory of these keys
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
traffic-capacity = capacity
traffic-rate = { $n }/s
traffic-ms = { $n } ms
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
traffic-compared = The two runs compared
traffic-measure = Measure
traffic-peak = Most statements per second
traffic-all-statements = Statements in all
traffic-all-p99 = p99 latency
traffic-all-errors = Errors
traffic-all-stale = Stale answers
traffic-all-wrong = Wrong answers
traffic-all-hits = Hit ratio
traffic-difference = B against A
traffic-less = { $much } less
traffic-more = { $much } more
traffic-less-percent = { $much } less (−{ $percent })
traffic-more-percent = { $much } more (+{ $percent })
traffic-points = { $n } points
traffic-better = Better
traffic-alike = no difference
traffic-csv = Save CSV
traffic-csv-of = Save { $run } as CSV
traffic-png = Save PNG
traffic-picture-title = Traffic: { $runs }
traffic-saved-not = The picture could not be made.
traffic-picked = Chosen moment: { $time }

### Traffic: sentences of its steps.

traffic-told-begins = traffic begins
traffic-told-ends = traffic is over
traffic-told-quiet = traffic: nothing happens for a minute
traffic-told-ran = { $arrived ->
    [one] one request came
   *[other] { NUMBER($arrived) } requests came
}, { NUMBER($answered) } answered, { NUMBER($errors) } failed; the database got { $queries ->
    [one] one statement
   *[other] { NUMBER($queries) } statements
}
traffic-told-came-get = request { $request } for { $item } comes to machine { $machine }
traffic-told-came-put = request { $request } to change { $item } comes to machine { $machine }
traffic-told-came-again = request { $request } for { $item } comes to machine { $machine }, its caller tries again
traffic-told-waits = { $waiting ->
    [one] it waits for a worker
   *[other] it waits for a worker, { NUMBER($waiting) } wait there now
}
traffic-told-refused = it is refused, the queue is full
traffic-told-begins-with = machine { $machine } begins with request { $request }
traffic-told-asks = asks { $server }: { $command }
traffic-told-queued = request { $request } waits at { $server }, which is busy
traffic-told-taken = { $server } executes { $command } for request { $request }
traffic-told-replies = replies { $value }
traffic-told-answers = { $server } answers request { $request }: { $value }
traffic-told-hears = machine { $machine } hears { $value } for request { $request }
traffic-told-times-out = machine { $machine } no longer waits for the answer to request { $request }
traffic-told-rests = rests for { DURATION($ms) }
traffic-told-woke = machine { $machine } goes on with request { $request }
traffic-told-answered = answers request { $request } with { $answer } after { $took } ms
traffic-told-too-late = too late, the caller has given up
traffic-told-wrong = this was never true
traffic-told-stale = this has been out of date for { DURATION($ms) }
traffic-told-failed = request { $request } fails
traffic-told-broke = the handler breaks: { $why }
traffic-told-gave-up = the caller of request { $request } gives up
traffic-redis = Redis
traffic-database = the database
traffic-refused-many = More than { NUMBER($most) } requests are expected in this time. Let less time pass at once.
traffic-runs-ahead = Traffic: { NUMBER($requests) } requests so far, { NUMBER($percent) } % of the time. Everything else waits for it.
traffic-stopped = Traffic was stopped here.
