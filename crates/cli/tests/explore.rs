//! `lockstep explore`: its output and exit codes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

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
fn a_broken_lock_is_described_step_by_step() {
    let path = program(
        "setnx.lua",
        "while redis.call('SETNX', 'lock', '1') == 0 do sleep(100) end enter() leave() redis.call('DEL', 'lock')",
    );
    let found = explore(&path, &["--watch", "no-deadlock", "--watch", "mutual-exclusion", "--crashes", "1"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{text}");
    assert!(text.contains("\n\nno-deadlock: broken after 2 steps\n"), "{text}");
    assert!(text.contains("c1      line 1    SETNX lock 1; → (integer) 1; enters critical"), "{text}");
    let end = "      from here on no client can make progress\n        c1 has crashed\n        c2 at line 1 is about to send SETNX lock 1\n";
    assert!(text.contains(end), "{text}");
    assert!(text.contains("\n2 properties: 1 holds, 1 broken; "), "{text}");
    // A client that waits for a crashed client returns to the same state.
    assert!(text.contains("mutual-exclusion: holds in every schedule; nothing was left out"), "{text}");
    // A client that counts its attempts does not.
    let path = program("counting.lua", "local n = 0 while not redis.call('GET', 'x') do n = n + 1 sleep(100) end");
    let found = explore(&path, &["--watch", "no-errors"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("no-errors: undecided: no breach within 100 steps"), "{text}");
    assert_eq!(found.status.code(), Some(2), "{text}");
}

#[test]
fn json_reports_a_property_that_holds() {
    let path = program("counts.lua", "redis.call('INCR', 'n')");
    let found = explore(&path, &["--clients", "3", "--watch", "sum end = 3 key n", "--json", "--no-symmetry"]);
    assert_eq!(found.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(json[0]["verdict"], "holds");
    // Each client has counted or not: 2 × 2 × 2.
    assert_eq!(json[0]["states"], 8);
}

#[test]
fn invalid_input_is_reported() {
    let path = program("wrong.lua", "local x = = 1");
    let said = |words: &[&str]| {
        let found = explore(&path, words);
        assert_eq!((found.status.code(), found.stdout.as_slice()), (Some(3), b"".as_slice()));
        String::from_utf8(found.stderr).unwrap()
    };
    assert!(said(&["--watch", "checks"]).contains("wrong.lua: program:1:"));
    assert!(said(&["--watch", "sum of all"]).contains("--watch sum of all: 'of' is neither always nor end"));
    assert!(said(&["--watch", "checks", "--run", "SET 'k"]).contains("a quote is not closed"));
    assert!(said(&[]).contains("--watch PROPERTY"));
    assert!(
        said(&["--watch", "checks", "--run", "SET k"]).contains("--run SET k: (error) ERR wrong number of arguments")
    );
    assert!(said(&["--watch", "checks", "--run", "BLPOP k 0"]).contains("it waits for something that no client sends"));
    assert!(said(&["--what"]).contains("--what"));
    let empty = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-lessons");
    std::fs::create_dir_all(&empty).unwrap();
    let found = explore(&empty, &[]);
    assert_eq!(found.status.code(), Some(3));
    assert!(!found.stderr.is_empty());
    let missing = explore(&PathBuf::from("nowhere.lua"), &["--watch", "checks"]);
    assert!(String::from_utf8(missing.stderr).unwrap().contains("nowhere.lua"));
}

#[test]
fn the_number_after_a_program_sets_its_clients() {
    let one = program("one.lua", "redis.call('INCR', 'a')");
    let other = program("other.lua", "redis.call('INCR', 'b')");
    let run =
        |words: &[String]| Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("explore").args(words).output().unwrap();
    let words = [format!("{}:3", one.display()), other.display().to_string(), "--clients".into(), "1".into()];
    let watch = ["--watch", "sum end = 3 key a", "--watch", "sum end = 1 key b"].map(str::to_owned);
    let found = run(&[&words[..], &watch[..]].concat());
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stdout));
    let none = run(&[format!("{}:0", one.display()), "--watch".into(), "checks".into()]);
    assert_eq!(none.status.code(), Some(3));
}

#[test]
fn a_lesson_is_searched_within_its_own_budget() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../lessons/locks/oversell");
    let found = explore(&folder, &["--json"]);
    assert_eq!(found.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!((&json[0]["subject"], &json[0]["verdict"]), (&"locks/oversell".into(), &"broken".into()));
    assert_eq!(json[0]["schedule"].as_array().map(Vec::len), Some(4));
    // Both read before either writes: had one written first, the other would have seen it.
    assert_eq!(json[0]["order"], serde_json::json!([[2, 3]]));
    let text = String::from_utf8(explore(&folder, &[]).stdout).unwrap();
    let printed = "* the order mattered: had step 3 (c1) come before step 2 (c2), this would not have happened";
    assert!(text.contains(printed) && text.contains("   2*   0.000 s  c2 "), "{text}");
}

#[test]
fn a_verdict_without_a_test_is_reported_as_such() {
    let idle = program("idle.lua", "redis.call('INCR', 'n')");
    let found = explore(&idle, &["--watch", "mutual-exclusion"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("mutual-exclusion: not tested: no client ever entered a section"), "{text}");
    assert_eq!(found.status.code(), Some(2));

    let wrong = program("breaks-off.lua", "redis.call('INCR', 'n') error('no more')");
    let found = explore(&wrong, &["--watch", "sum always <= 9 key m tally t key n"]);
    let text = String::from_utf8(found.stdout).unwrap();
    let notes = [
        "note: in a run of one client after the other, every client fails; the first with: c1: program:1: no more",
        "note: the key m is watched and never there in a run from beginning to end",
        "note: the tally t is watched and never there in a run from beginning to end",
    ];
    assert!(notes.iter().all(|note| text.contains(note)) && !text.contains("the key n is"), "{text}");
    let at_once = program("at-once.lua", "error('not even once')");
    let text = String::from_utf8(explore(&at_once, &["--watch", "checks"]).stdout).unwrap();
    assert!(text.contains("the first with: c1: program:1: not even once"), "{text}");
    let other = program("other-section.lua", "enter('a') leave('a')");
    let text = String::from_utf8(explore(&other, &["--watch", "everyone-gets-in b"]).stdout).unwrap();
    assert!(text.contains("note: the section b is watched and never there"), "{text}");
}

#[test]
fn compound_properties_are_searched_and_described() {
    let path = program(
        "cached.lua",
        "redis.call('INCR', 'db') redis.call('DEL', 'cache')\n\
         local v = redis.call('GET', 'cache') or redis.call('GET', 'db') redis.call('SET', 'cache', v)",
    );
    let run = ["--run", "SET db 1", "--watch"];
    let text = |watch: &[&str], code: i32| {
        let found = explore(&path, &[&run[..], watch].concat());
        let text = String::from_utf8(found.stdout).unwrap();
        assert_eq!(found.status.code(), Some(code), "{text}");
        text
    };
    let said = text(&["end if exists key cache then same key cache key db"], 1);
    let printed = "end if exists key cache then same key cache key db: broken after ";
    assert!(said.contains(printed) && said.contains("      what it claims is not true\n"), "{said}");
    let said = text(&["always if exists key cash then same key cash key db"], 2);
    assert!(said.contains("not tested: the claim after 'if' never held after a value had changed"), "{said}");
    assert!(said.contains("note: the key cash is watched and never there"), "{said}");
    assert!(text(&["end if exists key cash then exists key db"], 2).contains("had ended; so it holds"));
    assert!(text(&["always missing key \"a b\""], 2).contains("no value in it ever changed"));
    assert!(text(&["sum end = 0 2 key db -3 key db key db -6 tally n"], 0).contains("note: the tally n is watched"));
    let said = text(&["sum always <= 3 2 key db"], 1);
    assert!(said.contains("      the sum is 4\n"), "{said}");
    let json = explore(&path, &[&run[..], &["sum always <= 3 2 key db", "--json"]].concat()).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json[0]["property"], "sum always <= 3 2 key db");
    let wrong =
        explore(&path, &["--watch", "always if exists key a and exists key b or exists key c then exists key d"]);
    let wrong = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        wrong.contains("'or' behind another joint") && wrong.contains("  always|end [if CLAIM then] CLAIM "),
        "{wrong}"
    );
}

#[test]
fn sections_names_and_starving_clients_are_described() {
    let pool = "if redis.call('INCR', 'n') <= 2 then enter('pool') sleep(10) leave('pool') end redis.call('DECR', 'n')";
    let path = program("pool.lua", pool);
    let watch = ["--clients", "3", "--watch", "at-most 2 inside pool", "--watch", "at-most 1 inside pool"];
    let text = String::from_utf8(explore(&path, &watch).stdout).unwrap();
    assert!(
        text.contains("at-most 2 inside pool: holds") && text.contains("at-most 1 inside pool: broken after 2 steps"),
        "{text}"
    );
    assert!(text.contains("      c2 came into pool, and 2 are inside\n"), "{text}");
    let watch = [
        "--watch",
        "everyone-gets-in pool c2",
        "--watch",
        "everyone-gets-in pool c1 c9 c10",
        "--watch",
        "everyone-gets-in swimming",
    ];
    let found = explore(&path, &watch);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(
        text.contains("everyone-gets-in pool c2: holds") && text.contains("everyone-gets-in pool c1 c9 c10: holds"),
        "{text}"
    );
    for note in [
        "the client c9 is named, and no client",
        "the client c10 is named, and no client",
        "the section swimming is watched",
    ] {
        assert!(text.contains(&format!("note: {note}")), "{note}: {text}");
    }
    let text = String::from_utf8(explore(&path, &["--watch", "everyone-gets-in pool c9"]).stdout).unwrap();
    assert!(text.contains("everyone-gets-in pool c9: not tested: "), "{text}");

    let greedy = "while redis.call('SETNX', 'lock', 1) == 0 do sleep(10) end while true do tally('n', 0) sleep(10) end";
    let path = program("greedy.lua", greedy);
    let found = explore(&path, &["--watch", "everyone-gets-on", "--watch", "no-deadlock"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("no-deadlock: holds") && text.contains("everyone-gets-on: broken after 1 step\n"), "{text}");
    let end = "      from here on c2 never gets on, whatever the others do\n        c1 at line 1 sleeps until 0.010 s\n        c2 at line 1 is about to send SETNX lock 1\n";
    assert!(text.contains(end), "{text}");
    let path = program("gives-up.lua", "if redis.call('SETNX', 'lock', 1) == 1 then enter('s') end");
    let text = String::from_utf8(explore(&path, &["--watch", "nobody-gives-up s"]).stdout).unwrap();
    assert!(text.contains("nobody-gives-up s: broken after 2 steps"), "{text}");
    assert!(text.contains("      c2 came to its end and had never been inside\n"), "{text}");
}

#[test]
fn a_schedule_shows_the_important_facts() {
    let path = program(
        "matters.lua",
        "spawn(function()\n  redis.call('GET', 'a')\nend)\nredis.call('SET', 'lock', 1, 'PX', 50)\n\
         redis.call('EVAL', [[\n  -- counts\n  return {1, 2}\n]], 0)\nsleep(70)\ntally('n', 2)\ncheck(true, 'fine')\nsleep(10)\ncheck(false, 'bad')",
    );
    let found = explore(&path, &["--clients", "1", "--watch", "checks", "--no-independence"]);
    let text = String::from_utf8(found.stdout).unwrap();
    for printed in [
        "c1 thread 0  line 4    SET lock 1 PX 50; → OK",
        "line 5    EVAL \"-- counts…\" 0; → 1) (integer) 1 2) (integer) 2; sleeps until 0.070 s",
        "0.051 s pass; lock expires at 0.050 s",
        "counts 2 n, 2 in all; checks: fine",
        "checks, and it does not hold: bad",
        "c1 checked: bad",
    ] {
        assert!(text.contains(printed), "{printed}: {text}");
    }
}

#[test]
fn a_link_carries_the_schedule() {
    let path = program("linked.lua", "local n = redis.call('GET', 'n') redis.call('SET', 'n', (n or 0) + 1)");
    let words = ["--watch", "sum end = 2 key n", "--json", "--link", "https://school.example/redis/#old"];
    let json: serde_json::Value = serde_json::from_slice(&explore(&path, &words).stdout).unwrap();
    let address = json[0]["link"].as_str().unwrap();
    let packed = address.strip_prefix("https://school.example/redis/#s=").unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, packed).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::DeflateDecoder::new(bytes.as_slice()), &mut text).unwrap();
    let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut timeline = world::Timeline::from_text(&text, &engines).unwrap();
    let steps = json[0]["schedule"].as_array().unwrap().len();
    assert_eq!(timeline.len() - timeline.position(), steps);
    timeline.seek(timeline.len());
    assert_eq!(timeline.world().watch().first_broken(), Some(0));
}

