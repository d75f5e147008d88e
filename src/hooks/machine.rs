//! The machine that runs scripts and plays programs: a module of its own, fetched when the first one is typed or opened.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use script::{Remote, program};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

#[wasm_bindgen]
extern "C" {
    /// An instance of the module. Instances share nothing.
    type Machine;

    /// Fetches and starts an instance; `nth` tells it from those before it. In `index.html`.
    #[wasm_bindgen(js_namespace = lockstep, catch)]
    async fn machine(nth: u32) -> Result<JsValue, JsValue>;

    /// Carries out an order and reports; meanwhile it asks. It throws when it has trapped.
    #[wasm_bindgen(method, catch)]
    fn run(this: &Machine, order: &[u8], ask: &mut dyn FnMut(Vec<u8>) -> Vec<u8>) -> Result<Vec<u8>, JsValue>;

    /// Plays a program and reports. It throws when it has trapped.
    #[wasm_bindgen(method, catch)]
    fn play(this: &Machine, order: &[u8]) -> Result<Vec<u8>, JsValue>;
}

thread_local! {
    /// How many instances have been fetched.
    static FETCHED: Cell<u32> = const { Cell::new(0) };
}

/// The instance in use; none while another is being fetched.
type Instance = Rc<RefCell<Option<Machine>>>;

/// The module could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

/// Can scripts run, and programs be played, at once?
pub fn is_here() -> bool {
    script::installed()
}

/// Returns as soon as scripts can run and programs can be played.
///
/// # Errors
/// When the module could not be fetched; asking again tries again.
pub async fn ready() -> Result<(), Unreachable> {
    if is_here() {
        return Ok(());
    }
    let instance: Instance = Rc::new(RefCell::new(Some(fetch().await?)));
    let player = Rc::clone(&instance);
    script::install(Box::new(Remote::new(move |order: &[u8], ask: script::Ask<'_>| {
        use_or_replace(&instance, |machine| machine.run(order, &mut |question: Vec<u8>| ask(&question)))
    })));
    if cfg!(feature = "programs") {
        program::install(Box::new(program::Remote::new(move |order: &[u8]| {
            use_or_replace(&player, |machine| machine.play(order))
        })));
    }
    Ok(())
}

/// Has the machine do something. `None`: it has trapped and its memory cannot be trusted; another one takes its place.
fn use_or_replace(instance: &Instance, act: impl FnOnce(&Machine) -> Result<Vec<u8>, JsValue>) -> Option<Vec<u8>> {
    let report = act(instance.borrow().as_ref()?).ok();
    if report.is_none() {
        instance.take();
        let instance = Rc::clone(instance);
        spawn_local(async move { *instance.borrow_mut() = fetch().await.ok() });
    }
    report
}

async fn fetch() -> Result<Machine, Unreachable> {
    let nth = FETCHED.get();
    FETCHED.set(nth.wrapping_add(1));
    machine(nth).await.map(JsCast::unchecked_into).map_err(|_| Unreachable)
}
