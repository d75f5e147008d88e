//! The documentation of commands is whole in both languages, and every example runs.
use std::collections::BTreeSet;

use redis_model::command::{self, Arg, Command, Run};
use resp::Value;
use world::{EventKind, Input, Settings, Timeline};

use super::{CHINESE_FILES, ENGLISH_FILES, example, lacks_documentation, learn_documentation};
use crate::i18n::Lang;

const OPTIONS: [(&str, &str); 2] =
    [("en", include_str!("../en/options.txt")), ("zh-CN", include_str!("../zh-CN/options.txt"))];
const COSTS: &str = include_str!("../zh-CN/costs.txt");
const EXAMPLES: &str = include_str!("../examples.txt");

/// Modelled commands without an example, and why.
const WITHOUT_EXAMPLE: &[(&str, &str)] = &[
    ("client|caching", "needs tracking with OPTIN or OPTOUT"),
    ("client|tracking", "needs RESP3 or a second connection for its messages"),
    ("command", "prints hundreds of lines"),
    ("config|rewrite", "a server without a configuration file answers with an error"),
    ("debug", "is for the developers of Redis"),
    ("dump", "its reply is bytes that only RESTORE reads"),
    ("function|kill", "only works while a function runs in another client"),
    ("latency|graph", "needs recorded events"),
    ("monitor", "the terminal would only print what the server does"),
    ("pfselftest", "is for the developers of Redis"),
    ("psubscribe", "the terminal would only listen"),
    ("punsubscribe", "needs a subscription"),
    ("quit", "closes the connection of the terminal"),
    ("restore", "needs the bytes that DUMP returned"),
    ("restore-asking", "needs the bytes that DUMP returned"),
    ("script|debug", "needs a debugger"),
    ("script|kill", "only works while a script runs in another client"),
    ("ssubscribe", "the terminal would only listen"),
    ("subscribe", "the terminal would only listen"),
    ("sunsubscribe", "needs a subscription"),
    ("unsubscribe", "needs a subscription"),
    ("wait", "would wait for replicas, which no server here has"),
];

fn all() -> impl Iterator<Item = &'static Command> {
    command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands))
}

fn by_full_name(name: &str) -> Option<&'static Command> {
    all().find(|row| row.full_name() == name)
}

/// The lines of a file without comments, as (name, rest).
fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once(' ').unwrap_or((line, "")))
}

fn tokens(args: &[Arg], name: &str, into: &mut BTreeSet<String>) {
    for arg in args {
        if !arg.token.is_empty() {
            into.insert(format!("{name} {}", arg.token));
        }
        tokens(&arg.parts, name, into);
    }
}

/// What a file of options lacks, and what it has too much.
fn faults_of_options(text: &'static str) -> Vec<String> {
    let mut wanted = BTreeSet::new();
    for row in all() {
        tokens(&row.args(), &row.full_name(), &mut wanted);
    }
    let (mut faults, mut found) = (Vec::new(), BTreeSet::new());
    for (name, rest) in lines(text) {
        let (token, sentence) = rest.split_once(' ').unwrap_or((rest, ""));
        let option = format!("{name} {token}");
        if sentence.trim().is_empty() {
            faults.push(format!("{option}: no sentence"));
        }
        if !wanted.contains(&option) {
            faults.push(format!("{option}: no such option"));
        }
        if !found.insert(option.clone()) {
            faults.push(format!("{option}: twice"));
        }
    }
    faults.extend(wanted.difference(&found).map(|option| format!("{option}: is missing")));
    faults
}

