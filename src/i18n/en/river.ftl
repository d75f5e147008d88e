### The river: messages on their way.

river-empty = Messages on their way appear here. Try { $example }.
river-empty-yet = Messages on their way appear here.
river-queue-of = The list { $key } as a queue
river-queue = { $n ->
    [0] The queue is empty
    [one] { NUMBER($n) } element
   *[other] { NUMBER($n) } elements
}
river-left = left
river-right = right
river-elements = Elements from left to right
river-left-out = … { NUMBER($n) } more …
river-lowest = lowest score
river-highest = highest score
river-due = { NUMBER($n) } due
river-due-in = in { $left }
river-due-since = due { $ago } ago
river-now = now
river-line = Waiting, first come, first served
river-line-empty = No client waits.
river-hands = Taken out
river-hands-empty = No client has taken anything yet.
river-took = { $who } took { $what }
river-only = Only { $who } has it.
river-gone = Only { $who } had it, and { $who } has left.
river-kept = { $list } still has it.
river-removed = Removed from { $list }.
river-kafka-hint = Kafka's words beside those of Redis
river-kafka-topic = in Kafka: topic { $name }, one partition
river-kafka-record = in Kafka: record, its id the offset
river-kafka-before = in Kafka: committed only what is before { $id }; after a crash, everything from there on is redelivered
river-kafka-until = in Kafka: everything up to { $id } is committed
river-ledger = Ledger
river-ledger-produced = produced
river-ledger-processed = processed
river-ledger-repeated = more than once
river-ledger-open = not processed yet
river-ledger-lost = lost
river-ledger-disordered = out of order
river-ledger-message = message
river-ledger-messages = Message by message
river-ledger-key = key
river-ledger-times = times
river-channels = channels
river-channels-table = Messages that were published, and who heard them
river-said = { $n ->
    [0] Nothing was published yet
    [one] { NUMBER($n) } message was published; no channel keeps any
   *[other] { NUMBER($n) } messages were published; no channel keeps any
}
river-message = Message
river-subscriber = heard { NUMBER($heard) } · missed { NUMBER($missed) }
river-groups-more = { $n ->
    [one] { NUMBER($n) } more group
   *[other] { NUMBER($n) } more groups
}
river-subscribers-more = { $n ->
    [one] { NUMBER($n) } more client
   *[other] { NUMBER($n) } more clients
}
river-subscribes-none = not subscribed
river-unheard = heard by no one
river-heard = heard by way of { $names }
river-missed = missed: its subscription ended with its connection
river-far = The whole log: narrow bars are done, wide ones are held, a line is a cursor. Click to go there.
river-buffer-lost = lost: it waited in the output buffer of a connection that was closed
river-buffer-held = waits in the output buffer: the client does not read
river-buffer = { NUMBER($n) } wait · { $bytes }
river-buffer-of = { NUMBER($n) } wait · { $bytes } of { $most }
river-buffer-closes = closed in { $left } if nothing is read
river-stop-reading = Stop reading
river-stop-reading-hint = { $name } pauses, like a program during a long pause: its messages wait at the server
river-read-on = Read on
river-not-subscribed = not subscribed then
river-table = Entries of the stream, and the state of each in every group
river-entry = Entry
river-log = { $n ->
    [one] { NUMBER($n) } entry
   *[other] { NUMBER($n) } entries
} · last id { $last }{ $gone ->
    [0] {""}
   *[other] {" "}· { NUMBER($gone) } gone from the front
}
river-node = Node: { NUMBER($live) } entries, { NUMBER($deleted) } deleted, { $bytes }
river-ahead = not delivered yet
river-done = done
river-deleted = deleted
river-passed = delivered with NOACK, so it was never pending
river-dropped = dropped: it was held but never acknowledged
river-skipped = skipped: the cursor was set past it, so no one received it
river-held = { $consumer } holds it, delivered { $n ->
    [one] once
   *[other] { NUMBER($n) } times in all
}
river-consumer = { NUMBER($pending) } pending{ $passed ->
    [0] {""}
   *[other] {" "}· { NUMBER($passed) } with NOACK
}
river-sums = delivered { NUMBER($delivered) } · done { NUMBER($done) }
river-sums-again = delivered again { NUMBER($n) }×
river-sums-dropped = { NUMBER($n) } never acknowledged
river-speaker = { $client } reads as this consumer
river-speaker-away = { $client } read as this consumer and has left
river-waits = waits
river-waits-for = waits, { $left } left
river-lost = { $n ->
    [one] { NUMBER($n) } pending entry is gone from the front
   *[other] { NUMBER($n) } pending entries are gone from the front
}
river-reader-at = { $client } has read up to here
river-reader-waits = { $client } waits here for more
