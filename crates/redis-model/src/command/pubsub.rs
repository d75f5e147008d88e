//! Publish/subscribe: `SUBSCRIBE`, `PUBLISH`, patterns, shard channels, `PUBSUB`.
//!
//! The command does not get one reply; each channel is confirmed by a push. Confirmations are sent in one stream with the messages, and
//! clients rely on that order.
use std::collections::BTreeMap;

use bytes::Bytes;
use resp::Value;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, help};
use crate::{Answer, Ctx, Error, Server, client::ClientId, pubsub::Audience, value::glob};

pub(super) static COMMANDS: &[Command] =
    &[PSUBSCRIBE, PUBLISH, PUBSUB, PUNSUBSCRIBE, SPUBLISH, SSUBSCRIBE, SUBSCRIBE, SUNSUBSCRIBE, UNSUBSCRIBE];

const SUBSCRIBE: Command = Command {
    name: "subscribe",
    summary: "Listen for messages published to the given channels",
    since: "2.0.0",
    complexity: "O(N) where N is the number of channels to subscribe to.",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    syntax: "channel...",
    run: Run::Call(subscribe),
    ..Command::of(Group::Pubsub)
};
fn subscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(subscribe_to_all(ctx, Audience::Channels))
}

const PSUBSCRIBE: Command = Command {
    name: "psubscribe",
    summary: "Listen for messages published to channels matching the given patterns",
    since: "2.0.0",
    complexity: "O(N) where N is the number of patterns the client is already subscribed to.",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    syntax: "pattern{pattern:pattern}...",
    run: Run::Call(psubscribe),
    ..Command::of(Group::Pubsub)
};
fn psubscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(subscribe_to_all(ctx, Audience::Patterns))
}

const SSUBSCRIBE: Command = Command {
    name: "ssubscribe",
    summary: "Listen for messages published to the given shard channels",
    since: "7.0.0",
    complexity: "O(N) where N is the number of shard channels to subscribe to.",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    keys: &[KeySpec::rest(1, KeyFlags::NOT_KEY)],
    syntax: "shardchannel...",
    run: Run::Call(ssubscribe),
    ..Command::of(Group::Pubsub)
};
fn ssubscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    // In a transaction, where every command must have exactly one reply, Redis allows the older two commands for compatibility and refuses
    // this one.
    if ctx.server.is_atomic {
        return Err(Error::Text("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client"));
    }
    Ok(subscribe_to_all(ctx, Audience::ShardChannels))
}

const UNSUBSCRIBE: Command = Command {
    name: "unsubscribe",
    summary: "Stop listening for messages posted to the given channels",
    since: "2.0.0",
    complexity: "O(N) where N is the number of clients already subscribed to a channel.",
    arity: -1,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    syntax: "[channel...]",
    run: Run::Call(unsubscribe),
    ..Command::of(Group::Pubsub)
};
fn unsubscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(unsubscribe_from_all(ctx, Audience::Channels))
}

const PUNSUBSCRIBE: Command = Command {
    name: "punsubscribe",
    summary: "Stop listening for messages posted to channels matching the given patterns",
    since: "2.0.0",
    complexity: "O(N+M) where N is the number of patterns the client is already subscribed and M is the number of total patterns subscribed in the system (by any client).",
    arity: -1,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    syntax: "[pattern:pattern...]",
    run: Run::Call(punsubscribe),
    ..Command::of(Group::Pubsub)
};
fn punsubscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(unsubscribe_from_all(ctx, Audience::Patterns))
}

const SUNSUBSCRIBE: Command = Command {
    name: "sunsubscribe",
    summary: "Stop listening for messages posted to the given shard channels",
    since: "7.0.0",
    complexity: "O(N) where N is the number of clients already subscribed to a shard channel.",
    arity: -1,
    flags: Flags::PUBSUB.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE),
    keys: &[KeySpec::rest(1, KeyFlags::NOT_KEY)],
    syntax: "[shardchannel...]",
    run: Run::Call(sunsubscribe),
    ..Command::of(Group::Pubsub)
};
fn sunsubscribe(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(unsubscribe_from_all(ctx, Audience::ShardChannels))
}

