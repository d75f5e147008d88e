//! Bitmaps: rows only, not modelled yet.
use crate::command::{Arg, Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec};

pub(super) static COMMANDS: &[Command] = &[BITCOUNT, BITFIELD, BITFIELD_RO, BITOP, BITPOS, GETBIT, SETBIT];

const BITCOUNT: Command = Command {
    name: "bitcount",
    summary: "Count set bits in a string",
    since: "2.6.0",
    group: Group::Bitmap,
    complexity: "O(N)",
    arity: -2,
    flags: Flags::READONLY,
    categories: Categories::BITMAP,
    history: &[("7.0.0", "Added the `BYTE|BIT` option.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[
        Arg::key("key", 0),
        Arg::block(
            "index",
            &[
                Arg::integer("start"),
                Arg::integer("end"),
                Arg::oneof("index_unit", &[Arg::flag("byte", "BYTE"), Arg::flag("bit", "BIT")])
                    .since("7.0.0")
                    .optional(),
            ],
        )
        .optional(),
    ],
    ..Command::BLANK
};
const BITFIELD: Command = Command {
    name: "bitfield",
    summary: "Perform arbitrary bitfield integer operations on strings",
    since: "3.2.0",
    group: Group::Bitmap,
    complexity: "O(1) for each subcommand specified",
    arity: -2,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::BITMAP,
    keys: &[KeySpec {
        notes: "This command allows both access and modification of the key",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::UPDATE.union(KeyFlags::VARIABLE_FLAGS))),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[
        Arg::key("key", 0),
        Arg::oneof(
            "operation",
            &[
                Arg::block("encoding_offset", &[Arg::string("encoding"), Arg::integer("offset")]).token("GET"),
                Arg::block(
                    "write",
                    &[
                        Arg::oneof(
                            "wrap_sat_fail",
                            &[Arg::flag("wrap", "WRAP"), Arg::flag("sat", "SAT"), Arg::flag("fail", "FAIL")],
                        )
                        .token("OVERFLOW")
                        .optional(),
                        Arg::oneof(
                            "write_operation",
                            &[
                                Arg::block(
                                    "encoding_offset_value",
                                    &[Arg::string("encoding"), Arg::integer("offset"), Arg::integer("value")],
                                )
                                .token("SET"),
                                Arg::block(
                                    "encoding_offset_increment",
                                    &[Arg::string("encoding"), Arg::integer("offset"), Arg::integer("increment")],
                                )
                                .token("INCRBY"),
                            ],
                        ),
                    ],
                ),
            ],
        )
        .optional()
        .multiple(),
    ],
    ..Command::BLANK
};
const BITFIELD_RO: Command = Command {
    name: "bitfield_ro",
    summary: "Perform arbitrary bitfield integer operations on strings. Read-only variant of BITFIELD",
    since: "6.0.0",
    group: Group::Bitmap,
    complexity: "O(1) for each subcommand specified",
    arity: -2,
    flags: Flags::READONLY.union(Flags::FAST),
    categories: Categories::BITMAP,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[
        Arg::key("key", 0),
        Arg::block("encoding_offset", &[Arg::string("encoding"), Arg::integer("offset")])
            .token("GET")
            .optional()
            .multiple()
            .multiple_token(),
    ],
    ..Command::BLANK
};
const BITOP: Command = Command {
    name: "bitop",
    summary: "Perform bitwise operations between strings",
    since: "2.6.0",
    group: Group::Bitmap,
    complexity: "O(N)",
    arity: -4,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::BITMAP,
    keys: &[
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Index(2),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::RO.union(KeyFlags::ACCESS),
            begin: Begin::Index(3),
            find: Find::Range { last: -1, step: 1, limit: 0 },
        },
    ],
    args: &[Arg::string("operation"), Arg::key("destkey", 0), Arg::key("key", 1).multiple()],
    ..Command::BLANK
};
const BITPOS: Command = Command {
    name: "bitpos",
    summary: "Find first bit set or clear in a string",
    since: "2.8.7",
    group: Group::Bitmap,
    complexity: "O(N)",
    arity: -3,
    flags: Flags::READONLY,
    categories: Categories::BITMAP,
    history: &[("7.0.0", "Added the `BYTE|BIT` option.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[
        Arg::key("key", 0),
        Arg::integer("bit"),
        Arg::block(
            "index",
            &[
                Arg::integer("start"),
                Arg::block(
                    "end_index",
                    &[
                        Arg::integer("end"),
                        Arg::oneof("index_unit", &[Arg::flag("byte", "BYTE"), Arg::flag("bit", "BIT")])
                            .since("7.0.0")
                            .optional(),
                    ],
                )
                .optional(),
            ],
        )
        .optional(),
    ],
    ..Command::BLANK
};
const GETBIT: Command = Command {
    name: "getbit",
    summary: "Returns the bit value at offset in the string value stored at key",
    since: "2.2.0",
    group: Group::Bitmap,
    complexity: "O(1)",
    arity: 3,
    flags: Flags::READONLY.union(Flags::FAST),
    categories: Categories::BITMAP,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[Arg::key("key", 0), Arg::integer("offset")],
    ..Command::BLANK
};
const SETBIT: Command = Command {
    name: "setbit",
    summary: "Sets or clears the bit at offset in the string value stored at key",
    since: "2.2.0",
    group: Group::Bitmap,
    complexity: "O(1)",
    arity: 4,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::BITMAP,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::ACCESS.union(KeyFlags::UPDATE)),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[Arg::key("key", 0), Arg::integer("offset"), Arg::integer("value")],
    ..Command::BLANK
};
