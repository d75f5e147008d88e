//! `lockstep explore`: what it prints and how it ends.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use std::path::PathBuf;
use std::process::{Command, Output};

/// Writes a program where the tests of this run keep their files.
fn program(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn explore(program: &PathBuf, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("explore").arg(program).args(words).output().unwrap()
}

#[test]
fn a_broken_lock_is_told_step_by_step() {
    let path = program(
        "setnx.lua",
        "while redis.call('SETNX', 'lock', '1') == 0 do sleep(100) end enter() leave() redis.call('DEL', 'lock')",
    );
    let found = explore(&path, &["--watch", "no-deadlock", "--watch", "mutual-exclusion", "--crashes", "1"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(2), "{text}");
    assert!(text.contains("\n\nno-deadlock: broken after 2 steps\n"), "{text}");
    assert!(text.contains("c1      SETNX lock 1; → (integer) 1; enters critical"), "{text}");
    assert!(text.contains("from here on nobody gets on any more"), "{text}");
    // Whoever waits for a dead client comes back to where he was.
    assert!(text.contains("mutual-exclusion: holds in every schedule; nothing was left out"), "{text}");
    // One who counts how often he has tried does not.
    let path = program("counting.lua", "local n = 0 while not redis.call('GET', 'x') do n = n + 1 sleep(100) end");
    let text = String::from_utf8(explore(&path, &["--watch", "no-errors"]).stdout).unwrap();
    assert!(text.contains("no-errors: no breach within 100 steps"), "{text}");
}

#[test]
fn what_holds_is_told_as_json_too() {
    let path = program("counts.lua", "redis.call('INCR', 'n')");
    let found =
        explore(&path, &["--clients", "3", "--watch", "sum end = 3 key n", "--format", "json", "--no-symmetry"]);
    assert_eq!(found.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(json[0]["verdict"], "holds");
    // Each has counted or not: 2 × 2 × 2.
    assert_eq!(json[0]["states"], 8);
}

#[test]
fn what_is_not_understood_is_said() {
    let path = program("wrong.lua", "local x = = 1");
    let said = |words: &[&str]| {
        let found = explore(&path, words);
        assert_eq!(found.status.code(), Some(1));
        String::from_utf8(found.stderr).unwrap()
    };
    assert!(said(&["--watch", "checks"]).contains("wrong.lua: program:1:"));
    assert!(said(&["--watch", "sum of all"]).contains("--watch sum of all: there is no such property"));
    assert!(said(&["--watch", "checks", "--run", "SET 'k"]).contains("a quote is not closed"));
    assert!(said(&[]).contains("--watch PROPERTY"));
    let missing = explore(&PathBuf::from("nowhere.lua"), &["--watch", "checks"]);
    assert!(String::from_utf8(missing.stderr).unwrap().contains("nowhere.lua"));
}

#[test]
fn a_lesson_is_searched_within_its_own_budget() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../lessons/locks/oversell");
    let found = explore(&folder, &["--format", "json"]);
    assert_eq!(found.status.code(), Some(2));
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!((&json[0]["subject"], &json[0]["verdict"]), (&"locks/oversell".into(), &"broken".into()));
    assert_eq!(json[0]["schedule"].as_array().map(Vec::len), Some(4));
}
