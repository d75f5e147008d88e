//! Turns the messages of both languages (`src/i18n/<language>/*.ftl`) into one text per language and typed functions of `Lang`; messages
//! with several arguments become structs. Removes comments and indentation from style sheets, to make the download smaller.
//!
//! A message or an argument that only one language has stops the build, and so does any part of Fluent that is not supported here.
//! Supported are:
//!
//! ```text
//! id = text                                     fn id(self) -> &'static str
//! id = text { $name } text                      fn id(self, name: &str) -> String
//! id = { $n -> [one] a thing *[other] things }  fn id(self, n: u64) -> String, plural rules of the language
//! id = { NUMBER($n) }                           1234567 as 1,234,567
//! id = { DURATION($ms) }                        milliseconds as 3.2 s, 3.2 秒
//! id = { BYTES($n) }                            bytes as 1.5 KB
//! ```
//!
//! Two arguments of a function can be swapped without anyone noticing. A message with more than one is therefore a struct with
//! a field for each, named as in the sentence; `Lang::say` turns it into text (`src/i18n/messages.rs`):
//!
//! ```text
//! course-tasks = { NUMBER($done) } of { NUMBER($all) } tasks      struct CourseTasks { all: u64, done: u64 }
//! told-becomes = { $key } is now a { $kind }                      struct ToldBecomes<'a> { key: &'a str, kind: &'a str }
//! ```
#[path = "src/i18n/marks.rs"]
mod marks;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, process};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use fluent_syntax::parser;

/// The directory of each language.
const LANGUAGES: [&str; 2] = ["en", "zh-CN"];
/// The files of each language whose messages are data of a chunk of the program, and not of its first part (`src/i18n/late.rs`), with the
/// name of that chunk.
const LATE: [(&str, &str); 13] = [
    ("traffic.ftl", "traffic"),
    ("dialogs.ftl", "rest"),
    ("explain.ftl", "rest"),
    ("explorer.ftl", "rest"),
    ("help.ftl", "rest"),
    ("inside.ftl", "rest"),
    ("keys.ftl", "rest"),
    ("panels.ftl", "rest"),
    ("river.ftl", "rest"),
    ("scripts.ftl", "rest"),
    ("support.ftl", "rest"),
    ("tasks.ftl", "rest"),
    ("welcome.ftl", "rest"),
];
/// Where messages are: a chunk or the first part, the constant with their number, and the functions of `Lang` that return one of them plain
/// and filled.
const PARTS: [(Option<&str>, &str, [&str; 2]); 3] = [
    (None, "COUNT", ["message", "fill"]),
    (Some("traffic"), "TRAFFIC_COUNT", ["traffic_message", "fill_traffic"]),
    (Some("rest"), "REST_COUNT", ["rest_message", "fill_rest"]),
];

/// How an argument is formatted; every kind except text is a `u64` in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text,
    Number,
}

/// One piece of a message.
#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Argument(String),
    /// A mark, and the argument that it formats.
    Call(char, String),
    Plural {
        argument: String,
        exact: Vec<(u64, Vec<Part>)>,
        one: Option<Vec<Part>>,
        other: Vec<Part>,
    },
}

#[derive(Debug)]
struct Message {
    parts: Vec<Part>,
    arguments: BTreeMap<String, Kind>,
    place: String,
    /// The chunk with which it comes; `None`: the first part.
    chunk: Option<&'static str>,
}

type Messages = BTreeMap<String, Message>;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/i18n");
    // Who reads which constant, for the splitter (crates/xtask/src/split/constants.rs).
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    if let Err(faults) = generate().and_then(|()| write_styles(Path::new("src"))) {
        for fault in &faults {
            println!("cargo::error={fault}");
        }
        process::exit(1);
    }
}

fn generate() -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    let mut by_language = Vec::new();
    for directory in LANGUAGES {
        by_language.push((directory, read_language(directory, &mut faults)));
    }
    compare(&by_language, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let out = env::var("OUT_DIR").map_err(|e| vec![e.to_string()])?;
    let kinds = kinds(&by_language);
    let write = |name: &str, text: String| fs::write(Path::new(&out).join(name), text).map_err(|e| vec![e.to_string()]);
    for (directory, messages) in &by_language {
        for (chunk, ..) in PARTS {
            let name = chunk.unwrap_or("messages");
            write(&format!("{name}.{directory}.txt"), write_texts(messages, chunk, &kinds))?;
        }
    }
    let english = by_language.first().map(|(_, messages)| messages);
    write("messages.rs", english.map(|english| write_code(english, &kinds)).unwrap_or_default())
}

