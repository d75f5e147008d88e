//! Checks that a golden script, with replies of the real server, sends every command of the model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use std::collections::BTreeSet;
use std::path::Path;

use conformance::golden::{self, Action, Script};
use redis_model::command::{self, Run};

/// Commands of all scripts below a directory, as `get` and `client|kill`.
fn sent_below(directory: &Path, sent: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).expect("the scripts' directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sent_below(&path, sent);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a script");
        for step in Script::parse(&text).expect("a valid script").steps() {
            if let Action::Command { argv, .. } = &step.action {
                let word =
                    |nth: usize| argv.get(nth).map(|w| String::from_utf8_lossy(w).to_lowercase()).unwrap_or_default();
                sent.insert(word(0));
                sent.insert(format!("{}|{}", word(0), word(1)));
            }
        }
    }
}

#[test]
fn every_command_of_the_model_occurs_in_a_golden_script() {
    let mut sent = BTreeSet::new();
    sent_below(&golden::directory(), &mut sent);
    let rows = command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands.iter()));
    let modelled = rows.filter(|row| matches!(row.run, Run::Call(_))).map(command::Command::full_name);
    let missing: Vec<String> = modelled.filter(|name| !sent.contains(name)).collect();
    assert!(missing.is_empty(), "no golden script sends {missing:?}");
}
