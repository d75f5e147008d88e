//! A worker of a panel: started for one order, heard while it works, told to stop, and ended when it is silent for too long, when another
//! order is begun and when its panel goes away.
use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::EventTarget;
use yew::prelude::*;

use super::assets::{self, Chunk};
use super::clock::real_ms;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = EventTarget)]
    type Worker;

    #[wasm_bindgen(method, js_name = postMessage, catch)]
    fn post(this: &Worker, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method)]
    fn terminate(this: &Worker);
}

/// A worker that has begun and is silent for so long is taken for dead, in ms: workers speak several times a second.
const SILENCE_MAX_MS: f64 = 20_000.0;
/// One that was told to stop may take this long, in ms.
const STOPPING_MAX_MS: f64 = 2_000.0;
/// How often that is looked at, in ms.
const LOOK_EVERY_MS: u32 = 500;

/// The files of a kind of worker, beside the document.
#[derive(Clone, Copy, Debug)]
pub struct WorkerFiles {
    /// Its own script.
    pub worker: &'static str,
    /// The script of its module.
    pub script: &'static str,
    /// The module.
    pub wasm: &'static str,
}

/// What is heard of a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// It says this.
    Text(String),
    /// It could not be fetched, or broke before it said anything.
    Unreachable,
    /// It broke down, for this reason as far as it is known.
    BrokeDown(String),
    /// It was told to stop and has not answered.
    Stopped,
}

/// The worker of a panel. Cloning shares it.
#[derive(Clone)]
pub struct WorkerHandle {
    running: Rc<RefCell<Option<Running>>>,
}

struct Running {
    /// Tells it from those before and after it.
    number: Rc<()>,
    /// Nothing while it is fetched.
    worker: Option<Listening>,
    onheard: Callback<Heard>,
    has_spoken: bool,
    /// When it was last heard, in ms of the page's clock.
    heard_ms: f64,
    stopped_ms: Option<f64>,
    _look: Interval,
}

struct Listening {
    worker: Worker,
    _listeners: [EventListener; 2],
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl WorkerHandle {
    /// Starts a worker and gives it an order, in place of the one that may be running. It ends itself with any [`Heard`] but text.
    pub fn begin(&self, files: &'static WorkerFiles, order: String, onheard: Callback<Heard>) {
        let number = Rc::new(());
        let look = {
            let handle = self.clone();
            Interval::new(LOOK_EVERY_MS, move || handle.look())
        };
        self.running.replace(Some(Running {
            number: Rc::clone(&number),
            worker: None,
            onheard,
            has_spoken: false,
            heard_ms: real_ms(),
            stopped_ms: None,
            _look: look,
        }));
        let handle = self.clone();
        spawn_local(async move {
            // What it finds may crash nodes and cut links, also where there is one node only. Nothing is awaited between its start and
            // the listening: what it says meanwhile would be lost.
            Chunk::Nodes.ready().await;
            let fetched = assets::worker::<Worker>(files.worker, files.script, files.wasm).await;
            let begun = fetched.ok().filter(|worker| worker.post(&order).is_ok());
            if !handle.is_current(&number) {
                if let Some(worker) = begun {
                    worker.terminate();
                }
                return;
            }
            match begun {
                Some(worker) => handle.listen(worker),
                None => handle.finish(Heard::Unreachable),
            }
        });
    }

    /// Says something to it, which asks it to stop.
    pub fn stop(&self, text: &str) {
        let is_deaf = match &mut *self.running.borrow_mut() {
            Some(running) => {
                running.stopped_ms.get_or_insert_with(real_ms);
                // What is being fetched, or has not begun, has nothing to tell yet.
                let worker = running.worker.as_ref().filter(|_| running.has_spoken);
                worker.is_none_or(|listening| listening.worker.post(text).is_err())
            }
            None => return,
        };
        if is_deaf {
            self.finish(Heard::Stopped);
        }
    }

    /// Ends it.
    pub fn end(&self) {
        // Dropped after the borrow: ending it may be heard.
        let running = self.running.take();
        drop(running);
    }

    fn is_current(&self, number: &Rc<()>) -> bool {
        self.running.borrow().as_ref().is_some_and(|running| Rc::ptr_eq(&running.number, number))
    }

    fn listen(&self, worker: Worker) {
        let field = |event: &web_sys::Event, name: &str| {
            Reflect::get(event, &name.into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
        };
        let listeners = [
            EventListener::new(&worker, "message", {
                let handle = self.clone();
                move |event| handle.hear(field(event, "data"))
            }),
            EventListener::new(&worker, "error", {
                let handle = self.clone();
                move |event| handle.break_down(field(event, "message"))
            }),
        ];
        if let Some(running) = &mut *self.running.borrow_mut() {
            running.worker = Some(Listening { worker, _listeners: listeners });
        }
    }

    fn hear(&self, text: String) {
        let onheard = match &mut *self.running.borrow_mut() {
            Some(running) => {
                running.heard_ms = real_ms();
                running.has_spoken = true;
                running.onheard.clone()
            }
            None => return,
        };
        onheard.emit(Heard::Text(text));
    }

    /// Whatever breaks before it has said anything has kept it from being fetched.
    fn break_down(&self, why: String) {
        let has_spoken = self.running.borrow().as_ref().is_some_and(|running| running.has_spoken);
        self.finish(if has_spoken { Heard::BrokeDown(why) } else { Heard::Unreachable });
    }

    /// Is it still alive? A browser that runs out of memory ends it without a word.
    fn look(&self) {
        let now_ms = real_ms();
        let end = match &*self.running.borrow() {
            Some(Running { stopped_ms: Some(stopped_ms), .. }) if now_ms - stopped_ms > STOPPING_MAX_MS => {
                Heard::Stopped
            }
            Some(Running { has_spoken: true, stopped_ms: None, heard_ms, .. })
                if now_ms - heard_ms > SILENCE_MAX_MS =>
            {
                Heard::BrokeDown(String::new())
            }
            _ => return,
        };
        self.finish(end);
    }

    fn finish(&self, heard: Heard) {
        let running = self.running.take();
        if let Some(running) = running {
            running.onheard.emit(heard);
        }
    }
}

/// The worker of a panel; with the panel it ends.
#[hook]
pub fn use_worker() -> WorkerHandle {
    let running = use_mut_ref(|| None::<Running>);
    let handle = WorkerHandle { running };
    {
        let handle = handle.clone();
        use_effect_with((), move |()| move || handle.end());
    }
    handle
}
