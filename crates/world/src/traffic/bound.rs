//! Bounds on traffic figures: what a lesson requires of a handler, or of the traffic that a learner sets up.
//!
//! ```text
//!   queries-peak in * 200                        at most 200 statements a second, in any interval
//!   stale-ms in * 1000 from 60000 until 120000   in the intervals that begin in the second minute
//!   rate in * 100                                the settings: at most 100 requests a second at any time
//! ```
//!
//! A figure without any data is within no bound: a share of zero replies proves nothing.
use super::Traffic;
use super::series::Interval;
use super::settings::Popularity;

/// A figure that can have a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// Statements a second at the database, in the busiest interval.
    QueriesPeak,
    /// Commands a second at the Redis server, in the busiest interval.
    CommandsPeak,
    /// The most statements at the database at one time.
    AtDatabasePeak,
    /// The most requests waiting for a worker at one time.
    WaitingPeak,
    /// Total number of statements.
    Queries,
    /// Total number of commands.
    Commands,
    /// Requests answered in time.
    Answered,
    /// Of 1,000 finished requests, how many were answered in time.
    AnsweredMilli,
    /// Requests that ended with an error for their callers.
    Errors,
    /// Requests with a handler that failed or gave no answer.
    Failed,
    /// Answers with a value that the item never had.
    Wrong,
    /// Answers with a value that was outdated when the request came.
    Stale,
    /// The age of the most outdated answer, in ms.
    StaleMs,
    /// Of 1,000 answers, how many needed no database.
    HitsMilli,
    /// The 99th percentile of the response time, in ms.
    P99Ms,
    /// The most bytes used by keys at the end of an interval.
    Memory,
    /// From the settings: the highest rate, in requests a second.
    Rate,
    /// From the settings: the share of requests for ids that do not exist, in thousandths.
    AbsentMilli,
    /// From the settings: the share of writes, in thousandths.
    WritesMilli,
    /// From the settings: the share of the hot item, in thousandths.
    HotMilli,
}

impl Figure {
    /// All figures, each with its word in the text form.
    pub const WORDS: [(&str, Figure); 20] = [
        ("queries-peak", Figure::QueriesPeak),
        ("commands-peak", Figure::CommandsPeak),
        ("at-database-peak", Figure::AtDatabasePeak),
        ("waiting-peak", Figure::WaitingPeak),
        ("queries", Figure::Queries),
        ("commands", Figure::Commands),
        ("answered", Figure::Answered),
        ("answered-milli", Figure::AnsweredMilli),
        ("errors", Figure::Errors),
        ("failed", Figure::Failed),
        ("wrong", Figure::Wrong),
        ("stale", Figure::Stale),
        ("stale-ms", Figure::StaleMs),
        ("hits-milli", Figure::HitsMilli),
        ("p99-ms", Figure::P99Ms),
        ("memory", Figure::Memory),
        ("rate", Figure::Rate),
        ("absent-milli", Figure::AbsentMilli),
        ("writes-milli", Figure::WritesMilli),
        ("hot-milli", Figure::HotMilli),
    ];
}

/// A figure and its allowed range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The figure.
    pub figure: Figure,
    /// The minimum; `None`: no bound.
    pub least: Option<u64>,
    /// The maximum; `None`: no bound.
    pub most: Option<u64>,
    /// Only intervals that begin at this time or later count, in ms since traffic began.
    pub from_ms: u64,
    /// Only intervals that begin before this time count; `None`: no limit.
    pub until_ms: Option<u64>,
}

/// An open bound.
const OPEN: &str = "*";

impl Bound {
    /// Its text form.
    #[inline(never)]
    pub fn to_words(&self) -> Vec<String> {
        let word = Figure::WORDS.iter().find(|(_, figure)| *figure == self.figure).map_or("", |(word, _)| word);
        let number = |number: Option<u64>| number.map_or_else(|| OPEN.to_owned(), |n| n.to_string());
        let mut words = vec![word.to_owned(), "in".to_owned(), number(self.least), number(self.most)];
        if self.from_ms > 0 {
            words.extend(["from".to_owned(), self.from_ms.to_string()]);
        }
        if let Some(until_ms) = self.until_ms {
            words.extend(["until".to_owned(), until_ms.to_string()]);
        }
        words
    }

