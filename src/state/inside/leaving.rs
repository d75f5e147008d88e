//! When a key leaves: its time to live against the time that was set.
use world::EventKind;

use super::Look;
use crate::state::key::KeyName;
use crate::state::session::Session;

/// How many steps are searched for the one that set the deadline.
const LOOKED_BACK_MAX: usize = 500;

/// The deadline of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// When it expires, Unix time in ms.
    pub expires_ms: u64,
    /// When this was set; `None` if that was too long ago to be searched for.
    pub since_ms: Option<u64>,
}

/// How the key of a look can leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaving {
    /// Its deadline, if it has one.
    pub deadline: Option<Deadline>,
    /// Whether the last step took its deadline away.
    pub is_deadline_lost: bool,
}

/// How the key of a look can leave.
pub fn leaving(session: &Session, look: &Look) -> Leaving {
    let Some(entry) = &look.now else { return Leaving::default() };
    let deadline =
        entry.expires_ms.map(|expires_ms| Deadline { expires_ms, since_ms: since(session, &look.key, expires_ms) });
    let had_deadline = look.before.iter().flatten().any(|before| before.expires_ms.is_some());
    Leaving { deadline, is_deadline_lost: deadline.is_none() && had_deadline }
}

/// When the deadline of a key was set: the time of the last step that changed it to this one.
fn since(session: &Session, key: &KeyName, expires_ms: u64) -> Option<u64> {
    session.timeline().taken().rev().take(LOOKED_BACK_MAX).find_map(|(_, step)| {
        let is_set = step.events.iter().any(|event| match &event.kind {
            EventKind::KeyChanged { before, after, .. } if key.is_in(event) => {
                let deadline = |state: &world::KeyState| state.as_ref().and_then(|entry| entry.expires_ms);
                deadline(after) == Some(expires_ms) && deadline(before) != Some(expires_ms)
            }
            _ => false,
        });
        is_set.then_some(step.now_ms)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::look_after;
    use super::{Deadline, Leaving};

    fn after(lines: &[&str]) -> Leaving {
        look_after(lines).leaving
    }

    /// The whole time that was set, and how long ago.
    fn whole(lines: &[&str]) -> Option<(u64, u64)> {
        let now_ms = after(&["SET now 1 PX 1"]).deadline?.expires_ms - 1;
        let passed: u64 = lines.iter().filter_map(|line| line.parse::<u64>().ok()).sum();
        let Deadline { expires_ms, since_ms } = after(lines).deadline?;
        Some((expires_ms - since_ms?, now_ms + passed - since_ms?))
    }

    #[test]
    fn a_deadline_counts_from_when_it_was_set() {
        assert_eq!(whole(&["SET k 1 EX 60", "20000", "INCR k"]), Some((60_000, 20_000)));
        assert_eq!(whole(&["SET k 1", "5000", "EXPIRE k 30", "1000", "APPEND k x"]), Some((30_000, 1_000)));
        assert_eq!(whole(&["SET k 1 EX 60", "1000", "SET k 2 KEEPTTL"]), Some((60_000, 1_000)));
        assert_eq!(whole(&["SET k 1 EX 60", "SET k 1"]), None);
    }

    #[test]
    fn a_write_that_takes_the_deadline_is_seen() {
        for (line, is_lost) in [("SET k 2", true), ("SET k 2 KEEPTTL", false), ("PERSIST k", true), ("DEL k", false)] {
            assert_eq!(after(&["SET k 1 EX 60", line]).is_deadline_lost, is_lost, "{line}");
        }
    }
}