fn subscribe_to_all(ctx: &mut Ctx<'_>, audience: Audience) -> Answer {
    for name in ctx.args_from(1) {
        ctx.server.subscribe(ctx.client, audience, name);
        let count = ctx.server.subscription_count(ctx.client, audience);
        ctx.server.confirm(ctx.client, audience.words().subscribed, Value::Bulk(name.clone()), count);
    }
    Answer::Nothing
}

/// Unsubscribes from the named channels, or from all. Without any subscription, one confirmation is still sent.
fn unsubscribe_from_all(ctx: &mut Ctx<'_>, audience: Audience) -> Answer {
    let named = ctx.args_from(1);
    let names = if named.is_empty() { ctx.server.subscriptions(ctx.client, audience) } else { named.to_vec() };
    let word = audience.words().unsubscribed;
    for name in &names {
        ctx.server.unsubscribe(ctx.client, audience, name);
        let count = ctx.server.subscription_count(ctx.client, audience);
        ctx.server.confirm(ctx.client, word, Value::Bulk(name.clone()), count);
    }
    if names.is_empty() {
        let count = ctx.server.subscription_count(ctx.client, audience);
        ctx.server.confirm(ctx.client, word, Value::Null, count);
    }
    Answer::Nothing
}

impl Server {
    /// Confirms the start or end of a subscription to a client, with its current number of subscriptions.
    fn confirm(&mut self, id: ClientId, word: &'static str, name: Value, count: usize) {
        self.push(id, vec![Value::bulk(word), name, Value::from(count)]);
    }
}

const PUBLISH: Command = Command {
    name: "publish",
    summary: "Post a message to a channel",
    since: "2.0.0",
    complexity: "O(N+M) where N is the number of clients subscribed to the receiving channel and M is the total number of subscribed patterns (by any client).",
    arity: 3,
    flags: Flags::MAY_REPLICATE.union(Flags::PUBSUB).union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST),
    syntax: "channel message",
    run: Run::Call(publish),
    ..Command::of(Group::Pubsub)
};
fn publish(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let receivers = ctx.server.publish(ctx.arg(1), ctx.arg(2));
    Ok(Answer::int(receivers))
}

const SPUBLISH: Command = Command {
    name: "spublish",
    summary: "Post a message to a shard channel",
    since: "7.0.0",
    complexity: "O(N) where N is the number of clients subscribed to the receiving shard channel.",
    arity: 3,
    flags: Flags::MAY_REPLICATE.union(Flags::PUBSUB).union(Flags::LOADING).union(Flags::STALE).union(Flags::FAST),
    keys: &[KeySpec::one(1, KeyFlags::NOT_KEY)],
    syntax: "shardchannel message",
    run: Run::Call(spublish),
    ..Command::of(Group::Pubsub)
};
fn spublish(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let receivers = ctx.server.publish_shard(ctx.arg(1), ctx.arg(2));
    Ok(Answer::int(receivers))
}

