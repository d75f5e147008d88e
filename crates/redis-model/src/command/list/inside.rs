//! Elements inside a list: reading, searching and changing by index or by value.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, place, places, shrunk};
use crate::{
    Answer, Ctx, Error, Notify,
    value::list::{Element, List},
};

pub(super) const LLEN: Command = Command {
    name: "llen",
    summary: "Get the length of a list",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::FAST_READ,
    keys: &[KeySpec::one(1, KeyFlags::RO)],
    syntax: "key#0",
    run: Run::Call(llen),
    ..Command::of(Group::List)
};

fn llen(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.read::<List>(ctx.arg(1))?.map_or(0, List::len)))
}

pub(super) const LINDEX: Command = Command {
    name: "lindex",
    summary: "Get an element from a list by its index",
    since: "1.0.0",
    complexity: "O(N) where N is the number of elements to traverse to get to the element at index. This makes asking for the first or the last element of the list O(1).",
    arity: 3,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 index:int",
    run: Run::Call(lindex),
    ..Command::of(Group::List)
};

fn lindex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    // The index is checked only if the list exists.
    let index = ctx.int(2);
    let Some(list) = ctx.read::<List>(ctx.arg(1))? else { return Ok(Reply::Null.into()) };
    let element = place(index?, list.len()).and_then(|place| list.get(place));
    Ok(element.map_or(Reply::Null, |element| Reply::Bulk(element.to_bytes())).into())
}

pub(super) const LRANGE: Command = Command {
    name: "lrange",
    summary: "Get a range of elements from a list",
    since: "1.0.0",
    complexity: "O(S+N) where S is the distance of start offset from HEAD for small lists, from nearest end (HEAD or TAIL) for large lists; and N is the number of elements in the specified range.",
    arity: 4,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start:int stop:int",
    run: Run::Call(lrange),
    ..Command::of(Group::List)
};

fn lrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (start, stop) = (ctx.int(2)?, ctx.int(3)?);
    let mut elements = Vec::new();
    if let Some(list) = ctx.read::<List>(ctx.arg(1))? {
        let range = list.range(places(start, stop, list.len()));
        elements.reserve_exact(range.len());
        range.for_each(|element| elements.push(Reply::Bulk(element.to_bytes())));
    }
    Ok(Reply::Array(elements).into())
}

pub(super) const LSET: Command = Command {
    name: "lset",
    summary: "Set the value of an element in a list by its index",
    since: "1.0.0",
    complexity: "O(N) where N is the length of the list. Setting either the first or the last element of the list is O(1).",
    arity: 4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 index:int element",
    run: Run::Call(lset),
    ..Command::of(Group::List)
};

fn lset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let len = ctx.peek::<List>(key)?.ok_or(Error::NoSuchKey)?.len();
    let place = place(ctx.int(2)?, len).ok_or(Error::IndexOutOfRange)?;
    let element = ctx.arg(3);
    if let Some(list) = ctx.write::<List>(key)? {
        list.set(place, element);
    }
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::LIST, "lset", key);
    Ok(Answer::OK)
}

pub(super) const LINSERT: Command = Command {
    name: "linsert",
    summary: "Insert an element before or after another element in a list",
    since: "2.2.0",
    complexity: "O(N) where N is the number of elements to traverse before seeing the value pivot. This means that inserting somewhere on the left end on the list (head) can be considered O(1) and inserting somewhere on the right end (tail) is O(N).",
    arity: 5,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 where(BEFORE|AFTER) pivot element",
    run: Run::Call(linsert),
    ..Command::of(Group::List)
};

fn linsert(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, pivot, element) = (ctx.arg(1), ctx.arg(3), ctx.arg(4));
    let is_after = ctx.is_word(2, "after");
    if !is_after && !ctx.is_word(2, "before") {
        return Err(Error::Syntax);
    }
    let Some(list) = ctx.peek::<List>(key)? else { return Ok(Answer::int(0)) };
    let Some(place) = list.iter().position(|candidate| candidate == *pivot) else { return Ok(Answer::int(-1)) };
    let Some(list) = ctx.write::<List>(key)? else { return Ok(Answer::int(0)) };
    if is_after {
        list.insert_after(place, element);
    } else {
        list.insert_before(place, element);
    }
    let len = list.len();
    ctx.modified(key);
    ctx.notify(Notify::LIST, "linsert", key);
    Ok(Answer::int(len))
}

pub(super) const LREM: Command = Command {
    name: "lrem",
    summary: "Remove elements from a list",
    since: "1.0.0",
    complexity: "O(N+M) where N is the length of the list and M is the number of elements removed.",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 count:int element",
    run: Run::Call(lrem),
    ..Command::of(Group::List)
};

