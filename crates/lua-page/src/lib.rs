//! The Lua machine as a module of its own, which the page loads when the first script is typed.
//!
//! The page's module and this one share no memory and exchange bytes (`script::codec`). The page sends an order, and answers
//! what the script asks meanwhile through a function that is called back before `run` returns:
//!
//! ```js
//! const report = lua.run(order, (question) => answer);   // Uint8Array, each of the four
//! ```
//!
//! On the page's side `script::Remote` is the engine over this function; a closure that is lent for the call
//! (`&mut dyn FnMut`) can be passed as the second argument. Programs of virtual clients are played in the same way, and ask
//! nothing meanwhile; `script::program::Remote` is the player over that function:
//!
//! ```js
//! const report = lua.play(order);
//! ```
//!
//! If one of them throws, this module has trapped and its memory cannot be trusted: the page takes a new instance of it and tells
//! `Remote` so with `None`.
// The attribute below generates functions that are called from outside, which takes unsafe code.
#![allow(unsafe_code)]
use js_sys::{Function, Uint8Array};
use lua_machine::{LuaMachine, LuaPlayer};
use script::program::Served;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static MACHINE: RefCell<LuaMachine> = RefCell::new(LuaMachine::new());
    static PLAYER: RefCell<Served<LuaPlayer>> = RefCell::new(Served::new(LuaPlayer::new()));
}

/// Carries out an order and returns the report. `ask` takes a question and returns the answer.
///
/// An order that is none gives an empty report; so does one that comes while another is being carried out.
#[wasm_bindgen]
pub fn run(order: &[u8], ask: &Function) -> Vec<u8> {
    MACHINE.with(|machine| {
        let Ok(mut machine) = machine.try_borrow_mut() else { return Vec::new() };
        script::serve(&mut *machine, order, &mut |question| {
            let question = Uint8Array::from(question);
            match ask.call1(&JsValue::NULL, &question) {
                Ok(answer) => answer.dyn_into::<Uint8Array>().map(|answer| answer.to_vec()).unwrap_or_default(),
                Err(_) => Vec::new(),
            }
        })
    })
}

/// Plays the program of an order to its moment, and returns the report.
///
/// An order that is none gives an empty report.
#[wasm_bindgen]
pub fn play(order: &[u8]) -> Vec<u8> {
    PLAYER.with_borrow_mut(|player| player.serve(order))
}
