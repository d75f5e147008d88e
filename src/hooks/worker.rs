//! A worker of a panel. It is started for one request and reports while it works. It is terminated when it is silent for too long, when
//! another request starts, and when its panel is unmounted.
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

/// A started worker that sends nothing for this long counts as dead, in ms: workers report several times a second.
const SILENCE_MAX_MS: f64 = 20_000.0;
/// Time that a worker may take to stop, in ms.
const STOPPING_MAX_MS: f64 = 2_000.0;
/// Interval at which these limits are checked, in ms.
const LOOK_EVERY_MS: u32 = 500;

/// The files of a kind of worker, next to the document.
#[derive(Clone, Copy, Debug)]
pub struct WorkerFiles {
    /// The worker's script.
    pub worker: &'static str,
    /// The JavaScript glue of its WebAssembly module.
    pub script: &'static str,
    /// The WebAssembly module.
    pub wasm: &'static str,
}

/// An event of a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A message.
    Text(String),
    /// It could not be fetched, or failed before its first message.
    Unreachable,
    /// It failed, with the reason if known, otherwise an empty string.
    BrokeDown(String),
    /// It was told to stop and has ended without a reply.
    Stopped,
}

/// The worker of a panel. Clones share it.
#[derive(Clone)]
pub struct WorkerHandle {
    running: Rc<RefCell<Option<Running>>>,
}

struct Running {
    /// Identifies this worker among earlier and later ones.
    number: Rc<()>,
    /// `None` while the worker is being fetched.
    worker: Option<Listening>,
    onheard: Callback<Heard>,
    has_spoken: bool,
    /// When the last message arrived, in ms of the page's clock.
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
    /// Starts a worker with a request and terminates the running one. Any [`Heard`] other than text means that the worker has ended.
    pub fn begin(&self, files: &'static WorkerFiles, request: String, onheard: Callback<Heard>) {
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
            // A schedule that the worker finds may crash nodes and cut links, even with a single node. Nothing may be awaited between
            // starting the worker and listening: its messages in between would be lost.
            Chunk::Nodes.ready().await;
            let fetched = assets::worker::<Worker>(files.worker, files.script, files.wasm).await;
            let begun = fetched.ok().filter(|worker| worker.post(&request).is_ok());
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

    /// Sends a message that asks the worker to stop.
    pub fn stop(&self, text: &str) {
        let is_deaf = match &mut *self.running.borrow_mut() {
            Some(running) => {
                running.stopped_ms.get_or_insert_with(real_ms);
                // A worker that is being fetched or has not sent anything has no result yet, so it is ended at once.
                let worker = running.worker.as_ref().filter(|_| running.has_spoken);
                worker.is_none_or(|listening| listening.worker.post(text).is_err())
            }
            None => return,
        };
        if is_deaf {
            self.finish(Heard::Stopped);
        }
    }

    /// Terminates the worker.
    pub fn end(&self) {
        // Dropped after the borrow has ended, because dropping may run callbacks.
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

    /// A failure before the first message means that the worker could not be fetched.
    fn break_down(&self, why: String) {
        let has_spoken = self.running.borrow().as_ref().is_some_and(|running| running.has_spoken);
        self.finish(if has_spoken { Heard::BrokeDown(why) } else { Heard::Unreachable });
    }

    /// Checks whether the worker is still alive: a browser that runs out of memory ends it without an event.
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

/// The worker of a panel. It is terminated when the panel is unmounted.
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
