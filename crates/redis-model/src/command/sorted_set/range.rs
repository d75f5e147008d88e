//! Reading a range: `ZRANGE` in all its forms, `ZRANGESTORE`, and the six commands that `ZRANGE` replaces.
use std::ops::Range;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run, members_reply};
use crate::{
    Answer, Ctx, Error,
    value::{
        limits::Limits,
        range::{LexRange, ScoreRange},
        zset::ZSet,
    },
};

pub(super) const ZRANGE: Command = Command {
    name: "zrange",
    summary: "Return a range of members in a sorted set",
    since: "1.2.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements returned.",
    arity: -4,
    flags: Flags::READONLY,
    history: &[("6.2.0", "Added the `REV`, `BYSCORE`, `BYLEX` and `LIMIT` options.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start stop [sortby(BYSCORE|BYLEX)@6.2.0] [REV@6.2.0] [LIMIT=offset_count{offset:int count:int}@6.2.0] \
        [WITHSCORES]",
    run: Run::Call(zrange),
    ..Command::of(Group::SortedSet)
};

fn zrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form::ANY)
}

pub(super) const ZRANGEBYSCORE: Command = Command {
    name: "zrangebyscore",
    summary: "Return a range of members in a sorted set, by score",
    since: "1.0.5",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements being returned. If M is constant (e.g. always asking for the first 10 elements with LIMIT), you can consider it O(log(N)).",
    arity: -4,
    flags: Flags::READONLY,
    history: &[("2.0.0", "Added the `WITHSCORES` modifier.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`ZRANGE` with the `BYSCORE` argument" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 min:double max:double [WITHSCORES@2.0.0] [LIMIT=offset_count{offset:int count:int}]",
    run: Run::Call(zrangebyscore),
    ..Command::of(Group::SortedSet)
};

fn zrangebyscore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form { by: Some(By::Score), is_reverse: Some(false) })
}

pub(super) const ZREVRANGEBYSCORE: Command = Command {
    name: "zrevrangebyscore",
    summary: "Return a range of members in a sorted set, by score, with scores ordered from high to low",
    since: "2.2.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements being returned. If M is constant (e.g. always asking for the first 10 elements with LIMIT), you can consider it O(log(N)).",
    arity: -4,
    flags: Flags::READONLY,
    history: &[("2.1.6", "`min` and `max` can be exclusive.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`ZRANGE` with the `REV` and `BYSCORE` arguments" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 max:double min:double [WITHSCORES] [LIMIT=offset_count{offset:int count:int}]",
    run: Run::Call(zrevrangebyscore),
    ..Command::of(Group::SortedSet)
};

fn zrevrangebyscore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form { by: Some(By::Score), is_reverse: Some(true) })
}

pub(super) const ZRANGEBYLEX: Command = Command {
    name: "zrangebylex",
    summary: "Return a range of members in a sorted set, by lexicographical range",
    since: "2.8.9",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements being returned. If M is constant (e.g. always asking for the first 10 elements with LIMIT), you can consider it O(log(N)).",
    arity: -4,
    flags: Flags::READONLY,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`ZRANGE` with the `BYLEX` argument" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 min max [LIMIT=offset_count{offset:int count:int}]",
    run: Run::Call(zrangebylex),
    ..Command::of(Group::SortedSet)
};

fn zrangebylex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form { by: Some(By::Lex), is_reverse: Some(false) })
}

pub(super) const ZREVRANGEBYLEX: Command = Command {
    name: "zrevrangebylex",
    summary: "Return a range of members in a sorted set, by lexicographical range, ordered from higher to lower strings.",
    since: "2.8.9",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements being returned. If M is constant (e.g. always asking for the first 10 elements with LIMIT), you can consider it O(log(N)).",
    arity: -4,
    flags: Flags::READONLY,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`ZRANGE` with the `REV` and `BYLEX` arguments" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 max min [LIMIT=offset_count{offset:int count:int}]",
    run: Run::Call(zrevrangebylex),
    ..Command::of(Group::SortedSet)
};

