//! Tests a learner's traffic handler: runs traffic under one variation after the other until a figure is out of bounds.
use std::rc::Rc;

use ::lesson::handling::{Handling, Load};
use ::lesson::{Lesson, Property, Wrong};
use world::claim::Claim;
use world::traffic::bound::Bound;
use world::traffic::trial::{Report, TrialRequest};

/// The result of a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariationOutcome {
    /// Traffic ran to its end: each figure, in the order of the bounds.
    Measured(Vec<Option<u64>>),
    /// The run was stopped.
    Stopped,
    /// The run failed: the worker could not be loaded or crashed, or the session does not open.
    Failed,
}

/// A variation that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Its result.
    pub outcome: VariationOutcome,
    /// Errors in handlers, each with its count.
    pub faults: Vec<(u64, String)>,
}

/// The test of a handler, variation by variation. Cloning shares the lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    lesson: Rc<Lesson>,
    task: String,
    handler: Rc<str>,
    tried: Vec<Tried>,
    /// Requests so far in the variation that is running.
    requests: u64,
}

/// The bound of a property; `None` if it has none, which `lesson check` rules out.
fn bound_of(property: &Property) -> Option<Bound> {
    match Claim::from_text(&property.text)? {
        Claim::Traffic(bound) => Some(bound),
        _ => None,
    }
}

impl Attempt {
    /// A test that starts now.
    pub fn new(lesson: &Rc<Lesson>, task: &str, handler: &Rc<str>) -> Attempt {
        let (lesson, handler) = (Rc::clone(lesson), Rc::clone(handler));
        Attempt { lesson, task: task.to_owned(), handler, tried: Vec::new(), requests: 0 }
    }

    fn handling(&self) -> Option<&Handling> {
        self.lesson.handling(&self.task)
    }

    fn variations(&self) -> &[Load] {
        self.handling().map_or(&[], |handling| &handling.variations)
    }

    /// The handler.
    pub fn handler(&self) -> &Rc<str> {
        &self.handler
    }

    /// Variations that were run so far.
    pub fn tried(&self) -> &[Tried] {
        &self.tried
    }

    /// Requests so far in the variation that is running.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The next request for the worker; `None` once the test is over.
    pub fn request(&self) -> Option<TrialRequest> {
        let load = self.variations().get(self.tried.len()).filter(|_| !self.is_over())?;
        let bounds = load.bounds.iter().map(bound_of).collect::<Option<_>>()?;
        Some(TrialRequest { bounds, session: load.session(&self.lesson, &self.handler) })
    }

    /// The test after this report.
    #[must_use]
    pub fn after(mut self, report: Report) -> Attempt {
        let (outcome, faults) = match report {
            Report::Trying { requests } => {
                self.requests = requests;
                return self;
            }
            Report::Tried { figures, faults } => (VariationOutcome::Measured(figures), faults),
            Report::Stopped => (VariationOutcome::Stopped, Vec::new()),
            Report::Refused(_) | Report::BrokeDown(_) => (VariationOutcome::Failed, Vec::new()),
        };
        self.requests = 0;
        self.tried.push(Tried { outcome, faults });
        self
    }

    /// Whether no variation is left to run.
    pub fn is_over(&self) -> bool {
        let is_last_bad = self.tried.len().checked_sub(1).is_some_and(|last| !self.is_within(last));
        is_last_bad || self.tried.len() >= self.variations().len()
    }

    /// Whether the handler passed every variation.
    pub fn has_passed(&self) -> bool {
        let count = self.variations().len();
        count > 0 && self.tried.len() == count && (0..count).all(|nth| self.is_within(nth))
    }

    /// Whether every figure of this variation is within its bound.
    fn is_within(&self, nth: usize) -> bool {
        let is_measured = |tried: &Tried| matches!(tried.outcome, VariationOutcome::Measured(_));
        self.tried.get(nth).is_some_and(is_measured) && self.measured(nth).iter().all(|one| one.is_within())
    }

