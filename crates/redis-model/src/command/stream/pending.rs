//! Pending entries, delivered but not acknowledged: `XACK`, `XPENDING`.
use std::ops::RangeInclusive;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, has_group, id_reply, ids_from, interval, no_group};
use crate::{
    Answer, Ctx, Error,
    value::stream::{self, Id, Stream},
};

pub(super) const XACK: Command = Command {
    name: "xack",
    summary: "Marks a pending message as correctly processed, effectively removing it from the pending entries list of the consumer group. Return value of the command is the number of messages successfully acknowledged, that is, the IDs we were actually able to resolve in the PEL.",
    since: "5.0.0",
    complexity: "O(1) for each message ID processed.",
    arity: -4,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 group id...",
    run: Run::Call(xack),
    ..Command::of(Group::Stream)
};

fn xack(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group) = (ctx.arg(1), ctx.arg(2));
    if !has_group(ctx, key, group)? {
        return Ok(Answer::flag(false));
    }
    let ids = ids_from(ctx, 3)?;
    let acknowledged = ctx.write::<Stream>(key)?.map_or(0, |stream| stream.acknowledge(group, &ids));
    if acknowledged > 0 {
        ctx.modified_unwatched(key);
    }
    Ok(Answer::int(acknowledged))
}

pub(super) const XPENDING: Command = Command {
    name: "xpending",
    summary: "Return information and entries from a stream consumer group pending entries list, that are messages fetched but never acknowledged.",
    since: "5.0.0",
    complexity: "O(N) with N being the number of elements returned, so asking for a small fixed number of entries per call is O(1). O(M), where M is the total number of entries scanned when used with the IDLE filter. When the command returns just the summary and the list of consumers is small, it runs in O(1) time; otherwise, an additional O(N) time for iterating every consumer.",
    arity: -3,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    history: &[("6.2.0", "Added the `IDLE` option and exclusive range intervals.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 group [filters{[IDLE=min-idle-time:int@6.2.0] start end count:int [consumer]}]",
    run: Run::Call(xpending),
    ..Command::of(Group::Stream)
};

fn xpending(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let filter = Filter::parse(ctx)?;
    let (key, name, now_ms) = (ctx.arg(1), ctx.arg(2), ctx.now_ms());
    let group = ctx.read::<Stream>(key)?.and_then(|stream| stream.group(name));
    let group = group.ok_or_else(|| no_group(key, name))?;
    Ok(match filter {
        None => summary(group),
        Some(filter) => filter.apply(group, now_ms),
    }
    .into())
}

/// The summary of `XPENDING`: number of entries, smallest and largest id, and entries per consumer.
fn summary(group: &stream::Group) -> Reply {
    let (Some((first, _)), Some((last, _))) = (group.pending().next(), group.pending().next_back()) else {
        return Reply::Array(vec![Reply::Integer(0), Reply::Null, Reply::Null, Reply::NullArray]);
    };
    let owners = group.consumers().filter(|(_, consumer)| consumer.pending_len() > 0);
    let owners = owners.map(|(name, consumer)| {
        Reply::Array(vec![Reply::Bulk(name.clone()), Reply::bulk(consumer.pending_len().to_string())])
    });
    let total = i64::try_from(group.pending_len()).unwrap_or(i64::MAX);
    Reply::Array(vec![Reply::Integer(total), id_reply(first), id_reply(last), Reply::Array(owners.collect())])
}

/// The arguments of the extended form of `XPENDING`.
struct Filter<'a> {
    min_idle_ms: i64,
    ids: RangeInclusive<Id>,
    most: usize,
    consumer: Option<&'a Bytes>,
}

impl<'a> Filter<'a> {
    fn parse(ctx: &Ctx<'a>) -> Result<Option<Filter<'a>>, Error> {
        let words = ctx.argv.len();
        if words == 3 {
            return Ok(None);
        }
        if !(6..=9).contains(&words) {
            return Err(Error::Syntax);
        }
        let has_idle = ctx.is_word(3, "IDLE");
        let min_idle_ms = if has_idle { ctx.int(4)? } else { 0 };
        if has_idle && words < 8 {
            return Err(Error::Syntax);
        }
        let at: usize = if has_idle { 5 } else { 3 };
        let most = super::count(ctx, at.saturating_add(2))?;
        let ids = interval(ctx.arg(at), ctx.arg(at.saturating_add(1)))?;
        Ok(Some(Filter { min_idle_ms, ids, most, consumer: ctx.argv.get(at.saturating_add(3)) }))
    }

    fn apply(self, group: &stream::Group, now_ms: u64) -> Reply {
        let pending = group.pending_range(self.ids, self.consumer.map(|name| name.as_ref()));
        let is_old = |pending: &stream::Pending| self.min_idle_ms == 0 || pending.idle_ms(now_ms) >= self.min_idle_ms;
        let entries = pending.filter(|(_, pending)| is_old(pending)).take(self.most).map(|(id, pending)| {
            Reply::Array(vec![
                id_reply(id),
                Reply::Bulk(pending.consumer.clone()),
                Reply::Integer(pending.idle_ms(now_ms).max(0)),
                Reply::Integer(pending.deliveries.cast_signed()),
            ])
        });
        Reply::Array(entries.collect())
    }
}
