//! Source files of lessons: every mistake is reported with its file and line, and both languages have the same content.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
use lesson::source::{Source, read_course, read_lesson};
use lesson::{Break, Budget, ClientGroup, Faults, Index, Lesson, Row, TaskKind, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const TOML: &str = r#"order = 1
title = { en = "Two buyers", zh-CN = "两个顾客" }
summary = { en = "One item.", zh-CN = "一件商品。" }
panels = ["lanes", "programs"]
sections = ["idea"]
flow = ["guess", "idea", "break", "repair", "choose"]
setup = ["SET stock 1"]

[budget]
depth = 20

[[client]]
name = "c"
program = "buyer.lua"
count = 2

[[property]]
id = "sold"
title = { en = "Nothing is oversold", zh-CN = "不超卖" }
watch = "checks"
broken = 3
broken-by = "cheat.lua"

[[check]]
id = "none-sold"
title = { en = "Nothing is sold", zh-CN = "一件也不卖" }
watch = "sum end = 0 tally sold"

[[step]]
id = "read"
do = ["c1. 0"]

[[task]]
id = "break"
kind = "break"
hints = 1
property = "sold"

[[task]]
id = "repair"
kind = "repair"
program = "buyer.lua"
properties = ["sold"]
solution = "better.lua"
right = ["other.lua"]
wrong = [{ program = "wrong-late.lua", property = "sold", way = "GET SET" }]
cheats = [{ program = "cheat.lua", variation = "empty", property = "none-sold" }]

[[task.variation]]
id = "stage"
title = { en = "As on the stage", zh-CN = "与实验台相同" }
clients = 2

[[task.variation]]
id = "empty"
title = { en = "Nothing in stock", zh-CN = "没有库存" }
set = { work_ms = "60000" }
setup = ["SET stock 0"]
seed = 7
clients = 3
faults = { crashes = 1 }
properties = ["sold", "none-sold"]

[[task.harmless]]
line = "local x = 1"
what = "1"
why = "Any number does."

[[task]]
id = "choose"
kind = "choose"
of = "repair"
choices = ["wrong-late.lua", "other.lua"]

[[task]]
id = "guess"
kind = "predict"
after = ["c1. 0"]
then = ["c2. 0"]
choices = ["one", "none"]
answer = "none"
shows = "(nil)"
"#;

/// A *forecast* task, at the end of `lesson.toml`.
const FORECAST: &str = r#"
[[task]]
id = "table"
kind = "forecast"
do = ["c1. 0", "c2. 0"]
rows = [
    { key = "list", title = { en = "List, `BLPOP`", zh-CN = "列表，`BLPOP`" }, expect = ["lost"] },
    { key = "a stream", title = { en = "Stream", zh-CN = "流" }, expect = ["repeated", "disordered"] },
]
"#;

const IDS: [&str; 17] = [
    "idea",
    "step.read",
    "break",
    "break.hint-1",
    "break.solution",
    "repair",
    "repair.wrong-late",
    "repair.solution",
    "choose",
    "choose.right-other",
    "choose.solution",
    "guess",
    "guess.choice-one",
    "guess.reply-one",
    "guess.choice-none",
    "guess.reply-none",
    "guess.solution",
];

const PROGRAM: &str =
    "-- en: A buyer.\n-- zh: 一位顾客。\nlocal x = 1\n  -- en: Says it.\n  -- zh: 说出来。\n  note(x)\n";

/// The program of the stage: functions above a frame.
const STAGE: &str =
    "-- en: Buys.\n-- zh: 购买。\nfunction buy() end\n\n---- frame ----\nlocal work_ms = 100\nwork(work_ms)\nbuy()\n";

fn text() -> String {
    IDS.map(|id| format!("## About {id} {{#{id}}}\n\nThis is *{id}*.\n\n")).concat()
}

/// A folder with the files of a valid lesson, some of them changed.
fn folder(name: &str, changed: &[(&str, Option<&str>)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lessons").join(name);
    let _ = fs::remove_dir_all(&root);
    let folder = root.join("track").join("two-buyers");
    fs::create_dir_all(&folder).unwrap();
    let text = text();
    let good = [
        ("lesson.toml", TOML),
        ("text.en.md", text.as_str()),
        ("text.zh-CN.md", text.as_str()),
        ("buyer.lua", STAGE),
        ("better.lua", PROGRAM),
        ("other.lua", STAGE),
        ("wrong-late.lua", PROGRAM),
        ("cheat.lua", PROGRAM),
    ];
    for (file, text) in good {
        fs::write(folder.join(file), text).unwrap();
    }
    for (file, text) in changed {
        match text {
            Some(text) => fs::write(folder.join(file), text).unwrap(),
            None => fs::remove_file(folder.join(file)).unwrap(),
        }
    }
    folder
}

fn read(name: &str) -> Source {
    read_lesson(&folder(name, &[])).unwrap()
}

/// The mistakes of the lesson with one file replaced, without the folder's path.
fn faults(name: &str, file: &str, text: &str) -> Vec<String> {
    let folder = folder(name, &[(file, Some(text))]);
    let faults = read_lesson(&folder).err().unwrap_or_default();
    let cut = |fault: &lesson::source::Mistake| fault.to_string().replace(&format!("{}/", folder.display()), "");
    faults.iter().map(cut).collect()
}

/// The mistakes after a replacement in `lesson.toml`.
fn toml_faults(name: &str, from: &str, to: &str) -> Vec<String> {
    assert!(TOML.contains(from), "{from}");
    faults(name, "lesson.toml", &TOML.replacen(from, to, 1))
}

#[test]
fn valid_lesson_is_read_in_both_languages() {
    let source = read("good");
    let [english, chinese] = &source.lessons;
    assert_eq!((english.track.as_str(), english.id.as_str()), ("track", "two-buyers"));
    assert_eq!((english.title.as_str(), chinese.title.as_str()), ("Two buyers", "两个顾客"));
    let stage = "function buy() end\n\n---- frame ----\nlocal work_ms = 100\nwork(work_ms)\nbuy()\n";
    assert_eq!(english.programs[0].text, format!("-- Buys.\n{stage}"));
    assert_eq!(chinese.programs[0].text, format!("-- 购买。\n{stage}"));
    assert_eq!(english.programs.len(), 1, "only what somebody runs");
    assert_eq!(english.properties[0].verdict, Verdict::Broken { steps: 3 });
    assert_eq!(english.story[0].html, "<p>This is <em>step.read</em>.</p>\n");
    assert_eq!(
        english.tasks[0].kind,
        TaskKind::Break(Break { property: "sold".into(), shortest: 3, ..Break::default() })
    );
    let TaskKind::Predict { choices, .. } = &english.tasks[3].kind else { panic!("{:?}", english.tasks[3]) };
    assert_eq!(choices[0].reply, "<p>This is <em>guess.reply-one</em>.</p>\n");
    assert_eq!(choices.iter().map(|choice| choice.is_right).collect::<Vec<_>>(), [false, true]);
    for lesson in &source.lessons {
        assert_eq!(Lesson::read(&lesson.write()).as_ref(), Ok(lesson));
    }
}

/// A stage with a task, in `lesson.toml` after the lesson's own property.
const ELSEWHERE: &str = r#"
[[stage]]
id = "two"
nodes = ["r1 none", "r2 always"]
setup = ["@r2 SET stock 2"]
client = [{ name = "b", program = "other.lua", count = 1 }, { name = "t", count = 1 }]
budget = { clients = 1, depth = 30, faults = { node-crashes = 1 } }

[[check]]"#;

#[test]
fn break_task_may_have_its_own_stage() {
    let toml = TOML.replacen("\n[[check]]", ELSEWHERE, 1).replacen(
        "property = \"sold\"",
        "property = \"sold\"\nstage = \"two\"\nfaults = { cuts = 2 }\nbroken = 9",
        1,
    );
    let folder = folder("elsewhere", &[("lesson.toml", Some(&toml))]);
    let [lesson, _] = read_lesson(&folder).unwrap().lessons;
    assert_eq!(Lesson::read(&lesson.write()).as_ref(), Ok(&lesson));
    let TaskKind::Break(task) = &lesson.tasks[0].kind else { panic!("{:?}", lesson.tasks[0]) };
    let faults = Some(Faults { cuts: 2, ..Faults::default() });
    assert_eq!(*task, Break { property: "sold".into(), shortest: 9, stage: "two".into(), faults });
    let there = lesson.broken_by(task);
    assert_eq!((there.nodes.as_slice(), there.story.len()), (&["r1 none".to_owned(), "r2 always".to_owned()][..], 0));
    assert_eq!(there.clients().collect::<Vec<_>>(), [("b1".to_owned(), "other"), ("t1".to_owned(), "")]);
    assert_eq!(there.budget, Budget { clients: 1, depth: 30, faults: Faults { cuts: 2, ..Faults::default() } });
    assert_eq!(lesson.on_stage("two").budget.faults, Faults { node_crashes: 1, ..Faults::default() });
    let opening = there.opening();
    assert_eq!(opening[..3], ["+ setup 0", "setup@ 1", "setup> SET stock 2"].map(str::to_owned));
    assert!(opening.iter().any(|line| line.starts_with("b1< load ")), "{opening:?}");
    // The lesson's own stage is unchanged.
    assert_eq!((lesson.nodes.len(), lesson.setup.as_slice()), (0, &["SET stock 1".to_owned()][..]));
    assert_eq!(lesson.on_stage("three"), lesson);
}

#[test]
fn clock_of_a_lesson_starts_its_session_on_the_usual_day() {
    let folder = folder("clock", &[("lesson.toml", Some(&TOML.replacen("setup =", "clock = \"23:05\"\nsetup =", 1)))]);
    let [lesson, _] = read_lesson(&folder).unwrap().lessons;
    let noon_ms: u64 = 1_767_268_800_000;
    let starts = format!("\nstart {}\n", noon_ms + (11 * 60 + 5) * 60_000);
    assert!(lesson.session(&[]).contains(&starts), "{}", lesson.session(&[]));
}

#[test]
fn mistakes_in_a_task_stage_are_reported() {
    let broken = "property = \"sold\"\nstage = \"two\"\nbroken = 9";
    let cases = [
        ("stage = \"two\"\n", "stage = \"three\"\n", "there is no stage `three`"),
        ("\nbroken = 9", "", "a break on another stage or with other faults needs `broken`"),
        (
            "stage = \"two\"\nbroken = 9",
            "faults = { cuts = 1 }",
            "a break on another stage or with other faults needs `broken`",
        ),
        ("program = \"other.lua\", count", "program = \"none.lua\", count", "there is no program `none.lua`"),
        ("r2 always", "r1 always", "there is a node `r1` already"),
        ("id = \"two\"", "id = \"Two\"", "small letters, digits and hyphens make a name"),
        ("count = 1 }, {", "count = 0 }, {", "there are 1 to 1000 clients"),
        ("kind = \"predict\"\n", "kind = \"predict\"\nstage = \"two\"\n", "`stage` belongs to tasks of kind break"),
    ];
    for (nth, (from, to, expected)) in cases.into_iter().enumerate() {
        let toml = TOML.replacen("\n[[check]]", ELSEWHERE, 1).replacen("property = \"sold\"", broken, 1);
        assert!(toml.contains(from), "{from}");
        let found = faults(&format!("stage-{nth}"), "lesson.toml", &toml.replacen(from, to, 1));
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected}: {found:?}");
    }
}

#[test]
fn a_repair_has_functions_frames_and_variations() {
    let source = read("repair");
    let [english, chinese] = &source.lessons;
    let repair = english.repair("repair").unwrap();
    assert_eq!((repair.program.as_str(), repair.start.as_str()), ("buyer", "-- Buys.\nfunction buy() end\n\n"));
    assert_eq!(repair.solution, "-- A buyer.\nlocal x = 1\n  -- Says it.\n  note(x)\n");
    assert_eq!(chinese.repair("repair").unwrap().solution, "-- 一位顾客。\nlocal x = 1\n  -- 说出来。\n  note(x)\n");
    let wrong = &repair.wrong[0];
    assert_eq!((wrong.variation.as_str(), wrong.way.as_str()), ("stage", "GET SET"));
    assert_eq!((wrong.property.as_str(), wrong.title.as_str()), ("sold", "About repair.wrong-late"));
    let [stage, empty] = repair.variations.as_slice() else { panic!("{:?}", repair.variations) };
    assert_eq!((stage.frame.as_str(), stage.seed), ("local work_ms = 100\nwork(work_ms)\nbuy()\n", 0));
    assert_eq!(stage.setup, ["SET stock 1"]);
    assert_eq!((empty.frame.as_str(), empty.seed), ("local work_ms = 60000\nwork(work_ms)\nbuy()\n", 7));
    assert_eq!(empty.properties.iter().map(|property| property.id.as_str()).collect::<Vec<_>>(), ["sold", "none-sold"]);
    let varied = repair.varied(english, empty, "function buy() return 1 end");
    assert_eq!((varied.clients[0].count, varied.budget.faults.crashes, varied.setup.len()), (3, 1, 1));
    // The numbers of clients with another program or without one do not change.
    let mut with_others = english.clone();
    with_others.clients.extend(["", "other"].map(|program| ClientGroup {
        program: program.into(),
        count: 1,
        ..ClientGroup::default()
    }));
    let counts = repair.varied(&with_others, empty, "").clients.iter().map(|clients| clients.count).collect::<Vec<_>>();
    assert_eq!(counts, [3, 1, 1]);
    let session = varied.session_of(empty.seed, &[]);
    assert!(session.contains("\nseed 7\n\n+ setup 0\nsetup> SET stock 0\n"), "{session}");
    assert!(session.contains("function buy() return 1 end\\n\\n---- frame ----\\nlocal work_ms = 60000"), "{session}");

    let TaskKind::Choose { of, fixes } = &english.tasks[2].kind else { panic!("{:?}", english.tasks[2]) };
    let expected: Vec<_> = fixes.iter().map(|fix| (fix.title.as_str(), fix.survives)).collect();
    assert_eq!(
        (of.as_str(), expected),
        ("repair", vec![("About repair.wrong-late", false), ("About choose.right-other", true)])
    );

    let proofs = &source.proofs[0];
    let files: Vec<&str> = proofs.passing.iter().map(|functions| functions.file.as_str()).collect();
    assert_eq!(files, ["better.lua", "other.lua"]);
    assert_eq!(proofs.passing[1].text, "-- Buys.\nfunction buy() end\n\n", "a whole program counts with its functions");
    assert_eq!((proofs.cheats[0].variation.as_str(), proofs.cheats[0].property.as_str()), ("empty", "none-sold"));
    assert_eq!((proofs.harmless[0].file.as_str(), proofs.harmless[0].what.as_deref()), ("better.lua", Some("1")));
    assert_eq!(source.broken_by[0].property, "sold");
}

#[test]
fn the_flow_decides_which_task_opens_a_section() {
    let [lesson, _] = read("flow").lessons;
    assert_eq!(lesson.flow, ["guess", "idea", "break", "repair", "choose"]);
    assert_eq!(lesson.opened_by("idea").map(|task| task.id.as_str()), Some("guess"));
    let without = folder("flow-none", &[("lesson.toml", Some(&TOML.replacen("flow =", "# flow =", 1)))]);
    let [lesson, _] = read_lesson(&without).unwrap().lessons;
    assert_eq!(lesson.flow, ["idea", "break", "repair", "choose", "guess"]);
    assert_eq!(lesson.opened_by("idea"), None);
}

#[test]
fn mistakes_in_a_repair_are_reported_with_their_line() {
    let cases = [
        ("right = [\"other.lua\"]\n", "", "a task of kind repair needs `right`"),
        (
            "cheats = [{ program = \"cheat.lua\"",
            "cheats = [{ program = \"cheap.lua\"",
            "there is no program `cheap.lua`",
        ),
        ("variation = \"empty\"", "variation = \"full\"", "there is no variation `full`"),
        ("set = { work_ms", "set = { works_ms", "the frame has no line `local works_ms = …`"),
        ("id = \"empty\"", "id = \"stage\"", "there is a variation `stage` already"),
        ("[\"sold\", \"none-sold\"]", "[\"sold\", \"none\"]", "there is no property `none`"),
        ("of = \"repair\"", "of = \"break\"", "there is no task `break` of kind repair"),
        (
            "[\"wrong-late.lua\", \"other.lua\"]",
            "[\"wrong-late.lua\", \"cheat.lua\"]",
            "`cheat.lua` is neither right nor wrong",
        ),
        ("[\"wrong-late.lua\", \"other.lua\"]", "[\"better.lua\", \"other.lua\"]", "some of the choices survive"),
        ("\"idea\", \"break\"", "\"ideas\", \"break\"", "there is no section and no task `ideas`"),
        ("\"idea\", \"break\"", "\"break\"", "`idea` is missing in `flow`"),
        ("\"idea\", \"break\"", "\"idea\", \"idea\", \"break\"", "`idea` stands in the flow already"),
        ("id = \"none-sold\"", "id = \"sold\"", "there is a property `sold` already"),
        (
            "watch = \"sum end = 0 tally sold\"",
            "watch = \"sum end = 0 tally sold\"\nbroken = 2",
            "what only variations watch has no `broken`",
        ),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let found = toml_faults(&format!("repair-{number}"), from, to);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{from} -> {to}: {found:#?}");
    }
    let unframed = faults("repair-unframed", "buyer.lua", PROGRAM);
    assert!(unframed.iter().any(|fault| fault.contains("no line `---- frame ----`")), "{unframed:#?}");
}

#[test]
fn mistakes_in_lesson_toml_are_reported_with_their_line() {
    let cases = [
        ("depth = 20", "depth = 20\nfaults = { crash = 1 }", "lesson.toml:11: unknown field `crash`"),
        ("[budget]\ndepth = 20\n", "", "lesson.toml:16: a lesson with properties needs a `[budget]`"),
        ("id = \"read\"", "id = \"read\"\nbreaks = [\"cold\"]", "lesson.toml:31: there is no property `cold`"),
        ("order = 1", "order = one", "lesson.toml:1: "),
        (
            "setup =",
            "nodes = [\"r1\"]\nsetup =",
            "lesson.toml:7: a node is a name and `none`, `everysec` or `always`, or a name and `table` with any of `service`, `workers`, `connections`, `lock-wait` and a number, not `r1`",
        ),
        ("setup =", "clock = \"24:00\"\nsetup =", "lesson.toml:7: `24:00` is no time of day such as 23:00"),
        ("setup =", "clock = \"+1:00\"\nsetup =", "lesson.toml:7: `+1:00` is no time of day"),
        ("setup =", "nodes = [\"R 1\", \"r1 often\"]\nsetup =", "lesson.toml:7: a node is a name and"),
        ("setup =", "nodes = [\"R none\"]\nsetup =", "lesson.toml:7: `R`: small letters"),
        ("setup =", "nodes = [\"r none\", \"r always\"]\nsetup =", "lesson.toml:7: there is a node `r` already"),
        ("setup =", "set-up =", "lesson.toml:7: unknown field `set-up`"),
        ("depth = 20\n", "", "lesson.toml:9: missing field `depth`"),
        ("\"lanes\"", "\"lakes\"", "lesson.toml:4: no panel is called `lakes`; there are lanes, programs"),
        ("zh-CN = \"不超卖\"", "zh = \"不超卖\"", "lesson.toml:19: unknown field `zh`"),
        (
            "program = \"buyer.lua\"\ncount",
            "program = \"seller.lua\"\ncount",
            "lesson.toml:14: there is no program `seller.lua`",
        ),
        ("count = 2", "count = 0", "lesson.toml:15: there are 1 to 1000 clients"),
        ("id = \"sold\"", "id = \"Sold\"", "lesson.toml:18: `Sold`: small letters"),
        (
            "kind = \"break\"",
            "kind = \"brake\"",
            "lesson.toml:35: a task is of kind break, achieve, repair, handler, script, choose, predict or forecast, not `brake`",
        ),
        ("hints = 1\nproperty = \"sold\"", "hints = 1", "lesson.toml:35: a task of kind break needs `property`"),
        (
            "hints = 1\nproperty = \"sold\"",
            "hints = 1\nproperty = \"cold\"",
            "lesson.toml:37: there is no property `cold`",
        ),
        (
            "kind = \"repair\"",
            "kind = \"repair\"\nanswer = \"x\"",
            "lesson.toml:42: `answer` belongs to tasks of kind predict",
        ),
        ("answer = \"none\"", "answer = \"two\"", "lesson.toml:81: `two` is none of the choices"),
        ("shows = \"(nil)\"", "", "lesson.toml:77: a task of kind predict needs either `shows`, `breaks` or `counts`"),
        ("id = \"repair\"", "id = \"break\"", "lesson.toml:40: there is a task `break` already"),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let found = toml_faults(&format!("toml-{number}"), from, to);
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "{from} -> {to}: {found:#?}");
    }
}

#[test]
fn both_languages_have_the_same_pieces_in_the_same_order() {
    let text = text();
    let found = faults("text-missing", "text.zh-CN.md", &text.replacen("## About step.read {#step.read}", "", 1));
    assert_eq!(found, ["text.zh-CN.md: a heading with {#step.read} is missing; lesson.toml asks for it"]);
    let found = faults("text-extra", "text.en.md", &format!("{text}## More {{#more}}\n\nMore.\n"));
    assert_eq!(found, ["text.en.md:69: lesson.toml knows no `more`"]);
    let swapped = text.replace("#idea", "#x").replace("#step.read", "#idea").replace("#x", "#step.read");
    let found = faults("text-order", "text.zh-CN.md", &swapped);
    assert_eq!(found, ["text.zh-CN.md:1: `idea` comes here; lesson.toml has another order"]);
    let found = faults("text-twice", "text.en.md", &format!("{text}## Again {{#idea}}\n\nx\n"));
    assert_eq!(found[0], "text.en.md:69: `idea` stands in line 1 already");
}

#[test]
fn mistakes_in_a_text_are_reported_with_their_line() {
    let text = text();
    let with = |name: &str, what: &str| faults(name, "text.en.md", &text.replacen("This is *idea*.", what, 1));
    assert_eq!(
        with("md-html", "x\n<b>y</b>"),
        [
            "text.en.md:4: HTML is not allowed in a lesson: write Markdown",
            "text.en.md: a heading with {#idea} is missing; lesson.toml asks for it",
        ]
    );
    assert!(
        with("md-link", "[x](https://example.com)")[0]
            .starts_with("text.en.md:3: a link leads to a place of this page")
    );
    assert_eq!(with("md-empty", ""), ["text.en.md:1: nothing stands below this heading"]);
    assert_eq!(with("md-code", "```\n## no heading\n```"), [""; 0]);
    let found = faults("md-heading", "text.en.md", &text.replacen(" {#idea}", "", 1));
    assert_eq!(found[0], "text.en.md:1: a heading carries an id: `## Title {#id}`");
}

#[test]
fn mistakes_in_a_program_are_reported_with_their_line() {
    let cases = [
        ("local x = 1\n", "buyer.lua:1: a program begins with a comment that says what it is"),
        ("-- en: A\nlocal x = 1\n", "buyer.lua:1: a comment has as many lines in English"),
        ("-- en: A\n-- zh: B\n-- C\nnote(1)\n", "buyer.lua:3: a line of a comment begins with"),
        ("-- en: A\n-- zh: B\nnote(1) -- C\n", "buyer.lua:3: a comment stands on lines of its own"),
        ("-- en: A\n-- zh: B\n", "buyer.lua:2: a program does not end with a comment"),
    ];
    for (number, (text, expected)) in cases.into_iter().enumerate() {
        let found = faults(&format!("lua-{number}"), "buyer.lua", text);
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "{text:?}: {found:#?}");
    }
    let found = faults("lua-unused", "spare.lua", PROGRAM);
    assert_eq!(found, ["lesson.toml:1: nothing in lesson.toml names the program `spare.lua`"]);
}

