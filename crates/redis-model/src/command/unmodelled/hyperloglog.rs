//! HyperLogLog: rows only, not modelled yet.
use crate::command::{Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec};

pub(super) static COMMANDS: &[Command] = &[PFADD, PFCOUNT, PFDEBUG, PFMERGE, PFSELFTEST];

const PFADD: Command = Command {
    name: "pfadd",
    summary: "Adds the specified elements to the specified HyperLogLog.",
    since: "2.8.9",
    group: Group::Hyperloglog,
    complexity: "O(1) to add every element.",
    arity: -2,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::FAST)),
    categories: Categories::HYPERLOGLOG,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::INSERT),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 [element...]",
    ..Command::BLANK
};
const PFCOUNT: Command = Command {
    name: "pfcount",
    summary: "Return the approximated cardinality of the set(s) observed by the HyperLogLog at key(s).",
    since: "2.8.9",
    group: Group::Hyperloglog,
    complexity: "O(1) with a very small average constant time when called with a single key. O(N) with N being the number of keys, and much bigger constant times, when called with multiple keys.",
    arity: -2,
    flags: Flags::MAY_REPLICATE.union(Flags::READONLY),
    categories: Categories::HYPERLOGLOG,
    keys: &[KeySpec {
        notes: "RW because it may change the internal representation of the key, and propagate to replicas",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: -1, step: 1, limit: 0 },
    }],
    syntax: "key#0...",
    ..Command::BLANK
};
const PFDEBUG: Command = Command {
    name: "pfdebug",
    summary: "Internal commands for debugging HyperLogLog values",
    since: "2.8.9",
    group: Group::Hyperloglog,
    complexity: "N/A",
    arity: 3,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::ADMIN)),
    categories: Categories::HYPERLOGLOG,
    doc_flags: &["syscmd"],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "subcommand key#0",
    ..Command::BLANK
};
const PFMERGE: Command = Command {
    name: "pfmerge",
    summary: "Merge N different HyperLogLogs into a single one.",
    since: "2.8.9",
    group: Group::Hyperloglog,
    complexity: "O(N) to merge N HyperLogLogs, but with high constant times.",
    arity: -2,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::HYPERLOGLOG,
    keys: &[
        KeySpec {
            notes: "",
            flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::INSERT)),
            begin: Begin::Index(1),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::RO.union(KeyFlags::ACCESS),
            begin: Begin::Index(2),
            find: Find::Range { last: -1, step: 1, limit: 0 },
        },
    ],
    syntax: "destkey#0 sourcekey#1...",
    ..Command::BLANK
};
const PFSELFTEST: Command = Command {
    name: "pfselftest",
    summary: "An internal command for testing HyperLogLog values",
    since: "2.8.9",
    group: Group::Hyperloglog,
    complexity: "N/A",
    arity: 1,
    flags: Flags::ADMIN,
    categories: Categories::HYPERLOGLOG,
    doc_flags: &["syscmd"],
    ..Command::BLANK
};
