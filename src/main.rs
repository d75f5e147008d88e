//! Entry of the page: hands a panic to the guard (`static/guard.js`), then starts the application.
use lockstep_page::app::App;
use lockstep_page::hooks::guard;

/// What this module takes its memory from: smaller than what Rust brings along, and no slower.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

fn main() {
    guard::install();
    yew::Renderer::<App>::with_root(guard::root()).render();
}
