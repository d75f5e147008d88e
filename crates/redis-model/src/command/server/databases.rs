//! Databases as a whole, and the clock: `DBSIZE FLUSHALL FLUSHDB SWAPDB TIME`.
use resp::Value;

use crate::command::{Categories, Command, Flags, Group, Run};
use crate::{Answer, Ctx, Error, Output, Server};

pub(super) const DBSIZE: Command = Command {
    name: "dbsize",
    summary: "Return the number of keys in the selected database",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::FAST_READ,
    categories: Categories::KEYSPACE,
    tips: &["request_policy:all_shards", "response_policy:agg_sum"],
    run: Run::Call(dbsize),
    ..Command::of(Group::Server)
};
fn dbsize(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.db().len()))
}

pub(super) const FLUSHDB: Command = Command {
    name: "flushdb",
    summary: "Remove all keys from the current database",
    since: "1.0.0",
    complexity: "O(N) where N is the number of keys in the selected database",
    arity: -1,
    flags: Flags::WRITE,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    history: &[
        ("4.0.0", "Added the `ASYNC` flushing mode modifier."),
        ("6.2.0", "Added the `SYNC` flushing mode modifier."),
    ],
    syntax: "[async(ASYNC@4.0.0|SYNC@6.2.0)]",
    run: Run::Call(flushdb),
    ..Command::of(Group::Server)
};
fn flushdb(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_lazy = is_flush_lazy(ctx)?;
    let db = ctx.db_index();
    ctx.server.flush(db, is_lazy);
    Ok(Answer::OK)
}

pub(super) const FLUSHALL: Command = Command {
    name: "flushall",
    summary: "Remove all keys from all databases",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of keys in all databases",
    arity: -1,
    flags: Flags::WRITE,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    history: &[
        ("4.0.0", "Added the `ASYNC` flushing mode modifier."),
        ("6.2.0", "Added the `SYNC` flushing mode modifier."),
    ],
    syntax: "[async(ASYNC@4.0.0|SYNC@6.2.0)]",
    run: Run::Call(flushall),
    ..Command::of(Group::Server)
};
fn flushall(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_lazy = is_flush_lazy(ctx)?;
    for db in 0..ctx.server.databases().len() {
        ctx.server.flush(db, is_lazy);
    }
    Ok(Answer::OK)
}

/// Parses `SYNC` or `ASYNC`: does another thread free the memory? That is the only difference.
fn is_flush_lazy(ctx: &Ctx<'_>) -> Result<bool, Error> {
    match ctx.args_from(1) {
        [] => Ok(ctx.server.config.shown_by_name("lazyfree-lazy-user-flush") == "yes"),
        [mode] if mode.eq_ignore_ascii_case(b"sync") => Ok(false),
        [mode] if mode.eq_ignore_ascii_case(b"async") => Ok(true),
        _ => Err(Error::Syntax),
    }
}

pub(super) const SWAPDB: Command = Command {
    name: "swapdb",
    summary: "Swaps two Redis databases",
    since: "4.0.0",
    complexity: "O(N) where N is the count of clients watching or blocking on keys from both databases.",
    arity: 3,
    flags: Flags::FAST_WRITE,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    syntax: "index1:int index2:int",
    run: Run::Call(swapdb),
    ..Command::of(Group::Server)
};
fn swapdb(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let index = |i: usize, refusal| ctx.int(i).ok().and_then(|n| i32::try_from(n).ok()).ok_or(Error::Text(refusal));
    let first = index(1, "ERR invalid first DB index")?;
    let second = index(2, "ERR invalid second DB index")?;
    let databases = ctx.server.databases().len();
    let known = |n: i32| usize::try_from(n).ok().filter(|n| *n < databases).ok_or(Error::DbIndexOutOfRange);
    let (first, second) = (known(first)?, known(second)?);
    ctx.server.swap(first, second);
    Ok(Answer::OK)
}

pub(super) const TIME: Command = Command {
    name: "time",
    summary: "Return the current server time",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    tips: &["nondeterministic_output"],
    run: Run::Call(time),
    ..Command::of(Group::Server)
};
fn time(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (seconds, micros) = (ctx.now_ms() / 1000, (ctx.now_ms() % 1000).saturating_mul(1000));
    Ok(Value::Array(vec![Value::bulk(seconds.to_string()), Value::bulk(micros.to_string())]).into())
}

impl Server {
    /// Empties a database. There is no keyspace event for this; only watching clients are affected.
    fn flush(&mut self, index: usize, is_lazy: bool) {
        self.touch_all_watched(index, None);
        let Some(db) = self.databases.get_mut(index).filter(|db| !db.is_empty()) else { return };
        self.stats.changes = self.stats.changes.saturating_add(db.len() as u64);
        if is_lazy {
            self.stats.lazyfreed_objects = self.stats.lazyfreed_objects.saturating_add(db.len() as u64);
        }
        db.clear();
        self.signal_all_awaited(index);
        self.outputs.push(Output::Flushed { db: index });
    }

    /// Exchanges the keys of two databases. Clients stay in the database with the same number, so keys that they watch or wait for may
    /// change.
    fn swap(&mut self, first: usize, second: usize) {
        // Earlier changes of the running transaction are reported and counted under the old database number.
        self.report_changes();
        self.stats.changes = self.stats.changes.saturating_add(1);
        if first == second {
            return;
        }
        self.touch_all_watched(first, Some(second));
        self.touch_all_watched(second, Some(first));
        let (low, high) = (first.min(second), first.max(second));
        let Some((head, tail)) = self.databases.split_at_mut_checked(high) else { return };
        if let (Some(low), Some(high)) = (head.get_mut(low), tail.first_mut()) {
            low.swap_keys(high);
        }
        if low < self.used_databases {
            self.used_databases = self.used_databases.max(high.saturating_add(1));
        }
        self.signal_all_awaited(first);
        self.signal_all_awaited(second);
        self.outputs.push(Output::Swapped { first, second });
    }
}
