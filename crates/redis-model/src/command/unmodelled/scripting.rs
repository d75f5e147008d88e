//! Scripts and functions: rows only, not modelled yet.
use crate::command::{Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec, Run};

pub(super) static COMMANDS: &[Command] = &[EVAL, EVAL_RO, EVALSHA, EVALSHA_RO, FCALL, FCALL_RO, FUNCTION, SCRIPT];

const EVAL: Command = Command {
    name: "eval",
    summary: "Execute a Lua script server side",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    keys: &[KeySpec {
        notes: "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::UPDATE)),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "script numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const EVAL_RO: Command = Command {
    name: "eval_ro",
    summary: "Execute a read-only Lua script server side",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    // NOT IMPLIED {'@read'}
    keys: &[KeySpec {
        notes: "We cannot tell how the keys will be used so we assume the worst, RO and ACCESS",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "script numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const EVALSHA: Command = Command {
    name: "evalsha",
    summary: "Execute a Lua script server side",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::UPDATE)),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "sha1 numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const EVALSHA_RO: Command = Command {
    name: "evalsha_ro",
    summary: "Execute a read-only Lua script server side",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "Depends on the script that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    // NOT IMPLIED {'@read'}
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "sha1 numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const FCALL: Command = Command {
    name: "fcall",
    summary: "Invoke a function",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "Depends on the function that is executed.",
    arity: -3,
    flags: Flags::MAY_REPLICATE
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    keys: &[KeySpec {
        notes: "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::UPDATE)),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "function numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const FCALL_RO: Command = Command {
    name: "fcall_ro",
    summary: "Invoke a read-only function",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "Depends on the function that is executed.",
    arity: -3,
    flags: Flags::READONLY
        .union(Flags::NOSCRIPT.union(Flags::STALE.union(Flags::SKIP_MONITOR.union(Flags::NO_MANDATORY_KEYS)))),
    categories: Categories::SCRIPTING,
    // NOT IMPLIED {'@read'}
    keys: &[KeySpec {
        notes: "We cannot tell how the keys will be used so we assume the worst, RO and ACCESS",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Keynum { index: 0, first: 1, step: 1 },
    }],
    syntax: "function numkeys:int [key#0...] [arg...]",
    ..Command::BLANK
};
const FUNCTION_STATS: Command = Command {
    name: "stats",
    container: "function",
    summary: "Return information about the function currently running (name, description, duration)",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    categories: Categories::SCRIPTING,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    ..Command::BLANK
};
const FUNCTION_RESTORE: Command = Command {
    name: "restore",
    container: "function",
    summary: "Restore all the functions on the given payload",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(N) where N is the number of functions on the payload",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::NOSCRIPT)),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "serialized-value [policy(FLUSH|APPEND|REPLACE)]",
    ..Command::BLANK
};
const FUNCTION_LOAD: Command = Command {
    name: "load",
    container: "function",
    summary: "Create a function with the given arguments (name, code, description)",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(1) (considering compilation time is redundant)",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::NOSCRIPT)),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "[REPLACE] function-code",
    ..Command::BLANK
};
const FUNCTION_LIST: Command = Command {
    name: "list",
    container: "function",
    summary: "List information about all the functions",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(N) where N is the number of functions",
    arity: -2,
    flags: Flags::NOSCRIPT,
    categories: Categories::SCRIPTING,
    tips: &["nondeterministic_output_order"],
    syntax: "[LIBRARYNAME=library-name-pattern] [WITHCODE]",
    ..Command::BLANK
};
const FUNCTION_KILL: Command = Command {
    name: "kill",
    container: "function",
    summary: "Kill the function currently in execution.",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:one_succeeded"],
    ..Command::BLANK
};
const FUNCTION_HELP: Command = Command {
    name: "help",
    container: "function",
    summary: "Show helpful text about the different subcommands",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    categories: Categories::SCRIPTING,
    ..Command::BLANK
};
const FUNCTION_FLUSH: Command = Command {
    name: "flush",
    container: "function",
    summary: "Deleting all functions",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(N) where N is the number of functions deleted",
    arity: -2,
    flags: Flags::WRITE.union(Flags::NOSCRIPT),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "[async(ASYNC|SYNC)]",
    ..Command::BLANK
};
const FUNCTION_DUMP: Command = Command {
    name: "dump",
    container: "function",
    summary: "Dump all functions into a serialized binary payload",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(N) where N is the number of functions",
    arity: 2,
    flags: Flags::NOSCRIPT,
    categories: Categories::SCRIPTING,
    ..Command::BLANK
};
const FUNCTION_DELETE: Command = Command {
    name: "delete",
    container: "function",
    summary: "Delete a function by name",
    since: "7.0.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 3,
    flags: Flags::WRITE.union(Flags::NOSCRIPT),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "library-name",
    ..Command::BLANK
};
const FUNCTION: Command = Command {
    name: "function",
    summary: "A container for function commands",
    since: "7.0.0",
    group: Group::Scripting,
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
    ..Command::BLANK
};
const SCRIPT_LOAD: Command = Command {
    name: "load",
    container: "script",
    summary: "Load the specified Lua script into the script cache.",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "O(N) with N being the length in bytes of the script body.",
    arity: 3,
    flags: Flags::NOSCRIPT.union(Flags::STALE),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    syntax: "script",
    ..Command::BLANK
};
const SCRIPT_KILL: Command = Command {
    name: "kill",
    container: "script",
    summary: "Kill the script currently in execution.",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::ALLOW_BUSY),
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:one_succeeded"],
    ..Command::BLANK
};
const SCRIPT_HELP: Command = Command {
    name: "help",
    container: "script",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    categories: Categories::SCRIPTING,
    ..Command::BLANK
};
const SCRIPT_FLUSH: Command = Command {
    name: "flush",
    container: "script",
    summary: "Remove all the scripts from the script cache.",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "O(N) with N being the number of scripts in cache",
    arity: -2,
    flags: Flags::NOSCRIPT,
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    history: &[("6.2.0", "Added the `ASYNC` and `SYNC` flushing mode modifiers.")],
    syntax: "[async(ASYNC|SYNC)@6.2.0]",
    ..Command::BLANK
};
const SCRIPT_EXISTS: Command = Command {
    name: "exists",
    container: "script",
    summary: "Check existence of scripts in the script cache.",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "O(N) with N being the number of scripts to check (so checking a single script is an O(1) operation).",
    arity: -3,
    flags: Flags::NOSCRIPT,
    categories: Categories::SCRIPTING,
    tips: &["request_policy:all_shards", "response_policy:agg_logical_and"],
    syntax: "sha1...",
    ..Command::BLANK
};
const SCRIPT_DEBUG: Command = Command {
    name: "debug",
    container: "script",
    summary: "Set the debug mode for executed scripts.",
    since: "3.2.0",
    group: Group::Scripting,
    complexity: "O(1)",
    arity: 3,
    flags: Flags::NOSCRIPT,
    categories: Categories::SCRIPTING,
    syntax: "mode(YES|SYNC|NO)",
    ..Command::BLANK
};
const SCRIPT: Command = Command {
    name: "script",
    summary: "A container for Lua scripts management commands",
    since: "2.6.0",
    group: Group::Scripting,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[SCRIPT_DEBUG, SCRIPT_EXISTS, SCRIPT_FLUSH, SCRIPT_HELP, SCRIPT_KILL, SCRIPT_LOAD],
    run: Run::Container,
    ..Command::BLANK
};
