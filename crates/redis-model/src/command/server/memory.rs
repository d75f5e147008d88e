//! `MEMORY`: memory use of a key and of the server.
use bytes::Bytes;
use resp::Value;

use crate::command::{Command, Flags, Group, KeyFlags, KeySpec, Run, help};
use crate::{Answer, Ctx, Error, memory_stats::MemoryStats};

pub(super) const MEMORY: Command = Command {
    name: "memory",
    summary: "A container for memory diagnostics commands",
    since: "4.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[MEMORY_DOCTOR, MEMORY_HELP, MEMORY_MALLOC_STATS, MEMORY_PURGE, MEMORY_STATS, MEMORY_USAGE],
    run: Run::Container,
    ..Command::of(Group::Server)
};
const MEMORY_USAGE: Command = Command {
    name: "usage",
    summary: "Estimate the memory usage of a key",
    since: "4.0.0",
    complexity: "O(N) where N is the number of samples.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(2, KeyFlags::RO)],
    syntax: "key#0 [SAMPLES=count:int]",
    run: Run::Call(memory_usage),
    ..Command::within("memory", Group::Server)
};
/// Reads the key without side effects: no expiry, no hit, no miss. The model counts exactly, so `SAMPLES` has no effect.
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
    summary: "Outputs memory problems report",
    since: "4.0.0",
    complexity: "O(1)",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(memory_doctor),
    ..Command::within("memory", Group::Server)
};
/// The advice that Redis gives for these figures. Its other findings concern the process.
fn memory_doctor(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    /// Below this many bytes the doctor gives no advice.
    const TOO_LITTLE: usize = 5 * 1024 * 1024;
    let stats = MemoryStats::of(ctx.server);
    let text = if stats.total < TOO_LITTLE {
        "Hi Sam, this instance is empty or is using very little memory, my issues detector can't be used in these \
         conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I will be \
         back to our programming as soon as I finished rebooting.\n"
    } else if stats.peak as f64 / stats.total as f64 > 1.5 {
        "Sam, I detected a few issues in this Redis instance memory implants:\n\n * Peak memory: In the past this \
         instance used more than 150% the memory that is currently using. The allocator is normally not able to \
         release memory after a peak, so you can expect to see a big fragmentation ratio, however this is actually \
         harmless and is only due to the memory peak, and if the Redis instance Resident Set Size (RSS) is currently \
         bigger than expected, the memory will be used as soon as you fill the Redis instance with more data. If the \
         memory peak was only occasional and you want to try to reclaim memory, please try the MEMORY PURGE command, \
         otherwise the only other option is to shutdown and restart the instance.\n\nI'm here to keep you safe, Sam. \
         I want to help you.\n"
    } else {
        "Hi Sam, I can't find any memory issue in your instance. I can only account for what occurs on this base.\n"
    };
    Ok(Value::Verbatim(*b"txt", Bytes::from_static(text.as_bytes())).into())
}

const MEMORY_PURGE: Command = Command {
    name: "purge",
    summary: "Ask the allocator to release memory",
    since: "4.0.0",
    complexity: "Depends on how much memory is allocated, could be slow",
    arity: 2,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    run: Run::Call(memory_purge),
    ..Command::within("memory", Group::Server)
};
fn memory_purge(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::OK)
}

const MEMORY_MALLOC_STATS: Command = Command {
    name: "malloc-stats",
    summary: "Show allocator internal stats",
    since: "4.0.0",
    complexity: "Depends on how much memory is allocated, could be slow",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(memory_malloc_stats),
    ..Command::within("memory", Group::Server)
};
/// The reply of a Redis built without jemalloc.
fn memory_malloc_stats(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::bulk("Stats not supported for the current allocator").into())
}

const MEMORY_STATS: Command = Command {
    name: "stats",
    summary: "Show memory usage details",
    since: "4.0.0",
    complexity: "O(1)",
    arity: 2,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    run: Run::Call(memory_stats),
    ..Command::within("memory", Group::Server)
};
/// The fields of Redis. Allocator fields show no fragmentation, and replication fields no replicas.
fn memory_stats(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let stats = MemoryStats::of(ctx.server);
    let bytes = |name: &str, bytes: usize| (Value::bulk(name.to_owned()), Value::from(bytes));
    let ratio = |name: &str, ratio: f64| (Value::bulk(name.to_owned()), Value::Double(ratio));
    let mut fields = vec![
        bytes("peak.allocated", stats.peak),
        bytes("total.allocated", stats.total),
        bytes("startup.allocated", stats.startup),
        bytes("replication.backlog", 0),
        bytes("clients.slaves", 0),
        bytes("clients.normal", stats.clients),
        bytes("cluster.links", 0),
        bytes("aof.buffer", 0),
        bytes("lua.caches", 0),
        bytes("functions.caches", stats.functions),
    ];
    for tables in &stats.tables {
        let parts = vec![
            bytes("overhead.hashtable.main", tables.main),
            bytes("overhead.hashtable.expires", tables.expires),
            bytes("overhead.hashtable.slot-to-keys", 0),
        ];
        fields.push((Value::bulk(format!("db.{}", tables.db)), Value::Map(parts)));
    }
    fields.extend([
        bytes("overhead.total", stats.overhead),
        bytes("keys.count", stats.keys),
        bytes("keys.bytes-per-key", stats.bytes_per_key()),
        bytes("dataset.bytes", stats.dataset()),
        ratio("dataset.percentage", stats.dataset_percent()),
        ratio("peak.percentage", stats.peak_percent()),
        bytes("allocator.allocated", stats.total),
        bytes("allocator.active", stats.total),
        bytes("allocator.resident", stats.total),
    ]);
    for name in ["allocator-fragmentation", "allocator-rss", "rss-overhead"] {
        fields.extend([ratio(&format!("{name}.ratio"), 1.0), bytes(&format!("{name}.bytes"), 0)]);
    }
    fields.extend([ratio("fragmentation", 1.0), bytes("fragmentation.bytes", 0)]);
    Ok(Value::Map(fields).into())
}

const MEMORY_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "4.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(memory_help),
    ..Command::within("memory", Group::Server)
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
