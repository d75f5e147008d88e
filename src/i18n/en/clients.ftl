### One client's pane: its head and its state.

client-add = Add a client
client-rename = Rename { $name }
client-rename-field = New name of { $name }
client-close = Close { $name }
client-interrupt = Interrupt
client-interrupt-hint = Ctrl-C: drop this connection and open a new one
client-pane = Client { $name }

state-waits-keys = waits for { $keys }
state-waits-pause = waits until the server serves commands again (CLIENT PAUSE, DEBUG SLEEP or a script blocks it)
state-waits-sleep = has put the whole server to sleep
state-waits-script-end = runs a script; the server is busy with it until it ends
state-waits-script = runs a script that does not end; the server is busy with it until SCRIPT KILL or FUNCTION KILL
state-waits-replicas = waits for replicas
state-since = for { DURATION($ms) }
state-left = { DURATION($ms) } left
state-forever = no time limit
state-typed-ahead = { $n ->
    [one] one more command is waiting behind it
   *[other] { NUMBER($n) } more commands are waiting behind it
}
state-listens = listens to { $channels }
state-messages = { $n ->
    [0] no message yet
    [one] one message so far
   *[other] { NUMBER($n) } messages so far
}
state-multi = Transaction: { $n ->
    [0] nothing queued yet
    [one] one command queued
   *[other] { NUMBER($n) } commands queued
}
state-multi-broken = One of them was refused: EXEC will run nothing.
state-watches = watches { $keys }
state-watches-dirty = { $keys } changed: EXEC will run nothing
state-monitors = MONITOR: sees every command of every client
state-closed = connection closed; the next command opens a new one
state-database = database { $n }
state-resp3 = RESP3
state-statement-queued = its statement is queued at the database
state-statement-at-work = the database is executing its statement
state-transaction = Transaction: others see its changes after `COMMIT`.

refused-blocked = This client is waiting. Interrupt it first.
refused-paused = This client is paused. Resume it first.
refused-name = A name has 1 to 32 bytes and no blanks, quotes or any of > < ! = # @.
refused-taken = Another client already has this name.
refused-size = This command is too large ({ BYTES($given) }; { BYTES($most) } at most).
refused-end-of-time = The clock ends with the year 9999.
refused-full = This session is full ({ NUMBER($most) } steps). Start a new one.
refused-other = This was refused: { $why }.
