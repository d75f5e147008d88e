//! `lockstep lesson check --redis`: lessons on a real Redis. They need a `redis-server`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly.
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use std::{fs, str};

use conformance::target::{Connection, ServerProcess};
use resp::Value;

fn path(place: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(place)
}

fn check(folder: &Path, redis: &str, program: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.args(["lesson", "check"]).arg(folder).arg(redis);
    if let Some(program) = program {
        command.env("REDIS_SERVER", program);
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// A program that starts redis-server without some of its commands.
fn server_without(name: &str, commands: &[&str]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let renamed: String = commands.iter().map(|command| format!(" --rename-command {command} ''")).collect();
    let server = ServerProcess::program();
    fs::write(&program, format!("#!/bin/sh\nexec {} \"$@\"{renamed}\n", server.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[test]
fn terminal_tasks_have_the_same_verdicts_on_a_real_server() {
    let output = check(&path("lessons/transactions/multi-exec"), "--redis", None);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("  story: on a real Redis\n"), "{said}");
    assert!(said.contains("1 lessons on Redis 7.0."), "{said}");
    assert!(said.contains(": 6 tasks and stories, 0 in part, 0 not; "), "{said}");
    assert!(said.ends_with("; nothing to object to\n"), "{said}");
}

#[test]
fn a_solution_that_a_real_server_does_not_accept_is_reported() {
    let program = server_without("no-decrby", &["DECRBY"]);
    let output = check(&path("lessons/transactions/multi-exec"), "--redis", Some(&program));
    assert!(!output.status.success());
    let objections = text(&output.stderr);
    let expected = "a real Redis prints (error) ERR unknown command 'DECRBY', with args beginning with: 'ada' '30'";
    assert!(objections.contains(expected), "{objections}");
    assert!(objections.contains("on a real Redis it does not lead there"), "{objections}");
    assert!(objections.contains("is not recognised"), "{objections}");
    assert!(objections.contains("multi-exec/lesson.toml:"), "{objections}");
}

#[test]
fn a_changed_encoding_of_the_real_server_is_seen() {
    // Encodings come from the server: one that turns hashes into tables early disagrees with the lesson.
    let program = server_without("early-tables", &[]);
    let script = fs::read_to_string(&program).unwrap();
    fs::write(&program, format!("{} --hash-max-listpack-entries 1\n", script.trim_end())).unwrap();
    let output = check(&path("lessons/types/encodings"), "--redis", Some(&program));
    assert!(text(&output.stderr).contains("hashtable"), "{}", text(&output.stderr));
    assert!(!output.status.success());
}

#[test]
fn what_only_a_world_can_play_is_named_with_its_reason() {
    let output = check(&path("crates/cli/tests/counter"), "--redis", None);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let reason = "not on a real Redis: clients run programs, which the world schedules";
    assert!(said.contains(&format!("  story: {reason}\n  task repair: {reason}\n")), "{said}");
    assert!(said.contains(": 0 tasks and stories, 0 in part, 2 not; 0 ways, 0 commands"), "{said}");
}

#[test]
fn without_a_server_there_is_one_clear_sentence() {
    let folder = path("lessons/transactions/multi-exec");
    let output = check(&folder, "--redis", Some(Path::new("/no/redis-server")));
    assert!(!output.status.success());
    let why = "lockstep: no real Redis to play on: the server refused: cannot start /no/redis-server: ";
    assert!(text(&output.stderr).starts_with(why), "{}", text(&output.stderr));
    let output = check(&folder, "--redis=nowhere", None);
    assert_eq!(text(&output.stderr), "lockstep: `nowhere` is no address of a server; write HOST:PORT\n");
}

#[test]
fn a_given_server_must_be_empty_and_is_left_as_it_was() {
    let server = ServerProcess::start(&ServerProcess::program()).unwrap();
    let mut connection = Connection::open(server.addr).unwrap();
    let mut ask = |argv: &[&str]| connection.ask(argv, Duration::from_secs(5)).unwrap();
    let folder = path("lessons/transactions/errors");
    let redis = format!("--redis={}", server.addr);
    ask(&["SELECT", "3"]);
    ask(&["SET", "mine", "1"]);
    let output = check(&folder, &redis, None);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("holds keys, and playing lessons would delete them"));
    assert_eq!(ask(&["GET", "mine"]), Value::bulk("1"));
    ask(&["DEL", "mine"]);
    let output = check(&folder, &redis, None);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = Value::Array(vec![Value::bulk("maxmemory"), Value::bulk("0")]);
    assert_eq!(ask(&["CONFIG", "GET", "maxmemory"]), found);
    assert_eq!(ask(&["DBSIZE"]), Value::Integer(0));
}
