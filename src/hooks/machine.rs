//! The machine that runs scripts and programs: a separate WebAssembly module, fetched when the first script or program is needed. It comes in
//! two parts: what lessons call, and the rest.
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

use super::assets::{self, Chunk};

#[wasm_bindgen]
extern "C" {
    /// An instance of the module. Instances share nothing.
    type Machine;

    /// The bundle `static/machine.js`.
    type Starter;

    /// Fetches and starts an instance, without its second part; `nth` is its number, unique in the page.
    #[wasm_bindgen(method, catch)]
    async fn machine(this: &Starter, nth: u32) -> Result<JsValue, JsValue>;

    /// Returns once the instance also has its second part.
    #[wasm_bindgen(method, catch)]
    async fn whole(this: &Machine) -> Result<JsValue, JsValue>;

    /// Executes an order and returns its report; `ask` answers its questions meanwhile. Throws if the module has trapped.
    #[wasm_bindgen(method, catch)]
    fn run(this: &Machine, order: &[u8], ask: &mut dyn FnMut(Vec<u8>) -> Vec<u8>) -> Result<Vec<u8>, JsValue>;

    /// Like `run`, for a script that may take long. Returns `None` if the script was paused at the end of a slice, which needs a browser
    /// that can suspend a module's stack (JSPI). In other browsers the script runs to its end. `is_alone`: the code that goes on with a
    /// paused script is not loaded, so the first slice is longer.
    #[wasm_bindgen(method, catch)]
    fn begin(
        this: &Machine,
        order: &[u8],
        ask: &mut dyn FnMut(Vec<u8>) -> Vec<u8>,
        is_alone: bool,
    ) -> Result<Option<Vec<u8>>, JsValue>;

    /// Runs the next slice, after pending tasks of the browser. Returns the report if the script has ended, undefined if it was paused
    /// again.
    #[wasm_bindgen(method, catch, js_name = goOn)]
    async fn go_on(this: &Machine, ask: &Closure<dyn FnMut(Vec<u8>) -> Vec<u8>>) -> Result<JsValue, JsValue>;

    /// Plays a program and returns its report. Throws if the module has trapped.
    #[wasm_bindgen(method, catch)]
    fn play(this: &Machine, order: &[u8]) -> Result<Vec<u8>, JsValue>;
}

/// The script that starts instances.
const STARTER: &str = "machine.js";
/// The files of the machine's first part, next to the document.
pub const FILES: [&str; 4] = [STARTER, "lua-page.js", "lua-page_bg.wasm", "breathe.js"];
/// Its second part.
pub const SECOND_PART: &str = "lua-page_rest.wasm";

thread_local! {
    /// The engines of all worlds of the page; empty until the module is loaded.
    static ENGINES: Engines = Engines::default();
    /// The instance in use.
    static INSTANCE: Instance = Instance::default();
    /// Whether an instance has had both parts. What one has fetched, the next has at once.
    static IS_WHOLE: Cell<bool> = const { Cell::new(false) };
    /// Number of instances fetched so far.
    static FETCHED: Cell<u32> = const { Cell::new(0) };
}

/// A warm-up program that uses what most programs use.
const FIRST: &[u8] =
    b"local function get(key) return redis.call('GET', key) end\nfor nth = 1, 2 do get('k' .. nth) end";

/// The instance in use; `None` while its replacement is being fetched.
type Instance = Rc<RefCell<Option<Rc<Machine>>>>;

thread_local! {
    /// Messages between a paused script and its server.
    static SAID: ModuleMessage = ModuleMessage::default();
    /// The instance in which the paused script runs.
    static PACED: RefCell<Option<(Rc<Machine>, Instance)>> = const { RefCell::new(None) };
    /// Whether a script runs in slices.
    static IS_PACING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a script runs in slices. Others should wait for it: a second script would run in one piece.
pub fn is_pacing() -> bool {
    IS_PACING.get()
}

/// Messages between a paused script and its server. `question` or `report` is set when the server has to continue.
#[derive(Default)]
struct ModuleMessage {
    question: RefCell<Option<Vec<u8>>>,
    /// The report; `Some(None)` if the machine has trapped.
    report: RefCell<Option<Option<Vec<u8>>>>,
    answer: RefCell<Vec<u8>>,
}

/// A module that can pause in the middle of a script.
struct Paced(Instance);

impl Module for Paced {
    fn run(&mut self, order: &[u8], ask: script::Ask<'_>) -> Option<Vec<u8>> {
        use_or_replace(&self.0, |machine| machine.run(order, &mut |question: Vec<u8>| ask(&question)))
    }

    fn begin(&mut self, order: &[u8], ask: script::Ask<'_>) -> Slice {
        if is_pacing() {
            return Slice::Ended(self.run(order, ask));
        }
        // No short script should have to wait for that code, even if the processor is busy.
        let is_alone = !Chunk::Rest.is_here();
        let begun =
            use_or_replace(&self.0, |machine| machine.begin(order, &mut |question: Vec<u8>| ask(&question), is_alone));
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

/// Runs a script to its end in slices, between which the page stays responsive. After each slice, `goes_on` receives the number of commands
/// called so far and returns false to stop the script. Returns `None` if the script was stopped.
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
        // The module has trapped.
        replace(&instance);
    }
    let mut rehearsal = running.take()?;
    SAID.with(|said| said.report.replace(Some(report)));
    rehearsal.go_on().then_some(rehearsal)
}

/// The module could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

/// The engines of all worlds of the page. Worlds may receive them before the module is loaded.
pub fn engines() -> Engines {
    ENGINES.with(Engines::clone)
}

/// Whether the module is loaded, so that any script and program runs without waiting.
pub fn is_here() -> bool {
    engines().scripts.is_installed() && IS_WHOLE.get()
}

/// Loads the module and returns once any script and program can run.
///
/// # Errors
/// When the module could not be fetched; the next call tries again.
pub async fn ready() -> Result<(), Unreachable> {
    ready_for_lessons().await?;
    let instance = INSTANCE.with(Rc::clone);
    let machine = instance.borrow().clone();
    // The module has trapped, and the next instance is on its way.
    let Some(machine) = machine else { return Ok(()) };
    machine.whole().await.map_err(|_| Unreachable)?;
    IS_WHOLE.set(true);
    Ok(())
}

/// Loads the first part of the module and returns once the programs and scripts of lessons can run. Another one may have to wait for the
/// second part, which follows at once, with everything else.
///
/// # Errors
/// When the module could not be fetched; the next call tries again.
pub async fn ready_for_lessons() -> Result<(), Unreachable> {
    if engines().scripts.is_installed() {
        return Ok(());
    }
    // Each names the next; asked for one after the other, they would take a round trip each.
    assets::request(&FILES);
    assets::ready([Chunk::Scripts]).await;
    let first = Rc::new(fetch().await?);
    let instance = INSTANCE.with(Rc::clone);
    *instance.borrow_mut() = Some(first);
    let player = Rc::clone(&instance);
    let plays = move |order: &[u8]| use_or_replace(&player, |machine| machine.play(order));
    engines().install(Box::new(Remote::new(Paced(instance))), Box::new(program::Remote::new(plays)));
    // The browser compiles a function on its first call. Together with the environment of programs this takes as long as many steps, so it
    // is done here in a task of its own and not in that of the first step.
    TimeoutFuture::new(0).await;
    engines().programs.scene(&Bytes::from_static(FIRST), &History::default()).ok();
    TimeoutFuture::new(0).await;
    Ok(())
}

/// Calls the machine. Returns `None` if it has trapped: its memory can no longer be trusted, so the instance is replaced.
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
