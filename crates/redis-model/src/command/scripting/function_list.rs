//! Information about libraries: `FUNCTION LIST`, `FUNCTION STATS`.
use resp::Value;

use crate::command::{Command, Flags, Group, Run};
use crate::{
    Answer, Busy, Ctx, Error,
    script::{Library, busy_with},
    value::glob,
};

pub(super) const FUNCTION_LIST: Command = Command {
    name: "list",
    summary: "List information about all the functions",
    since: "7.0.0",
    complexity: "O(N) where N is the number of functions",
    arity: -2,
    flags: Flags::NOSCRIPT,
    tips: &["nondeterministic_output_order"],
    syntax: "[LIBRARYNAME=library-name-pattern] [WITHCODE]",
    run: Run::Call(function_list),
    ..Command::within("function", Group::Scripting)
};
fn function_list(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let mut with_code = false;
    let mut pattern = None;
    let mut i = 2;
    while i < ctx.argv.len() {
        if !with_code && ctx.is_word(i, "withcode") {
            with_code = true;
        } else if pattern.is_none() && ctx.is_word(i, "libraryname") {
            i = i.saturating_add(1);
            pattern = Some(ctx.argv.get(i).ok_or(Error::Text("ERR library name argument was not given"))?);
        } else {
            let word = crate::error::clipped(ctx.arg(i), usize::MAX);
            return Err(Error::Message(format!("ERR Unknown argument {word}")));
        }
        i = i.saturating_add(1);
    }
    let is_wanted =
        |library: &&std::rc::Rc<Library>| pattern.is_none_or(|pattern| glob::matches(pattern, &library.name, true));
    let wanted = ctx.server.scripts.libraries().filter(is_wanted);
    Ok(Value::Array(wanted.map(|library| listed(library, with_code)).collect()).into())
}

fn listed(library: &Library, with_code: bool) -> Value {
    let functions = library.functions.iter().map(|function| {
        map(vec![
            ("name", Value::Bulk(function.name.clone())),
            ("description", function.description.clone().map_or(Value::Null, Value::Bulk)),
            ("flags", Value::Set(function.flag_names().map(Value::simple).collect())),
        ])
    });
    let mut entries = vec![
        ("library_name", Value::Bulk(library.name.clone())),
        ("engine", Value::bulk("LUA")),
        ("functions", Value::Array(functions.collect())),
    ];
    if with_code {
        entries.push(("library_code", Value::Bulk(library.text.clone())));
    }
    map(entries)
}

fn map(entries: Vec<(&'static str, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Value::bulk(key), value)).collect())
}

pub(super) const FUNCTION_STATS: Command = Command {
    name: "stats",
    summary: "Return information about the function currently running (name, description, duration)",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(function_stats),
    ..Command::within("function", Group::Scripting)
};
fn function_stats(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let server = &*ctx.server;
    let running = match server.busy() {
        Some(busy) if busy.is_function => running(busy, server.now_ms),
        Some(_) => return busy_with(server).map_or(Ok(Answer::Nothing), Err),
        None => Value::Null,
    };
    let engine = map(vec![
        ("libraries_count", Value::from(server.scripts.libraries().len())),
        ("functions_count", Value::from(server.scripts.functions_len())),
    ]);
    Ok(map(vec![("running_script", running), ("engines", map(vec![("LUA", engine)]))]).into())
}

fn running(busy: &Busy, now_ms: u64) -> Value {
    let duration_ms = now_ms.saturating_sub(busy.since_ms);
    map(vec![
        ("name", Value::Bulk(busy.name.clone())),
        ("command", Value::Array(busy.argv.iter().cloned().map(Value::Bulk).collect())),
        ("duration_ms", Value::Integer(i64::try_from(duration_ms).unwrap_or(i64::MAX))),
    ])
}
