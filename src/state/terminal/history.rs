//! The lines typed into a terminal, to step through with ↑ and ↓ and to search.
//!
//! The timeline already contains a client's commands, on every branch; so a terminal's history survives a reload without being stored
//! anywhere else.
use std::rc::Rc;

use resp::split::quote_command;
use world::{ClientIndex, Input, StepId, Timeline};

/// Most lines in the history.
const LINES_MAX: usize = 1_000;
/// Longer lines are left out of the history.
const LINE_BYTES_MAX: usize = 16 * 1024;

/// The commands typed by a client, oldest first, on all branches, without consecutive duplicates.
pub fn of(timeline: &Timeline, client: ClientIndex) -> Rc<[String]> {
    let mut lines: Vec<String> = Vec::new();
    let ids = (1..=timeline.step_count()).rev().filter_map(|id| StepId::try_from(id).ok());
    for step in ids.filter_map(|id| timeline.step(id)) {
        let Input::Command { client: typed, argv } = &step.input else { continue };
        let size = argv.iter().fold(0usize, |sum, word| sum.saturating_add(word.len()));
        if *typed != client || size > LINE_BYTES_MAX {
            continue;
        }
        let line = match argv.as_slice() {
            // An SQL statement is a single word.
            [statement] if statement.contains(&b' ') => String::from_utf8_lossy(statement).into_owned(),
            _ => quote_command(argv),
        };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
        if lines.len() >= LINES_MAX {
            break;
        }
    }
    lines.reverse();
    lines.into()
}

/// A position in the history, and the line that was being typed before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Lines back from the end; 0: not in the history.
    back: usize,
    /// The line that was being typed.
    draft: String,
}

impl Walk {
    /// The previous line; `None` at the oldest.
    pub fn older(&self, lines: &[String], typed: &str) -> Option<(Walk, String)> {
        let draft = if self.back == 0 { typed.to_owned() } else { self.draft.clone() };
        let back = self.back.checked_add(1)?;
        let line = lines.len().checked_sub(back).and_then(|i| lines.get(i))?;
        Some((Walk { back, draft }, line.clone()))
    }

    /// The next line, and finally the draft; `None` if not in the history.
    pub fn newer(&self, lines: &[String]) -> Option<(Walk, String)> {
        let back = self.back.checked_sub(1)?;
        let walk = Walk { back, draft: self.draft.clone() };
        if back == 0 {
            return Some((Walk::default(), self.draft.clone()));
        }
        let line = lines.len().checked_sub(back).and_then(|i| lines.get(i))?;
        Some((walk, line.clone()))
    }
}

/// The `nth` newest line (from 0) that contains `needle`, ignoring ASCII case; duplicate lines are found only once.
pub fn search<'a>(lines: &'a [String], needle: &str, nth: usize) -> Option<&'a String> {
    let needle = needle.to_ascii_lowercase();
    let mut seen: Vec<&String> = Vec::new();
    for line in lines.iter().rev() {
        if line.to_ascii_lowercase().contains(&needle) && !seen.contains(&line) {
            if seen.len() == nth {
                return Some(line);
            }
            seen.push(line);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Walk, search};

    fn lines() -> Vec<String> {
        ["SET a 1", "GET a", "SET b 2", "GET a"].map(str::to_owned).to_vec()
    }

    #[test]
    fn walking_back_and_forth_ends_at_the_draft() {
        let lines = lines();
        let (walk, line) = Walk::default().older(&lines, "half").unwrap();
        assert_eq!(line, "GET a");
        let (walk, line) = walk.older(&lines, &line).unwrap();
        assert_eq!(line, "SET b 2");
        let (walk, line) = walk.newer(&lines).unwrap();
        assert_eq!(line, "GET a");
        let (walk, line) = walk.newer(&lines).unwrap();
        assert_eq!(line, "half");
        assert_eq!(walk.newer(&lines), None);
    }

    #[test]
    fn oldest_line_is_the_end() {
        let mut walk = Walk::default();
        for _ in 0..4 {
            walk = walk.older(&lines(), "").unwrap().0;
        }
        assert_eq!(walk.older(&lines(), ""), None);
        assert_eq!(Walk::default().older(&[], "x"), None);
    }

    #[test]
    fn search_finds_each_line_once_newest_first() {
        let lines = lines();
        assert_eq!(search(&lines, "get", 0).unwrap(), "GET a");
        assert_eq!(search(&lines, "get", 1), None);
        assert_eq!(search(&lines, "SET", 1).unwrap(), "SET a 1");
    }
}
