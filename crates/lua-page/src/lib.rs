//! The Lua machine as a separate wasm module, which the page loads when the first script is typed.
//!
//! The page's module and this one share no memory and exchange bytes (`script::codec`). The page sends an order, and answers
//! the script's questions through a callback that is called before `run` returns:
//!
//! ```js
//! const report = lua.run(order, (question) => answer);   // Uint8Array, each of the four
//! ```
//!
//! On the page's side, `script::Remote` is the engine that uses this function; a borrowed closure
//! (`&mut dyn FnMut`) can be passed as the second argument. Programs of virtual clients are played in the same way, but
//! without questions; `script::program::Remote` is the player that uses this function:
//!
//! ```js
//! const report = lua.play(order);
//! ```
//!
//! If one of them throws, this module has trapped and its memory cannot be trusted: the page creates a new instance of the module and
//! returns `None` to `Remote`.
//!
//! A script that may take long has a machine of its own, which pauses after a question when its slice is over (`breathe`): the
//! browser suspends the stack there, while the page and other scripts and programs in this module continue.
//!
//! ```js
//! lua.prepare(order); await WebAssembly.promising(exports.carry_out)(ask); const report = lua.report();
//! ```
// The attribute below generates exported functions, which need unsafe code; so does the imported function of the page that is
// called without generated glue code, because a stack with JavaScript frames could not be suspended.
#![allow(unsafe_code)]
use js_sys::{Function, Uint8Array};
use lua_machine::{LuaMachine, LuaPlayer};
use script::program::Served;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// The allocator: smaller than Rust's default, and not slower.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A native build pauses a script by its instruction count; here it asks the page, which checks the clock.
const ASKS_AFTER: u64 = 1;

thread_local! {
    static MACHINE: RefCell<LuaMachine> = RefCell::new(LuaMachine::new());
    static PACED: RefCell<LuaMachine> = RefCell::new(LuaMachine::in_slices(ASKS_AFTER));
    static PLAYER: RefCell<Served<LuaPlayer>> = RefCell::new(Served::new(LuaPlayer::for_one_schedule()));
    static ORDER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    static REPORT: Cell<Option<Vec<u8>>> = const { Cell::new(None) };
}

#[link(wasm_import_module = "./breathe.js")]
unsafe extern "C" {
    /// 1 when a slice is over.
    #[link_name = "isTime"]
    safe fn is_time() -> u32;
    /// Suspends until the next slice begins.
    safe fn breathe();
}

/// Runs an order and returns the report. `ask` takes a question and returns the answer.
///
/// A malformed order gives an empty report; so does an order during another one.
#[wasm_bindgen]
pub fn run(order: &[u8], ask: &Function) -> Vec<u8> {
    MACHINE.with(|machine| {
        let Ok(mut machine) = machine.try_borrow_mut() else { return Vec::new() };
        script::serve(&mut *machine, order, &mut |question| answer(ask, question))
    })
}

/// Stores an order for [`carry_out`].
#[wasm_bindgen]
pub fn prepare(order: Vec<u8>) {
    ORDER.set(order);
    REPORT.set(None);
}

/// Runs the stored order like [`run`], but suspends after each slice.
#[wasm_bindgen]
pub fn carry_out(ask: &Function) {
    let order = ORDER.take();
    let report = PACED.with(|machine| {
        let Ok(mut machine) = machine.try_borrow_mut() else { return Vec::new() };
        script::serve(&mut *machine, &order, &mut |question| {
            let answer = answer(ask, question);
            if is_time() != 0 {
                breathe();
            }
            answer
        })
    });
    REPORT.set(Some(report));
}

/// The report of the finished order; `None` until then.
#[wasm_bindgen]
pub fn report() -> Option<Vec<u8>> {
    REPORT.take()
}

fn answer(ask: &Function, question: &[u8]) -> Vec<u8> {
    match ask.call1(&JsValue::NULL, &Uint8Array::from(question)) {
        Ok(answer) => answer.dyn_into::<Uint8Array>().map(|answer| answer.to_vec()).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

/// Plays the program of an order through its history, and returns the report.
///
/// A malformed order gives an empty report.
#[wasm_bindgen]
pub fn play(order: &[u8]) -> Vec<u8> {
    PLAYER.with_borrow_mut(|player| player.serve(order))
}
