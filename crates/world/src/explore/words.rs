//! The text form of searches, for an explorer that runs elsewhere: the request that starts one, its progress and its result.
//!
//! ```text
//! explore 1                          progress 1234 5678 90 7 1 0         states, steps, frontier, depth, untested goals, and worlds
//! goal any                                                               with programs that only their history identifies
//! crashes 1                          broken 2 1234 5678 90 7 0 0         the property's number, the progress,
//! clock-jumps 1                      c1< step 0                          and the schedule in the lines of a timeline
//! delays 1                           broken 2 1234 5678 90 7 0 0 order 0-2   the same, with the order that mattered: steps from 0,
//! (faults that may happen)           …                                   no pairs if no exchange of two avoids it
//! depth 100
//! states 200000                      nothing 1234 5678 0 9 0 0           the whole space
//! symmetry yes                       nothing 1234 5678 90 7 0 0 memory   why the search left something out
//! independence yes                   refused …                           what is wrong with the request
//! failed no                          broke-down …                        the explorer has failed
//!
//! lockstep 1                         the text of a session: the search starts at its cursor
//! …
//! ```
use std::fmt::Write as _;

use super::{Cut, Explorer, Limits, Progress, SearchOutcome};
use crate::timeline::inputs_to_text;
use crate::{Engines, Fault, Faults, Timeline};

/// Version of these texts; both ends are built together.
const HEAD: &str = "explore 1";
/// The word before the pairs of an order.
const ORDER: &str = " order";

/// A request to an explorer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// The number of the property to break; `None`: any.
    pub goal: Option<usize>,
    /// The bounds of the search.
    pub limits: Limits,
    /// A session; the search starts at its cursor.
    pub session: String,
}

/// A reply from an explorer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// How far the search has come.
    Progress(Progress),
    /// A shortest schedule that breaks a property.
    Broken {
        /// The property's number.
        property: usize,
        /// How far the search had come.
        progress: Progress,
        /// The inputs, for [`crate::timeline::inputs_from_text`].
        schedule: String,
        /// Which order mattered, from [`super::decisive`]; `None` if it was not computed.
        order: Option<Vec<(usize, usize)>>,
    },
    /// No schedule was found.
    Nothing {
        /// How far the search has come.
        progress: Progress,
        /// Why something was left out; `None`: nothing was.
        cut: Option<Cut>,
    },
    /// The request is invalid; the text is a technical message.
    Refused(String),
    /// The explorer has failed; the text is a technical message.
    BrokeDown(String),
}

const CUTS: [(&str, Cut); 4] =
    [("depth", Cut::Depth), ("states", Cut::States), ("memory", Cut::Memory), ("stopped", Cut::Stopped)];

impl SearchRequest {
    /// The request's text.
    pub fn to_text(&self) -> String {
        let Limits { faults, depth, states, symmetry, independence, has_failed } = self.limits;
        let counts = Fault::ALL.iter().map(|(fault, _, name)| (name, faults.of(*fault))).filter(|(_, n)| *n > 0);
        let counts: String = counts.map(|(name, n)| format!("{name} {n}\n")).collect();
        let goal = self.goal.map_or_else(|| "any".to_owned(), |goal| goal.to_string());
        format!(
            "{HEAD}\ngoal {goal}\n{counts}depth {depth}\nstates {states}\n\
             symmetry {}\nindependence {}\nfailed {}\n\n{}",
            yes(symmetry),
            yes(independence),
            yes(has_failed),
            self.session
        )
    }

    /// Parses a request; `None` if the text is not one.
    pub fn from_text(text: &str) -> Option<SearchRequest> {
        let (head, session) = text.split_once("\n\n")?;
        let mut lines = head.lines().peekable();
        if lines.next()? != HEAD {
            return None;
        }
        let goal = match of(lines.next()?, "goal")? {
            "any" => None,
            number => Some(number.parse().ok()?),
        };
        let mut faults = Faults::NONE;
        for (fault, _, name) in Fault::ALL {
            if let Some(count) = of(lines.peek()?, name) {
                *faults.of_mut(fault) = count.parse().ok()?;
                lines.next();
            }
        }
        let mut value = |name: &str| of(lines.next()?, name);
        let (depth, states) = (value("depth")?.parse().ok()?, value("states")?.parse().ok()?);
        let (symmetry, independence) = (value("symmetry")? == "yes", value("independence")? == "yes");
        let has_failed = value("failed")? == "yes";
        let limits = Limits { faults, depth, states, symmetry, independence, has_failed };
        Some(SearchRequest { goal, limits, session: session.to_owned() })
    }

