//! Entry point of the page: passes panics to the guard (`static/guard.js`) and starts the application.
use lockstep_page::app::App;
use lockstep_page::hooks::{guard, messages_ready};
use wasm_bindgen_futures::spawn_local;

/// The allocator of this module: its code is smaller than that of Rust's default for wasm32, and no slower.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

fn main() {
    guard::install();
    spawn_local(async {
        messages_ready().await;
        yew::Renderer::<App>::with_root(guard::root()).render();
    });
}
