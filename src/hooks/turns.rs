//! Staggered rendering: urgent components render at once, the others one by one, each in a task of its own, so that opening a page never
//! delays a key press for long.
use std::cell::RefCell;
use std::collections::VecDeque;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

thread_local! {
    /// The waiting callbacks, in the order of their requests.
    static WAITING: RefCell<VecDeque<Callback<()>>> = const { RefCell::new(VecDeque::new()) };
}

/// Runs `call` in a task of its own, after all earlier callbacks.
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

/// Whether the component may render its content: at once if `is_urgent`, otherwise when its turn has come.
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
