//! Bitmaps: rows only, not modelled yet.
use crate::command::{Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec};

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
    syntax: "key#0 [index{start:int end:int [index_unit(BYTE|BIT)@7.0.0]}]",
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
    syntax: "key#0 [operation(GET=encoding_offset{encoding offset:int}|write{[OVERFLOW=wrap_sat_fail(WRAP|SAT|FAIL)] \
        write_operation(SET=encoding_offset_value{encoding offset:int value:int}|\
        INCRBY=encoding_offset_increment{encoding offset:int increment:int})})...]",
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
    syntax: "key#0 [GET=encoding_offset{encoding offset:int}+...]",
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
    syntax: "operation destkey#0 key#1...",
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
    syntax: "key#0 bit:int [index{start:int [end_index{end:int [index_unit(BYTE|BIT)@7.0.0]}]}]",
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
    syntax: "key#0 offset:int",
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
    syntax: "key#0 offset:int value:int",
    ..Command::BLANK
};
