//! Traffic figures for export: merged into a readable number of rows, and all of them as comma-separated values.
use std::fmt::Write as _;

use super::series::{Interval, Series};

/// Number of rows that fit on a screen without scrolling.
pub const ROWS_MAX: usize = 24;

/// Several intervals as one row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// When the first interval began, in ms since traffic began.
    pub from_ms: u64,
    /// Their total length in ms.
    pub length_ms: u64,
    /// The merged figures.
    pub figures: Interval,
}

/// The finished intervals, merged in equal groups into at most `rows_max` rows.
pub fn rows(series: &Series, rows_max: usize) -> Vec<Row> {
    let stretch = series.over().len().div_ceil(rows_max.max(1)).max(1) as u64;
    rows_of(series, series.interval_ms().saturating_mul(stretch))
}

/// The finished intervals, merged into rows of this length; longer intervals are rows of their own.
pub fn rows_of(series: &Series, length_ms: u64) -> Vec<Row> {
    let stretch = usize::try_from(length_ms / series.interval_ms()).unwrap_or(usize::MAX).max(1);
    let mut from_ms = 0_u64;
    let row = |intervals: &[std::rc::Rc<Interval>]| {
        let length_ms = series.interval_ms().saturating_mul(intervals.len() as u64);
        let row = Row { from_ms, length_ms, figures: Interval::joined(intervals.iter().map(AsRef::as_ref)) };
        from_ms = from_ms.saturating_add(length_ms);
        row
    };
    series.over().chunks(stretch).map(row).collect()
}

/// The most statements sent to the database in one interval.
pub fn peak_queries(series: &Series) -> u64 {
    series.over().iter().map(|interval| interval.queries).max().unwrap_or(0)
}

/// The first line of [`csv`].
const HEADING: &str = "from_ms,arrived,answered,hits,misses,refused,given_up,failed,too_late,wrong,stale,stale_ms_max,commands,queries,\
                       at_database_max,waiting_max,p50_us,p95_us,p99_us,keys,memory\n";

/// All finished intervals, one line each. A percentile without answers is left empty.
pub fn csv(series: &Series) -> String {
    let mut text = HEADING.to_owned();
    let mut from_ms = 0_u64;
    for now in series.over() {
        let counts = [
            from_ms,
            now.arrived,
            now.answered,
            now.hits,
            now.misses,
            now.refused,
            now.given_up,
            now.failed,
            now.too_late,
            now.wrong,
            now.stale,
            now.stale_ms_max,
            now.commands,
            now.queries,
            now.at_database_max,
            now.waiting_max,
        ];
        // Writing to a string cannot fail.
        counts.iter().for_each(|count| _ = write!(text, "{count},"));
        for milli in [500, 950, 990] {
            if let Some(us) = now.latency.percentile_us(milli) {
                let _ = write!(text, "{us}");
            }
            text.push(',');
        }
        let _ = writeln!(text, "{},{}", now.keys, now.memory);
        from_ms = from_ms.saturating_add(series.interval_ms());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{csv, peak_queries, rows};
    use crate::Engines;
    use crate::traffic::Site;
    use crate::traffic::series::Series;
    use crate::traffic::settings::TrafficSettings;

    fn series() -> Series {
        let mut site =
            Site::begin(TrafficSettings::default(), table::Settings::default(), 0, &Engines::default()).unwrap();
        site.run(50_500);
        site.traffic().series().clone()
    }

    #[test]
    fn rows_hold_all_intervals_in_order() {
        let series = series();
        let of = |rows_max| rows(&series, rows_max);
        assert_eq!(series.over().len(), 50);
        for (rows_max, count) in [(0, 1), (1, 1), (24, 17), (50, 50), (2_048, 50)] {
            assert_eq!(of(rows_max).len(), count, "{rows_max}");
            let sum: u64 = of(rows_max).iter().map(|row| row.figures.arrived).sum();
            assert_eq!(sum, series.over().iter().map(|interval| interval.arrived).sum::<u64>());
        }
        let last = of(24).pop().unwrap();
        assert_eq!((last.from_ms, last.length_ms), (48_000, 2_000));
        assert!(rows(&Series::new(1_000), 24).is_empty());
    }

    #[test]
    fn csv_has_a_line_for_each_interval_with_a_cell_for_each_column() {
        let series = series();
        let text = csv(&series);
        let cells: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(cells, vec![21; 51]);
        let second = text.lines().nth(2).unwrap();
        let interval = &series.over()[1];
        assert!(second.starts_with(&format!("1000,{},{},", interval.arrived, interval.answered)), "{second}");
        assert!(second.ends_with(&format!(",{},{}", interval.keys, interval.memory)), "{second}");
        let queries = text.lines().skip(1).filter_map(|line| line.split(',').nth(13)?.parse().ok());
        assert_eq!(queries.max(), Some(peak_queries(&series)));
    }
}
