//! Set operations on sorted sets and sets: `ZUNION ZINTER ZDIFF`, their `STORE` forms, and `ZINTERCARD`.
//!
//! Members of a plain set have the score 1.
use std::cmp::Ordering;

use bytes::Bytes;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, members_reply};
use crate::{
    Answer, Ctx, Error,
    ctx::is_word,
    sorting,
    value::{Value, number, zset::ZSet},
};

pub(super) const ZUNION: Command = Command {
    name: "zunion",
    summary: "Add multiple sorted sets",
    since: "6.2.0",
    complexity: "O(N)+O(M*log(M)) with N being the sum of the sizes of the input sorted sets, and M being the number of elements in the resulting sorted set.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::counted(1, KeyFlags::READ)],
    syntax: "numkeys:int key#0... [WEIGHTS=weight:int...] [AGGREGATE=aggregate(SUM|MIN|MAX)] [WITHSCORES]",
    run: Run::Call(zunion),
    ..Command::of(Group::SortedSet)
};

fn zunion(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Operation::Union)
}

pub(super) const ZUNIONSTORE: Command = Command {
    name: "zunionstore",
    summary: "Add multiple sorted sets and store the resulting sorted set in a new key",
    since: "2.0.0",
    complexity: "O(N)+O(M log(M)) with N being the sum of the sizes of the input sorted sets, and M being the number of elements in the resulting sorted set.",
    arity: -4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::counted(2, KeyFlags::READ)],
    syntax: "destination#0 numkeys:int key#1... [WEIGHTS=weight:int...] [AGGREGATE=aggregate(SUM|MIN|MAX)]",
    run: Run::Call(zunionstore),
    ..Command::of(Group::SortedSet)
};

fn zunionstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    store(ctx, Operation::Union, "zunionstore")
}

pub(super) const ZINTER: Command = Command {
    name: "zinter",
    summary: "Intersect multiple sorted sets",
    since: "6.2.0",
    complexity: "O(N*K)+O(M*log(M)) worst case with N being the smallest input sorted set, K being the number of input sorted sets and M being the number of elements in the resulting sorted set.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::counted(1, KeyFlags::READ)],
    syntax: "numkeys:int key#0... [WEIGHTS=weight:int...] [AGGREGATE=aggregate(SUM|MIN|MAX)] [WITHSCORES]",
    run: Run::Call(zinter),
    ..Command::of(Group::SortedSet)
};

fn zinter(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Operation::Inter)
}

pub(super) const ZINTERSTORE: Command = Command {
    name: "zinterstore",
    summary: "Intersect multiple sorted sets and store the resulting sorted set in a new key",
    since: "2.0.0",
    complexity: "O(N*K)+O(M*log(M)) worst case with N being the smallest input sorted set, K being the number of input sorted sets and M being the number of elements in the resulting sorted set.",
    arity: -4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::counted(2, KeyFlags::READ)],
    syntax: "destination#0 numkeys:int key#1... [WEIGHTS=weight:int...] [AGGREGATE=aggregate(SUM|MIN|MAX)]",
    run: Run::Call(zinterstore),
    ..Command::of(Group::SortedSet)
};

fn zinterstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    store(ctx, Operation::Inter, "zinterstore")
}

pub(super) const ZDIFF: Command = Command {
    name: "zdiff",
    summary: "Subtract multiple sorted sets",
    since: "6.2.0",
    complexity: "O(L + (N-K)log(N)) worst case where L is the total number of elements in all the sets, N is the size of the first set, and K is the size of the result set.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::counted(1, KeyFlags::READ)],
    syntax: "numkeys:int key#0... [WITHSCORES]",
    run: Run::Call(zdiff),
    ..Command::of(Group::SortedSet)
};

fn zdiff(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    answer(ctx, Operation::Diff)
}

pub(super) const ZDIFFSTORE: Command = Command {
    name: "zdiffstore",
    summary: "Subtract multiple sorted sets and store the resulting sorted set in a new key",
    since: "6.2.0",
    complexity: "O(L + (N-K)log(N)) worst case where L is the total number of elements in all the sets, N is the size of the first set, and K is the size of the result set.",
    arity: -4,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::counted(2, KeyFlags::READ)],
    syntax: "destination#0 numkeys:int key#1...",
    run: Run::Call(zdiffstore),
    ..Command::of(Group::SortedSet)
};

fn zdiffstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    store(ctx, Operation::Diff, "zdiffstore")
}

pub(super) const ZINTERCARD: Command = Command {
    name: "zintercard",
    summary: "Intersect multiple sorted sets and return the cardinality of the result",
    since: "7.0.0",
    complexity: "O(N*K) worst case with N being the smallest input sorted set, K being the number of input sorted sets.",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::counted(1, KeyFlags::READ)],
    syntax: "numkeys:int key#0... [LIMIT=limit:int]",
    run: Run::Call(zintercard),
    ..Command::of(Group::SortedSet)
};

