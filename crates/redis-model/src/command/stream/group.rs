//! Consumer groups and their consumers: `XGROUP`.
use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run, id, id_or_end, no_group_of};
use crate::command::help;
use crate::{Answer, Ctx, Error, Notify, Typed, value::stream::Stream};

pub(super) const XGROUP: Command = Command {
    name: "xgroup",
    summary: "A container for consumer groups commands",
    since: "5.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[XGROUP_CREATE, XGROUP_CREATECONSUMER, XGROUP_DELCONSUMER, XGROUP_DESTROY, XGROUP_HELP, XGROUP_SETID],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Stream)
};
const XGROUP_CREATE: Command = Command {
    name: "create",
    summary: "Create a consumer group.",
    since: "5.0.0",
    complexity: "O(1)",
    arity: -5,
    flags: Flags::GROWING_WRITE,
    history: &[("7.0.0", "Added the `entries_read` named argument.")],
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 groupname id(id|$=new_id:flag) [MKSTREAM] [ENTRIESREAD=entries_read:int]",
    run: Run::Call(xgroup_create),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_create(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let options = Options::parse(ctx, true)?;
    let (key, group) = (ctx.arg(2), ctx.arg(3));
    let found = ctx.peek::<Stream>(key)?.map(|stream| (stream.last_id(), stream.group(group).is_some()));
    if found.is_none() && !options.makes_stream {
        return Err(NO_KEY);
    }
    if ctx.argv.len() > 8 {
        return Err(Error::subcommand_syntax(ctx.argv));
    }
    let (top, is_taken) = found.unwrap_or_default();
    let last_id = if ctx.is_word(4, "$") { top } else { id(ctx, 4)? };
    if is_taken {
        return Err(Error::Text("BUSYGROUP Consumer Group name already exists"));
    }
    if found.is_none() {
        ctx.add(key, Stream::new().wrap());
        ctx.modified(key);
    }
    if let Some(stream) = ctx.write::<Stream>(key)? {
        stream.create_group(group, last_id, options.entries_read);
    }
    changed(ctx, "xgroup-create");
    Ok(Answer::OK)
}

/// Sends an event about a group. The stream itself has not changed, so clients that watch it are
/// not affected.
fn changed(ctx: &mut Ctx<'_>, event: &'static str) {
    let key = ctx.arg(2);
    ctx.modified_unwatched(key);
    ctx.reply_stands_here();
    ctx.notify(Notify::STREAM, event, key);
}

const NO_KEY: Error = Error::Text(
    "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.",
);

/// The options of `CREATE` and `SETID`.
#[derive(Default)]
struct Options {
    makes_stream: bool,
    entries_read: Option<i64>,
}

impl Options {
    fn parse(ctx: &Ctx<'_>, is_create: bool) -> Result<Options, Error> {
        let mut options = Options::default();
        let mut at: usize = 5;
        while at < ctx.argv.len() {
            let value = at.saturating_add(1);
            if is_create && ctx.is_word(at, "MKSTREAM") {
                options.makes_stream = true;
                at = value;
            } else if ctx.is_word(at, "ENTRIESREAD") && value < ctx.argv.len() {
                let read = ctx.int(value)?;
                if read < -1 {
                    return Err(Error::Text("ERR value for ENTRIESREAD must be positive or -1"));
                }
                options.entries_read = Some(read).filter(|read| *read >= 0);
                at = value.saturating_add(1);
            } else {
                return Err(Error::subcommand_syntax(ctx.argv));
            }
        }
        Ok(options)
    }
}

const XGROUP_SETID: Command = Command {
    name: "setid",
    summary: "Set a consumer group to an arbitrary last delivered ID value.",
    since: "5.0.0",
    complexity: "O(1)",
    arity: -5,
    flags: Flags::WRITE,
    history: &[("7.0.0", "Added the optional `entries_read` argument.")],
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 groupname id(id|$=new_id:flag) [ENTRIESREAD=entries_read:int]",
    run: Run::Call(xgroup_setid),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_setid(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let options = Options::parse(ctx, false)?;
    let top = stream_with_group(ctx)?.last_id();
    if !matches!(ctx.argv.len(), 5 | 7) {
        return Err(Error::subcommand_syntax(ctx.argv));
    }
    // Unlike in other commands, `-` and `+` are valid ids here.
    let last_id = if ctx.is_word(4, "$") { top } else { id_or_end(ctx.arg(4), 0)? };
    let (key, group) = (ctx.arg(2), ctx.arg(3));
    if let Some(stream) = ctx.write::<Stream>(key)? {
        stream.set_group(group, last_id, options.entries_read);
    }
    changed(ctx, "xgroup-setid");
    Ok(Answer::OK)
}

/// The stream at word 2, which must exist and have the group of word 3.
fn stream_with_group<'c>(ctx: &'c mut Ctx<'_>) -> Result<&'c Stream, Error> {
    let (key, group) = (ctx.arg(2), ctx.arg(3));
    let stream = ctx.peek::<Stream>(key)?.ok_or(NO_KEY)?;
    if stream.group(group).is_some() { Ok(stream) } else { Err(no_group_of(key, group)) }
}

const XGROUP_DESTROY: Command = Command {
    name: "destroy",
    summary: "Destroy a consumer group.",
    since: "5.0.0",
    complexity: "O(N) where N is the number of entries in the group's pending entries list (PEL).",
    arity: 4,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 groupname",
    run: Run::Call(xgroup_destroy),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_destroy(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group) = (ctx.arg(2), ctx.arg(3));
    let stream = ctx.peek::<Stream>(key)?.ok_or(NO_KEY)?;
    if stream.group(group).is_none() {
        return Ok(Answer::flag(false));
    }
    if let Some(stream) = ctx.write::<Stream>(key)? {
        stream.destroy_group(group);
    }
    changed(ctx, "xgroup-destroy");
    // Clients that wait in this group must be notified that it is gone.
    let db = ctx.db_index();
    ctx.server.signal_ready(db, key);
    Ok(Answer::flag(true))
}

const XGROUP_CREATECONSUMER: Command = Command {
    name: "createconsumer",
    summary: "Create a consumer in a consumer group.",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 5,
    flags: Flags::GROWING_WRITE,
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::INSERT))],
    syntax: "key#0 groupname consumername",
    run: Run::Call(xgroup_createconsumer),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_createconsumer(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group, consumer) = (ctx.arg(2), ctx.arg(3), ctx.arg(4));
    let stream = stream_with_group(ctx)?;
    if stream.group(group).is_some_and(|group| group.consumer(consumer).is_some()) {
        return Ok(Answer::flag(false));
    }
    let now_ms = ctx.now_ms();
    if let Some(stream) = ctx.write::<Stream>(key)? {
        stream.create_consumer(group, consumer, now_ms);
    }
    ctx.modified_unwatched(key);
    ctx.notify(Notify::STREAM, "xgroup-createconsumer", key);
    Ok(Answer::flag(true))
}

