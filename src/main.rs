//! Entry of the page: hands a panic to the guard (`static/guard.js`), then starts the application.
use lockstep_page::app::App;
use lockstep_page::hooks::guard;

fn main() {
    guard::install();
    yew::Renderer::<App>::with_root(guard::root()).render();
}
