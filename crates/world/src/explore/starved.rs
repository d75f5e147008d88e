//! Can each client still get on itself? The same question as in `stuck.rs`, asked of one client: is there any order of steps, with nothing more
//! going wrong, in which it gets on or comes to its end?
//!
//! ```text
//!   the client first, as far as it can go, then the others     mostly it gets on, or the way meets a world from which it does
//!   the others first                                           the holder of the lock gives it back
//!   otherwise every order                                      GoesOn: on one of them it gets on
//!                                                              Over: on none, and there is no other
//! ```
//! Every world of a search is asked, so once is enough: a client that gets on once, and is starved afterwards, is found there.
use rustc_hash::FxHashSet;

use super::assumed::Assumed;
use super::stuck::{Graph, Life, Liveness, STRAIGHT_MAX, is_gain};
use crate::{ClientIndex, Event, Faults, Input, World};

/// Worlds that are looked at for a client once a search was given up: there are as many such searches as clients in each world.
const WAYS_FEW: usize = 100;

impl World {
    /// A client that never gets on from here on, in whatever order the others go on. What cannot be told is not called so.
    pub fn starved(&self) -> Option<ClientIndex> {
        let mut assumed = Assumed::of(self);
        loop {
            let mut liveness = Liveness::default();
            let mut lives = self.unfinished().map(|client| (client, liveness.of_client(self, client, &mut assumed)));
            match lives.find(|(_, life)| matches!(life, Life::Over | Life::Void)) {
                Some((_, Life::Void)) => {}
                found => return found.map(|(client, _)| client),
            }
        }
    }

    /// Clients whose programs are not over.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = ClientIndex> + '_ {
        let goes_on = |client: &ClientIndex| self.process(*client).is_some_and(|process| !process.is_over());
        self.clients().map(|(client, _)| client).filter(goes_on)
    }
}

/// Has this client got on by a step that led to this world?
fn gets_on(client: ClientIndex, events: &[Event], world: &World) -> bool {
    events.iter().any(|event| is_gain(&event.kind, Some(client)))
        || world.process(client).is_none_or(crate::Process::is_over)
}

impl Liveness {
    /// What becomes of a client in this world: [`Life::Over`] when it never gets on.
    pub(super) fn of_client(&mut self, world: &World, client: ClientIndex, assumed: &mut Assumed) -> Life {
        let resumed = world.resumed();
        let world = resumed.as_ref().unwrap_or(world);
        let straight = |liveness: &mut Liveness, is_first, assumed: &mut Assumed| {
            liveness.straight_to(world, client, is_first, assumed)
        };
        match straight(self, true, assumed).or_else(|| straight(self, false, assumed)) {
            Some(life) => life,
            None => self.any_way_to(world, client, assumed),
        }
    }

    /// Does the client get on when it goes first, or last, and the others one after the other?
    fn straight_to(
        &mut self,
        from: &World,
        client: ClientIndex,
        is_first: bool,
        assumed: &mut Assumed,
    ) -> Option<Life> {
        let (mut world, mut way) = (from.clone(), FxHashSet::default());
        for _ in 0..STRAIGHT_MAX.min(self.ways(WAYS_FEW)) {
            let hash = world.canonical_hash(Faults::default(), assumed);
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

    /// Is there any order in which the client gets on?
    fn any_way_to(&mut self, from: &World, client: ClientIndex, assumed: &mut Assumed) -> Life {
        let most = self.ways(WAYS_FEW);
        let mut graph = Graph::default();
        graph.place(from.canonical_hash(Faults::default(), assumed));
        let mut open = vec![(0_usize, from.clone())];
        while let Some((place, world)) = open.pop() {
            for input in world.enabled(Faults::default()) {
                let mut next = world.clone();
                let Ok(events) = next.step(&input) else { continue };
                if assumed.is_broken_by(&next, input.client(), &events) {
                    return Life::Void;
                }
                let reached = next.canonical_hash(Faults::default(), assumed);
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
