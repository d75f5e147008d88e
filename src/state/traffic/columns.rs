//! Chart data: columns of numbers, computed once per interval, and one time axis for two runs.
use std::rc::Rc;

use world::traffic::series::{Interval, Series};

use super::{Figure, RunShown};

/// How many figures there are.
const FIGURES: usize = Figure::ALL.len();

/// Chart columns, one after the other: the times in seconds, then those of each run in the order of [`Figure::ALL`].
#[derive(Clone, Debug)]
pub struct Drawn {
    /// All numbers, from shortly before the first request. Missing values are NaN.
    pub numbers: Vec<f64>,
    /// The length of a column.
    pub points: u32,
    /// The length of an interval, in ms.
    pub interval_ms: u64,
    /// The totals of each run.
    pub totals: Vec<Totals>,
}

/// The totals of a run over all finished intervals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The sums over these intervals.
    pub figures: Interval,
    /// The most statements in one interval.
    pub peak_queries: u64,
    /// The length of each interval, in ms.
    pub interval_ms: u64,
}

impl Totals {
    fn add(&mut self, interval: &Interval) {
        self.figures = Interval::joined([&self.figures, interval]);
        self.peak_queries = self.peak_queries.max(interval.queries);
    }
}

/// The figures of a run, interval by interval. They are updated incrementally: an interval read before costs nothing.
#[derive(Debug, Default)]
struct Columns {
    totals: Totals,
    /// The last interval that was read.
    last: Option<Rc<Interval>>,
    rows: Vec<[f64; FIGURES]>,
    /// How many intervals pass before the first request; `None` while none has come.
    empty: Option<usize>,
}

impl Columns {
    /// Reads the new intervals of a run, joined to this length, which is at least the run's own.
    fn follow(&mut self, series: &Series, interval_ms: u64) {
        let joined = (interval_ms != series.interval_ms()).then(|| joined(series, interval_ms));
        let over = joined.as_deref().unwrap_or_else(|| series.over());
        let known = self.rows.len().checked_sub(1).and_then(|at| over.get(at));
        let goes_on = self.last.as_ref().zip(known).is_some_and(|(last, known)| Rc::ptr_eq(last, known));
        if self.totals.interval_ms != interval_ms || !goes_on {
            self.rows.clear();
            self.empty = None;
            self.totals = Totals { interval_ms, ..Totals::default() };
        }
        for interval in over.iter().skip(self.rows.len()) {
            if interval.arrived > 0 {
                self.empty.get_or_insert(self.rows.len());
            }
            let number = |milli: Option<u64>| milli.map_or(f64::NAN, |milli| milli as f64 / 1e3);
            self.rows.push(Figure::ALL.map(|figure| number(figure.milli_of(interval, interval_ms))));
            self.totals.add(interval);
        }
        self.last = over.last().cloned();
    }
}

/// The intervals of a run, joined to longer ones. An unfinished last interval is left out.
fn joined(series: &Series, interval_ms: u64) -> Vec<Rc<Interval>> {
    let all = series.over();
    let end_ms = |count: usize| series.interval_ms().saturating_mul(count as u64);
    let mut joined = Vec::new();
    let mut from = 0;
    while from < all.len() {
        let until_ms = interval_ms.saturating_mul(joined.len() as u64).saturating_add(interval_ms);
        let count = all.len().min(usize::try_from(until_ms.div_ceil(series.interval_ms())).unwrap_or(usize::MAX));
        if end_ms(count) < until_ms {
            break;
        }
        let part = all.get(from..count).unwrap_or_default();
        joined.push(Rc::new(Interval::joined(part.iter().map(AsRef::as_ref))));
        from = count.max(from.saturating_add(1));
    }
    joined
}

/// The columns of the shown runs.
#[derive(Debug, Default)]
pub struct Table {
    runs: Vec<Columns>,
}

