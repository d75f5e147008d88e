//! Lists: `ends` pushes and pops, `inside` reads and changes elements by index, `blocking` waits for elements; this file holds what they
//! share.
mod blocking;
mod ends;
mod inside;

use std::ops::Range;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{Ctx, Error, Notify, value::list::List};

pub(super) static COMMANDS: &[Command] = &[
    blocking::BLMOVE,
    blocking::BLMPOP,
    blocking::BLPOP,
    blocking::BRPOP,
    blocking::BRPOPLPUSH,
    inside::LINDEX,
    inside::LINSERT,
    inside::LLEN,
    ends::LMOVE,
    ends::LMPOP,
    ends::LPOP,
    inside::LPOS,
    ends::LPUSH,
    ends::LPUSHX,
    inside::LRANGE,
    inside::LREM,
    inside::LSET,
    inside::LTRIM,
    ends::RPOP,
    ends::RPOPLPUSH,
    ends::RPUSH,
    ends::RPUSHX,
];

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The head.
    Left,
    /// The tail.
    Right,
}

impl End {
    /// Parses word `i` as `LEFT` or `RIGHT`.
    fn parse(ctx: &Ctx<'_>, i: usize) -> Result<End, Error> {
        if ctx.is_word(i, "left") {
            Ok(End::Left)
        } else if ctx.is_word(i, "right") {
            Ok(End::Right)
        } else {
            Err(Error::Syntax)
        }
    }

    fn pop(self, list: &mut List) -> Option<Bytes> {
        match self {
            End::Left => list.pop_front(),
            End::Right => list.pop_back(),
        }
    }

    fn push(self, list: &mut List, element: &Bytes) {
        match self {
            End::Left => list.push_front(element),
            End::Right => list.push_back(element),
        }
    }

    const fn pop_event(self) -> &'static str {
        match self {
            End::Left => "lpop",
            End::Right => "rpop",
        }
    }

    const fn push_event(self) -> &'static str {
        match self {
            End::Left => "lpush",
            End::Right => "rpush",
        }
    }
}

/// The list at a key, to push to. A new list takes its node size from the current configuration.
fn list_to_grow<'c>(ctx: &'c mut Ctx<'_>, key: &Bytes) -> Result<&'c mut List, Error> {
    let is_there = ctx.exists(key);
    let limits = ctx.limits();
    ctx.write_or_add(key, is_there, || List::new(&limits))
}

/// The first of `keys` that holds a list.
///
/// # Errors
/// [`Error::WrongType`] if a key before it holds another type.
fn first_list(ctx: &mut Ctx<'_>, keys: &[Bytes]) -> Result<Option<Bytes>, Error> {
    for key in keys {
        if ctx.peek::<List>(key)?.is_some() {
            return Ok(Some(key.clone()));
        }
    }
    Ok(None)
}

/// Pops up to `count` elements from an end of an existing list, with the events of `LPOP` or `RPOP`.
fn take(ctx: &mut Ctx<'_>, key: &Bytes, end: End, count: usize) -> Result<Vec<Reply>, Error> {
    let Some(list) = ctx.write::<List>(key)? else { return Ok(Vec::new()) };
    let count = count.min(list.len());
    let taken = (0..count).filter_map(|_| end.pop(list)).map(Reply::Bulk).collect();
    ctx.reply_stands_here();
    ctx.notify(Notify::LIST, end.pop_event(), key);
    shrunk(ctx, key);
    Ok(taken)
}

/// Pops one element from an end, like `LPOP` without a count; `None` if there is no list.
fn take_one(ctx: &mut Ctx<'_>, key: &Bytes, end: End) -> Result<Option<Bytes>, Error> {
    let Some(list) = ctx.write::<List>(key)? else { return Ok(None) };
    let (taken, is_last) = (end.pop(list), list.is_empty());
    ctx.reply_stands_here();
    ctx.notify(Notify::LIST, end.pop_event(), key);
    if is_last {
        shrunk(ctx, key);
    } else {
        ctx.modified(key);
    }
    Ok(taken)
}

/// Called after elements were removed: deletes the key of an empty list.
fn shrunk(ctx: &mut Ctx<'_>, key: &Bytes) {
    // Deleting the key has already notified `WATCH`.
    if !ctx.remove_if_empty::<List>(key) {
        ctx.modified(key);
    }
}

