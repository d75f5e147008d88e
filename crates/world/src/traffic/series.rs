//! Figures of traffic over time: what was asked for, what came of it, and how long it took.
use std::rc::Rc;

/// Intervals that are kept; when there are more, each two become one of twice the length.
pub const INTERVALS_MAX: usize = 2_048;

/// What happened in one interval. Requests count where they end, but for [`Interval::arrived`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Requests that came, tries of the same caller again among them.
    pub arrived: u64,
    /// Requests that were answered while their callers waited.
    pub answered: u64,
    /// Those of them that wanted a value and asked no database for it.
    pub hits: u64,
    /// Those of them that wanted a value and asked a database.
    pub misses: u64,
    /// Requests that were refused: the backlog of their machine was full.
    pub refused: u64,
    /// Callers that gave up.
    pub given_up: u64,
    /// Requests whose handler broke off or answered nothing.
    pub failed: u64,
    /// Requests that were answered after their callers had given up.
    pub too_late: u64,
    /// Answers that were never true.
    pub wrong: u64,
    /// Answers that were no longer true when the request came.
    pub stale: u64,
    /// How long the oldest of them had not been true, in ms.
    pub stale_ms_max: u64,
    /// Commands that the Redis server executed.
    pub commands: u64,
    /// Statements that the database was sent.
    pub queries: u64,
    /// The most statements that were at the database at a time, those in its queue among them.
    pub at_database_max: u64,
    /// The most requests that waited for a worker at a time, on all machines together.
    pub waiting_max: u64,
    /// Keys of the Redis server at the end.
    pub keys: u64,
    /// Bytes that these take.
    pub memory: u64,
    /// How long the answers took that counted.
    pub latency: Latency,
}

impl Interval {
    /// The interval that these two make together; `other` is the later one.
    fn join(&mut self, other: &Interval) {
        let Interval {
            arrived,
            answered,
            hits,
            misses,
            refused,
            given_up,
            failed,
            too_late,
            wrong,
            stale,
            stale_ms_max,
            commands,
            queries,
            at_database_max,
            waiting_max,
            keys,
            memory,
            latency,
        } = self;
        for (count, more) in [
            (arrived, other.arrived),
            (answered, other.answered),
            (hits, other.hits),
            (misses, other.misses),
            (refused, other.refused),
            (given_up, other.given_up),
            (failed, other.failed),
            (too_late, other.too_late),
            (wrong, other.wrong),
            (stale, other.stale),
            (commands, other.commands),
            (queries, other.queries),
        ] {
            *count = count.saturating_add(more);
        }
        *stale_ms_max = other.stale_ms_max.max(*stale_ms_max);
        *at_database_max = other.at_database_max.max(*at_database_max);
        *waiting_max = other.waiting_max.max(*waiting_max);
        (*keys, *memory) = (other.keys, other.memory);
        latency.join(&other.latency);
    }

    /// All of these as one, the oldest first.
    pub fn joined<'a>(intervals: impl IntoIterator<Item = &'a Interval>) -> Interval {
        let mut joined = Interval::default();
        intervals.into_iter().for_each(|interval| joined.join(interval));
        joined
    }

    /// Requests that ended as an error for their callers.
    pub fn errors(&self) -> u64 {
        self.refused.saturating_add(self.given_up).saturating_add(self.failed)
    }
}

/// Times by how often they came, in classes: exact below 16 µs, and 16 classes for each doubling above. So a percentile is at most 6.25 % too
/// great.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Latency {
    /// Class and count, classes ascending.
    counts: Vec<(u16, u64)>,
    /// Their sum, in µs.
    sum_us: u64,
}

/// Classes for each doubling.
const CLASSES: u64 = 16;

/// The class of a time.
fn class(us: u64) -> u16 {
    if us < CLASSES {
        return us as u16;
    }
    let doublings = u64::from(us.ilog2()).saturating_sub(u64::from(CLASSES.ilog2()));
    (doublings.saturating_mul(CLASSES).saturating_add(us >> doublings)) as u16
}

/// The greatest time of a class.
fn greatest(class: u16) -> u64 {
    let class = u64::from(class);
    if class < CLASSES {
        return class;
    }
    let doublings = (class / CLASSES).saturating_sub(1);
    let place = class.saturating_sub(doublings.saturating_mul(CLASSES));
    (place.saturating_add(1) << doublings).saturating_sub(1)
}

impl Latency {
    /// Counts one.
    pub fn add(&mut self, us: u64) {
        self.sum_us = self.sum_us.saturating_add(us);
        self.add_class(class(us), 1);
    }

