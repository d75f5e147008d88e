//! The bridge to the guard (`static/guard.js`), which speaks when the application cannot.
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

    /// The same, and what may be needed later is fetched from now on.
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

/// Tells the guard that something stands on the screen, though not yet what was asked for.
pub fn started() {
    show_started();
}

/// Tells the guard that what was asked for stands on the screen.
pub fn settled() {
    show_settled();
}
