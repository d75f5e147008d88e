//! The project's automation; `cargo xtask --help` lists what it does.
fn main() {}
