//! Renaming, moving and copying keys: `RENAME RENAMENX MOVE COPY`; and moving them between servers, which is not modelled.
use bytes::Bytes;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::command::{Begin, Find};
use crate::{Answer, Ctx, Entry, Error, Notify, lazyfree::Freeing, value::Value};

pub(super) const RENAME: Command = Command {
    name: "rename",
    summary: "Rename a key",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::OVERWRITE)],
    syntax: "key#0 newkey#1",
    run: Run::Call(rename),
    ..Command::of(Group::Generic)
};

fn rename(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    rename_unless(ctx, false)?;
    Ok(Answer::OK)
}

pub(super) const RENAMENX: Command = Command {
    name: "renamenx",
    summary: "Rename a key, only if the new key does not exist",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_WRITE,
    history: &[("3.2.0", "The command no longer returns an error when source and destination names are the same.")],
    keys: &[KeySpec::one(1, KeyFlags::TAKE), KeySpec::one(2, KeyFlags::OW.union(KeyFlags::INSERT))],
    syntax: "key#0 newkey#1",
    run: Run::Call(renamenx),
    ..Command::of(Group::Generic)
};

fn renamenx(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::flag(rename_unless(ctx, true)?))
}

/// Renames a key, unless `must_be_free` and the new name exists. Returns true if it renamed the key.
fn rename_unless(ctx: &mut Ctx<'_>, must_be_free: bool) -> Result<bool, Error> {
    let (from, to) = (ctx.arg(1), ctx.arg(2));
    if !ctx.exists(from) {
        return Err(Error::NoSuchKey);
    }
    if from == to || must_be_free && ctx.exists(to) {
        return Ok(!must_be_free);
    }
    let db = ctx.db_index();
    relocate(ctx, (db, from), (db, to));
    ctx.notify(Notify::GENERIC, "rename_from", from);
    ctx.notify(Notify::GENERIC, "rename_to", to);
    Ok(true)
}

/// Moves a value with its TTL to another key or database, replacing the value there.
fn relocate(ctx: &mut Ctx<'_>, (from_db, from): (usize, &Bytes), (to_db, to): (usize, &Bytes)) {
    let Some(Entry { value, expires_ms, access, .. }) = ctx.server.take(from_db, from) else { return };
    place(ctx, to_db, to, value, expires_ms);
    ctx.server.set_access(to_db, to, access);
    ctx.server.modified(from_db, from);
    ctx.server.modified(to_db, to);
}

/// Stores a value with its TTL as a new key: clients that wait for the key are woken.
fn place(ctx: &mut Ctx<'_>, db: usize, key: &Bytes, value: Value, expires_ms: Option<u64>) {
    ctx.server.expire_if_due(db, key);
    ctx.server.free(db, key, Freeing::Server);
    ctx.server.put(db, key, value);
    if let Some(db) = ctx.server.databases.get_mut(db) {
        db.set_expires(key, expires_ms);
    }
}

/// Parses word `i` as a database number.
fn database(ctx: &Ctx<'_>, i: usize) -> Result<usize, Error> {
    let number = i32::try_from(ctx.int(i)?);
    let number = number.map_err(|_| Error::OutOfRangeBetween(i32::MIN.into(), i32::MAX.into()))?;
    let number = usize::try_from(number).map_err(|_| Error::DbIndexOutOfRange)?;
    if number < ctx.server.databases.len() { Ok(number) } else { Err(Error::DbIndexOutOfRange) }
}

pub(super) const MOVE: Command = Command {
    name: "move",
    summary: "Move a key to another database",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::FAST_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::MODIFY)],
    syntax: "key#0 db:int",
    run: Run::Call(move_),
    ..Command::of(Group::Generic)
};

fn move_(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let key = ctx.arg(1);
    let (from, to) = (ctx.db_index(), database(ctx, 2)?);
    if from == to {
        return Err(Error::SameObject);
    }
    if !ctx.exists(key) || ctx.server.peek(to, key).is_some() {
        return Ok(Answer::flag(false));
    }
    relocate(ctx, (from, key), (to, key));
    ctx.server.notify(Notify::GENERIC, "move_from", from, key);
    ctx.server.notify(Notify::GENERIC, "move_to", to, key);
    Ok(Answer::flag(true))
}

pub(super) const COPY: Command = Command {
    name: "copy",
    summary: "Copy a key",
    since: "6.2.0",
    complexity: "O(N) worst case for collections, where N is the number of nested items. O(1) for string values.",
    arity: -3,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(1, KeyFlags::READ), KeySpec::one(2, KeyFlags::OVERWRITE)],
    syntax: "source#0 destination#1 [DB=destination-db:int] [REPLACE]",
    run: Run::Call(copy),
    ..Command::of(Group::Generic)
};

