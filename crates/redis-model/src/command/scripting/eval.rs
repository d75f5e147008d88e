//! `EVAL`, `EVALSHA`, `FCALL` and their `_RO` forms: what to run, with which keys and arguments. `crate::script` runs it.
use bytes::Bytes;

use crate::command::{Begin, Command, Find, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error,
    monitor::Source,
    script::{SHA_LEN, ScriptFlags, Scripts, Task},
    value::number,
};

/// The second argument is the number of keys; a script may write to them.
const KEYS: &[KeySpec] = &[KeySpec {
    notes: "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE",
    flags: KeyFlags::MODIFY,
    begin: Begin::Index(2),
    find: Find::Keynum { index: 0, first: 1, step: 1 },
}];

/// The same for a script that only reads.
const KEYS_READ: &[KeySpec] = &[KeySpec {
    notes: "We cannot tell how the keys will be used so we assume the worst, RO and ACCESS",
    flags: KeyFlags::READ,
    begin: Begin::Index(2),
    find: Find::Keynum { index: 0, first: 1, step: 1 },
}];

pub(super) const EVAL: Command = Command {
    name: "eval",
    summary: "Execute a Lua script server side",
    since: "2.6.0",
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: KEYS,
    syntax: "script numkeys:int [key#0...] [arg...]",
    run: Run::Call(eval),
    ..Command::of(Group::Scripting)
};
pub(super) const EVAL_RO: Command = Command {
    name: "eval_ro",
    summary: "Execute a read-only Lua script server side",
    since: "7.0.0",
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: KEYS_READ,
    syntax: "script numkeys:int [key#0...] [arg...]",
    run: Run::Call(eval),
    ..Command::of(Group::Scripting)
};
fn eval(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    show(ctx);
    let text = ctx.arg(1);
    let (keys, args) = keys_and_args(ctx, ctx.int(2)?)?;
    let script = ctx.server.cache_script(text)?;
    let task = Task::script(&script, keys, args, is_to_read(ctx));
    ctx.server.run_script(ctx.client, ctx.argv, task)
}

pub(super) const EVALSHA: Command = Command {
    name: "evalsha",
    summary: "Execute a Lua script server side",
    since: "2.6.0",
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: &[KeySpec::counted(2, KeyFlags::MODIFY)],
    syntax: "sha1 numkeys:int [key#0...] [arg...]",
    run: Run::Call(evalsha),
    ..Command::of(Group::Scripting)
};
pub(super) const EVALSHA_RO: Command = Command {
    name: "evalsha_ro",
    summary: "Execute a read-only Lua script server side",
    since: "7.0.0",
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: &[KeySpec::counted(2, KeyFlags::READ)],
    syntax: "sha1 numkeys:int [key#0...] [arg...]",
    run: Run::Call(evalsha),
    ..Command::of(Group::Scripting)
};
fn evalsha(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    const NO_SCRIPT: Error = Error::Text("NOSCRIPT No matching script. Please use EVAL.");
    show(ctx);
    if ctx.arg(1).len() != SHA_LEN {
        return Err(NO_SCRIPT);
    }
    let (keys, args) = keys_and_args(ctx, ctx.int(2)?)?;
    let script = ctx.server.scripts.cached(ctx.arg(1)).ok_or(NO_SCRIPT)?;
    let task = Task::script(script, keys, args, is_to_read(ctx));
    ctx.server.run_script(ctx.client, ctx.argv, task)
}

pub(super) const FCALL: Command = Command {
    name: "fcall",
    summary: "Invoke a function",
    since: "7.0.0",
    complexity: "Depends on the function that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: KEYS,
    syntax: "function numkeys:int [key#0...] [arg...]",
    run: Run::Call(fcall),
    ..Command::of(Group::Scripting)
};
pub(super) const FCALL_RO: Command = Command {
    name: "fcall_ro",
    summary: "Invoke a read-only function",
    since: "7.0.0",
    complexity: "Depends on the function that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE).union(Flags::SKIP_MONITOR).union(Flags::NO_MANDATORY_KEYS)),
    keys: KEYS_READ,
    syntax: "function numkeys:int [key#0...] [arg...]",
    run: Run::Call(fcall),
    ..Command::of(Group::Scripting)
};
fn fcall(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    show(ctx);
    let library = ctx.server.scripts.library_of(ctx.arg(1)).ok_or(NO_FUNCTION)?;
    let function = library.function(ctx.arg(1)).ok_or(NO_FUNCTION)?;
    let numkeys = number::parse_i64(ctx.arg(2)).ok_or(Error::Text("ERR Bad number of keys provided"))?;
    let (keys, args) = keys_and_args(ctx, numkeys)?;
    let task = Task::function(library, function, keys, args, is_to_read(ctx));
    ctx.server.run_script(ctx.client, ctx.argv, task)
}

const NO_FUNCTION: Error = Error::Text("ERR Function not found");

/// Shows the call to monitors before the commands that it runs.
fn show(ctx: &mut Ctx<'_>) {
    ctx.server.show_to_monitors(ctx.client, ctx.command, ctx.argv, Source::Client);
}

fn is_to_read(ctx: &Ctx<'_>) -> bool {
    ctx.command.flags.contains(Flags::READONLY)
}

/// Splits the words after the number of keys into keys and arguments.
fn keys_and_args<'a>(ctx: &Ctx<'a>, numkeys: i64) -> Result<(&'a [Bytes], &'a [Bytes]), Error> {
    let words = ctx.args_from(3);
    if numkeys < 0 {
        return Err(Error::Text("ERR Number of keys can't be negative"));
    }
    usize::try_from(numkeys).ok().and_then(|numkeys| words.split_at_checked(numkeys)).ok_or(Error::TooManyKeys)
}

/// The flags of the script or function that a call runs; `None` if it is unknown or the call runs none.
pub(crate) fn script_flags(scripts: &Scripts, row: &Command, argv: &[Bytes]) -> Option<ScriptFlags> {
    let word = argv.get(1)?;
    match row.name {
        "eval" | "eval_ro" => ScriptFlags::of_script(word).ok(),
        "evalsha" | "evalsha_ro" => scripts.cached(word).map(|script| script.flags),
        "fcall" | "fcall_ro" => scripts.library_of(word)?.function(word).map(|function| function.flags),
        _ => None,
    }
}
