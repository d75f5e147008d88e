//! Changing members one by one: `ZADD ZINCRBY ZREM`.
use bitflags::bitflags;
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify,
    ctx::is_word,
    value::{number, zset::ZSet},
};

pub(super) const ZADD: Command = Command {
    name: "zadd",
    summary: "Add one or more members to a sorted set, or update its score if it already exists",
    since: "1.2.0",
    complexity: "O(log(N)) for each item added, where N is the number of elements in the sorted set.",
    arity: -4,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[
        ("2.4.0", "Accepts multiple elements."),
        ("3.0.2", "Added the `XX`, `NX`, `CH` and `INCR` options."),
        ("6.2.0", "Added the `GT` and `LT` options."),
    ],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 [condition(NX|XX)@3.0.2] [comparison(GT|LT)@6.2.0] [CH=change:flag@3.0.2] [INCR=increment:flag@3.0.2] \
        score_member{score:double member}...",
    run: Run::Call(zadd),
    ..Command::of(Group::SortedSet)
};

bitflags! {
    /// Options of `ZADD`.
    #[derive(Clone, Copy)]
    pub(in crate::command) struct Options: u8 {
        /// Only new members.
        const NX = 1;
        /// Only existing members.
        const XX = 1 << 1;
        /// Update existing members only to a greater score.
        const GT = 1 << 2;
        /// Update existing members only to a lower score.
        const LT = 1 << 3;
        /// Count changed members with the new ones.
        const CH = 1 << 4;
        /// Add the given score to the current score.
        const INCR = 1 << 5;
    }
}

impl Options {
    fn of_word(word: &[u8]) -> Option<Options> {
        const WORDS: [(&str, Options); 6] = [
            ("nx", Options::NX),
            ("xx", Options::XX),
            ("gt", Options::GT),
            ("lt", Options::LT),
            ("ch", Options::CH),
            ("incr", Options::INCR),
        ];
        WORDS.iter().find(|(name, _)| is_word(word, name)).map(|(_, option)| *option)
    }

    /// Refuses options that contradict each other, and `INCR` of more than one member.
    fn check(self, pairs: usize) -> Result<(), Error> {
        if self.contains(Options::NX | Options::XX) {
            return Err(Error::Text("ERR XX and NX options at the same time are not compatible"));
        }
        let exclusive = self & (Options::GT | Options::LT | Options::NX);
        if exclusive.iter().count() > 1 {
            return Err(Error::Text("ERR GT, LT, and/or NX options at the same time are not compatible"));
        }
        if self.contains(Options::INCR) && pairs > 1 {
            return Err(Error::Text("ERR INCR option supports a single increment-element pair"));
        }
        Ok(())
    }

    /// The new score of a member; `None` if the options leave the member unchanged.
    fn decide(self, old: Option<f64>, score: f64) -> Result<Option<f64>, Error> {
        let Some(old) = old else { return Ok((!self.contains(Options::XX)).then_some(score)) };
        if self.contains(Options::NX) {
            return Ok(None);
        }
        let score = if self.contains(Options::INCR) { old + score } else { score };
        if score.is_nan() {
            return Err(Error::Text("ERR resulting score is not a number (NaN)"));
        }
        let is_refused = self.contains(Options::GT) && score <= old || self.contains(Options::LT) && score >= old;
        Ok((!is_refused).then_some(score))
    }
}

fn zadd(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, Options::empty())
}

pub(super) const ZINCRBY: Command = Command {
    name: "zincrby",
    summary: "Increment the score of a member in a sorted set",
    since: "1.2.0",
    complexity: "O(log(N)) where N is the number of elements in the sorted set.",
    arity: 4,
    flags: Flags::FAST_GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 increment:int member",
    run: Run::Call(zincrby),
    ..Command::of(Group::SortedSet)
};

/// `ZADD key INCR increment member`. As in Redis, a word that is an option of `ZADD` is parsed as one.
fn zincrby(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    add(ctx, Options::INCR)
}

