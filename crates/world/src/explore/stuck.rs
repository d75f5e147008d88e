//! Can somebody still get on? A fair continuation tells: everybody in turn, and time that passes when nobody can go on.
//!
//! ```text
//!   after a fault, or standing    where does the fair continuation end?            World::is_stuck
//!   anywhere else                 does it come round to here, with no way out?     Liveness::is_over
//! ```
//! Whoever waits for somebody who has died will wait for ever, whatever the others still do; that is told at once. Where nothing has gone
//! wrong, one order may lead into a dead lock and another around it: there a world is dead only when it turns in a circle already, and
//! no order leads out.
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Act, ClientIndex, Condition, Event, EventKind, Happening, Input, World};

/// Rounds that are looked at; a world that has not come round in a circle by then is not called stuck.
const ROUNDS_MAX: usize = 200;
/// So often a circle is gone round before it is taken for one: a program may count where nobody sees it.
const CIRCLES: usize = 4;
/// Steps of one client after the other that are tried before anything else.
const STRAIGHT_MAX: usize = 64;
/// Worlds that are looked at in search of a way out; where there are more, there may be one.
const WAYS_MAX: usize = 4_000;

impl World {
    /// Can nobody go on, now or when time passes, although not everything is over?
    pub(super) fn is_standing(&self) -> bool {
        !self.is_end() && self.ready().next().is_none() && self.until_next_ms().is_none() && self.paused().is_empty()
    }

    /// Will nobody ever get on? From here, with nothing more going wrong and everybody in turn, the world stands still, or comes round
    /// in a circle in which nobody enters a section, counts anything or comes to an end.
    pub fn is_stuck(&self) -> bool {
        let Some(mut world) = self.with_all_resumed() else { return false };
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

    /// Do its programs turn in a circle, and no order leads out? Tells a dead lock that came about although nothing went wrong.
    pub fn is_dead(&self) -> bool {
        Liveness::default().is_over(self)
    }

    fn paused(&self) -> Vec<ClientIndex> {
        let is_paused = |process: &crate::Process| process.condition() == Condition::Paused;
        self.clients()
            .filter(|(_, found)| found.program.as_deref().is_some_and(is_paused))
            .map(|(client, _)| client)
            .collect()
    }

    /// The same world, but nobody stands still.
    fn with_all_resumed(&self) -> Option<World> {
        let mut world = self.clone();
        for client in self.paused() {
            world.step(&Input::Program { client, act: Act::Resume }).ok()?;
        }
        Some(world)
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
            gained = gained.saturating_add(gains(&events));
        }
        Some(gained)
    }

    /// Does the fair continuation come round to here, and nobody gets on?
    fn comes_round(&self) -> bool {
        let (here, mut world) = (self.sight(), self.clone());
        let (mut rounds, mut circles) = (0_usize, 0_usize);
        while rounds < ROUNDS_MAX {
            if world.is_end() || world.round() != Some(0) {
                return false;
            }
            rounds = rounds.saturating_add(1);
            if world.sight() == here {
                circles = circles.saturating_add(1);
                if circles >= CIRCLES {
                    return true;
                }
            }
        }
        false
    }
}

/// How often somebody got on.
fn gains(events: &[Event]) -> usize {
    let is_gain = |kind: &EventKind| {
        matches!(
            kind,
            EventKind::Program {
                what: Happening::Entered { .. }
                    | Happening::Tallied { .. }
                    | Happening::Produced { .. }
                    // What is done again and again gets nobody on.
                    | Happening::Processed { times: 1, .. }
                    | Happening::Ended
                    | Happening::Failed(_),
                ..
            }
        )
    };
    events.iter().filter(|event| is_gain(&event.kind)).count()
}

/// Worlds, by what is seen of them, in which somebody can still get on. Most worlds of a search lie on the way of one before them, and
/// then looking them up is all.
#[derive(Default)]
pub(super) struct Liveness {
    alive: FxHashSet<u128>,
}

impl Liveness {
    /// Do the programs of this world turn in a circle, and no order leads out?
    pub(super) fn is_over(&mut self, world: &World) -> bool {
        let paused = world.paused();
        let resumed = if paused.is_empty() { None } else { world.with_all_resumed() };
        let world = resumed.as_ref().unwrap_or(world);
        if self.goes_straight_on(world) {
            return false;
        }
        if world.comes_round() && !self.has_way_out(world) {
            return true;
        }
        self.alive.insert(world.sight());
        false
    }

    /// Does somebody get on when one client after the other goes on as far as it can?
    fn goes_straight_on(&mut self, from: &World) -> bool {
        let mut sight = from.sight();
        if self.alive.contains(&sight) {
            return true;
        }
        let mut way = vec![sight];
        let mut world = from.clone();
        loop {
            let next = world.ready().next().or_else(|| Some(Input::Advance { ms: world.until_next_ms()? }));
            let gets_on = match next.and_then(|input| world.step(&input).ok()) {
                Some(events) => gains(&events) > 0 || world.is_end(),
                None => return false,
            };
            sight = world.sight();
            if gets_on || self.alive.contains(&sight) {
                self.alive.extend(way);
                return true;
            }
            if way.len() >= STRAIGHT_MAX || way.contains(&sight) {
                return false;
            }
            way.push(sight);
        }
    }

    /// Is there any order in which somebody gets on? Also where there is too much to look at.
    fn has_way_out(&self, from: &World) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from.clone()];
        while let Some(world) = open.pop() {
            let sight = world.sight();
            if self.alive.contains(&sight) || world.is_end() {
                return true;
            }
            if !seen.insert(sight) {
                continue;
            }
            if seen.len() > WAYS_MAX {
                return true;
            }
            for input in world.enabled(crate::Faults::default()) {
                let mut next = world.clone();
                match next.step(&input) {
                    Ok(events) if gains(&events) > 0 => return true,
                    Ok(_) => open.push(next),
                    Err(_) => {}
                }
            }
        }
        false
    }
}
