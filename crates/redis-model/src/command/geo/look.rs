//! Reading positions of members: `GEODIST GEOHASH GEOPOS`.
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, distance_reply, place, point_reply};
use crate::{
    Answer, Ctx, Error,
    value::{geohash::Point, zset::ZSet},
};

pub(super) const GEODIST: Command = Command {
    name: "geodist",
    summary: "Returns the distance between two members of a geospatial index",
    since: "3.2.0",
    complexity: "O(log(N))",
    arity: -4,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member1 member2 [unit(M|KM|FT|MI)]",
    run: Run::Call(geodist),
    ..Command::of(Group::Geo)
};

fn geodist(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let metres = match ctx.argv.len() {
        4 => 1.0,
        5 => ctx.unit(4)?,
        _ => return Err(Error::Syntax),
    };
    let Some(zset) = ctx.read::<ZSet>(ctx.arg(1))?.cloned() else { return Ok(Reply::Null.into()) };
    let ends = place(&zset, ctx.arg(2)).zip(place(&zset, ctx.arg(3)));
    Ok(ends.map_or(Reply::Null, |(from, to)| distance_reply(from.distance(to) / metres)).into())
}

pub(super) const GEOHASH: Command = Command {
    name: "geohash",
    summary: "Returns members of a geospatial index as standard geohash strings",
    since: "3.2.0",
    complexity: "O(log(N)) for each member requested, where N is the number of elements in the sorted set.",
    arity: -2,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member...",
    run: Run::Call(geohash),
    ..Command::of(Group::Geo)
};

fn geohash(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    each_member(ctx, Reply::Null, |point| Reply::bulk(point.letters()))
}

pub(super) const GEOPOS: Command = Command {
    name: "geopos",
    summary: "Returns longitude and latitude of members of a geospatial index",
    since: "3.2.0",
    complexity: "O(N) where N is the number of members requested.",
    arity: -2,
    flags: Flags::READONLY,
    keys: &[KeySpec::one(1, KeyFlags::READ)],
    syntax: "key#0 member...",
    run: Run::Call(geopos),
    ..Command::of(Group::Geo)
};

fn geopos(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    each_member(ctx, Reply::NullArray, point_reply)
}

fn each_member(ctx: &mut Ctx<'_>, missing: Reply, reply: fn(Point) -> Reply) -> Result<Answer, Error> {
    let members = ctx.args_from(2);
    let zset = ctx.read::<ZSet>(ctx.arg(1))?;
    let place = |member| zset.and_then(|zset| place(zset, member));
    Ok(Reply::Array(members.iter().map(|member| place(member).map_or(missing.clone(), reply)).collect()).into())
}