/// The formulas `O(…)` of a text, brackets inside them included.
fn formulas(text: &str) -> BTreeSet<&str> {
    let starts = text.match_indices("O(").map(|(at, _)| &text[at..]);
    starts
        .map(|rest| {
            let mut depth = 0;
            let end = rest.char_indices().skip(1).find(|(_, letter)| {
                match letter {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            end.map_or(rest, |(at, _)| &rest[..=at])
        })
        .collect()
}

fn faults_of_costs(text: &'static str) -> Vec<String> {
    let mut faults = Vec::new();
    for row in all().filter(|row| !row.complexity.is_empty()) {
        let name = row.full_name();
        match lines(text).filter(|(known, _)| *known == name).collect::<Vec<_>>().as_slice() {
            [] => faults.push(format!("{name}: is missing")),
            [(_, cost)] if formulas(cost) != formulas(row.complexity) => {
                faults.push(format!("{name}: the formulas of {cost:?} are not those of {:?}", row.complexity));
            }
            [_] => {}
            _ => faults.push(format!("{name}: twice")),
        }
    }
    let is_costly = |name: &str| by_full_name(name).is_some_and(|row| !row.complexity.is_empty());
    faults.extend(lines(text).filter(|(name, _)| !is_costly(name)).map(|(name, _)| format!("{name}: no such command")));
    faults
}

/// What goes wrong when an example runs in the first terminal of a new session.
fn fault_of_run(lines: &[&str]) -> Option<String> {
    let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    let mut timeline = Timeline::with_engines(Settings::default(), &engines);
    for client in 0..2 {
        timeline.push(Input::Connect { client, name: format!("c{}", client + 1) }).unwrap();
    }
    for line in lines {
        let argv = match resp::split::split(line.as_bytes()) {
            Ok(argv) if !argv.is_empty() => argv,
            other => return Some(format!("{line}: {other:?}")),
        };
        let before = timeline.cursor();
        timeline.push(Input::Command { client: 0, argv }).unwrap();
        if timeline.world().is_waiting(0) {
            timeline.push(Input::Advance { ms: 60_000 }).unwrap();
        }
        if timeline.world().is_waiting(0) {
            return Some(format!("{line}: waits for more than a minute"));
        }
        if timeline.world().connection(0).is_none() {
            return Some(format!("{line}: closes the connection"));
        }
        let new = timeline.taken().filter(|(step, _)| *step > before).flat_map(|(_, step)| &step.events);
        let error = new.into_iter().find_map(|event| match &event.kind {
            EventKind::Reply { client: 0, value, .. } | EventKind::Push { client: 0, value, .. } => first_error(value),
            _ => None,
        });
        if let Some(error) = error {
            return Some(format!("{line}: {error}"));
        }
    }
    None
}

/// The first error in a reply, also inside that of a transaction.
fn first_error(value: &Value) -> Option<String> {
    let text = format!("{value:?}");
    text.split_once("Error(").map(|(_, rest)| rest.chars().take(80).collect())
}

fn faults_of_examples(text: &'static str) -> Vec<String> {
    let names: BTreeSet<&str> = lines(text).map(|(name, _)| name).collect();
    let mut faults = Vec::new();
    for name in &names {
        let Some(row) = by_full_name(name) else {
            faults.push(format!("{name}: no such command"));
            continue;
        };
        let example: Vec<&str> = lines(text).filter(|(known, _)| known == name).map(|(_, line)| line).collect();
        let shows = |line: &&str| {
            let argv = resp::split::split(line.as_bytes()).unwrap_or_default();
            command::find(&argv).is_ok_and(|found| std::ptr::eq(found, row))
        };
        if !example.iter().any(shows) {
            faults.push(format!("{name}: its example does not use it"));
        }
        faults.extend(fault_of_run(&example).map(|fault| format!("{name}: {fault}")));
    }
    let runs = |row: &&Command| matches!(row.run, Run::Call(_) | Run::ContainerOr(_));
    for row in all().filter(runs) {
        let name = row.full_name();
        let is_listed = WITHOUT_EXAMPLE.iter().any(|(known, _)| *known == name);
        match (names.contains(name.as_str()), is_listed) {
            (false, false) => faults.push(format!("{name}: has no example")),
            (true, true) => faults.push(format!("{name}: has an example, and a reason why it has none")),
            _ => {}
        }
    }
    let unknown = WITHOUT_EXAMPLE.iter().filter(|(name, why)| by_full_name(name).is_none() || why.is_empty());
    faults.extend(unknown.map(|(name, _)| format!("{name}: listed, but no such command")));
    faults
}

#[test]
fn each_option_has_a_sentence_in_both_languages() {
    for (language, text) in OPTIONS {
        let faults = faults_of_options(text);
        assert!(faults.is_empty(), "{language}: {} faults: {faults:#?}", faults.len());
    }
}

#[test]
fn each_complexity_is_translated_and_keeps_its_formulas() {
    let faults = faults_of_costs(COSTS);
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

#[test]
fn each_command_has_an_example_that_runs() {
    let faults = faults_of_examples(EXAMPLES);
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

#[test]
fn faults_of_the_files_are_found() {
    let has = |faults: Vec<String>, fault: &str| assert!(faults.iter().any(|found| found.contains(fault)), "{fault}");
    has(faults_of_options("set XX \nset XX Only if it exists.\n"), "set XX: no sentence");
    has(faults_of_options("set XX Only.\nset XX Only.\n"), "set XX: twice");
    has(faults_of_options("set YY Only.\n"), "set YY: no such option");
    has(faults_of_options("# set NX Only.\n"), "set NX: is missing");
    has(faults_of_costs("get O(N)，N 为键的数量\n"), "get: the formulas");
    has(faults_of_costs("gett O(1)\n"), "gett: no such command");
    has(faults_of_costs(""), "get: is missing");
    has(faults_of_examples("get SET k v\n"), "get: its example does not use it");
    has(faults_of_examples("get LPUSH k v\nget GET k\n"), "get: GET k: ");
    has(faults_of_examples("get GET \"k\nget GET k\n"), "get: GET \"k: ");
    has(faults_of_examples("blpop BLPOP k 0\n"), "blpop: BLPOP k 0: waits");
    has(faults_of_examples("exec MULTI\nexec SET k v\nexec LPUSH k v\nexec EXEC\n"), "exec: EXEC: ");
    has(faults_of_examples("quit QUIT\n"), "quit: QUIT: closes");
    has(faults_of_examples("gett GETT k\n"), "gett: no such command");
    has(faults_of_examples(""), "get: has no example");
    assert!(!faults_of_examples("get SET k v\nget GET k\n").iter().any(|fault| fault.starts_with("get: ")));
    assert_eq!(formulas("O(log(N)+M) or O(1)"), BTreeSet::from(["O(log(N)+M)", "O(1)"]));
}

#[test]
fn files_of_a_language_make_its_documentation_whole() {
    let row = command::by_name(b"set").unwrap();
    assert!(Lang::En.options(row).is_empty() && example(row).is_empty());
    assert_eq!(Lang::ZhCn.complexity(row), row.complexity);
    for file in ENGLISH_FILES.into_iter().chain(CHINESE_FILES).filter(|file| lacks_documentation(file)) {
        let text = match file {
            "en/options.txt" => "# set NX No.\nset NX Only new keys.\nget NX No.\nset EX In seconds.\n",
            "zh-CN/options.txt" => "set NX 键不存在时才设置。\n",
            "costs.txt" => "set O(1)，常数时间\n",
            "examples.txt" => "set SET k v\nget GET k\nset GET k\n",
            other => panic!("{other} is not documented"),
        };
        learn_documentation(file, text.to_owned());
    }
    assert_eq!(Lang::En.options(row), [("NX", "Only new keys."), ("EX", "In seconds.")]);
    assert_eq!(Lang::ZhCn.options(row), [("NX", "键不存在时才设置。")]);
    assert_eq!((Lang::En.complexity(row), Lang::ZhCn.complexity(row)), (row.complexity, "O(1)，常数时间"));
    assert_eq!(example(row), ["SET k v", "GET k"]);
}
