//! `COMMAND DOCS`: the documentation in a row.
use resp::Value;

use super::commands::map;
use crate::command::{Arg, Command, Kind};

/// A row as a map, without empty fields.
pub(super) fn docs_of(row: &Command) -> Value {
    let mut facts = vec![
        ("summary", Value::bulk(row.summary)),
        ("since", Value::bulk(row.since)),
        ("group", Value::bulk(row.group.name())),
    ];
    add_text(&mut facts, "complexity", row.complexity);
    if !row.doc_flags.is_empty() {
        facts.push(("doc_flags", Value::Set(row.doc_flags.iter().map(|flag| Value::simple(flag)).collect())));
    }
    if let Some(deprecation) = row.deprecated {
        add_text(&mut facts, "deprecated_since", deprecation.since);
        add_text(&mut facts, "replaced_by", deprecation.replaced_by);
    }
    if !row.history.is_empty() {
        let entries =
            row.history.iter().map(|(version, what)| Value::Array(vec![Value::bulk(*version), Value::bulk(*what)]));
        facts.push(("history", Value::Set(entries.collect())));
    }
    add_arguments(&mut facts, &row.args());
    if !row.subcommands.is_empty() {
        let entries = row.subcommands.iter().map(|sub| (Value::bulk(sub.full_name()), docs_of(sub)));
        facts.push(("subcommands", Value::Map(entries.collect())));
    }
    map(facts)
}

fn docs_of_argument(arg: &Arg) -> Value {
    let mut facts = vec![("name", Value::bulk(arg.name().into_owned())), ("type", Value::bulk(arg.kind.name()))];
    if let Some(index) = arg.key_spec {
        facts.push(("key_spec_index", Value::from(index)));
    }
    // The token of the empty-string argument of MIGRATE is empty.
    if !arg.token.is_empty() || arg.kind == Kind::PureToken {
        facts.push(("token", Value::bulk(arg.token)));
    }
    add_text(&mut facts, "since", arg.since);
    add_text(&mut facts, "deprecated_since", arg.deprecated_since);
    let flags =
        [("optional", arg.is_optional), ("multiple", arg.is_multiple), ("multiple_token", arg.is_multiple_token)];
    let flags: Vec<Value> =
        flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| Value::simple(name)).collect();
    if !flags.is_empty() {
        facts.push(("flags", Value::Set(flags)));
    }
    add_arguments(&mut facts, &arg.parts);
    map(facts)
}

fn add_text(facts: &mut Vec<(&'static str, Value)>, name: &'static str, text: &'static str) {
    if !text.is_empty() {
        facts.push((name, Value::bulk(text)));
    }
}

fn add_arguments(facts: &mut Vec<(&'static str, Value)>, args: &[Arg]) {
    if !args.is_empty() {
        facts.push(("arguments", Value::Array(args.iter().map(docs_of_argument).collect())));
    }
}
