//! What has to be measured after a drawing: done once before the next frame is painted, when the browser lays the page out anyway. First
//! everybody reads, then everybody writes, so that the page is laid out once however many lists scroll.
use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Reads, and says what is to be written.
type Read = Box<dyn FnOnce() -> Option<Write>>;
/// What is written after everybody has read.
pub type Write = Box<dyn FnOnce()>;

thread_local! {
    static WAITING: RefCell<Vec<Read>> = const { RefCell::new(Vec::new()) };
}

/// Has this read what it needs before the next frame is painted; what it returns is done after all others have read.
pub fn before_paint(read: impl FnOnce() -> Option<Write> + 'static) {
    let is_first = WAITING.with_borrow_mut(|waiting| {
        waiting.push(Box::new(read));
        waiting.len() == 1
    });
    if is_first && let Some(window) = web_sys::window() {
        // It fails only in a document that is going away.
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
