//! The arguments of a search, and its results in Redis' order.
use bytes::Bytes;
use resp::Value as Reply;

use super::{distance_reply, place, point_reply};
use crate::{
    Answer, Ctx, Error, Notify, Typed, sorting,
    value::{
        geohash::{Form, Point, Shape},
        number,
        range::ScoreRange,
        zset::ZSet,
    },
};

/// What the command name determines.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    /// Index of the word with the key to search.
    pub(super) source: usize,
    /// Index of the word with the key to store to.
    pub(super) target: Option<usize>,
    /// Index of the first option.
    pub(super) options: usize,
    /// How the center of the area is given.
    pub(super) center: Center,
    /// Are the options `STORE` and `STOREDIST` allowed?
    pub(super) may_store: bool,
}

/// How a command gives the center of its area.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Center {
    /// Longitude and latitude are the two words after the key, followed by a radius.
    Words,
    /// A member is the word after the key, followed by a radius.
    Member,
    /// Options give the center and the form of the area.
    Options,
}

/// Nearest first (`ASC`) or farthest first (`DESC`).
#[derive(Clone, Copy, PartialEq)]
enum SortOrder {
    Ascending,
    Descending,
}

/// A member in the area.
struct MemberInArea {
    member: Bytes,
    score: f64,
    point: Point,
    /// Distance from the center, in metres.
    distance: f64,
}

/// The options parsed so far.
#[derive(Default)]
struct Query<'a> {
    has_distance: bool,
    has_hash: bool,
    has_point: bool,
    /// The center, given as a member or a position; `Some(None)` if the key is missing.
    center: Option<Option<Point>>,
    is_from_member: bool,
    /// The form of the area in metres, and the length of its unit in metres.
    form: Option<(Form, f64)>,
    order: Option<SortOrder>,
    /// `COUNT`: the most results.
    count: Option<usize>,
    /// `ANY`: take the first matches, not the nearest.
    is_any: bool,
    target: Option<&'a Bytes>,
    stores_distance: bool,
}

/// Runs a search and answers or stores the result.
pub(super) fn run(ctx: &mut Ctx<'_>, usage: Usage) -> Result<Answer, Error> {
    let zset = ctx.read::<ZSet>(ctx.arg(usage.source))?.cloned();
    let query = Query::parse(ctx, usage, zset.as_ref())?;
    let found = zset.zip(query.shape()).map(|(zset, shape)| query.search(&zset, &shape)).unwrap_or_default();
    let unit = query.form.map_or(1.0, |(_, unit)| unit);
    let Some(target) = query.target else {
        return Ok(Reply::Array(found.iter().map(|found| query.reply(found, unit)).collect()).into());
    };
    let score = |found: &MemberInArea| if query.stores_distance { found.distance / unit } else { found.score };
    let limits = ctx.limits();
    let members = found.into_iter().map(|found| (found.member.clone(), score(&found)));
    let event = if usage.target.is_some() { "geosearchstore" } else { "georadiusstore" };
    Ok(store(ctx, target, ZSet::from_members(members, &limits), event))
}

/// Stores the result at a key, replacing a value of any type; an empty result deletes the key. Unlike similar commands, Redis replies after
/// the event.
fn store(ctx: &mut Ctx<'_>, key: &Bytes, result: ZSet, event: &'static str) -> Answer {
    let len = result.len();
    if len > 0 {
        ctx.set(key, result.wrap());
        ctx.notify(Notify::ZSET, event, key);
    } else if ctx.delete_unseen(key) {
        ctx.notify(Notify::GENERIC, "del", key);
    }
    Answer::int(len)
}

