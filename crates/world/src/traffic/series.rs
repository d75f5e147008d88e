//! Traffic figures over time: how many requests came, how they ended, and how long they took.
use std::rc::Rc;

/// Maximum number of intervals; beyond it, pairs are merged into intervals of twice the length.
pub const INTERVALS_MAX: usize = 2_048;

/// The figures of one interval. Requests count in the interval in which they end, except for [`Interval::arrived`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Requests that arrived, including retries.
    pub arrived: u64,
    /// Requests answered while their callers waited.
    pub answered: u64,
    /// Of these, reads without a database query.
    pub hits: u64,
    /// Of these, reads with a database query.
    pub misses: u64,
    /// Requests rejected because the backlog of their machine was full.
    pub refused: u64,
    /// Callers that gave up.
    pub given_up: u64,
    /// Requests with a handler that failed or gave no answer.
    pub failed: u64,
    /// Requests answered after their callers had given up.
    pub too_late: u64,
    /// Answers with a value that the item never had.
    pub wrong: u64,
    /// Answers with a value that was outdated when the request came.
    pub stale: u64,
    /// The age of the most outdated answer, in ms.
    pub stale_ms_max: u64,
    /// Commands that the Redis server executed.
    pub commands: u64,
    /// Statements sent to the database.
    pub queries: u64,
    /// The most statements at the database at one time, including those in its queue.
    pub at_database_max: u64,
    /// The most requests waiting for a worker at one time, over all machines.
    pub waiting_max: u64,
    /// Number of keys of the Redis server at the end.
    pub keys: u64,
    /// Memory of these keys, in bytes.
    pub memory: u64,
    /// The response times of the answered requests.
    pub latency: Latency,
}

impl Interval {
    /// Merges two adjacent intervals; `other` is the later one.
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

    /// Merges all of these, oldest first.
    pub fn joined<'a>(intervals: impl IntoIterator<Item = &'a Interval>) -> Interval {
        let mut joined = Interval::default();
        intervals.into_iter().for_each(|interval| joined.join(interval));
        joined
    }

    /// Requests that ended with an error for their callers.
    pub fn errors(&self) -> u64 {
        self.refused.saturating_add(self.given_up).saturating_add(self.failed)
    }
}

/// A histogram of times: exact below 16 µs, and 16 classes for each doubling above. So a percentile is at most 6.25 % too high.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Latency {
    /// Class and count, classes ascending.
    counts: Vec<(u16, u64)>,
    /// The sum of all times, in µs.
    sum_us: u64,
}

/// Classes per doubling.
const CLASSES: u64 = 16;

/// The class of a time.
fn class(us: u64) -> u16 {
    if us < CLASSES {
        return us as u16;
    }
    let doublings = u64::from(us.ilog2()).saturating_sub(u64::from(CLASSES.ilog2()));
    (doublings.saturating_mul(CLASSES).saturating_add(us >> doublings)) as u16
}

/// The upper bound of a class.
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
    /// Adds a time.
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

    /// Number of times.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// The sum of all times, in µs: divided by their number, the mean.
    pub fn sum_us(&self) -> u64 {
        self.sum_us
    }

    /// The time below which this many thousandths of all times are, in µs; `None` if there are none.
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

/// The intervals since traffic began. Their size does not grow with the number of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Series {
    interval_ms: u64,
    over: Vec<Rc<Interval>>,
    now: Interval,
}

impl Series {
    /// An empty series.
    pub fn new(interval_ms: u64) -> Series {
        Series { interval_ms: interval_ms.max(1), over: Vec::new(), now: Interval::default() }
    }

    /// Length of each interval in ms.
    pub fn interval_ms(&self) -> u64 {
        self.interval_ms
    }

    /// The finished intervals, oldest first.
    pub fn over(&self) -> &[Rc<Interval>] {
        &self.over
    }

    /// The current interval.
    pub fn now(&self) -> &Interval {
        &self.now
    }

    pub(super) fn now_mut(&mut self) -> &mut Interval {
        &mut self.now
    }

    /// The sum of all intervals.
    pub fn total(&self) -> Interval {
        Interval::joined(self.over.iter().map(Rc::as_ref).chain([&self.now]))
    }

    /// When the current interval ends, in ms since traffic began.
    pub(super) fn end_ms(&self) -> u64 {
        (self.over.len() as u64).saturating_add(1).saturating_mul(self.interval_ms)
    }

    /// Ends the current interval, with the number of keys and their memory at this moment.
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
    fn class_error_is_at_most_one_sixteenth() {
        let large = (13..40).flat_map(|bits| [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1_234]);
        let all: Vec<u64> = (0..5_000).chain(large).collect();
        for us in &all {
            let most = greatest(class(*us));
            assert!(most >= *us && most - us <= us / 16, "{us}: {most}");
        }
        assert!(all.windows(2).all(|two| class(two[0]) <= class(two[1])));
    }

    #[test]
    fn percentile_agrees_with_sorted_times() {
        let mut latency = Latency::default();
        assert_eq!(latency.percentile_us(500), None);
        let times: Vec<u64> = (1..=1_000).map(|n| n * 10).collect();
        times.iter().rev().for_each(|us| latency.add(*us));
        for milli in [1, 500, 950, 990, 1_000] {
            let exact = times[milli as usize - 1];
            let estimate = latency.percentile_us(milli).unwrap();
            assert!(estimate >= exact && estimate - exact <= exact / 16, "{milli}: {estimate} for {exact}");
        }
    }

    #[test]
    fn merged_intervals_equal_one_long_interval() {
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