    /// Creates the search.
    ///
    /// # Errors
    /// Why it cannot start, as a technical message.
    pub fn begin(&self, engines: &Engines) -> Result<Explorer, String> {
        let timeline = Timeline::from_text(&self.session, engines).map_err(|why| why.to_string())?;
        Ok(Explorer::new(timeline.world().clone(), self.goal, self.limits))
    }
}

impl Report {
    /// The current report of a search.
    pub fn of(explorer: &Explorer) -> Report {
        let progress = explorer.progress();
        match explorer.outcome() {
            None => Report::Progress(progress),
            Some(SearchOutcome::Nothing { cut }) => Report::Nothing { progress, cut: *cut },
            Some(SearchOutcome::Broken { property, schedule, .. }) => {
                let schedule = inputs_to_text(explorer.start(), schedule);
                Report::Broken { property: *property, progress, schedule, order: None }
            }
        }
    }

    /// Adds the order that mattered.
    #[must_use]
    pub fn with_order(mut self, pairs: Vec<(usize, usize)>) -> Report {
        if let Report::Broken { order, .. } = &mut self {
            *order = Some(pairs);
        }
        self
    }

    /// The report's text.
    pub fn to_text(&self) -> String {
        match self {
            Report::Progress(progress) => format!("progress {}", written(*progress)),
            Report::Broken { property, progress, schedule, order } => {
                let mut text = format!("broken {property} {}", written(*progress));
                if let Some(pairs) = order {
                    text.push_str(ORDER);
                    for (first, second) in pairs {
                        // Writing to a string cannot fail.
                        let _ = write!(text, " {first}-{second}");
                    }
                }
                format!("{text}\n{schedule}")
            }
            Report::Nothing { progress, cut } => {
                let mut text = format!("nothing {}", written(*progress));
                if let Some((name, _)) = CUTS.iter().find(|(_, known)| Some(*known) == *cut) {
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {name}");
                }
                text
            }
            Report::Refused(why) => format!("refused {why}"),
            Report::BrokeDown(why) => format!("broke-down {why}"),
        }
    }

    /// Parses a report; `None` if the text is not one.
    pub fn from_text(text: &str) -> Option<Report> {
        let (kind, rest) = text.split_once(' ')?;
        Some(match kind {
            "progress" => Report::Progress(read(rest).filter(|(_, after)| after.is_empty())?.0),
            "broken" => {
                let (line, schedule) = rest.split_once('\n')?;
                let (property, line) = line.split_once(' ')?;
                let (progress, after) = read(line)?;
                let order = match after {
                    "" => None,
                    after => Some(pairs(after)?),
                };
                Report::Broken { property: property.parse().ok()?, progress, schedule: schedule.to_owned(), order }
            }
            "nothing" => {
                let (progress, after) = read(rest)?;
                let cut = match after {
                    "" => None,
                    after => Some(CUTS.iter().find(|(name, _)| *name == after)?.1),
                };
                Report::Nothing { progress, cut }
            }
            "refused" => Report::Refused(rest.to_owned()),
            "broke-down" => Report::BrokeDown(rest.to_owned()),
            _ => return None,
        })
    }
}

/// The rest of the line after a name.
fn of<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.strip_prefix(name)?.strip_prefix(' ')
}

fn yes(is_it: bool) -> &'static str {
    if is_it { "yes" } else { "no" }
}

fn written(progress: Progress) -> String {
    let Progress { states, steps, frontier, depth, untested, by_history } = progress;
    format!("{states} {steps} {frontier} {depth} {untested} {by_history}")
}

/// Six numbers, and the text after them.
fn read(text: &str) -> Option<(Progress, &str)> {
    let mut words = text.splitn(7, ' ');
    let mut next = || words.next();
    let (states, steps) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let (frontier, depth) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let (untested, by_history) = (next()?.parse().ok()?, next()?.parse().ok()?);
    Some((Progress { states, steps, frontier, depth, untested, by_history }, next().unwrap_or_default()))
}

