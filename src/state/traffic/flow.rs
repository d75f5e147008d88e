//! The traffic diagram at one moment: queues, the rates of the last interval, and how to draw them.
//!
//! ```text
//!                        ┌─ commands/s ───▶ Redis      [queue]
//!  callers ─ requests/s ▶ machines [workers] [queue]
//!                        └─ statements/s ─▶ database   [workers] [queue]
//! ```
//! Rates are measured: those of the last finished interval, or of the current one while none has finished.
use std::rc::Rc;

use world::traffic::series::{Interval, Series};
use world::traffic::settings::TrafficSettings;
use world::traffic::{Queues, Traffic};

use super::{Figure, thousandths};

/// Traffic at one moment.
#[derive(Clone, Debug)]
pub struct TrafficSnapshot {
    /// Time since traffic began, in ms.
    pub at_ms: u64,
    /// The queues and workers.
    pub queues: Queues,
    /// The figures so far.
    pub series: Rc<Series>,
}

impl TrafficSnapshot {
    /// The current moment.
    pub fn of(traffic: &Traffic) -> TrafficSnapshot {
        let at_ms = traffic.now_ns() / 1_000_000;
        TrafficSnapshot { at_ms, queues: traffic.queues(), series: Rc::new(traffic.series().clone()) }
    }
}

/// Whether a server that handlers use is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The session has no such server.
    Absent,
    /// Its node is down.
    Down,
    /// The server runs.
    Up,
}

/// The servers in the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The Redis server.
    pub redis: Presence,
    /// The database.
    pub database: Presence,
    /// How many statements the database executes at a time; 0: no limit.
    pub database_workers: u64,
    /// Capacity of the database, in thousandths of a statement per second; `None`: no limit.
    pub capacity_milli: Option<u64>,
}

/// Rates in thousandths per second, measured in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Start of the interval, in ms since traffic began.
    pub from_ms: u64,
    /// End of the interval, or now.
    pub to_ms: u64,
    /// Arriving requests.
    pub requests: u64,
    /// Requests that were answered in time.
    pub answered: u64,
    /// Requests that ended in an error.
    pub errors: u64,
    /// Commands executed by the Redis server.
    pub commands: u64,
    /// Statements sent to the database.
    pub statements: u64,
    /// Share of the reads answered without a database, in thousandths of a percent; `None`: no reads.
    pub hits: Option<u64>,
}

/// Everything that the diagram shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Time since traffic began, in ms.
    pub at_ms: u64,
    /// The queues and workers.
    pub queues: Queues,
    /// How many requests can wait for a worker, on all machines together.
    pub backlog: u64,
    /// The measured rates; `None` while no time has passed.
    pub rates: Option<Rates>,
    /// The servers.
    pub places: Places,
}

impl Flow {
    /// The diagram of a moment.
    pub fn of(moment: &TrafficSnapshot, settings: &TrafficSettings, places: Places) -> Flow {
        Flow {
            at_ms: moment.at_ms,
            queues: moment.queues,
            backlog: u64::from(settings.machines).saturating_mul(settings.backlog.into()),
            rates: rates(&moment.series, moment.at_ms),
            places,
        }
    }

    /// Statements that wait for a worker of the database.
    pub fn waiting_at_database(&self) -> u64 {
        match self.places.database_workers {
            0 => 0,
            workers => self.queues.at_database.saturating_sub(workers),
        }
    }

    /// Whether the database gets more statements than it can execute: more arrived per second, or so many wait that each worker has another
    /// one to do after its own.
    pub fn is_overloaded(&self) -> bool {
        let workers = self.places.database_workers;
        let is_above = |capacity: u64| self.rates.is_some_and(|rates| rates.statements > capacity);
        workers > 0 && (self.waiting_at_database() >= workers || self.places.capacity_milli.is_some_and(is_above))
    }

    /// Whether the backlog is full: further requests are refused.
    pub fn is_full(&self) -> bool {
        self.queues.waiting > 0 && self.queues.waiting >= self.backlog
    }
}

/// The latest measured rates at this time.
fn rates(series: &Series, at_ms: u64) -> Option<Rates> {
    let length_ms = series.interval_ms();
    let over = series.over();
    let end_ms = length_ms.saturating_mul(over.len() as u64);
    let (interval, from_ms, to_ms): (&Interval, u64, u64) = match over.last() {
        Some(last) => (last, end_ms.saturating_sub(length_ms), end_ms),
        None => (series.now(), 0, at_ms),
    };
    let span_ms = to_ms.saturating_sub(from_ms);
    let rate = |count: u64| thousandths(count, 1_000, span_ms);
    Some(Rates {
        from_ms,
        to_ms,
        requests: rate(interval.arrived)?,
        answered: rate(interval.answered)?,
        errors: rate(interval.errors())?,
        commands: rate(interval.commands)?,
        statements: rate(interval.queries)?,
        hits: Figure::HitRatio.milli_of(interval, span_ms),
    })
}

/// The greatest thickness of a link, in tenths of a hairline.
pub const THICK_MAX: u64 = 200;

/// The thickness of a link, in tenths of a hairline, for a rate in thousandths per second: 10 at one per second, and 15 more for each
/// doubling; 0 for nothing.
pub fn thickness(milli: u64) -> u64 {
    if milli == 0 {
        return 0;
    }
    // Quarters of a doubling above one a second.
    let power = u128::from(milli.min(1 << 31)).saturating_pow(4);
    let unit = 1_000_u128.saturating_pow(4);
    let quarters = u64::from((power / unit).checked_ilog2().unwrap_or(0));
    quarters.saturating_mul(15).checked_div(4).unwrap_or(0).saturating_add(10).min(THICK_MAX)
}

