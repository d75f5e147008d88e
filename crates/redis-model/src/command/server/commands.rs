//! `COMMAND`: information about the command table.
use bytes::Bytes;
use resp::Value;

use super::docs;
use crate::command::{
    self, Begin, Categories, Command, Find, Flags, Group, KeyAt, KeyFlags, KeySpec, Run, help, keys::keys_of_row,
};
use crate::{Answer, Ctx, Error, value::glob};

pub(super) const COMMAND: Command = Command {
    name: "command",
    summary: "Get array of Redis command details",
    since: "2.8.13",
    complexity: "O(N) where N is the total number of Redis commands",
    arity: -1,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    tips: &["nondeterministic_output_order"],
    subcommands: &[
        COMMAND_COUNT,
        COMMAND_DOCS,
        COMMAND_GETKEYS,
        COMMAND_GETKEYSANDFLAGS,
        COMMAND_HELP,
        COMMAND_INFO,
        COMMAND_LIST,
    ],
    run: Run::ContainerOr(command),
    ..Command::of(Group::Server)
};
fn command(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Array(command::all().map(info_of).collect()).into())
}

const COMMAND_COUNT: Command = Command {
    name: "count",
    summary: "Get total number of Redis commands",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    run: Run::Call(command_count),
    ..Command::within("command", Group::Server)
};
fn command_count(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(command::all().count()))
}

const COMMAND_INFO: Command = Command {
    name: "info",
    summary: "Get array of specific Redis command details, or all when no argument is given.",
    since: "2.8.13",
    complexity: "O(N) where N is the number of commands to look up",
    arity: -2,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    tips: &["nondeterministic_output_order"],
    history: &[("7.0.0", "Allowed to be called with no argument to get info on all commands.")],
    syntax: "[command-name...]",
    run: Run::Call(command_info),
    ..Command::within("command", Group::Server)
};
fn command_info(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let names = ctx.args_from(2);
    if names.is_empty() {
        return command(ctx);
    }
    let rows = names.iter().map(|name| by_full_name(name).map_or(Value::Null, info_of));
    Ok(Value::Array(rows.collect()).into())
}

const COMMAND_DOCS: Command = Command {
    name: "docs",
    summary: "Get array of specific Redis command documentation",
    since: "7.0.0",
    complexity: "O(N) where N is the number of commands to look up",
    arity: -2,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    tips: &["nondeterministic_output_order"],
    syntax: "[command-name...]",
    run: Run::Call(command_docs),
    ..Command::within("command", Group::Server)
};
fn command_docs(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let names = ctx.args_from(2);
    let entry = |row: &'static Command| (Value::bulk(row.full_name()), docs::docs_of(row));
    let entries = if names.is_empty() {
        command::all().map(entry).collect()
    } else {
        names.iter().filter_map(by_full_name).map(entry).collect()
    };
    Ok(Value::Map(entries).into())
}

const COMMAND_LIST: Command = Command {
    name: "list",
    summary: "Get an array of Redis command names",
    since: "7.0.0",
    complexity: "O(N) where N is the total number of Redis commands",
    arity: -2,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    tips: &["nondeterministic_output_order"],
    syntax: "[FILTERBY=filterby(MODULE=module-name|ACLCAT=category|PATTERN=pattern:pattern)]",
    run: Run::Call(command_list),
    ..Command::within("command", Group::Server)
};
fn command_list(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let every = command::all().flat_map(|row| [row].into_iter().chain(row.subcommands));
    let names: Vec<String> = match ctx.args_from(2) {
        [] => every.map(Command::full_name).collect(),
        [word, kind, wanted] if word.eq_ignore_ascii_case(b"filterby") => match kind.to_ascii_lowercase().as_slice() {
            // This model has no modules.
            b"module" => Vec::new(),
            b"aclcat" => every.filter(|row| is_in_category(row, wanted)).map(Command::full_name).collect(),
            b"pattern" => {
                every.map(Command::full_name).filter(|name| glob::matches(wanted, name.as_bytes(), true)).collect()
            }
            _ => return Err(Error::Syntax),
        },
        _ => return Err(Error::Syntax),
    };
    Ok(Value::Array(names.into_iter().map(Value::bulk).collect()).into())
}

const COMMAND_GETKEYS: Command = Command {
    name: "getkeys",
    summary: "Extract keys given a full Redis command",
    since: "2.8.13",
    complexity: "O(N) where N is the number of arguments to the command",
    arity: -4,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    run: Run::Call(command_getkeys),
    ..Command::within("command", Group::Server)
};
fn command_getkeys(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let call = ctx.args_from(2);
    let keys = keys_of_call(call)?;
    let words = keys.iter().filter_map(|key| call.get(key.index)).cloned().map(Value::Bulk);
    Ok(Value::Array(words.collect()).into())
}

