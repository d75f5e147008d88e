//! Can any client still make progress? Searches every order of steps, without further faults.
//!
//! ```text
//!   one client after the other, as far as each can go      mostly everything ends, or a known world is met
//!   otherwise every order                                  GoesOn: everything ends, or some client makes progress on a cycle
//!                                                          Over: every path ends in a cycle without progress
//!   the worlds have no end                                 Unknown: a counter that grows, a clock that is read forever
//! ```
//! A world that is over is a deadlock. After a fault it is reported at once, although some clients may still have steps left; otherwise
//! only when its cycle is closed, so that the learner sees how the clients wait for each other, not just a state that must lead there.
//!
//! Progress is: to enter a section, to count something, to report a message for the first time, or to end.
use rustc_hash::{FxHashMap, FxHashSet};

use super::assumed::Assumed;
use super::canonical::canonical_hash;
use crate::{Act, ClientIndex, Condition, Event, EventKind, Faults, Input, ProgramEvent, World};

/// Steps with one client after the other that are tried first.
pub(super) const STRAIGHT_MAX: usize = 1_000;
/// Maximum number of worlds to visit in search of progress.
const WAYS_MAX: usize = 20_000;
/// The same after one search was given up: the verdict "all is well" is gone, but a violation may still be found.
const WAYS_FEW: usize = 500;

/// What becomes of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// Everything can end, or some client can make progress again and again.
    GoesOn,
    /// In the end no client can make progress, in any order.
    Over,
    /// There are more worlds than were visited.
    Unknown,
    /// A step broke what the search assumes.
    Void,
}

/// Does every possible order end where no client can make progress? `false` also if the search cannot decide.
pub fn is_stuck(world: &World) -> bool {
    life(world, true) == Life::Over
}

/// Is it stuck, and is the cycle without progress closed? This identifies a deadlock that occurred without faults.
pub fn is_dead(world: &World) -> bool {
    life(world, false) == Life::Over
}

fn life(world: &World, after_fault: bool) -> Life {
    let mut assumed = Assumed::of(world);
    loop {
        match Liveness::default().of(world, after_fault, &mut assumed) {
            Life::Void => {}
            life => return life,
        }
    }
}

fn paused(world: &World) -> Vec<ClientIndex> {
    let is_paused = |process: &crate::Process| process.condition() == Condition::Paused;
    world
        .clients()
        .filter(|(_, found)| found.program.as_ref().is_some_and(is_paused))
        .map(|(client, _)| client)
        .collect()
}

/// The same world with no client paused; `None` if no client is paused. A cut link stays cut until it is mended, and mending is one of
/// the possible steps: a client that gives up because of the cut ends too.
pub(super) fn resumed(world: &World) -> Option<World> {
    let paused = paused(world);
    let mut resumed = if paused.is_empty() { None } else { Some(world.clone()) }?;
    for client in paused {
        resumed.step(&Input::Program { client, act: Act::Resume }).ok()?;
    }
    Some(resumed)
}

/// Does the event mean progress for this client? `None`: for any client?
pub(super) fn is_gain(kind: &EventKind, of: Option<ClientIndex>) -> bool {
    let EventKind::Program { client, what, .. } = kind else { return false };
    let is_gain = matches!(
        what,
        ProgramEvent::Entered { .. }
            | ProgramEvent::Tallied { .. }
            | ProgramEvent::Produced { .. }
            // Repeated processing is no progress.
            | ProgramEvent::Processed { times: 1, .. }
            | ProgramEvent::Ended
            | ProgramEvent::Failed(_)
    );
    is_gain && of.is_none_or(|of| of == *client)
}

/// How many times a client made progress.
fn gains(events: &[Event]) -> usize {
    events.iter().filter(|event| is_gain(&event.kind, None)).count()
}

/// Worlds with a known life, by canonical hash. Most worlds of a search lie on the path of an earlier one, so a lookup is enough.
#[derive(Default)]
pub(super) struct Liveness {
    alive: FxHashSet<u128>,
    over: FxHashSet<u128>,
    /// Worlds and clients, where the client is known to make progress.
    pub(super) getting_on: FxHashSet<(u128, ClientIndex)>,
    has_given_up: bool,
}

