//! The other program of the page: the course with its lessons, fetched instead of the sandbox where the address says `#learn`.
use lockstep_page::course::Course;
use lockstep_page::hooks::guard;
use lockstep_page::state::lab::told;

fn main() {
    guard::install();
    told::lend();
    yew::Renderer::<Course>::with_root(guard::root()).render();
    guard::started();
}
