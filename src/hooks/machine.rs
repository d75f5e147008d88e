//! The machine that runs scripts and plays programs: a module of its own, fetched when the first one is typed or opened.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bytes::Bytes;
use gloo_timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use redis_model::rehearsal::Rehearsal;
use script::program::History;
use script::{Deaf, Module, Remote, Slice, program};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use world::Engines;

use super::assets;

#[wasm_bindgen]
extern "C" {
    /// An instance of the module. Instances share nothing.
    type Machine;

    /// `static/machine.js`
    type Starter;

    /// Fetches and starts an instance; `nth` tells it from those before it.
    #[wasm_bindgen(method, catch)]
    async fn machine(this: &Starter, nth: u32) -> Result<JsValue, JsValue>;

    /// Carries out an order and reports; meanwhile it asks. It throws when it has trapped.
    #[wasm_bindgen(method, catch)]
    fn run(this: &Machine, order: &[u8], ask: &mut dyn FnMut(Vec<u8>) -> Vec<u8>) -> Result<Vec<u8>, JsValue>;

    /// The same for a script that may take long: none when it has given way at the end of a slice, where the browser can leave the
    /// stack of a module and enter it again (JSPI). Elsewhere it runs to its end.
    #[wasm_bindgen(method, catch)]
    fn begin(this: &Machine, order: &[u8], ask: &mut dyn FnMut(Vec<u8>) -> Vec<u8>)
    -> Result<Option<Vec<u8>>, JsValue>;

    /// Runs the next slice, after whatever the browser has to do: its report when it has ended, undefined when it has given way again.
    #[wasm_bindgen(method, catch, js_name = goOn)]
    async fn go_on(this: &Machine, ask: &Closure<dyn FnMut(Vec<u8>) -> Vec<u8>>) -> Result<JsValue, JsValue>;

    /// Plays a program and reports. It throws when it has trapped.
    #[wasm_bindgen(method, catch)]
    fn play(this: &Machine, order: &[u8]) -> Result<Vec<u8>, JsValue>;
}

/// What starts instances, and all that they are made of.
const STARTER: &str = "machine.js";
/// All that it is made of, beside the document.
pub const FILES: [&str; 4] = [STARTER, "lua-page.js", "lua-page_bg.wasm", "breathe.js"];

thread_local! {
    /// What every world of the page runs scripts and plays programs with, once it is here.
    static ENGINES: Engines = Engines::default();
    /// How many instances have been fetched.
    static FETCHED: Cell<u32> = const { Cell::new(0) };
}

/// What is played first: it uses what most programs do.
const FIRST: &[u8] =
    b"local function get(key) return redis.call('GET', key) end\nfor nth = 1, 2 do get('k' .. nth) end";

/// The instance in use; none while another is being fetched.
type Instance = Rc<RefCell<Option<Rc<Machine>>>>;

thread_local! {
    /// What a script that has given way says, and is answered.
    static SAID: Said = Said::default();
    /// The instance in which it runs.
    static PACED: RefCell<Option<(Rc<Machine>, Instance)>> = const { RefCell::new(None) };
    /// Does one run in slices?
    static IS_PACING: Cell<bool> = const { Cell::new(false) };
}

/// Does a script run in slices? Another one has to wait for it: until then it would run in one piece.
pub fn is_pacing() -> bool {
    IS_PACING.get()
}

/// What passes between a script that has given way and its server. One of the first two is there when the server is to go on.
#[derive(Default)]
struct Said {
    question: RefCell<Option<Vec<u8>>>,
    /// The report; none in it: the machine broke down.
    report: RefCell<Option<Option<Vec<u8>>>>,
    answer: RefCell<Vec<u8>>,
}

/// A module that gives way in the midst of a script.
struct Paced(Instance);

impl Module for Paced {
    fn run(&mut self, order: &[u8], ask: script::Ask<'_>) -> Option<Vec<u8>> {
        use_or_replace(&self.0, |machine| machine.run(order, &mut |question: Vec<u8>| ask(&question)))
    }