#[test]
fn tokens_have_readable_names() {
    let path = program(
        "release.lua",
        "local me = uuid() local more = uuid()
         redis.call('SET', 'lock', me) redis.call('GET', 'lock') redis.call('SET', 'more:' .. more, 1)
         check(redis.call('GET', 'lock') == me, 'mine')",
    );
    let words = ["--watch", "checks", "--no-symmetry"];
    let text = String::from_utf8(explore(&path, &words).stdout).unwrap();
    assert!(text.contains("SET lock <c1's token>; → OK") && text.contains("SET lock <c2's token>; → OK"), "{text}");
    assert!(text.contains("SET \"more:<c1's token 2>\" 1") || text.contains("SET more:<c1's token 2> 1"), "{text}");
    assert_eq!(text.matches("is what uuid() gave to that client").count(), 1, "{text}");
    let is_token = |word: &str| word.len() == 36 && word.split('-').count() == 5;
    assert!(!text.split([' ', '"', ';', ':', '\n']).any(is_token), "{text}");
    // Programs read the tokens themselves.
    let json = String::from_utf8(explore(&path, &[&words[..], &["--json"]].concat()).stdout).unwrap();
    assert!(json.split([' ', '"', ';', ':', '\\', '\n']).any(is_token) && !json.contains("token>"), "{json}");
}

