//! A check of a repair: one search for each variation, in the explorer's worker, until a variation fails.
use std::rc::Rc;

use yew::prelude::*;

use super::explorer::{ExplorerHandle, use_explorer};
use crate::state::explorer::Search;
use crate::state::repair::{Check, Run};

/// The latest check, and functions that start and stop one.
#[derive(Clone)]
pub struct CheckHandle {
    /// The running check, or else the last one.
    pub run: Option<Rc<Run>>,
    explorer: ExplorerHandle,
    set: UseStateSetter<Option<Rc<Run>>>,
}

impl CheckHandle {
    /// Starts a check and cancels the running one.
    pub fn begin(&self, check: Check) {
        let run = Rc::new(Run::new(Rc::new(check)));
        self.search(&run);
        self.set.set(Some(run));
    }

    /// Requests the end of the check: the variation being searched stays undecided.
    pub fn stop(&self) {
        self.explorer.stop();
    }

    /// Stops the check and discards its results.
    pub fn forget(&self) {
        self.explorer.stop();
        self.set.set(None);
    }

    /// Whether a check is running.
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.is_over())
    }

    /// The running search, or else the last one.
    pub fn search_now(&self) -> Option<&Rc<Search>> {
        self.explorer.search.as_ref()
    }

    fn search(&self, run: &Run) {
        if let Some((beginning, request)) = run.check().search(run.judged().len()) {
            self.explorer.begin(beginning, &request);
        }
    }
}

/// The check of a panel. The panel is notified of each finished check; the search ends when the panel is unmounted.
#[hook]
pub fn use_check(onend: Callback<Rc<Run>>) -> CheckHandle {
    let run = use_state(|| None::<Rc<Run>>);
    let explorer = use_explorer();
    let handle = CheckHandle { run: (*run).clone(), explorer, set: run.setter() };
    {
        let handle = handle.clone();
        let search = handle.explorer.search.clone();
        let is_found = search.as_ref().is_some_and(|search| search.finding.is_some());
        let place = handle.run.as_ref().map(|run| (Rc::as_ptr(run.check()), run.judged().len()));
        use_effect_with((is_found, place), move |_| {
            let (Some(run), Some(search)) = (&handle.run, &search) else { return };
            let Some(next) = run.after(search) else { return };
            let next = Rc::new(next);
            if next.is_over() {
                onend.emit(Rc::clone(&next));
            } else {
                handle.search(&next);
            }
            handle.set.set(Some(next));
        });
    }
    handle
}
