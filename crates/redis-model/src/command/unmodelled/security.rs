//! Users and modules: rows only, not modelled yet.
use crate::command::{Command, Flags, Group, Run};

pub(super) static COMMANDS: &[Command] = &[ACL, MODULE];

const ACL_WHOAMI: Command = Command {
    name: "whoami",
    summary: "Return the name of the user associated to the current connection",
    since: "6.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_USERS: Command = Command {
    name: "users",
    summary: "List the username of all the configured ACL rules",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_SETUSER: Command = Command {
    name: "setuser",
    summary: "Modify or create the rules for a specific ACL user",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of rules provided.",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    history: &[("6.2.0", "Added Pub/Sub channel patterns."), ("7.0.0", "Added selectors and key based permissions.")],
    syntax: "username [rule...]",
    ..Command::within("acl", Group::Server)
};
const ACL_SAVE: Command = Command {
    name: "save",
    summary: "Save the current ACL rules in the configured ACL file",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_LOG: Command = Command {
    name: "log",
    summary: "List latest events denied because of ACLs in place",
    since: "6.0.0",
    complexity: "O(N) with N being the number of entries shown.",
    arity: -2,
    flags: Flags::ADMIN_ANYTIME,
    syntax: "[operation(count:int|RESET)]",
    ..Command::within("acl", Group::Server)
};
const ACL_LOAD: Command = Command {
    name: "load",
    summary: "Reload the ACLs from the configured ACL file",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_LIST: Command = Command {
    name: "list",
    summary: "List the current ACL rules in ACL config file format",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of configured users.",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "6.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    ..Command::within("acl", Group::Server)
};
const ACL_GETUSER: Command = Command {
    name: "getuser",
    summary: "Get the rules for a specific ACL user",
    since: "6.0.0",
    complexity: "O(N). Where N is the number of password, command and pattern rules that the user has.",
    arity: 3,
    flags: Flags::ADMIN_ANYTIME,
    history: &[
        ("6.2.0", "Added Pub/Sub channel patterns."),
        (
            "7.0.0",
            "Added selectors and changed the format of key and channel patterns from a list to their rule representation.",
        ),
    ],
    syntax: "username",
    ..Command::within("acl", Group::Server)
};
const ACL_GENPASS: Command = Command {
    name: "genpass",
    summary: "Generate a pseudorandom secure password to use for ACL users",
    since: "6.0.0",
    complexity: "O(1)",
    arity: -2,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "[bits:int]",
    ..Command::within("acl", Group::Server)
};
const ACL_DRYRUN: Command = Command {
    name: "dryrun",
    summary: "Returns whether the user can execute the given command without executing the command.",
    since: "7.0.0",
    complexity: "O(1).",
    arity: -4,
    flags: Flags::ADMIN_ANYTIME,
    syntax: "username command [arg...]",
    ..Command::within("acl", Group::Server)
};
const ACL_DELUSER: Command = Command {
    name: "deluser",
    summary: "Remove the specified ACL users and the associated rules",
    since: "6.0.0",
    complexity: "O(1) amortized time considering the typical user.",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    syntax: "username...",
    ..Command::within("acl", Group::Server)
};
const ACL_CAT: Command = Command {
    name: "cat",
    summary: "List the ACL categories or the commands inside a category",
    since: "6.0.0",
    complexity: "O(1) since the categories and commands are a fixed set.",
    arity: -2,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "[categoryname]",
    ..Command::within("acl", Group::Server)
};
const ACL: Command = Command {
    name: "acl",
    summary: "A container for Access List Control commands ",
    since: "6.0.0",
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
    ..Command::of(Group::Server)
};
const MODULE_UNLOAD: Command = Command {
    name: "unload",
    summary: "Unload a module",
    since: "4.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING),
    syntax: "name",
    ..Command::within("module", Group::Server)
};
const MODULE_LOADEX: Command = Command {
    name: "loadex",
    summary: "Load a module with extended parameters",
    since: "7.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING),
    syntax: "path [CONFIG=configs{name value}+...] [ARGS=args{arg}...]",
    ..Command::within("module", Group::Server)
};
const MODULE_LOAD: Command = Command {
    name: "load",
    summary: "Load a module",
    since: "4.0.0",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING),
    syntax: "path [arg...]",
    ..Command::within("module", Group::Server)
};
const MODULE_LIST: Command = Command {
    name: "list",
    summary: "List all modules loaded by the server",
    since: "4.0.0",
    complexity: "O(N) where N is the number of loaded modules.",
    arity: 2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT),
    tips: &["nondeterministic_output_order"],
    ..Command::within("module", Group::Server)
};
const MODULE_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    ..Command::within("module", Group::Server)
};
const MODULE: Command = Command {
    name: "module",
    summary: "A container for module commands",
    since: "4.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[MODULE_HELP, MODULE_LIST, MODULE_LOAD, MODULE_LOADEX, MODULE_UNLOAD],
    run: Run::Container,
    ..Command::of(Group::Server)
};
