//! The pause between two slices of long work (`static/next-task.js`).
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Ends the current task, so that the browser can handle input and draw, and continues in the next one.
    #[wasm_bindgen(js_namespace = lockstep, js_name = nextTask)]
    pub async fn next_task();
}
