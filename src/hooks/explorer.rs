//! The explorer: one worker for each search (`static/explorer.js`), which reports a few times a second.
use std::cell::RefCell;
use std::rc::Rc;

use world::explore::{Cut, Report, SearchRequest};
use yew::prelude::*;

use super::clock::real_ms;
use super::worker::{Heard, WorkerFiles, WorkerHandle, use_worker};
use crate::state::explorer::{Beginning, Finding, Search};

/// Message that makes the worker end its search.
const STOP: &str = "stop";
/// Files of the worker.
pub(super) const WORKER: WorkerFiles =
    WorkerFiles { worker: "explorer.js", script: "explorer-page.js", wasm: "explorer-page_bg.wasm" };
/// The same files as a list, for prefetching.
pub const FILES: [&str; 3] = [WORKER.worker, WORKER.script, WORKER.wasm];

/// The latest search, and functions that start and stop one.
#[derive(Clone)]
pub struct ExplorerHandle {
    /// The running search, or else the last one.
    pub search: Option<Rc<Search>>,
    worker: WorkerHandle,
    running: Rc<RefCell<Option<Running>>>,
    set: UseStateSetter<Option<Rc<Search>>>,
}

/// A running search.
struct Running {
    search: Search,
    /// When the explorer sent its first report, in ms of the page's clock.
    begun_ms: Option<f64>,
}

impl ExplorerHandle {
    /// Starts a search and cancels the running one.
    pub fn begin(&self, beginning: Beginning, request: &SearchRequest) {
        let search = Search::new(beginning);
        self.set.set(Some(Rc::new(search.clone())));
        self.running.replace(Some(Running { search, begun_ms: None }));
        let handle = self.clone();
        let onheard = Callback::from(move |heard: Heard| handle.hear(heard));
        self.worker.begin(&WORKER, request.to_text(), onheard);
    }

    /// Requests the end of the search.
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

    /// A failure before the first report means that the explorer could not be fetched.
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

/// The explorer of a panel. Its search ends when the panel is unmounted.
#[hook]
pub fn use_explorer() -> ExplorerHandle {
    let search = use_state(|| None::<Rc<Search>>);
    let running = use_mut_ref(|| None::<Running>);
    let worker = use_worker();
    ExplorerHandle { search: (*search).clone(), worker, running, set: search.setter() }
}