const COMMAND_GETKEYSANDFLAGS: Command = Command {
    name: "getkeysandflags",
    summary: "Extract keys and access flags given a full Redis command",
    since: "7.0.0",
    complexity: "O(N) where N is the number of arguments to the command",
    arity: -4,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    run: Run::Call(command_getkeysandflags),
    ..Command::within("command", Group::Server)
};
fn command_getkeysandflags(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let call = ctx.args_from(2);
    let keys = keys_of_call(call)?;
    let pairs = keys.iter().filter_map(|key| {
        let word = Value::Bulk(call.get(key.index)?.clone());
        Some(Value::Array(vec![word, flag_set(key_flag_names(key.flags))]))
    });
    Ok(Value::Array(pairs.collect()).into())
}

/// The keys of `call`, the arguments of `COMMAND GETKEYS` or `COMMAND GETKEYSANDFLAGS`.
fn keys_of_call(call: &[Bytes]) -> Result<Vec<KeyAt>, Error> {
    let row = command::find(call).map_err(|_| Error::Text("ERR Invalid command specified"))?;
    // Channels have key specifications too, marked `NOT_KEY`.
    if row.keys.iter().all(|spec| spec.flags.contains(KeyFlags::NOT_KEY)) {
        return Err(Error::Text("ERR The command has no key arguments"));
    }
    if !row.takes(call.len()) {
        return Err(Error::Text("ERR Invalid number of arguments specified for command"));
    }
    keys_of_row(row, call).ok_or(Error::Text("ERR Invalid arguments specified for command"))
}

const COMMAND_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    categories: Categories::CONNECTION,
    run: Run::Call(command_help),
    ..Command::within("command", Group::Server)
};
fn command_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "(no subcommand)",
            "    Return details about all Redis commands.",
            "COUNT",
            "    Return the total number of commands in this Redis server.",
            "LIST",
            "    Return a list of all commands in this Redis server.",
            "INFO [<command-name> ...]",
            "    Return details about multiple Redis commands.",
            "    If no command names are given, documentation details for all",
            "    commands are returned.",
            "DOCS [<command-name> ...]",
            "    Return documentation details about multiple Redis commands.",
            "    If no command names are given, documentation details for all",
            "    commands are returned.",
            "GETKEYS <full-command>",
            "    Return the keys from a full Redis command.",
            "GETKEYSANDFLAGS <full-command>",
            "    Return the keys and the access flags from a full Redis command.",
        ],
    ))
}

/// Finds a row by its full name, such as `get` or `config|get`, in any case.
fn by_full_name(name: &Bytes) -> Option<&'static Command> {
    let mut parts = name.splitn(2, |byte| *byte == b'|');
    let row = command::by_name(parts.next()?)?;
    match parts.next() {
        None => Some(row),
        Some(sub) => row.subcommand(sub),
    }
}

fn is_in_category(row: &Command, wanted: &[u8]) -> bool {
    all_categories(row).iter_names().any(|(name, _)| name.as_bytes().eq_ignore_ascii_case(wanted))
}

/// The categories of a row, including those derived from its flags.
fn all_categories(row: &Command) -> Categories {
    let mut categories = row.categories;
    let implied = [
        (Flags::WRITE, Categories::WRITE),
        (Flags::ADMIN, Categories::ADMIN.union(Categories::DANGEROUS)),
        (Flags::PUBSUB, Categories::PUBSUB),
        (Flags::FAST, Categories::FAST),
        (Flags::BLOCKING, Categories::BLOCKING),
    ];
    for (flag, category) in implied {
        if row.flags.contains(flag) {
            categories |= category;
        }
    }
    if row.flags.contains(Flags::READONLY) && !categories.contains(Categories::SCRIPTING) {
        categories |= Categories::READ;
    }
    if !categories.contains(Categories::FAST) {
        categories |= Categories::SLOW;
    }
    categories
}

