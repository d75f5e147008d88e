//! Can each client still make progress? The question of `stuck.rs` for one client: is there any order of steps, without further faults, in
//! which it makes progress or ends?
//!
//! ```text
//!   the client first, as far as it can go, then the others     mostly it makes progress, or meets a world from which it does
//!   the others first                                           the lock holder releases the lock
//!   otherwise every order                                      GoesOn: it makes progress in one of them
//!                                                              Over: in none, and there is no other order
//! ```
//! Every world of a search is checked, so one success is enough: a client that makes progress once and starves later is found in the later
//! world.
use rustc_hash::FxHashSet;

use super::assumed::Assumed;
use super::canonical::canonical_hash;
use super::stuck::{Graph, Life, Liveness, STRAIGHT_MAX, is_gain, resumed};
use crate::{ClientIndex, Event, Faults, Input, World};

/// Worlds to visit per client after one such search was given up: each world needs one search per client.
const WAYS_FEW: usize = 100;

/// A client that never makes progress from here, in any order of the others' steps. `None` also if the search cannot decide.
pub fn starved(world: &World) -> Option<ClientIndex> {
    let mut assumed = Assumed::of(world);
    loop {
        let mut liveness = Liveness::default();
        let mut lives = unfinished(world).map(|client| (client, liveness.of_client(world, client, &mut assumed)));
        match lives.find(|(_, life)| matches!(life, Life::Over | Life::Void)) {
            Some((_, Life::Void)) => {}
            found => return found.map(|(client, _)| client),
        }
    }
}

/// Clients with programs that have not ended.
pub(super) fn unfinished(world: &World) -> impl Iterator<Item = ClientIndex> + '_ {
    let goes_on = |client: &ClientIndex| world.process(*client).is_some_and(|process| !process.is_over());
    world.clients().map(|(client, _)| client).filter(goes_on)
}

/// Did this client make progress in the step that led to this world?
fn gets_on(client: ClientIndex, events: &[Event], world: &World) -> bool {
    events.iter().any(|event| is_gain(&event.kind, Some(client)))
        || world.process(client).is_none_or(crate::Process::is_over)
}

impl Liveness {
    /// What becomes of a client in this world: [`Life::Over`] if it never makes progress.
    pub(super) fn of_client(&mut self, world: &World, client: ClientIndex, assumed: &mut Assumed) -> Life {
        let resumed = resumed(world);
        let world = resumed.as_ref().unwrap_or(world);
        let straight = |liveness: &mut Liveness, is_first, assumed: &mut Assumed| {
            liveness.straight_to(world, client, is_first, assumed)
        };
        match straight(self, true, assumed).or_else(|| straight(self, false, assumed)) {
            Some(life) => life,
            None => self.any_way_to(world, client, assumed),
        }
    }

    /// Does the client make progress when it runs first, or last, and the others one after the other?
    fn straight_to(
        &mut self,
        from: &World,
        client: ClientIndex,
        is_first: bool,
        assumed: &mut Assumed,
    ) -> Option<Life> {
        let (mut world, mut way) = (from.clone(), FxHashSet::default());
        for _ in 0..STRAIGHT_MAX.min(self.ways(WAYS_FEW)) {
            let hash = canonical_hash(&world, Faults::default(), assumed);
            let mut is_found = self.getting_on.contains(&(hash, client));
            if !is_found {
                if !way.insert(hash) {
                    return None;
                }
                let preferred = world.ready().find(|input| (input.client() == Some(client)) == is_first);
                let next = preferred.or_else(|| world.ready().next());
                let next = next.or_else(|| Some(Input::Advance { ms: world.until_next_ms()? }))?;
                let events = world.step(&next).ok()?;
                if assumed.is_broken_by(&world, next.client(), &events) {
                    return Some(Life::Void);
                }
                is_found = gets_on(client, &events, &world);
            }
            if is_found {
                self.getting_on.extend(way.into_iter().map(|hash| (hash, client)));
                return Some(Life::GoesOn);
            }
        }
        None
    }

    /// Is there any order in which the client makes progress?
    fn any_way_to(&mut self, from: &World, client: ClientIndex, assumed: &mut Assumed) -> Life {
        let most = self.ways(WAYS_FEW);
        let mut graph = Graph::default();
        graph.place(canonical_hash(from, Faults::default(), assumed));
        let mut open = vec![(0_usize, from.clone())];
        while let Some((place, world)) = open.pop() {
            for input in world.enabled(Faults::default()) {
                let mut next = world.clone();
                let Ok(events) = next.step(&input) else { continue };
                if assumed.is_broken_by(&next, input.client(), &events) {
                    return Life::Void;
                }
                let reached = canonical_hash(&next, Faults::default(), assumed);
                if gets_on(client, &events, &next) || self.getting_on.contains(&(reached, client)) {
                    let leading = graph.leading_to(&[place]);
                    self.getting_on.extend(graph.hashes(&leading, true).map(|hash| (hash, client)));
                    return Life::GoesOn;
                }
                let (to, is_new) = graph.place(reached);
                graph.join(place, to, false);
                if is_new {
                    if graph.len() > most {
                        return self.give_up();
                    }
                    open.push((to, next));
                }
            }
        }
        Life::Over
    }
}
