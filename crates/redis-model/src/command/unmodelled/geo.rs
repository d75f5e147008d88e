//! Geographic positions: rows only, not modelled yet.
use crate::command::{Begin, Categories, Command, Deprecation, Find, Flags, Group, KeyFlags, KeySpec};

pub(super) static COMMANDS: &[Command] = &[
    GEOADD,
    GEODIST,
    GEOHASH,
    GEOPOS,
    GEORADIUS,
    GEORADIUS_RO,
    GEORADIUSBYMEMBER,
    GEORADIUSBYMEMBER_RO,
    GEOSEARCH,
    GEOSEARCHSTORE,
];

const GEOADD: Command = Command {
    name: "geoadd",
    summary: "Add one or more geospatial items in the geospatial index represented using a sorted set",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(log(N)) for each item added, where N is the number of elements in the sorted set.",
    arity: -5,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::GEO,
    history: &[("6.2.0", "Added the `CH`, `NX` and `XX` options.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RW.union(KeyFlags::UPDATE),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 [condition(NX|XX)@6.2.0] [CH=change:flag@6.2.0] longitude_latitude_member{longitude:double \
        latitude:double member}...",
    ..Command::BLANK
};
const GEODIST: Command = Command {
    name: "geodist",
    summary: "Returns the distance between two members of a geospatial index",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(log(N))",
    arity: -4,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 member1 member2 [unit(M|KM|FT|MI)]",
    ..Command::BLANK
};
const GEOHASH: Command = Command {
    name: "geohash",
    summary: "Returns members of a geospatial index as standard geohash strings",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(log(N)) for each member requested, where N is the number of elements in the sorted set.",
    arity: -2,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 member...",
    ..Command::BLANK
};
const GEOPOS: Command = Command {
    name: "geopos",
    summary: "Returns longitude and latitude of members of a geospatial index",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(N) where N is the number of members requested.",
    arity: -2,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 member...",
    ..Command::BLANK
};
const GEORADIUS: Command = Command {
    name: "georadius",
    summary: "Query a sorted set representing a geospatial index to fetch members matching a given maximum distance from a point",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -6,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::GEO,
    history: &[("6.2.0", "Added the `ANY` option for `COUNT`."), ("7.0.0", "Added support for uppercase unit names.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` argument",
    }),
    keys: &[
        KeySpec {
            notes: "",
            flags: KeyFlags::RO.union(KeyFlags::ACCESS),
            begin: Begin::Index(1),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Keyword("STORE", 6),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Keyword("STOREDIST", 6),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
    ],
    syntax: "key#0 longitude:double latitude:double radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] \
        [count{COUNT=count:int [ANY@6.2.0]}] [order(ASC|DESC)] [STORE=key#1] [STOREDIST=key#2]",
    ..Command::BLANK
};
const GEORADIUS_RO: Command = Command {
    name: "georadius_ro",
    summary: "A read-only variant for GEORADIUS",
    since: "3.2.10",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -6,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    history: &[("6.2.0", "Added the `ANY` option for `COUNT`.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation { since: "6.2.0", replaced_by: "`GEOSEARCH` with the `BYRADIUS` argument" }),
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 longitude:double latitude:double radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] \
        [count{COUNT=count:int [ANY@6.2.0]}] [order(ASC|DESC)]",
    ..Command::BLANK
};
const GEORADIUSBYMEMBER: Command = Command {
    name: "georadiusbymember",
    summary: "Query a sorted set representing a geospatial index to fetch members matching a given maximum distance from a member",
    since: "3.2.0",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -5,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::GEO,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` and `FROMMEMBER` arguments",
    }),
    keys: &[
        KeySpec {
            notes: "",
            flags: KeyFlags::RO.union(KeyFlags::ACCESS),
            begin: Begin::Index(1),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Keyword("STORE", 5),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Keyword("STOREDIST", 5),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
    ],
    syntax: "key#0 member radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count{COUNT=count:int \
        [ANY]}] [order(ASC|DESC)] [STORE=key#1] [STOREDIST=key#2]",
    ..Command::BLANK
};
const GEORADIUSBYMEMBER_RO: Command = Command {
    name: "georadiusbymember_ro",
    summary: "A read-only variant for GEORADIUSBYMEMBER",
    since: "3.2.10",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements inside the bounding box of the circular area delimited by center and radius and M is the number of items inside the index.",
    arity: -5,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    doc_flags: &["deprecated"],
    deprecated: Some(Deprecation {
        since: "6.2.0",
        replaced_by: "`GEOSEARCH` with the `BYRADIUS` and `FROMMEMBER` arguments",
    }),
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 member radius:double unit(M|KM|FT|MI) [WITHCOORD] [WITHDIST] [WITHHASH] [count{COUNT=count:int \
        [ANY]}] [order(ASC|DESC)]",
    ..Command::BLANK
};
const GEOSEARCH: Command = Command {
    name: "geosearch",
    summary: "Query a sorted set representing a geospatial index to fetch members inside an area of a box or a circle.",
    since: "6.2.0",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements in the grid-aligned bounding box area around the shape provided as the filter and M is the number of items inside the shape",
    arity: -7,
    flags: Flags::READONLY,
    categories: Categories::GEO,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    syntax: "key#0 from(FROMMEMBER=member|FROMLONLAT=longitude_latitude{longitude:double latitude:double}) \
        by(circle{BYRADIUS=radius:double unit(M|KM|FT|MI)}|box{BYBOX=width:double height:double unit(M|KM|FT|MI)}) \
        [order(ASC|DESC)] [count{COUNT=count:int [ANY]}] [WITHCOORD] [WITHDIST] [WITHHASH]",
    ..Command::BLANK
};
const GEOSEARCHSTORE: Command = Command {
    name: "geosearchstore",
    summary: "Query a sorted set representing a geospatial index to fetch members inside an area of a box or a circle, and store the result in another key.",
    since: "6.2.0",
    group: Group::Geo,
    complexity: "O(N+log(M)) where N is the number of elements in the grid-aligned bounding box area around the shape provided as the filter and M is the number of items inside the shape",
    arity: -8,
    flags: Flags::WRITE.union(Flags::DENYOOM),
    categories: Categories::GEO,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    keys: &[
        KeySpec {
            notes: "",
            flags: KeyFlags::OW.union(KeyFlags::UPDATE),
            begin: Begin::Index(1),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
        KeySpec {
            notes: "",
            flags: KeyFlags::RO.union(KeyFlags::ACCESS),
            begin: Begin::Index(2),
            find: Find::Range { last: 0, step: 1, limit: 0 },
        },
    ],
    syntax: "destination#0 source#1 from(FROMMEMBER=member|FROMLONLAT=longitude_latitude{longitude:double \
        latitude:double}) by(circle{BYRADIUS=radius:double unit(M|KM|FT|MI)}|box{BYBOX=width:double height:double \
        unit(M|KM|FT|MI)}) [order(ASC|DESC)] [count{COUNT=count:int [ANY]}] [STOREDIST]",
    ..Command::BLANK
};
