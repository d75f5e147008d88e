//! Searching an area: `GEOSEARCH` and `GEOSEARCHSTORE`.
use super::{
    Command, Flags, Group, KeyFlags, KeySpec, Run,
    query::{self, Center, Usage},
};
use crate::{Answer, Ctx, Error};

pub(super) const GEOSEARCH: Command = Command {
    name: "geosearch",
    summary: "Query a sorted set representing a geospatial index to fetch members inside an area of a box or a circle.",
    since: "6.2.0",
    complexity: "O(N+log(M)) where N is the number of elements in the grid-aligned bounding box area around the shape provided as the filter and M is the number of items inside the shape",
    arity: -7,
    flags: Flags::READONLY,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 from(FROMMEMBER=member|FROMLONLAT=longitude_latitude{longitude:double latitude:double}) \
        by(circle{BYRADIUS=radius:double unit(M|KM|FT|MI)}|box{BYBOX=width:double height:double unit(M|KM|FT|MI)}) \
        [order(ASC|DESC)] [count{COUNT=count:int [ANY]}] [WITHCOORD] [WITHDIST] [WITHHASH]",
    run: Run::Call(geosearch),
    ..Command::of(Group::Geo)
};

fn geosearch(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 1, target: None, options: 2, center: Center::Options, may_store: false })
}

pub(super) const GEOSEARCHSTORE: Command = Command {
    name: "geosearchstore",
    summary: "Query a sorted set representing a geospatial index to fetch members inside an area of a box or a circle, and store the result in another key.",
    since: "6.2.0",
    complexity: "O(N+log(M)) where N is the number of elements in the grid-aligned bounding box area around the shape provided as the filter and M is the number of items inside the shape",
    arity: -8,
    flags: Flags::GROWING_WRITE,
    history: &[("7.0.0", "Added support for uppercase unit names.")],
    keys: &[KeySpec::one(1, KeyFlags::OVERWRITE), KeySpec::one(2, KeyFlags::READ)],
    syntax: "destination#0 source#1 from(FROMMEMBER=member|FROMLONLAT=longitude_latitude{longitude:double \
        latitude:double}) by(circle{BYRADIUS=radius:double unit(M|KM|FT|MI)}|box{BYBOX=width:double height:double \
        unit(M|KM|FT|MI)}) [order(ASC|DESC)] [count{COUNT=count:int [ANY]}] [STOREDIST]",
    run: Run::Call(geosearchstore),
    ..Command::of(Group::Geo)
};

fn geosearchstore(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    query::run(ctx, Usage { source: 2, target: Some(1), options: 3, center: Center::Options, may_store: false })
}