/// Writes each style sheet of this folder, shortened, to the same path in the build's output folder.
fn write_styles(folder: &Path) -> Result<(), Vec<String>> {
    let fault = |error: &dyn std::fmt::Display| vec![format!("{}: {error}", folder.display())];
    for entry in fs::read_dir(folder).map_err(|error| fault(&error))? {
        let path = entry.map_err(|error| fault(&error))?.path();
        if path.is_dir() {
            write_styles(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "css") {
            println!("cargo::rerun-if-changed={}", path.display());
            let text = fs::read_to_string(&path).map_err(|error| fault(&error))?;
            let out = env::var("OUT_DIR").map_err(|error| fault(&error))?;
            let out = Path::new(&out).join(&path);
            fs::create_dir_all(out.parent().unwrap_or(&out)).map_err(|error| fault(&error))?;
            let short = shortened(&text).ok_or_else(|| {
                vec![format!("{}: a comment that does not end, or begins in a string", path.display())]
            })?;
            fs::write(out, short).map_err(|error| fault(&error))?;
        }
    }
    Ok(())
}

/// A style sheet without comments and indentation.
fn shortened(text: &str) -> Option<String> {
    let mut rest = text;
    let mut bare = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        let line = before.rsplit('\n').next().unwrap_or(before);
        let is_in_string = line.matches('"').count() % 2 == 1;
        bare.push_str(before);
        rest = comment.split_once("*/").filter(|_| !is_in_string)?.1;
    }
    bare.push_str(rest);
    let lines = bare.lines().map(str::trim).filter(|line| !line.is_empty());
    Some(lines.collect::<Vec<_>>().join("\n"))
}

fn read_language(directory: &str, faults: &mut Vec<String>) -> Messages {
    let mut messages = Messages::new();
    let root = Path::new("src/i18n").join(directory);
    let mut files: Vec<_> = match fs::read_dir(&root) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => {
            faults.push(format!("{}: {error}", root.display()));
            return messages;
        }
    };
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "ftl")) {
        println!("cargo::rerun-if-changed={}", path.display());
        match fs::read_to_string(path) {
            Ok(text) => read_file(&path.display().to_string(), &text, &mut messages, faults),
            Err(error) => faults.push(format!("{}: {error}", path.display())),
        }
    }
    messages
}

fn read_file(path: &str, text: &str, messages: &mut Messages, faults: &mut Vec<String>) {
    if text.chars().any(|c| c <= marks::END) {
        faults.push(format!("{path}: has control characters"));
    }
    let resource = match parser::parse(text) {
        Ok(resource) => resource,
        Err((_, errors)) => {
            faults.extend(errors.iter().map(|error| {
                let line = text.get(..error.pos.start).unwrap_or("").lines().count();
                format!("{path}:{line}: {error}")
            }));
            return;
        }
    };
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    let chunk = LATE.iter().find(|(file, _)| Some(*file) == name).map(|(_, chunk)| *chunk);
    for entry in resource.body {
        let message = match entry {
            Entry::Message(message) => message,
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => continue,
            Entry::Term(term) => {
                faults.push(format!("{path}: -{}: terms are not understood", term.id.name));
                continue;
            }
            Entry::Junk { content } => {
                faults.push(format!("{path}: cannot read {content:?}"));
                continue;
            }
        };
        let id = message.id.name;
        let place = format!("{path}: {id}");
        let Some(value) = &message.value else {
            faults.push(format!("{place}: has no text"));
            continue;
        };
        let mut arguments = BTreeMap::new();
        match read_pattern(value, &mut arguments) {
            Ok(_) if arguments.len() > 10 => faults.push(format!("{place}: has more than ten arguments")),
            Ok(parts) => {
                if let Some(earlier) = messages.insert(id.to_owned(), Message { parts, arguments, place, chunk }) {
                    faults.push(format!("{}: defined twice", earlier.place));
                }
            }
            Err(fault) => faults.push(format!("{place}: {fault}")),
        }
    }
}

