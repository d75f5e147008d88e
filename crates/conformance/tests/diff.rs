//! A short differential run; the long one is `cargo xtask diff --commands 200000`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use conformance::diff::{self, Options};

#[test]
fn random_commands_have_the_same_replies_on_both_sides() {
    let report = match diff::run(&Options { commands: 8_000, seed: 20, ..Options::default() }) {
        Ok(report) => report,
        // Whoever has no redis-server still runs the other tests; the layer of its own needs one.
        Err(error) => {
            eprintln!("not run: {error}");
            return;
        }
    };
    println!("{report}");
    assert!(report.differences.is_empty(), "\n{report}");
}
