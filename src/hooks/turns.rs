//! Taking turns: what is drawn first is drawn at once, and the rest one after the other, each in a task of its own, so that a page that
//! opens never holds up a key press for long.
use std::cell::RefCell;
use std::collections::VecDeque;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

thread_local! {
    /// Who waits for a turn, the first one first.
    static WAITING: RefCell<VecDeque<Callback<()>>> = const { RefCell::new(VecDeque::new()) };
}

/// Calls this in a task of its own, after all that have asked before.
fn in_turn(call: Callback<()>) {
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push_back(call);
        waiting.len() == 1
    });
    if is_first {
        Timeout::new(0, next).forget();
    }
}

fn next() {
    let Some(call) = WAITING.with_borrow(|waiting| waiting.front().cloned()) else { return };
    call.emit(());
    let has_more = WAITING.with_borrow_mut(|waiting| {
        waiting.pop_front();
        !waiting.is_empty()
    });
    if has_more {
        Timeout::new(0, next).forget();
    }
}

/// Whether the component may draw what it has: at once where that is urgent, otherwise when its turn has come.
#[hook]
pub fn use_turn(is_urgent: bool) -> bool {
    let is_due = use_state_eq(|| is_urgent);
    let set = is_due.setter();
    use_effect_with((), move |()| {
        if !is_urgent {
            in_turn(Callback::from(move |()| set.set(true)));
        }
    });
    *is_due || is_urgent
}