fn zrevrangebylex(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form { by: Some(By::Lex), is_reverse: Some(true) })
}

pub(super) const ZREVRANGE: Command = Command {
    name: "zrevrange",
    summary: "Return a range of members in a sorted set, by index, with scores ordered from high to low",
    since: "1.2.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements returned.",
    arity: -4,
    flags: Flags::READONLY,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`ZRANGE` with the `REV` argument" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 start:int stop:int [WITHSCORES]",
    run: Run::Call(zrevrange),
    ..Command::of(Group::SortedSet)
};

fn zrevrange(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Form { by: Some(By::Rank), is_reverse: Some(true) })
}

fn answer(ctx: &mut Ctx<'_>, form: Form) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 2, form, false)?;
    let is_resp3 = ctx.is_resp3();
    let Some(zset) = ctx.read::<ZSet>(ctx.arg(1))? else { return Ok(Reply::Array(Vec::new()).into()) };
    Ok(members_reply(query.members(zset), query.is_with_scores, is_resp3).into())
}

pub(super) const ZRANGESTORE: Command = Command {
    name: "zrangestore",
    summary: "Store a range of members from sorted set into another key",
    since: "6.2.0",
    complexity: "O(log(N)+M) with N being the number of elements in the sorted set and M the number of elements stored into the destination key.",
    arity: -5,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::one(2, KeyFlags::READ)],
    syntax: "dst#0 src#1 min max [sortby(BYSCORE|BYLEX)] [REV] [LIMIT=offset_count{offset:int count:int}]",
    run: Run::Call(zrangestore),
    ..Command::of(Group::SortedSet)
};

fn zrangestore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 3, Form::ANY, true)?;
    let limits = ctx.limits();
    let target = ctx.arg(1);
    let found = ctx.read::<ZSet>(ctx.arg(2))?;
    let stored = found.map(|zset| query.stored(zset, &limits)).unwrap_or_default();
    super::store(ctx, target, stored, "zrangestore")
}

/// What the command name determines; `None`: the options determine it.
#[derive(Clone, Copy)]
struct Form {
    by: Option<By>,
    is_reverse: Option<bool>,
}

impl Form {
    const ANY: Form = Form { by: None, is_reverse: None };
}

#[derive(Clone, Copy, PartialEq)]
enum By {
    Rank,
    Score,
    Lex,
}

/// The range to search for.
enum Bounds {
    /// First and last rank, counted from the end if negative.
    Rank(i64, i64),
    Score(ScoreRange),
    Lex(LexRange),
}

/// A parsed `ZRANGE`.
struct Query {
    bounds: Bounds,
    is_reverse: bool,
    is_with_scores: bool,
    /// Members to skip; negative: all of them.
    offset: i64,
    /// Most members to answer; negative: no limit.
    count: i64,
}