impl Liveness {
    /// What becomes of this world. One that is over counts only after a fault, or if its cycle is closed.
    pub(super) fn of(&mut self, world: &World, after_fault: bool, assumed: &mut Assumed) -> Life {
        match self.any(world, assumed) {
            Life::Over if !after_fault && !comes_round(world, assumed) => Life::GoesOn,
            life => life,
        }
    }

    /// How many worlds to visit in search of progress.
    pub(super) fn ways(&self, few: usize) -> usize {
        if self.has_given_up { few } else { WAYS_MAX }
    }

    /// There are more worlds than that.
    pub(super) fn give_up(&mut self) -> Life {
        self.has_given_up = true;
        Life::Unknown
    }

    fn any(&mut self, world: &World, assumed: &mut Assumed) -> Life {
        let resumed = resumed(world);
        let world = resumed.as_ref().unwrap_or(world);
        if world.is_end() {
            return Life::GoesOn;
        }
        match self.straight_on(world, assumed) {
            Some(life) => life,
            None => self.any_way(world, assumed),
        }
    }

    fn known(&self, hash: u128) -> Option<Life> {
        match (self.alive.contains(&hash), self.over.contains(&hash)) {
            (true, _) => Some(Life::GoesOn),
            (_, true) => Some(Life::Over),
            _ => None,
        }
    }

    /// Does everything end, or a client make progress again and again, when one client after the other runs as far as it can?
    fn straight_on(&mut self, from: &World, assumed: &mut Assumed) -> Option<Life> {
        let mut hash = canonical_hash(from, Faults::default(), assumed);
        // How many times a client had made progress at each world of the path.
        let mut way: FxHashMap<u128, usize> = FxHashMap::default();
        let (mut world, mut gained) = (from.clone(), 0_usize);
        for _ in 0..STRAIGHT_MAX {
            let known = if world.is_end() { Some(Life::GoesOn) } else { self.known(hash) };
            match (known, way.insert(hash, gained)) {
                (Some(Life::Over), _) if way.len() > 1 => return None,
                (Some(Life::Over), _) => return known,
                (None, Some(before)) if before == gained => return None,
                (None, None) => {}
                _ => {
                    self.alive.extend(way.into_keys());
                    return Some(Life::GoesOn);
                }
            }
            let next = world.ready().next().or_else(|| Some(Input::Advance { ms: world.until_next_ms()? }))?;
            let events = world.step(&next).ok()?;
            if assumed.is_broken_by(&world, next.client(), &events) {
                return Some(Life::Void);
            }
            gained = gained.saturating_add(gains(&events));
            hash = canonical_hash(&world, Faults::default(), assumed);
        }
        None
    }

    /// Is there any order in which everything ends, or a client makes progress again and again?
    fn any_way(&mut self, from: &World, assumed: &mut Assumed) -> Life {
        let most = self.ways(WAYS_FEW);
        let start = canonical_hash(from, Faults::default(), assumed);
        let mut graph = Graph::default();
        graph.place(start);
        let mut open = vec![(0_usize, from.clone())];
        while let Some((place, world)) = open.pop() {
            for input in world.enabled(Faults::default()) {
                let mut next = world.clone();
                let Ok(events) = next.step(&input) else { continue };
                if assumed.is_broken_by(&next, input.client(), &events) {
                    return Life::Void;
                }
                let reached = canonical_hash(&next, Faults::default(), assumed);
                // Nothing makes progress after a world that is over.
                if self.over.contains(&reached) {
                    continue;
                }
                let (to, is_new) = graph.place(reached);
                graph.join(place, to, gains(&events) > 0);
                if next.is_end() || self.alive.contains(&reached) {
                    let alive = graph.leading_to(&[to]);
                    self.alive.extend(graph.hashes(&alive, true));
                    return Life::GoesOn;
                }
                if is_new {
                    if graph.len() > most {
                        return self.give_up();
                    }
                    open.push((to, next));
                }
            }
        }
        let alive = graph.leading_to(&graph.on_circles_with_gains());
        self.alive.extend(graph.hashes(&alive, true));
        self.over.extend(graph.hashes(&alive, false));
        if self.alive.contains(&start) { Life::GoesOn } else { Life::Over }
    }
}

/// Worlds, and which steps lead from one to another.
#[derive(Default)]
pub(super) struct Graph {
    places: FxHashMap<u128, usize>,
    worlds: Vec<GraphNode>,
}

#[derive(Default)]
struct GraphNode {
    hash: u128,
    /// Where its steps lead, and whether they make progress.
    after: Vec<(usize, bool)>,
    before: Vec<usize>,
}

