//! Compares two runs, and builds the rows of their common table.
use world::traffic::report::{ROWS_MAX, Row, rows_of};

use super::columns::Totals;
use super::{Figure, RunShown, Unit, thousandths};

/// A measure to compare two runs by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The most statements in one interval, per second.
    Peak,
    /// All statements.
    Statements,
    /// The 99th percentile of the response time.
    P99,
    /// Requests that ended in an error.
    Errors,
    /// Answers that were out of date.
    Stale,
    /// Answers that were never true.
    Wrong,
    /// Share of the reads answered without a database.
    HitRatio,
    /// All commands at the Redis server.
    Commands,
    /// For how long the most outdated answer had been outdated.
    StaleAge,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 9] = [
        Measure::Peak,
        Measure::Statements,
        Measure::Commands,
        Measure::P99,
        Measure::Errors,
        Measure::Stale,
        Measure::StaleAge,
        Measure::Wrong,
        Measure::HitRatio,
    ];

    /// The unit of the measure.
    pub fn unit(self) -> Unit {
        match self {
            Measure::Peak => Unit::Rate,
            Measure::P99 | Measure::StaleAge => Unit::Ms,
            Measure::HitRatio => Unit::Percent,
            Measure::Statements | Measure::Commands | Measure::Errors | Measure::Stale | Measure::Wrong => Unit::Count,
        }
    }

    /// The value, in thousandths of the unit; `None` if there is none.
    fn milli_of(self, totals: &Totals) -> Option<u64> {
        let total = &totals.figures;
        let whole = |count: u64| Some(count.saturating_mul(1_000));
        match self {
            Measure::Peak => thousandths(totals.peak_queries, 1_000, totals.interval_ms),
            Measure::Statements => whole(total.queries),
            Measure::P99 => Figure::P99.milli_of(total, 1),
            Measure::Errors => whole(total.errors()),
            Measure::Stale => whole(total.stale),
            Measure::Wrong => whole(total.wrong),
            Measure::HitRatio => Figure::HitRatio.milli_of(total, 1),
            Measure::Commands => whole(total.commands),
            Measure::StaleAge => Figure::StaleAge.milli_of(total, 1),
        }
    }
}

/// Which run is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The first one.
    First,
    /// The second one.
    Second,
    /// Neither is better.
    Neither,
}

/// The difference of the second run from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whether the second run has more.
    pub is_more: bool,
    /// The difference, in thousandths of the unit.
    pub milli: u64,
    /// The difference in thousandths of a percent of the first value; `None` if that is zero, or if both values are shares already.
    pub percent_milli: Option<u64>,
    /// Which run is better.
    pub better: Better,
}

/// Two runs by one measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The measure.
    pub measure: Measure,
    /// Both values, in thousandths of the unit.
    pub milli: [Option<u64>; 2],
    /// The difference, if both values exist.
    pub difference: Option<Difference>,
}

/// Two runs by all measures.
pub fn compare(first: &Totals, second: &Totals) -> [Compared; Measure::ALL.len()] {
    Measure::ALL.map(|measure| {
        let milli = [measure.milli_of(first), measure.milli_of(second)];
        let difference = milli[0].zip(milli[1]).map(|(first, second)| difference(measure, first, second));
        Compared { measure, milli, difference }
    })
}

fn difference(measure: Measure, first: u64, second: u64) -> Difference {
    let is_more = second > first;
    let milli = second.abs_diff(first);
    // A higher hit ratio is better; for everything else, lower is better.
    let better = match (milli, is_more == (measure == Measure::HitRatio)) {
        (0, _) => Better::Neither,
        (_, true) => Better::Second,
        (_, false) => Better::First,
    };
    let percent_milli = (measure != Measure::HitRatio).then(|| thousandths(milli, 100, first)).flatten();
    Difference { is_more, milli, percent_milli, better }
}

/// A row of the table: its start time, and the figures of each run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Start of the row, in ms since traffic began.
    pub from_ms: u64,
    /// One entry per run; `None` if that run has already ended.
    pub runs: Vec<Option<Row>>,
}

