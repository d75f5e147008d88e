### The script editor: Lua files, running them, and what the server keeps of them.

key-scripts = script editor
key-river = river
key-lanes = lanes

scripts-file = File
scripts-new = New file
scripts-import = Import a .lua file
scripts-export = Save this file as .lua
scripts-restore = Restore the original text
scripts-source = Lua source of { $name }
scripts-keys = Ctrl+Enter runs · Tab indents; Esc, then Tab leaves the editor
scripts-keys-plain = Ctrl+Enter runs · Tab leaves the editor
scripts-no-colours = The editor with colours could not be loaded; everything works without it.
scripts-run-label = Run the script, and its result
scripts-client = Client
scripts-words = A quote in KEYS or ARGV is not closed.
scripts-run = Run
scripts-load = Load
scripts-run-sha = Run by SHA
scripts-load-library = Load
scripts-load-library-new = Load as new
scripts-library-first = Load the library: then its functions can be called here.
scripts-call = Call
scripts-cached = on the server
scripts-not-cached = not on the server
scripts-not-sent = Not sent yet at this point of the timeline.
scripts-outcome = { $name } sent { $command }:
scripts-no-answer = No answer yet.
scripts-line = Line { $line }
scripts-kept = On the server
scripts-kept-nothing = No script in the cache and no function. EVAL and SCRIPT LOAD fill the cache, FUNCTION LOAD brings functions.
scripts-library = library
scripts-open = Open in the editor: { $name }

scripts-about-release = Releases a lock, but only for its holder: compare and delete in one step.
scripts-about-stock = Hands out n items if that many are left, otherwise none: a hash with total and released.
scripts-about-multiply = Multiplies a counter by a factor; returns 0 if there is no counter.
scripts-about-locks = The same lock as functions that stay on the server: acquire with a limit, release, ask for the owner.

notice-script-not-stored = The browser’s storage is full or switched off: this script is kept only as long as the page is open. Save it as a file.
notice-script-too-large = A script has { NUMBER($most) } characters at most. Nothing was changed.
notice-script-not-text = This file is not a text, so it cannot be a script. Nothing was changed.
notice-script-name = This name is not allowed, or another file already has it.
terminal-eval = --eval runs a file of the script editor, as redis-cli does from the shell: { $usage }. KEYS come before the comma, ARGV after it. Files: { $names }
