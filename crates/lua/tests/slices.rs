//! A run in slices equals an uninterrupted one: wherever it is paused, it has the same reply, calls and instruction count.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod support;

use bytes::Bytes;
use lua_machine::LuaMachine;
use script::{Engine, Job, Limits, Progress, RANDOM_AT_START, Ran, ScriptOutcome, Work};
use std::path::PathBuf;
use support::{Bench, Server};

fn job(script: &str, limits: Limits) -> Job {
    let text = Bytes::copy_from_slice(script.as_bytes());
    Job { work: Work::Script { text, keys: Vec::new(), args: Vec::new() }, limits, random: RANDOM_AT_START }
}

/// Runs a job slice by slice; also returns the number of slices.
fn in_slices(machine: &mut LuaMachine, server: &mut Server, job: &Job) -> (Ran, usize) {
    let mut progress = machine.begin(job, server);
    let mut slices = 1;
    loop {
        match progress {
            Progress::Ended(ran) => return (ran, slices),
            Progress::Paused => {
                slices += 1;
                progress = machine.go_on(server);
            }
        }
    }
}

/// The scripts with replies recorded from a real server.
fn recorded_scripts() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let mut scripts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        scripts.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned));
    }
    scripts
}

#[test]
fn recorded_scripts_give_the_same_results_in_slices() {
    let scripts = recorded_scripts();
    assert!(scripts.len() > 500, "{}", scripts.len());
    // A slice of one instruction: the job pauses at every command and every check.
    let mut machine = LuaMachine::in_slices(1);
    for script in scripts {
        let mut whole = Bench::new();
        let ran = whole.script(&script);
        let mut server = Bench::new().server;
        let (sliced, _) = in_slices(&mut machine, &mut server, &job(&script, Limits::USUAL));
        // The maximum recursion depth differs, because the checks use stack too.
        if !format!("{:?}", ran.outcome).contains("stack overflow") {
            assert_eq!(sliced, ran, "{script}");
        }
        assert_eq!(server.calls, whole.server.calls, "{script}");
    }
}

#[test]
fn long_scripts_pause_and_have_the_same_instruction_count() {
    for script in [
        "local n = 0 for i = 1, 100000 do n = n + i end return n",
        "for i = 1, 500 do redis.call('set', 'k' .. i, i) end return redis.call('get', 'k500')",
        "local t = {} for i = 1, 300 do t[i] = (i * 7919) % 1000 end table.sort(t, function(a, b) redis.call('ping') return a < b end) return t",
        "local n = 0 local co = coroutine.wrap(function() for i = 1, 50000 do if i % 1000 == 0 then coroutine.yield(i) end end return -1 end) repeat n = co() until n == -1 return n",
        "local co = coroutine.wrap(function() for i = 1, 100000 do end return 3 end) return co()",
        "return (string.gsub(string.rep('a', 200), 'a', function() for i = 1, 100 do end return redis.call('ping').ok end))",
        "local n = 0 for i = 1, 300 do local ok = pcall(function() for j = 1, 100 do end error('x') end) if not ok then n = n + 1 end end return n",
    ] {
        let mut whole = Bench::new();
        let ran = whole.script(script);
        assert!(matches!(ran.outcome, ScriptOutcome::Reply(_)), "{script}: {:?}", ran.outcome);
        let mut server = Bench::new().server;
        let (sliced, slices) = in_slices(&mut LuaMachine::in_slices(1), &mut server, &job(script, Limits::USUAL));
        assert!(slices > 5, "{script} was paused {slices} times");
        assert_eq!((sliced, server.calls), (ran, whole.server.calls), "{script}");
    }
}

#[test]
fn paused_script_can_be_stopped_even_if_it_catches_errors() {
    let endless = Limits { instructions: u64::MAX, ..Limits::USUAL };
    let mut machine = LuaMachine::in_slices(10_000);
    for script in [
        "\nwhile true do end",
        "\nwhile true do pcall(function() while true do end end) end",
        "\nwhile true do redis.pcall('ping') end",
        "\nwhile true do pcall(redis.call, 'nosuch') end",
        "\nlocal co = coroutine.wrap(function() while true do end end) co()",
        "\nlocal co = coroutine.create(function() while true do end end) while true do coroutine.resume(co) end",
        "\ntable.sort({1, 2, 3, 4, 5}, function() while true do end end)",
        "\nstring.gsub('aaa', 'a', function() while true do end end)",
        "\nwhile true do pcall(function() while true do redis.call('ping') end end) end",
        "\nxpcall(function() while true do end end, function() while true do end end)",
    ] {
        let mut server = Bench::new().server;
        let mut progress = machine.begin(&job(script, endless), &mut server);
        for _ in 0..20 {
            assert_eq!(progress, Progress::Paused, "{script}");
            progress = machine.go_on(&mut server);
        }
        assert_eq!(progress, Progress::Paused, "{script}");
        let calls = server.calls.len();
        let place = machine.stop();
        assert!(place.is_none_or(|place| place.line == 2), "{script}");
        assert_eq!(server.calls.len(), calls, "{script} called a command while it was stopped");
        assert_eq!(machine.stop(), None);
        let (ran, _) = in_slices(&mut machine, &mut server, &job("return 7", Limits::USUAL));
        assert_eq!(ran.outcome, ScriptOutcome::Reply(resp::Value::Integer(7)), "after {script}");
    }
}

#[test]
fn machine_with_a_paused_script_can_be_dropped() {
    let mut server = Bench::new().server;
    let mut machine = LuaMachine::in_slices(1);
    let job = job("while true do pcall(redis.call, 'ping') end", Limits { instructions: u64::MAX, ..Limits::USUAL });
    assert_eq!(machine.begin(&job, &mut server), Progress::Paused);
    drop(machine);
    assert_eq!(Bench::new().script("return 1").outcome, ScriptOutcome::Reply(resp::Value::Integer(1)));
}
