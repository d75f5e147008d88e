//! Trials of a handler in a web worker: the request that starts one, its progress and its result.
//!
//! ```text
//! trial 1                          trying 12345              requests so far
//! queries-peak in * 200            tried 187 - 3             each figure; `-` without data
//! wrong in * 0                     12 no such function       and the errors in handlers, with their counts
//!                                  stopped                   at the caller's request
//! lockstep 2                       refused …                 what is wrong with the request
//! … (a session with traffic)       broke-down …              the worker has failed
//! ```
use std::fmt::Write as _;

use super::bound::Bound;
use crate::timeline::Reading;
use crate::{Engines, Timeline};

/// The first line of a request; both ends are built together.
const HEAD: &str = "trial 1";

/// A request to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialRequest {
    /// The figures to measure.
    pub bounds: Vec<Bound>,
    /// A session with traffic; the figures are measured at its end.
    pub session: String,
}

/// A reply from a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The trial is running.
    Trying {
        /// Requests so far.
        requests: u64,
    },
    /// The session has reached its end.
    Tried {
        /// The measured figures; `None` without data.
        figures: Vec<Option<u64>>,
        /// The errors in handlers, with their counts.
        faults: Vec<(u64, String)>,
    },
    /// The caller stopped it.
    Stopped,
    /// The request is invalid; the text is a technical message.
    Refused(String),
    /// The worker has failed; the text is a technical message.
    BrokeDown(String),
}

impl TrialRequest {
    /// Is the text a request for a trial?
    pub fn is_one(text: &str) -> bool {
        text.lines().next() == Some(HEAD)
    }

    /// The request's text.
    #[inline(never)]
    pub fn to_text(&self) -> String {
        let bounds: String = self.bounds.iter().map(|bound| bound.to_words().join(" ") + "\n").collect();
        format!("{HEAD}\n{bounds}\n{}", self.session)
    }

    /// Parses a request; `None` if the text is not one.
    #[inline(never)]
    pub fn from_text(text: &str) -> Option<TrialRequest> {
        let (head, session) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        if lines.next()? != HEAD {
            return None;
        }
        let bound = |line: &str| Bound::from_words(&line.split(' ').collect::<Vec<_>>());
        Some(TrialRequest { bounds: lines.map(bound).collect::<Option<_>>()?, session: session.to_owned() })
    }
}

impl Report {
    /// The report's text.
    #[inline(never)]
    pub fn to_text(&self) -> String {
        match self {
            Report::Trying { requests } => format!("trying {requests}"),
            Report::Tried { figures, faults } => {
                let mut text = "tried".to_owned();
                for figure in figures {
                    let figure = figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {figure}");
                }
                for (count, what) in faults {
                    let _ = write!(text, "\n{count} {}", what.replace('\n', " "));
                }
                text
            }
            Report::Stopped => "stopped".to_owned(),
            Report::Refused(why) => format!("refused {why}"),
            Report::BrokeDown(why) => format!("broke-down {why}"),
        }
    }

    /// Parses a report; `None` if the text is not one.
    #[inline(never)]
    pub fn from_text(text: &str) -> Option<Report> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (word, words) = first.split_once(' ').unwrap_or((first, ""));
        Some(match word {
            "trying" => Report::Trying { requests: words.parse().ok()? },
            "tried" => {
                let figure = |word: &str| if word == "-" { Some(None) } else { word.parse().ok().map(Some) };
                let fault = |line: &str| {
                    let (count, what) = line.split_once(' ')?;
                    Some((count.parse().ok()?, what.to_owned()))
                };
                let figures = words.split(' ').filter(|word| !word.is_empty()).map(figure).collect::<Option<_>>()?;
                Report::Tried { figures, faults: rest.lines().map(fault).collect::<Option<_>>()? }
            }
            "stopped" => Report::Stopped,
            "refused" => Report::Refused(words.to_owned()),
            "broke-down" => Report::BrokeDown(text.strip_prefix("broke-down ").unwrap_or_default().to_owned()),
            _ => return None,
        })
    }
}

/// A trial in progress.
pub struct Trial<'a> {
    bounds: Vec<Bound>,
    reading: Reading<'a>,
    report: Option<Report>,
}