/// One row as `COMMAND INFO` answers it.
fn info_of(row: &'static Command) -> Value {
    let (range, is_movable) = legacy_range(row);
    let (first, last, step) = range;
    // Redis does not show this flag.
    let shown = row.flags.difference(Flags::MAY_REPLICATE);
    let mut flags: Vec<String> = shown.iter_names().map(|(name, _)| name.to_ascii_lowercase()).collect();
    if is_movable {
        flags.push("movablekeys".to_owned());
    }
    let categories = all_categories(row).iter_names().map(|(name, _)| format!("@{}", name.to_ascii_lowercase()));
    let subcommands = row.subcommands.iter().map(info_of).collect::<Vec<Value>>();
    Value::Array(vec![
        Value::bulk(row.full_name()),
        Value::Integer(row.arity.into()),
        flag_set(flags),
        Value::Integer(first),
        Value::Integer(last),
        Value::Integer(step),
        flag_set(categories),
        Value::Set(row.tips.iter().map(|tip| Value::bulk(*tip)).collect()),
        Value::Set(row.keys.iter().map(spec_of).collect()),
        // Redis answers an empty list as a set and a non-empty one as an array.
        if subcommands.is_empty() { Value::Set(subcommands) } else { Value::Array(subcommands) },
    ])
}

fn flag_set(names: impl IntoIterator<Item = String>) -> Value {
    Value::Set(names.into_iter().map(|name| Value::Simple(Bytes::from(name))).collect())
}

/// Names such as `RO` and `access`; only the first four flags are in upper case.
fn key_flag_names(flags: KeyFlags) -> Vec<String> {
    let kinds = KeyFlags::RO.union(KeyFlags::RW).union(KeyFlags::OW).union(KeyFlags::RM);
    let names = flags.iter_names();
    names.map(|(name, flag)| if kinds.contains(flag) { name.to_owned() } else { name.to_ascii_lowercase() }).collect()
}

/// First key, last key and step in the format before 7.0, and whether the range is incomplete (`movablekeys`). Adjacent plain ranges are
/// joined, all others are left out.
fn legacy_range(row: &Command) -> ((i64, i64, i64), bool) {
    if let [KeySpec { flags, begin: Begin::Index(first), find: Find::Range { last, step, .. }, .. }] = row.keys {
        return (absolute(*first, *last, *step), flags.contains(KeyFlags::INCOMPLETE));
    }
    let mut joined: Option<(i64, i64)> = None;
    let mut is_movable = false;
    for spec in row.keys {
        is_movable |= spec.flags.contains(KeyFlags::INCOMPLETE);
        let (Begin::Index(first), Find::Range { last, step: 1, .. }) = (spec.begin, spec.find) else {
            is_movable = true;
            continue;
        };
        let (first, last, _) = absolute(first, last, 1);
        match joined {
            None => joined = Some((first, last)),
            Some((start, end)) if end >= 0 && end.saturating_add(1) == first => joined = Some((start, last)),
            Some(_) => is_movable = true,
        }
    }
    (joined.map_or((0, 0, 0), |(first, last)| (first, last, 1)), is_movable)
}

fn absolute(first: usize, last: i32, step: usize) -> (i64, i64, i64) {
    let to_i64 = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let last = i64::from(last);
    (to_i64(first), if last < 0 { last } else { last.saturating_add(to_i64(first)) }, to_i64(step))
}

/// A key specification as a map.
fn spec_of(spec: &KeySpec) -> Value {
    let number = |n: usize| Value::from(n);
    let (begin, begin_parts) = match spec.begin {
        Begin::Index(index) => ("index", vec![("index", number(index))]),
        Begin::Keyword(word, from) => {
            ("keyword", vec![("keyword", Value::bulk(word)), ("startfrom", Value::Integer(from.into()))])
        }
        Begin::Unknown => ("unknown", Vec::new()),
    };
    let (find, find_parts) = match spec.find {
        Find::Range { last, step, limit } => (
            "range",
            vec![("lastkey", Value::Integer(last.into())), ("keystep", number(step)), ("limit", number(limit))],
        ),
        Find::Keynum { index, first, step } => {
            ("keynum", vec![("keynumidx", number(index)), ("firstkey", number(first)), ("keystep", number(step))])
        }
        Find::Unknown => ("unknown", Vec::new()),
    };
    let part = |kind: &'static str, parts| map(vec![("type", Value::bulk(kind)), ("spec", map(parts))]);
    let mut facts = Vec::new();
    if !spec.notes.is_empty() {
        facts.push(("notes", Value::bulk(spec.notes)));
    }
    facts.push(("flags", flag_set(key_flag_names(spec.flags))));
    facts.push(("begin_search", part(begin, begin_parts)));
    facts.push(("find_keys", part(find, find_parts)));
    map(facts)
}

/// A map from names known at compile time.
pub(super) fn map(pairs: Vec<(&'static str, Value)>) -> Value {
    Value::Map(pairs.into_iter().map(|(name, value)| (Value::bulk(name), value)).collect())
}
