//! Removing entries: `XDEL` by id, `XTRIM` (and `XADD` with its trimming options) from the start.
use bytes::Bytes;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, id, ids_from};
use crate::{
    Answer, Ctx, Error, Notify,
    value::stream::{Stream, Trim, TrimTo},
};

pub(super) const XDEL: Command = Command {
    name: "xdel",
    summary: "Removes the specified entries from the stream. Returns the number of items actually deleted, that may be different from the number of IDs passed in case certain IDs do not exist.",
    since: "5.0.0",
    complexity: "O(1) for each single item to delete in the stream, regardless of the stream size.",
    arity: -3,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 id...",
    run: Run::Call(xdel),
    ..Command::of(Group::Stream)
};

fn xdel(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    if ctx.peek::<Stream>(key)?.is_none() {
        return Ok(Answer::flag(false));
    }
    let ids = ids_from(ctx, 2)?;
    // Checked first, because write access copies data shared with a clone of the server.
    let has_some = ctx.peek::<Stream>(key)?.is_some_and(|stream| ids.iter().any(|id| stream.get(*id).is_some()));
    if !has_some {
        return Ok(Answer::flag(false));
    }
    let deleted = ctx.write::<Stream>(key)?.map_or(0, |stream| ids.iter().filter(|id| stream.delete(**id)).count());
    ctx.modified(key);
    ctx.notify(Notify::STREAM, "xdel", key);
    Ok(Answer::int(deleted))
}

pub(super) const XTRIM: Command = Command {
    name: "xtrim",
    summary: "Trims the stream to (approximately if '~' is passed) a certain size",
    since: "5.0.0",
    complexity: "O(N), with N being the number of evicted entries. Constant times are very small however, since entries are organized in macro nodes containing multiple entries that can be released with a single deallocation.",
    arity: -4,
    flags: Flags::WRITE,
    tips: &["nondeterministic_output"],
    history: &[("6.2.0", "Added the `MINID` trimming strategy and the `LIMIT` option.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 trim{strategy(MAXLEN|MINID@6.2.0) [operator(==equal:flag|~=approximately:flag)] threshold \
        [LIMIT=count:int@6.2.0]}",
    run: Run::Call(xtrim),
    ..Command::of(Group::Stream)
};

fn xtrim(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let mut options = Options::default();
    let mut at: usize = 2;
    while at < ctx.argv.len() {
        let words = options.take(ctx, at)?.ok_or(Error::Syntax)?;
        at = at.saturating_add(words);
    }
    let trim = options.finish(ctx)?;
    let trim = trim.ok_or(Error::Text("ERR syntax error, XTRIM must be called with a trimming strategy"))?;
    let key = ctx.arg(1);
    if ctx.peek::<Stream>(key)?.is_none() {
        return Ok(Answer::flag(false));
    }
    let trimmed = trim_key(ctx, key, &trim);
    if trimmed > 0 {
        ctx.modified(key);
    }
    Ok(Answer::int(trimmed))
}

/// Trims the stream at a key, if needed, and sends the event; the caller notifies `WATCH`.
pub(super) fn trim_key(ctx: &mut Ctx<'_>, key: &Bytes, trim: &Trim) -> usize {
    // Checked first, because write access copies data shared with a clone of the server.
    let is_needed = |stream: &Stream| match trim.to {
        TrimTo::Length(most) => stream.len() > most,
        TrimTo::From(least) => stream.nodes().next().is_some_and(|node| node.id() < least),
    };
    if !ctx.peek::<Stream>(key).is_ok_and(|stream| stream.is_some_and(is_needed)) {
        return 0;
    }
    let trimmed = ctx.write::<Stream>(key).ok().flatten().map_or(0, |stream| stream.trim(trim));
    ctx.modified_unwatched(key);
    if trimmed > 0 {
        ctx.notify(Notify::STREAM, "xtrim", key);
    }
    trimmed
}

/// The trimming options of `XADD` and `XTRIM`.
#[derive(Default)]
pub(super) struct Options {
    to: Option<TrimTo>,
    is_approximate: bool,
    limit: Option<usize>,
}

impl Options {
    /// Parses the trimming option at word `at`, if there is one; returns its number of words.
    pub(super) fn take(&mut self, ctx: &Ctx<'_>, at: usize) -> Result<Option<usize>, Error> {
        let behind = ctx.args_from(at.saturating_add(1)).len();
        let next = at.saturating_add(1);
        if behind == 0 {
            return Ok(None);
        }
        if ctx.is_word(at, "LIMIT") {
            let limit = usize::try_from(ctx.int(next)?);
            self.limit = Some(limit.map_err(|_| Error::Text("ERR The LIMIT argument must be >= 0."))?);
            return Ok(Some(2));
        }
        let is_by_length = ctx.is_word(at, "MAXLEN");
        if !is_by_length && !ctx.is_word(at, "MINID") {
            return Ok(None);
        }
        if self.to.is_some() {
            let text = "ERR syntax error, MAXLEN and MINID options at the same time are not compatible";
            return Err(Error::Text(text));
        }
        self.is_approximate = behind >= 2 && ctx.is_word(next, "~");
        let has_operator = self.is_approximate || behind >= 2 && ctx.is_word(next, "=");
        let threshold = next.saturating_add(usize::from(has_operator));
        self.to = Some(if is_by_length {
            let most = usize::try_from(ctx.int(threshold)?);
            TrimTo::Length(most.map_err(|_| Error::Text("ERR The MAXLEN argument must be >= 0."))?)
        } else {
            TrimTo::From(id(ctx, threshold)?)
        });
        Ok(Some(if has_operator { 3 } else { 2 }))
    }

    /// Combines the parsed options.
    pub(super) fn finish(&self, ctx: &Ctx<'_>) -> Result<Option<Trim>, Error> {
        let Some(to) = self.to else {
            if self.limit.is_some_and(|limit| limit > 0) {
                let text = "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy";
                return Err(Error::Text(text));
            }
            if self.limit.is_some() && ctx.command.name != "xtrim" {
                return Err(NO_TILDE);
            }
            return Ok(None);
        };
        if self.limit.is_some() && !self.is_approximate {
            return Err(NO_TILDE);
        }
        let limit = match self.limit {
            // Trimming a large stream completely would take too long in one call.
            None if self.is_approximate => Some(default_limit(ctx.limits().stream_node_max_entries)),
            limit => limit.filter(|limit| *limit > 0),
        };
        Ok(Some(Trim { to, is_approximate: self.is_approximate, limit }))
    }
}

const NO_TILDE: Error = Error::Text("ERR syntax error, LIMIT cannot be used without the special ~ option");

/// Most entries that an approximate trim removes: a hundred full nodes.
fn default_limit(node_max_entries: usize) -> usize {
    // Redis multiplies with signed 64-bit integers; a product that overflows to a value of 0 or
    // less is not used as the limit.
    let entries = i64::try_from(node_max_entries).unwrap_or(i64::MAX).wrapping_mul(100);
    usize::try_from(entries).ok().filter(|entries| *entries > 0).unwrap_or(10_000).min(1_000_000)
}
