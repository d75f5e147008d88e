//! Streams: `add` adds entries, `shrink` deletes and trims, `range` reads, `read` and `serve` implement readers that may block, `group`
//! consumer groups, `pending` and `claim` pending entries, `info` introspection; this file holds what they share.
mod add;
mod claim;
mod group;
mod info;
mod pending;
mod range;
mod read;
mod serve;
mod shrink;

use std::ops::RangeInclusive;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Ctx, Error,
    error::clipped,
    value::stream::{Entry, Id, Stream},
};

pub(super) static COMMANDS: &[Command] = &[
    pending::XACK,
    add::XADD,
    claim::XAUTOCLAIM,
    claim::XCLAIM,
    shrink::XDEL,
    group::XGROUP,
    info::XINFO,
    range::XLEN,
    pending::XPENDING,
    range::XRANGE,
    read::XREAD,
    read::XREADGROUP,
    range::XREVRANGE,
    add::XSETID,
    shrink::XTRIM,
];

/// The error for a word that is not a valid id in its position.
const INVALID_ID: Error = Error::Text("ERR Invalid stream ID specified as stream command argument");

/// Parses word `i` as an id; without a sequence number, it is the first of its millisecond.
fn id(ctx: &Ctx<'_>, i: usize) -> Result<Id, Error> {
    Id::parse(ctx.arg(i), 0).ok_or(INVALID_ID)
}

/// Parses all words from `i` on as ids.
fn ids_from(ctx: &Ctx<'_>, i: usize) -> Result<Vec<Id>, Error> {
    ctx.args_from(i).iter().map(|word| Id::parse(word, 0).ok_or(INVALID_ID)).collect()
}

/// Parses a word as an id, or `-` or `+` for the smallest and largest id.
fn id_or_end(word: &[u8], missing_seq: u64) -> Result<Id, Error> {
    match word {
        [b'-'] | [b'-', 0, ..] => Ok(Id::MIN),
        [b'+'] | [b'+', 0, ..] => Ok(Id::MAX),
        word => Id::parse(word, missing_seq).ok_or(INVALID_ID),
    }
}

/// Parses the start of an interval: an id, `-`, or `(id` for an exclusive bound.
fn interval_start(word: &[u8]) -> Result<Id, Error> {
    match word {
        [b'(', word @ ..] if !word.is_empty() => {
            let id = Id::parse(word, 0).ok_or(INVALID_ID)?;
            id.next().ok_or(Error::Text("ERR invalid start ID for the interval"))
        }
        word => id_or_end(word, 0),
    }
}

/// Parses the end of an interval: an id, `+`, or `(id` for an exclusive bound.
fn interval_end(word: &[u8]) -> Result<Id, Error> {
    match word {
        [b'(', word @ ..] if !word.is_empty() => {
            let id = Id::parse(word, u64::MAX).ok_or(INVALID_ID)?;
            id.previous().ok_or(Error::Text("ERR invalid end ID for the interval"))
        }
        word => id_or_end(word, u64::MAX),
    }
}

/// Parses two words as an interval.
fn interval(start: &[u8], end: &[u8]) -> Result<RangeInclusive<Id>, Error> {
    Ok(interval_start(start)?..=interval_end(end)?)
}

/// Parses word `i` as a count; a negative one is 0.
fn count(ctx: &Ctx<'_>, i: usize) -> Result<usize, Error> {
    Ok(usize::try_from(ctx.int(i)?).unwrap_or(0))
}

/// An id as a reply.
fn id_reply(id: Id) -> Reply {
    Reply::Bulk(id.text())
}

/// An entry as a reply: its id, then its fields and values.
fn entry_reply(id: Id, entry: &Entry) -> Reply {
    let words = entry.pairs().flat_map(|(field, value)| [field.clone(), value.clone()]);
    Reply::Array(vec![id_reply(id), Reply::Array(words.map(Reply::Bulk).collect())])
}

/// Entries as a reply.
fn entries_reply<'a>(entries: impl IntoIterator<Item = (Id, &'a Entry)>) -> Reply {
    Reply::Array(entries.into_iter().map(|(id, entry)| entry_reply(id, entry)).collect())
}

/// The error for a missing key or a missing group in it.
fn no_group(key: &Bytes, group: &Bytes) -> Error {
    let (key, group) = (clipped(key, usize::MAX), clipped(group, usize::MAX));
    Error::Message(format!("NOGROUP No such key '{key}' or consumer group '{group}'"))
}

/// The error for a missing group of an existing stream.
fn no_group_of(key: &Bytes, group: &Bytes) -> Error {
    let (key, group) = (clipped(key, usize::MAX), clipped(group, usize::MAX));
    Error::Message(format!("NOGROUP No such consumer group '{group}' for key name '{key}'"))
}

/// Does this key hold a stream with this group? Counts as a read of the key.
fn has_group(ctx: &mut Ctx<'_>, key: &Bytes, group: &[u8]) -> Result<bool, Error> {
    Ok(ctx.read::<Stream>(key)?.is_some_and(|stream| stream.group(group).is_some()))
}