fn read_pattern(pattern: &Pattern<&str>, arguments: &mut BTreeMap<String, Kind>) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => parts.push(Part::Text((*value).to_owned())),
            PatternElement::Placeable { expression: Expression::Inline(inline) } => {
                parts.push(read_inline(inline, arguments)?);
            }
            PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                let argument = variable(selector)?;
                note(arguments, &argument, Kind::Number);
                let (mut exact, mut one, mut other) = (Vec::new(), None, None);
                for variant in variants {
                    let value = read_pattern(&variant.value, arguments)?;
                    match variant.key {
                        VariantKey::Identifier { name: "one" } => one = Some(value),
                        VariantKey::Identifier { name: "other" } => other = Some(value),
                        VariantKey::Identifier { name } => return Err(format!("variant [{name}] is not understood")),
                        VariantKey::NumberLiteral { value: number } => {
                            exact.push((number.parse().map_err(|_| format!("variant [{number}] is no count"))?, value));
                        }
                    }
                }
                let other = other.ok_or("a choice needs *[other]")?;
                parts.push(Part::Plural { argument, exact, one, other });
            }
        }
    }
    Ok(parts)
}

fn read_inline(inline: &InlineExpression<&str>, arguments: &mut BTreeMap<String, Kind>) -> Result<Part, String> {
    match inline {
        InlineExpression::StringLiteral { value } => Ok(Part::Text((*value).to_owned())),
        InlineExpression::VariableReference { id } => {
            note(arguments, id.name, Kind::Text);
            Ok(Part::Argument(id.name.to_owned()))
        }
        InlineExpression::FunctionReference { id, arguments: call } => {
            let function = match id.name {
                "NUMBER" => marks::NUMBER,
                "DURATION" => marks::DURATION,
                "BYTES" => marks::BYTES,
                other => return Err(format!("{other}() is not understood")),
            };
            let argument = variable(call.positional.first().ok_or("a function needs an argument")?)?;
            note(arguments, &argument, Kind::Number);
            Ok(Part::Call(function, argument))
        }
        InlineExpression::Placeable { expression } => match expression.as_ref() {
            Expression::Inline(inner) => read_inline(inner, arguments),
            Expression::Select { .. } => Err("a choice inside braces inside braces".to_owned()),
        },
        other => Err(format!("{other:?} is not understood")),
    }
}

fn variable(inline: &InlineExpression<&str>) -> Result<String, String> {
    match inline {
        InlineExpression::VariableReference { id } => Ok(id.name.to_owned()),
        other => Err(format!("{other:?} where $argument is wanted")),
    }
}

/// Records an argument; if it is a number anywhere, it is a number everywhere.
fn note(arguments: &mut BTreeMap<String, Kind>, name: &str, kind: Kind) {
    let entry = arguments.entry(name.to_owned()).or_insert(kind);
    *entry = (*entry).max(kind);
}

fn compare(by_language: &[(&str, Messages)], faults: &mut Vec<String>) {
    let all: BTreeSet<&String> = by_language.iter().flat_map(|(_, messages)| messages.keys()).collect();
    for id in all {
        let (mut shapes, mut places) = (BTreeSet::new(), BTreeSet::new());
        for (variant, messages) in by_language {
            match messages.get(id) {
                None => faults.push(format!("message {id} is missing in {variant}")),
                Some(message) => {
                    shapes.insert(message.arguments.keys().cloned().collect::<Vec<_>>());
                    places.insert(message.chunk);
                }
            }
        }
        if places.len() > 1 {
            faults.push(format!("message {id} comes with a chunk in one language only"));
        }
        if shapes.len() > 1 {
            faults.push(format!("message {id} has other arguments in one language than in the other: {shapes:?}"));
        }
    }
}

/// The arguments of each message; an argument that is a number in one language is a number in all.
fn kinds(by_language: &[(&str, Messages)]) -> BTreeMap<String, BTreeMap<String, Kind>> {
    let mut kinds: BTreeMap<String, BTreeMap<String, Kind>> = BTreeMap::new();
    for (id, message) in by_language.iter().flat_map(|(_, messages)| messages) {
        let known = kinds.entry(id.clone()).or_default();
        for (name, kind) in &message.arguments {
            note(known, name, *kind);
        }
    }
    kinds
}

/// The messages of a language that are loaded with this chunk, in the order of their ids.
fn write_texts(messages: &Messages, chunk: Option<&str>, kinds: &BTreeMap<String, BTreeMap<String, Kind>>) -> String {
    let wanted = messages.iter().filter(|(_, message)| message.chunk == chunk);
    let texts = wanted.map(|(id, message)| {
        let mut text = String::new();
        if let Some(kinds) = kinds.get(id) {
            write_parts(&mut text, &message.parts, kinds);
        }
        text
    });
    texts.collect::<Vec<_>>().join(&marks::NEXT.to_string())
}

