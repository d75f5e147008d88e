//! Searches as text, for an explorer that runs elsewhere: what it is asked, and what it tells meanwhile and in the end.
//!
//! ```text
//! explore 1                          progress 1234 5678 90 7 1 0         states, steps, frontier, depth, which are untested, and worlds
//! goal any                                                               with programs that only their history tells
//! crashes 1                          broken 2 1234 5678 90 7 0 0         the number of the property, how far it had got,
//! clock-jumps 1                      c1< step 0                          and the schedule in the lines of a timeline
//! delays 1                           broken 2 1234 5678 90 7 0 0 order 0-2   the same, and which order mattered: steps from 0,
//! (faults that may happen)           …                                   none where no exchange of two averts it
//! depth 100
//! states 200000                      nothing 1234 5678 0 9 0 0           the whole space
//! symmetry yes                       nothing 1234 5678 90 7 0 0 memory   why something was left out
//! independence yes                   refused …                           what is wrong with the order
//! failed no                          broke-down …                        the explorer is no more
//!
//! lockstep 1                         the text of a session: the search begins where its cursor stands
//! …
//! ```
use std::fmt::Write as _;

use super::{Cut, Explorer, Limits, Outcome, Progress};
use crate::timeline::inputs_to_text;
use crate::{Engines, Fault, Faults, Timeline};

/// Version of these texts; both ends are built together.
const HEAD: &str = "explore 1";
/// What stands before the pairs of an order.
const ORDER: &str = " order";

/// What an explorer is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The number of the property that is looked for; `None`: any.
    pub goal: Option<usize>,
    /// How far to look.
    pub limits: Limits,
    /// A session, whose cursor stands where the search begins.
    pub session: String,
}

/// What it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// How far it has got.
    Progress(Progress),
    /// A shortest schedule that breaks a property.
    Broken {
        /// The property's number.
        property: usize,
        /// How far it had got.
        progress: Progress,
        /// The inputs, for [`crate::timeline::inputs_from_text`].
        schedule: String,
        /// Which order mattered, by [`super::decisive`]; nothing where no one has looked.
        order: Option<Vec<(usize, usize)>>,
    },
    /// None was found.
    Nothing {
        /// How far it has got.
        progress: Progress,
        /// What was left out.
        cut: Option<Cut>,
    },
    /// What it cannot do, in technical words.
    Refused(String),
    /// The explorer has broken down, in technical words.
    BrokeDown(String),
}

const CUTS: [(&str, Cut); 4] =
    [("depth", Cut::Depth), ("states", Cut::States), ("memory", Cut::Memory), ("stopped", Cut::Stopped)];

impl Order {
    /// Its text.
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

    /// The order of a text; `None` when it is none.
    pub fn from_text(text: &str) -> Option<Order> {
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
        Some(Order { goal, limits, session: session.to_owned() })
    }

    /// The search that it asks for.
    ///
    /// # Errors
    /// Why it cannot begin, in technical words.
    pub fn begin(&self, engines: &Engines) -> Result<Explorer, String> {
        let timeline = Timeline::from_text(&self.session, engines).map_err(|why| why.to_string())?;
        Ok(Explorer::new(timeline.world().clone(), self.goal, self.limits))
    }
}

impl Report {
    /// What there is to tell of a search now.
    pub fn of(explorer: &Explorer) -> Report {
        let progress = explorer.progress();
        match explorer.outcome() {
            None => Report::Progress(progress),
            Some(Outcome::Nothing { cut }) => Report::Nothing { progress, cut: *cut },
            Some(Outcome::Broken { property, schedule, .. }) => {
                let schedule = inputs_to_text(explorer.start(), schedule);
                Report::Broken { property: *property, progress, schedule, order: None }
            }
        }
    }

    /// The same with the order that mattered.
    #[must_use]
    pub fn with_order(mut self, pairs: Vec<(usize, usize)>) -> Report {
        if let Report::Broken { order, .. } = &mut self {
            *order = Some(pairs);
        }
        self
    }

    /// Its text.
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

    /// The report of a text; `None` when it is none.
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

/// What stands behind a name on its line.
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

/// Six numbers, and what stands behind them.
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
        fn order()(
            goal in prop::option::of(0_usize..40),
            faults in any::<(u32, u32, u32)>(),
            rare in any::<(u32, u32, u32)>(),
            of_nodes in any::<(u32, u32, u32, u32, u32)>(),
            is_rare in any::<bool>(),
            depth in any::<u32>(),
            states in any::<u32>(),
            (symmetry, independence, has_failed) in any::<(bool, bool, bool)>(),
            session in "(?s).{0,200}",
        ) -> Order {
            let (crashes, pauses, losses) = faults;
            let (restarts, clock_jumps, delays) = if is_rare { rare } else { (0, 0, 0) };
            let (node_crashes, node_restarts, node_clock_jumps, cuts, reply_delays) =
                if is_rare { of_nodes } else { (0, 0, 0, 0, 0) };
            let faults = Faults {
                crashes, pauses, losses, restarts, clock_jumps, delays, node_crashes, node_restarts, node_clock_jumps, cuts,
                reply_delays,
            };
            let limits = Limits { faults, depth, states: states as usize, symmetry, independence, has_failed };
            Order { goal, limits, session }
        }
    }

    proptest! {
        #[test]
        fn an_order_arrives_as_it_was_sent(order in order()) {
            prop_assert_eq!(Order::from_text(&order.to_text()), Some(order));
        }

        #[test]
        fn a_report_arrives_as_it_was_sent(report in report()) {
            prop_assert_eq!(Report::from_text(&report.to_text()), Some(report));
        }

        /// Text that no order and no report begins with.
        #[test]
        fn what_is_neither_is_refused(text in "(?s).{0,80}", at in 0_usize..8) {
            let words = ["", "explore 2\n", "explored 1\n", "explore\n", "brokens ", "nothingness ", "Broken ", "\n"];
            let text = format!("{}~{text}", words.get(at).copied().unwrap_or_default());
            prop_assert_eq!(Order::from_text(&text), None);
            prop_assert_eq!(Report::from_text(&text), None);
        }

        /// What passes all the same means what it says.
        #[test]
        fn what_begins_well_is_refused_or_read_as_it_stands(text in "(?s)(explore 1\n|broken |nothing )?.{0,80}") {
            if let Some(order) = Order::from_text(&text) {
                prop_assert_eq!(Order::from_text(&order.to_text()), Some(order));
            }
            if let Some(report) = Report::from_text(&text) {
                prop_assert_eq!(Report::from_text(&report.to_text()), Some(report));
            }
        }

        /// What is no list of pairs is none by halves either.
        #[test]
        fn an_order_of_steps_that_is_none_is_refused(at in 0_usize..9, schedule in "(?s).{0,40}") {
            let wrong = [
                "order ", "order 1", "order 1-", "order -1", "order 2-2", "order 3-2", "order 1-2 ", "orders 1-2", "1-2",
            ];
            let text = format!("broken 2 1 2 3 4 5 6 {}\n{schedule}", wrong[at]);
            prop_assert_eq!(Report::from_text(&text), None);
        }

        #[test]
        fn an_order_cut_short_or_spoilt_is_refused(order in order(), at in any::<prop::sample::Index>()) {
            let text = order.to_text();
            // The session is the last part and may be any text, so what stands before it is spoilt.
            let head = text.len() - order.session.len();
            prop_assert_eq!(Order::from_text(&text[..at.index(head)]), None);
            let spoilt = text.replacen("explore 1", "explore x", 1);
            prop_assert_eq!(Order::from_text(&spoilt), None);
        }
    }
}
