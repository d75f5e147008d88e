//! `lockstep traffic`: its output, errors and exit codes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use std::path::PathBuf;
use std::process::{Command, Output};

const HANDLER: &str = "
local db = connect('db')
function get(id)
  local value = redis.call('GET', 'item:' .. id)
  if value then return value end
  local rows = db.query('SELECT value FROM item WHERE id = ?', id)
  redis.call('SET', 'item:' .. id, rows[1].value, 'EX', TTL)
  return rows[1].value
end
";

/// Writes a handler where the tests of this run keep their files.
fn handler(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn traffic(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("traffic").args(words).output().unwrap()
}

fn said(words: &[&str]) -> String {
    let done = traffic(words);
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!((done.status.code(), errors.as_str()), (Some(0), ""));
    String::from_utf8(done.stdout).unwrap()
}

/// The error of a run with these arguments.
fn refused(words: &[&str]) -> String {
    let done = traffic(words);
    assert_eq!(done.status.code(), Some(3), "{words:?}");
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn requests_are_counted_per_interval_and_in_total() {
    let text = said(&["--for", "2m", "--rate", "0s:50,1m:50,61s:200", "--items", "500", "--writes", "1%"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.first() == Some(&"cache-aside") && text.contains("from requests/s   hits database/s"), "{text}");
    assert!(lines.iter().any(|line| line.trim_start().starts_with("0:01:30")), "{text}");
    assert!(text.contains(" requests: ") && text.contains(" 0 refused, 0 gave up, 0 failed"), "{text}");
    // The same each time, except for the elapsed time.
    let but_time =
        |text: &str| text.lines().filter(|line| !line.ends_with("requests/s")).map(str::to_owned).collect::<Vec<_>>();
    let again = said(&["--for", "2m", "--rate", "0s:50,1m:50,61s:200", "--items", "500", "--writes", "1%"]);
    assert_eq!(but_time(&text), but_time(&again));
}

#[test]
fn two_handlers_get_the_same_requests() {
    let fixed = handler("fixed.lua", &HANDLER.replace("TTL", "60"));
    let jitter = handler("jitter.lua", &HANDLER.replace("TTL", "60 + random(0, 60)"));
    let words = [fixed.to_str().unwrap(), "--against", jitter.to_str().unwrap(), "--for", "3m", "--items", "300"];
    let text = said(&words);
    let arrived: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(" requests: ")).map(|(count, _)| count).collect();
    assert!(arrived.len() == 2 && arrived.first() == arrived.last(), "{text}");
    assert!(text.contains("peak database/s") && text.contains("stale answers"), "{text}");
    let csv = said(&[&words[..], &["--csv"]].concat());
    assert_eq!(csv.lines().filter(|line| line.starts_with("from_ms,arrived")).count(), 2);
    assert_eq!(csv.lines().filter(|line| line.split(',').count() == 21).count(), 2 + 2 * 180, "{csv}");
}

#[test]
fn errors_of_a_handler_are_reported() {
    let broken = handler("broken.lua", "function get(id)\n  return nothing.value\nend\n");
    let text = said(&[broken.to_str().unwrap(), "--for", "10s"]);
    assert!(text.contains("times: program:2:"), "{text}");
}

#[test]
fn invalid_settings_are_rejected_with_a_reason() {
    assert!(refused(&["--rate", "fast"]).contains("'fast' is no number of requests a second"));
    assert!(refused(&["--for", "10"]).contains("a time is a number and ms, s, m or h"));
    assert!(refused(&["--absent", "120%"]).contains("a share is from 0% to 100%"));
    assert!(refused(&["--items", "0"]).contains("items has to be from 1 to 200000"));
    assert!(refused(&["--zipf", "9"]).contains("--zipf is from 0 to 5"));
    assert!(refused(&["--rate", "10s:1,5s:2"]).contains("the time of a rate has to be from 10001"));
    assert!(refused(&["no-such-file.lua"]).contains("no-such-file.lua: No such file"));
    assert!(refused(&["--hot", "5%", "--uniform"]).contains("cannot be used with"));
}

#[test]
fn handlers_of_the_folder_run_without_a_fault() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../world/src/traffic/handlers");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 12);
    let words = ["--for", "20s", "--items", "400", "--absent", "5%", "--writes", "1%"];
    for path in paths {
        let text = said(&[&[path.to_str().unwrap()], &words[..]].concat());
        assert!(text.contains(" 0 refused, 0 gave up, 0 failed") && !text.contains("program:"), "{text}");
        assert!(text.contains(" requests: "), "{text}");
    }
}
