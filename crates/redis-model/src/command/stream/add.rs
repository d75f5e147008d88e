//! Adding entries: `XADD`; and `XSETID`, which sets the counters of a stream.
use bytes::Bytes;
use resp::Value as Reply;

use super::shrink::{self, trim_key};
use super::{Command, Flags, Group, INVALID_ID, KeyFlags, KeySpec, Run, id, id_reply};
use crate::{
    Answer, Ctx, Error, Notify, Typed,
    value::stream::{Id, NewId, Refusal, Stream, Trim},
};

pub(super) const XADD: Command = Command {
    name: "xadd",
    summary: "Appends a new entry to a stream",
    since: "5.0.0",
    complexity: "O(1) when adding a new entry, O(N) when trimming where N being the number of entries evicted.",
    arity: -5,
    flags: Flags::FAST_GROWING_WRITE,
    tips: &["nondeterministic_output"],
    history: &[
        ("6.2.0", "Added the `NOMKSTREAM` option, `MINID` trimming strategy and the `LIMIT` option."),
        ("7.0.0", "Added support for the `<ms>-*` explicit ID form."),
    ],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))
        .noted("UPDATE instead of INSERT because of the optional trimming feature")],
    syntax: "key#0 [NOMKSTREAM@6.2.0] [trim{strategy(MAXLEN|MINID@6.2.0) [operator(==equal:flag|~=approximately:flag)] \
        threshold [LIMIT=count:int@6.2.0]}] id_or_auto(*=auto_id:flag|id) field_value{field value}...",
    run: Run::Call(xadd),
    ..Command::of(Group::Stream)
};

fn xadd(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let words = AddArgs::parse(ctx)?;
    let (key, now_ms, limits) = (ctx.arg(1), ctx.now_ms(), ctx.limits());
    let existing = ctx.peek::<Stream>(key)?;
    if existing.is_none() && !words.makes_stream {
        return Ok(Reply::Null.into());
    }
    let next_id = |stream: &Stream| stream.next_id(words.id, now_ms).map_err(refused);
    let id = match existing.map(next_id).transpose()? {
        Some(id) => {
            let stream = ctx.write::<Stream>(key)?.ok_or(Error::NoSuchKey)?;
            stream.push(id, words.fields, words.values, &limits).map_err(refused)?;
            id
        }
        None => {
            let mut stream = Stream::new();
            let id = next_id(&stream)?;
            stream.push(id, words.fields, words.values, &limits).map_err(refused)?;
            ctx.add(key, stream.wrap());
            id
        }
    };
    added(ctx, key, words.trim);
    Ok(id_reply(id).into())
}

/// Sends the event of a new entry, trims the stream if requested, and wakes clients that wait for
/// entries.
fn added(ctx: &mut Ctx<'_>, key: &Bytes, trim: Option<Trim>) {
    ctx.reply_stands_here();
    ctx.modified(key);
    ctx.notify(Notify::STREAM, "xadd", key);
    if let Some(trim) = trim {
        trim_key(ctx, key, &trim);
    }
    let db = ctx.db_index();
    ctx.server.signal_ready(db, key);
}

fn refused(refusal: Refusal) -> Error {
    Error::Text(match refusal {
        Refusal::NotAbove => "ERR The ID specified in XADD is equal or smaller than the target stream top item",
        Refusal::Exhausted => "ERR The stream has exhausted the last possible ID, unable to add more items",
        Refusal::TooLarge => "ERR Elements are too large to be stored",
    })
}

/// The arguments of `XADD` after the key.
struct AddArgs {
    makes_stream: bool,
    trim: Option<Trim>,
    id: NewId,
    fields: Vec<Bytes>,
    values: Vec<Bytes>,
}

impl AddArgs {
    fn parse(ctx: &Ctx<'_>) -> Result<AddArgs, Error> {
        let mut options = shrink::Options::default();
        let mut makes_stream = true;
        let mut id = NewId::Auto;
        let mut at: usize = 2;
        while at < ctx.argv.len() {
            if ctx.is_word(at, "*") {
                break;
            }
            if let Some(words) = options.take(ctx, at)? {
                at = at.saturating_add(words);
            } else if ctx.is_word(at, "NOMKSTREAM") {
                makes_stream = false;
                at = at.saturating_add(1);
            } else {
                id = match Id::parse_open(ctx.arg(at)).ok_or(INVALID_ID)? {
                    (ms, Some(seq)) => NewId::Exactly(Id::new(ms, seq)),
                    (ms, None) => NewId::Millisecond(ms),
                };
                break;
            }
        }
        let trim = options.finish(ctx)?;
        let rest = ctx.args_from(at.saturating_add(1));
        if rest.is_empty() || rest.len() % 2 == 1 {
            return Err(Error::Arity(ctx.command.full_name()));
        }
        if id == NewId::Exactly(Id::MIN) {
            return Err(Error::Text("ERR The ID specified in XADD must be greater than 0-0"));
        }
        let half = |skip: usize| rest.iter().skip(skip).step_by(2).cloned().collect();
        Ok(AddArgs { makes_stream, trim, id, fields: half(0), values: half(1) })
    }
}

pub(super) const XSETID: Command = Command {
    name: "xsetid",
    summary: "An internal command for replicating stream values",
    since: "5.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::FAST_GROWING_WRITE,
    history: &[("7.0.0", "Added the `entries_added` and `max_deleted_entry_id` arguments.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 last-id [ENTRIESADDED=entries_added:int@7.0.0] [MAXDELETEDID=max_deleted_entry_id@7.0.0]",
    run: Run::Call(xsetid),
    ..Command::of(Group::Stream)
};

fn xsetid(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let last_id = id(ctx, 2)?;
    let (mut entries_added, mut max_deleted_id) = (None, None);
    let mut at: usize = 3;
    while at < ctx.argv.len() {
        let value = at.saturating_add(1);
        if ctx.is_word(at, "ENTRIESADDED") && value < ctx.argv.len() {
            let number = u64::try_from(ctx.int(value)?);
            entries_added = Some(number.map_err(|_| Error::Text("ERR entries_added must be positive"))?);
        } else if ctx.is_word(at, "MAXDELETEDID") && value < ctx.argv.len() {
            let deleted = id(ctx, value)?;
            if last_id < deleted {
                let text = "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id";
                return Err(Error::Text(text));
            }
            max_deleted_id = Some(deleted);
        } else {
            return Err(Error::Syntax);
        }
        at = value.saturating_add(1);
    }
    let key = ctx.arg(1);
    let stream = ctx.peek::<Stream>(key)?.ok_or(Error::NoSuchKey)?;
    if stream.has_above(last_id) {
        return Err(Error::Text("ERR The ID specified in XSETID is smaller than the target stream top item"));
    }
    if !stream.is_empty() && entries_added.is_some_and(|added| added < stream.len() as u64) {
        return Err(Error::Text("ERR The entries_added specified in XSETID is smaller than the target stream length"));
    }
    if let Some(stream) = ctx.write::<Stream>(key)? {
        stream.set_last_id(last_id, entries_added, max_deleted_id.filter(|id| !id.is_zero()));
    }
    ctx.modified_unwatched(key);
    ctx.reply_stands_here();
    ctx.notify(Notify::STREAM, "xsetid", key);
    Ok(Answer::OK)
}
