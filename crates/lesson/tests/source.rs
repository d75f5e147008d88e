//! Lessons as people write them: every mistake is told with its file and line, and both languages say the same.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
use lesson::source::{Source, read_course, read_lesson};
use lesson::{Index, Lesson, TaskKind, Verdict};
use std::fs;
use std::path::{Path, PathBuf};

const TOML: &str = r#"order = 1
title = { en = "Two buyers", zh-CN = "两个顾客" }
summary = { en = "One item.", zh-CN = "一件商品。" }
panels = ["lanes", "programs"]
sections = ["idea"]
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
wrong = [{ program = "wrong-late.lua", property = "sold" }]

[[task]]
id = "guess"
kind = "predict"
after = ["c1. 0"]
then = ["c2. 0"]
choices = ["one", "none"]
answer = "none"
shows = "(nil)"
"#;

const IDS: [&str; 12] = [
    "idea",
    "step.read",
    "break",
    "break.hint-1",
    "break.solution",
    "repair",
    "repair.wrong-late",
    "repair.solution",
    "guess",
    "guess.choice-one",
    "guess.choice-none",
    "guess.solution",
];

const PROGRAM: &str =
    "-- en: A buyer.\n-- zh: 一位顾客。\nlocal x = 1\n  -- en: Says it.\n  -- zh: 说出来。\n  note(x)\n";

fn text() -> String {
    IDS.map(|id| format!("## About {id} {{#{id}}}\n\nThis is *{id}*.\n\n")).concat()
}

/// A folder with the files of a good lesson, some of them changed.
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
        ("buyer.lua", PROGRAM),
        ("better.lua", PROGRAM),
        ("wrong-late.lua", PROGRAM),
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

/// The mistakes of a lesson in which one file is so, without the folder before them.
fn faults(name: &str, file: &str, text: &str) -> Vec<String> {
    let folder = folder(name, &[(file, Some(text))]);
    let faults = read_lesson(&folder).err().unwrap_or_default();
    let cut = |fault: &lesson::source::Fault| fault.to_string().replace(&format!("{}/", folder.display()), "");
    faults.iter().map(cut).collect()
}

/// The mistakes when this stands in `lesson.toml` instead of that.
fn toml_faults(name: &str, from: &str, to: &str) -> Vec<String> {
    assert!(TOML.contains(from), "{from}");
    faults(name, "lesson.toml", &TOML.replacen(from, to, 1))
}

#[test]
fn a_good_lesson_is_read_in_both_languages() {
    let source = read("good");
    let [english, chinese] = &source.lessons;
    assert_eq!((english.track.as_str(), english.id.as_str()), ("track", "two-buyers"));
    assert_eq!((english.title.as_str(), chinese.title.as_str()), ("Two buyers", "两个顾客"));
    assert_eq!(english.programs[0].text, "-- A buyer.\nlocal x = 1\n  -- Says it.\n  note(x)\n");
    assert_eq!(chinese.programs[0].text, "-- 一位顾客。\nlocal x = 1\n  -- 说出来。\n  note(x)\n");
    assert_eq!(english.programs.len(), 1, "only what somebody runs");
    assert_eq!(english.properties[0].verdict, Verdict::Broken { steps: 3 });
    assert_eq!(english.story[0].html, "<p>This is <em>step.read</em>.</p>\n");
    assert_eq!(english.tasks[0].kind, TaskKind::Break { property: "sold".into(), par: 3 });
    let TaskKind::Repair { budget, wrong, .. } = &english.tasks[1].kind else { panic!("{:?}", english.tasks[1]) };
    assert_eq!((budget.depth, wrong[0].title.as_str()), (20, "About repair.wrong-late"));
    let TaskKind::Predict { choices, .. } = &english.tasks[2].kind else { panic!("{:?}", english.tasks[2]) };
    assert_eq!(choices.iter().map(|choice| choice.is_right).collect::<Vec<_>>(), [false, true]);
    for lesson in &source.lessons {
        assert_eq!(Lesson::read(&lesson.write()).as_ref(), Ok(lesson));
    }
}

