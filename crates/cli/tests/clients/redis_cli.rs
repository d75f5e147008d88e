//! redis-cli and redis-benchmark, the tools that come with Redis. They are not installed everywhere, so `cargo xtask test clients` installs
//! them and runs these tests.
use std::io::Write;
use std::process::{Command, Stdio};

use crate::Target;

/// The output of redis-cli for a command line, in its format for scripts.
fn cli(target: &Target, words: &[&str]) -> String {
    run(target, "redis-cli", words, "")
}

/// The output of a tool for some input.
fn run(target: &Target, tool: &str, words: &[&str], input: &str) -> String {
    let mut process = Command::new(tool)
        .args(["-p", &target.port.to_string()])
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
#[ignore = "needs redis-cli"]
fn replies_of_every_type_are_printed() {
    let target = Target::new();
    assert_eq!(cli(&target, &["SET", "k", "a b"]), "OK\n");
    assert_eq!(cli(&target, &["--no-raw", "GET", "k"]), "\"a b\"\n");
    assert_eq!(cli(&target, &["--no-raw", "RPUSH", "l", "x", "y"]), "(integer) 2\n");
    assert_eq!(cli(&target, &["--no-raw", "LRANGE", "l", "0", "-1"]), "1) \"x\"\n2) \"y\"\n");
    assert_eq!(cli(&target, &["-3", "--no-raw", "HSET", "h", "a", "1"]), "(integer) 1\n");
    assert_eq!(cli(&target, &["-3", "--no-raw", "HGETALL", "h"]), "1# \"a\" => \"1\"\n");
    assert_eq!(cli(&target, &["-n", "3", "DBSIZE"]), "0\n");
    assert_eq!(cli(&target, &["--csv", "LRANGE", "l", "0", "-1"]), "\"x\",\"y\"\n");
    assert_eq!(cli(&target, &["-r", "3", "INCR", "n"]), "1\n2\n3\n");
}

#[test]
#[ignore = "needs redis-cli"]
fn lines_from_a_pipe() {
    let target = Target::new();
    let text = run(&target, "redis-cli", &["--no-raw"], "MULTI\nINCR n\nINCR n\nEXEC\nGET n\nNOSUCH\n");
    assert!(
        text.starts_with("OK\nQUEUED\nQUEUED\n1) (integer) 1\n2) (integer) 2\n\"2\"\n(error) ERR unknown command"),
        "{text}"
    );
    let mass: String = (0..5000).map(|n| format!("SET key:{n} {n}\r\n")).collect();
    assert!(run(&target, "redis-cli", &["--pipe"], &mass).contains("errors: 0, replies: 5000"));
    let keys = cli(&target, &["--scan", "--pattern", "key:1*"]);
    assert_eq!(keys.lines().count(), 1111);
}

#[test]
#[ignore = "needs redis-cli"]
fn inspection_modes() {
    let target = Target::new();
    cli(&target, &["RPUSH", "big", "a", "b", "c"]);
    assert!(cli(&target, &["--bigkeys"]).contains("Biggest   list found '\"big\"' has 3 items"));
    assert!(cli(&target, &["--memkeys"]).contains("Biggest   list found '\"big\"' has"));
    assert!(cli(&target, &["INFO", "server"]).contains("redis_version:7.0.15"));
}

#[test]
#[ignore = "needs redis-cli"]
fn scripts_from_a_file() {
    let target = Target::new();
    let file = std::env::temp_dir().join(format!("lockstep-{}-{}.lua", std::process::id(), target.port));
    std::fs::write(&file, "redis.call('SET', KEYS[1], ARGV[1])\nreturn redis.call('GET', KEYS[1])\n").unwrap();
    let text = cli(&target, &["--no-raw", "--eval", file.to_str().unwrap(), "k", ",", "a b"]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(text, "\"a b\"\n");
}

#[test]
#[ignore = "needs redis-benchmark"]
fn redis_benchmark() {
    let target = Target::new();
    for depth in ["1", "16"] {
        let tests =
            "ping_inline,ping_mbulk,set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,lrange_100,mset";
        let words = ["-n", "2000", "-c", "50", "-P", depth, "-r", "1000", "--csv", "-t", tests];
        let text = run(&target, "redis-benchmark", &words, "");
        assert!(!text.contains("rror"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with('"')).count(), 18, "{text}");
    }
    let three = run(&target, "redis-benchmark", &["-3", "-n", "1000", "-q", "GET", "k"], "");
    assert!(three.contains("requests per second"), "{three}");
}
