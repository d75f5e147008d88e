//! Trials of a handler: a worker plays traffic, one variation after the other.
use std::cell::RefCell;
use std::rc::Rc;

use world::traffic::trial::Report;
use yew::prelude::*;

use super::explorer::WORKER;
use super::worker::{Heard, WorkerHandle, use_worker};
use crate::state::handling::Attempt;

/// Message that makes the worker stop.
const STOP: &str = "stop";
/// Start of the worker's first message, the same for every kind of request.
const BEGINS: &str = "progress ";

/// The latest attempt, and functions that start and stop one.
#[derive(Clone)]
pub struct TrialHandle {
    /// The running attempt, or else the last one.
    pub attempt: Option<Rc<Attempt>>,
    worker: WorkerHandle,
    newest: Rc<RefCell<Option<Attempt>>>,
    set: UseStateSetter<Option<Rc<Attempt>>>,
    onend: Callback<Rc<Attempt>>,
}

impl TrialHandle {
    /// Starts an attempt and cancels the running one.
    pub fn begin(&self, attempt: Attempt) {
        self.show(attempt);
        self.request_next();
    }

    /// Requests the end of the attempt.
    pub fn stop(&self) {
        self.worker.stop(STOP);
    }

    /// Whether an attempt is running.
    pub fn is_running(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| !attempt.is_over())
    }

    fn show(&self, attempt: Attempt) {
        self.newest.replace(Some(attempt.clone()));
        self.set.set(Some(Rc::new(attempt)));
    }

    /// Sends the next variation to the worker.
    fn request_next(&self) {
        let request = self.newest.borrow().as_ref().and_then(Attempt::request);
        if let Some(request) = request {
            let handle = self.clone();
            self.worker.begin(&WORKER, request.to_text(), Callback::from(move |heard| handle.hear(heard)));
        }
    }

    fn hear(&self, heard: Heard) {
        let report = match heard {
            Heard::Text(text) if text.starts_with(BEGINS) => Report::Trying { requests: 0 },
            Heard::Text(text) => Report::from_text(&text).unwrap_or(Report::BrokeDown(text)),
            Heard::Unreachable => Report::BrokeDown(String::new()),
            Heard::BrokeDown(why) => Report::BrokeDown(why),
            Heard::Stopped => Report::Stopped,
        };
        let Some(attempt) = self.newest.take() else { return };
        let before = attempt.tried().len();
        let attempt = attempt.after(report);
        let has_ended = attempt.tried().len() > before;
        let is_over = attempt.is_over();
        if has_ended {
            self.worker.end();
        }
        self.show(attempt.clone());
        if is_over {
            self.onend.emit(Rc::new(attempt));
        } else if has_ended {
            self.request_next();
        }
    }
}

/// The trials of a panel. The panel is notified of each finished attempt; the worker ends when the panel is unmounted.
#[hook]
pub fn use_trial(onend: Callback<Rc<Attempt>>) -> TrialHandle {
    let attempt = use_state(|| None::<Rc<Attempt>>);
    let newest = use_mut_ref(|| None::<Attempt>);
    let worker = use_worker();
    TrialHandle { attempt: (*attempt).clone(), worker, newest, set: attempt.setter(), onend }
}