    /// The figures of a variation with their bounds.
    pub fn measured(&self, nth: usize) -> Vec<Measured<'_>> {
        let (Some(load), Some(Tried { outcome: VariationOutcome::Measured(figures), .. })) =
            (self.variations().get(nth), self.tried.get(nth))
        else {
            return Vec::new();
        };
        let measured = |(property, figure): (_, &Option<u64>)| {
            Some(Measured { property, bound: bound_of(property)?, figure: *figure })
        };
        load.bounds.iter().zip(figures).filter_map(measured).collect()
    }

    /// The known mistake with exactly this handler. Another handler with the same result may fail for another reason.
    pub fn known(&self) -> Option<&Wrong> {
        self.handling()?.wrong.iter().find(|wrong| wrong.text.trim() == self.handler.trim())
    }

    /// If the last variation failed: its stage as the text of a session, and the input lines that follow.
    pub fn shown(&self) -> Option<(String, &[String])> {
        let last = self.tried.len().checked_sub(1)?;
        let load = self.variations().get(last).filter(|_| !self.is_within(last))?;
        Some((load.varied(&self.lesson, &self.handler).session(&[]), &load.inputs))
    }
}

/// A figure and its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<'a> {
    /// The property, which has the figure's name.
    pub property: &'a Property,
    /// The bound.
    pub bound: Bound,
    /// The figure; `None` if nothing was counted.
    pub figure: Option<u64>,
}

impl Measured<'_> {
    /// Whether the figure is within the bound.
    pub fn is_within(&self) -> bool {
        self.figure.is_some_and(|figure| self.bound.allows(figure))
    }
}

#[cfg(test)]
mod tests {
    use ::lesson::{Task, TaskKind};

    use super::*;

    fn lesson() -> Rc<Lesson> {
        let bound = |id: &str, text: &str| Property { id: id.into(), text: text.into(), ..Property::default() };
        let load = |id: &str| Load {
            id: id.into(),
            traffic: "rate 0:50".into(),
            inputs: vec!["@+1000ms".into()],
            bounds: vec![bound("few", "traffic queries in * 20"), bound("right", "traffic wrong in * 0")],
            ..Load::default()
        };
        let wrong = Wrong { text: "known\n".into(), ..Wrong::default() };
        let handling =
            Handling { wrong: vec![wrong], variations: vec![load("one"), load("two")], ..Handling::default() };
        let task = Task { id: "t".into(), kind: TaskKind::Handler(handling.into()), ..Task::default() };
        Rc::new(Lesson { tasks: vec![task], ..Lesson::default() })
    }

    fn tried(figures: &[Option<u64>]) -> Report {
        Report::Tried { figures: figures.to_vec(), faults: Vec::new() }
    }

    #[test]
    fn handler_passes_when_every_figure_is_within_its_bound() {
        let attempt = Attempt::new(&lesson(), "t", &"mine".into());
        let request = attempt.request().unwrap();
        assert_eq!(request.bounds.len(), 2);
        assert!(request.session.contains("@traffic begin rate 0:50 lua \"mine\"\n@+1000ms\n"));
        let attempt = attempt.after(Report::Trying { requests: 7 });
        assert_eq!((attempt.requests(), attempt.is_over()), (7, false));
        let attempt = attempt.after(tried(&[Some(20), Some(0)]));
        assert!(!attempt.is_over() && !attempt.has_passed() && attempt.request().is_some());
        let attempt = attempt.after(tried(&[Some(3), Some(0)]));
        assert!(attempt.is_over() && attempt.has_passed() && attempt.request().is_none() && attempt.shown().is_none());
    }

    #[test]
    fn any_other_report_ends_the_test_as_failed() {
        for report in [
            tried(&[Some(21), Some(0)]),
            tried(&[Some(1), None]),
            Report::Stopped,
            Report::Refused(String::new()),
            Report::BrokeDown(String::new()),
        ] {
            let attempt = Attempt::new(&lesson(), "t", &"known".into()).after(report.clone());
            assert!(attempt.is_over() && !attempt.has_passed() && attempt.request().is_none(), "{report:?}");
            assert!(attempt.shown().is_some() && attempt.known().is_some(), "{report:?}");
        }
        let none = Attempt::new(&lesson(), "other", &"mine".into());
        assert!(none.is_over() && !none.has_passed() && none.request().is_none());
    }
}
