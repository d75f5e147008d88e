//! Replication: rows only, not modelled yet.
use crate::command::{Command, Deprecation, Flags, Group};

pub(super) static COMMANDS: &[Command] = &[REPLICAOF, SLAVEOF, PSYNC, SYNC, REPLCONF, FAILOVER];

const REPLICAOF: Command = Command {
    name: "replicaof",
    summary: "Make the server a replica of another instance, or promote it as master.",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::STALE).union(Flags::NO_ASYNC_LOADING),
    syntax: "args(host-port{host port:int}|no-one{NO ONE})",
    ..Command::of(Group::Server)
};
const SLAVEOF: Command = Command {
    name: "slaveof",
    summary: "Make the server a replica of another instance, or promote it as master.",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::STALE).union(Flags::NO_ASYNC_LOADING),
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "5.0.0", replaced_by: "`REPLICAOF`" }),
    syntax: "args(host-port{host port:int}|no-one{NO ONE})",
    ..Command::of(Group::Server)
};
const PSYNC: Command = Command {
    name: "psync",
    summary: "Internal command used for replication",
    since: "2.8.0",
    arity: -3,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING).union(Flags::NO_MULTI),
    syntax: "replicationid offset:int",
    ..Command::of(Group::Server)
};
const SYNC: Command = Command {
    name: "sync",
    summary: "Internal command used for replication",
    since: "1.0.0",
    arity: 1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::NO_ASYNC_LOADING).union(Flags::NO_MULTI),
    ..Command::of(Group::Server)
};
const REPLCONF: Command = Command {
    name: "replconf",
    summary: "An internal command for configuring the replication stream",
    since: "3.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::LOADING).union(Flags::STALE).union(Flags::ALLOW_BUSY),
    doc_flags: &["syscmd"],
    ..Command::of(Group::Server)
};
const FAILOVER: Command = Command {
    name: "failover",
    summary: "Start a coordinated failover between this server and one of its replicas.",
    since: "6.2.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::STALE),
    syntax: "[TO=target{host port:int [FORCE]}] [ABORT] [TIMEOUT=milliseconds:int]",
    ..Command::of(Group::Server)
};