const XGROUP_DELCONSUMER: Command = Command {
    name: "delconsumer",
    summary: "Delete a consumer from a consumer group.",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 5,
    flags: Flags::WRITE,
    keys: &[KeySpec::one(2, KeyFlags::RW.union(KeyFlags::DELETE))],
    syntax: "key#0 groupname consumername",
    run: Run::Call(xgroup_delconsumer),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_delconsumer(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (key, group, consumer) = (ctx.arg(2), ctx.arg(3), ctx.arg(4));
    let stream = stream_with_group(ctx)?;
    if stream.group(group).is_none_or(|group| group.consumer(consumer).is_none()) {
        return Ok(Answer::flag(false));
    }
    let pending = ctx.write::<Stream>(key)?.and_then(|stream| stream.remove_consumer(group, consumer));
    ctx.modified_unwatched(key);
    ctx.notify(Notify::STREAM, "xgroup-delconsumer", key);
    Ok(Answer::int(pending.unwrap_or(0)))
}

const XGROUP_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(xgroup_help),
    ..Command::within("xgroup", Group::Stream)
};
fn xgroup_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "CREATE <key> <groupname> <id|$> [option]",
            "    Create a new consumer group. Options are:",
            "    * MKSTREAM",
            "      Create the empty stream if it does not exist.",
            "    * ENTRIESREAD entries_read",
            "      Set the group's entries_read counter (internal use).",
            "CREATECONSUMER <key> <groupname> <consumer>",
            "    Create a new consumer in the specified group.",
            "DELCONSUMER <key> <groupname> <consumer>",
            "    Remove the specified consumer.",
            "DESTROY <key> <groupname>",
            "    Remove the specified group.",
            "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
            "    Set the current group ID and entries_read counter.",
        ],
    ))
}
