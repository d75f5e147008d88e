//! Turns the messages of both languages (`src/i18n/<language>/*.ftl`) into typed functions of `Lang`, and those with several
//! arguments into structs. Style sheets are written without comments and indentation, which the page would have to fetch.
//!
//! A message or an argument that one language has and the other lacks stops the build, and so does any
//! part of Fluent that is not understood here. What is understood:
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
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, process};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use fluent_syntax::parser;

/// Directory name, variant of `Lang`.
const LANGUAGES: [(&str, &str); 2] = [("en", "En"), ("zh-CN", "ZhCn")];

/// How an argument is written out; everything but text is a `u64` on the Rust side.
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
    Call(&'static str, String),
    Plural { argument: String, exact: Vec<(u64, Vec<Part>)>, one: Option<Vec<Part>>, other: Vec<Part> },
}

#[derive(Debug)]
struct Message {
    parts: Vec<Part>,
    arguments: BTreeMap<String, Kind>,
    place: String,
}

type Messages = BTreeMap<String, Message>;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/i18n");
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
    for (directory, variant) in LANGUAGES {
        by_language.push((variant, read_language(directory, &mut faults)));
    }
    compare(&by_language, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let code = write_code(&by_language);
    let out = env::var("OUT_DIR").map_err(|e| vec![e.to_string()])?;
    fs::write(Path::new(&out).join("messages.rs"), code).map_err(|e| vec![e.to_string()])
}

