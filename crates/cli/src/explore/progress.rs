//! The progress of a long search, on one line of the terminal that is rewritten in place.
use std::cell::Cell;
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use resp::split;
use world::Property;
use world::explore::Progress;

/// Intervals between two reports: short enough to read at a terminal, long if the output is stored.
const AT_A_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(2);

/// Prints the progress of a search on standard error.
pub struct ProgressLine {
    is_terminal: bool,
    is_on: bool,
    /// Time of the last report, since the start of this search.
    said: Cell<Duration>,
    is_dirty: Cell<bool>,
}

impl ProgressLine {
    /// Prints at a terminal; elsewhere only if asked to.
    pub fn new(is_asked: bool) -> ProgressLine {
        let is_terminal = std::io::stderr().is_terminal();
        ProgressLine { is_terminal, is_on: is_asked || is_terminal, said: Cell::default(), is_dirty: Cell::default() }
    }

    /// Prints the progress if the interval is over.
    pub fn show(&self, property: &Property, progress: Progress, took: Duration) {
        let pause = if self.is_terminal { AT_A_TERMINAL } else { ELSEWHERE };
        if !self.is_on || took < self.said.get().saturating_add(pause) {
            return;
        }
        self.said.set(took);
        let line = line(property, progress, took, memory());
        let line = if self.is_terminal { format!("\r\x1b[K{line}") } else { format!("{line}\n") };
        self.is_dirty.set(self.is_terminal);
        // If this fails, the final report is still printed.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    /// Clears the line before other output; another search may follow.
    pub fn wipe(&self) {
        self.said.set(Duration::ZERO);
        if self.is_dirty.replace(false) {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

fn line(property: &Property, progress: Progress, took: Duration, memory: Option<u64>) -> String {
    let seconds = took.as_secs_f64();
    let rate = progress.states as f64 / seconds.max(0.001);
    let memory = memory.map(|bytes| format!(", {} MB", bytes / 1_000_000)).unwrap_or_default();
    let by_history = match progress.by_history {
        0 => String::new(),
        count => format!(", {count} of them told apart by answers"),
    };
    format!(
        "{}: {} states{by_history}, {rate:.0} states/s, {} wait, depth {}{memory}, {seconds:.0} s",
        split::quote_command(&property.to_words()),
        progress.states,
        progress.frontier,
        progress.depth
    )
}

/// Resident memory of this process in bytes; not available on every system.
fn memory() -> Option<u64> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // Linux has pages of 4 KB on the supported machines; other systems have no such file.
    Some(pages.saturating_mul(4_096))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_the_progress() {
        let progress = Progress { states: 100_000, steps: 200_000, frontier: 1_234, depth: 17, ..Progress::default() };
        let printed = |progress| line(&Property::NoDeadlock, progress, Duration::from_millis(500), Some(812_000_000));
        let expected = "no-deadlock: 100000 states, 200000 states/s, 1234 wait, depth 17, 812 MB, 0 s";
        assert_eq!(printed(progress), expected);
        let expected = expected.replacen("states,", "states, 77 of them told apart by answers,", 1);
        assert_eq!(printed(Progress { by_history: 77, ..progress }), expected);
    }
}
