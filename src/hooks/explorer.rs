//! The explorer: a worker of its own for each search (`static/explorer.js`), which is heard a few times a second.
use std::cell::RefCell;
use std::rc::Rc;

use world::explore::{Cut, Order, Report};
use yew::prelude::*;

use super::clock::real_ms;
use super::worker::{Heard, WorkerFiles, WorkerHandle, use_worker};
use crate::state::explorer::{Beginning, Finding, Search};

/// What the worker is told to end its search.
const STOP: &str = "stop";
/// What it is made of.
pub(super) const WORKER: WorkerFiles =
    WorkerFiles { worker: "explorer.js", script: "explorer-page.js", wasm: "explorer-page_bg.wasm" };
/// All that the explorer is made of.
pub const FILES: [&str; 3] = [WORKER.worker, WORKER.script, WORKER.wasm];

/// The latest search, and how to begin and to stop one.
#[derive(Clone)]
pub struct ExplorerHandle {
    /// The search that runs, or the last one.
    pub search: Option<Rc<Search>>,
    worker: WorkerHandle,
    running: Rc<RefCell<Option<Running>>>,
    set: UseStateSetter<Option<Rc<Search>>>,
}

/// A search that runs.
struct Running {
    search: Search,
    /// When the explorer was there and began, in ms of the page's clock.
    begun_ms: Option<f64>,
}

impl ExplorerHandle {
    /// Begins a search, in place of the one that may be running.
    pub fn begin(&self, beginning: Beginning, order: &Order) {
        let search = Search::new(beginning);
        self.set.set(Some(Rc::new(search.clone())));
        self.running.replace(Some(Running { search, begun_ms: None }));
        let handle = self.clone();
        let onheard = Callback::from(move |heard: Heard| handle.hear(heard));
        self.worker.begin(&WORKER, order.to_text(), onheard);
    }

    /// Asks for an end.
    pub fn stop(&self) {
        self.worker.stop(STOP);
    }

    fn hear(&self, heard: Heard) {
        let finding = match heard {
            Heard::Text(text) => match Report::from_text(&text) {
                Some(Report::BrokeDown(why)) => self.broken_down(why),
                None => self.broken_down(text),
                Some(report) => return self.go_on(report),
            },
            Heard::Unreachable => Finding::Unreachable,
            Heard::BrokeDown(why) => Finding::BrokeDown(why),
            Heard::Stopped => Finding::Nothing { cut: Some(Cut::Stopped) },
        };
        self.worker.end();
        let running = self.running.take();
        if let Some(running) = running {
            self.set.set(Some(Rc::new(running.search.ended(finding))));
        }
    }

    /// Whatever breaks before the explorer has begun has kept it from being fetched.
    fn broken_down(&self, why: String) -> Finding {
        let has_begun = self.running.borrow().as_ref().is_some_and(|running| running.begun_ms.is_some());
        if has_begun { Finding::BrokeDown(why) } else { Finding::Unreachable }
    }

    fn go_on(&self, report: Report) {
        let search = {
            let mut running = self.running.borrow_mut();
            let Some(running) = running.as_mut() else { return };
            let now_ms = real_ms();
            let begun_ms = *running.begun_ms.get_or_insert(now_ms);
            running.search = running.search.after(report, now_ms - begun_ms);
            running.search.clone()
        };
        if search.finding.is_some() {
            self.running.take();
            self.worker.end();
        }
        self.set.set(Some(Rc::new(search)));
    }
}

/// The explorer of a panel; with the panel its search ends.
#[hook]
pub fn use_explorer() -> ExplorerHandle {
    let search = use_state(|| None::<Rc<Search>>);
    let running = use_mut_ref(|| None::<Running>);
    let worker = use_worker();
    ExplorerHandle { search: (*search).clone(), worker, running, set: search.setter() }
}