fn zintercard(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 1, Operation::Inter, Use::Count)?;
    let limit = if query.limit == 0 { usize::MAX } else { query.limit };
    Ok(Answer::int(intersection(&query.sorted_inputs(), query.aggregate).take(limit).count()))
}

fn answer(ctx: &mut Ctx<'_>, operation: Operation) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 1, operation, Use::Answer)?;
    let mut members = query.run(operation);
    sorting::sort_by(&mut members, |a, b| by_score(a.1, b.1).then_with(|| a.0.cmp(&b.0)));
    Ok(members_reply(members.into_iter(), query.is_with_scores, ctx.is_resp3()).into())
}

/// Scores are never NaN, and both zeros are equal.
fn by_score(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn store(ctx: &mut Ctx<'_>, operation: Operation, event: &'static str) -> Result<Answer, Error> {
    let query = Query::parse(ctx, 2, operation, Use::Store)?;
    let stored = ZSet::from_members(query.run(operation), &ctx.limits());
    super::store(ctx, ctx.arg(1), stored, event)
}

#[derive(Clone, Copy, PartialEq)]
enum Operation {
    Union,
    Inter,
    Diff,
}

/// How the result is used; the allowed options depend on it.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Answer,
    Store,
    Count,
}

/// How the scores of a member in several inputs are combined.
#[derive(Clone, Copy)]
enum Aggregate {
    Sum,
    Min,
    Max,
}

impl Aggregate {
    fn of_word(word: &[u8]) -> Result<Aggregate, Error> {
        match word {
            _ if is_word(word, "sum") => Ok(Aggregate::Sum),
            _ if is_word(word, "min") => Ok(Aggregate::Min),
            _ if is_word(word, "max") => Ok(Aggregate::Max),
            _ => Err(Error::Syntax),
        }
    }

    /// The sum of opposite infinities is 0. For `MIN` and `MAX`, a NaN score changes nothing.
    fn apply(self, target: f64, score: f64) -> f64 {
        match self {
            Aggregate::Sum => nan_to_zero(target + score),
            Aggregate::Min => {
                if score < target {
                    score
                } else {
                    target
                }
            }
            Aggregate::Max => {
                if score > target {
                    score
                } else {
                    target
                }
            }
        }
    }
}

fn nan_to_zero(score: f64) -> f64 {
    if score.is_nan() { 0.0 } else { score }
}

/// An input of a set operation.
#[derive(Clone)]
struct Input {
    /// A set, a sorted set, or `None` for a missing key.
    value: Option<Value>,
    weight: f64,
}

impl Input {
    fn len(&self) -> usize {
        match &self.value {
            Some(Value::ZSet(zset)) => zset.len(),
            Some(Value::Set(set)) => set.len(),
            _ => 0,
        }
    }

    /// The weighted score of a member; NaN if an infinite score has the weight 0.
    fn score(&self, member: &[u8]) -> Option<f64> {
        let score = match &self.value {
            Some(Value::ZSet(zset)) => zset.score(member)?,
            Some(Value::Set(set)) => set.contains(member).then_some(1.0)?,
            _ => return None,
        };
        Some(score * self.weight)
    }

    /// Members with weighted scores.
    fn members(&self) -> Box<dyn Iterator<Item = (Bytes, f64)> + '_> {
        let weight = self.weight;
        match &self.value {
            Some(Value::ZSet(zset)) => {
                Box::new(zset.iter().map(move |(member, score)| (member.clone(), nan_to_zero(score * weight))))
            }
            Some(Value::Set(set)) => Box::new(set.iter().map(move |member| (member, nan_to_zero(weight)))),
            _ => Box::new(std::iter::empty()),
        }
    }
}

/// A parsed set operation with its inputs.
struct Query {
    inputs: Vec<Input>,
    aggregate: Aggregate,
    is_with_scores: bool,
    /// `LIMIT` of `ZINTERCARD`; 0: no limit.
    limit: usize,
}

impl Query {
    /// Parses the number of keys at word `at`, reads the keys after it, then parses the options.
    fn parse(ctx: &mut Ctx<'_>, at: usize, operation: Operation, purpose: Use) -> Result<Query, Error> {
        let count = ctx.int(at)?;
        if count < 1 {
            let name = ctx.command.full_name();
            return Err(Error::Message(format!("ERR at least 1 input key is needed for '{name}' command")));
        }
        let words = ctx.args_from(at.saturating_add(1));
        let count = usize::try_from(count).map_err(|_| Error::Syntax)?;
        let (keys, options) = words.split_at_checked(count).ok_or(Error::Syntax)?;
        let inputs = keys.iter().map(|key| input(ctx, key)).collect::<Result<Vec<_>, Error>>()?;
        let mut query = Query { inputs, aggregate: Aggregate::Sum, is_with_scores: false, limit: 0 };
        query.parse_options(options, operation, purpose)?;
        Ok(query)
    }

