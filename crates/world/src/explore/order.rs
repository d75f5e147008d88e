//! Which order mattered: pairs of steps in a schedule that would break nothing in the opposite order.
//!
//! ```text
//!   1 c1 GET     2 c2 GET     3 c1 SET     4 c2 SET        two reads before either write: broken
//!                └────────────┘
//!   1 c1 GET     3 c1 SET     2 c2 GET     4 c2 SET        holds: the order of 2 and 3 mattered
//! ```
//!
//! A step is moved before another together with its client's steps in between. Steps that become impossible are left out, and then all
//! clients run to the end, one after the other. Of nested pairs only the innermost is reported.
//! Not every breach has such a pair: a client that holds a lock for longer than its lease is too slow in any order.
//!
//! Each exchange replays the schedule, and there are hundreds of exchanges, so the search runs in increments ([`Exchanges`]) and the caller
//! can stop it. A stopped search has no result, because a closer pair may still be found.
use super::{is_stuck, starved};
use crate::{Input, Property, World};

/// Maximum number of steps between the two of a pair.
const BETWEEN_MAX: usize = 60;
/// Maximum number of steps in which all clients must end after an exchange.
const REST_MAX: usize = 500;

/// The search for the pairs of a schedule.
pub struct Exchanges {
    schedule: Vec<Input>,
    /// The number of the property that the schedule breaks.
    property: usize,
    /// The world before each step.
    before: Vec<World>,
    /// The pair tried last: `first` goes from the schedule's last step back to its first, and the second step from the nearest on.
    first: usize,
    second: usize,
    /// A pair that reaches this far contains one that was found.
    end: usize,
    /// The pair nearest to the end of the schedule comes first.
    pairs: Vec<(usize, usize)>,
}

impl Exchanges {
    /// Starts with the pairs of a schedule that breaks the property with this number.
    pub fn new(start: &World, schedule: &[Input], property: usize) -> Exchanges {
        let mut before = Vec::with_capacity(schedule.len());
        let mut world = start.clone();
        for input in schedule {
            before.push(world.clone());
            if world.step(input).is_err() {
                break;
            }
        }
        let first = before.len();
        let (schedule, end) = (schedule.to_vec(), schedule.len());
        Exchanges { schedule, property, before, first, second: usize::MAX, end, pairs: Vec::new() }
    }

    /// Tries one more exchange; `false` if none is left.
    pub fn carry_on(&mut self) -> bool {
        while let Some((first, second)) = self.next_pair() {
            let steps = (self.before.get(first), self.schedule.get(first), self.schedule.get(second));
            let (Some(before), Some(one), Some(other)) = steps else { continue };
            if is_exchange(before, one, other) {
                if is_averted(before, &self.schedule, (first, second), self.property) {
                    self.pairs.push((first, second));
                    self.end = second;
                }
                return true;
            }
        }
        false
    }

    /// The next pair of steps to try.
    fn next_pair(&mut self) -> Option<(usize, usize)> {
        loop {
            self.second = self.second.saturating_add(1);
            if self.second < self.end.min(self.first.saturating_add(BETWEEN_MAX)) {
                return Some((self.first, self.second));
            }
            self.first = self.first.checked_sub(1)?;
            self.second = self.first;
        }
    }

    /// The pairs, once all exchanges have been tried; see [`decisive`].
    pub fn finish(mut self) -> Vec<(usize, usize)> {
        while self.carry_on() {}
        self.pairs.reverse();
        self.pairs
    }
}

/// Pairs of steps, by index in the schedule from 0: if the second had come before the first, the property with this number would not have
/// been broken. Empty if no exchange of two steps avoids the violation.
pub fn decisive(start: &World, schedule: &[Input], property: usize) -> Vec<(usize, usize)> {
    Exchanges::new(start, schedule, property).finish()
}

/// Does it make a difference if the other step comes first? Time cannot pass earlier, and exchanging two identical clients that have not
/// begun only swaps their names.
fn is_exchange(before: &World, one: &Input, other: &Input) -> bool {
    let process = |input: &Input| before.process(input.client()?);
    let are_alike = match (process(one), process(other)) {
        (Some(one), Some(other)) => one.is_like(other),
        _ => false,
    };
    other.client().is_some() && other.client() != one.client() && !are_alike
}

/// Does the property hold if the second step comes before the first? `before` is the world before the first.
fn is_averted(before: &World, schedule: &[Input], (first, second): (usize, usize), property: usize) -> bool {
    let Some(moved) = schedule.get(second) else { return false };
    let between = schedule.get(first..second).unwrap_or_default();
    let rest = schedule.get(second.saturating_add(1)..).unwrap_or_default();
    let (own, others): (Vec<&Input>, Vec<&Input>) = between.iter().partition(|input| input.client() == moved.client());
    let mut world = before.clone();
    // A step that cannot come first gives no other order.
    for input in own.into_iter().chain([moved]) {
        if world.step(input).is_err() {
            return false;
        }
    }
    let is_broken = |world: &World| world.watch().verdicts().nth(property).is_none_or(|(_, breach)| breach.is_some());
    for input in others.into_iter().chain(rest) {
        // A client may have ended sooner than in the schedule.
        let _ = world.step(input);
        if is_broken(&world) {
            return false;
        }
    }
    if is_broken(&world) {
        return false;
    }
    match world.watch().verdicts().nth(property) {
        Some((Property::NoDeadlock, _)) => return !is_stuck(&world),
        Some((Property::EveryoneGetsOn, _)) => return starved(&world).is_none(),
        _ => {}
    }
    for _ in 0..REST_MAX {
        if world.is_end() {
            return true;
        }
        let next = world.ready().next().or_else(|| world.until_next_ms().map(|ms| Input::Advance { ms }));
        if next.is_none_or(|next| world.step(&next).is_err()) || is_broken(&world) {
            return false;
        }
    }
    world.is_end()
}