/// `order 0-2 5-6`: the earlier step of each pair comes first.
fn pairs(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut words = text.split(' ');
    if words.next()? != ORDER.trim() {
        return None;
    }
    let pair = |word: &str| {
        let (first, second) = word.split_once('-')?;
        let pair: (usize, usize) = (first.parse().ok()?, second.parse().ok()?);
        Some(pair).filter(|(first, second)| first < second)
    };
    words.map(pair).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn progress() -> impl Strategy<Value = Progress> {
        any::<(u32, u32, u32, u32, u32, u32)>().prop_map(|(states, steps, frontier, depth, untested, by_history)| {
            Progress {
                states: states as usize,
                steps: steps as usize,
                frontier: frontier as usize,
                depth,
                untested,
                by_history: by_history as usize,
            }
        })
    }

    /// Pairs of steps, the earlier one first.
    fn some_pairs() -> impl Strategy<Value = Option<Vec<(usize, usize)>>> {
        let pair = (0_usize..90, 1_usize..60).prop_map(|(first, between)| (first, first + between));
        prop::option::of(prop::collection::vec(pair, 0..4))
    }

    fn report() -> impl Strategy<Value = Report> {
        let cut = prop::option::of(prop::sample::select(CUTS.map(|(_, cut)| cut).to_vec()));
        prop_oneof![
            progress().prop_map(Report::Progress),
            (0_usize..40, progress(), "(?s).{0,60}", some_pairs()).prop_map(|(property, progress, schedule, order)| {
                Report::Broken { property, progress, schedule, order }
            }),
            (progress(), cut).prop_map(|(progress, cut)| Report::Nothing { progress, cut }),
            "(?s).{0,60}".prop_map(Report::Refused),
            "(?s).{0,60}".prop_map(Report::BrokeDown),
        ]
    }

    prop_compose! {
        fn request()(
            goal in prop::option::of(0_usize..40),
            faults in any::<(u32, u32, u32)>(),
            rare in any::<(u32, u32, u32)>(),
            of_nodes in any::<(u32, u32, u32, u32, u32)>(),
            is_rare in any::<bool>(),
            depth in any::<u32>(),
            states in any::<u32>(),
            (symmetry, independence, has_failed) in any::<(bool, bool, bool)>(),
            session in "(?s).{0,200}",
        ) -> SearchRequest {
            let (crashes, pauses, losses) = faults;
            let (restarts, clock_jumps, delays) = if is_rare { rare } else { (0, 0, 0) };
            let (node_crashes, node_restarts, node_clock_jumps, cuts, reply_delays) =
                if is_rare { of_nodes } else { (0, 0, 0, 0, 0) };
            let faults = Faults {
                crashes, pauses, losses, restarts, clock_jumps, delays, node_crashes, node_restarts, node_clock_jumps, cuts,
                reply_delays,
            };
            let limits = Limits { faults, depth, states: states as usize, symmetry, independence, has_failed };
            SearchRequest { goal, limits, session }
        }
    }

    proptest! {
        #[test]
        fn request_text_round_trips(request in request()) {
            prop_assert_eq!(SearchRequest::from_text(&request.to_text()), Some(request));
        }

        #[test]
        fn report_text_round_trips(report in report()) {
            prop_assert_eq!(Report::from_text(&report.to_text()), Some(report));
        }

        /// Text that no request and no report begins with.
        #[test]
        fn unrelated_text_is_rejected(text in "(?s).{0,80}", at in 0_usize..8) {
            let words = ["", "explore 2\n", "explored 1\n", "explore\n", "brokens ", "nothingness ", "Broken ", "\n"];
            let text = format!("{}~{text}", words.get(at).copied().unwrap_or_default());
            prop_assert_eq!(SearchRequest::from_text(&text), None);
            prop_assert_eq!(Report::from_text(&text), None);
        }

        /// What is accepted means exactly what it says.
        #[test]
        fn text_with_valid_head_is_rejected_or_read_unchanged(text in "(?s)(explore 1\n|broken |nothing )?.{0,80}") {
            if let Some(request) = SearchRequest::from_text(&text) {
                prop_assert_eq!(SearchRequest::from_text(&request.to_text()), Some(request));
            }
            if let Some(report) = Report::from_text(&text) {
                prop_assert_eq!(Report::from_text(&report.to_text()), Some(report));
            }
        }

        /// An invalid list of pairs is rejected as a whole.
        #[test]
        fn invalid_list_of_pairs_is_rejected(at in 0_usize..9, schedule in "(?s).{0,40}") {
            let wrong = [
                "order ", "order 1", "order 1-", "order -1", "order 2-2", "order 3-2", "order 1-2 ", "orders 1-2", "1-2",
            ];
            let text = format!("broken 2 1 2 3 4 5 6 {}\n{schedule}", wrong[at]);
            prop_assert_eq!(Report::from_text(&text), None);
        }

        #[test]
        fn truncated_or_corrupted_request_is_rejected(request in request(), at in any::<prop::sample::Index>()) {
            let text = request.to_text();
            // The session is the last part and may be any text, so the test corrupts only the text before it.
            let head = text.len() - request.session.len();
            prop_assert_eq!(SearchRequest::from_text(&text[..at.index(head)]), None);
            let spoilt = text.replacen("explore 1", "explore x", 1);
            prop_assert_eq!(SearchRequest::from_text(&spoilt), None);
        }
    }
}
