//! Traffic figures as the page shows them: chart columns, table rows, two runs compared, and number formats.
pub mod columns;
pub mod compared;
pub mod draft;
pub mod field;
pub mod flow;
pub mod handlers;
pub mod lanes;
pub mod notation;
pub mod numbers;
pub mod queue;
pub mod runs;
pub mod scenarios;
pub mod shape;
pub mod slider;
pub mod stage;

use std::rc::Rc;

use world::traffic::series::{Interval, Series};

/// A run that is shown.
#[derive(Clone, Debug)]
pub struct RunShown {
    /// Its name.
    pub name: Rc<str>,
    /// Its figures so far.
    pub series: Rc<Series>,
}

impl PartialEq for RunShown {
    fn eq(&self, other: &RunShown) -> bool {
        self.name == other.name && Rc::ptr_eq(&self.series, &other.series)
    }
}

/// A figure that is shown for each interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Requests answered in time, per second.
    Answered,
    /// Requests that ended in an error, per second.
    Errors,
    /// Share of the reads answered without a database.
    HitRatio,
    /// Statements sent to the database, per second.
    Statements,
    /// The most concurrent statements at the database.
    AtDatabase,
    /// The most requests waiting for a worker at once.
    Waiting,
    /// The median response time.
    P50,
    /// The 95th percentile of the response time.
    P95,
    /// The 99th percentile of the response time.
    P99,
    /// Stale answers, per second.
    Stale,
    /// Wrong answers, which were never true, per second.
    Wrong,
    /// Number of keys in the Redis server.
    Keys,
    /// Memory of these keys, in bytes.
    Memory,
    /// Commands sent to the Redis server, per second.
    Commands,
    /// For how long the most outdated answer had been outdated.
    StaleAge,
}

/// The unit of a number, which decides its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain count.
    Count,
    /// A rate per second.
    Rate,
    /// Percent.
    Percent,
    /// Milliseconds.
    Ms,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// All units, each with its name for charts.
    pub const ALL: [(Unit, &'static str); 5] = [
        (Unit::Count, "count"),
        (Unit::Rate, "rate"),
        (Unit::Percent, "percent"),
        (Unit::Ms, "ms"),
        (Unit::Bytes, "bytes"),
    ];

    /// The unit's name for charts.
    pub fn word(self) -> &'static str {
        Unit::ALL.iter().find(|(unit, _)| *unit == self).map_or("", |(_, word)| word)
    }
}

impl Figure {
    /// All figures, in the order of columns.
    pub const ALL: [Figure; 15] = [
        Figure::Answered,
        Figure::Errors,
        Figure::HitRatio,
        Figure::Statements,
        Figure::AtDatabase,
        Figure::Waiting,
        Figure::P50,
        Figure::P95,
        Figure::P99,
        Figure::Stale,
        Figure::Wrong,
        Figure::Keys,
        Figure::Memory,
        Figure::Commands,
        Figure::StaleAge,
    ];

    /// Its index in [`Figure::ALL`].
    pub fn index(self) -> usize {
        Figure::ALL.iter().position(|figure| *figure == self).unwrap_or(0)
    }

    /// Its unit.
    pub fn unit(self) -> Unit {
        match self {
            Figure::Answered
            | Figure::Errors
            | Figure::Statements
            | Figure::Stale
            | Figure::Wrong
            | Figure::Commands => Unit::Rate,
            Figure::AtDatabase | Figure::Waiting | Figure::Keys => Unit::Count,
            Figure::HitRatio => Unit::Percent,
            Figure::P50 | Figure::P95 | Figure::P99 | Figure::StaleAge => Unit::Ms,
            Figure::Memory => Unit::Bytes,
        }
    }