fn write_parts(out: &mut String, parts: &[Part], kinds: &BTreeMap<String, Kind>) {
    // `read_file` guarantees that no message has more than ten arguments.
    let place = |name: &str| kinds.keys().position(|known| known == name).unwrap_or_default();
    for part in parts {
        let _ = match part {
            Part::Text(text) => write!(out, "{text}"),
            Part::Argument(name) if kinds.get(name) == Some(&Kind::Number) => {
                write!(out, "{}{}", marks::NUMBER, place(name))
            }
            Part::Argument(name) => write!(out, "{}{}", marks::TEXT, place(name)),
            Part::Call(mark, name) => write!(out, "{mark}{}", place(name)),
            Part::Plural { argument, exact, one, other } => {
                let _ = write!(out, "{}{}", marks::CHOICE, place(argument));
                let exact = exact.iter().map(|(number, parts)| (number.to_string(), parts));
                let one = one.iter().map(|parts| (marks::ONE.to_string(), parts));
                for (what, parts) in exact.chain(one).chain([(marks::OTHER.to_string(), other)]) {
                    let _ = write!(out, "{what}{}", marks::FOR);
                    write_parts(out, parts, kinds);
                    out.push(marks::END);
                }
                Ok(())
            }
        };
    }
}

fn write_code(english: &Messages, kinds: &BTreeMap<String, BTreeMap<String, Kind>>) -> String {
    let mut code = String::new();
    for (chunk, count, functions) in PARTS {
        let wanted: Vec<_> = english.iter().filter(|(_, message)| message.chunk == chunk).collect();
        let _ = writeln!(
            code,
            "/// How many messages there are.\n#[cfg(test)]\npub(super) const {count}: usize = {};",
            wanted.len()
        );
        for (number, (id, message)) in wanted.into_iter().enumerate() {
            let Some(kinds) = kinds.get(id) else { continue };
            let doc = format!("#[doc = {:?}]", sentence(&message.parts));
            if kinds.len() > 1 {
                write_struct(&mut code, id, &format!("{}({number}", functions[1]), &doc, kinds);
            } else {
                write_function(&mut code, id, functions.map(|name| format!("{name}({number}")), &doc, kinds);
            }
        }
    }
    code
}

/// A message with one argument or none; `calls` are the starts of the calls that return it plain and filled.
fn write_function(code: &mut String, id: &str, calls: [String; 2], doc: &str, kinds: &BTreeMap<String, Kind>) {
    let [as_it_is, filled] = calls;
    let name = id.replace('-', "_");
    let _ = match kinds.first_key_value() {
        None => {
            writeln!(code, "impl Lang {{\n{doc}\npub fn {name}(self) -> &'static str {{ self.{as_it_is}) }}\n}}")
        }
        Some((argument, kind)) => {
            let argument = argument.replace('-', "_");
            let (rust, variant) = if *kind == Kind::Text { ("&str", "Text") } else { ("u64", "Number") };
            writeln!(
                code,
                "impl Lang {{\n{doc}\npub fn {name}(self, {argument}: {rust}) -> String \
                 {{ self.{filled}, &[Argument::{variant}({argument})]) }}\n}}"
            )
        }
    };
}

/// A message with several arguments; `filled` is the start of the call that fills it.
fn write_struct(code: &mut String, id: &str, filled: &str, doc: &str, kinds: &BTreeMap<String, Kind>) {
    let name = camel_case(id);
    let has_text = kinds.values().any(|kind| *kind == Kind::Text);
    let _ = writeln!(code, "{doc}\npub struct {name}{} {{", if has_text { "<'a>" } else { "" });
    let mut arguments = Vec::new();
    for (argument, kind) in kinds {
        let argument = argument.replace('-', "_");
        let (rust, variant) = if *kind == Kind::Text { ("&'a str", "Text") } else { ("u64", "Number") };
        let _ = writeln!(code, "    pub {argument}: {rust},");
        arguments.push(format!("Argument::{variant}(self.{argument})"));
    }
    let _ = writeln!(code, "}}\nimpl Message for {name}{} {{", if has_text { "<'_>" } else { "" });
    let _ =
        writeln!(code, "    fn text(self, lang: Lang) -> String {{ lang.{filled}, &[{}]) }}\n}}", arguments.join(", "));
}

/// `course-tasks` as `CourseTasks`.
fn camel_case(id: &str) -> String {
    let words = id.split(['-', '_']).map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// The text with `{name}` for each argument and the plural form for many: `{key} is now a {kind}`.
fn sentence(parts: &[Part]) -> String {
    let words = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Argument(name) | Part::Call(_, name) => format!("{{{name}}}"),
        Part::Plural { other, .. } => sentence(other),
    });
    words.collect()
}
