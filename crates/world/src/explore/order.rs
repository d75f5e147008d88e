//! Which order mattered: the steps of a schedule that would have broken nothing had they come the other way round.
//!
//! ```text
//!   1 c1 GET     2 c2 GET     3 c1 SET     4 c2 SET        two reads before either write: broken
//!                └────────────┘
//!   1 c1 GET     3 c1 SET     2 c2 GET     4 c2 SET        holds: the order of 2 and 3 mattered
//! ```
//!
//! A step is put before another together with what its client did in between; what is no longer possible is left out, and then
//! everybody goes on, one after the other. Of pairs that contain each other the closest is told.
//! Not every breach has such a pair: a client that holds a lock for longer than its lease is too slow in any order.
//!
//! Each exchange plays the schedule once more, and there are hundreds of them, so it is done bit by bit ([`Exchanges`]): a caller that has no time
//! left stops. What is known then is nothing, because a closer pair may yet be found.
use crate::{Input, Property, World};

/// Steps between the two of a pair, at most.
const BETWEEN_MAX: usize = 60;
/// Steps in which everybody must have come to the end after an exchange.
const REST_MAX: usize = 500;

/// The search for the pairs of a schedule.
pub struct Exchanges {
    schedule: Vec<Input>,
    /// The number of the property that the schedule breaks.
    property: usize,
    /// The world before each step.
    before: Vec<World>,
    /// The steps that were tried: from the last of the schedule back to its first, each with those behind it, the nearest first.
    first: usize,
    second: usize,
    /// A pair that reaches so far contains one that was found.
    end: usize,
    /// The last of the schedule comes first.
    pairs: Vec<(usize, usize)>,
}

impl Exchanges {
    /// Begins with the pairs of a schedule that breaks the property of this number.
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

    /// Tries one exchange more; false when there is none left.
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

    /// The steps that come next.
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

/// Pairs of steps, by their places in the schedule from 0: had the second come before the first, the property of this number would not have
/// been broken. Empty where no exchange of two steps averts it.
pub fn decisive(start: &World, schedule: &[Input], property: usize) -> Vec<(usize, usize)> {
    Exchanges::new(start, schedule, property).finish()
}

/// Would it be another order, if the other step came first? Time cannot be hurried, and where neither of two alike has begun, only
/// their names change.
fn is_exchange(before: &World, one: &Input, other: &Input) -> bool {
    let process = |input: &Input| before.process(input.client()?);
    let are_alike = match (process(one), process(other)) {
        (Some(one), Some(other)) => one.is_like(other),
        _ => false,
    };
    other.client().is_some() && other.client() != one.client() && !are_alike
}

/// Does everything hold when the second of these steps comes before the first? The world is the one before the first.
fn is_averted(before: &World, schedule: &[Input], (first, second): (usize, usize), property: usize) -> bool {
    let Some(moved) = schedule.get(second) else { return false };
    let between = schedule.get(first..second).unwrap_or_default();
    let rest = schedule.get(second.saturating_add(1)..).unwrap_or_default();
    let (own, others): (Vec<&Input>, Vec<&Input>) = between.iter().partition(|input| input.client() == moved.client());
    let mut world = before.clone();
    // What cannot be done first is no other order.
    for input in own.into_iter().chain([moved]) {
        if world.step(input).is_err() {
            return false;
        }
    }
    let is_broken = |world: &World| world.watch().verdicts().nth(property).is_none_or(|(_, breach)| breach.is_some());
    for input in others.into_iter().chain(rest) {
        // Somebody may have come to the end sooner than in the schedule.
        let _ = world.step(input);
        if is_broken(&world) {
            return false;
        }
    }
    if is_broken(&world) {
        return false;
    }
    match world.watch().verdicts().nth(property) {
        Some((Property::NoDeadlock, _)) => return !world.is_stuck(),
        Some((Property::EveryoneGetsOn, _)) => return world.starved().is_none(),
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
