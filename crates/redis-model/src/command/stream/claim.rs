//! Taking over pending entries of other consumers: `XCLAIM` by id, `XAUTOCLAIM` by idle time.
use resp::Value as Reply;

use super::serve::changed;
use super::{
    Command, Flags, Group, KeyFlags, KeySpec, Run, entries_reply, has_group, id, id_reply, interval_start, no_group,
};
use crate::{
    Answer, Ctx, Error,
    error::clipped,
    value::{
        number,
        stream::{Claim, Claimed, Delivered, Id, Stream},
    },
};

pub(super) const XCLAIM: Command = Command {
    name: "xclaim",
    summary: "Changes (or acquires) ownership of a message in a consumer group, as if the message was delivered to the specified consumer.",
    since: "5.0.0",
    complexity: "O(log N) with N being the number of messages in the PEL of the consumer group.",
    arity: -6,
    flags: Flags::FAST_WRITE,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 group consumer min-idle-time id... [IDLE=ms:int] [TIME=unix-time-milliseconds:time] \
        [RETRYCOUNT=count:int] [FORCE] [JUSTID] [LASTID=id]",
    run: Run::Call(xclaim),
    ..Command::of(Group::Stream)
};

fn xclaim(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group, consumer, now_ms) = (ctx.arg(1), ctx.arg(2), ctx.arg(3), ctx.now_ms());
    if !has_group(ctx, key, group)? {
        return Err(no_group(key, group));
    }
    let options = Options::parse(ctx)?;
    let claimed = ctx.write::<Stream>(key)?.map(|stream| {
        stream.advance_group(group, options.last_id);
        stream.claim(group, consumer, &options.ids, &options.claim, now_ms)
    });
    let claimed = claimed.unwrap_or_default();
    changed(ctx, key, claimed.is_new_consumer);
    Ok(handed_out(&claimed.entries, options.claim.is_just_id).into())
}

/// The claimed entries, or only their ids.
fn handed_out(entries: &[Delivered], is_just_id: bool) -> Reply {
    if is_just_id {
        return Reply::Array(entries.iter().map(|(id, _)| id_reply(*id)).collect());
    }
    entries_reply(entries.iter().map(|(id, entry)| (*id, entry)))
}

/// The arguments of `XCLAIM` after the consumer.
struct Options {
    ids: Vec<Id>,
    claim: Claim,
    last_id: Id,
}

impl Options {
    fn parse(ctx: &Ctx<'_>) -> Result<Options, Error> {
        let min_idle_ms = min_idle(ctx, "ERR Invalid min-idle-time argument for XCLAIM")?;
        let ids: Vec<Id> = ctx.args_from(5).iter().map_while(|word| Id::parse(word, 0)).collect();
        let now_ms = ctx.now_ms().cast_signed();
        let (mut delivered_ms, mut deliveries, mut last_id) = (now_ms, None, Id::MIN);
        let (mut is_forced, mut is_just_id) = (false, false);
        let mut at = ids.len().saturating_add(5);
        while at < ctx.argv.len() {
            let value = at.saturating_add(1);
            let has_value = value < ctx.argv.len();
            let number = |refusal| number::parse_i64(ctx.arg(value)).ok_or(Error::Text(refusal));
            let mut words = 2;
            if ctx.is_word(at, "FORCE") {
                (is_forced, words) = (true, 1);
            } else if ctx.is_word(at, "JUSTID") {
                (is_just_id, words) = (true, 1);
            } else if ctx.is_word(at, "IDLE") && has_value {
                delivered_ms = now_ms.wrapping_sub(number("ERR Invalid IDLE option argument for XCLAIM")?);
            } else if ctx.is_word(at, "TIME") && has_value {
                delivered_ms = number("ERR Invalid TIME option argument for XCLAIM")?;
            } else if ctx.is_word(at, "RETRYCOUNT") && has_value {
                deliveries = u64::try_from(number("ERR Invalid RETRYCOUNT option argument for XCLAIM")?).ok();
            } else if ctx.is_word(at, "LASTID") && has_value {
                last_id = id(ctx, value)?;
            } else {
                let option = clipped(ctx.arg(at), usize::MAX);
                return Err(Error::Message(format!("ERR Unrecognized XCLAIM option '{option}'")));
            }
            at = at.saturating_add(words);
        }
        // A negative or future time is treated as a clock error: the current time is used instead.
        let delivered_ms = u64::try_from(delivered_ms).map_or(ctx.now_ms(), |ms| ms.min(ctx.now_ms()));
        Ok(Options { ids, claim: Claim { min_idle_ms, delivered_ms, deliveries, is_forced, is_just_id }, last_id })
    }
}