#[test]
fn missing_file_is_reported() {
    let folder = folder("missing", &[("text.en.md", None), ("better.lua", None)]);
    let faults = read_lesson(&folder).unwrap_err();
    let files: Vec<_> = faults.iter().map(|fault| fault.path.file_name().unwrap().to_string_lossy()).collect();
    assert!(files.contains(&"text.en.md".into()) && files.contains(&"lesson.toml".into()), "{faults:?}");
}

#[test]
fn course_is_compiled_to_an_index_and_one_file_per_lesson_and_language() {
    let root = folder("course", &[]).parent().unwrap().parent().unwrap().to_path_buf();
    let missing = read_course(&root).unwrap_err();
    assert!(missing[0].path.ends_with("track/track.toml"), "{missing:?}");
    let toml =
        "order = 1\ntitle = { en = \"Track\", zh-CN = \"线路\" }\nsummary = { en = \"S.\", zh-CN = \"简介。\" }\n";
    fs::write(root.join("track").join("track.toml"), toml).unwrap();
    let course = read_course(&root).unwrap();
    let files = course.compiled();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "lessons/index.en.bin",
            "lessons/track/two-buyers.en.bin",
            "lessons/index.zh-CN.bin",
            "lessons/track/two-buyers.zh-CN.bin",
        ]
    );
    let index = Index::read(&files[2].1).unwrap();
    assert_eq!(index.tracks[0].title, "线路");
    let entry = index.entry("track", "two-buyers").unwrap();
    assert_eq!((entry.title.as_str(), entry.tasks.len()), ("两个顾客", 4));
    assert_eq!(Lesson::read(&files[3].1).unwrap().title, "两个顾客");
}