const PUBSUB_SHARDNUMSUB: Command = Command {
    name: "shardnumsub",
    summary: "Get the count of subscribers for shard channels",
    since: "7.0.0",
    complexity: "O(N) for the SHARDNUMSUB subcommand, where N is the number of requested shard channels",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::LOADING).union(Flags::STALE),
    syntax: "[shardchannel...]",
    run: Run::Call(pubsub_shardnumsub),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB_SHARDCHANNELS: Command = Command {
    name: "shardchannels",
    summary: "List active shard channels",
    since: "7.0.0",
    complexity: "O(N) where N is the number of active shard channels, and assuming constant time pattern matching (relatively short shard channels).",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::LOADING).union(Flags::STALE),
    syntax: "[pattern:pattern]",
    run: Run::Call(pubsub_shardchannels),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB_NUMSUB: Command = Command {
    name: "numsub",
    summary: "Get the count of subscribers for channels",
    since: "2.8.0",
    complexity: "O(N) for the NUMSUB subcommand, where N is the number of requested channels",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::LOADING).union(Flags::STALE),
    syntax: "[channel...]",
    run: Run::Call(pubsub_numsub),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB_NUMPAT: Command = Command {
    name: "numpat",
    summary: "Get the count of unique patterns pattern subscriptions",
    since: "2.8.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::PUBSUB.union(Flags::LOADING).union(Flags::STALE),
    run: Run::Call(pubsub_numpat),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(pubsub_help),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB_CHANNELS: Command = Command {
    name: "channels",
    summary: "List active channels",
    since: "2.8.0",
    complexity: "O(N) where N is the number of active channels, and assuming constant time pattern matching (relatively short channels and patterns)",
    arity: -2,
    flags: Flags::PUBSUB.union(Flags::LOADING).union(Flags::STALE),
    syntax: "[pattern:pattern]",
    run: Run::Call(pubsub_channels),
    ..Command::within("pubsub", Group::Pubsub)
};
const PUBSUB: Command = Command {
    name: "pubsub",
    summary: "A container for Pub/Sub commands",
    since: "2.8.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        PUBSUB_CHANNELS,
        PUBSUB_HELP,
        PUBSUB_NUMPAT,
        PUBSUB_NUMSUB,
        PUBSUB_SHARDCHANNELS,
        PUBSUB_SHARDNUMSUB,
    ],
    run: Run::Container,
    ..Command::of(Group::Pubsub)
};
fn pubsub_channels(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    active_channels(ctx, &ctx.server.pubsub.channels)
}

fn pubsub_shardchannels(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    active_channels(ctx, &ctx.server.pubsub.shard_channels)
}

fn active_channels(ctx: &Ctx<'_>, index: &BTreeMap<Bytes, Vec<ClientId>>) -> Result<Answer, Error> {
    let pattern = match ctx.args_from(2) {
        [] => None,
        [pattern] => Some(pattern),
        _ => return Err(Error::subcommand_syntax(ctx.argv)),
    };
    let is_wanted = |name: &Bytes| pattern.is_none_or(|pattern| glob::matches(pattern, name, false));
    let names = index.keys().filter(|name| is_wanted(name)).cloned().map(Value::Bulk).collect();
    Ok(Value::Array(names).into())
}

fn pubsub_numsub(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(listener_counts(ctx, &ctx.server.pubsub.channels))
}

fn pubsub_shardnumsub(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(listener_counts(ctx, &ctx.server.pubsub.shard_channels))
}

/// Names and subscriber counts as one flat array, also in RESP3.
fn listener_counts(ctx: &Ctx<'_>, index: &BTreeMap<Bytes, Vec<ClientId>>) -> Answer {
    let names = ctx.args_from(2).iter();
    let pairs = names.flat_map(|name| [Value::Bulk(name.clone()), Value::from(index.get(name).map_or(0, Vec::len))]);
    Value::Array(pairs.collect()).into()
}

fn pubsub_numpat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.server.pubsub.patterns.len()))
}

fn pubsub_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "CHANNELS [<pattern>]",
            "    Return the currently active channels matching a <pattern> (default: '*').",
            "NUMPAT",
            "    Return number of subscriptions to patterns.",
            "NUMSUB [<channel> ...]",
            "    Return the number of subscribers for the specified channels, excluding",
            "    pattern subscriptions(default: no channels).",
            "SHARDCHANNELS [<pattern>]",
            "    Return the currently active shard level channels matching a <pattern> (default: '*').",
            "SHARDNUMSUB [<shardchannel> ...]",
            "    Return the number of subscribers for the specified shard level channel(s)",
        ],
    ))
}
