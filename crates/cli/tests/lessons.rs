//! `lockstep lesson check`: a broken promise of a lesson is reported with file and line. A separate layer (`lessons`) checks the real
//! lessons, because it needs an optimised build.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, str};

/// A small lesson for these tests, in a folder beside a copy of the course.
const COUNTER: &str = "../crates/cli/tests/counter";

fn lessons() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons")
}

fn check(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).args(["lesson", "check"]).arg(folder).output().unwrap()
}

/// Checks a copy of a lesson in which one file is changed; returns the report.
fn objections(name: &str, lesson: &str, file: &str, from: &str, to: &str) -> String {
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
fn a_broken_promise_is_reported_with_its_line() {
    let toml = fs::read_to_string(lessons().join("locks/oversell/lesson.toml")).unwrap();
    // A mistake is reported at the line of the id.
    let line = |head: &str| 1 + toml.lines().position(|line| line == head).unwrap();
    let objections = |name: &str, from: &str, to: &str| objections(name, "locks/oversell", "lesson.toml", from, to);
    let property = line("id = \"nothing-lost\"");
    let step = line("id = \"write-too\"");
    let longer = objections("shortest", "broken = 4", "broken = 5");
    let expected = format!("lesson.toml:{property}: recorded is 5 steps; found was: broken in 4 steps");
    assert!(longer.starts_with(&expected), "{longer}");
    let holds = objections("holds", "broken = 4\n", "");
    let expected = format!("lesson.toml:{property}: recorded is that it holds; found was: broken in 4 steps");
    assert!(holds.starts_with(&expected), "{holds}");
    let story = objections("story", "do = [\"c2< step 0\"]", "do = [\"c2< leap 0\"]");
    assert!(story.starts_with(&format!("lesson.toml:{step}: `c2< leap 0`: this is no input of the world")), "{story}");
    let breaks = objections("breaks", "breaks = [\"nothing-lost\"]\n", "");
    assert!(breaks.starts_with(&format!("lesson.toml:{step}: it breaks [\"nothing-lost\"], not []")), "{breaks}");
    let answer = objections("answer", "shows = '", "shows = 'x");
    assert!(answer.contains(": the last reply is ") && answer.contains(", not x"), "{answer}");
    let property = objections("property", "watch = \"sum always", "watch = \"sum often");
    assert!(property.contains(" is no property of the world"), "{property}");
}

#[test]
fn unexpected_outcomes_of_repairs_are_reported() {
    let counter = |name: &str, file: &str, from: &str, to: &str| objections(name, COUNTER, file, from, to);
    let start = counter("start", "lesson.toml", "solution =", "start = \"incr.lua\"\nsolution =");
    assert!(start.contains("what one begins with breaks nothing: passes"), "{start}");
    let solution = counter("solution", "incr.lua", "'INCR', 'n'", "'INCRBY', 'n', 2");
    assert!(
        solution.contains("incr.lua does not pass: stage: none-lost broken in 2 steps by \"INCRBY | INCRBY\""),
        "{solution}"
    );
    let one = counter("one", "lesson.toml", "right = [\"script.lua\"]", "right = [\"incr.lua\"]");
    assert!(one.contains("nothing in lesson.toml names the program `script.lua`"), "{one}");
    let wrong = counter("wrong", "wrong-twice.lua", "'SET', 'n', redis.call('GET', 'n') + 1", "'INCR', 'n'");
    assert!(
        wrong.contains("recorded is stage: none-lost broken by \"GET SET | GET SET\"; found was passes"),
        "{wrong}"
    );
    let way = counter("way", "lesson.toml", "way = \"GET SET", "way = \"SET GET");
    assert!(way.contains("none-lost broken by \"SET GET | GET SET\"; found was stage"), "{way}");
    let cheat = counter("cheat", "cheat-known-end.lua", "'SET', 'n', 2", "'INCR', 'n'");
    assert!(cheat.contains("cheat-known-end.lua: recorded is three: all-three; found was passes"), "{cheat}");
    let syntax = counter("syntax", "read-write.lua", "end\n", "\n");
    assert!(syntax.contains("a program fails at once (en): DoesNotCompile"), "{syntax}");
}

#[test]
fn an_incomplete_search_proves_nothing() {
    let depth = objections("depth", COUNTER, "lesson.toml", "broken = 4\n\n[[check]]", "\n[[check]]");
    assert!(depth.contains("recorded is that it holds; found was: broken in 4 steps"), "{depth}");
    let cut = objections("cut", COUNTER, "lesson.toml", "depth = 20", "depth = 3");
    assert!(cut.contains("recorded is 4 steps; found was: nothing found up to depth 3"), "{cut}");
}

#[test]
fn idle_properties_and_statements_are_reported() {
    // A property that no program of the folder breaks.
    let check = "[[check]]\nid = \"all-three\"";
    let never =
        "[[property]]\nid = \"never\"\ntitle = { en = \"N\", zh-CN = \"从\" }\nwatch = \"sum always <= 99 key n\"\n\n";
    let found = objections("never", COUNTER, "lesson.toml", check, &format!("{never}{check}"));
    assert!(found.contains("no program of the folder breaks it: name one (`broken-by`)"), "{found}");
    // A property that no schedule of the stage tests.
    let unseen = never.replace("key n", "key m");
    let found = objections("unseen", COUNTER, "lesson.toml", check, &format!("{unseen}{check}"));
    assert!(found.contains("no schedule puts it to the test"), "{found}");
    // A statement of the solution that does nothing.
    let found = objections("superfluous", COUNTER, "incr.lua", "  redis", "  redis.call('PING')\n  redis");
    assert!(found.contains("incr.lua passes with line 3, `redis.call('PING')`: deleted"), "{found}");
    let harmless = "[[task.harmless]]\nline = \"redis.call('INCR', 'n')\"\nwhy = \"x\"\n";
    let found = objections(
        "harmless",
        COUNTER,
        "lesson.toml",
        "[[task.variation]]",
        &format!("{harmless}\n[[task.variation]]"),
    );
    assert!(found.contains("is recorded as harmless, and no change of it passes"), "{found}");
}

#[test]
fn unexpected_outcomes_of_scripts_are_reported() {
    let eval = |name: &str, file: &str, from: &str, to: &str| objections(name, "lua/eval", file, from, to);
    let right = eval("script-right", "card-as-it-comes.lua", "'stock')", "'stok')");
    assert!(right.contains("card-as-it-comes.lua does not pass: whole: 1 of 2 claims hold"), "{right}");
    let start = eval("script-start", "lesson.toml", "start = \"card-start.lua\"", "start = \"card.lua\"");
    assert!(start.contains("nothing in lesson.toml names the program `card-start.lua`"), "{start}");
    let start = eval("script-begins", "card-start.lua", "{tonumber(v[1]), tonumber(v[2]),", "{v[1], v[2],");
    assert!(start.contains("what one begins with passes"), "{start}");
    let wrong = eval("script-wrong", "wrong-short.lua", "tonumber(v[2])", "v[2]");
    assert!(wrong.contains("Cut off again: recorded is no-discount; found was passes"), "{wrong}");
    let early = eval("script-early", "wrong-short.lua", "v[1]", "tonumber(v[1])");
    assert!(early.contains("Cut off again: recorded is no-discount; found was whole"), "{early}");
    let same = eval(
        "script-same",
        "wrong-names.lua",
        "{price = v[1], discount = v[2], stock = v[3]}",
        "{tonumber(v[1]), 10, 7}",
    );
    assert!(same.contains("\"Names are not returned\" does the same as \"3 instead of 3.99\""), "{same}");
    let case = eval("script-case", "wrong-word.lua", "tostring(v[1])", "v[1], v[1]");
    assert!(case.contains("no wrong script and no cheat fails first in the case `no-price`"), "{case}");
    let claim = eval(
        "script-claim",
        "lesson.toml",
        "reply = \"c1\"\nis = [\n    \"1) \\\"12.50",
        "ask = \"DEL item:2\"\nis = [\n    \"1) \\\"12.50",
    );
    assert!(claim.contains("`DEL item:2` does not only read"), "{claim}");
    let cheat = eval("script-cheat", "cheat-takes.lua", "redis.call('DEL', KEYS[1])\n", "");
    assert!(cheat.contains("cheat-takes.lua: recorded is whole; found was passes"), "{cheat}");
    let claim = eval("script-needless", "cheat-takes.lua", "redis.call('DEL', KEYS[1])\nreturn v", "return 1");
    assert!(
        claim.contains("whole: holds for every wrong script, so nothing needs it: ask \"HGETALL item:1\""),
        "{claim}"
    );
    let unneeded = eval("script-mutant", "card.lua", "return {", "local unneeded = 1\nreturn {");
    assert!(unneeded.contains("card.lua passes with line"), "{unneeded}");
}