#[test]
fn two_lessons_cannot_have_the_same_position() {
    let first = folder("places", &[]);
    let track = first.parent().unwrap();
    let second = track.join("another");
    let _ = fs::remove_dir_all(&second);
    fs::create_dir_all(&second).unwrap();
    for file in fs::read_dir(&first).unwrap().flatten() {
        fs::copy(file.path(), second.join(file.file_name())).unwrap();
    }
    let toml = "order = 1\ntitle = { en = \"T\", zh-CN = \"线\" }\nsummary = { en = \"S.\", zh-CN = \"简。\" }\n";
    fs::write(track.join("track.toml"), toml).unwrap();
    let faults = read_course(track.parent().unwrap()).unwrap_err();
    assert!(faults.len() == 1 && faults[0].what.starts_with("`order = 1` is that of "), "{faults:?}");
}

/// The files of a lesson with a *forecast* task, with one change.
fn forecasting(name: &str, from: &str, to: &str) -> PathBuf {
    let toml = format!("{}{FORECAST}", TOML.replacen("\"choose\"]", "\"choose\", \"table\"]", 1));
    assert!(toml.contains(from), "{from}");
    let text = text()
        + &["table", "table.solution"].map(|id| format!("## About {id} {{#{id}}}\n\nThis is *{id}*.\n\n")).concat();
    let toml = toml.replacen(from, to, 1);
    folder(name, &[("lesson.toml", Some(&toml)), ("text.en.md", Some(&text)), ("text.zh-CN.md", Some(&text))])
}