/// The intervals of all runs, joined to at most [`ROWS_MAX`] rows with common start times.
pub fn table(runs: &[RunShown]) -> Vec<TableRow> {
    let interval_ms = runs.iter().map(|run| run.series.interval_ms()).max().unwrap_or(1);
    let length_of = |run: &RunShown| run.series.interval_ms().saturating_mul(run.series.over().len() as u64);
    let longest_ms = runs.iter().map(length_of).max().unwrap_or(0);
    let intervals = longest_ms.div_ceil(interval_ms);
    let length_ms = interval_ms.saturating_mul(intervals.div_ceil(ROWS_MAX as u64).max(1));
    let all: Vec<Vec<Row>> = runs.iter().map(|run| rows_of(&run.series, length_ms)).collect();
    let count = all.iter().map(Vec::len).max().unwrap_or(0);
    let row = |nth: usize| TableRow {
        from_ms: length_ms.saturating_mul(nth as u64),
        runs: all.iter().map(|rows| rows.get(nth).cloned()).collect(),
    };
    (0..count).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::columns::{Table, Totals};
    use super::super::tests::series_of;
    use super::{Better, Compared, Measure, ROWS_MAX, RunShown, compare, difference, table};

    #[test]
    fn less_is_better_except_for_hits() {
        let better = |measure, first, second| difference(measure, first, second).better;
        assert_eq!(better(Measure::P99, 10, 5), Better::Second);
        assert_eq!(better(Measure::Errors, 10, 50), Better::First);
        assert_eq!(better(Measure::HitRatio, 10, 50), Better::Second);
        assert_eq!(better(Measure::HitRatio, 50, 10), Better::First);
        assert_eq!(better(Measure::Stale, 7, 7), Better::Neither);
        let apart = difference(Measure::Statements, 4_000, 1_000);
        assert_eq!((apart.is_more, apart.milli, apart.percent_milli), (false, 3_000, Some(75_000)));
        assert_eq!(difference(Measure::Errors, 0, 1_000).percent_milli, None);
        assert_eq!(difference(Measure::HitRatio, 4_000, 1_000).percent_milli, None);
    }

    #[test]
    fn longer_ttl_sends_fewer_statements() {
        let totals = |ttl_s, seconds| -> Totals {
            let run = RunShown { name: "run".into(), series: series_of(ttl_s, seconds, 1_000) };
            Table::default().follow(&[run]).totals.remove(0)
        };
        let (short, long) = (totals(5, 60), totals(50, 60));
        let compared = compare(&short, &long);
        let of = |measure| compared.iter().find(|row| row.measure == measure).copied().unwrap();
        let better = |row: Compared| row.difference.unwrap().better;
        assert_eq!(better(of(Measure::Statements)), Better::Second);
        assert_eq!(better(of(Measure::HitRatio)), Better::Second);
        assert_eq!(of(Measure::Statements).milli[0], Some(short.figures.queries * 1_000));
        assert_eq!(better(of(Measure::Wrong)), Better::Neither);
        let nothing = compare(&totals(5, 0), &long);
        let p99 = nothing.iter().find(|row| row.measure == Measure::P99).unwrap();
        assert_eq!((p99.milli[0], p99.difference), (None, None));
    }

    #[test]
    fn rows_of_both_runs_start_at_the_same_times() {
        let run = |series| RunShown { name: "run".into(), series };
        let rows = table(&[run(series_of(5, 100, 1_000)), run(series_of(5, 60, 500))]);
        assert_eq!(rows.len(), 20);
        assert!(rows.len() <= ROWS_MAX);
        for (nth, row) in rows.iter().enumerate() {
            assert_eq!(row.from_ms, nth as u64 * 5_000);
            assert!(row.runs.iter().flatten().all(|run| run.from_ms == row.from_ms && run.length_ms == 5_000));
        }
        assert!(rows[11].runs[1].is_some() && rows[12].runs[1].is_none());
        assert!(table(&[]).is_empty());
    }
}
