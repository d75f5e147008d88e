//! Which charts there are, as text: `static/charts/source.js` reads it and knows nothing of traffic.
use std::fmt::Write as _;

use super::words;
use crate::i18n::Lang;
use crate::state::traffic::Figure;

/// A chart: its handle, how it is scaled, and the figures that it draws.
type Chart = (&'static str, &'static str, &'static [Figure]);

/// All of them.
const CHARTS: [Chart; 8] = [
    ("requests", "linear", &[Figure::Answered, Figure::Errors]),
    ("hits", "share", &[Figure::HitRatio]),
    (STATEMENTS, "linear", &[Figure::Statements]),
    ("queues", "linear", &[Figure::AtDatabase, Figure::Waiting]),
    ("latency", "log", &[Figure::P50, Figure::P95, Figure::P99]),
    ("untrue", "linear", &[Figure::Stale, Figure::Wrong]),
    ("keys", "linear", &[Figure::Keys]),
    ("memory", "linear", &[Figure::Memory]),
];

/// The chart that has the capacity of the database.
const STATEMENTS: &str = "statements";

/// What there is to draw of runs with these names.
pub fn spec<'a>(t: Lang, runs: impl IntoIterator<Item = &'a str>, capacity_milli: Option<u64>) -> String {
    let mut spec = String::new();
    for (word, text) in [("none", t.traffic_empty()), ("last", t.traffic_last()), ("at", t.traffic_at())] {
        let _ = writeln!(spec, "word\t{word}\t{text}");
    }
    for name in runs {
        // A name must not end its cell.
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
    fn every_figure_is_drawn_once_beside_figures_of_its_unit() {
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
    fn a_spec_says_all_there_is_to_draw() {
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
