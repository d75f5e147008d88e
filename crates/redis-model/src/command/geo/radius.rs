//! Searching a circle with the commands from before 6.2: `GEORADIUS`, `GEORADIUSBYMEMBER`, and their read-only forms.
use super::{
    Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run,
    query::{self, Center, Usage},
};
use crate::command::{Begin, Find};
use crate::{Answer, Ctx, Error};

pub(super) const GEORADIUS: Command = Command {
    name: "georadius",
    summary: "Query a sorted set representing a geospatial index to fetch members matching a given maximum distance from a point",
    since: "3.2.0",
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -6,
    flags: Flags::GROWING_WRITE,
    history: &[("6.2.0", "Added the `ANY` option for `COUNT`."), ("7.0.0", "Added support for uppercase unit names.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` argument",
    }),
    keys: &[
        KeySpec::one(1, KeyFlags::READ),
        KeySpec {
            notes: "",
            flags: KeyFlags::OVERWRITE,
            begin: Begin::Keyword("STORE", 6),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OVERWRITE,
            begin: Begin::Keyword("STOREDIST", 6),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
    ],
    syntax: "key#0 longitude:double latitude:double radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] \
        [count{COUNT=count:int [ANY@6.2.0]}] [order(ASC|DESC)] [STORE=key#1] [STOREDIST=key#2]",
    run: Run::Call(georadius),
    ..Command::of(Group::Geo)
};

fn georadius(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 1, target: None, options: 6, center: Center::Words, may_store: true })
}

pub(super) const GEORADIUS_RO: Command = Command {
    name: "georadius_ro",
    summary: "A read-only variant for GEORADIUS",
    since: "3.2.10",
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -6,
    flags: Flags::READONLY,
    history: &[("6.2.0", "Added the `ANY` option for `COUNT`.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`GEOSEARCH` with the `BYRADIUS` argument" }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 longitude:double latitude:double radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] \
        [count{COUNT=count:int [ANY@6.2.0]}] [order(ASC|DESC)]",
    run: Run::Call(georadius_ro),
    ..Command::of(Group::Geo)
};

fn georadius_ro(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 1, target: None, options: 6, center: Center::Words, may_store: false })
}

pub(super) const GEORADIUSBYMEMBER: Command = Command {
    name: "georadiusbymember",
    summary: "Query a sorted set representing a geospatial index to fetch members matching a given maximum distance from a member",
    since: "3.2.0",
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -5,
    flags: Flags::GROWING_WRITE,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` and `FROMMEMBER` arguments",
    }),
    keys: &[
        KeySpec::one(1, KeyFlags::READ),
        KeySpec {
            notes: "",
            flags: KeyFlags::OVERWRITE,
            begin: Begin::Keyword("STORE", 5),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OVERWRITE,
            begin: Begin::Keyword("STOREDIST", 5),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
    ],
    syntax: "key#0 member radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count{COUNT=count:int \
        [ANY]}] [order(ASC|DESC)] [STORE=key#1] [STOREDIST=key#2]",
    run: Run::Call(georadiusbymember),
    ..Command::of(Group::Geo)
};

fn georadiusbymember(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 1, target: None, options: 5, center: Center::Member, may_store: true })
}

pub(super) const GEORADIUSBYMEMBER_RO: Command = Command {
    name: "georadiusbymember_ro",
    summary: "A read-only variant for GEORADIUSBYMEMBER",
    since: "3.2.10",
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -5,
    flags: Flags::READONLY,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` with the `BYRADIUS` and `FROMMEMBER` arguments",
    }),
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count{COUNT=count:int \
        [ANY]}] [order(ASC|DESC)]",
    run: Run::Call(georadiusbymember_ro),
    ..Command::of(Group::Geo)
};

fn georadiusbymember_ro(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 1, target: None, options: 5, center: Center::Member, may_store: false })
}
