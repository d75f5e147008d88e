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
