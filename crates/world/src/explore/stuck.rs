//! Can somebody still get on? Looked for in every order of steps, with nothing more going wrong.
//!
//! ```text
//!   one client after the other, as far as each can go      mostly somebody gets on, or the way meets one that was looked at
//!   otherwise every order, until somebody gets on          GoesOn
//!   there is no other world any more                       Over: a dead lock
//!   there is no end of worlds                              Unknown: a counter that grows, a clock that is read for ever
//! ```
//! A world that is over is a dead lock: at once after a fault, otherwise when its circle is closed, so that what is shown is how they wait
//! for each other and not what was bound to happen.
//!
//! To get on is to enter a section, to count something, to tell of a message for the first time, or to come to an end.
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assumed::Assumed;
use crate::{Act, ClientIndex, Condition, Event, EventKind, Faults, Happening, Input, World};

/// Steps of one client after the other that are tried before anything else.
const STRAIGHT_MAX: usize = 64;
/// Worlds that are looked at in search of a way out.
const WAYS_MAX: usize = 20_000;
/// The same once a search was given up: it will not say that all is well, and may still find that something is not.
const WAYS_FEW: usize = 500;

/// What becomes of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// Somebody can get on, or everything has come to its end.
    GoesOn,
    /// Nobody ever will.
    Over,
    /// There are more worlds than were looked at.
    Unknown,
    /// A step broke what the search assumes.
    Void,
}

impl World {
    /// Will nobody ever get on, whatever is done and however long it takes? What cannot be told is not called so.
    pub fn is_stuck(&self) -> bool {
        self.life(true) == Life::Over
    }

    /// Is it stuck, and is the circle closed? Tells a dead lock that came about although nothing went wrong.
    pub fn is_dead(&self) -> bool {
        self.life(false) == Life::Over
    }

    fn life(&self, after_fault: bool) -> Life {
        let mut assumed = Assumed::default();
        assumed.is_broken_by(self, &[]);
        loop {
            match Liveness::default().of(self, after_fault, &mut assumed) {
                Life::Void => {}
                life => return life,
            }
        }
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

/// Worlds whose life is known, by what can still come of them. Most worlds of a search lie on the way of one before them, and then
/// looking them up is all.
#[derive(Default)]
pub(super) struct Liveness {
    alive: FxHashSet<u128>,
    over: FxHashSet<u128>,
    has_given_up: bool,
}

impl Liveness {
    /// What becomes of this world. One that is over only counts when something went wrong on the way, or when its circle is closed.
    pub(super) fn of(&mut self, world: &World, after_fault: bool, assumed: &mut Assumed) -> Life {
        match self.any(world, assumed) {
            Life::Over if !after_fault && !comes_round(world, assumed) => Life::GoesOn,
            life => life,
        }
    }

    fn any(&mut self, world: &World, assumed: &mut Assumed) -> Life {
        let resumed = if world.paused().is_empty() { None } else { world.with_all_resumed() };
        let world = resumed.as_ref().unwrap_or(world);
        if world.is_end() {
            return Life::GoesOn;
        }
        match self.straight_on(world, assumed) {
            Some(life) => life,
            None => self.any_way(world, assumed),
        }
    }

    fn known(&self, essence: u128) -> Option<Life> {
        match (self.alive.contains(&essence), self.over.contains(&essence)) {
            (true, _) => Some(Life::GoesOn),
            (_, true) => Some(Life::Over),
            _ => None,
        }
    }

    /// Does somebody get on when one client after the other goes on as far as it can?
    fn straight_on(&mut self, from: &World, assumed: &mut Assumed) -> Option<Life> {
        let mut essence = from.essence(Faults::default(), assumed);
        if let Some(life) = self.known(essence) {
            return Some(life);
        }
        let mut way = vec![essence];
        let mut world = from.clone();
        loop {
            let next = world.ready().next().or_else(|| Some(Input::Advance { ms: world.until_next_ms()? }))?;
            let events = world.step(&next).ok()?;
            if assumed.is_broken_by(&world, &events) {
                return Some(Life::Void);
            }
            essence = world.essence(Faults::default(), assumed);
            if gains(&events) > 0 || world.is_end() || self.alive.contains(&essence) {
                self.alive.extend(way);
                return Some(Life::GoesOn);
            }
            if way.len() >= STRAIGHT_MAX || way.contains(&essence) {
                return None;
            }
            way.push(essence);
        }
    }

    /// Is there any order in which somebody gets on?
    fn any_way(&mut self, from: &World, assumed: &mut Assumed) -> Life {
        let most = if self.has_given_up { WAYS_FEW } else { WAYS_MAX };
        // Each world that was met, and from which one.
        let mut met: FxHashMap<u128, u128> = FxHashMap::default();
        let essence = from.essence(Faults::default(), assumed);
        met.insert(essence, essence);
        let mut open = vec![(essence, from.clone())];
        while let Some((essence, world)) = open.pop() {
            for input in world.enabled(Faults::default()) {
                let mut next = world.clone();
                let Ok(events) = next.step(&input) else { continue };
                if assumed.is_broken_by(&next, &events) {
                    return Life::Void;
                }
                let reached = next.essence(Faults::default(), assumed);
                if gains(&events) > 0 || next.is_end() || self.alive.contains(&reached) {
                    self.note_alive(essence, &met);
                    return Life::GoesOn;
                }
                // Beyond what is over nothing is.
                if self.over.contains(&reached) || met.contains_key(&reached) {
                    continue;
                }
                if met.len() >= most {
                    self.has_given_up = true;
                    return Life::Unknown;
                }
                met.insert(reached, essence);
                open.push((reached, next));
            }
        }
        self.over.extend(met.into_keys());
        Life::Over
    }

    /// A world goes on, and so do those that lead to it.
    fn note_alive(&mut self, mut essence: u128, met: &FxHashMap<u128, u128>) {
        while self.alive.insert(essence) {
            match met.get(&essence) {
                Some(before) => essence = *before,
                None => break,
            }
        }
    }
}

/// Does whatever comes of this world, which is over, lead back to it?
fn comes_round(world: &World, assumed: &Assumed) -> bool {
    let resumed = if world.paused().is_empty() { None } else { world.with_all_resumed() };
    let world = resumed.as_ref().unwrap_or(world);
    let here = world.essence(Faults::default(), assumed);
    // Which worlds each was reached from.
    let mut before: FxHashMap<u128, Vec<u128>> = FxHashMap::default();
    before.insert(here, Vec::new());
    let mut open = vec![(here, world.clone())];
    while let Some((essence, world)) = open.pop() {
        for input in world.enabled(Faults::default()) {
            let mut next = world.clone();
            if next.step(&input).is_err() {
                continue;
            }
            let reached = next.essence(Faults::default(), assumed);
            match before.entry(reached) {
                Entry::Occupied(mut known) => known.get_mut().push(essence),
                Entry::Vacant(new) => {
                    new.insert(vec![essence]);
                    open.push((reached, next));
                }
            }
        }
    }
    let mut leads_here: FxHashSet<u128> = FxHashSet::default();
    let mut open = vec![here];
    while let Some(essence) = open.pop() {
        if leads_here.insert(essence) {
            open.extend(before.get(&essence).into_iter().flatten());
        }
    }
    leads_here.len() == before.len()
}
