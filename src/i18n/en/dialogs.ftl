### Dialogs: share, sessions, help. Each is a window of its own.

share-link = As a link
share-link-what = The link holds the whole session, up to this moment and with every branch. Nothing is sent to any server: the part after # never leaves the browser.
share-link-length = { NUMBER($n) } characters
share-link-making = Making the link …
share-link-too-long = This session makes a link of { NUMBER($n) } characters; many programs cut links longer than { NUMBER($most) }. Send the file instead.
share-link-copy = Copy link
share-file = As a file
share-file-what = The same session as a small text file that people can read. Drop such a file anywhere on the page to open it; a plain file of Redis commands opens too, and so does what was copied from redis-cli.
share-file-save = Save file
share-file-open = Open file …
share-transcript = As a transcript
share-transcript-what = Every command and reply up to this moment, to paste into notes or a question.
share-transcript-text = Copy as redis-cli text
share-transcript-markdown = Copy as Markdown

sessions-what = Every session is saved in this browser as you go, one for each tab. Opening one leaves the others unchanged.
sessions-new = New session
sessions-nodes = { $n ->
    [one] { NUMBER($n) } node
   *[other] { NUMBER($n) } nodes
}
sessions-persistence = Persistence
sessions-database = Beside them
sessions-no-database = no database
sessions-on-nodes = New session on these nodes
sessions-none = No other session is saved here yet.
sessions-this = open in this tab
sessions-empty = no command yet
sessions-aside = could not be read
sessions-really = Delete for good?
sessions-saved = saved { $when }

help-title = Keyboard and help
help-start = Where to begin
help-start-1 = Type { $command } into the left terminal and press Enter. You see the key appear, and what it looks like inside.
help-start-2 = Make one client wait with { $command }, then push something to { $key } from the other.
help-start-3 = Step back with { $keys } and type something else: that is a second future, and the first one stays.
help-keys = Keys
help-keys-what = When you are not typing, the key alone is enough. While typing, hold Alt too. Esc leaves the line.
help-keys-terminal = In a terminal
keys-single = Single keys work when you are not typing. When off, they need Alt.
keys-on = Single keys: on
keys-off = Single keys: off
keys-change = Change this key
keys-press = press a key …
keys-taken = This key is taken: { $what }.
keys-default = Default keys
key-step-back = one step back
key-step-forward = one step forward
key-first = to the beginning
key-last = to the end
key-run = run or stop the clock
key-slower = slower
key-faster = faster
key-second = one second passes
key-deadline = on to the next event
key-branch = next branch
key-client-new = one more client
key-client-previous = previous client
key-client-next = next client
key-client = client 1 to 8
key-filter = filter the keys
key-steps = list of steps
key-language = other language
key-projector = projector mode
key-focus = focus mode
key-help = this overlay
key-terminal-history = earlier and later lines
key-terminal-search = search in earlier lines
key-terminal-complete = complete
key-terminal-interrupt = interrupt a wait
key-terminal-clear = clear the screen
help-privacy = Lockstep runs entirely in this page: no server, no account, no request to any other host. Reference: Redis 7.0.15.

notice-new-build = A newer version of this page is ready. Reload to use it; your session is kept.
notice-reload = Reload
paste-title = Paste commands
paste-what = One command per line, or what redis-cli printed: of that only the lines with a prompt count.
paste-count = { $n ->
    [one] 1 command
   *[other] { NUMBER($n) } commands
}
paste-too-much = These are more commands or clients than can be run.
paste-strange-lines = { $n ->
    [one] 1 line is no known command and is left out:
   *[other] { NUMBER($n) } lines are no known commands and are left out:
}
paste-strange = Line { $number }: { $line }
paste-here = Run as { $name }
paste-new = Run in a new session

delete = Delete
count-steps = { $n ->
    [one] { NUMBER($n) } step
   *[other] { NUMBER($n) } steps
}