fn add(ctx: &mut Ctx<'_>, mut options: Options) -> Result<Answer, Error> {
    let mut words = ctx.args_from(2);
    while let Some((option, rest)) = words.split_first().and_then(|(word, rest)| Some((Options::of_word(word)?, rest)))
    {
        options |= option;
        words = rest;
    }
    let pairs = words.chunks_exact(2);
    if words.is_empty() || !pairs.remainder().is_empty() {
        return Err(Error::Syntax);
    }
    options.check(pairs.len())?;
    let pairs = pairs
        .filter_map(|pair| if let [score, member] = pair { Some((score, member)) } else { None })
        .map(|(score, member)| Ok((number::parse_double(score).ok_or(Error::NotFloat)?, member)))
        .collect::<Result<Vec<_>, Error>>()?;
    add_members(ctx, options, &pairs)
}

/// Adds members with their scores and answers like `ZADD`. The caller has checked that the options do not contradict each other.
pub(in crate::command) fn add_members(
    ctx: &mut Ctx<'_>,
    options: Options,
    pairs: &[(f64, &Bytes)],
) -> Result<Answer, Error> {
    let outcome = apply(ctx, options, pairs)?;
    Ok(match options.contains(Options::INCR) {
        true => outcome.score.map_or(Reply::Null, Reply::Double).into(),
        false if options.contains(Options::CH) => Answer::int(outcome.added.saturating_add(outcome.updated)),
        false => Answer::int(outcome.added),
    })
}

/// Result of `ZADD`.
#[derive(Default)]
struct AddCounts {
    added: usize,
    updated: usize,
    /// Score of the last member that the options did not leave unchanged.
    score: Option<f64>,
}

fn apply(ctx: &mut Ctx<'_>, options: Options, pairs: &[(f64, &Bytes)]) -> Result<AddCounts, Error> {
    let key = ctx.arg(1);
    let old = ctx.peek::<ZSet>(key)?;
    if old.is_none() && options.contains(Options::XX) {
        return Ok(AddCounts::default());
    }
    // Only an increment can fail, and it applies to a single member, so it is checked before any change.
    if options.contains(Options::INCR)
        && let (Some(zset), [(score, member)]) = (old, pairs)
    {
        options.decide(zset.score(member), *score)?;
    }
    let is_there = old.is_some();
    let limits = ctx.limits();
    let zset = ctx.write_or_add(key, is_there, ZSet::default)?;
    let mut outcome = AddCounts::default();
    for (score, member) in pairs {
        let old = zset.score(member);
        let Some(score) = options.decide(old, *score)? else { continue };
        outcome.score = Some(score);
        match old {
            None => outcome.added = outcome.added.saturating_add(1),
            Some(old) if old != score => outcome.updated = outcome.updated.saturating_add(1),
            Some(_) => continue,
        }
        zset.insert((*member).clone(), score, &limits);
    }
    if outcome.added > 0 || outcome.updated > 0 {
        let event = if options.contains(Options::INCR) { "zincr" } else { "zadd" };
        ctx.reply_stands_here();
        ctx.modified(key);
        ctx.notify(Notify::ZSET, event, key);
    }
    Ok(outcome)
}

pub(super) const ZREM: Command = Command {
    name: "zrem",
    summary: "Remove one or more members from a sorted set",
    since: "1.2.0",
    complexity: "O(M*log(N)) with N being the number of elements in the sorted set and M the number of elements to be removed.",
    arity: -3,
    flags: Flags::FAST_WRITE,
    history: &[("2.4.0", "Accepts multiple elements.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 member...",
    run: Run::Call(zrem),
    ..Command::of(Group::SortedSet)
};

fn zrem(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let members = ctx.args_from(2);
    let Some(zset) = ctx.write::<ZSet>(key)? else { return Ok(Answer::int(0)) };
    let removed = members.iter().filter(|member| zset.remove(member).is_some()).count();
    if removed > 0 {
        ctx.modified(key);
        ctx.notify(Notify::ZSET, "zrem", key);
        ctx.remove_if_empty::<ZSet>(key);
    }
    Ok(Answer::int(removed))
}
