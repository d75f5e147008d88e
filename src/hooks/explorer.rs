//! The explorer: a worker of its own for each search (`static/explorer.js`), fetched when the first one is begun. It is heard a
//! few times a second, told to stop, and ended when it is silent, when its search is over and when its panel goes away.
use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use web_sys::EventTarget;
use world::explore::{Cut, Order, Report};
use yew::prelude::*;

use crate::state::explorer::{Beginning, Finding, Search};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = EventTarget)]
    type Worker;

    /// Fetches and starts a worker. In `index.html`.
    #[wasm_bindgen(js_namespace = lockstep, js_name = explorer, catch)]
    fn worker() -> Result<Worker, JsValue>;

    #[wasm_bindgen(method, js_name = postMessage, catch)]
    fn post(this: &Worker, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    fn terminate(this: &Worker);
}

/// What the worker is told to end its search.
const STOP: &str = "stop";
/// A worker that has begun and is silent for so long is taken for dead, in ms: it speaks several times a second.
const SILENCE_MAX_MS: f64 = 20_000.0;
/// One that was told to stop may take this long, in ms.
const STOPPING_MAX_MS: f64 = 2_000.0;
/// How often that is looked at, in ms.
const LOOK_EVERY_MS: u32 = 500;

/// The latest search, and how to begin and to stop one.
#[derive(Clone)]
pub struct ExplorerHandle {
    /// The search that runs, or the last one.
    pub search: Option<Rc<Search>>,
    running: Rc<RefCell<Option<Running>>>,
    set: UseStateSetter<Option<Rc<Search>>>,
}

/// A search that runs.
struct Running {
    worker: Worker,
    search: Search,
    /// When the explorer was there and began, in ms of the page's clock.
    begun_ms: Option<f64>,
    /// When it was last heard.
    heard_ms: f64,
    /// When it was told to stop.
    stopped_ms: Option<f64>,
    _listeners: [EventListener; 2],
    _look: Interval,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl ExplorerHandle {
    /// Begins a search, in place of the one that may be running.
    pub fn begin(&self, beginning: Beginning, order: &Order) {
        self.running.take();
        let search = Search::new(beginning);
        self.set.set(Some(Rc::new(search.clone())));
        let begun = worker().and_then(|worker| worker.post(&order.to_text()).map(|()| worker));
        let Ok(worker) = begun else {
            self.set.set(Some(Rc::new(search.ended(Finding::Unreachable))));
            return;
        };
        let listeners = [
            EventListener::new(&worker, "message", {
                let handle = self.clone();
                move |event| {
                    let data = Reflect::get(event, &"data".into()).ok().and_then(|data| data.as_string());
                    handle.hear(&data.unwrap_or_default());
                }
            }),
            EventListener::new(&worker, "error", {
                let handle = self.clone();
                move |event| {
                    let why = Reflect::get(event, &"message".into()).ok().and_then(|why| why.as_string());
                    handle.break_down(why.unwrap_or_default());
                }
            }),
        ];
        let look = {
            let handle = self.clone();
            Interval::new(LOOK_EVERY_MS, move || handle.look())
        };
        self.running.replace(Some(Running {
            worker,
            search,
            begun_ms: None,
            heard_ms: now_ms(),
            stopped_ms: None,
            _listeners: listeners,
            _look: look,
        }));
    }

    /// Asks for an end.
    pub fn stop(&self) {
        let is_deaf = match &mut *self.running.borrow_mut() {
            // What is being fetched has nothing to tell yet.
            Some(running) => {
                running.stopped_ms.get_or_insert_with(now_ms);
                running.begun_ms.is_none() || running.worker.post(STOP).is_err()
            }
            None => return,
        };
        if is_deaf {
            self.end(Finding::Nothing { cut: Some(Cut::Stopped) });
        }
    }

    fn hear(&self, text: &str) {
        let heard = {
            let mut running = self.running.borrow_mut();
            let Some(running) = running.as_mut() else { return };
            running.heard_ms = now_ms();
            match Report::from_text(text) {
                Some(Report::BrokeDown(why)) => Err(why),
                None => Err(text.to_owned()),
                Some(report) => {
                    let begun_ms = *running.begun_ms.get_or_insert(running.heard_ms);
                    running.search = running.search.after(report, running.heard_ms - begun_ms);
                    Ok(running.search.clone())
                }
            }
        };
        match heard {
            Err(why) => self.break_down(why),
            Ok(search) => {
                if search.finding.is_some() {
                    self.running.take();
                }
                self.set.set(Some(Rc::new(search)));
            }
        }
    }

    /// Whatever breaks before the explorer has begun has kept it from being fetched.
    fn break_down(&self, why: String) {
        let has_begun = self.running.borrow().as_ref().is_some_and(|running| running.begun_ms.is_some());
        self.end(if has_begun { Finding::BrokeDown(why) } else { Finding::Unreachable });
    }

    /// Is the worker still alive? A browser that runs out of memory ends it without a word.
    fn look(&self) {
        let (since, most) = match &*self.running.borrow() {
            Some(Running { stopped_ms: Some(stopped_ms), .. }) => (*stopped_ms, STOPPING_MAX_MS),
            Some(Running { begun_ms: Some(_), heard_ms, .. }) => (*heard_ms, SILENCE_MAX_MS),
            _ => return,
        };
        if now_ms() - since > most {
            self.end(if most == STOPPING_MAX_MS {
                Finding::Nothing { cut: Some(Cut::Stopped) }
            } else {
                Finding::BrokeDown(String::new())
            });
        }
    }

    /// Ends the search from this side.
    fn end(&self, finding: Finding) {
        if let Some(running) = self.running.take() {
            self.set.set(Some(Rc::new(running.search.ended(finding))));
        }
    }
}

/// The explorer of a panel; with the panel its search ends.
#[hook]
pub fn use_explorer() -> ExplorerHandle {
    let search = use_state(|| None::<Rc<Search>>);
    let running = use_mut_ref(|| None::<Running>);
    {
        let running = Rc::clone(&running);
        use_effect_with((), move |()| move || drop(running.take()));
    }
    ExplorerHandle { search: (*search).clone(), running, set: search.setter() }
}

/// The page's clock, in ms.
fn now_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}
