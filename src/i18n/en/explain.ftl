### What an error means, in a sentence under Redis' own text.

explain-full-width = The line has full-width characters. Commands, numbers and quotes are typed in half width.
explain-unknown-command = Redis has no command { $name }.
explain-unknown-subcommand = { $container } has no subcommand { $name }.
explain-arity = The number of arguments is wrong. Usage of { $command }: { $usage }
explain-syntax = The arguments of { $command } do not match its syntax: { $usage }
explain-wrong-type = { $key } holds a { $kind }, and { $command } works on another type. Look at it with TYPE, or use another key.
explain-not-integer = A whole number between −2⁶³ and 2⁶³−1 is needed here: no fraction, no blanks, no other characters.
explain-not-float = A number is needed here, such as 3, -1.5 or 2e10.
explain-min-max-float = The ends of a score range are numbers, -inf or +inf; a leading ( excludes the end itself.
explain-min-max-lex = The ends of a range by member begin with [ (included) or ( (excluded), or are - or +.
explain-overflow = The result would not fit into 64 bits, so nothing was changed.
explain-nan = The result would be infinite or not a number, so nothing was changed.
explain-no-such-key = The key this command needs does not exist (or no longer).
explain-index-range = The list has no element with this index. Nothing was changed.
explain-out-of-range = The number is out of the range the command accepts. Nothing was changed.
explain-invalid-expire = A time to live must be greater than 0 and end before the year 292 million.
explain-exec-without-multi = There is no open transaction. MULTI opens one.
explain-nested-multi = A transaction is open already: end it with EXEC or DISCARD first.
explain-watch-inside-multi = WATCH comes before MULTI: inside a transaction it would be too late, since nothing is read before EXEC.
explain-exec-abort = A command could not be queued, so Redis discarded the whole transaction. Nothing was run.
explain-not-in-multi = This command cannot stand inside a transaction.
explain-subscribed = This connection listens to channels and, with RESP2, can do nothing else. UNSUBSCRIBE or Ctrl-C leaves, HELLO 3 lifts the restriction.
explain-oom = The keys take more than maxmemory allows. Delete some, let some expire, or raise it with CONFIG SET maxmemory.
explain-too-long = The value would be longer than proto-max-bulk-len allows. Nothing was changed.
explain-not-modelled = The real Redis knows { $command }; Lockstep does not imitate it yet. It says so instead of pretending.
explain-cursor = A cursor is the number that the last call returned; a scan begins with 0.
explain-db-index = There are 16 databases, numbered from 0 to 15.
explain-timeout = The timeout is a number of seconds, 0 or more; 0 waits forever.
explain-same-object = Source and destination are the same key.
explain-no-proto = HELLO takes 2 or 3, the versions of the protocol.
explain-numkeys = The number of keys must be at least 1 and at most the number of keys that follow.
explain-unblocked = Another client ended the wait with CLIENT UNBLOCK.
explain-no-auth = No password is set on this server, so there is nothing to log in to.
explain-incompatible = These options contradict each other; leave one of them out.

explain-did-you-mean = Did you mean
