//! The figures of traffic as text.
use std::fmt::Write as _;

use world::traffic::Traffic;
use world::traffic::report::{ROWS_MAX, peak_queries, rows};
use world::traffic::series::Interval;

/// One column: its heading, its width, and its text for an interval of this many seconds.
type Column = (&'static str, usize, fn(&Interval, f64) -> String);

const COLUMNS: [Column; 11] = [
    ("requests/s", 11, |now, s| format!("{:.1}", now.arrived as f64 / s)),
    ("hits", 7, |now, _| share(now.hits, now.hits.saturating_add(now.misses))),
    ("database/s", 11, |now, s| format!("{:.1}", now.queries as f64 / s)),
    ("at it", 6, |now, _| now.at_database_max.to_string()),
    ("waiting", 8, |now, _| now.waiting_max.to_string()),
    ("p50 ms", 8, |now, _| percentile(now, 500)),
    ("p95 ms", 8, |now, _| percentile(now, 950)),
    ("p99 ms", 8, |now, _| percentile(now, 990)),
    ("errors", 8, |now, _| now.errors().to_string()),
    ("stale", 7, |now, _| now.stale.to_string()),
    ("keys", 8, |now, _| now.keys.to_string()),
];

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", part as f64 * 100.0 / whole as f64) }
}

fn percentile(interval: &Interval, milli: u32) -> String {
    interval.latency.percentile_us(milli).map_or("-".to_owned(), |us| format!("{:.2}", us as f64 / 1e3))
}

/// Time since the start of traffic: 1:05:20.
fn clock(ms: u64) -> String {
    let all = ms / 1_000;
    format!("{}:{:02}:{:02}", all / 3_600, all / 60 % 60, all % 60)
}

/// The figures of all requests, over time and in total.
pub fn summary(name: &str, traffic: &Traffic, seconds: f64) -> String {
    let mut text = format!("{name}\n");
    // Writing to a string cannot fail.
    let _ = write!(text, "{:>9}", "from");
    COLUMNS.iter().for_each(|(heading, width, _)| _ = write!(text, "{heading:>width$}"));
    text.push('\n');
    let series = traffic.series();
    for row in rows(series, ROWS_MAX) {
        let _ = write!(text, "{:>9}", clock(row.from_ms));
        let length_s = row.length_ms as f64 / 1e3;
        COLUMNS.iter().for_each(|(_, width, print)| _ = write!(text, "{:>width$}", print(&row.figures, length_s)));
        text.push('\n');
    }
    let total = series.total();
    let (at_work, waiting) = traffic.unfinished();
    let rate = total.arrived as f64 / seconds.max(1e-9);
    let _ = writeln!(
        text,
        "{} requests: {} answered ({} from the cache), {} refused, {} gave up, {} failed; {at_work} at work, {waiting} waiting",
        total.arrived,
        total.answered,
        share(total.hits, total.hits.saturating_add(total.misses)),
        total.refused,
        total.given_up,
        total.failed,
    );
    let _ = writeln!(
        text,
        "{} commands, {} statements; {} answers wrong, {} stale (by {} ms at most), {} too late",
        total.commands, total.queries, total.wrong, total.stale, total.stale_ms_max, total.too_late
    );
    traffic.faults().iter().for_each(|fault| {
        let _ = writeln!(text, "{} times: {}", fault.count, String::from_utf8_lossy(&fault.what));
    });
    let _ = writeln!(text, "{seconds:.2} s, {rate:.0} requests/s");
    text
}

/// Compares two handlers with the same requests, in numbers.
pub fn compared(names: [&str; 2], traffics: [&Traffic; 2]) -> String {
    let totals = traffics.map(|traffic| traffic.series().total());
    let peaks = traffics.map(|traffic| {
        let series = traffic.series();
        peak_queries(series) as f64 * 1e3 / series.interval_ms() as f64
    });
    let [one, other] = &totals;
    let mut text = String::new();
    let rows = [
        ("peak database/s", peaks.map(|peak| format!("{peak:.0}"))),
        ("statements", [one, other].map(|total| total.queries.to_string())),
        ("p99 ms", [one, other].map(|total| percentile(total, 990))),
        ("errors", [one, other].map(|total| total.errors().to_string())),
        ("stale answers", [one, other].map(|total| total.stale.to_string())),
        ("wrong answers", [one, other].map(|total| total.wrong.to_string())),
    ];
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(10).saturating_add(2);
    let _ = writeln!(text, "{:18}{:>width$}{:>width$}", "", names[0], names[1]);
    for (what, [first, second]) in rows {
        let _ = writeln!(text, "{what:18}{first:>width$}{second:>width$}");
    }
    text
}