#[test]
fn forecast_task_has_rows() {
    let source = read_lesson(&forecasting("forecast", "", "")).unwrap();
    let row = |key: &str, title: &str, expect| Row { key: key.into(), title: title.into(), expect };
    let expected = [
        [row("list", "List, <code>BLPOP</code>", [true, false, false]), row("a stream", "Stream", [false, true, true])],
        [row("list", "列表，<code>BLPOP</code>", [true, false, false]), row("a stream", "流", [false, true, true])],
    ];
    for (lesson, expected) in source.lessons.iter().zip(expected) {
        let TaskKind::Forecast { inputs, rows } = &lesson.task("table").unwrap().kind else { panic!("{lesson:?}") };
        assert_eq!(
            (inputs.as_slice(), rows.as_slice()),
            (["c1. 0".to_owned(), "c2. 0".to_owned()].as_slice(), expected.as_slice())
        );
        assert_eq!(Lesson::read(&lesson.write()).as_ref(), Ok(lesson));
    }
}

#[test]
fn mistakes_in_a_forecast_task_are_reported() {
    let second = "    { key = \"a stream\", title = { en = \"Stream\", zh-CN = \"流\" }, expect = [\"repeated\", \"disordered\"] },\n";
    let cases = [
        ("do = [\"c1. 0\", \"c2. 0\"]\n", "", "lesson.toml:86: a task of kind forecast needs `do`"),
        (second, "", "lesson.toml:88: a table to forecast has at least two rows"),
        ("[\"repeated\", \"disordered\"]", "[\"lost\"]", "lesson.toml:88: all rows expect the same"),
        (
            "[\"repeated\", \"disordered\"]",
            "[\"disordered\", \"disordered\"]",
            "lesson.toml:90: `disordered` is expected already",
        ),
        ("[\"lost\"]", "[\"gone\"]", "lesson.toml:89: messages are lost, repeated, disordered, not `gone`"),
        ("\"a stream\"", "\"list\"", "lesson.toml:90: there is a row `list` already"),
        ("zh-CN = \"流\"", "zh-CN = \"列表，`BLPOP`\"", "lesson.toml:90: another row has this title already"),
        ("en = \"Stream\"", "en = \"<b>Stream</b>\"", "lesson.toml:90: HTML is not allowed"),
        ("en = \"Stream\"", "en = \"\"", "lesson.toml:90: this is one line of text"),
        ("expect = [\"lost\"] }", "expects = [\"lost\"] }", "lesson.toml:89: unknown field `expects`"),
        (
            "do = [\"c1. 0\", \"c2. 0\"]",
            "do = []\nafter = []",
            "lesson.toml:88: `after` belongs to tasks of kind predict",
        ),
        ("hints = 1\n", "hints = 1\nrows = []\n", "lesson.toml:37: `rows` belongs to tasks of kind forecast"),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let found = forecasting(&format!("forecast-{number}"), from, to);
        let folder = format!("{}/", found.display());
        let found = read_lesson(&found).err().unwrap_or_default();
        let found: Vec<String> = found.iter().map(|fault| fault.to_string().replace(&folder, "")).collect();
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "{from} -> {to}: {found:#?}");
    }
}