impl<'a> Query<'a> {
    fn parse(ctx: &Ctx<'a>, usage: Usage, zset: Option<&ZSet>) -> Result<Query<'a>, Error> {
        let mut query = Query { target: usage.target.map(|at| ctx.arg(at)), ..Query::default() };
        let last = usage.options.saturating_sub(2);
        match (usage.center, zset) {
            (Center::Words, _) => {
                query.center = Some(Some(ctx.point(2)?));
                query.form = Some(radius(ctx, last)?);
            }
            (Center::Member, Some(zset)) => {
                query.center = Some(Some(member(zset, ctx.arg(2))?));
                query.form = Some(radius(ctx, last)?);
            }
            // If the key is missing, Redis does not check member and radius.
            (Center::Member, None) => query.center = Some(None),
            (Center::Options, _) => {}
        }
        let mut at = usage.options;
        while at < ctx.argv.len() {
            let used = query.option(ctx, usage, zset, at)?.ok_or(Error::Syntax)?;
            at = at.saturating_add(used);
        }
        query.check(ctx, usage)?;
        Ok(query)
    }

    /// Parses the option at word `at`; returns its number of words, or `None` if the word is not an option.
    fn option(&mut self, ctx: &Ctx<'a>, usage: Usage, zset: Option<&ZSet>, at: usize) -> Result<Option<usize>, Error> {
        let left = ctx.argv.len().saturating_sub(at).saturating_sub(1);
        let is = |word: &str, words: usize| left >= words && ctx.is_word(at, word);
        let is_search = usage.center == Center::Options;
        let next = at.saturating_add(1);
        let is_from_place = self.center.is_some() && !self.is_from_member;
        let is_box = matches!(self.form, Some((Form::Rectangle { .. }, _)));
        let is_circle = matches!(self.form, Some((Form::Circle { .. }, _)));
        if is("withdist", 0) {
            self.has_distance = true;
        } else if is("withhash", 0) {
            self.has_hash = true;
        } else if is("withcoord", 0) {
            self.has_point = true;
        } else if is("any", 0) {
            self.is_any = true;
        } else if is("asc", 0) {
            self.order = Some(SortOrder::Ascending);
        } else if is("desc", 0) {
            self.order = Some(SortOrder::Descending);
        } else if is("count", 1) {
            let count = usize::try_from(ctx.int(next)?).ok().filter(|count| *count > 0);
            self.count = Some(count.ok_or(Error::Text("ERR COUNT must be > 0"))?);
            return Ok(Some(2));
        } else if usage.may_store && (is("store", 1) || is("storedist", 1)) {
            self.target = Some(ctx.arg(next));
            self.stores_distance = is("storedist", 1);
            return Ok(Some(2));
        } else if is_search && is("frommember", 1) && !is_from_place {
            self.center = Some(zset.map(|zset| member(zset, ctx.arg(next))).transpose()?);
            self.is_from_member = true;
            return Ok(Some(2));
        } else if is_search && is("fromlonlat", 2) && !self.is_from_member {
            self.center = Some(Some(ctx.point(next)?));
            return Ok(Some(3));
        } else if is_search && is("byradius", 2) && !is_box {
            self.form = Some(radius(ctx, next)?);
            return Ok(Some(3));
        } else if is_search && is("bybox", 3) && !is_circle {
            self.form = Some(rectangle(ctx, next)?);
            return Ok(Some(4));
        } else if usage.target.is_some() && is("storedist", 0) {
            self.stores_distance = true;
        } else {
            return Ok(None);
        }
        Ok(Some(1))
    }

    /// Refuses incompatible options and missing ones.
    fn check(&self, ctx: &Ctx<'_>, usage: Usage) -> Result<(), Error> {
        if self.target.is_some() && (self.has_distance || self.has_hash || self.has_point) {
            let what = if usage.target.is_some() { "GEOSEARCHSTORE" } else { "STORE option in GEORADIUS" };
            return Err(Error::Message(format!(
                "ERR {what} is not compatible with WITHDIST, WITHHASH and WITHCOORD options"
            )));
        }
        let name = || crate::error::clipped(ctx.arg(0), usize::MAX);
        if self.center.is_none() {
            return Err(Error::Message(format!(
                "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for {}",
                name()
            )));
        }
        if usage.center == Center::Options && self.form.is_none() {
            return Err(Error::Message(format!(
                "ERR exactly one of BYRADIUS and BYBOX can be specified for {}",
                name()
            )));
        }
        if self.is_any && self.count.is_none() {
            return Err(Error::Text("ERR the ANY argument requires COUNT argument"));
        }
        Ok(())
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape { center: self.center.flatten()?, form: self.form?.0 })
    }