#[test]
fn mistakes_in_lesson_toml_are_told_with_their_line() {
    let cases = [
        ("[budget]\ndepth = 20\n", "", "lesson.toml:15: a lesson with properties needs a `[budget]`"),
        ("id = \"read\"", "id = \"read\"\nbreaks = [\"cold\"]", "lesson.toml:24: there is no property `cold`"),
        ("order = 1", "order = one", "lesson.toml:1: "),
        ("setup =", "set-up =", "lesson.toml:6: unknown field `set-up`"),
        ("depth = 20\n", "", "lesson.toml:8: missing field `depth`"),
        ("\"lanes\"", "\"lakes\"", "lesson.toml:4: no panel is called `lakes`; there are lanes, programs"),
        ("zh-CN = \"不超卖\"", "zh = \"不超卖\"", "lesson.toml:18: unknown field `zh`"),
        (
            "program = \"buyer.lua\"\ncount",
            "program = \"seller.lua\"\ncount",
            "lesson.toml:13: there is no program `seller.lua`",
        ),
        ("count = 2", "count = 0", "lesson.toml:14: there are 1 to 1000 clients"),
        ("id = \"sold\"", "id = \"Sold\"", "lesson.toml:17: `Sold`: small letters"),
        ("kind = \"break\"", "kind = \"brake\"", "lesson.toml:28: a task is of kind break, repair or predict"),
        ("hints = 1\nproperty = \"sold\"", "hints = 1", "lesson.toml:28: a task of kind break needs `property`"),
        (
            "hints = 1\nproperty = \"sold\"",
            "hints = 1\nproperty = \"cold\"",
            "lesson.toml:30: there is no property `cold`",
        ),
        (
            "kind = \"repair\"",
            "kind = \"repair\"\nanswer = \"x\"",
            "lesson.toml:35: `answer` belongs to tasks of kind predict",
        ),
        ("answer = \"none\"", "answer = \"two\"", "lesson.toml:46: `two` is none of the choices"),
        ("shows = \"(nil)\"", "", "lesson.toml:42: a task of kind predict needs either `shows` or `breaks`"),
        ("id = \"repair\"", "id = \"break\"", "lesson.toml:33: there is a task `break` already"),
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
    assert_eq!(found, ["text.en.md:49: lesson.toml knows no `more`"]);
    let swapped = text.replace("#idea", "#x").replace("#step.read", "#idea").replace("#x", "#step.read");
    let found = faults("text-order", "text.zh-CN.md", &swapped);
    assert_eq!(found, ["text.zh-CN.md:1: `idea` comes here; lesson.toml has another order"]);
    let found = faults("text-twice", "text.en.md", &format!("{text}## Again {{#idea}}\n\nx\n"));
    assert_eq!(found[0], "text.en.md:49: `idea` stands in line 1 already");
}

#[test]
fn mistakes_in_a_text_are_told_with_their_line() {
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
fn mistakes_in_a_program_are_told_with_their_line() {
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
fn a_missing_file_is_told() {
    let folder = folder("missing", &[("text.en.md", None), ("better.lua", None)]);
    let faults = read_lesson(&folder).unwrap_err();
    let files: Vec<_> = faults.iter().map(|fault| fault.path.file_name().unwrap().to_string_lossy()).collect();
    assert!(files.contains(&"text.en.md".into()) && files.contains(&"lesson.toml".into()), "{faults:?}");
}

#[test]
fn a_course_is_compiled_to_an_index_and_one_file_a_lesson_and_language() {
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
            "lessons/index.en.txt",
            "lessons/track/two-buyers.en.txt",
            "lessons/index.zh-CN.txt",
            "lessons/track/two-buyers.zh-CN.txt",
        ]
    );
    let index = Index::read(&files[2].1).unwrap();
    assert_eq!(index.tracks[0].title, "线路");
    let entry = index.entry("track", "two-buyers").unwrap();
    assert_eq!((entry.title.as_str(), entry.tasks.len()), ("两个顾客", 3));
    assert_eq!(Lesson::read(&files[3].1).unwrap().title, "两个顾客");
}

#[test]
fn two_lessons_do_not_stand_in_the_same_place() {
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
