//! Cluster commands: rows only, not modelled yet.
use crate::command::{Categories, Command, Deprecation, Flags, Group, Run};

pub(super) static COMMANDS: &[Command] = &[ASKING, CLUSTER, READONLY, READWRITE];

const ASKING: Command = Command {
    name: "asking",
    summary: "Sent by cluster clients after an -ASK redirect",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::FAST,
    categories: Categories::CONNECTION,
    ..Command::of(Group::Cluster)
};
const CLUSTER_SLOTS: Command = Command {
    name: "slots",
    summary: "Get array of Cluster slot to node mappings",
    since: "3.0.0",
    complexity: "O(N) where N is the total number of Cluster nodes",
    arity: 2,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    history: &[("4.0.0", "Added node IDs."), ("7.0.0", "Added additional networking metadata field.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "7.0.0", replaced_by: "`CLUSTER SHARDS`" }),
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_SLAVES: Command = Command {
    name: "slaves",
    summary: "List replica nodes of the specified master node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::STALE),
    tips: &["nondeterministic_output"],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "5.0.0", replaced_by: "`CLUSTER REPLICAS`" }),
    syntax: "node-id",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_SHARDS: Command = Command {
    name: "shards",
    summary: "Get array of cluster slots to node mappings",
    since: "7.0.0",
    complexity: "O(N) where N is the total number of cluster nodes",
    arity: 2,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_SETSLOT: Command = Command {
    name: "setslot",
    summary: "Bind a hash slot to a specific node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: -4,
    flags: Flags::ADMIN_STALE,
    syntax: "slot:int subcommand(IMPORTING=node-id|MIGRATING=node-id|NODE=node-id|STABLE)",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_SET_CONFIG_EPOCH: Command = Command {
    name: "set-config-epoch",
    summary: "Set the configuration epoch in a new node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_STALE,
    syntax: "config-epoch:int",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_SAVECONFIG: Command = Command {
    name: "saveconfig",
    summary: "Forces the node to save cluster state on disk",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_STALE,
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_RESET: Command = Command {
    name: "reset",
    summary: "Reset a Redis Cluster node",
    since: "3.0.0",
    complexity: "O(N) where N is the number of known nodes. The command may execute a FLUSHALL as a side effect.",
    arity: -2,
    flags: Flags::ADMIN.union(Flags::NOSCRIPT).union(Flags::STALE),
    syntax: "[hard_soft(HARD|SOFT)]",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_REPLICATE: Command = Command {
    name: "replicate",
    summary: "Reconfigure a node as a replica of the specified master node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_STALE,
    syntax: "node-id",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_REPLICAS: Command = Command {
    name: "replicas",
    summary: "List replica nodes of the specified master node",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::STALE),
    tips: &["nondeterministic_output"],
    syntax: "node-id",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_NODES: Command = Command {
    name: "nodes",
    summary: "Get Cluster config for the node",
    since: "3.0.0",
    complexity: "O(N) where N is the total number of Cluster nodes",
    arity: 2,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_MYID: Command = Command {
    name: "myid",
    summary: "Return the node id",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::STALE,
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_MEET: Command = Command {
    name: "meet",
    summary: "Force a node cluster to handshake with another node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: -4,
    flags: Flags::ADMIN_STALE,
    history: &[("4.0.0", "Added the optional `cluster_bus_port` argument.")],
    syntax: "ip port:int [cluster_bus_port:int@4.0.0]",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_LINKS: Command = Command {
    name: "links",
    summary: "Returns a list of all TCP links to and from peer nodes in cluster",
    since: "7.0.0",
    complexity: "O(N) where N is the total number of Cluster nodes",
    arity: 2,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_KEYSLOT: Command = Command {
    name: "keyslot",
    summary: "Returns the hash slot of the specified key",
    since: "3.0.0",
    complexity: "O(N) where N is the number of bytes in the key",
    arity: 3,
    flags: Flags::STALE,
    syntax: "key",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_INFO: Command = Command {
    name: "info",
    summary: "Provides info about Redis Cluster node state",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_GETKEYSINSLOT: Command = Command {
    name: "getkeysinslot",
    summary: "Return local key names in the specified hash slot",
    since: "3.0.0",
    complexity: "O(log(N)) where N is the number of requested keys",
    arity: 4,
    flags: Flags::STALE,
    tips: &["nondeterministic_output"],
    syntax: "slot:int count:int",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_FORGET: Command = Command {
    name: "forget",
    summary: "Remove a node from the nodes table",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_STALE,
    syntax: "node-id",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_FLUSHSLOTS: Command = Command {
    name: "flushslots",
    summary: "Delete a node's own slots information",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_STALE,
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_FAILOVER: Command = Command {
    name: "failover",
    summary: "Forces a replica to perform a manual failover of its master.",
    since: "3.0.0",
    complexity: "O(1)",
    arity: -2,
    flags: Flags::ADMIN_STALE,
    syntax: "[options(FORCE|TAKEOVER)]",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_DELSLOTSRANGE: Command = Command {
    name: "delslotsrange",
    summary: "Set hash slots as unbound in receiving node",
    since: "7.0.0",
    complexity: "O(N) where N is the total number of the slots between the start slot and end slot arguments.",
    arity: -4,
    flags: Flags::ADMIN_STALE,
    syntax: "start-slot_end-slot{start-slot:int end-slot:int}...",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_DELSLOTS: Command = Command {
    name: "delslots",
    summary: "Set hash slots as unbound in receiving node",
    since: "3.0.0",
    complexity: "O(N) where N is the total number of hash slot arguments",
    arity: -3,
    flags: Flags::ADMIN_STALE,
    syntax: "slot:int...",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_COUNTKEYSINSLOT: Command = Command {
    name: "countkeysinslot",
    summary: "Return the number of local keys in the specified hash slot",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::STALE,
    syntax: "slot:int",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_COUNT_FAILURE_REPORTS: Command = Command {
    name: "count-failure-reports",
    summary: "Return the number of failure reports active for a given node",
    since: "3.0.0",
    complexity: "O(N) where N is the number of failure reports",
    arity: 3,
    flags: Flags::ADMIN.union(Flags::STALE),
    tips: &["nondeterministic_output"],
    syntax: "node-id",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_BUMPEPOCH: Command = Command {
    name: "bumpepoch",
    summary: "Advance the cluster config epoch",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_STALE,
    tips: &["nondeterministic_output"],
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_ADDSLOTSRANGE: Command = Command {
    name: "addslotsrange",
    summary: "Assign new hash slots to receiving node",
    since: "7.0.0",
    complexity: "O(N) where N is the total number of the slots between the start slot and end slot arguments.",
    arity: -4,
    flags: Flags::ADMIN_STALE,
    syntax: "start-slot_end-slot{start-slot:int end-slot:int}...",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER_ADDSLOTS: Command = Command {
    name: "addslots",
    summary: "Assign new hash slots to receiving node",
    since: "3.0.0",
    complexity: "O(N) where N is the total number of hash slot arguments",
    arity: -3,
    flags: Flags::ADMIN_STALE,
    syntax: "slot:int...",
    ..Command::within("cluster", Group::Cluster)
};
const CLUSTER: Command = Command {
    name: "cluster",
    summary: "A container for cluster commands",
    since: "3.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        CLUSTER_ADDSLOTS,
        CLUSTER_ADDSLOTSRANGE,
        CLUSTER_BUMPEPOCH,
        CLUSTER_COUNT_FAILURE_REPORTS,
        CLUSTER_COUNTKEYSINSLOT,
        CLUSTER_DELSLOTS,
        CLUSTER_DELSLOTSRANGE,
        CLUSTER_FAILOVER,
        CLUSTER_FLUSHSLOTS,
        CLUSTER_FORGET,
        CLUSTER_GETKEYSINSLOT,
        CLUSTER_HELP,
        CLUSTER_INFO,
        CLUSTER_KEYSLOT,
        CLUSTER_LINKS,
        CLUSTER_MEET,
        CLUSTER_MYID,
        CLUSTER_NODES,
        CLUSTER_REPLICAS,
        CLUSTER_REPLICATE,
        CLUSTER_RESET,
        CLUSTER_SAVECONFIG,
        CLUSTER_SET_CONFIG_EPOCH,
        CLUSTER_SETSLOT,
        CLUSTER_SHARDS,
        CLUSTER_SLAVES,
        CLUSTER_SLOTS,
    ],
    run: Run::Container,
    ..Command::of(Group::Cluster)
};
const READONLY: Command = Command {
    name: "readonly",
    summary: "Enables read queries for a connection to a cluster replica node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    categories: Categories::CONNECTION,
    ..Command::of(Group::Cluster)
};
const READWRITE: Command = Command {
    name: "readwrite",
    summary: "Disables read queries for a connection to a cluster replica node",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    categories: Categories::CONNECTION,
    ..Command::of(Group::Cluster)
};