#[test]
fn programs_that_cannot_be_inspected_are_named() {
    let path = program("own.lua", "for word in ('a b'):gmatch('%a') do redis.call('GET', word) end");
    let words = ["--watch", "no-errors"];
    let text = String::from_utf8(explore(&path, &words).stdout).unwrap();
    assert!(text.contains("only their answers tell the programs of c1, c2 apart"), "{text}");
    assert!(text.contains("; 2 programs are told apart by their answers\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_slice(&explore(&path, &[&words[..], &["--json"]].concat()).stdout).unwrap();
    assert_eq!(json[0]["by_history"]["programs"], serde_json::json!(["c1", "c2"]));
    assert!(json[0]["by_history"]["states"].as_u64().is_some_and(|states| states > 0), "{json}");
    let plain = program("plain.lua", "redis.call('GET', 'a')");
    let text = String::from_utf8(explore(&plain, &words).stdout).unwrap();
    assert!(!text.contains("answers"), "{text}");
}

#[test]
fn a_closed_pipe_does_not_stop_the_search() {
    let path = program("short.lua", "redis.call('INCR', 'n') check(false, 'never')");
    for words in [&["--json"][..], &[]] {
        let mut explore = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        explore.arg("explore").arg(&path).args(["--watch", "checks"]).args(words);
        let mut child = explore.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), String::from_utf8(ended.stderr).unwrap()), (Some(1), String::new()));
    }
}

