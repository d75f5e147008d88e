//! Geographic positions: sorted sets whose scores are geohashes of 52 bits (`value/geohash.rs`).
//!
//! ```text
//!  add.rs      GEOADD
//!  look.rs     GEODIST GEOHASH GEOPOS
//!  search.rs   GEOSEARCH GEOSEARCHSTORE
//!  radius.rs   GEORADIUS, GEORADIUSBYMEMBER and their _RO forms, replaced by GEOSEARCH
//!  query.rs    arguments, search and reply of all six
//! ```
mod add;
mod look;
mod query;
mod radius;
mod search;

use resp::{Value as Reply, decimal::fixed};

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Ctx, Error,
    value::{geohash::Point, number::format_double, zset::ZSet},
};

pub(super) static COMMANDS: &[Command] = &[
    add::GEOADD,
    look::GEODIST,
    look::GEOHASH,
    look::GEOPOS,
    radius::GEORADIUS,
    radius::GEORADIUSBYMEMBER,
    radius::GEORADIUSBYMEMBER_RO,
    radius::GEORADIUS_RO,
    search::GEOSEARCH,
    search::GEOSEARCHSTORE,
];

impl Ctx<'_> {
    /// Parses two words as longitude and latitude.
    fn point(&self, at: usize) -> Result<Point, Error> {
        let point = Point { longitude: self.float(at)?, latitude: self.float(at.saturating_add(1))? };
        if point.is_on_map() {
            return Ok(point);
        }
        let Point { longitude, latitude } = point;
        let [longitude, latitude] = [longitude, latitude].map(|degrees| with_digits(degrees, 6));
        Err(Error::Message(format!("ERR invalid longitude,latitude pair {longitude},{latitude}")))
    }

    /// Parses a word as a unit of length; returns its length in metres.
    fn unit(&self, at: usize) -> Result<f64, Error> {
        const UNITS: [(&str, f64); 4] = [("m", 1.0), ("km", 1000.0), ("ft", 0.3048), ("mi", 1609.34)];
        let unit = UNITS.iter().find(|(name, _)| self.is_word(at, name)).map(|(_, metres)| *metres);
        unit.ok_or(Error::Text("ERR unsupported unit provided. please use M, KM, FT, MI"))
    }
}

/// The position of a member.
fn place(zset: &ZSet, member: &[u8]) -> Option<Point> {
    zset.score(member).map(Point::of_score)
}

/// A number with `places` digits after the decimal point. The standard library's float formatting would add 5 KB to the page.
fn with_digits(value: f64, places: u8) -> String {
    if value.is_finite() { fixed(value, places) } else { format_double(value) }
}

/// A distance, always with four digits after the decimal point.
fn distance_reply(distance: f64) -> Reply {
    Reply::bulk(with_digits(distance, 4))
}

/// Longitude and latitude, with all digits that Redis prints.
fn point_reply(point: Point) -> Reply {
    Reply::Array(vec![degrees_reply(point.longitude), degrees_reply(point.latitude)])
}

/// Seventeen digits after the decimal point, without trailing zeros (`ld2string` with `LD_STR_HUMAN`).
fn degrees_reply(degrees: f64) -> Reply {
    let text = with_digits(degrees, 17);
    match text.trim_end_matches('0').trim_end_matches('.') {
        "0" | "-0" => Reply::Double(0.0),
        text => Reply::double_as_written(degrees, text.as_bytes()),
    }
}