    fn add_class(&mut self, class: u16, count: u64) {
        match self.counts.binary_search_by_key(&class, |(other, _)| *other) {
            Ok(place) => {
                if let Some((_, so_far)) = self.counts.get_mut(place) {
                    *so_far = so_far.saturating_add(count);
                }
            }
            Err(place) => self.counts.insert(place, (class, count)),
        }
    }

    fn join(&mut self, other: &Latency) {
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        other.counts.iter().for_each(|(class, count)| self.add_class(*class, *count));
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Their sum, in µs: divided by their number, their mean.
    pub fn sum_us(&self) -> u64 {
        self.sum_us
    }

    /// The time within which so many thousandths of them were answered, in µs; `None` where there are none.
    pub fn percentile_us(&self, milli: u32) -> Option<u64> {
        let sought = self.count().saturating_mul(u64::from(milli)).div_ceil(1_000).max(1);
        let mut so_far = 0_u64;
        let found = self.counts.iter().find(|(_, count)| {
            so_far = so_far.saturating_add(*count);
            so_far >= sought
        });
        found.map(|(class, _)| greatest(*class))
    }
}

/// The intervals since traffic began. What they take does not grow with the number of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Series {
    interval_ms: u64,
    over: Vec<Rc<Interval>>,
    now: Interval,
}

impl Series {
    /// Nothing yet.
    pub fn new(interval_ms: u64) -> Series {
        Series { interval_ms: interval_ms.max(1), over: Vec::new(), now: Interval::default() }
    }

    /// How long each interval is, in ms.
    pub fn interval_ms(&self) -> u64 {
        self.interval_ms
    }

    /// Those that are over, the oldest first.
    pub fn over(&self) -> &[Rc<Interval>] {
        &self.over
    }

    /// The one that runs.
    pub fn now(&self) -> &Interval {
        &self.now
    }

    pub(super) fn now_mut(&mut self) -> &mut Interval {
        &mut self.now
    }

    /// All of them as one.
    pub fn total(&self) -> Interval {
        Interval::joined(self.over.iter().map(Rc::as_ref).chain([&self.now]))
    }

    /// When the one that runs is over, in ms since traffic began.
    pub(super) fn end_ms(&self) -> u64 {
        (self.over.len() as u64).saturating_add(1).saturating_mul(self.interval_ms)
    }

    /// It is over. Keys and memory are those of this moment.
    pub(super) fn close(&mut self, keys: u64, memory: u64) {
        let over = Interval { keys, memory, ..std::mem::take(&mut self.now) };
        self.over.push(Rc::new(over));
        if self.over.len() >= INTERVALS_MAX {
            self.interval_ms = self.interval_ms.saturating_mul(2);
            let pairs = self.over.chunks(2).map(|pair| Rc::new(Interval::joined(pair.iter().map(Rc::as_ref))));
            self.over = pairs.collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_never_more_than_a_sixteenth_too_great() {
        let large = (13..40).flat_map(|bits| [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1_234]);
        let all: Vec<u64> = (0..5_000).chain(large).collect();
        for us in &all {
            let most = greatest(class(*us));
            assert!(most >= *us && most - us <= us / 16, "{us}: {most}");
        }
        assert!(all.windows(2).all(|two| class(two[0]) <= class(two[1])));
    }

    #[test]
    fn a_percentile_is_that_of_the_sorted_times() {
        let mut latency = Latency::default();
        assert_eq!(latency.percentile_us(500), None);
        let times: Vec<u64> = (1..=1_000).map(|n| n * 10).collect();
        times.iter().rev().for_each(|us| latency.add(*us));
        for milli in [1, 500, 950, 990, 1_000] {
            let exact = times[milli as usize - 1];
            let told = latency.percentile_us(milli).unwrap();
            assert!(told >= exact && told - exact <= exact / 16, "{milli}: {told} for {exact}");
        }
    }

    #[test]
    fn two_short_intervals_say_the_same_as_a_long_one() {
        let mut series = Series::new(10);
        for nth in 0..3 * INTERVALS_MAX as u64 {
            series.now_mut().arrived = 1;
            series.now_mut().waiting_max = nth % 7;
            series.now_mut().latency.add(nth);
            series.close(nth, 1);
        }
        assert!(series.over().len() < INTERVALS_MAX && series.interval_ms() == 320, "{}", series.interval_ms());
        assert_eq!(series.over()[0].arrived, 32);
        assert_eq!(series.over()[0].keys, 31);
        let total = series.total();
        assert_eq!((total.arrived, total.waiting_max), (3 * INTERVALS_MAX as u64, 6));
        assert_eq!(series.end_ms(), (series.over().len() as u64 + 1) * 320);
    }
}
