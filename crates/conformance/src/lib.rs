//! Golden scripts and differential runs: the model and a real Redis side by side.
//!
//! # Golden scripts
//! A script is a transcript of several clients of one server. It starts from an empty server, and
//! is valid on the model (with virtual time) and on a real Redis 7.0 (with real time).
//!
//! ```text
//! # A client that waits is woken by another.
//! a> BRPOP jobs 0
//! (blocked)
//! b> LPUSH jobs mail
//! (integer) 1
//! a< 1) "jobs"
//! a< 2) "mail"
//! b> SET lease x PX 100
//! OK
//! @+300ms
//! b> GET lease
//! (nil)
//! b> TTL "other lease"
//! (integer) -2
//! a> CLIENT ID
//! ~ (integer) {int}
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `a> COMMAND …` | client `a` sends a command, typed as for redis-cli: quotes, escapes, a repeat count in front. A new name is a new connection. |
//! | the lines below it | what `a` sees, as redis-cli prints it on a terminal; then what others see because of it |
//! | `b< …` | one line that client `b` sees |
//! | `(blocked)` | no reply: the client waits inside its command |
//! | `(no reply)` | no reply will come (`CLIENT REPLY OFF`) |
//! | `(closed)` | the server closed the connection |
//! | `@+1500ms`, `@+2s` | time passes; the lines below show what clients see meanwhile |
//! | `~ pattern` | an output line that varies; see below |
//! | `\text` | an output line that could be mistaken for another kind of line (empty, or starting with `#`, `!`, `@`, `~`, `\`) |
//! | `# …`, empty lines | comments |
//! | `! …` | a directive |
//! Directives before the first command apply to the whole script: `! config <name> <value>` sets a parameter; `! resp 3` lets every client
//! speak RESP3 from the start, `! resp b 3` only client `b`; `! model-only <reason>` and `! real-only <reason>` say that the script cannot
//! run on the other side.
//!
//! Directives before a later command apply to that command: `! model-only …` and `! real-only …`
//! skip it elsewhere; `! unordered` sorts the elements of its reply before they are compared,
//! `! unordered pairs` pairs of elements, `! unordered scan` and `! unordered scan-pairs` the
//! array behind a cursor, `! unordered deep` every array. `! disconnect b` closes b's connection.
//!
//! In arguments `$id(b)` and `$addr(b)` stand for the `CLIENT ID` and the address of client `b`,
//! `$now(+10)` for the Unix time in seconds plus ten, `$nowms(-5)` for that in ms minus five.
//!
//! Patterns are literal text with `{any}`, `{int}`, `{float}`, `{hex}`, `{word}` (no blanks, quotes
//! or commas) and ranges of integers `{90..100}`; `{{` is a brace. `~ ...` stands for any number of lines. Real time passes on a real
//! server, so TTLs need a range, and if the active cycle must find an expired key, the script needs `@+…` of at least 200 ms after its
//! expiry.
//!
//! Expectations are always regenerated from the real server ([`golden::update`]), never from the
//! model: `UPDATE_GOLDEN=1 cargo test -p conformance --test golden`.
//!
//! # Differential runs
//! See [`diff`]; [`diff::rules::RULES`] says which replies are compared how.
pub mod diff;
pub mod golden;
pub mod target;
