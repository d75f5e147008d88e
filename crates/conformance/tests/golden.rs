//! Runs all golden scripts on the model; with `UPDATE_GOLDEN=1` a real server first updates the expectations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use conformance::golden;

#[test]

fn the_model_matches_the_golden_scripts() {
    let directory = golden::directory();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let updated = golden::update(&directory).expect("a real server to take the truth from");
        println!("{updated}");
    }
    let summary = golden::run_model(&directory).expect("the scripts can be read");
    println!("{summary}");
    assert!(summary.commands() > 0, "there are scripts");
    assert_eq!(summary.failures(), 0, "\n{summary}");
}