/// A state to reach, at the end of `lesson.toml`.
const ACHIEVE: &str = r#"
[[task]]
id = "reach"
kind = "achieve"
hints = 1
solution = ["c1> SET lock c1 NX EX 10"]
ways = [["c1> SET lock c1 NX EX 9"], ["c1> SET lock c1 EX 10 NX"]]

[[task.when]]
text = { en = "`lock` is *there*", zh-CN = "`lock` 在" }
ask = "GET lock"
is = '"c1"'

[[task.when]]
text = { en = "It ends", zh-CN = "会到期" }
ask = "TTL lock"
in = "1..10"

[[task.when]]
text = { en = "Turned away", zh-CN = "没抢到" }
reply = "c2"
not = ["OK", "QUEUED"]

[[task.when]]
text = { en = "One command", zh-CN = "一条命令" }
at-most = 1
by = "c1"

[[task.wrong]]
id = "two-commands"
when = [{ without = ["SET"], by = "c2" }, { sent = "SET lock", lacks = ["NX"] }, { at-least = 2 }, { not-closed = "c1", because = ["quit", "killed"] }]
example = ["c1> SETNX lock c1", "c1> EXPIRE lock 10"]
"#;

/// The files of a lesson with a state to reach, with one change.
fn achieving(name: &str, from: &str, to: &str) -> PathBuf {
    let toml = format!("{}{ACHIEVE}", TOML.replacen("\"choose\"]", "\"choose\", \"reach\"]", 1));
    assert!(toml.contains(from), "{from}");
    let pieces = ["reach", "reach.hint-1", "reach.wrong-two-commands", "reach.solution"];
    let text = text() + &pieces.map(|id| format!("## About {id} {{#{id}}}\n\nThis is *{id}*.\n\n")).concat();
    let toml = toml.replacen(from, to, 1);
    folder(name, &[("lesson.toml", Some(&toml)), ("text.en.md", Some(&text)), ("text.zh-CN.md", Some(&text))])
}