#[test]
fn a_schedule_shows_delivered_and_lost_messages() {
    let publisher = program("publisher.lua", "redis.call('PUBLISH', 'news', 'hello')");
    let listener = program("listener.lua", "subscribe('news') check(not wait_message(100), 'silence')");
    let alone = program("alone.lua", "subscribe('news') check(wait_message(100), 'sound')");
    let explore = |words: &[String]| {
        let mut explore = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        let found = explore.arg("explore").args(words).args(["--watch", "checks"]).output().unwrap();
        String::from_utf8(found.stdout).unwrap()
    };
    let one = |path: &PathBuf| format!("{}:1", path.display());
    let text = explore(&[one(&listener), one(&publisher)]);
    assert!(text.contains("hears news hello; checks, and it does not hold: silence"), "{text}");
    let text = explore(&[one(&alone)]);
    assert!(text.contains("waits for a message until 0.100 s"), "{text}");
    assert!(text.contains("has heard no message in that time; checks, and it does not hold: sound"), "{text}");
}

/// Peterson's algorithm for two clients in one file; `client.id` tells them apart.
const PETERSON: &str = "local me, other = client.id, 3 - client.id
redis.call('SET', 'flag:' .. me, 1)
redis.call('SET', 'turn', other)
while redis.call('GET', 'flag:' .. other) == '1' and redis.call('GET', 'turn') == tostring(other) do sleep(10) end
enter()
redis.call('INCR', 'visits')
leave()
redis.call('SET', 'flag:' .. me, 0)";

