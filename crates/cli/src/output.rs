//! Output on standard output.
use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line. A closed pipe (`| head`) is not an error: the program continues, and its exit code reports the result.
pub fn say(line: impl Display) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
