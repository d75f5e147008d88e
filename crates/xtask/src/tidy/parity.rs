//! Checks that both languages have the same files, messages and arguments.
use super::Tree;
use fluent_syntax::ast::{self, Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use std::collections::{BTreeMap, BTreeSet};

/// The folder of the messages, with one folder per language.
const LANGUAGES: [&str; 2] = ["src/i18n/en/", "src/i18n/zh-CN/"];

/// Arguments of each message (and of each of its attributes, as `message.attribute`).
type Messages = BTreeMap<String, BTreeSet<String>>;

/// Messages and arguments that only one language has, and files that cannot be read.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let names: BTreeSet<&str> = LANGUAGES.iter().flat_map(|folder| names_in(tree, folder)).collect();
    for name in names {
        let [here, there] = LANGUAGES.map(|folder| format!("{folder}{name}"));
        let mut read = |path: &str| match tree.get(path) {
            Some(file) => messages(path, &file.text, &mut findings),
            None => {
                findings.push(format!("{path}: is missing; the other language has it"));
                Messages::new()
            }
        };
        let (left, right) = (read(&here), read(&there));
        compare(&left, &there, &right, &mut findings);
        compare(&right, &here, &left, &mut findings);
    }
    findings
}

fn names_in<'a>(tree: &'a Tree, folder: &'a str) -> impl Iterator<Item = &'a str> {
    tree.with_extension("ftl").filter_map(move |file| file.path.strip_prefix(folder))
}

/// Reports messages and arguments of `wanted` that `other` lacks.
fn compare(wanted: &Messages, path: &str, other: &Messages, findings: &mut Vec<String>) {
    for (key, arguments) in wanted {
        match other.get(key) {
            None => findings.push(format!("{path}: has no message `{key}`, the other language has")),
            Some(given) => {
                for argument in arguments.difference(given) {
                    findings.push(format!("{path}: `{key}` does not use `${argument}`, the other language does"));
                }
            }
        }
    }
}

fn messages(path: &str, text: &str, findings: &mut Vec<String>) -> Messages {
    let resource = match parser::parse(text) {
        Ok(resource) => resource,
        Err((resource, errors)) => {
            findings.extend(errors.iter().map(|error| format!("{path}: {error:?}")));
            resource
        }
    };
    let mut found = Messages::new();
    for entry in &resource.body {
        let (name, value, attributes) = match entry {
            Entry::Message(message) => (message.id.name.to_owned(), message.value.as_ref(), &message.attributes),
            Entry::Term(term) => (format!("-{}", term.id.name), Some(&term.value), &term.attributes),
            _ => continue,
        };
        let parts = value.map(|value| (name.clone(), value)).into_iter();
        let parts = parts.chain(attributes.iter().map(|part| (format!("{name}.{}", part.id.name), &part.value)));
        for (key, pattern) in parts {
            let mut arguments = BTreeSet::new();
            pattern_arguments(pattern, &mut arguments);
            if found.insert(key.clone(), arguments).is_some() {
                findings.push(format!("{path}: `{key}` stands there twice"));
            }
        }
    }
    found
}

fn pattern_arguments(pattern: &Pattern<&str>, arguments: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            expression_arguments(expression, arguments);
        }
    }
}

fn expression_arguments(expression: &Expression<&str>, arguments: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => inline_arguments(inline, arguments),
        Expression::Select { selector, variants } => {
            inline_arguments(selector, arguments);
            variants.iter().for_each(|variant| pattern_arguments(&variant.value, arguments));
        }
    }
}

fn inline_arguments(inline: &InlineExpression<&str>, arguments: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            arguments.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference { arguments: given, .. } => call_arguments(given, arguments),
        InlineExpression::TermReference { arguments: Some(given), .. } => call_arguments(given, arguments),
        InlineExpression::Placeable { expression } => expression_arguments(expression, arguments),
        _ => {}
    }
}

fn call_arguments(given: &ast::CallArguments<&str>, arguments: &mut BTreeSet<String>) {
    given.positional.iter().for_each(|inline| inline_arguments(inline, arguments));
    given.named.iter().for_each(|named| inline_arguments(&named.value, arguments));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(english: &str, chinese: &str) -> Vec<String> {
        check(&Tree::of(&[("src/i18n/en/a.ftl", english), ("src/i18n/zh-CN/a.ftl", chinese)]))
    }

    #[test]
    fn equal_messages_pass() {
        let english = "keys = { $count ->\n    [one] { $count } key\n   *[other] { $count } keys\n}\nrun = Run\n    .title = Run { $name }\n";
        let chinese = "keys = { $count } 个键\nrun = 运行\n    .title = 运行 { $name }\n";
        assert_eq!(found(english, chinese), Vec::<String>::new());
    }

    #[test]
    fn every_difference_is_found() {
        assert_eq!(found("a = A\nb = B\n", "a = 甲\n").len(), 1);
        assert_eq!(found("a = A\n", "a = 甲\nb = 乙\n").len(), 1);
        assert_eq!(found("a = A { $x }\n", "a = 甲\n").len(), 1);
        assert_eq!(found("a = A { $x }\n", "a = 甲 { $y }\n").len(), 2);
        assert_eq!(found("a = A\n    .title = T\n", "a = 甲\n").len(), 1);
        assert_eq!(found("a = A\na = B\n", "a = 甲\n").len(), 1);
        assert!(!found("a = A\n", "a = { \n").is_empty());
        assert!(!check(&Tree::of(&[("src/i18n/en/a.ftl", "a = A\n")])).is_empty());
    }
}
