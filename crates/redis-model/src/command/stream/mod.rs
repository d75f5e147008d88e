//! Streams: `mod` what the rooms share, `add` growing, `shrink` deleting and trimming, `range` looking, `read` and `serve` readers that
//! may wait, `group` consumer groups, `pending` and `claim` what was delivered and not acknowledged, `info` introspection.
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

/// What is no id, or not one of the kind that is wanted.
const INVALID_ID: Error = Error::Text("ERR Invalid stream ID specified as stream command argument");

/// The `i`th word as an id; without a number it is the first of its millisecond.
fn id(ctx: &Ctx<'_>, i: usize) -> Result<Id, Error> {
    Id::parse(ctx.arg(i), 0).ok_or(INVALID_ID)
}

/// The words from the `i`th on as ids, all of them or none.
fn ids_from(ctx: &Ctx<'_>, i: usize) -> Result<Vec<Id>, Error> {
    ctx.args_from(i).iter().map(|word| Id::parse(word, 0).ok_or(INVALID_ID)).collect()
}

/// A word that may also be `-` or `+`, the ends of all ids.
fn id_or_end(word: &[u8], missing_seq: u64) -> Result<Id, Error> {
    match word {
        [b'-'] | [b'-', 0, ..] => Ok(Id::MIN),
        [b'+'] | [b'+', 0, ..] => Ok(Id::MAX),
        word => Id::parse(word, missing_seq).ok_or(INVALID_ID),
    }
}

/// The beginning of an interval: an id, `-`, or `(id` for what comes behind.
fn interval_start(word: &[u8]) -> Result<Id, Error> {
    match word {
        [b'(', word @ ..] if !word.is_empty() => {
            let id = Id::parse(word, 0).ok_or(INVALID_ID)?;
            id.next().ok_or(Error::Text("ERR invalid start ID for the interval"))
        }
        word => id_or_end(word, 0),
    }
}

/// The end of an interval: an id, `+`, or `(id` for what comes before.
fn interval_end(word: &[u8]) -> Result<Id, Error> {
    match word {
        [b'(', word @ ..] if !word.is_empty() => {
            let id = Id::parse(word, u64::MAX).ok_or(INVALID_ID)?;
            id.previous().ok_or(Error::Text("ERR invalid end ID for the interval"))
        }
        word => id_or_end(word, u64::MAX),
    }
}

/// Two words as an interval.
fn interval(start: &[u8], end: &[u8]) -> Result<RangeInclusive<Id>, Error> {
    Ok(interval_start(start)?..=interval_end(end)?)
}

/// A count that is not negative; a negative one is none.
fn count(ctx: &Ctx<'_>, i: usize) -> Result<usize, Error> {
    Ok(usize::try_from(ctx.int(i)?).unwrap_or(0))
}

/// An id as it is answered.
fn id_reply(id: Id) -> Reply {
    Reply::Bulk(id.text())
}

/// An entry as it is answered: its id, then its fields and values.
fn entry_reply(id: Id, entry: &Entry) -> Reply {
    let words = entry.pairs().flat_map(|(field, value)| [field.clone(), value.clone()]);
    Reply::Array(vec![id_reply(id), Reply::Array(words.map(Reply::Bulk).collect())])
}

/// Entries as they are answered.
fn entries_reply<'a>(entries: impl IntoIterator<Item = (Id, &'a Entry)>) -> Reply {
    Reply::Array(entries.into_iter().map(|(id, entry)| entry_reply(id, entry)).collect())
}

/// A key or a group in it that must be there and is not.
fn no_group(key: &Bytes, group: &Bytes) -> Error {
    let (key, group) = (clipped(key, usize::MAX), clipped(group, usize::MAX));
    Error::Message(format!("NOGROUP No such key '{key}' or consumer group '{group}'"))
}

/// A group that must be there and is not, of a stream that is.
fn no_group_of(key: &Bytes, group: &Bytes) -> Error {
    let (key, group) = (clipped(key, usize::MAX), clipped(group, usize::MAX));
    Error::Message(format!("NOGROUP No such consumer group '{group}' for key name '{key}'"))
}

/// Does this key hold a stream with this group? Counts as a look-up for reading.
fn has_group(ctx: &mut Ctx<'_>, key: &Bytes, group: &[u8]) -> Result<bool, Error> {
    Ok(ctx.read::<Stream>(key)?.is_some_and(|stream| stream.group(group).is_some()))
}
