//! What the program says on standard output.
use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line. A reader that has gone (`| head`) wants no more, which is no fault: the program goes on, and its exit code says what it found.
pub fn say(line: impl Display) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
