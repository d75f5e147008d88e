//! The bridge to the guard (`static/guard.js`), which shows a message when the application cannot run.
use std::panic;

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// Shows the failure message with `detail` in its technical part.
    #[wasm_bindgen(js_namespace = lockstep, js_name = fail)]
    fn show_failure(detail: &str);

    /// Removes the boot screen.
    #[wasm_bindgen(js_namespace = lockstep, js_name = started)]
    fn show_started();

    /// Removes the boot screen and starts prefetching.
    #[wasm_bindgen(js_namespace = lockstep, js_name = settled)]
    fn show_settled();
}

/// Makes every panic visible to the reader instead of leaving a dead page.
pub fn install() {
    panic::set_hook(Box::new(|info| show_failure(&info.to_string())));
}

/// The element that the application fills.
#[allow(clippy::expect_used, reason = "the document is ours; without its root the guard shows this sentence")]
pub fn root() -> Element {
    web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element with the id app")
}

/// Tells the guard that the page shows something, though not yet the requested content.
pub fn started() {
    show_started();
}

/// Tells the guard that the page shows the requested content.
pub fn settled() {
    show_settled();
}