impl Table {
    /// The chart data of these runs now. All use the intervals of the run with the longest ones.
    pub fn follow(&mut self, runs: &[RunShown]) -> Drawn {
        let interval_ms = runs.iter().map(|run| run.series.interval_ms()).max().unwrap_or(1);
        self.runs.resize_with(runs.len(), Columns::default);
        for (columns, run) in self.runs.iter_mut().zip(runs) {
            columns.follow(&run.series, interval_ms);
        }
        let points = self.runs.iter().map(|run| run.rows.len()).max().unwrap_or(0);
        // Hours without a request would leave no room for the traffic after them; one such interval shows that it was quiet.
        let first = self.runs.iter().filter_map(|run| run.empty).min().unwrap_or(0).saturating_sub(1);
        let points = points.saturating_sub(first);
        let mut numbers =
            Vec::with_capacity(points.saturating_mul(FIGURES.saturating_mul(runs.len()).saturating_add(1)));
        let times = (first..).take(points).map(|nth| interval_ms.saturating_mul(nth as u64) as f64 / 1e3);
        numbers.extend(times);
        for run in &self.runs {
            for figure in 0..FIGURES {
                let column = run.rows.iter().skip(first).map(|row| row.get(figure).copied().unwrap_or(f64::NAN));
                let missing = points.saturating_sub(run.rows.len().saturating_sub(first));
                numbers.extend(column.chain(std::iter::repeat_n(f64::NAN, missing)));
            }
        }
        let totals = self.runs.iter().map(|run| run.totals.clone()).collect();
        Drawn { numbers, points: u32::try_from(points).unwrap_or(u32::MAX), interval_ms, totals }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use world::traffic::series::Series;

    use super::super::tests::{series_from, series_of};
    use super::{Figure, RunShown, Table, joined};

    fn run(name: &str, series: &Rc<Series>) -> RunShown {
        RunShown { name: name.into(), series: Rc::clone(series) }
    }

    #[test]
    fn columns_follow_one_another() {
        let (a, b) = (series_of(5, 30, 1_000), series_of(10, 20, 1_000));
        let drawn = Table::default().follow(&[run("a", &a), run("b", &b)]);
        assert_eq!((drawn.points, drawn.interval_ms), (30, 1_000));
        assert_eq!(drawn.numbers.len(), 30 * (1 + 2 * Figure::ALL.len()));
        assert_eq!(drawn.numbers[..3], [0.0, 1.0, 2.0]);
        let column = |run: usize, figure: Figure| {
            let from = 30 * (1 + run * Figure::ALL.len() + figure.index());
            &drawn.numbers[from..from + 30]
        };
        assert_eq!(column(0, Figure::Statements)[3], a.over()[3].queries as f64);
        assert_eq!(column(1, Figure::Keys)[19], b.over()[19].keys as f64);
        assert!(column(1, Figure::Keys)[20].is_nan());
    }

    #[test]
    fn hours_without_a_request_are_left_out() {
        let late = series_from(40_000, 5, 60, 1_000);
        let first = late.over().iter().position(|interval| interval.arrived > 0).unwrap();
        assert!(first >= 39, "{first}");
        let drawn = Table::default().follow(&[run("late", &late)]);
        assert_eq!((drawn.points as usize, drawn.numbers[0]), (60 - (first - 1), (first - 1) as f64));
        let column = 1 + Figure::Statements.index();
        let points = drawn.points as usize;
        assert_eq!(drawn.numbers[column * points + 1], late.over()[first].queries as f64);
        // Beside a run with early requests, the quiet hours stay.
        let both = Table::default().follow(&[run("late", &late), run("early", &series_of(5, 60, 1_000))]);
        assert_eq!((both.points, both.numbers[0]), (60, 0.0));
    }

    #[test]
    fn growing_run_is_drawn_like_one_read_at_once() {
        let mut table = Table::default();
        for seconds in [0, 1, 7, 7, 30] {
            let shown = [run("a", &series_of(5, seconds, 1_000))];
            let fresh = Table::default().follow(&shown);
            let followed = table.follow(&shown);
            assert_eq!(format!("{followed:?}"), format!("{fresh:?}"), "{seconds}");
        }
        // Another run of the same length.
        let shown = [run("a", &series_of(9, 30, 1_000))];
        assert_eq!(format!("{:?}", table.follow(&shown)), format!("{:?}", Table::default().follow(&shown)));
    }

    #[test]
    fn runs_with_different_intervals_share_one_axis() {
        let (fine, coarse) = (series_of(5, 31, 500), series_of(5, 31, 2_000));
        assert_eq!(fine.over().len(), 62);
        let drawn = Table::default().follow(&[run("fine", &fine), run("coarse", &coarse)]);
        assert_eq!((drawn.points, drawn.interval_ms), (15, 2_000));
        // Both runs have the same traffic, so both columns are equal.
        let columns =
            |run: usize| &drawn.numbers[15 * (1 + run * Figure::ALL.len())..15 * (1 + (run + 1) * Figure::ALL.len())];
        assert_eq!(format!("{:?}", columns(0)), format!("{:?}", columns(1)));
    }

    #[test]
    fn intervals_that_do_not_divide_each_other_lose_nothing() {
        let series = series_of(5, 30, 700);
        let sum =
            |all: &[Rc<world::traffic::series::Interval>]| all.iter().map(|interval| interval.arrived).sum::<u64>();
        let joined = joined(&series, 1_000);
        assert_eq!(joined.len(), 29);
        assert!(sum(&joined) <= sum(series.over()) && sum(&joined) + 200 > sum(series.over()));
    }
}
