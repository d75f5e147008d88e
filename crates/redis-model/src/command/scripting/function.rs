//! `FUNCTION`: libraries of functions, and killing a running function.
use std::rc::Rc;

use resp::Value;

use super::function_list::{FUNCTION_LIST, FUNCTION_STATS};
use super::script::is_flush_mode;
use crate::command::{Categories, Command, Flags, Group, Run, help};
use crate::{
    Answer, Ctx, Error, Server,
    error::clipped,
    script::{Library, LibraryHead, from_payload, to_payload},
};

pub(super) const FUNCTION: Command = Command {
    name: "function",
    summary: "A container for function commands",
    since: "7.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        FUNCTION_DELETE,
        FUNCTION_DUMP,
        FUNCTION_FLUSH,
        FUNCTION_HELP,
        FUNCTION_KILL,
        FUNCTION_LIST,
        FUNCTION_LOAD,
        FUNCTION_RESTORE,
        FUNCTION_STATS,
    ],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Scripting)
};
const FUNCTION_LOAD: Command = Command {
    name: "load",
    summary: "Create a function with the given arguments (name, code, description)",
    since: "7.0.0",
    complexity: "O(1) (considering compilation time is redundant)",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::NOSCRIPT),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "[REPLACE] function-code",
    run: Run::Call(function_load),
    ..Command::within("function", Group::Scripting)
};
fn function_load(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (text, options) = ctx.args_from(2).split_last().ok_or(Error::Syntax)?;
    if let Some(option) = options.iter().find(|option| !option.eq_ignore_ascii_case(b"replace")) {
        // Redis removes line ends at the end of such an error and replaces those inside with
        // spaces.
        let option = option.trim_ascii_end();
        return Err(Error::Message(format!("ERR Unknown option given: {}", clipped(option, usize::MAX))));
    }
    let name = LibraryHead::of(text)?.name;
    if options.is_empty() && ctx.server.scripts.library(&name).is_some() {
        return Err(Error::Message(format!("ERR Library '{}' already exists", clipped(&name, usize::MAX))));
    }
    let functions = ctx.server.functions_of(text)?;
    let library = Library { name: name.clone(), text: text.clone(), functions };
    ctx.server.scripts_mut().add_library(Rc::new(library))?;
    ctx.server.count_change();
    Ok(Value::Bulk(name).into())
}

const FUNCTION_DELETE: Command = Command {
    name: "delete",
    summary: "Delete a function by name",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "library-name",
    run: Run::Call(function_delete),
    ..Command::within("function", Group::Scripting)
};
fn function_delete(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let name = ctx.arg(2);
    if !ctx.server.scripts_mut().delete_library(name) {
        return Err(Error::Text("ERR Library not found"));
    }
    ctx.server.count_change();
    Ok(Answer::OK)
}

const FUNCTION_FLUSH: Command = Command {
    name: "flush",
    summary: "Deleting all functions",
    since: "7.0.0",
    complexity: "O(N) where N is the number of functions deleted",
    arity: -2,
    flags: Flags::WRITE.union(Flags::NOSCRIPT),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "[async(ASYNC|SYNC)]",
    run: Run::Call(function_flush),
    ..Command::within("function", Group::Scripting)
};
fn function_flush(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    match ctx.args_from(2) {
        [] => {}
        [how] if is_flush_mode(how) => {}
        [_] => return Err(Error::Text("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")),
        _ => return Err(Error::subcommand_syntax(ctx.argv)),
    }
    ctx.server.scripts_mut().flush_libraries();
    ctx.server.count_change();
    Ok(Answer::OK)
}

const FUNCTION_DUMP: Command = Command {
    name: "dump",
    summary: "Dump all functions into a serialized binary payload",
    since: "7.0.0",
    complexity: "O(N) where N is the number of functions",
    arity: 2,
    flags: Flags::NOSCRIPT,
    run: Run::Call(function_dump),
    ..Command::within("function", Group::Scripting)
};
fn function_dump(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Bulk(to_payload(ctx.server.scripts.libraries().map(|library| &library.text))).into())
}

