//! Entry of the page: hands a panic to the guard in `index.html`, opens a session, then starts the application.
use lockstep_page::app::{App, AppProps};
use lockstep_page::hooks::{guard, start};
use lockstep_page::state::shelf::SANDBOX;

fn main() {
    guard::install();
    wasm_bindgen_futures::spawn_local(async {
        let start = start::start(SANDBOX, None).await;
        yew::Renderer::<App>::with_root_and_props(guard::root(), AppProps { start }).render();
        guard::started();
    });
}