#[test]
fn a_state_to_reach_has_claims_and_ways() {
    let source = read_lesson(&achieving("achieve", "", "")).unwrap();
    let [english, chinese] = &source.lessons;
    let TaskKind::Achieve(achieve) = &english.task("reach").unwrap().kind else { panic!("{english:?}") };
    let TaskKind::Achieve(other) = &chinese.task("reach").unwrap().kind else { panic!("{chinese:?}") };
    let claims: Vec<&str> = achieve.checks.iter().map(|check| check.claim.as_str()).collect();
    let expected =
        [r#"ask "GET lock" is "\"c1\"""#, r#"ask "TTL lock" in 1 10"#, "reply c2 not OK QUEUED", "by c1 at-most 1"];
    assert_eq!(claims, expected);
    assert_eq!(achieve.checks[0].html, "<code>lock</code> is <em>there</em>");
    assert_eq!(
        (other.checks[0].html.as_str(), &other.checks[0].claim),
        ("<code>lock</code> 在", &achieve.checks[0].claim)
    );
    let [wrong] = achieve.wrong.as_slice() else { panic!("{achieve:?}") };
    assert_eq!(
        (wrong.title.as_str(), wrong.html.as_str()),
        ("About reach.wrong-two-commands", "<p>This is <em>reach.wrong-two-commands</em>.</p>\n")
    );
    assert_eq!(
        wrong.claims,
        ["by c2 without SET", "sent \"SET lock\" lacks NX", "at-least 2", "not-closed c1 quit killed"]
    );
    let ways = &source.ways[0];
    assert_eq!((ways.task.as_str(), ways.right.len(), ways.wrong.len()), ("reach", 3, 1));
    assert_eq!(ways.right[0], ["c1> SET lock c1 NX EX 10"], "the solution is the first");
    for lesson in &source.lessons {
        assert_eq!(Lesson::read(&lesson.write()).as_ref(), Ok(lesson));
    }
}

#[test]
fn mistakes_in_a_state_to_reach_are_reported() {
    let cases = [
        ("solution = [\"c1> SET lock c1 NX EX 10\"]\n", "", "a task of kind achieve needs `solution`"),
        ("solution = [\"c1> SET lock c1 NX EX 10\"]", "solution = \"x.lua\"", "is a list of lines of a session"),
        ("solution = [\"c1> SET lock c1 NX EX 10\"]", "solution = 1", "a solution is the file of functions or"),
        ("solution = \"better.lua\"", "solution = [\"c1> PING\"]", "the solution of a task of kind repair is a file"),
        ("ways = [[\"c1> SET lock c1 NX EX 9\"], ", "ways = [", "at least two other ways"),
        ("ways = [[", "way = [[", "unknown field `way`"),
        ("is = '\"c1\"'", "", "one of `is`, `not` and `in`"),
        ("is = '\"c1\"'", "is = []", "`is` names nothing"),
        ("is = '\"c1\"'", "is = 'x'\nnot = 'y'", "one of `is`, `not` and `in`"),
        ("is = '\"c1\"'", "is = 1", "a text or a list of texts"),
        ("is = '\"c1\"'", "is = 'x'\nby = \"c1\"", "`by` belongs to commands that were sent"),
        ("ask = \"GET lock\"\n", "", "a claim has one of `ask`, `reply`"),
        ("ask = \"GET lock\"", "ask = \"GET lock\"\nsent = \"SET\"", "a claim has one of `ask`, `reply`"),
        ("at-most = 1\n", "at-most = 1\nis = \"OK\"\n", "`is`, `not` and `in` belong to `ask` and `reply`"),
        ("at-most = 1\n", "at-most = 1\nlacks = \"NX\"\n", "`lacks` belongs to `sent`"),
        ("at-most = 1\nby = \"c1\"\n", "closed = \"c1\"\n", "`closed` and `not-closed` have `because`"),
        ("at-most = 1\nby = \"c1\"\n", "closed = \"c1\"\nbecause = []\n", "`because` names nothing"),
        (
            "at-most = 1\nby = \"c1\"\n",
            "closed = \"c3\"\nbecause = \"quit\"\n",
            "no client on the stage is called `c3`",
        ),
        ("at-most = 1\n", "closed = \"c1\"\nbecause = \"quit\"\n", "`by` belongs to commands that were sent"),
        ("at-most = 1\n", "at-most = 1\nbecause = \"quit\"\n", "`closed` and `not-closed` have `because`"),
        ("at-most = 1\n", "at-most = -1\n", "invalid value"),
        ("in = \"1..10\"", "in = \"10..1\"", "`10..1` is no range of integers"),
        ("in = \"1..10\"", "in = \"..\"", "`..` is no range of integers"),
        ("in = \"1..10\"", "in = \"one\"", "`one` is no range of integers"),
        ("reply = \"c2\"", "reply = \"c3\"", "no client on the stage is called `c3`"),
        ("reply = \"c2\"", "reply = \"c02\"", "no client on the stage is called `c02`"),
        ("text = { en = \"It ends\", zh-CN = \"会到期\" }\n", "", "a claim says what it is in `text`"),
        ("en = \"It ends\"", "en = \"<b>It ends</b>\"", "HTML is not allowed"),
        ("en = \"It ends\"", "en = \"It\\n\\nends\"", "this is one line of text"),
        ("{ at-least = 2 }", "{ at-least = 2, text = { en = \"a\", zh-CN = \"b\" } }", "this claim has no `text`"),
        (
            "id = \"two-commands\"\n",
            "id = \"two-commands\"\nprogram = \"cheat.lua\"\n",
            "belongs to what is wrong in tasks of kind repair",
        ),
        ("id = \"two-commands\"\n", "", "what is wrong in a task of kind achieve needs `id`"),
        ("example = [\"c1> SETNX lock c1\", \"c1> EXPIRE lock 10\"]\n", "", "needs `example`"),
        (
            "wrong = [{ program = \"wrong-late.lua\", property",
            "wrong = [{ property",
            "what is wrong in a task of kind repair needs `program`",
        ),
        ("kind = \"break\"\n", "kind = \"break\"\nways = []\n", "`ways` belongs to tasks of kind achieve"),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let found = read_lesson(&achieving(&format!("achieve-{number}"), from, to)).err().unwrap_or_default();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|fault| fault.contains(expected)), "{from} -> {to}: {found:#?}");
    }
    let found = read_lesson(&achieving("achieve-line", "at-most = 1", "at-most = 1\nlacks = \"NX\"")).unwrap_err();
    assert_eq!(found[0].line, 106, "{}", found[0]);
}