const FUNCTION_RESTORE: Command = Command {
    name: "restore",
    summary: "Restore all the functions on the given payload",
    since: "7.0.0",
    complexity: "O(N) where N is the number of functions on the payload",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::NOSCRIPT),
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "serialized-value [policy(FLUSH|APPEND|REPLACE)]",
    run: Run::Call(function_restore),
    ..Command::within("function", Group::Scripting)
};
fn function_restore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let policy = match ctx.args_from(3) {
        [] => Policy::Append,
        [word] => Policy::named(word)
            .ok_or(Error::Text("ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE."))?,
        _ => return Err(Error::subcommand_syntax(ctx.argv)),
    };
    let restored = restored(ctx.server, ctx.arg(2))?;
    // Works on a copy: if something is wrong, the current libraries stay unchanged.
    let mut scripts = ctx.server.scripts.clone();
    if policy == Policy::Flush {
        scripts.flush_libraries();
    }
    for library in &restored {
        if policy == Policy::Replace {
            scripts.delete_library(&library.name);
        } else if scripts.library(&library.name).is_some() {
            let name = clipped(&library.name, usize::MAX);
            return Err(Error::Message(format!("ERR Library {name} already exists")));
        }
    }
    for library in restored {
        scripts.add_library(library)?;
    }
    ctx.server.scripts = scripts;
    ctx.server.count_change();
    Ok(Answer::OK)
}

/// How `FUNCTION RESTORE` treats existing libraries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    Flush,
    Append,
    Replace,
}

impl Policy {
    fn named(word: &[u8]) -> Option<Policy> {
        match word.to_ascii_lowercase().as_slice() {
            b"flush" => Some(Policy::Flush),
            b"append" => Some(Policy::Append),
            b"replace" => Some(Policy::Replace),
            _ => None,
        }
    }
}

/// Loads all libraries of a payload.
fn restored(server: &mut Server, payload: &[u8]) -> Result<Vec<Rc<Library>>, Error> {
    let mut libraries: Vec<Rc<Library>> = Vec::new();
    for text in from_payload(payload)? {
        let name = LibraryHead::of(&text)?.name;
        if libraries.iter().any(|library| library.name == name) {
            return Err(Error::Message(format!("ERR Library '{}' already exists", clipped(&name, usize::MAX))));
        }
        let functions = server.functions_of(&text)?;
        libraries.push(Rc::new(Library { name, text, functions }));
    }
    Ok(libraries)
}

const FUNCTION_KILL: Command = Command {
    name: "kill",
    summary: "Kill the function currently in execution.",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    tips: &["request_policy:all_shards", "response_policy:one_succeeded"],
    run: Run::Call(function_kill),
    ..Command::within("function", Group::Scripting)
};
fn function_kill(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.kill_script(true)?;
    Ok(Answer::OK)
}

const FUNCTION_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(function_help),
    ..Command::within("function", Group::Scripting)
};
fn function_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "LOAD [REPLACE] <FUNCTION CODE>",
            "    Create a new library with the given library name and code.",
            "DELETE <LIBRARY NAME>",
            "    Delete the given library.",
            "LIST [LIBRARYNAME PATTERN] [WITHCODE]",
            "    Return general information on all the libraries:",
            "    * Library name",
            "    * The engine used to run the Library",
            "    * Library description",
            "    * Functions list",
            "    * Library code (if WITHCODE is given)",
            "    It also possible to get only function that matches a pattern using LIBRARYNAME argument.",
            "STATS",
            "    Return information about the current function running:",
            "    * Function name",
            "    * Command used to run the function",
            "    * Duration in MS that the function is running",
            "    If no function is running, return nil",
            "    In addition, returns a list of available engines.",
            "KILL",
            "    Kill the current running function.",
            "FLUSH [ASYNC|SYNC]",
            "    Delete all the libraries.",
            "    When called without the optional mode argument, the behavior is determined by the",
            "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
            "    * ASYNC: Asynchronously flush the libraries.",
            "    * SYNC: Synchronously flush the libraries.",
            "DUMP",
            "    Return a serialized payload representing the current libraries, can be restored using FUNCTION RESTORE command",
            "RESTORE <PAYLOAD> [FLUSH|APPEND|REPLACE]",
            "    Restore the libraries represented by the given payload, it is possible to give a restore policy to",
            "    control how to handle existing libraries (default APPEND):",
            "    * FLUSH: delete all existing libraries.",
            "    * APPEND: appends the restored libraries to the existing libraries. On collision, abort.",
            "    * REPLACE: appends the restored libraries to the existing libraries, On collision, replace the old",
            "      libraries with the new libraries (notice that even on this option there is a chance of failure",
            "      in case of functions name collision with another library).",
        ],
    ))
}