/// Moves an element from one list to another, or within the same list; `None` if the source is missing.
fn move_element(
    ctx: &mut Ctx<'_>,
    (source, from): (&Bytes, End),
    (destination, to): (&Bytes, End),
) -> Result<Option<Bytes>, Error> {
    if ctx.peek::<List>(source)?.is_none() {
        return Ok(None);
    }
    ctx.peek::<List>(destination)?;
    if source == destination {
        ctx.looks_again(source);
    }
    let Some(element) = ctx.write::<List>(source)?.and_then(|list| from.pop(list)) else { return Ok(None) };
    to.push(list_to_grow(ctx, destination)?, &element);
    ctx.modified(destination);
    ctx.notify(Notify::LIST, to.push_event(), destination);
    ctx.reply_stands_here();
    ctx.notify(Notify::LIST, from.pop_event(), source);
    shrunk(ctx, source);
    Ok(Some(element))
}

/// The arguments of `LMPOP` and `BLMPOP` from `numkeys` on.
struct PopMany<'a> {
    keys: &'a [Bytes],
    end: End,
    count: usize,
}

impl<'a> PopMany<'a> {
    fn parse(ctx: &Ctx<'a>, numkeys_at: usize) -> Result<PopMany<'a>, Error> {
        let numkeys = ctx.int_at_least(numkeys_at, 1, Error::NotGreaterThanZero("numkeys"))?;
        let first = numkeys_at.saturating_add(1);
        let end_at = usize::try_from(numkeys).unwrap_or(usize::MAX).saturating_add(first);
        let keys = ctx.argv.get(first..end_at).ok_or(Error::Syntax)?;
        let end = End::parse(ctx, end_at)?;
        let count = match ctx.args_from(end_at.saturating_add(1)) {
            [] => 1,
            [word, _] if word.eq_ignore_ascii_case(b"count") => {
                ctx.int_at_least(end_at.saturating_add(2), 1, Error::NotGreaterThanZero("count"))?
            }
            // An invalid count is reported before surplus words.
            [word, _, ..] if word.eq_ignore_ascii_case(b"count") => {
                ctx.int_at_least(end_at.saturating_add(2), 1, Error::NotGreaterThanZero("count"))?;
                return Err(Error::Syntax);
            }
            _ => return Err(Error::Syntax),
        };
        Ok(PopMany { keys, end, count: usize::try_from(count).unwrap_or(usize::MAX) })
    }

    /// Pops from the first list among `keys`; returns its key and the elements.
    fn serve(&self, ctx: &mut Ctx<'_>, keys: &[Bytes]) -> Result<Option<Reply>, Error> {
        let Some(key) = first_list(ctx, keys)? else { return Ok(None) };
        let taken = take(ctx, &key, self.end, self.count)?;
        Ok(Some(Reply::Array(vec![Reply::Bulk(key), Reply::Array(taken)])))
    }
}

/// The position of an index (negative: from the tail) in a list of `len` elements.
fn place(index: i64, len: usize) -> Option<usize> {
    if index < 0 {
        len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
    } else {
        usize::try_from(index).ok().filter(|place| *place < len)
    }
}

/// The existing positions from `start` to `stop`, both inclusive and counted from the tail if negative.
fn places(start: i64, stop: i64, len: usize) -> Range<usize> {
    let width = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let first = if start < 0 { len.saturating_sub(width(start.unsigned_abs())) } else { width(start.unsigned_abs()) };
    let end = if stop < 0 {
        len.saturating_add(1).saturating_sub(width(stop.unsigned_abs()))
    } else {
        width(stop.unsigned_abs()).saturating_add(1).min(len)
    };
    if first < end { first..end } else { 0..0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_clamped_as_in_lrange() {
        for (start, stop, expected) in [
            (0, -1, 0..5),
            (0, 0, 0..1),
            (-1, -1, 4..5),
            (-5, -5, 0..1),
            (-6, -6, 0..0),
            (-100, 100, 0..5),
            (3, 1, 0..0),
            (5, 9, 0..0),
            (i64::MIN, i64::MAX, 0..5),
            (i64::MAX, i64::MIN, 0..0),
        ] {
            assert_eq!(places(start, stop, 5), expected, "{start} {stop}");
        }
        assert_eq!(
            [place(0, 2), place(-2, 2), place(2, 2), place(-3, 2), place(i64::MIN, 2)],
            [Some(0), Some(0), None, None, None]
        );
    }
}