/// The lesson of the course that has a script to write, with one change in a file; its mistakes.
fn scripting(name: &str, from: &str, to: &str) -> Vec<String> {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons/lua/eval");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for found in fs::read_dir(course).unwrap().flatten() {
        fs::copy(found.path(), folder.join(found.file_name())).unwrap();
    }
    let toml = fs::read_to_string(folder.join("lesson.toml")).unwrap();
    assert!(toml.contains(from), "{from}");
    fs::write(folder.join("lesson.toml"), toml.replacen(from, to, 1)).unwrap();
    read_lesson(&folder).err().into_iter().flatten().map(|fault| fault.what).collect()
}

#[test]
fn script_to_write_has_cases() {
    let source = read_lesson(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons/lua/eval")).unwrap();
    let [english, chinese] = &source.lessons;
    let script = english.scripting("repair").unwrap();
    let ids: Vec<&str> = script.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["whole", "no-discount", "no-price"]);
    assert_eq!(
        script.wrong.iter().map(|wrong| wrong.variation.as_str()).collect::<BTreeSet<_>>(),
        ids.into_iter().collect()
    );
    let case = &script.cases[1];
    assert!(case.session(english, "return 1").contains("\nc1> EVAL \"return 1\" 1 item:2\n"));
    assert_eq!(case.checks[0].claim.split(' ').take(3).collect::<Vec<_>>(), ["reply", "c1", "is"]);
    let other = chinese.scripting("repair").unwrap();
    assert_eq!(case.checks[0].claim, other.cases[1].checks[0].claim);
    assert_ne!((&case.title, &script.start), (&other.cases[1].title, &other.start));
    assert_eq!(source.proofs.iter().find(|proofs| proofs.task == "repair").unwrap().passing.len(), 2);
}

