//! Serving readers of streams, at once or when they wake.
//!
//! ```text
//!  XREAD … id           entries after the id, if there are any; otherwise the reader waits
//!  XREADGROUP … >       entries not yet delivered to the group; they become pending for the consumer
//!  XREADGROUP … id      entries pending for this consumer after the id; never waits
//! ```
//! A stream wakes a waiting client when the stream's last id is greater than the client's id, even if no entry exists: a transaction that
//! adds and deletes an entry wakes readers that then find nothing. With `XREAD`, every reader gets all entries; in a group, each entry goes
//! to one consumer.
use bytes::Bytes;
use resp::Value as Reply;

use super::read::{GroupReader, ReadArgs};
use super::{entries_reply, entry_reply, id_reply};
use crate::{
    Answer, Ctx, Error, Notify, Typed,
    client::{Reading, WaitReason},
    value::stream::{Id, Stream},
};

/// Most entries for a reader that wakes and gave no `COUNT`.
const WOKEN_COUNT: usize = 1000;

/// Serves the entries available now; blocks if there are none.
pub(super) fn now(ctx: &mut Ctx<'_>, words: &ReadArgs<'_>, after: Vec<Id>) -> Result<Answer, Error> {
    let count = words.count.unwrap_or(usize::MAX);
    let mut served = Vec::new();
    for (key, after) in words.keys.iter().zip(&after) {
        let Some(stream) = ctx.read::<Stream>(key)? else { continue };
        let entries = match words.reader {
            None => stream.has_above(*after).then(|| entries_behind(stream, *after, count)),
            Some(reader) if *after == Id::MAX => {
                let has_new = stream.group(reader.group).is_some_and(|group| stream.has_above(group.last_id()));
                if has_new { Some(deliver(ctx, key, reader, count)?) } else { None }
            }
            Some(reader) => Some(deliver_again(ctx, key, reader, *after, count)?),
        };
        served.extend(entries.map(|entries| (key.clone(), entries)));
    }
    if !served.is_empty() {
        return Ok(by_key(ctx, served));
    }
    let Some(deadline_ms) = words.deadline_ms else { return Ok(Reply::NullArray.into()) };
    let reading = words.reader.map_or(Reading::After(after), |reader| Reading::Group(reader.group.clone()));
    Ok(ctx.block_on_streams(words.keys, reading, deadline_ms))
}

/// Serves a reader that waited, from the key that woke it. If that key has nothing new for it, the reader keeps waiting.
pub(super) fn woken(ctx: &mut Ctx<'_>, words: &ReadArgs<'_>, key: &Bytes) -> Result<Answer, Error> {
    let count = words.count.unwrap_or(WOKEN_COUNT);
    let wait = ctx.server.client(ctx.client).and_then(|client| client.blocked.as_ref()).map(|blocked| &blocked.wait);
    let Some(WaitReason::Keys { reading: Some(Reading::After(ids)), .. }) = wait.map(|wait| &wait.reason) else {
        return woken_in_group(ctx, words, key, count);
    };
    let after = words.keys.iter().position(|known| known == key).and_then(|at| ids.get(at));
    let stream = ctx.db().value(key).and_then(Stream::of);
    let entries = match (stream, after) {
        (Some(stream), Some(after)) if stream.last_id() > *after => entries_behind(stream, *after, count),
        _ => return Ok(still_waiting(ctx)),
    };
    Ok(by_key(ctx, vec![(key.clone(), entries)]))
}

fn woken_in_group(ctx: &mut Ctx<'_>, words: &ReadArgs<'_>, key: &Bytes, count: usize) -> Result<Answer, Error> {
    let Some((reader, stream)) = words.reader.zip(ctx.db().value(key).and_then(Stream::of)) else {
        return Ok(still_waiting(ctx));
    };
    let Some(group) = stream.group(reader.group) else {
        return Err(Error::Text("NOGROUP the consumer group this client was blocked on no longer exists"));
    };
    if stream.last_id() <= group.last_id() {
        return Ok(still_waiting(ctx));
    }
    let entries = deliver(ctx, key, reader, count)?;
    Ok(by_key(ctx, vec![(key.clone(), entries)]))
}

/// Answers that the reader keeps waiting; the keys, ids and deadline of its wait stay unchanged.
fn still_waiting(ctx: &Ctx<'_>) -> Answer {
    ctx.block_on_streams(&[], Reading::After(Vec::new()), None)
}

fn entries_behind(stream: &Stream, after: Id, count: usize) -> Reply {
    let Some(first) = after.next() else { return Reply::Array(Vec::new()) };
    entries_reply(stream.range(first..=Id::MAX).take(count))
}

/// Delivers entries that were not yet delivered to the group.
fn deliver(ctx: &mut Ctx<'_>, key: &Bytes, reader: GroupReader<'_>, count: usize) -> Result<Reply, Error> {
    see(ctx, key, reader)?;
    let now_ms = ctx.now_ms();
    let Some(stream) = ctx.write::<Stream>(key)? else { return Ok(Reply::Array(Vec::new())) };
    let entries = stream.read_new(reader.group, reader.consumer, count, reader.needs_ack, now_ms);
    Ok(entries_reply(entries.iter().map(|(id, entry)| (*id, entry))))
}

/// Delivers the pending entries of a consumer again.
fn deliver_again(
    ctx: &mut Ctx<'_>,
    key: &Bytes,
    reader: GroupReader<'_>,
    after: Id,
    count: usize,
) -> Result<Reply, Error> {
    see(ctx, key, reader)?;
    let now_ms = ctx.now_ms();
    let Some(stream) = ctx.write::<Stream>(key)? else { return Ok(Reply::Array(Vec::new())) };
    let entries = stream.read_again(reader.group, reader.consumer, after, count, now_ms);
    let entries = entries.iter().map(|(id, entry)| match entry {
        Some(entry) => entry_reply(*id, entry),
        None => Reply::Array(vec![id_reply(*id), Reply::NullArray]),
    });
    Ok(Reply::Array(entries.collect()))
}

/// Records that a consumer is active; a new consumer sends an event. The group must exist.
fn see(ctx: &mut Ctx<'_>, key: &Bytes, reader: GroupReader<'_>) -> Result<(), Error> {
    let now_ms = ctx.now_ms();
    let see = |stream: &mut Stream| stream.see_consumer(reader.group, reader.consumer, now_ms);
    let is_new = ctx.write::<Stream>(key)?.is_some_and(see);
    changed(ctx, key, is_new);
    Ok(())
}

/// Reports a change of a group, and the event of a new consumer, if there is one.
pub(super) fn changed(ctx: &mut Ctx<'_>, key: &Bytes, has_new_consumer: bool) {
    ctx.modified_unwatched(key);
    if has_new_consumer {
        ctx.reply_stands_here();
        ctx.notify(Notify::STREAM, "xgroup-createconsumer", key);
    }
}

/// Entries by key: a map in RESP3, an array of pairs in RESP2.
fn by_key(ctx: &Ctx<'_>, served: Vec<(Bytes, Reply)>) -> Answer {
    if ctx.is_resp3() {
        return Reply::Map(served.into_iter().map(|(key, entries)| (Reply::Bulk(key), entries)).collect()).into();
    }
    let pair = |(key, entries)| Reply::Array(vec![Reply::Bulk(key), entries]);
    Reply::Array(served.into_iter().map(pair).collect()).into()
}
