//! What is where at one moment, and what passes between the places: rates of the last interval, queues, and how a picture draws them.
//!
//! ```text
//!                        ┌─ commands/s ───▶ Redis      [queue]
//!  callers ─ requests/s ▶ machines [workers] [queue]
//!                        └─ statements/s ─▶ database   [workers] [queue]
//! ```
//! Rates are those that were measured, of the last interval that is over, or of the one that runs while none is.
use std::rc::Rc;

use world::traffic::series::{Interval, Series};
use world::traffic::settings::TrafficSettings;
use world::traffic::{Queues, Traffic};

use super::{Figure, thousandths};

/// Traffic at one moment, as it is shown.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Since traffic began, in ms.
    pub at_ms: u64,
    /// What is where.
    pub queues: Queues,
    /// The figures so far.
    pub series: Rc<Series>,
}

impl Moment {
    /// As it stands.
    pub fn of(traffic: &Traffic) -> Moment {
        let at_ms = traffic.now_ns() / 1_000_000;
        Moment { at_ms, queues: traffic.queues(), series: Rc::new(traffic.series().clone()) }
    }
}

/// A server that handlers ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The session has none.
    Absent,
    /// Its node is down.
    Down,
    /// It runs.
    Up,
}

/// What traffic is drawn between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The Redis server.
    pub redis: Presence,
    /// The database.
    pub database: Presence,
    /// Statements that the database carries out at a time; 0: any number.
    pub database_workers: u64,
    /// Statements that it can carry out, in thousandths a second; `None`: any number.
    pub capacity_milli: Option<u64>,
}

/// Rates in thousandths a second, measured in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// When the interval began, in ms since traffic did.
    pub from_ms: u64,
    /// When it ended, or now.
    pub to_ms: u64,
    /// Requests that came.
    pub requests: u64,
    /// Requests that were answered in time.
    pub answered: u64,
    /// Requests that ended as an error.
    pub errors: u64,
    /// Commands that the Redis server executed.
    pub commands: u64,
    /// Statements that the database was sent.
    pub statements: u64,
    /// Share of the reads that asked no database, in thousandths of a percent; `None`: nothing was read.
    pub hits: Option<u64>,
}

/// Everything that the picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Since traffic began, in ms.
    pub at_ms: u64,
    /// What is where.
    pub queues: Queues,
    /// Requests that can wait for a worker on all machines together.
    pub backlog: u64,
    /// What was measured; `None` while no time has passed.
    pub rates: Option<Rates>,
    /// The servers.
    pub places: Places,
}

impl Flow {
    /// What there is to show of a moment.
    pub fn of(moment: &Moment, settings: &TrafficSettings, places: Places) -> Flow {
        Flow {
            at_ms: moment.at_ms,
            queues: moment.queues,
            backlog: u64::from(settings.machines).saturating_mul(settings.backlog.into()),
            rates: rates(&moment.series, moment.at_ms),
            places,
        }
    }

    /// Statements that no worker can have.
    pub fn waiting_at_database(&self) -> u64 {
        match self.places.database_workers {
            0 => 0,
            workers => self.queues.at_database.saturating_sub(workers),
        }
    }

    /// Is the database sent more than it can carry out? It is when more statements came a second, or when so many wait that each
    /// worker has another one to do after its own.
    pub fn is_overloaded(&self) -> bool {
        let workers = self.places.database_workers;
        let is_above = |capacity: u64| self.rates.is_some_and(|rates| rates.statements > capacity);
        workers > 0 && (self.waiting_at_database() >= workers || self.places.capacity_milli.is_some_and(is_above))
    }

    /// Do as many requests wait for a worker as can? Further ones are refused.
    pub fn is_full(&self) -> bool {
        self.queues.waiting > 0 && self.queues.waiting >= self.backlog
    }
}

/// What was measured last, at this time.
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

/// The most that a link is thick, in tenths of a hair line.
pub const THICK_MAX: u64 = 200;

/// How thick a link is that passes so many thousandths a second, in tenths of a hair line: a hair line for one a second, and evenly more each
/// time that twice as much passes; 0 for nothing.
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

/// How fast a link moves that passes so much, in steps: 0 not at all, each further step for ten times as much, 4 at most.
pub fn speed(milli: u64) -> u64 {
    let whole = milli / 10_000;
    if milli == 0 { 0 } else { u64::from(whole.checked_ilog10().map_or(1, |tens| tens.saturating_add(2))).min(4) }
}

/// Blocks that a part of a whole fills, of ten: one as soon as there is something, ten only when nothing is left.
pub fn blocks_of(part: u64, whole: u64) -> u64 {
    let filled = part.min(whole).saturating_mul(10).checked_div(whole).unwrap_or(0);
    if part > 0 { filled.max(1) } else { 0 }
}

/// Blocks that a queue fills, of ten: one for one, and one more each time that it is twice as long; ten when it is full.
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
    fn a_link_is_thicker_the_more_passes() {
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
    fn a_link_moves_in_a_few_steps() {
        let cases = [(0, 0), (1, 1), (9_999, 1), (10_000, 2), (99_999, 2), (100_000, 3), (1_000_000, 4), (u64::MAX, 4)];
        for (milli, step) in cases {
            assert_eq!(speed(milli), step, "{milli}");
        }
    }

    #[test]
    fn blocks_show_that_something_is_there_and_that_nothing_is_left() {
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
    fn rates_are_those_of_the_last_interval_that_is_over() {
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
    fn while_no_interval_is_over_the_one_that_runs_is_measured() {
        let series = series_of(60, 3, 10_000);
        let running = rates(&series, 3_000).unwrap();
        assert_eq!((running.from_ms, running.to_ms), (0, 3_000));
        assert_eq!(running.requests, (series.now().arrived * 1_000 * 1_000 + 1_500) / 3_000);
        assert_eq!(rates(&Series::new(1_000), 0), None);
    }

    #[test]
    fn a_database_is_overloaded_by_its_rate_or_by_its_queue() {
        let capacity = 200_000;
        for (at_database, statements, is_overloaded) in
            [(0, 0, false), (4, 200_000, false), (7, 100_000, false), (8, 100_000, true), (1, 200_001, true)]
        {
            let flow = flow(at_database, statements, places(4, capacity));
            assert_eq!(flow.is_overloaded(), is_overloaded, "{at_database}, {statements}");
        }
        // Any number of workers bears any number of statements.
        assert!(!flow(1_000, u64::MAX, places(0, 0)).is_overloaded());
        assert_eq!(flow(7, 0, places(4, capacity)).waiting_at_database(), 3);
        assert_eq!(flow(7, 0, places(0, 0)).waiting_at_database(), 0);
    }

    #[test]
    fn a_queue_is_full_when_further_requests_are_refused() {
        let flow = |waiting| Flow { queues: Queues { waiting, ..Queues::default() }, ..flow(0, 0, places(4, 0)) };
        assert!(!flow(9).is_full() && flow(10).is_full());
        assert!(!Flow { backlog: 0, ..flow(0) }.is_full());
    }
}
