//! Measurements after a render: batched into one pass before the next frame is painted, when the browser computes the layout anyway. All
//! reads come first, then all writes, so that the page is laid out once no matter how many lists scroll.
use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Reads layout and returns the write that follows from it, if any.
type Read = Box<dyn FnOnce() -> Option<Write>>;
/// A change of the page, made after all reads.
pub type Write = Box<dyn FnOnce()>;

thread_local! {
    static WAITING: RefCell<Vec<Read>> = const { RefCell::new(Vec::new()) };
}

/// Runs `read` before the next frame is painted, and the write that it returns after all other reads.
pub fn before_paint(read: impl FnOnce() -> Option<Write> + 'static) {
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push(Box::new(read));
        waiting.len() == 1
    });
    if is_first && let Some(window) = web_sys::window() {
        // Fails only in a document that is being closed.
        let _ = window.request_animation_frame(Closure::once_into_js(run).unchecked_ref());
    }
}

fn run() {
    let waiting = WAITING.take();
    let writes: Vec<Write> = waiting.into_iter().filter_map(|read| read()).collect();
    for write in writes {
        write();
    }
}
