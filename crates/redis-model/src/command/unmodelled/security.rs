//! Users and modules: rows only, not modelled yet.
use crate::command::{Command, Flags, Group, Run};

pub(super) static COMMANDS: &[Command] = &[ACL, MODULE];

const ACL_WHOAMI: Command = Command {
    name: "whoami",
    container: "acl",
    summary: "Return the name of the user associated to the current connection",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE)),
    ..Command::BLANK
};
const ACL_USERS: Command = Command {
    name: "users",
    container: "acl",
    summary: "List the username of all the configured ACL rules",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    ..Command::BLANK
};
const ACL_SETUSER: Command = Command {
    name: "setuser",
    container: "acl",
    summary: "Modify or create the rules for a specific ACL user",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of rules provided.",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    history: &[("6.2.0", "Added Pub/Sub channel patterns."), ("7.0.0", "Added selectors and key based permissions.")],
    syntax: "username [rule...]",
    ..Command::BLANK
};
const ACL_SAVE: Command = Command {
    name: "save",
    container: "acl",
    summary: "Save the current ACL rules in the configured ACL file",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    ..Command::BLANK
};
const ACL_LOG: Command = Command {
    name: "log",
    container: "acl",
    summary: "List latest events denied because of ACLs in place",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N) with N being the number of entries shown.",
    arity: -2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    syntax: "[operation(count:int|RESET)]",
    ..Command::BLANK
};
const ACL_LOAD: Command = Command {
    name: "load",
    container: "acl",
    summary: "Reload the ACLs from the configured ACL file",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    ..Command::BLANK
};
const ACL_LIST: Command = Command {
    name: "list",
    container: "acl",
    summary: "List the current ACL rules in ACL config file format",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    ..Command::BLANK
};
const ACL_HELP: Command = Command {
    name: "help",
    container: "acl",
    summary: "Show helpful text about the different subcommands",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    ..Command::BLANK
};
const ACL_GETUSER: Command = Command {
    name: "getuser",
    container: "acl",
    summary: "Get the rules for a specific ACL user",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(N). Where N is the number of password, command and pattern rules that the user has.",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    history: &[
        ("6.2.0", "Added Pub/Sub channel patterns."),
        (
            "7.0.0",
            "Added selectors and changed the format of key and channel patterns from a list to their rule representation.",
        ),
    ],
    syntax: "username",
    ..Command::BLANK
};
const ACL_GENPASS: Command = Command {
    name: "genpass",
    container: "acl",
    summary: "Generate a pseudorandom secure password to use for ACL users",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: -2,
    flags: Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE)),
    syntax: "[bits:int]",
    ..Command::BLANK
};
const ACL_DRYRUN: Command = Command {
    name: "dryrun",
    container: "acl",
    summary: "Returns whether the user can execute the given command without executing the command.",
    since: "7.0.0",
    group: Group::Server,
    complexity: "O(1).",
    arity: -4,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    syntax: "username command [arg...]",
    ..Command::BLANK
};
const ACL_DELUSER: Command = Command {
    name: "deluser",
    container: "acl",
    summary: "Remove the specified ACL users and the associated rules",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(1) amortized time considering the typical user.",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE))),
    syntax: "username...",
    ..Command::BLANK
};
const ACL_CAT: Command = Command {
    name: "cat",
    container: "acl",
    summary: "List the ACL categories or the commands inside a category",
    since: "6.0.0",
    group: Group::Server,
    complexity: "O(1) since the categories and commands are a fixed set.",
    arity: -2,
    flags: Flags::NOSCRIPT.union(Flags::LOADING.union(Flags::STALE)),
    syntax: "[categoryname]",
    ..Command::BLANK
};
const ACL: Command = Command {
    name: "acl",
    summary: "A container for Access List Control commands ",
    since: "6.0.0",
    group: Group::Server,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        ACL_CAT,
        ACL_DELUSER,
        ACL_DRYRUN,
        ACL_GENPASS,
        ACL_GETUSER,
        ACL_HELP,
        ACL_LIST,
        ACL_LOAD,
        ACL_LOG,
        ACL_SAVE,
        ACL_SETUSER,
        ACL_USERS,
        ACL_WHOAMI,
    ],
    run: Run::Container,
    ..Command::BLANK
};
const MODULE_UNLOAD: Command = Command {
    name: "unload",
    container: "module",
    summary: "Unload a module",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::NO_ASYNC_LOADING)),
    syntax: "name",
    ..Command::BLANK
};
const MODULE_LOADEX: Command = Command {
    name: "loadex",
    container: "module",
    summary: "Load a module with extended parameters",
    since: "7.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::NO_ASYNC_LOADING)),
    syntax: "path [CONFIG=configs{name value}+...] [ARGS=args{arg}...]",
    ..Command::BLANK
};
const MODULE_LOAD: Command = Command {
    name: "load",
    container: "module",
    summary: "Load a module",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT.union(Flags::NO_ASYNC_LOADING)),
    syntax: "path [arg...]",
    ..Command::BLANK
};
const MODULE_LIST: Command = Command {
    name: "list",
    container: "module",
    summary: "List all modules loaded by the server",
    since: "4.0.0",
    group: Group::Server,
    complexity: "O(N) where N is the number of loaded modules.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT),
    tips: &["nondeterministic_output_order"],
    ..Command::BLANK
};
const MODULE_HELP: Command = Command {
    name: "help",
    container: "module",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    group: Group::Server,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    ..Command::BLANK
};
const MODULE: Command = Command {
    name: "module",
    summary: "A container for module commands",
    since: "4.0.0",
    group: Group::Server,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[MODULE_HELP, MODULE_LIST, MODULE_LOAD, MODULE_LOADEX, MODULE_UNLOAD],
    run: Run::Container,
    ..Command::BLANK
};
