//! Specification of the charts as text. It is read by `static/charts/source.js`, which knows nothing about traffic.
use std::fmt::Write as _;

use super::words;
use crate::i18n::Lang;
use crate::state::traffic::Figure;

/// A chart: its id, its scale, and the figures that it draws.
type Chart = (&'static str, &'static str, &'static [Figure]);

/// All charts, in order.
const CHARTS: [Chart; 10] = [
    ("requests", "linear", &[Figure::Answered, Figure::Errors]),
    ("hits", "share", &[Figure::HitRatio]),
    (STATEMENTS, "linear", &[Figure::Statements]),
    ("commands", "linear", &[Figure::Commands]),
    ("queues", "linear", &[Figure::AtDatabase, Figure::Waiting]),
    ("latency", "log", &[Figure::P50, Figure::P95, Figure::P99]),
    ("untrue", "linear", &[Figure::Stale, Figure::Wrong]),
    ("age", "linear", &[Figure::StaleAge]),
    ("keys", "linear", &[Figure::Keys]),
    ("memory", "linear", &[Figure::Memory]),
];

/// Id of the chart that also shows the capacity of the database.
const STATEMENTS: &str = "statements";

/// The specification for runs with these names.
pub fn spec<'a>(t: Lang, runs: impl IntoIterator<Item = &'a str>, capacity_milli: Option<u64>) -> String {
    let mut spec = String::new();
    for (word, text) in [("none", t.traffic_empty()), ("last", t.traffic_last()), ("at", t.traffic_at())] {
        let _ = writeln!(spec, "word\t{word}\t{text}");
    }
    for name in runs {
        // A name must not contain the separators of the format.
        let _ = writeln!(spec, "run\t{}", name.replace(['\t', '\n'], " "));
    }
    for (id, scale, figures) in CHARTS {
        let Some(first) = figures.first() else { continue };
        let _ = writeln!(spec, "chart\t{id}\t{}\t{}\t{scale}", words::title(t, *first), first.unit().word());
        for figure in figures {
            let _ = writeln!(spec, "line\t{}\t{}", words::name(t, *figure), figure.index());
        }
        if let Some(milli) = capacity_milli.filter(|_| id == STATEMENTS) {
            let _ = writeln!(spec, "limit\t{}\t{}.{:03}", t.traffic_capacity(), milli / 1_000, milli % 1_000);
        }
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::{CHARTS, spec};
    use crate::i18n::Lang;
    use crate::state::traffic::Figure;

    #[test]
    fn each_figure_is_in_one_chart_with_figures_of_its_unit() {
        let mut drawn: Vec<usize> =
            CHARTS.iter().flat_map(|(.., figures)| *figures).map(|figure| figure.index()).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, (0..Figure::ALL.len()).collect::<Vec<_>>());
        for (id, _, figures) in CHARTS {
            assert!(figures.iter().all(|figure| figure.unit() == figures[0].unit()), "{id}");
            assert!(figures.len() <= 3, "{id}: there are three strokes");
        }
    }

    #[test]
    fn spec_contains_runs_charts_lines_and_limit() {
        let spec = spec(Lang::En, ["a\tb", "c"], Some(1_000_500));
        for line in [
            "run\ta b",
            "run\tc",
            "chart\thits\tHit ratio of the cache\tpercent\tshare",
            "line\tp99\t8",
            "limit\tcapacity\t1000.500",
        ] {
            assert!(spec.lines().any(|other| other == line), "{line} is not in\n{spec}");
        }
    }
}