    /// Its value in an interval of this length, in thousandths of its unit; `None` if there is none, such as a percentile of no answers.
    pub fn milli_of(self, interval: &Interval, length_ms: u64) -> Option<u64> {
        let rate = |count: u64| thousandths(count, 1_000, length_ms);
        let whole = |count: u64| Some(count.saturating_mul(1_000));
        match self {
            Figure::Answered => rate(interval.answered),
            Figure::Errors => rate(interval.errors()),
            Figure::HitRatio => thousandths(interval.hits, 100, interval.hits.saturating_add(interval.misses)),
            Figure::Statements => rate(interval.queries),
            Figure::AtDatabase => whole(interval.at_database_max),
            Figure::Waiting => whole(interval.waiting_max),
            // 1 µs is a thousandth of 1 ms.
            Figure::P50 => interval.latency.percentile_us(500),
            Figure::P95 => interval.latency.percentile_us(950),
            Figure::P99 => interval.latency.percentile_us(990),
            Figure::Stale => rate(interval.stale),
            Figure::Wrong => rate(interval.wrong),
            Figure::Keys => whole(interval.keys),
            Figure::Memory => whole(interval.memory),
            Figure::Commands => rate(interval.commands),
            Figure::StaleAge => whole(interval.stale_ms_max),
        }
    }
}

/// `count` × `times` ÷ `by`, in thousandths, rounded; `None` when dividing by zero.
fn thousandths(count: u64, times: u64, by: u64) -> Option<u64> {
    let product = u128::from(count).saturating_mul(u128::from(times)).saturating_mul(1_000);
    let half = u128::from(by / 2);
    product.saturating_add(half).checked_div(u128::from(by)).map(|milli| u64::try_from(milli).unwrap_or(u64::MAX))
}

/// How many statements a database can execute, in thousandths per second; `None` if a statement takes no time.
pub fn capacity_milli(workers: u32, service_ms: u64) -> Option<u64> {
    thousandths(u64::from(workers), 1_000, service_ms)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::rc::Rc;

    use world::Engines;
    use world::traffic::Site;
    use world::traffic::series::{Interval, Series};
    use world::traffic::settings::{Handler, RatePoint, TrafficSettings};

    use super::{Figure, capacity_milli};

    /// The figures of cache-aside with this TTL after some seconds of traffic.
    pub fn series_of(ttl_s: u32, seconds: u64, interval_ms: u32) -> Rc<Series> {
        series_from(0, ttl_s, seconds, interval_ms)
    }

    /// The same with the first request at about this time, in ms.
    pub fn series_from(at_ms: u64, ttl_s: u32, seconds: u64, interval_ms: u32) -> Rc<Series> {
        let handler = Handler::CacheAside { ttl_s };
        let rate = [(0, 0), (at_ms, 0), (at_ms + 1, 100)].into_iter().skip(usize::from(at_ms == 0));
        let rate = rate.map(|(at_ms, per_s)| RatePoint { at_ms, per_s }).skip(usize::from(at_ms == 0)).collect();
        let settings = TrafficSettings { items: 200, rate, handler, interval_ms, ..TrafficSettings::default() };
        let mut site = Site::begin(settings, table::Settings::default(), 0, &Engines::default()).unwrap();
        site.run(seconds * 1_000);
        Rc::new(site.traffic().series().clone())
    }

    #[test]
    fn figures_are_thousandths_of_their_units() {
        let interval =
            Interval { answered: 45, hits: 2, misses: 1, keys: 7, refused: 1, failed: 2, ..Interval::default() };
        let of = |figure: Figure| figure.milli_of(&interval, 2_000);
        assert_eq!(of(Figure::Answered), Some(22_500));
        assert_eq!(of(Figure::Errors), Some(1_500));
        assert_eq!(of(Figure::HitRatio), Some(66_667));
        assert_eq!(of(Figure::Keys), Some(7_000));
        assert_eq!(of(Figure::P99), None);
        assert_eq!(Figure::HitRatio.milli_of(&Interval::default(), 2_000), None);
        let huge = Interval { queries: u64::MAX, ..Interval::default() };
        assert_eq!(Figure::Statements.milli_of(&huge, 1), Some(u64::MAX));
    }

    #[test]
    fn database_capacity_depends_on_its_workers() {
        assert_eq!(capacity_milli(10, 10), Some(1_000_000));
        assert_eq!(capacity_milli(1, 3), Some(333_333));
        assert_eq!(capacity_milli(10, 0), None);
    }

    #[test]
    fn every_figure_has_an_index_and_a_unit_with_a_name() {
        for (place, figure) in Figure::ALL.into_iter().enumerate() {
            assert_eq!(figure.index(), place);
            assert!(!figure.unit().word().is_empty());
        }
    }
}
