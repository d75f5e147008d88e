//! The explorer as a separate wasm module in a Web Worker, which the page starts for a bug search. It also plays the traffic of handler
//! trials.
//!
//! ```text
//!   page (src/hooks/explorer.rs)        static/explorer.js              this module
//!   SearchRequest as text ────────────► postMessage ──────────────────► begin
//!   "stop" ───────────────────────────► between two slices ───────────► stop
//!   Report as text ◄─────────────────── a few times a second, and last ◄ carry_on, carry_on_order, report
//! ```
//!
//! It contains its own model and Lua machine: a search plays programs all the time and must not cross module boundaries
//! for that. The script `explorer.js` cuts the search into slices, because a worker receives no messages while it computes.
// The attribute below generates exported functions, which need unsafe code.
#![allow(unsafe_code)]
use std::cell::RefCell;

use lua_machine::{LuaMachine, LuaPlayer};
use wasm_bindgen::prelude::*;
use world::Engines;
use world::explore::{Cut, Exchanges, Explorer, Report, SearchOutcome, SearchRequest};
use world::traffic::trial::{self, Trial};

/// Memory of this module at which a search ends, in bytes. Browsers allow up to 4 GB per module, phones much less.
const MEMORY_MAX: usize = 768 << 20;

/// Worlds between two checks of the memory. A world takes some kilobytes.
const WORLDS_AT_ONCE: usize = 64;

thread_local! {
    static SEARCH: RefCell<Option<Explorer>> = const { RefCell::new(None) };
    static TRIAL: RefCell<Option<Trial<'static>>> = const { RefCell::new(None) };
    static ORDER: RefCell<Option<Ordered>> = const { RefCell::new(None) };
}

/// Finds out which order of steps mattered.
enum Ordered {
    Sought(Exchanges),
    Found(Vec<(usize, usize)>),
}

/// Begins a request; returns the report if it is finished immediately.
#[wasm_bindgen]
pub fn begin(request: &str) -> Option<String> {
    let engines = Engines::new(LuaMachine::new(), LuaPlayer::new());
    if trial::TrialRequest::is_one(request) {
        return begin_trial(request, &engines).err().map(|why| trial::Report::Refused(why).to_text());
    }
    let request = SearchRequest::from_text(request).ok_or_else(|| "this is no request".to_owned());
    let begun = request.and_then(|request| request.begin(&engines));
    match begun {
        Ok(explorer) => SEARCH.set(Some(explorer)),
        Err(why) => return Some(Report::Refused(why).to_text()),
    }
    None
}

fn begin_trial(request: &str, engines: &Engines) -> Result<(), String> {
    let request = trial::TrialRequest::from_text(request).ok_or_else(|| "this is no request".to_owned())?;
    // A worker gets one request and then ends.
    let request: &'static trial::TrialRequest = Box::leak(Box::new(request));
    TRIAL.set(Some(Trial::begin(request, engines)?));
    Ok(())
}

/// Explores some more worlds, or plays some more traffic; true when the search or the trial is finished.
#[wasm_bindgen]
pub fn carry_on() -> bool {
    if let Some(is_over) = trial(Trial::carry_on) {
        return is_over;
    }
    search(|explorer| {
        if memory() > MEMORY_MAX {
            explorer.give_up(Cut::Memory);
        }
        explorer.carry_on(WORLDS_AT_ONCE).is_some()
    })
    .unwrap_or(true)
}

/// Stops the search.
#[wasm_bindgen]
pub fn stop() {
    if trial(Trial::stop).is_some() {
        return;
    }
    search(|explorer| explorer.give_up(Cut::Stopped));
}

/// Continues to find out which order of steps mattered in the schedule found; false when that is done or no schedule was found.
#[wasm_bindgen]
pub fn carry_on_order() -> bool {
    let fresh = || search(|explorer| Some(Ordered::Sought(exchanges(explorer)?))).flatten();
    let (ordered, goes_on) = match ORDER.take().or_else(fresh) {
        Some(Ordered::Sought(mut exchanges)) => match exchanges.carry_on() {
            true => (Some(Ordered::Sought(exchanges)), true),
            false => (Some(Ordered::Found(exchanges.finish())), false),
        },
        other => (other, false),
    };
    ORDER.set(ordered);
    goes_on
}

fn exchanges(explorer: &Explorer) -> Option<Exchanges> {
    match explorer.outcome()? {
        SearchOutcome::Broken { property, schedule, .. } => Some(Exchanges::new(explorer.start(), schedule, *property)),
        SearchOutcome::Nothing { .. } => None,
    }
}

/// The current report.
#[wasm_bindgen]
pub fn report() -> String {
    if let Some(report) = trial(|trial| trial.report()) {
        return report.to_text();
    }
    let report = search(|explorer| Report::of(explorer));
    let report = report.map(|report| match ORDER.take() {
        Some(Ordered::Found(pairs)) => report.with_order(pairs),
        _ => report,
    });
    report.map(|report| report.to_text()).unwrap_or_default()
}

fn trial<T>(act: impl FnOnce(&mut Trial<'static>) -> T) -> Option<T> {
    TRIAL.with_borrow_mut(|trial| trial.as_mut().map(act))
}

fn search<T>(act: impl FnOnce(&mut Explorer) -> T) -> Option<T> {
    SEARCH.with_borrow_mut(|search| search.as_mut().map(act))
}

/// Memory of this module, in bytes; it never shrinks.
fn memory() -> usize {
    #[cfg(target_arch = "wasm32")]
    return core::arch::wasm32::memory_size(0) * 65_536;
    #[cfg(not(target_arch = "wasm32"))]
    0
}
