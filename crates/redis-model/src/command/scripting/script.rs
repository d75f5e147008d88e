//! `SCRIPT`: the script cache, and killing a running script.
use bytes::Bytes;
use resp::Value;

use crate::command::{Categories, Command, Flags, Group, Run, help};
use crate::{Answer, Ctx, Error};

pub(super) const SCRIPT: Command = Command {
    name: "script",
    summary: "A container for Lua scripts management commands",
    since: "2.6.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[SCRIPT_DEBUG, SCRIPT_EXISTS, SCRIPT_FLUSH, SCRIPT_HELP, SCRIPT_KILL, SCRIPT_LOAD],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Scripting)
};
const SCRIPT_LOAD: Command = Command {
    name: "load",
    summary: "Load the specified Lua script into the script cache.",
    since: "2.6.0",
    complexity: "O(N) with N being the length in bytes of the script body.",
    arity: 3,
    flags: Flags::NOSCRIPT.union(Flags::STALE),
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    syntax: "script",
    run: Run::Call(script_load),
    ..Command::within("script", Group::Scripting)
};
fn script_load(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let sha = ctx.server.cache_script(ctx.arg(2))?.sha.clone();
    Ok(Value::Bulk(sha).into())
}

const SCRIPT_EXISTS: Command = Command {
    name: "exists",
    summary: "Check existence of scripts in the script cache.",
    since: "2.6.0",
    complexity: "O(N) with N being the number of scripts to check (so checking a single script is an O(1) operation).",
    arity: -3,
    flags: Flags::NOSCRIPT,
    tips: &["request_policy:all_shards", "response_policy:agg_logical_and"],
    syntax: "sha1...",
    run: Run::Call(script_exists),
    ..Command::within("script", Group::Scripting)
};
fn script_exists(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_cached = |sha: &Bytes| Value::flag(ctx.server.scripts.cached(sha).is_some());
    Ok(Value::Array(ctx.args_from(2).iter().map(is_cached).collect()).into())
}

const SCRIPT_FLUSH: Command = Command {
    name: "flush",
    summary: "Remove all the scripts from the script cache.",
    since: "2.6.0",
    complexity: "O(N) with N being the number of scripts in cache",
    arity: -2,
    flags: Flags::NOSCRIPT,
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    history: &[("6.2.0", "Added the `ASYNC` and `SYNC` flushing mode modifiers.")],
    syntax: "[async(ASYNC|SYNC)@6.2.0]",
    run: Run::Call(script_flush),
    ..Command::within("script", Group::Scripting)
};
fn script_flush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    match ctx.args_from(2) {
        [] => {}
        [how] if is_flush_mode(how) => {}
        _ => return Err(Error::Text("ERR SCRIPT FLUSH only support SYNC|ASYNC option")),
    }
    ctx.server.scripts_mut().flush_cache();
    Ok(Answer::OK)
}

/// Is the word `SYNC` or `ASYNC`? Both do the same here, because flushing takes no virtual time.
pub(super) fn is_flush_mode(word: &Bytes) -> bool {
    word.eq_ignore_ascii_case(b"sync") || word.eq_ignore_ascii_case(b"async")
}

const SCRIPT_KILL: Command = Command {
    name: "kill",
    summary: "Kill the script currently in execution.",
    since: "2.6.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    tips: &["request_policy:all_shards", "response_policy:one_succeeded"],
    run: Run::Call(script_kill),
    ..Command::within("script", Group::Scripting)
};
fn script_kill(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.kill_script(false)?;
    Ok(Answer::OK)
}

const SCRIPT_DEBUG: Command = Command {
    name: "debug",
    summary: "Set the debug mode for executed scripts.",
    since: "3.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::NOSCRIPT,
    syntax: "mode(YES|SYNC|NO)",
    run: Run::Call(script_debug),
    ..Command::within("script", Group::Scripting)
};
/// The Redis debugger uses its own protocol on the connection; only switching it off is modelled.
fn script_debug(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    match ctx.arg(2).to_ascii_lowercase().as_slice() {
        b"no" => Ok(Answer::OK),
        b"yes" | b"sync" => Err(Error::NotModelled("script debug yes".to_owned())),
        _ => Err(Error::Text("ERR Use SCRIPT DEBUG YES/SYNC/NO")),
    }
}

const SCRIPT_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(script_help),
    ..Command::within("script", Group::Scripting)
};
fn script_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "DEBUG (YES|SYNC|NO)",
            "    Set the debug mode for subsequent scripts executed.",
            "EXISTS <sha1> [<sha1> ...]",
            "    Return information about the existence of the scripts in the script cache.",
            "FLUSH [ASYNC|SYNC]",
            "    Flush the Lua scripts cache. Very dangerous on replicas.",
            "    When called without the optional mode argument, the behavior is determined by the",
            "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
            "    * ASYNC: Asynchronously flush the scripts cache.",
            "    * SYNC: Synchronously flush the scripts cache.",
            "KILL",
            "    Kill the currently executing Lua script.",
            "LOAD <script>",
            "    Load a script into the scripts cache without executing it.",
        ],
    ))
}