#[test]
fn clients_of_one_file_can_do_different_things() {
    let watch = ["--watch", "mutual-exclusion", "--watch", "everyone-gets-on", "--json"];
    let searched = |name: &str, text: &str| -> serde_json::Value {
        program(name, text);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}:2"));
        serde_json::from_slice(&explore(&path, &watch).stdout).unwrap()
    };
    let right = searched("peterson.lua", PETERSON);
    assert_eq!((&right[0]["verdict"], &right[1]["verdict"]), (&"holds".into(), &"holds".into()), "{right:#}");
    let steps = |found: &serde_json::Value| found[0]["schedule"].as_array().map(Vec::len);
    // A client that keeps the turn enters, even if the other one is inside.
    let kept = searched("kept.lua", &PETERSON.replace("'turn', other)", "'turn', me)"));
    assert_eq!((&kept[0]["verdict"], steps(&kept)), (&"broken".into(), Some(7)), "{kept:#}");
    // A client that gives the turn away before it raises its flag is not noticed.
    let [first, second] = ["redis.call('SET', 'flag:' .. me, 1)", "redis.call('SET', 'turn', other)"];
    let in_order = format!("{first}\n{second}");
    let late = searched("late.lua", &PETERSON.replace(&in_order, &format!("{second}\n{first}")));
    assert_eq!((&late[0]["verdict"], steps(&late)), (&"broken".into(), Some(7)), "{late:#}");
}

#[test]
fn programs_are_given_their_arguments() {
    let path = program("given.lua", "redis.call('SET', client.id, table.concat(args, '+'))");
    let path = path.display();
    let run =
        |words: &[&str]| Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("explore").args(words).output().unwrap();
    let [two, one] = [format!("{path}:2 30 'very fast'"), format!("{path}:1 60")];
    let watch = ["--watch", "end same key 1 text '30+very fast' and same key 2 key 1 and same key 3 text 60"];
    let found = run(&[&[two.as_str(), one.as_str()], watch.as_slice()].concat());
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stdout));
    let many = "x ".repeat(65);
    for (words, why) in [
        (format!("{path}:2 'a"), "a quote is not closed"),
        (format!("{path}:65 a"), "given.lua:65: behind the colon stands how many clients run it, 1 to 64"),
        (format!("{path}:99999999999999999999"), "1 to 64"),
        (format!("{path} {many}"), "65 words where 64 are allowed"),
        (format!("{path}:1 {}", "x".repeat(1 << 16)), "bytes of program where 65536 are allowed"),
        ("nowhere.lua 1 2".to_owned(), "nowhere.lua: "),
    ] {
        let found = run(&[words.as_str(), "--watch", "checks"]);
        let printed = String::from_utf8(found.stderr).unwrap();
        assert!(found.status.code() == Some(3) && printed.contains(why), "{why}: {printed}");
    }
}

