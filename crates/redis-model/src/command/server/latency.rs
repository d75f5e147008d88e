//! `LATENCY`: commands take no virtual time, so no latency is ever recorded; the replies are those of Redis without any samples.
use bytes::Bytes;
use resp::Value;

use crate::command::{Command, Flags, Group, Run, help};
use crate::{Answer, Ctx, Error};

pub(super) const LATENCY: Command = Command {
    name: "latency",
    summary: "A container for latency diagnostics commands",
    since: "2.8.13",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        LATENCY_DOCTOR,
        LATENCY_GRAPH,
        LATENCY_HELP,
        LATENCY_HISTOGRAM,
        LATENCY_HISTORY,
        LATENCY_LATEST,
        LATENCY_RESET,
    ],
    run: Run::Container,
    ..Command::of(Group::Server)
};
const LATENCY_DOCTOR: Command = Command {
    name: "doctor",
    summary: "Return a human readable latency analysis report.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    run: Run::Call(latency_doctor),
    ..Command::within("latency", Group::Server)
};
fn latency_doctor(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let text = if ctx.server.config.shown_by_name("latency-monitor-threshold") == "0" {
        "I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Redis instance. You may use \
         \"CONFIG SET latency-monitor-threshold <milliseconds>.\" in order to enable it. If we weren't in a deep space \
         mission I'd suggest to take a look at https://redis.io/topics/latency-monitor.\n"
    } else {
        "Dave, no latency spike was observed during the lifetime of this Redis instance, not in the slightest bit. I \
         honestly think you ought to sit down calmly, take a stress pill, and think things over.\n"
    };
    Ok(Value::Verbatim(*b"txt", Bytes::from_static(text.as_bytes())).into())
}

const LATENCY_LATEST: Command = Command {
    name: "latest",
    summary: "Return the latest latency samples for all events.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    run: Run::Call(latency_latest),
    ..Command::within("latency", Group::Server)
};
fn latency_latest(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Array(Vec::new()).into())
}

const LATENCY_HISTORY: Command = Command {
    name: "history",
    summary: "Return timestamp-latency samples for the event.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    syntax: "event",
    run: Run::Call(latency_history),
    ..Command::within("latency", Group::Server)
};
fn latency_history(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Array(Vec::new()).into())
}

const LATENCY_RESET: Command = Command {
    name: "reset",
    summary: "Reset latency data for one or more events.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: -2,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    syntax: "[event...]",
    run: Run::Call(latency_reset),
    ..Command::within("latency", Group::Server)
};
fn latency_reset(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Integer(0).into())
}

const LATENCY_GRAPH: Command = Command {
    name: "graph",
    summary: "Return a latency graph for the event.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    syntax: "event",
    run: Run::Call(latency_graph),
    ..Command::within("latency", Group::Server)
};
fn latency_graph(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let event = String::from_utf8_lossy(ctx.arg(2));
    Err(Error::Message(format!("ERR No samples available for event '{event}'")))
}

const LATENCY_HISTOGRAM: Command = Command {
    name: "histogram",
    summary: "Return the cumulative distribution of latencies of a subset of commands or all.",
    since: "7.0.0",
    complexity: "O(N) where N is the number of commands with latency information being retrieved.",
    arity: -2,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
    syntax: "[command...]",
    run: Run::NotModelled,
    ..Command::within("latency", Group::Server)
};
const LATENCY_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands.",
    since: "2.8.13",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(latency_help),
    ..Command::within("latency", Group::Server)
};
fn latency_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "DOCTOR",
            "    Return a human readable latency analysis report.",
            "GRAPH <event>",
            "    Return an ASCII latency graph for the <event> class.",
            "HISTORY <event>",
            "    Return time-latency samples for the <event> class.",
            "LATEST",
            "    Return the latest latency samples for all events.",
            "RESET [<event> ...]",
            "    Reset latency data of one or more <event> classes.",
            "    (default: reset all data for all event classes)",
            "HISTOGRAM [COMMAND ...]",
            "    Return a cumulative distribution of latencies in the format of a histogram for the specified command names.",
            "    If no commands are specified then all histograms are replied.",
        ],
    ))
}