/// The speed of a link's animation, for a rate in thousandths per second: 0 for nothing, 1 below ten per second, then one more for each
/// factor of ten, 4 at most.
pub fn speed(milli: u64) -> u64 {
    let whole = milli / 10_000;
    if milli == 0 { 0 } else { u64::from(whole.checked_ilog10().map_or(1, |tens| tens.saturating_add(2))).min(4) }
}

/// How many of ten blocks a part of a whole fills: at least one if the part is not empty, ten only if it is the whole.
pub fn blocks_of(part: u64, whole: u64) -> u64 {
    let filled = part.min(whole).saturating_mul(10).checked_div(whole).unwrap_or(0);
    if part > 0 { filled.max(1) } else { 0 }
}

/// How many of ten blocks a queue fills: one for one element, and one more for each doubling; ten when it is full.
pub fn blocks(length: u64, is_full: bool) -> u64 {
    if is_full {
        10
    } else {
        length.checked_ilog2().map_or(0, |doublings| u64::from(doublings).saturating_add(1)).min(10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::traffic::tests::series_of;

    fn places(workers: u64, capacity_milli: u64) -> Places {
        Places {
            redis: Presence::Up,
            database: Presence::Up,
            database_workers: workers,
            capacity_milli: Some(capacity_milli),
        }
    }

    fn flow(at_database: u64, statements: u64, places: Places) -> Flow {
        let queues = Queues { at_database, ..Queues::default() };
        Flow { at_ms: 0, queues, backlog: 10, rates: Some(Rates { statements, ..Rates::default() }), places }
    }

    #[test]
    fn link_gets_thicker_with_its_rate() {
        for (milli, tenths) in [
            (0, 0),
            (1, 10),
            (1_000, 10),
            (2_000, 25),
            (12_000, 62),
            (100_000, 107),
            (1_000_000, 156),
            (10_000_000, THICK_MAX),
            (u64::MAX, THICK_MAX),
        ] {
            assert_eq!(thickness(milli), tenths, "{milli}");
        }
        let all: Vec<u64> = (0..2_000).map(|n| thickness(n * 7_000)).collect();
        assert!(all.is_sorted());
    }

    #[test]
    fn link_moves_in_a_few_speeds() {
        let cases = [(0, 0), (1, 1), (9_999, 1), (10_000, 2), (99_999, 2), (100_000, 3), (1_000_000, 4), (u64::MAX, 4)];
        for (milli, step) in cases {
            assert_eq!(speed(milli), step, "{milli}");
        }
    }

    #[test]
    fn blocks_show_nonempty_and_full() {
        for (part, whole, filled) in
            [(0, 64, 0), (1, 64, 1), (32, 64, 5), (63, 64, 9), (64, 64, 10), (99, 4, 10), (5, 0, 1)]
        {
            assert_eq!(blocks_of(part, whole), filled, "{part} of {whole}");
        }
        for (length, filled) in [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (511, 9), (512, 10), (u64::MAX, 10)] {
            assert_eq!(blocks(length, false), filled, "{length}");
        }
        assert_eq!(blocks(7, true), 10);
    }

    #[test]
    fn rates_are_those_of_the_last_finished_interval() {
        let series = series_of(60, 3, 1_000);
        let last = series.over().last().unwrap().clone();
        let rates = rates(&series, 3_000).unwrap();
        assert_eq!((rates.from_ms, rates.to_ms), (2_000, 3_000));
        assert_eq!(rates.requests, last.arrived * 1_000);
        assert_eq!(rates.commands, last.commands * 1_000);
        assert_eq!(rates.statements, last.queries * 1_000);
        assert!(rates.requests > 0 && rates.commands > rates.statements && rates.hits.is_some());
    }

    #[test]
    fn current_interval_is_measured_while_none_has_finished() {
        let series = series_of(60, 3, 10_000);
        let running = rates(&series, 3_000).unwrap();
        assert_eq!((running.from_ms, running.to_ms), (0, 3_000));
        assert_eq!(running.requests, (series.now().arrived * 1_000 * 1_000 + 1_500) / 3_000);
        assert_eq!(rates(&Series::new(1_000), 0), None);
    }

    #[test]
    fn database_is_overloaded_by_rate_or_by_queue() {
        let capacity = 200_000;
        for (at_database, statements, is_overloaded) in
            [(0, 0, false), (4, 200_000, false), (7, 100_000, false), (8, 100_000, true), (1, 200_001, true)]
        {
            let flow = flow(at_database, statements, places(4, capacity));
            assert_eq!(flow.is_overloaded(), is_overloaded, "{at_database}, {statements}");
        }
        // Unlimited workers handle any number of statements.
        assert!(!flow(1_000, u64::MAX, places(0, 0)).is_overloaded());
        assert_eq!(flow(7, 0, places(4, capacity)).waiting_at_database(), 3);
        assert_eq!(flow(7, 0, places(0, 0)).waiting_at_database(), 0);
    }

    #[test]
    fn queue_is_full_when_further_requests_are_refused() {
        let flow = |waiting| Flow { queues: Queues { waiting, ..Queues::default() }, ..flow(0, 0, places(4, 0)) };
        assert!(!flow(9).is_full() && flow(10).is_full());
        assert!(!Flow { backlog: 0, ..flow(0) }.is_full());
    }
}
