//! Can somebody still get on? A fair continuation tells: everybody in turn, and time that passes when nobody can go on.
use rustc_hash::FxHashMap;

use crate::{Act, Condition, EventKind, Happening, Input, World};

/// Rounds that are looked at; a world that has not come round in a circle by then is not called stuck.
const ROUNDS_MAX: usize = 200;

impl World {
    /// Can nobody go on, now or when time passes, although not everything is over?
    pub(super) fn is_standing(&self) -> bool {
        !self.is_end() && self.ready().next().is_none() && self.until_next_ms().is_none() && !self.has_paused()
    }

    /// Will nobody ever get on? From here, with nothing more going wrong and everybody in turn, the world stands still, or comes round
    /// in a circle in which nobody enters a section, counts anything or comes to an end.
    pub fn is_stuck(&self) -> bool {
        let mut world = self.clone();
        let paused: Vec<_> = world
            .clients()
            .filter(|(_, found)| {
                found.program.as_deref().is_some_and(|process| process.condition() == Condition::Paused)
            })
            .map(|(client, _)| client)
            .collect();
        for client in paused {
            if world.step(&Input::Program { client, act: Act::Resume }).is_err() {
                return false;
            }
        }
        let mut seen = FxHashMap::default();
        let mut gained = 0_usize;
        for _ in 0..ROUNDS_MAX {
            if world.is_end() {
                return false;
            }
            if seen.insert(world.sight(), gained) == Some(gained) {
                return true;
            }
            match world.round() {
                Some(more) => gained = gained.saturating_add(more),
                None => return true,
            }
        }
        false
    }

    fn has_paused(&self) -> bool {
        self.clients()
            .any(|(_, found)| found.program.as_deref().is_some_and(|process| process.condition() == Condition::Paused))
    }

    /// Lets everybody who can go on do so once, or time pass when nobody can. How often somebody got on; `None`: nothing can happen.
    fn round(&mut self) -> Option<usize> {
        let mut inputs: Vec<Input> = self.ready().collect();
        if inputs.is_empty() {
            inputs.push(Input::Advance { ms: self.until_next_ms()? });
        }
        let mut gained = 0_usize;
        for input in inputs {
            // Somebody before it may have ended this thread.
            let Ok(events) = self.step(&input) else { continue };
            let is_gain = |kind: &EventKind| {
                matches!(
                    kind,
                    EventKind::Program {
                        what: Happening::Entered { .. }
                            | Happening::Tallied { .. }
                            | Happening::Ended
                            | Happening::Failed(_),
                        ..
                    }
                )
            };
            gained = gained.saturating_add(events.iter().filter(|event| is_gain(&event.kind)).count());
        }
        Some(gained)
    }
}