    /// Parses a bound; `None` if the words are not one.
    ///
    /// ```
    /// use world::traffic::bound::Bound;
    /// let words = ["queries-peak", "in", "*", "200", "from", "60000"];
    /// let bound = Bound::from_words(&words).ok_or("no bound")?;
    /// assert_eq!((bound.least, bound.most, bound.from_ms), (None, Some(200), 60_000));
    /// assert_eq!(bound.to_words(), words);
    /// # Ok::<(), &str>(())
    /// ```
    #[inline(never)]
    pub fn from_words(words: &[&str]) -> Option<Bound> {
        let [word, "in", least, most, rest @ ..] = words else { return None };
        let number = |word: &str| if word == OPEN { Some(None) } else { word.parse::<u64>().ok().map(Some) };
        let (_, figure) = Figure::WORDS.iter().find(|(other, _)| other == word)?;
        let (least, most) = (number(least)?, number(most)?);
        let (from_ms, rest) = match rest {
            ["from", ms, rest @ ..] => (ms.parse().ok()?, rest),
            rest => (0, rest),
        };
        let until_ms = match rest {
            ["until", ms] => Some(ms.parse().ok()?),
            [] => None,
            _ => return None,
        };
        let is_range = least.or(most).is_some() && least.zip(most).is_none_or(|(least, most)| least <= most);
        is_range.then_some(Bound { figure: *figure, least, most, from_ms, until_ms })
    }

    /// Is the traffic's figure within the bound?
    pub fn holds(&self, traffic: &Traffic) -> bool {
        self.measure(traffic).is_some_and(|figure| self.allows(figure))
    }

    /// Is this value within the bound?
    pub fn allows(&self, figure: u64) -> bool {
        self.least.is_none_or(|least| least <= figure) && self.most.is_none_or(|most| figure <= most)
    }

    /// The traffic's figure; `None` if there is no data for it.
    #[inline(never)]
    pub fn measure(&self, traffic: &Traffic) -> Option<u64> {
        let settings = &traffic.settings;
        match self.figure {
            Figure::Rate => return settings.rate.iter().map(|point| u64::from(point.per_s)).max(),
            Figure::AbsentMilli => return Some(u64::from(settings.absent_ppm / 1_000)),
            Figure::WritesMilli => return Some(u64::from(settings.writes_ppm / 1_000)),
            Figure::HotMilli => {
                return Some(match settings.popularity {
                    Popularity::Hot { share_ppm } => u64::from(share_ppm / 1_000),
                    Popularity::Uniform | Popularity::Zipf { .. } => 0,
                });
            }
            _ => {}
        }
        let series = &traffic.series;
        let length_ms = series.interval_ms().max(1);
        let over = series.over().iter().map(AsRef::as_ref).chain([series.now()]);
        let begun = (0_u64..).zip(over).map(|(place, interval)| (place.saturating_mul(length_ms), interval));
        let within = |begin_ms: u64| begin_ms >= self.from_ms && self.until_ms.is_none_or(|until| begin_ms < until);
        let intervals: Vec<&Interval> =
            begun.filter(|(begin_ms, _)| within(*begin_ms)).map(|(_, interval)| interval).collect();
        let most = |of: fn(&Interval) -> u64| intervals.iter().map(|interval| of(interval)).max();
        let per_s = |count: Option<u64>| count.map(|count| count.saturating_mul(1_000).div_ceil(length_ms));
        // Intervals before traffic began do not count.
        let all = Interval::joined(intervals.iter().copied());
        if all.arrived == 0 {
            return None;
        }
        match self.figure {
            Figure::QueriesPeak => per_s(most(|interval| interval.queries)),
            Figure::CommandsPeak => per_s(most(|interval| interval.commands)),
            Figure::AtDatabasePeak => most(|interval| interval.at_database_max),
            Figure::WaitingPeak => most(|interval| interval.waiting_max),
            Figure::Queries => Some(all.queries),
            Figure::Commands => Some(all.commands),
            Figure::Answered => Some(all.answered),
            Figure::AnsweredMilli => share(all.answered, all.answered.saturating_add(all.errors())),
            Figure::Errors => Some(all.errors()),
            Figure::Failed => Some(all.failed),
            Figure::Wrong => Some(all.wrong),
            Figure::Stale => Some(all.stale),
            Figure::StaleMs => Some(all.stale_ms_max),
            Figure::HitsMilli => share(all.hits, all.hits.saturating_add(all.misses)),
            Figure::P99Ms => all.latency.percentile_us(990).map(|us| us.div_ceil(1_000)),
            Figure::Memory => most(|interval| interval.memory),
            Figure::Rate | Figure::AbsentMilli | Figure::WritesMilli | Figure::HotMilli => None,
        }
    }
}