impl Graph {
    /// The index of a world, and whether it is new.
    pub(super) fn place(&mut self, hash: u128) -> (usize, bool) {
        let next = self.worlds.len();
        let place = *self.places.entry(hash).or_insert(next);
        if place == next {
            self.worlds.push(GraphNode { hash, ..GraphNode::default() });
        }
        (place, place == next)
    }

    /// How many worlds there are.
    pub(super) fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Adds a step from one world to the other.
    pub(super) fn join(&mut self, from: usize, to: usize, is_gain: bool) {
        if let Some(world) = self.worlds.get_mut(from) {
            world.after.push((to, is_gain));
        }
        if let Some(world) = self.worlds.get_mut(to) {
            world.before.push(from);
        }
    }

    /// Which worlds lead to one of these, including these.
    pub(super) fn leading_to(&self, goals: &[usize]) -> Vec<bool> {
        let mut leads = vec![false; self.worlds.len()];
        let mut open = goals.to_vec();
        while let Some(place) = open.pop() {
            let is_new = leads.get_mut(place).is_some_and(|leads| !std::mem::replace(leads, true));
            if let (true, Some(world)) = (is_new, self.worlds.get(place)) {
                open.extend(&world.before);
            }
        }
        leads
    }

    /// Worlds with a progress step that leads back to them.
    fn on_circles_with_gains(&self) -> Vec<usize> {
        let circles = self.circles();
        let is_it = |(place, world): (usize, &GraphNode)| {
            let gains = |(to, is_gain): &(usize, bool)| *is_gain && circles.get(*to) == circles.get(place);
            world.after.iter().any(gains).then_some(place)
        };
        self.worlds.iter().enumerate().filter_map(is_it).collect()
    }

    /// A number per world, equal for worlds that reach each other (Kosaraju's algorithm).
    fn circles(&self) -> Vec<usize> {
        let after = |place: usize| self.worlds.get(place).map(|world| world.after.as_slice()).unwrap_or_default();
        // In post-order.
        let (mut left, mut seen) = (Vec::new(), vec![false; self.worlds.len()]);
        for first in 0..self.worlds.len() {
            let mut way = vec![(first, 0_usize)];
            while let Some((place, nth)) = way.last_mut() {
                if *nth == 0 && seen.get_mut(*place).is_none_or(|seen| std::mem::replace(seen, true)) {
                    way.pop();
                    continue;
                }
                match after(*place).get(*nth) {
                    Some((to, _)) => {
                        *nth = nth.saturating_add(1);
                        way.push((*to, 0));
                    }
                    None => left.extend(way.pop().map(|(place, _)| place)),
                }
            }
        }
        let mut circles = vec![usize::MAX; self.worlds.len()];
        for first in left.into_iter().rev() {
            let mut open = vec![first];
            while let Some(place) = open.pop() {
                let Some(circle) = circles.get_mut(place).filter(|circle| **circle == usize::MAX) else { continue };
                *circle = first;
                open.extend(self.worlds.get(place).into_iter().flat_map(|world| &world.before));
            }
        }
        circles
    }

    /// The hashes of the worlds whose flag equals `wanted`.
    pub(super) fn hashes<'a>(&'a self, chosen: &'a [bool], wanted: bool) -> impl Iterator<Item = u128> + 'a {
        self.worlds.iter().zip(chosen).filter(move |(_, is_it)| **is_it == wanted).map(|(world, _)| world.hash)
    }
}

/// Does every path from this world, which is over, lead back to it?
fn comes_round(world: &World, assumed: &Assumed) -> bool {
    let resumed = resumed(world);
    let world = resumed.as_ref().unwrap_or(world);
    let mut graph = Graph::default();
    let (here, _) = graph.place(canonical_hash(world, Faults::default(), assumed));
    let mut open = vec![(here, world.clone())];
    while let Some((place, world)) = open.pop() {
        for input in world.enabled(Faults::default()) {
            let mut next = world.clone();
            let Ok(events) = next.step(&input) else { continue };
            let (to, is_new) = graph.place(canonical_hash(&next, Faults::default(), assumed));
            graph.join(place, to, gains(&events) > 0);
            if is_new {
                open.push((to, next));
            }
        }
    }
    graph.leading_to(&[here]).into_iter().all(|leads| leads)
}
