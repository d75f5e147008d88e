### The frame of the page: header, tabs, dialogs, notices.

app-title = Lockstep
app-title-long = Lockstep · a Redis you can stop, rewind and branch
place-sandbox = Sandbox
language-switch = 中文
language-switch-hint = Switch to Chinese (切换到中文)
theme-now-system = Colours: as the system
theme-now-light = Colours: light
theme-now-dark = Colours: dark
projector = Projector mode
focus-mode = Focus mode: what happens, in large type
share = Share
sessions = Sessions
help = Keyboard and help

tab-terminals = Terminals
tab-keys = Keys
tab-inside = Inside
tab-timeline = Timeline
tabs-label = Parts of the stage

panel-terminals = Terminals
panel-keyspace = Keyspace
panel-timeline = Timeline

splitter-main = Width of the terminals
splitter-side = Height of the keyspace

close = Close
cancel = Cancel
ok = OK
rename = Rename
open = Open
download = Download
copy = Copy
copied = Copied

count-keys = { $n ->
    [one] { NUMBER($n) } key
   *[other] { NUMBER($n) } keys
}
type-string = string
type-list = list
type-hash = hash
type-set = set
type-zset = sorted set
type-stream = stream

notice-link-copied = Link copied ({ NUMBER($length) } characters). It holds this whole session.
notice-transcript-copied = Transcript copied.
notice-clipboard-refused = The browser did not let the page use the clipboard. Select the text and copy it by hand.
notice-session-opened = Session opened: { $n ->
    [one] { NUMBER($n) } step
   *[other] { NUMBER($n) } steps
}.
notice-set-aside = The saved session could not be read. It was set aside, not deleted: you can find it under “Sessions”. This is a new one.
notice-not-a-session = This is not a Lockstep session. Nothing was changed.
notice-link-broken = This link is incomplete or damaged and cannot be opened. Ask for it again. Your session here is unchanged.
notice-from-the-future = This session was made by a newer version of the page. Reload the page and try again.
notice-too-large = This session is larger than the page can open.
notice-not-stored = The browser’s storage is full or switched off: this session lives only in this tab. Download it to keep it.
script-is-running = A script is running: { $commands ->
    [one] one command
   *[other] { $commands } commands
} so far. Everything else waits for it.
script-stop = Stop
notice-script-stopped = The script was stopped. The session is as it was before.
assets-fetching = Fetching the next part of the page … { BYTES($bytes) }
assets-unreachable = The network does not answer. Nothing is lost; this continues once the network is back.
notice-no-machine = The module that runs Lua could not be loaded. Nothing was run; try again when the network is back.
notice-forked = This session continued in another tab, so this tab now uses its own copy.
traffic-title = Traffic
river-title = River
drop-here = Drop the session file to open it
panel-scripts = Scripts
tab-scripts = Scripts
splitter-scripts = Height of the terminals above the script editor