    /// The members in the area: by geohash cell, within a cell by score. Sorted by distance if an order was given; with `COUNT` and no
    /// `ANY`, nearest first by default.
    fn search(&self, zset: &ZSet, shape: &Shape) -> Vec<MemberInArea> {
        let enough = self.count.filter(|_| self.is_any).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        for cell in shape.cells() {
            let scores = cell.scores();
            let range =
                ScoreRange { min: std::ops::Bound::Included(scores.start), max: std::ops::Bound::Excluded(scores.end) };
            for (member, score) in zset.range(zset.ranks_by_score(&range)) {
                if found.len() >= enough {
                    break;
                }
                let point = Point::of_score(score);
                let Some(distance) = shape.distance_within(point) else { continue };
                found.push(MemberInArea { member: member.clone(), score, point, distance });
            }
        }
        let count = self.count.unwrap_or(usize::MAX).min(found.len());
        let order = self.order.or(self.count.filter(|_| !self.is_any).map(|_| SortOrder::Ascending));
        if let Some(order) = order {
            sorting::sort_first(&mut found, count, |a, b| match order {
                SortOrder::Ascending => a.distance.total_cmp(&b.distance),
                SortOrder::Descending => b.distance.total_cmp(&a.distance),
            });
        }
        found.truncate(count);
        found
    }

    fn reply(&self, found: &MemberInArea, unit: f64) -> Reply {
        let member = Reply::Bulk(found.member.clone());
        let with = [
            self.has_distance.then(|| distance_reply(found.distance / unit)),
            self.has_hash.then(|| Reply::Integer(whole(found.score))),
            self.has_point.then(|| point_reply(found.point)),
        ];
        if with.iter().all(Option::is_none) {
            return member;
        }
        Reply::Array([Some(member)].into_iter().chain(with).flatten().collect())
    }
}

/// A score as a 64-bit integer; out of range, the smallest integer, as on x86-64.
fn whole(score: f64) -> i64 {
    const TOP: f64 = 9_223_372_036_854_775_808.0;
    if score < TOP { score as i64 } else { i64::MIN }
}

fn member(zset: &ZSet, member: &[u8]) -> Result<Point, Error> {
    place(zset, member).ok_or(Error::Text("ERR could not decode requested zset member"))
}

/// Parses a circle: its form in metres, and the length of its unit in metres.
fn radius(ctx: &Ctx<'_>, at: usize) -> Result<(Form, f64), Error> {
    let radius = length(ctx, at, "ERR need numeric radius")?;
    if radius < 0.0 {
        return Err(Error::Text("ERR radius cannot be negative"));
    }
    let unit = ctx.unit(at.saturating_add(1))?;
    Ok((Form::Circle { radius: radius * unit }, unit))
}

/// Parses a rectangle: its form in metres, and the length of its unit in metres.
fn rectangle(ctx: &Ctx<'_>, at: usize) -> Result<(Form, f64), Error> {
    let width = length(ctx, at, "ERR need numeric width")?;
    let height = length(ctx, at.saturating_add(1), "ERR need numeric height")?;
    if width < 0.0 || height < 0.0 {
        return Err(Error::Text("ERR height or width cannot be negative"));
    }
    let unit = ctx.unit(at.saturating_add(2))?;
    Ok((Form::Rectangle { width: width * unit, height: height * unit }, unit))
}

fn length(ctx: &Ctx<'_>, at: usize, refusal: &'static str) -> Result<f64, Error> {
    number::parse_double(ctx.arg(at)).ok_or(Error::Text(refusal))
}
