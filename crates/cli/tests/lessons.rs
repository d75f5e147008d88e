//! `lockstep lesson check`: every lesson keeps what it promises, and a lesson that does not is told by file and line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, str};

fn lessons() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons")
}

fn check(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).args(["lesson", "check"]).arg(folder).output().unwrap()
}

/// A copy of a lesson in which one file says something else, and what is told about it.
fn told(name: &str, lesson: &str, file: &str, from: &str, to: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for found in fs::read_dir(lessons().join(lesson)).unwrap().flatten() {
        fs::copy(found.path(), folder.join(found.file_name())).unwrap();
    }
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(folder.join(file), text.replacen(from, to, 1)).unwrap();
    let output = check(&folder);
    assert!(!output.status.success(), "{name} passes");
    str::from_utf8(&output.stderr).unwrap().replace(&format!("{}/", folder.display()), "")
}

#[test]
fn every_lesson_keeps_what_it_promises() {
    let output = check(&lessons());
    let (said, objected) = (str::from_utf8(&output.stdout).unwrap(), str::from_utf8(&output.stderr).unwrap());
    assert!(output.status.success(), "{objected}");
    let last = said.lines().last().unwrap_or_default();
    let count: usize = last.split(' ').next().unwrap_or_default().parse().unwrap();
    assert!(last.ends_with(" lessons, nothing to object to") && count > 0, "{last}");
}

#[test]
fn a_promise_that_is_not_kept_is_told_with_its_line() {
    let toml = |name: &str, from: &str, to: &str| told(name, "locks/oversell", "lesson.toml", from, to);
    let longer = toml("par", "broken = 4", "broken = 5");
    assert!(longer.starts_with("lesson.toml:18: recorded is 5 steps; found was: broken in 4 steps"), "{longer}");
    let holds = toml("holds", "broken = 4\n", "");
    assert!(holds.starts_with("lesson.toml:18: recorded is that it holds; found was: broken in 4 steps"), "{holds}");
    let story = toml("story", "do = [\"c2< step 0\"]", "do = [\"c2< leap 0\"]");
    assert!(story.starts_with("lesson.toml:41: `c2< leap 0`: this is no input of the world"), "{story}");
    let breaks = toml("breaks", "breaks = [\"nothing-lost\"]\n", "");
    assert!(breaks.starts_with("lesson.toml:41: it breaks [\"nothing-lost\"], not []"), "{breaks}");
    let answer = toml("answer", "'\"3\"'", "'\"2\"'");
    assert!(answer.starts_with("lesson.toml:50: the last reply is \"3\", not \"2\""), "{answer}");
    let property = toml("property", "watch = \"sum always", "watch = \"sum often");
    assert!(property.starts_with("lesson.toml:18: `sum often = 5 key stock tally sold` is no property"), "{property}");
}

#[test]
fn answers_that_turn_out_differently_are_told() {
    let start = told(
        "start",
        "locks/oversell",
        "lesson.toml",
        "solution = \"decrement.lua\"",
        "start = \"decrement.lua\"\nsolution = \"decrement.lua\"",
    );
    assert!(start.contains(": what the task begins with breaks none of its properties"), "{start}");
    let solution = told(
        "solution",
        "locks/oversell",
        "decrement.lua",
        "redis.call('DECR', 'stock')",
        "redis.call('GET', 'stock')",
    );
    assert!(solution.contains(": the solution: everyone-buys broken in "), "{solution}");
    let right = told(
        "right",
        "locks/setnx-expire",
        "wrong-late.lua",
        "redis.call('SETNX', 'lock', 'held') == 0",
        "not redis.call('SET', 'lock', 'held', 'NX', 'EX', 10)",
    );
    assert!(right.contains("does not break no-deadlock: holds in every schedule"), "{right}");
    let syntax = told("syntax", "locks/oversell", "read-write.lua", "if stock > 0 then", "if stock > 0");
    assert!(syntax.contains("a program fails at once (en): DoesNotCompile"), "{syntax}");
}