fn lrem(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, element) = (ctx.arg(1), ctx.arg(3));
    let count = ctx.int(2)?;
    let Some(list) = ctx.peek::<List>(key)? else { return Ok(Answer::int(0)) };
    // Write access copies a shared list, so it is taken only if there is an element to remove.
    if !list.iter().any(|candidate| candidate == *element) {
        return Ok(Answer::int(0));
    }
    let removed = ctx.write::<List>(key)?.map_or(0, |list| list.remove_matching(element, count));
    ctx.notify(Notify::LIST, "lrem", key);
    shrunk(ctx, key);
    Ok(Answer::int(removed))
}

pub(super) const LTRIM: Command = Command {
    name: "ltrim",
    summary: "Trim a list to the specified range",
    since: "1.0.0",
    complexity: "O(N) where N is the number of elements to be removed by the operation.",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 start:int stop:int",
    run: Run::Call(ltrim),
    ..Command::of(Group::List)
};

fn ltrim(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let (start, stop) = (ctx.int(2)?, ctx.int(3)?);
    let Some(list) = ctx.write::<List>(key)? else { return Ok(Answer::OK) };
    let kept = places(start, stop, list.len());
    list.trim(kept.start, kept.end);
    // The event is sent even if no element was removed.
    ctx.notify(Notify::LIST, "ltrim", key);
    shrunk(ctx, key);
    Ok(Answer::OK)
}

pub(super) const LPOS: Command = Command {
    name: "lpos",
    summary: "Return the index of matching elements on a list",
    since: "6.0.6",
    complexity: "O(N) where N is the number of elements in the list, for the average case. When searching for elements near the head or the tail of the list, or when the MAXLEN option is provided, the command may run in constant time.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 element [RANK=rank:int] [COUNT=num-matches:int] [MAXLEN=len:int]",
    run: Run::Call(lpos),
    ..Command::of(Group::List)
};

fn lpos(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let search = Search::parse(ctx)?;
    let element = ctx.arg(2);
    let Some(list) = ctx.read::<List>(ctx.arg(1))? else {
        return Ok(if search.count.is_some() { Reply::Array(Vec::new()) } else { Reply::Null }.into());
    };
    let mut found = search.places(list, element);
    Ok(if search.count.is_some() { Reply::Array(found) } else { found.pop().unwrap_or(Reply::Null) }.into())
}

/// The options of `LPOS`.
struct Search {
    /// Matches to skip.
    skipped: usize,
    is_from_tail: bool,
    /// Most matches to answer, 0: all; `None`: one, not in an array.
    count: Option<usize>,
    /// Most elements to compare, 0: all.
    looked_at_max: usize,
}

impl Search {
    fn parse(ctx: &Ctx<'_>) -> Result<Search, Error> {
        let mut search = Search { skipped: 0, is_from_tail: false, count: None, looked_at_max: 0 };
        let mut i = 3;
        while i < ctx.argv.len() {
            let value_at = i.saturating_add(1);
            if value_at >= ctx.argv.len() {
                return Err(Error::Syntax);
            }
            let natural = |refusal| {
                let number = ctx.int_at_least(value_at, 0, Error::Text(refusal))?;
                Ok(usize::try_from(number).unwrap_or(usize::MAX))
            };
            if ctx.is_word(i, "rank") {
                let rank = ctx.int(value_at)?;
                if rank == 0 {
                    return Err(Error::Text(RANK_ZERO));
                }
                search.is_from_tail = rank < 0;
                // The smallest integer has no positive counterpart; Redis then starts with the first match.
                let nth = if rank == i64::MIN { 1 } else { rank.unsigned_abs() };
                search.skipped = usize::try_from(nth.saturating_sub(1)).unwrap_or(usize::MAX);
            } else if ctx.is_word(i, "count") {
                search.count = Some(natural("ERR COUNT can't be negative")?);
            } else if ctx.is_word(i, "maxlen") {
                search.looked_at_max = natural("ERR MAXLEN can't be negative")?;
            } else {
                return Err(Error::Syntax);
            }
            i = value_at.saturating_add(1);
        }
        Ok(search)
    }

    fn places(&self, list: &List, element: &[u8]) -> Vec<Reply> {
        let len = list.len();
        let looked_at = if self.looked_at_max == 0 { len } else { self.looked_at_max };
        let wanted = match self.count {
            None => 1,
            Some(0) => usize::MAX,
            Some(count) => count,
        };
        let matching = |(i, candidate): (usize, Element<'_>)| (candidate == element).then_some(i);
        if self.is_from_tail {
            let from_tail = list.iter().rev().take(looked_at).enumerate().filter_map(matching);
            let places = from_tail.map(|i| len.saturating_sub(1).saturating_sub(i));
            places.skip(self.skipped).take(wanted).map(Reply::from).collect()
        } else {
            let places = list.iter().take(looked_at).enumerate().filter_map(matching);
            places.skip(self.skipped).take(wanted).map(Reply::from).collect()
        }
    }
}

const RANK_ZERO: &str = "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use \
     negative to start from the end of the list";