/// Writes each style sheet in this folder, shortened, under the same path to where the build's own files are.
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
            Ok(parts) => {
                if let Some(earlier) = messages.insert(id.to_owned(), Message { parts, arguments, place }) {
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
                "NUMBER" => "push_number",
                "DURATION" => "push_duration",
                "BYTES" => "push_bytes",
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

/// Remembers an argument; once a number, always a number.
fn note(arguments: &mut BTreeMap<String, Kind>, name: &str, kind: Kind) {
    let entry = arguments.entry(name.to_owned()).or_insert(kind);
    *entry = (*entry).max(kind);
}

fn compare(by_language: &[(&str, Messages)], faults: &mut Vec<String>) {
    let all: BTreeSet<&String> = by_language.iter().flat_map(|(_, messages)| messages.keys()).collect();
    for id in all {
        let mut shapes = BTreeSet::new();
        for (variant, messages) in by_language {
            match messages.get(id) {
                None => faults.push(format!("message {id} is missing in {variant}")),
                Some(message) => {
                    shapes.insert(message.arguments.keys().cloned().collect::<Vec<_>>());
                }
            }
        }
        if shapes.len() > 1 {
            faults.push(format!("message {id} has other arguments in one language than in the other: {shapes:?}"));
        }
    }
}

fn write_code(by_language: &[(&str, Messages)]) -> String {
    let mut code = String::new();
    let Some((_, first)) = by_language.first() else { return code };
    for id in first.keys() {
        write_message(&mut code, id, by_language);
    }
    code
}

fn write_message(code: &mut String, id: &str, by_language: &[(&str, Messages)]) {
    let versions: Vec<(&str, &Message)> =
        by_language.iter().filter_map(|(variant, messages)| Some((*variant, messages.get(id)?))).collect();
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for (_, message) in &versions {
        for (name, kind) in &message.arguments {
            note(&mut kinds, name, *kind);
        }
    }
    let english = versions.first().map(|(_, message)| sentence(&message.parts)).unwrap_or_default();
    let doc = format!("    #[doc = {english:?}]");
    if kinds.len() > 1 {
        write_struct(code, id, &doc, &kinds, &versions);
    } else {
        code.push_str("impl Lang {\n");
        write_function(code, id, &doc, &kinds, &versions);
        code.push_str("}\n");
    }
}

/// A message with one argument or none.
fn write_function(
    code: &mut String,
    id: &str,
    doc: &str,
    kinds: &BTreeMap<String, Kind>,
    versions: &[(&str, &Message)],
) {
    let name = id.replace('-', "_");
    let Some((argument, kind)) = kinds.first_key_value() else {
        let _ = writeln!(code, "{doc}\n    pub fn {name}(self) -> &'static str {{\n        match self {{");
        for (variant, message) in versions {
            let _ = writeln!(code, "            Lang::{variant} => {:?},", sentence(&message.parts));
        }
        code.push_str("        }\n    }\n");
        return;
    };
    let rust = if *kind == Kind::Text { "&str" } else { "u64" };
    let _ = writeln!(code, "{doc}\n    pub fn {name}(self, {}: {rust}) -> String {{", argument.replace('-', "_"));
    code.push_str("        let lang = self;\n");
    write_body(code, kinds, versions);
    code.push_str("    }\n");
}

/// A message with several arguments.
fn write_struct(code: &mut String, id: &str, doc: &str, kinds: &BTreeMap<String, Kind>, versions: &[(&str, &Message)]) {
    let name = camel_case(id);
    let has_text = kinds.values().any(|kind| *kind == Kind::Text);
    let _ = writeln!(code, "{doc}\npub struct {name}{} {{", if has_text { "<'a>" } else { "" });
    for (argument, kind) in kinds {
        let rust = if *kind == Kind::Text { "&'a str" } else { "u64" };
        let _ = writeln!(code, "    pub {}: {rust},", argument.replace('-', "_"));
    }
    let fields: Vec<String> = kinds.keys().map(|argument| argument.replace('-', "_")).collect();
    let _ = writeln!(code, "}}\nimpl Message for {name}{} {{", if has_text { "<'_>" } else { "" });
    code.push_str("    fn text(self, lang: Lang) -> String {\n");
    let _ = writeln!(code, "        let Self {{ {} }} = self;", fields.join(", "));
    write_body(code, kinds, versions);
    code.push_str("    }\n}\n");
}

/// `course-tasks` as `CourseTasks`.
fn camel_case(id: &str) -> String {
    let words = id.split(['-', '_']).map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// The text with `{name}` where an argument stands, plurals as for many: `{key} is now a {kind}`.
fn sentence(parts: &[Part]) -> String {
    let words = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Argument(name) | Part::Call(_, name) => format!("{{{name}}}"),
        Part::Plural { other, .. } => sentence(other),
    });
    words.collect()
}

/// The statements that make the text. The generated code has the language in `lang` and each argument in a variable of its name.
fn write_body(code: &mut String, kinds: &BTreeMap<String, Kind>, versions: &[(&str, &Message)]) {
    code.push_str("        let mut out = String::new();\n        match lang {\n");
    for (variant, message) in versions {
        let _ = writeln!(code, "            Lang::{variant} => {{");
        write_parts(code, &message.parts, kinds);
        code.push_str("            }\n");
    }
    code.push_str("        }\n        out\n");
}

fn write_parts(code: &mut String, parts: &[Part], kinds: &BTreeMap<String, Kind>) {
    for part in parts {
        match part {
            Part::Text(text) => {
                let mut chars = text.chars();
                let _ = match (chars.next(), chars.next()) {
                    (Some(only), None) => writeln!(code, "out.push({only:?});"),
                    _ => writeln!(code, "out.push_str({text:?});"),
                };
            }
            Part::Argument(name) => {
                let rust = name.replace('-', "_");
                if kinds.get(name) == Some(&Kind::Number) {
                    let _ = writeln!(code, "lang.push_number(&mut out, {rust});");
                } else {
                    let _ = writeln!(code, "out.push_str({rust});");
                }
            }
            Part::Call(function, name) => {
                let _ = writeln!(code, "lang.{function}(&mut out, {});", name.replace('-', "_"));
            }
            Part::Plural { argument, exact, one, other } => {
                let rust = argument.replace('-', "_");
                let _ = writeln!(code, "match {rust} {{");
                for (number, parts) in exact {
                    let _ = writeln!(code, "{number} => {{");
                    write_parts(code, parts, kinds);
                    code.push_str("}\n");
                }
                if let Some(parts) = one {
                    let _ = writeln!(code, "n if lang.is_one(n) => {{");
                    write_parts(code, parts, kinds);
                    code.push_str("}\n");
                }
                code.push_str("_ => {\n");
                write_parts(code, other, kinds);
                code.push_str("}\n}\n");
            }
        }
    }
}
