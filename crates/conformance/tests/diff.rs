//! A short differential run; also checks that a run fails if it compares nothing or finds a difference. The long run is
//! `cargo xtask diff --commands 200000`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use conformance::diff::{self, Options, Report};
use conformance::target::ServerProcess;

/// A program that takes the arguments of redis-server; deleted on drop.
struct Program(PathBuf);

impl Program {
    fn new(name: &str, lines: &str) -> Program {
        let path = std::env::temp_dir().join(format!("lockstep-{name}-{}", std::process::id()));
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Program(path)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

/// The verdict on a run, as used by the tests below and the task `diff`.
fn judged(options: &Options) -> Result<Report, String> {
    let report = diff::run(options).map_err(|error| error.to_string())?;
    report.verdict(options.commands)?;
    Ok(report)
}

fn redis_server() -> String {
    std::env::var("REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned())
}

#[test]
fn random_commands_have_the_same_replies_on_both_sides() {
    let report =
        judged(&Options { commands: 8_000, seed: 20, ..Options::default() }).unwrap_or_else(|why| panic!("\n{why}"));
    println!("{report}");
    assert!(report.compared > 6_000, "{} replies were compared", report.compared);
}

#[test]
fn a_server_with_different_replies_is_noticed() {
    let strange = Program::new("strange", &format!("exec {} \"$@\" --rename-command STRLEN ''", redis_server()));
    let options = Options {
        commands: 8_000,
        families: vec!["string".to_owned()],
        server: Some(strange.0.clone()),
        ..Options::default()
    };
    let why = judged(&options).expect_err("STRLEN is missing there");
    assert!(why.contains("differs at: ") && why.contains("STRLEN"), "{why}");
}

#[test]
fn a_server_with_other_limits_is_noticed() {
    let strange = Program::new("limits", &format!("exec {} \"$@\" --hash-max-listpack-entries 2", redis_server()));
    let options = Options {
        commands: 8_000,
        families: vec!["hash".to_owned()],
        differences_max: 1,
        server: Some(strange.0.clone()),
        ..Options::default()
    };
    let why = judged(&options).expect_err("hashes are encoded otherwise there");
    assert!(why.contains("OBJECT ENCODING"), "{why}");
}

#[test]
fn a_run_without_a_server_fails() {
    let missing = Options { server: Some("/nowhere/redis-server".into()), ..Options::default() };
    let why = judged(&missing).expect_err("there is no such program");
    assert!(why.contains("cannot start /nowhere/redis-server"), "{why}");
    let mute = Program::new("mute", "exit 0");
    let why = judged(&Options { server: Some(mute.0.clone()), ..Options::default() }).expect_err("it ends at once");
    assert!(why.contains("redis-server does not start"), "{why}");
}

#[test]
fn a_server_that_finds_its_port_taken_is_started_again() {
    let mark = std::env::temp_dir().join(format!("lockstep-tried-{}", std::process::id()));
    let lines = format!("mkdir {} 2>/dev/null && exit 1\nexec {} \"$@\"", mark.display(), redis_server());
    let second = Program::new("second", &lines);
    let started = ServerProcess::start(&second.0).map(drop);
    fs::remove_dir(&mark).unwrap();
    started.unwrap();
}

#[test]
fn a_run_without_commands_fails() {
    assert!(judged(&Options { commands: 0, ..Options::default() }).is_err(), "no commands");
    let unknown = Options { families: vec!["nosuchfamily".to_owned()], ..Options::default() };
    assert!(judged(&unknown).is_err(), "no family of that name");
}

#[test]
fn a_report_with_too_few_comparisons_fails() {
    let report =
        judged(&Options { commands: 500, seed: 3, ..Options::default() }).unwrap_or_else(|why| panic!("\n{why}"));
    let wanted = report.commands;
    assert!(report.verdict(wanted + 1).is_err(), "more was asked for");
    assert!(Report { compared: 0, ..report.clone() }.verdict(wanted).is_err(), "no reply was compared");
    assert!(Report { commands: 0, ..report.clone() }.verdict(0).is_err(), "no command was run");
    assert!(report.verdict(wanted).is_ok());
}