impl Query {
    /// Parses the bounds at word `at` and the next word, and the options after them.
    fn parse(ctx: &Ctx<'_>, at: usize, mut form: Form, is_storing: bool) -> Result<Query, Error> {
        let (mut is_with_scores, mut offset, mut count) = (false, 0, -1);
        let (min, max) = (at, at.saturating_add(1));
        let mut i = at.saturating_add(2);
        while i < ctx.argv.len() {
            let left = ctx.argv.len().saturating_sub(i).saturating_sub(1);
            if !is_storing && ctx.is_word(i, "withscores") {
                is_with_scores = true;
            } else if ctx.is_word(i, "limit") && left >= 2 {
                (offset, count) = (ctx.int(i.saturating_add(1))?, ctx.int(i.saturating_add(2))?);
                i = i.saturating_add(2);
            } else if form.is_reverse.is_none() && ctx.is_word(i, "rev") {
                form.is_reverse = Some(true);
            } else if form.by.is_none() && ctx.is_word(i, "bylex") {
                form.by = Some(By::Lex);
            } else if form.by.is_none() && ctx.is_word(i, "byscore") {
                form.by = Some(By::Score);
            } else {
                return Err(Error::Syntax);
            }
            i = i.saturating_add(1);
        }
        let by = form.by.unwrap_or(By::Rank);
        let is_reverse = form.is_reverse.unwrap_or(false);
        if count != -1 && by == By::Rank {
            const NO_LIMIT: &str =
                "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX";
            return Err(Error::Text(NO_LIMIT));
        }
        if is_with_scores && by == By::Lex {
            return Err(Error::Text("ERR syntax error, WITHSCORES not supported in combination with BYLEX"));
        }
        // In reverse order, the greater bound comes first.
        let (low, high) = if is_reverse { (max, min) } else { (min, max) };
        let bounds = match by {
            By::Rank => Bounds::Rank(ctx.int(min)?, ctx.int(max)?),
            By::Score => Bounds::Score(ctx.score_range(low, high)?),
            By::Lex => Bounds::Lex(ctx.lex_range(low, high)?),
        };
        Ok(Query { bounds, is_reverse, is_with_scores, offset, count })
    }

    /// The members found, in reply order.
    fn members<'a>(&self, zset: &'a ZSet) -> impl Iterator<Item = (Bytes, f64)> + 'a {
        let mut found = zset.range(self.ranks(zset));
        let is_reverse = self.is_reverse;
        std::iter::from_fn(move || if is_reverse { found.next_back() } else { found.next() })
            .map(|(member, score)| (member.clone(), score))
    }

    /// The result of `ZRANGESTORE`. For a range of ranks, Redis knows the number of members in advance and chooses the encoding; otherwise
    /// it adds them one by one to a listpack, which cannot store -0, until that is too small.
    fn stored(&self, zset: &ZSet, limits: &Limits) -> ZSet {
        let is_known = matches!(self.bounds, Bounds::Rank(..));
        if is_known && self.ranks(zset).len() > limits.zset_max_listpack_entries {
            return ZSet::from_members(self.members(zset), limits);
        }
        let mut stored = ZSet::new();
        for (member, score) in self.members(zset) {
            stored.insert(member, score, limits);
        }
        stored
    }

    /// The ranks of the members found.
    fn ranks(&self, zset: &ZSet) -> Range<usize> {
        let skipped = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let found = match &self.bounds {
            Bounds::Rank(first, last) => return rank_bounds(*first, *last, zset.len(), self.is_reverse),
            Bounds::Score(range) => self.without_first(zset.ranks_by_score(range), skipped),
            Bounds::Lex(range) => zset.ranks_by_lex_behind(range, skipped, self.is_reverse),
        };
        let kept = usize::try_from(self.count).unwrap_or(usize::MAX).min(found.len());
        if self.is_reverse {
            found.end.saturating_sub(kept)..found.end
        } else {
            found.start..found.start.saturating_add(kept)
        }
    }

    /// Ranks without the first `skipped` ones in reply order.
    fn without_first(&self, ranks: Range<usize>, skipped: usize) -> Range<usize> {
        let left = ranks.len().saturating_sub(skipped);
        if self.is_reverse {
            ranks.start..ranks.start.saturating_add(left)
        } else {
            ranks.end.saturating_sub(left)..ranks.end
        }
    }
}

/// Converts ranks `first..=last` of `len` members (negative ones counted from the end) to ranks from the lowest score.
pub(super) fn rank_bounds(first: i64, last: i64, len: usize, is_reverse: bool) -> Range<usize> {
    let from_start = |rank: i64| match usize::try_from(rank) {
        Ok(rank) => Some(rank),
        Err(_) => len.checked_sub(usize::try_from(rank.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    let start = from_start(first).unwrap_or(0).min(len);
    let end = from_start(last).map_or(0, |last| last.saturating_add(1).min(len)).max(start);
    if is_reverse { len.saturating_sub(end)..len.saturating_sub(start) } else { start..end }
}
