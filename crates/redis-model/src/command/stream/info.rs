//! Information about streams, groups and consumers: `XINFO`.
use bytes::Bytes;
use resp::Value as Reply;

use super::{
    Categories, Command, Flags, Group, KeyFlags, KeySpec, Run, entries_reply, entry_reply, id_reply, no_group_of,
};
use crate::command::help;
use crate::{
    Answer, Ctx, Error,
    value::stream::{self, Consumer, Id, Stream},
};

pub(super) const XINFO: Command = Command {
    name: "xinfo",
    summary: "A container for stream introspection commands",
    since: "5.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[XINFO_CONSUMERS, XINFO_GROUPS, XINFO_HELP, XINFO_STREAM],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Stream)
};
const XINFO_STREAM: Command = Command {
    name: "stream",
    summary: "Get information about a stream",
    since: "5.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::READONLY,
    history: &[
        ("6.0.0", "Added the `FULL` modifier."),
        (
            "7.0.0",
            "Added the `max-deleted-entry-id`, `entries-added`, `recorded-first-entry-id`, `entries-read` and `lag` fields",
        ),
    ],
    keys: &[KeySpec::one(2, KeyFlags::READ)],
    syntax: "key#0 [FULL=full{[COUNT=count:int]}]",
    run: Run::Call(xinfo_stream),
    ..Command::within("xinfo", Group::Stream)
};
fn xinfo_stream(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let full = full_count(ctx);
    let stream = ctx.read::<Stream>(ctx.arg(2))?.ok_or(Error::NoSuchKey)?;
    let mut facts = vec![
        ("length", size(stream.len())),
        ("radix-tree-keys", size(stream.nodes().len())),
        ("radix-tree-nodes", size(stream.radix_nodes())),
        ("last-generated-id", id_reply(stream.last_id())),
        ("max-deleted-entry-id", id_reply(stream.max_deleted_id())),
        ("entries-added", Reply::Integer(stream.entries_added().cast_signed())),
        ("recorded-first-entry-id", id_reply(stream.first_id())),
    ];
    match full? {
        None => {
            let mut entries = stream.range(Id::MIN..=Id::MAX);
            let first = entries.next().map(|(id, entry)| entry_reply(id, entry));
            let last = stream.range(Id::MIN..=Id::MAX).next_back().map(|(id, entry)| entry_reply(id, entry));
            facts.push(("groups", size(stream.groups().len())));
            facts.push(("first-entry", first.unwrap_or(Reply::Null)));
            facts.push(("last-entry", last.unwrap_or(Reply::Null)));
        }
        Some(count) => {
            let groups = stream.groups().map(|(name, group)| full_group(stream, name, group, count));
            facts.push(("entries", entries_reply(stream.range(Id::MIN..=Id::MAX).take(count))));
            facts.push(("groups", Reply::Array(groups.collect())));
        }
    }
    Ok(map(facts).into())
}

/// Parses `FULL [COUNT count]`, if present. Redis looks the key up before it refuses an invalid count.
fn full_count(ctx: &Ctx<'_>) -> Result<Option<usize>, Error> {
    let count = match ctx.argv.len() {
        3 => return Ok(None),
        4 if ctx.is_word(3, "FULL") => 10,
        6 if ctx.is_word(3, "FULL") && ctx.is_word(4, "COUNT") => ctx.int(5)?,
        _ => return Err(Error::subcommand_syntax(ctx.argv)),
    };
    // 0 means all; a negative count means the default.
    Ok(Some(match usize::try_from(count) {
        Ok(0) => usize::MAX,
        Ok(count) => count,
        Err(_) => 10,
    }))
}

