//! `MEMORY`: what a key takes, and what Redis says of its memory.
use bytes::Bytes;
use resp::Value;

use crate::command::{Begin, Command, Find, Flags, Group, KeyFlags, KeySpec, Run, help};
use crate::{Answer, Ctx, Error};

pub(super) const MEMORY: Command = Command {
    name: "memory",
    summary: "A container for memory diagnostics commands",
    since: "4.0.0",
    group: Group::Server,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[MEMORY_DOCTOR, MEMORY_HELP, MEMORY_MALLOC_STATS, MEMORY_PURGE, MEMORY_STATS, MEMORY_USAGE],
    run: Run::Container,
    ..Command::BLANK
};
const MEMORY_USAGE: Command = Command {
    name: "usage",
    container: "memory",
    summary: "Estimate the memory usage of a key",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(N) where N is the number of samples.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO,
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 [SAMPLES=count:int]",
    run: Run::Call(memory_usage),
    ..Command::BLANK
};
/// Looks without touching: no expiry, no hit, no miss. The model counts exactly, so samples change nothing.
fn memory_usage(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let mut i: usize = 3;
    while i < ctx.argv.len() {
        let value = i.saturating_add(1);
        if !ctx.is_word(i, "samples") || value >= ctx.argv.len() || ctx.int(value)? < 0 {
            return Err(Error::Syntax);
        }
        i = value.saturating_add(1);
    }
    Ok(ctx.db().key_memory(ctx.arg(2)).map_or(Answer::Reply(Value::Null), Answer::int))
}

const MEMORY_DOCTOR: Command = Command {
    name: "doctor",
    container: "memory",
    summary: "Outputs memory problems report",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(memory_doctor),
    ..Command::BLANK
};
fn memory_doctor(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    /// Below this many bytes the doctor gives no advice.
    const TOO_LITTLE: usize = 5 * 1024 * 1024;
    let text = if ctx.server.used_memory() < TOO_LITTLE {
        "Hi Sam, this instance is empty or is using very little memory, my issues detector can't be used in these \
         conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I will be \
         back to our programming as soon as I finished rebooting.\n"
    } else {
        "Hi Sam, I can't find any memory issue in your instance. I can only account for what occurs on this base.\n"
    };
    Ok(Value::Verbatim(*b"txt", Bytes::from_static(text.as_bytes())).into())
}

const MEMORY_PURGE: Command = Command {
    name: "purge",
    container: "memory",
    summary: "Ask the allocator to release memory",
    since: "4.0.0",
    group: Group::Server,
    complexity: "Depends on how much memory is allocated, could be slow",
    arity: 2,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    run: Run::Call(memory_purge),
    ..Command::BLANK
};
fn memory_purge(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::OK)
}

const MEMORY_MALLOC_STATS: Command = Command {
    name: "malloc-stats",
    container: "memory",
    summary: "Show allocator internal stats",
    since: "4.0.0",
    group: Group::Server,
    complexity: "Depends on how much memory is allocated, could be slow",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(memory_malloc_stats),
    ..Command::BLANK
};
/// What Redis answers when it was built without jemalloc.
fn memory_malloc_stats(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::bulk("Stats not supported for the current allocator").into())
}

const MEMORY_STATS: Command = Command {
    name: "stats",
    container: "memory",
    summary: "Show memory usage details",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::NotModelled,
    ..Command::BLANK
};
const MEMORY_HELP: Command = Command {
    name: "help",
    container: "memory",
    summary: "Show helpful text about the different subcommands",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    run: Run::Call(memory_help),
    ..Command::BLANK
};
fn memory_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "DOCTOR",
            "    Return memory problems reports.",
            "MALLOC-STATS",
            "    Return internal statistics report from the memory allocator.",
            "PURGE",
            "    Attempt to purge dirty pages for reclamation by the allocator.",
            "STATS",
            "    Return information about the memory usage of the server.",
            "USAGE <key> [SAMPLES <count>]",
            "    Return memory in bytes used by <key> and its value. Nested values are",
            "    sampled up to <count> times (default: 5, 0 means sample all).",
        ],
    ))
}