    fn begin(&mut self, order: &[u8], ask: script::Ask<'_>) -> Slice {
        if is_pacing() {
            return Slice::Ended(self.run(order, ask));
        }
        let begun = use_or_replace(&self.0, |machine| machine.begin(order, &mut |question: Vec<u8>| ask(&question)));
        match begun {
            Some(Some(report)) => Slice::Ended(Some(report)),
            Some(None) => {
                let machine = self.0.borrow().clone();
                PACED.set(machine.map(|machine| (machine, Rc::clone(&self.0))));
                IS_PACING.set(true);
                Slice::Paused
            }
            None => Slice::Ended(None),
        }
    }

    fn go_on(&mut self, ask: script::Ask<'_>) -> Slice {
        SAID.with(|said| {
            if let Some(question) = said.question.take() {
                said.answer.replace(ask(&question));
            }
            said.report.take().map_or(Slice::Paused, Slice::Ended)
        })
    }
}

/// Lets a script run to its end in slices, between which the page goes on. `goes_on` hears after each how many commands it has called;
/// false: it is to stop. None: it was stopped.
pub async fn pace(rehearsal: Rehearsal, mut goes_on: impl FnMut(u64) -> bool) -> Option<Rehearsal> {
    let (machine, instance) = PACED.take()?;
    let running = Rc::new(RefCell::new(Some(rehearsal)));
    let ask = {
        let running = Rc::clone(&running);
        Closure::<dyn FnMut(Vec<u8>) -> Vec<u8>>::new(move |question: Vec<u8>| match running.borrow_mut().as_mut() {
            Some(rehearsal) => SAID.with(|said| {
                said.question.replace(Some(question));
                rehearsal.go_on();
                said.answer.take()
            }),
            None => script::answer(&question, &mut Deaf),
        })
    };
    let report = loop {
        match machine.go_on(&ask).await {
            Ok(report) if report.is_undefined() => {}
            Ok(report) => break report.dyn_into::<Uint8Array>().ok().map(|report| report.to_vec()),
            Err(_) => break None,
        }
        let commands = running.borrow().as_ref().map(Rehearsal::commands);
        if let Some(commands) = commands
            && !goes_on(commands)
        {
            running.take();
        }
    };
    IS_PACING.set(false);
    if report.is_none() {
        // It has trapped.
        replace(&instance);
    }
    let mut rehearsal = running.take()?;
    SAID.with(|said| said.report.replace(Some(report)));
    rehearsal.go_on().then_some(rehearsal)
}

/// The module could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

/// What every world of the page runs scripts and plays programs with. It can be given to worlds before it is here.
pub fn engines() -> Engines {
    ENGINES.with(Engines::clone)
}

/// Can scripts run, and programs be played, at once?
pub fn is_here() -> bool {
    engines().scripts.is_installed()
}

/// Returns as soon as scripts can run and programs can be played.
///
/// # Errors
/// When the module could not be fetched; asking again tries again.
pub async fn ready() -> Result<(), Unreachable> {
    if is_here() {
        return Ok(());
    }
    let instance: Instance = Rc::new(RefCell::new(Some(Rc::new(fetch().await?))));
    let player = Rc::clone(&instance);
    let plays = move |order: &[u8]| use_or_replace(&player, |machine| machine.play(order));
    engines().install(Box::new(Remote::new(Paced(instance))), Box::new(program::Remote::new(plays)));
    // The browser compiles a function when it is first called. That and the environment of programs take as long as many steps, so they
    // come in a task of their own and not in that of the first step.
    TimeoutFuture::new(0).await;
    engines().programs.scene(&Bytes::from_static(FIRST), &History::default()).ok();
    TimeoutFuture::new(0).await;
    Ok(())
}

/// Has the machine do something. `None`: it has trapped and its memory cannot be trusted; another one takes its place.
fn use_or_replace<T>(instance: &Instance, act: impl FnOnce(&Machine) -> Result<T, JsValue>) -> Option<T> {
    let machine = instance.borrow().clone()?;
    let done = act(&machine).ok();
    if done.is_none() {
        replace(instance);
    }
    done
}

fn replace(instance: &Instance) {
    instance.take();
    let instance = Rc::clone(instance);
    spawn_local(async move { *instance.borrow_mut() = fetch().await.ok().map(Rc::new) });
}

async fn fetch() -> Result<Machine, Unreachable> {
    let nth = FETCHED.get();
    FETCHED.set(nth.wrapping_add(1));
    let starter = assets::module::<Starter>(STARTER).await.map_err(|_| Unreachable)?;
    starter.machine(nth).await.map(JsCast::unchecked_into).map_err(|_| Unreachable)
}
