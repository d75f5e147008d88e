//! Persistence and shutdown: rows only, not modelled yet.
use crate::command::{Categories, Command, Flags, Group, KeyFlags, KeySpec};

pub(super) static COMMANDS: &[Command] = &[SAVE, BGSAVE, BGREWRITEAOF, SHUTDOWN, RESTORE_ASKING];

const SAVE: Command = Command {
    name: "save",
    summary: "Synchronously save the dataset to disk",
    since: "1.0.0",
    complexity: "O(N) where N is the total number of keys in all databases",
    arity: 1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING).union(Flags::NO_MULTI),
    ..Command::of(Group::Server)
};
const BGSAVE: Command = Command {
    name: "bgsave",
    summary: "Asynchronously save the dataset to disk",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING),
    history: &[("3.2.2", "Added the `SCHEDULE` option.")],
    syntax: "[SCHEDULE@3.2.2]",
    ..Command::of(Group::Server)
};
const BGREWRITEAOF: Command = Command {
    name: "bgrewriteaof",
    summary: "Asynchronously rewrite the append-only file",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING),
    ..Command::of(Group::Server)
};
const SHUTDOWN: Command = Command {
    name: "shutdown",
    summary: "Synchronously save the dataset to disk and then shut down the server",
    since: "1.0.0",
    complexity: "O(N) when saving, where N is the total number of keys in all databases when saving data, otherwise O(1)",
    arity: -1,
    flags: Flags::ADMIN
        .union(Flags::NOSCRIPT)
        .union(Flags::LOADING)
        .union(Flags::STALE)
        .union(Flags::NO_MULTI)
        .union(Flags::ALLOW_BUSY),
    history: &[("7.0.0", "Added the `NOW`, `FORCE` and `ABORT` modifiers.")],
    syntax: "[nosave_save(NOSAVE|SAVE)] [NOW@7.0.0] [FORCE@7.0.0] [ABORT@7.0.0]",
    ..Command::of(Group::Server)
};
const RESTORE_ASKING: Command = Command {
    name: "restore-asking",
    summary: "An internal command for migrating keys in a cluster",
    since: "3.0.0",
    complexity: "O(1) to create the new key and additional O(N*M) to reconstruct the serialized value, where N is the number of Redis objects composing the value and M their average size. For small string values the time complexity is thus O(1)+O(1*M) where M is small, so simply O(1). However for sorted set values the complexity is O(N*M*log(N)) because inserting values into sorted sets is O(log(N)).",
    arity: -4,
    flags: Flags::WRITE.union(Flags::DENYOOM).union(Flags::ASKING),
    categories: Categories::KEYSPACE.union(Categories::DANGEROUS),
    history: &[
        ("3.0.0", "Added the `REPLACE` modifier."),
        ("5.0.0", "Added the `ABSTTL` modifier."),
        ("5.0.0", "Added the `IDLETIME` and `FREQ` options."),
    ],
    doc_flags: &["syscmd"],
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE)],
    syntax: "key#0 ttl:int serialized-value [REPLACE@3.0.0] [ABSTTL@5.0.0] [IDLETIME=seconds:int@5.0.0] \
        [FREQ=frequency:int@5.0.0]",
    ..Command::of(Group::Server)
};