#[test]
fn mistakes_in_a_script_to_write_are_reported() {
    let cases = [
        ("start = \"card-start.lua\"\n", "", "a task of kind script needs `start`"),
        ("right = [\"card-as-it-comes.lua\"]\n", "", "a task of kind script needs `right`"),
        ("hints = 3\n", "hints = 3\nproperties = []\n", "`properties` belongs to tasks of kind repair"),
        ("variation = \"whole\" }", "variation = \"half\" }", "there is no variation `half`"),
        (
            "variation = \"whole\" }",
            "property = \"x\" }",
            "`property` belongs to what is wrong in tasks of kind repair",
        ),
        ("EVAL {script} 1 item:2", "EVAL {scrpt} 1 item:2", "one of the lines under `do` has `{script}`"),
        ("do = [\"c1> EVAL {script} 1 item:2\"]\n", "", "one of the lines under `do` has `{script}`"),
        ("do = [\"c1> EVAL {script} 1 item:2\"]\n", "do = []\nseed = 7\n", "belong to variations of repairs"),
        (
            "do = [\"c1> EVAL {script} 1 item:2\"]\n",
            "do = []\ntraffic = \"rate 1\"\n",
            "belong to variations of handlers",
        ),
        (
            "reply = \"c1\"\nis = [\n    \"1) \\\"12.50",
            "reply = \"c9\"\nis = [\n    \"1) \\\"12.50",
            "no client on the stage is called `c9`",
        ),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let found = scripting(&format!("script-{number}"), from, to);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{from} -> {to}: {found:#?}");
    }
}