/// Thousandths, rounded down; `None` if `whole` is 0.
fn share(part: u64, whole: u64) -> Option<u64> {
    part.saturating_mul(1_000).checked_div(whole)
}

#[cfg(test)]
mod tests {
    use crate::{Engines, Input, NodeSettings, Settings, Timeline};

    use super::super::TrafficAct;
    use super::super::settings::{RatePoint, TrafficSettings};
    use super::*;

    fn run(per_s: u32, ms: u64) -> Timeline {
        let nodes = vec![NodeSettings::default(), NodeSettings::table("db")];
        let mut timeline = Timeline::with_engines(Settings { nodes, ..Settings::default() }, &Engines::default());
        let rate = vec![RatePoint { at_ms: 0, per_s }, RatePoint { at_ms: 10_000, per_s: per_s * 5 }];
        let settings = TrafficSettings { rate, items: 50, absent_ppm: 200_000, ..TrafficSettings::default() };
        timeline.push(Input::Traffic { act: TrafficAct::Begin { settings: settings.into() } }).unwrap();
        timeline.push(Input::Advance { ms }).unwrap();
        timeline
    }

    fn bound(text: &str) -> Bound {
        let words: Vec<&str> = text.split(' ').collect();
        Bound::from_words(&words).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn each_figure_is_what_the_intervals_say() {
        let timeline = run(20, 20_500);
        let traffic = timeline.world().traffic().unwrap();
        let over = traffic.series().over();
        let total = traffic.series().total();
        let measured = |text: &str| bound(text).measure(traffic);
        let most = over.iter().map(|interval| interval.queries).max();
        assert_eq!(measured("queries-peak in * 1"), most);
        let early = over.iter().take(5).map(|interval| interval.queries).max();
        assert_eq!(measured("queries-peak in * 1 until 5000"), early);
        let late: u64 = over.iter().skip(5).map(|interval| interval.queries).sum();
        assert_eq!(measured("queries in * 1 from 5000"), Some(late + traffic.series().now().queries));
        assert_eq!(measured("answered in * 1"), Some(total.answered));
        assert_eq!(measured("hits-milli in * 1"), Some(total.hits * 1_000 / (total.hits + total.misses)));
        assert_eq!(measured("rate in * 1"), Some(100));
        assert_eq!(measured("absent-milli in * 1"), Some(200));
        assert_eq!(measured("hot-milli in * 1"), Some(0));
        assert!(bound("queries-peak in 1 *").holds(traffic) && !bound("queries-peak in * 0").holds(traffic));
    }

    #[test]
    fn figure_without_data_is_within_no_bound() {
        let timeline = run(0, 5_000);
        let traffic = timeline.world().traffic().unwrap();
        for (word, figure) in Figure::WORDS {
            let is_setting =
                matches!(figure, Figure::Rate | Figure::AbsentMilli | Figure::WritesMilli | Figure::HotMilli);
            assert_eq!(bound(&format!("{word} in 0 *")).holds(traffic), is_setting, "{word}");
        }
    }

    #[test]
    fn invalid_bound_is_rejected() {
        for text in [
            "",
            "queries",
            "queries in",
            "queries in 1",
            "queries in * *",
            "queries in 5 4",
            "queries in -1 5",
            "colour in 1 5",
            "queries in 1 5 until",
            "queries in 1 5 until 5 from 1",
            "queries in 1 5 from x",
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(Bound::from_words(&words), None, "{text}");
        }
        for (word, _) in Figure::WORDS {
            let text = format!("{word} in 1 5 from 10 until 20");
            assert_eq!(bound(&text).to_words().join(" "), text);
        }
    }
}