#[test]
fn restarts_delays_and_clock_jumps_are_described_step_by_step() {
    let lock = "if redis.call('SET', 'lock', uuid(), 'NX', 'PX', 1000) then enter() redis.call('PING') leave() redis.pcall('DEL', 'lock') end";
    let printed = |name: &str, text: &str, words: &[&str]| {
        let found = explore(&program(name, text), words);
        let text = String::from_utf8(found.stdout).unwrap();
        assert_eq!(found.status.code(), Some(1), "{text}");
        text
    };
    let retry =
        lock.replace("if redis", "repeat sleep(900) until redis").replace("then enter", "enter").replace(" end", "");
    let text = printed("late.lua", &retry, &["--watch", "only-owner-releases lock", "--delays", "1"]);
    assert!(text.contains("its request is held up: DEL lock\n"), "{text}");
    assert!(
        text.contains("a request arrives that was held up; DEL lock; ")
            || text.contains("a request arrives that was held up; DEL lock\n"),
        "{text}"
    );
    let twice = "redis.call('SET', 'lock', 'me') tally('paid')";
    let words = ["--clients", "1", "--watch", "sum always <= 1 tally paid", "--crashes", "1", "--restarts", "1"];
    let text = printed("twice.lua", &format!("{twice} redis.call('PING')"), &words);
    assert!(
        text.contains("  c1                crashes\n") && text.contains("  c1                starts again\n"),
        "{text}"
    );
    let found = explore(&program("twice.lua", twice), &words[..4]);
    assert_eq!(found.status.code(), Some(0));
    let clock = "local begun = now() redis.call('PING') check(now() - begun < 1000, 'in time')";
    let text = printed("clock.lua", clock, &["--clients", "1", "--watch", "checks", "--clock-jumps", "1"]);
    assert!(
        text.contains("its clock jumps 3600.000 s ahead\n") && text.contains("checks: broken after 2 steps"),
        "{text}"
    );
    let found = explore(&program("clock.lua", clock), &["--watch", "checks", "--delays", "4294967296"]);
    assert_eq!(found.status.code(), Some(3));
    assert!(String::from_utf8(found.stderr).unwrap().contains("--delays"));
}

#[test]
fn node_faults_are_described_with_node_names() {
    let lock = "local token, won = uuid(), 0
        for _, node in ipairs({ redis, connect('r2'), connect('r3') }) do
          if node.pcall('SET', 'lock', token, 'NX', 'PX', 10000) == 'OK' then won = won + 1 end
        end
        if won >= 2 then enter() work(5) leave() end";
    let path = program("majority.lua", lock);
    let faults = ["--nodes", "3", "--watch", "mutual-exclusion", "--node-crashes", "1", "--node-restarts", "1"];
    let found = explore(&path, &faults);
    let text = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{text}");
    assert!(text.contains("mutual-exclusion: broken after 8 steps"), "{text}");
    for line in ["  crashes\n", "  starts again\n", " on r3; → "] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let found = explore(&path, &[faults.as_slice(), &["--durability", "always"]].concat());
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("mutual-exclusion: holds in every schedule; nothing was left out"), "{text}");
    let found = explore(&path, &["--nodes", "3", "--watch", "mutual-exclusion", "--node-clock-jumps", "1"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("  its clock jumps 3600.000 s ahead\n"), "{text}");
}

#[test]
fn programs_are_searched_with_a_database() {
    let lock = "local db, me = connect('db'), uuid()
        while db.pquery(\"INSERT INTO method_lock VALUES ('pay', ?)\", me).err do sleep(100) end
        enter() work(5) leave() db.query(\"DELETE FROM method_lock WHERE method = 'pay'\")";
    let path = program("database-lock.lua", lock);
    let table = "@db CREATE TABLE method_lock (method VARCHAR(64) PRIMARY KEY, owner VARCHAR(64))";
    let options =
        ["--database", "--run", table, "--run", "SET k v", "--watch", "mutual-exclusion", "--watch", "no-deadlock"];
    let found = explore(&path, &options);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(text.contains("2 properties: 2 hold"), "{text}");
    let found = explore(&path, &[options.as_slice(), &["--crashes", "1"]].concat());
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(
        text.contains("no-deadlock: broken after 2 steps") && text.contains("→ Query OK, 1 row affected"),
        "{text}"
    );
    for (options, why) in [
        (&["--run", table, "--watch", "checks"][..], "there is no database without --database"),
        (&["--database", "fast 1", "--watch", "checks"], "it has service, workers, connections and lock-wait"),
        (&["--database", "--run", "@db SELECT", "--watch", "checks"], "1064"),
    ] {
        let found = explore(&path, options);
        assert_eq!(found.status.code(), Some(3));
        assert!(String::from_utf8(found.stderr).unwrap().contains(why), "{why}");
    }
}
