//! Bounds on the figures of traffic: what a lesson asks of a handler, or of what a learner brings about.
//!
//! ```text
//!   queries-peak in * 200                        at most 200 statements a second, in any interval
//!   stale-ms in * 1000 from 60000 until 120000   in the intervals that begin in the second minute
//!   rate in * 100                                how traffic is set up: no more than 100 requests a second at any time
//! ```
//! A figure that nothing was counted for is within no bound: a share of no answers proves nothing.
use super::Traffic;
use super::series::Interval;
use super::settings::Popularity;

/// A figure that a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// Statements a second at the database, in the interval with the most of them.
    QueriesPeak,
    /// Commands a second at the Redis server, in the interval with the most of them.
    CommandsPeak,
    /// The most statements that were at the database at a time.
    AtDatabasePeak,
    /// The most requests that waited for a worker at a time.
    WaitingPeak,
    /// Statements in all.
    Queries,
    /// Commands in all.
    Commands,
    /// Requests that were answered in time.
    Answered,
    /// Of 1,000 requests that ended, how many were answered in time.
    AnsweredMilli,
    /// Requests that ended as an error for their callers.
    Errors,
    /// Requests whose handler broke off or answered nothing.
    Failed,
    /// Answers that were never true.
    Wrong,
    /// Answers that were no longer true when the request came.
    Stale,
    /// How long the oldest of them had not been true, in ms.
    StaleMs,
    /// Of 1,000 answers, how many needed no database.
    HitsMilli,
    /// The time within which 99 of 100 answers came, in ms.
    P99Ms,
    /// The most bytes that keys took at the end of an interval.
    Memory,
    /// Of the settings: the most requests a second.
    Rate,
    /// Of the settings: the share of requests for ids that exist nowhere, in thousandths.
    AbsentMilli,
    /// Of the settings: the share of requests that change an item, in thousandths.
    WritesMilli,
    /// Of the settings: the share of one hot item, in thousandths.
    HotMilli,
}

impl Figure {
    /// All of them, and the word for each.
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

/// A figure and the range in which it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The figure.
    pub figure: Figure,
    /// The least that it may be.
    pub least: Option<u64>,
    /// The most that it may be.
    pub most: Option<u64>,
    /// Intervals count that begin at this time or later, in ms since traffic began.
    pub from_ms: u64,
    /// Intervals count that begin before this time.
    pub until_ms: Option<u64>,
}

/// A bound that is none.
const OPEN: &str = "*";

impl Bound {
    /// Its words.
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

    /// The bound of these words; `None` when they are none.
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

    /// Is the figure within it?
    pub fn holds(&self, traffic: &Traffic) -> bool {
        self.measure(traffic).is_some_and(|figure| self.allows(figure))
    }

    /// Is this within it?
    pub fn allows(&self, figure: u64) -> bool {
        self.least.is_none_or(|least| least <= figure) && self.most.is_none_or(|most| figure <= most)
    }

    /// The figure; `None` where nothing was counted for it.
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
        // An interval in which traffic has not begun counts for nothing.
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

/// Thousandths, the fraction left out; `None` of nothing.
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
    fn nothing_counted_is_within_no_bound() {
        let timeline = run(0, 5_000);
        let traffic = timeline.world().traffic().unwrap();
        for (word, figure) in Figure::WORDS {
            let is_setting =
                matches!(figure, Figure::Rate | Figure::AbsentMilli | Figure::WritesMilli | Figure::HotMilli);
            assert_eq!(bound(&format!("{word} in 0 *")).holds(traffic), is_setting, "{word}");
        }
    }

    #[test]
    fn what_is_no_bound_is_refused() {
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