/// Parses the minimum idle time of an entry to be claimed, in ms.
fn min_idle(ctx: &Ctx<'_>, refusal: &'static str) -> Result<i64, Error> {
    Ok(number::parse_i64(ctx.arg(4)).ok_or(Error::Text(refusal))?.max(0))
}

pub(super) const XAUTOCLAIM: Command = Command {
    name: "xautoclaim",
    summary: "Changes (or acquires) ownership of messages in a consumer group, as if the messages were delivered to the specified consumer.",
    since: "6.2.0",
    complexity: "O(1) if COUNT is small.",
    arity: -6,
    flags: Flags::FAST_WRITE,
    tips: &["nondeterministic_output"],
    history: &[(
        "7.0.0",
        "Added an element to the reply array, containing deleted entries the command cleared from the PEL",
    )],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 group consumer min-idle-time start [COUNT=count:int] [JUSTID]",
    run: Run::Call(xautoclaim),
    ..Command::of(Group::Stream)
};

fn xautoclaim(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group, consumer, now_ms) = (ctx.arg(1), ctx.arg(2), ctx.arg(3), ctx.now_ms());
    // Redis looks the key up before it parses more arguments.
    let has_group = has_group(ctx, key, group);
    let min_idle_ms = min_idle(ctx, "ERR Invalid min-idle-time argument for XAUTOCLAIM")?;
    let start = interval_start(ctx.arg(5))?;
    let (mut count, mut is_just_id) = (100, false);
    let mut at: usize = 6;
    while at < ctx.argv.len() {
        let value = at.saturating_add(1);
        if ctx.is_word(at, "COUNT") && value < ctx.argv.len() {
            count = number::parse_i64(ctx.arg(value))
                .filter(|count| (1..=COUNT_MAX).contains(count))
                .ok_or(Error::Text("ERR COUNT must be > 0"))?;
            at = value;
        } else if ctx.is_word(at, "JUSTID") {
            is_just_id = true;
        } else {
            return Err(Error::Syntax);
        }
        at = at.saturating_add(1);
    }
    if !has_group? {
        return Err(no_group(key, group));
    }
    if count > COUNT_ALLOCATED_MAX {
        let text = "ERR Insufficient memory, failed allocating transient memory, COUNT too high.";
        return Err(Error::Text(text));
    }
    let claim = Claim { min_idle_ms, delivered_ms: now_ms, deliveries: None, is_forced: false, is_just_id };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let claimed = ctx.write::<Stream>(key)?;
    let claimed = claimed.map(|stream| stream.claim_from(group, consumer, start, count, &claim, now_ms));
    let Claimed { entries, deleted, next, is_new_consumer } = claimed.unwrap_or_default();
    changed(ctx, key, is_new_consumer);
    let deleted = Reply::Array(deleted.into_iter().map(id_reply).collect());
    Ok(Reply::Array(vec![id_reply(next), handed_out(&entries, is_just_id), deleted]).into())
}

/// The largest `COUNT` that Redis accepts: it multiplies it by 16, the size of an id in bytes.
const COUNT_MAX: i64 = i64::MAX / 16;
/// Redis allocates memory for `COUNT` ids; for more than this many, a 64-bit machine has no
/// addresses.
const COUNT_ALLOCATED_MAX: i64 = 1 << 43;