fn full_group(stream: &Stream, name: &Bytes, group: &stream::Group, count: usize) -> Reply {
    let pending = group.pending().take(count).map(|(id, pending)| {
        let owner = Reply::Bulk(pending.consumer.clone());
        Reply::Array(vec![
            id_reply(id),
            owner,
            time(pending.delivered_ms),
            Reply::Integer(pending.deliveries.cast_signed()),
        ])
    });
    let consumers = group.consumers().map(|(name, consumer)| full_consumer(name, group, consumer, count));
    map(vec![
        ("name", Reply::Bulk(name.clone())),
        ("last-delivered-id", id_reply(group.last_id())),
        ("entries-read", known(group.entries_read())),
        ("lag", known(stream.lag(group))),
        ("pel-count", size(group.pending_len())),
        ("pending", Reply::Array(pending.collect())),
        ("consumers", Reply::Array(consumers.collect())),
    ])
}

fn full_consumer(name: &Bytes, group: &stream::Group, consumer: &Consumer, count: usize) -> Reply {
    let pending = group.pending_range(Id::MIN..=Id::MAX, Some(name)).take(count).map(|(id, pending)| {
        Reply::Array(vec![id_reply(id), time(pending.delivered_ms), Reply::Integer(pending.deliveries.cast_signed())])
    });
    map(vec![
        ("name", Reply::Bulk(name.clone())),
        ("seen-time", time(consumer.seen_ms())),
        ("pel-count", size(consumer.pending_len())),
        ("pending", Reply::Array(pending.collect())),
    ])
}

const XINFO_GROUPS: Command = Command {
    name: "groups",
    summary: "List the consumer groups of a stream",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    history: &[("7.0.0", "Added the `entries-read` and `lag` fields")],
    keys: &[KeySpec::one(2, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::Call(xinfo_groups),
    ..Command::within("xinfo", Group::Stream)
};
fn xinfo_groups(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let stream = ctx.read::<Stream>(ctx.arg(2))?.ok_or(Error::NoSuchKey)?;
    let groups = stream.groups().map(|(name, group)| {
        map(vec![
            ("name", Reply::Bulk(name.clone())),
            ("consumers", size(group.consumers().len())),
            ("pending", size(group.pending_len())),
            ("last-delivered-id", id_reply(group.last_id())),
            ("entries-read", known(group.entries_read())),
            ("lag", known(stream.lag(group))),
        ])
    });
    Ok(Reply::Array(groups.collect()).into())
}

const XINFO_CONSUMERS: Command = Command {
    name: "consumers",
    summary: "List the consumers in a consumer group",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 4,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(2, KeyFlags::READ)],
    syntax: "key#0 groupname",
    run: Run::Call(xinfo_consumers),
    ..Command::within("xinfo", Group::Stream)
};
fn xinfo_consumers(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, name, now_ms) = (ctx.arg(2), ctx.arg(3), ctx.now_ms());
    let stream = ctx.read::<Stream>(key)?.ok_or(Error::NoSuchKey)?;
    let group = stream.group(name).ok_or_else(|| no_group_of(key, name))?;
    let consumers = group.consumers().map(|(name, consumer)| {
        map(vec![
            ("name", Reply::Bulk(name.clone())),
            ("pending", size(consumer.pending_len())),
            ("idle", time(now_ms.saturating_sub(consumer.seen_ms()))),
        ])
    });
    Ok(Reply::Array(consumers.collect()).into())
}

const XINFO_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(xinfo_help),
    ..Command::within("xinfo", Group::Stream)
};
fn xinfo_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "CONSUMERS <key> <groupname>",
            "    Show consumers of <groupname>.",
            "GROUPS <key>",
            "    Show the stream consumer groups.",
            "STREAM <key> [FULL [COUNT <count>]",
            "    Show information about the stream.",
        ],
    ))
}

fn map(facts: Vec<(&'static str, Reply)>) -> Reply {
    Reply::Map(facts.into_iter().map(|(name, fact)| (Reply::bulk(name), fact)).collect())
}

fn size(size: usize) -> Reply {
    Reply::Integer(i64::try_from(size).unwrap_or(i64::MAX))
}

fn time(ms: u64) -> Reply {
    Reply::Integer(i64::try_from(ms).unwrap_or(i64::MAX))
}

/// A counter that may be unknown.
fn known(number: Option<i64>) -> Reply {
    number.map_or(Reply::Null, Reply::Integer)
}