impl<'a> Trial<'a> {
    /// Starts to play the session of a request.
    ///
    /// # Errors
    /// Why that is impossible, as a technical message.
    pub fn begin(request: &'a TrialRequest, engines: &Engines) -> Result<Trial<'a>, String> {
        let reading = Reading::begin(&request.session, engines).map_err(|why| why.to_string())?;
        Ok(Trial { bounds: request.bounds.clone(), reading, report: None })
    }

    /// Plays one slice; returns whether the trial has ended.
    pub fn carry_on(&mut self) -> bool {
        if self.report.is_none() {
            self.report = match self.reading.take_line() {
                Ok(None) => None,
                Ok(Some(timeline)) => Some(tried(&self.bounds, &timeline)),
                Err(why) => Some(Report::Refused(why.to_string())),
            };
        }
        self.report.is_some()
    }

    /// Stops it now.
    pub fn stop(&mut self) {
        self.report.get_or_insert(Report::Stopped);
    }

    /// The current report.
    pub fn report(&self) -> Report {
        let so_far = || {
            let traffic = self.reading.stretch().and_then(|stretch| stretch.world().traffic());
            Report::Trying { requests: traffic.map_or(0, super::Traffic::requests) }
        };
        self.report.clone().unwrap_or_else(so_far)
    }
}

fn tried(bounds: &[Bound], timeline: &Timeline) -> Report {
    let Some(traffic) = timeline.world().traffic() else { return Report::Refused("traffic has ended".to_owned()) };
    let faults = traffic.faults().iter().map(|fault| (fault.count, String::from_utf8_lossy(&fault.what).into_owned()));
    Report::Tried { figures: bounds.iter().map(|bound| bound.measure(traffic)).collect(), faults: faults.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "lockstep 2\nscript-rate 100000\nscript-bound 10000000\nnode r none\nnode db table\n\n\
                           @traffic begin rate 0:50 items 20\n@+30000ms\nend 2 at 2 of 2\n";

    fn request(session: &str) -> TrialRequest {
        let words = ["queries in * 20", "stale-ms in * 0 from 90000"];
        let bounds = words.iter().filter_map(|text| Bound::from_words(&text.split(' ').collect::<Vec<_>>()));
        TrialRequest { bounds: bounds.collect(), session: session.to_owned() }
    }

    fn played(request: &TrialRequest) -> Report {
        let mut trial = Trial::begin(request, &Engines::default()).unwrap();
        while !trial.carry_on() {
            assert!(matches!(trial.report(), Report::Trying { .. }));
        }
        trial.report()
    }

    #[test]
    fn figures_agree_with_session_played_in_one_go() {
        let request = request(SESSION);
        let timeline = Timeline::from_text(SESSION, &Engines::default()).unwrap();
        let queries = timeline.world().traffic().unwrap().series().total().queries;
        assert!(queries > 0);
        let expected = Report::Tried { figures: vec![Some(queries), None], faults: Vec::new() };
        assert_eq!(played(&request), expected);
    }

    #[test]
    fn trial_can_be_stopped_and_rejects_invalid_sessions() {
        let request_of_session = request(SESSION);
        let mut trial = Trial::begin(&request_of_session, &Engines::default()).unwrap();
        trial.stop();
        assert!(trial.carry_on());
        assert_eq!(trial.report(), Report::Stopped);
        let cut = request(SESSION.strip_suffix("end 2 at 2 of 2\n").unwrap());
        assert!(matches!(played(&cut), Report::Refused(_)));
        let without = SESSION.replace("@+30000ms", "@traffic end");
        assert!(matches!(played(&request(&without)), Report::Refused(_)));
        assert!(Trial::begin(&request("nonsense"), &Engines::default()).is_err());
    }

    #[test]
    fn texts_round_trip() {
        let request = request(SESSION);
        assert!(TrialRequest::is_one(&request.to_text()));
        assert_eq!(TrialRequest::from_text(&request.to_text()), Some(request.clone()));
        let faults = vec![(3, "no such function".to_owned()), (1, "line: 2".to_owned())];
        for report in [
            Report::Trying { requests: 5 },
            Report::Tried { figures: vec![Some(1), None], faults },
            Report::Tried { figures: Vec::new(), faults: Vec::new() },
            Report::Stopped,
            Report::Refused("why not".to_owned()),
            Report::BrokeDown("at once\nat twice".to_owned()),
        ] {
            assert_eq!(Report::from_text(&report.to_text()), Some(report));
        }
        for text in ["", "trial 1", "trial 2\n\nx", "trial 1\nqueries\n\nx"] {
            assert_eq!(TrialRequest::from_text(text), None, "{text}");
        }
        for text in ["", "tried x", "tried 1\nfault", "trying", "gone"] {
            assert_eq!(Report::from_text(text), None, "{text}");
        }
    }
}