    fn parse_options(&mut self, mut words: &[Bytes], operation: Operation, purpose: Use) -> Result<(), Error> {
        let takes_scores = operation != Operation::Diff && purpose != Use::Count;
        while let Some((word, rest)) = words.split_first() {
            words = if takes_scores && is_word(word, "weights") {
                self.parse_weights(rest)?
            } else if takes_scores && is_word(word, "aggregate") {
                let (word, rest) = rest.split_first().ok_or(Error::Syntax)?;
                self.aggregate = Aggregate::of_word(word)?;
                rest
            } else if purpose == Use::Answer && is_word(word, "withscores") {
                self.is_with_scores = true;
                rest
            } else if purpose == Use::Count && is_word(word, "limit") {
                let (word, rest) = rest.split_first().ok_or(Error::Syntax)?;
                let limit = number::parse_i64(word).filter(|limit| *limit >= 0).ok_or(Error::LimitNegative)?;
                self.limit = usize::try_from(limit).unwrap_or(usize::MAX);
                rest
            } else {
                return Err(Error::Syntax);
            };
        }
        Ok(())
    }

    /// Parses one weight per input; returns the remaining words.
    fn parse_weights<'a>(&mut self, words: &'a [Bytes]) -> Result<&'a [Bytes], Error> {
        let (weights, rest) = words.split_at_checked(self.inputs.len()).ok_or(Error::Syntax)?;
        for (input, word) in self.inputs.iter_mut().zip(weights) {
            input.weight = number::parse_double(word).ok_or(Error::NotValidFloat)?;
        }
        Ok(rest)
    }

    /// The inputs, smallest first, as in Redis: the order of additions affects the last digits of the scores.
    fn sorted_inputs(&self) -> Vec<Input> {
        let mut inputs = self.inputs.clone();
        sorting::sort_by(&mut inputs, |a, b| a.len().cmp(&b.len()));
        inputs
    }

    /// The resulting members, unsorted.
    fn run(&self, operation: Operation) -> Vec<(Bytes, f64)> {
        match operation {
            Operation::Union => union(&self.sorted_inputs(), self.aggregate),
            Operation::Inter => intersection(&self.sorted_inputs(), self.aggregate).collect(),
            Operation::Diff => difference(&self.inputs),
        }
    }
}

/// The value of an input key.
fn input(ctx: &mut Ctx<'_>, key: &Bytes) -> Result<Input, Error> {
    let value = ctx.read_any(key).cloned();
    match value {
        None | Some(Value::ZSet(_) | Value::Set(_)) => Ok(Input { value, weight: 1.0 }),
        Some(_) => Err(Error::WrongType),
    }
}

fn union(inputs: &[Input], aggregate: Aggregate) -> Vec<(Bytes, f64)> {
    let mut scores = Vec::new();
    let mut room = MERGED_AT_LEAST;
    for entry in inputs.iter().flat_map(Input::members) {
        // Members may occur in many inputs: merging now and then keeps the list within twice the number of distinct members.
        if scores.len() >= room {
            merge(&mut scores, aggregate);
            room = scores.len().saturating_mul(2).max(MERGED_AT_LEAST);
        }
        scores.push(entry);
    }
    merge(&mut scores, aggregate);
    scores
}

/// Fewest entries worth merging.
const MERGED_AT_LEAST: usize = 4096;

/// Combines the scores of each member. The sort is stable, so scores are combined in input order.
fn merge(scores: &mut Vec<(Bytes, f64)>, aggregate: Aggregate) {
    sorting::sort_by(scores, |a, b| a.0.cmp(&b.0));
    scores.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            kept.1 = aggregate.apply(kept.1, later.1);
        }
        is_same
    });
}

/// The members of the first (smallest) input that are in all other inputs.
fn intersection(inputs: &[Input], aggregate: Aggregate) -> impl Iterator<Item = (Bytes, f64)> {
    inputs.iter().take(1).flat_map(Input::members).filter_map(move |(member, score)| {
        let mut others = inputs.iter().skip(1);
        let score = others.try_fold(score, |score, input| Some(aggregate.apply(score, input.score(&member)?)))?;
        Some((member, score))
    })
}

/// The members of the first input that are in no other input.
fn difference(inputs: &[Input]) -> Vec<(Bytes, f64)> {
    let Some((first, others)) = inputs.split_first() else { return Vec::new() };
    first.members().filter(|(member, _)| others.iter().all(|input| input.score(member).is_none())).collect()
}
