//! Streams: rows only, not modelled yet.
use crate::command::{Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec, Run};

pub(super) static COMMANDS: &[Command] = &[
    XACK, XADD, XAUTOCLAIM, XCLAIM, XDEL, XGROUP, XINFO, XLEN, XPENDING, XRANGE, XREAD, XREADGROUP, XREVRANGE, XSETID,
    XTRIM,
];

const XACK: Command = Command {
    name: "xack",
    summary: "Marks a pending message as correctly processed, effectively removing it from the pending entries list of the consumer group. Return value of the command is the number of messages successfully acknowledged, that is, the IDs we were actually able to resolve in the PEL.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1) for each message ID processed.",
    arity: -4,
    flags: Flags::WRITE.union(Flags::FAST),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 group id...",
    ..Command::BLANK
};
const XADD: Command = Command {
    name: "xadd",
    summary: "Appends a new entry to a stream",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1) when adding a new entry, O(N) when trimming where N being the number of entries evicted.",
    arity: -5,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::FAST)),
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    history: &[
        ("6.2.0", "Added the `NOMKSTREAM` option, `MINID` trimming strategy and the `LIMIT` option."),
        ("7.0.0", "Added support for the `<ms>-*` explicit ID form."),
    ],
    keys: &[KeySpec {
        notes: "UPDATE instead of INSERT because of the optional trimming feature",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 [NOMKSTREAM@6.2.0] [trim{strategy(MAXLEN|MINID@6.2.0) [operator(==equal:flag|~=approximately:flag)] \
        threshold [LIMIT=count:int@6.2.0]}] id_or_auto(*=auto_id:flag|id) field_value{field value}...",
    ..Command::BLANK
};
const XAUTOCLAIM: Command = Command {
    name: "xautoclaim",
    summary: "Changes (or acquires) ownership of messages in a consumer group, as if the messages were delivered to the specified consumer.",
    since: "6.2.0",
    group: Group::Stream,
    complexity: "O(1) if COUNT is small.",
    arity: -6,
    flags: Flags::WRITE.union(Flags::FAST),
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    history: &[(
        "7.0.0",
        "Added an element to the reply array, containing deleted entries the command cleared from the PEL",
    )],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::DELETE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 group consumer min-idle-time start [COUNT=count:int] [JUSTID]",
    ..Command::BLANK
};
const XCLAIM: Command = Command {
    name: "xclaim",
    summary: "Changes (or acquires) ownership of a message in a consumer group, as if the message was delivered to the specified consumer.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(log N) with N being the number of messages in the PEL of the consumer group.",
    arity: -6,
    flags: Flags::WRITE.union(Flags::FAST),
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 group consumer min-idle-time id... [IDLE=ms:int] [TIME=unix-time-milliseconds:time] \
        [RETRYCOUNT=count:int] [FORCE] [JUSTID] [LASTID=id]",
    ..Command::BLANK
};
const XDEL: Command = Command {
    name: "xdel",
    summary: "Removes the specified entries from the stream. Returns the number of items actually deleted, that may be different from the number of IDs passed in case certain IDs do not exist.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1) for each single item to delete in the stream, regardless of the stream size.",
    arity: -3,
    flags: Flags::WRITE.union(Flags::FAST),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::DELETE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 id...",
    ..Command::BLANK
};
const XGROUP_SETID: Command = Command {
    name: "setid",
    container: "xgroup",
    summary: "Set a consumer group to an arbitrary last delivered ID value.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: -5,
    flags: Flags::WRITE,
    categories: Categories::STREAM,
    history: &[("7.0.0", "Added the optional `entries_read` argument.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname id(id|$=new_id:flag) [ENTRIESREAD=entries_read:int]",
    ..Command::BLANK
};
const XGROUP_HELP: Command = Command {
    name: "help",
    container: "xgroup",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    categories: Categories::STREAM,
    ..Command::BLANK
};
const XGROUP_DESTROY: Command = Command {
    name: "destroy",
    container: "xgroup",
    summary: "Destroy a consumer group.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(N) where N is the number of entries in the group's pending entries list (PEL).",
    arity: 4,
    flags: Flags::WRITE,
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::DELETE),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname",
    ..Command::BLANK
};
const XGROUP_DELCONSUMER: Command = Command {
    name: "delconsumer",
    container: "xgroup",
    summary: "Delete a consumer from a consumer group.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 5,
    flags: Flags::WRITE,
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::DELETE),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname consumername",
    ..Command::BLANK
};
const XGROUP_CREATECONSUMER: Command = Command {
    name: "createconsumer",
    container: "xgroup",
    summary: "Create a consumer in a consumer group.",
    since: "6.2.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 5,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::INSERT),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname consumername",
    ..Command::BLANK
};
const XGROUP_CREATE: Command = Command {
    name: "create",
    container: "xgroup",
    summary: "Create a consumer group.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: -5,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::STREAM,
    history: &[("7.0.0", "Added the `entries_read` named argument.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::INSERT),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname id(id|$=new_id:flag) [MKSTREAM] [ENTRIESREAD=entries_read:int]",
    ..Command::BLANK
};
const XGROUP: Command = Command {
    name: "xgroup",
    summary: "A container for consumer groups commands",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[XGROUP_CREATE, XGROUP_CREATECONSUMER, XGROUP_DELCONSUMER, XGROUP_DESTROY, XGROUP_HELP, XGROUP_SETID],
    run: Run::Container,
    ..Command::BLANK
};
const XINFO_STREAM: Command = Command {
    name: "stream",
    container: "xinfo",
    summary: "Get information about a stream",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: -3,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    history: &[
        ("6.0.0", "Added the `FULL` modifier."),
        (
            "7.0.0",
            "Added the `max-deleted-entry-id`, `entries-added`, `recorded-first-entry-id`, `entries-read` and `lag` fields",
        ),
    ],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 [FULL=full{[COUNT=count:int]}]",
    ..Command::BLANK
};
const XINFO_HELP: Command = Command {
    name: "help",
    container: "xinfo",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE),
    categories: Categories::STREAM,
    ..Command::BLANK
};
const XINFO_GROUPS: Command = Command {
    name: "groups",
    container: "xinfo",
    summary: "List the consumer groups of a stream",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    history: &[("7.0.0", "Added the `entries-read` and `lag` fields")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0",
    ..Command::BLANK
};
const XINFO_CONSUMERS: Command = Command {
    name: "consumers",
    container: "xinfo",
    summary: "List the consumers in a consumer group",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 4,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(2),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 groupname",
    ..Command::BLANK
};
const XINFO: Command = Command {
    name: "xinfo",
    summary: "A container for stream introspection commands",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[XINFO_CONSUMERS, XINFO_GROUPS, XINFO_HELP, XINFO_STREAM],
    run: Run::Container,
    ..Command::BLANK
};
const XLEN: Command = Command {
    name: "xlen",
    summary: "Return the number of entries in a stream",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::READONLY.union(Flags::FAST),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO,
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0",
    ..Command::BLANK
};
const XPENDING: Command = Command {
    name: "xpending",
    summary: "Return information and entries from a stream consumer group pending entries list, that are messages fetched but never acknowledged.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(N) with N being the number of elements returned, so asking for a small fixed number of entries per call is O(1). O(M), where M is the total number of entries scanned when used with the IDLE filter. When the command returns just the summary and the list of consumers is small, it runs in O(1) time; otherwise, an additional O(N) time for iterating every consumer.",
    arity: -3,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    history: &[("6.2.0", "Added the `IDLE` option and exclusive range intervals.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 group [filters{[IDLE=min-idle-time:int@6.2.0] start end count:int [consumer]}]",
    ..Command::BLANK
};
const XRANGE: Command = Command {
    name: "xrange",
    summary: "Return a range of elements in a stream, with IDs matching the specified IDs interval",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(N) with N being the number of elements being returned. If N is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1).",
    arity: -4,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    history: &[("6.2.0", "Added exclusive ranges.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 start end [COUNT=count:int]",
    ..Command::BLANK
};
const XREAD: Command = Command {
    name: "xread",
    summary: "Return never seen elements in multiple streams, with IDs greater than the ones reported by the caller for each stream. Can block.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "For each stream mentioned: O(N) with N being the number of elements being returned, it means that XREAD-ing with a fixed COUNT is O(1). Note that when the BLOCK option is used, XADD will pay O(M) time in order to serve the M clients blocked on the stream getting new data.",
    arity: -4,
    flags: Flags::READONLY.union(Flags::BLOCKING),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Keyword("STREAMS", 1),
        find: Find::Range { last: -1, step: 1, limit: 2 },
    }],
    syntax: "[COUNT=count:int] [BLOCK=milliseconds:int] STREAMS=streams{key#0... id...}",
    ..Command::BLANK
};
const XREADGROUP: Command = Command {
    name: "xreadgroup",
    summary: "Return new entries from a stream using a consumer group, or access the history of the pending entries for a given consumer. Can block.",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "For each stream mentioned: O(M) with M being the number of elements returned. If M is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1). On the other side when XREADGROUP blocks, XADD will pay the O(N) time in order to serve the N clients blocked on the stream getting new data.",
    arity: -7,
    flags: Flags::WRITE.union(Flags::BLOCKING),
    categories: Categories::STREAM,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Keyword("STREAMS", 4),
        find: Find::Range { last: -1, step: 1, limit: 2 },
    }],
    syntax: "GROUP=group_consumer{group consumer} [COUNT=count:int] [BLOCK=milliseconds:int] [NOACK] \
        STREAMS=streams{key#0... id...}",
    ..Command::BLANK
};
const XREVRANGE: Command = Command {
    name: "xrevrange",
    summary: "Return a range of elements in a stream, with IDs matching the specified IDs interval, in reverse order (from greater to smaller IDs) compared to XRANGE",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(N) with N being the number of elements returned. If N is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1).",
    arity: -4,
    flags: Flags::READONLY,
    categories: Categories::STREAM,
    history: &[("6.2.0", "Added exclusive ranges.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 end start [COUNT=count:int]",
    ..Command::BLANK
};
const XSETID: Command = Command {
    name: "xsetid",
    summary: "An internal command for replicating stream values",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(1)",
    arity: -3,
    flags: Flags::WRITE.union(Flags::DENYOOM.union(Flags::FAST)),
    categories: Categories::STREAM,
    history: &[("7.0.0", "Added the `entries_added` and `max_deleted_entry_id` arguments.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 last-id [ENTRIESADDED=entries_added:int@7.0.0] [MAXDELETEDID=max_deleted_entry_id@7.0.0]",
    ..Command::BLANK
};
const XTRIM: Command = Command {
    name: "xtrim",
    summary: "Trims the stream to (approximately if '~' is passed) a certain size",
    since: "5.0.0",
    group: Group::Stream,
    complexity: "O(N), with N being the number of evicted entries. Constant times are very small however, since entries are organized in macro nodes containing multiple entries that can be released with a single deallocation.",
    arity: -4,
    flags: Flags::WRITE,
    categories: Categories::STREAM,
    tips: &["nondeterministic_output"],
    history: &[("6.2.0", "Added the `MINID` trimming strategy and the `LIMIT` option.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::DELETE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 trim{strategy(MAXLEN|MINID@6.2.0) [operator(==equal:flag|~=approximately:flag)] threshold \
        [LIMIT=count:int@6.2.0]}",
    ..Command::BLANK
};
