//! Observing the server: `MONITOR`, `SLOWLOG`, `ROLE`, `LASTSAVE`. The dispatcher decides what monitors see and what is logged as slow.
use resp::Value;

use crate::command::{Categories, Command, Flags, Group, Run, help};
use crate::{Answer, Ctx, Error, server::SlowCommand, value::number};

pub(super) const MONITOR: Command = Command {
    name: "monitor",
    summary: "Listen for all requests received by the server in real time",
    since: "1.0.0",
    arity: 1,
    flags: Flags::ADMIN_ANYTIME,
    run: Run::Call(monitor),
    ..Command::of(Group::Server)
};
fn monitor(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.server.is_atomic {
        return Err(Error::Text("ERR MONITOR isn't allowed for DENY BLOCKING client"));
    }
    let caller = ctx.caller();
    // A second `MONITOR` gets no reply, as in Redis.
    if std::mem::replace(&mut caller.is_monitor, true) {
        return Ok(Answer::Nothing);
    }
    ctx.server.monitors.insert(ctx.client);
    Ok(Answer::OK)
}

pub(super) const SLOWLOG: Command = Command {
    name: "slowlog",
    summary: "A container for slow log commands",
    since: "2.2.12",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[SLOWLOG_GET, SLOWLOG_HELP, SLOWLOG_LEN, SLOWLOG_RESET],
    run: Run::Container,
    ..Command::of(Group::Server)
};
const SLOWLOG_GET: Command = Command {
    name: "get",
    summary: "Get the slow log's entries",
    since: "2.2.12",
    complexity: "O(N) where N is the number of entries returned",
    arity: -2,
    flags: Flags::ADMIN.union(Flags::LOADING).union(Flags::STALE),
    tips: &["request_policy:all_nodes", "nondeterministic_output"],
    history: &[("4.0.0", "Added client IP address, port and name to the reply.")],
    syntax: "[count:int]",
    run: Run::Call(slowlog_get),
    ..Command::within("slowlog", Group::Server)
};
fn slowlog_get(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let count = match ctx.args_from(2) {
        [] => 10,
        [count] => number::parse_i64(count)
            .filter(|count| *count >= -1)
            .ok_or(Error::Text("ERR count should be greater than or equal to -1"))?,
        _ => return Err(Error::subcommand_syntax(ctx.argv)),
    };
    // -1: all entries.
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let entries = ctx.server.slowlog.iter().take(count).map(slow_command);
    Ok(Value::Array(entries.collect()).into())
}

fn slow_command(entry: &SlowCommand) -> Value {
    let number = |n: u64| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    Value::Array(vec![
        number(entry.id),
        number(entry.at_ms / 1000),
        number(entry.duration_us),
        Value::Array(entry.argv.iter().cloned().map(Value::Bulk).collect()),
        Value::bulk(entry.client_addr.clone()),
        Value::Bulk(entry.client_name.clone()),
    ])
}

const SLOWLOG_LEN: Command = Command {
    name: "len",
    summary: "Get the slow log's length",
    since: "2.2.12",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::LOADING).union(Flags::STALE),
    tips: &["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
    run: Run::Call(slowlog_len),
    ..Command::within("slowlog", Group::Server)
};
fn slowlog_len(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.server.slowlog.len()))
}

const SLOWLOG_RESET: Command = Command {
    name: "reset",
    summary: "Clear all entries from the slow log",
    since: "2.2.12",
    complexity: "O(N) where N is the number of entries in the slowlog",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::LOADING).union(Flags::STALE),
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    run: Run::Call(slowlog_reset),
    ..Command::within("slowlog", Group::Server)
};
fn slowlog_reset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.slowlog.clear();
    Ok(Answer::OK)
}

const SLOWLOG_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(slowlog_help),
    ..Command::within("slowlog", Group::Server)
};
fn slowlog_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "GET [<count>]",
            "    Return top <count> entries from the slowlog (default: 10, -1 mean all).",
            "    Entries are made of:",
            "    id, timestamp, time in microseconds, arguments array, client IP and port,",
            "    client name",
            "LEN",
            "    Return the length of the slowlog.",
            "RESET",
            "    Reset the slowlog.",
        ],
    ))
}

pub(super) const ROLE: Command = Command {
    name: "role",
    summary: "Return the role of the instance in the context of replication",
    since: "2.8.12",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::NOSCRIPT.union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST),
    categories: Categories::ADMIN.union(Categories::DANGEROUS),
    run: Run::Call(role),
    ..Command::of(Group::Server)
};
/// A single server is a master without replicas.
fn role(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Array(vec![Value::bulk("master"), Value::Integer(0), Value::Array(Vec::new())]).into())
}

pub(super) const LASTSAVE: Command = Command {
    name: "lastsave",
    summary: "Get the UNIX time stamp of the last successful save to disk",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    categories: Categories::ADMIN.union(Categories::DANGEROUS),
    tips: &["nondeterministic_output"],
    run: Run::Call(lastsave),
    ..Command::of(Group::Server)
};
/// Nothing is ever saved; Redis then answers its start time.
fn lastsave(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.server.started_ms / 1000))
}