fn copy(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (from, to) = (ctx.arg(1), ctx.arg(2));
    let options = CopyOptions::parse(ctx)?;
    if options.db == ctx.db_index() && from == to {
        return Err(Error::SameObject);
    }
    let Some(value) = ctx.read_any(from).map(Value::copied) else { return Ok(Answer::flag(false)) };
    let expires_ms = ctx.db().expires_ms(from);
    if ctx.server.peek(options.db, to).is_some() && !options.replaces {
        return Ok(Answer::flag(false));
    }
    place(ctx, options.db, to, value, expires_ms);
    ctx.server.modified(options.db, to);
    ctx.server.notify(Notify::GENERIC, "copy_to", options.db, to);
    Ok(Answer::flag(true))
}

struct CopyOptions {
    db: usize,
    replaces: bool,
}

impl CopyOptions {
    fn parse(ctx: &Ctx<'_>) -> Result<CopyOptions, Error> {
        let mut options = CopyOptions { db: ctx.db_index(), replaces: false };
        let mut at = 3;
        while at < ctx.argv.len() {
            let next: usize = at.saturating_add(1);
            if ctx.is_word(at, "REPLACE") {
                options.replaces = true;
                at = next;
            } else if ctx.is_word(at, "DB") && next < ctx.argv.len() {
                options.db = database(ctx, next)?;
                at = next.saturating_add(1);
            } else {
                return Err(Error::Syntax);
            }
        }
        Ok(options)
    }
}

pub(super) const DUMP: Command = Command {
    name: "dump",
    summary: "Return a serialized version of the value stored at the specified key.",
    since: "2.6.0",
    complexity: "O(1) to access the key and additional O(N*M) to serialize it, where N is the number of Redis objects composing the value and M their average size. For small string values the time complexity is thus O(1)+O(1*M) where M is small, so simply O(1).",
    arity: 2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0",
    run: Run::NotModelled,
    ..Command::of(Group::Generic)
};

pub(super) const RESTORE: Command = Command {
    name: "restore",
    summary: "Create a key using the provided serialized value, previously obtained using DUMP.",
    since: "2.6.0",
    complexity: "O(1) to create the new key and additional O(N*M) to reconstruct the serialized value, where N is the number of Redis objects composing the value and M their average size. For small string values the time complexity is thus O(1)+O(1*M) where M is small, so simply O(1). However for sorted set values the complexity is O(N*M*log(N)) because inserting values into sorted sets is O(log(N)).",
    arity: -4,
    flags: Flags::GROWING_WRITE,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    history: &[
        ("3.0.0", "Added the `REPLACE` modifier."),
        ("5.0.0", "Added the `ABSTTL` modifier."),
        ("5.0.0", "Added the `IDLETIME` and `FREQ` options."),
    ],
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE)],
    syntax: "key#0 ttl:int serialized-value [REPLACE@3.0.0] [ABSTTL@5.0.0] [IDLETIME=seconds:int@5.0.0] \
        [FREQ=frequency:int@5.0.0]",
    run: Run::NotModelled,
    ..Command::of(Group::Generic)
};

pub(super) const MIGRATE: Command = Command {
    name: "migrate",
    summary: "Atomically transfer a key from a Redis instance to another one.",
    since: "2.6.0",
    complexity: "This command actually executes a DUMP+DEL in the source instance, and a RESTORE in the target instance. See the pages of these commands for time complexity. Also an O(N) data transfer between the two instances is performed.",
    arity: -6,
    flags: Flags::WRITE,
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    tips: &["nondeterministic_output"],
    history: &[
        ("3.0.0", "Added the `COPY` and `REPLACE` options."),
        ("3.0.6", "Added the `KEYS` option."),
        ("4.0.7", "Added the `AUTH` option."),
        ("6.0.0", "Added the `AUTH2` option."),
    ],
    keys: &[
        KeySpec::one(3, KeyFlags::TAKE),
        KeySpec {
            notes: "",
            flags: KeyFlags::TAKE.union(KeyFlags::INCOMPLETE),
            begin: Begin::Keyword("KEYS", -2),
            find: Find::Range { last: -1, step: 1, limit: 0 },
        },
    ],
    syntax: "host port:int key_or_empty_string(key#0|empty_string:flag) destination-db:int timeout:int [COPY@3.0.0] \
        [REPLACE@3.0.0] [authentication([AUTH=password@4.0.7]|[AUTH2=username_password{username password}@6.0.0])] \
        [KEYS=key#1...@3.0.6]",
    run: Run::NotModelled,
    ..Command::of(Group::Generic)
};
