//! Geohash: longitude and latitude as one 52-bit number, such that near numbers are near places.
//!
//! ```text
//!   longitude  … x₂ x₁ x₀        26 halvings of −180..180
//!   latitude   … y₂ y₁ y₀        26 halvings of −85.05112878..85.05112878 (the square of web maps)
//!   score      … x₂ y₂ x₁ y₁ x₀ y₀
//! ```
//! Dropping two bits at the end merges four boxes into one: all places in a box of `step` halvings are the scores of one range. A search
//! chooses boxes so large that the box of its centre and the eight neighbours cover the area, and scans nine ranges.
//!
//! Limits, earth radius and the order of the nine boxes are exactly those of Redis 7.0. Sources: G. Niemeyer, geohash, 2008, for the
//! idea; Ardb's spatial index for bits instead of letters and for the estimate of the step.
use std::ops::Range;

use super::trig::{asin, cos, sin};

/// Longitudes range from minus this to this, in degrees.
pub const LONGITUDE_MAX: f64 = 180.0;
/// Latitudes range from minus this to this, in degrees: there Mercator's map is as high as it is wide.
pub const LATITUDE_MAX: f64 = 85.051_128_78;
/// Number of halvings of each axis in a score.
pub const STEP_MAX: u32 = 26;
/// Metres.
const EARTH_RADIUS: f64 = 6_372_797.560_856;
/// Half the equator in metres: a radius this large needs no halving.
const MERCATOR_MAX: f64 = 20_037_726.37;
const RADIANS_PER_DEGREE: f64 = std::f64::consts::PI / 180.0;

fn radians(degrees: f64) -> f64 {
    degrees * RADIANS_PER_DEGREE
}

fn degrees(radians: f64) -> f64 {
    radians / RADIANS_PER_DEGREE
}

/// A place, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// East is positive.
    pub longitude: f64,
    /// North is positive.
    pub latitude: f64,
}

impl Point {
    /// Is this place on web maps?
    pub fn is_on_map(self) -> bool {
        self.longitude.abs() <= LONGITUDE_MAX && self.latitude.abs() <= LATITUDE_MAX
    }

    /// The score of this place in a sorted set.
    pub fn score(self) -> f64 {
        Cell::of(self, STEP_MAX, LATITUDE_MAX).bits as f64
    }

    /// The place that a score stands for: the middle of its smallest box. Every score stands for some place.
    pub fn of_score(score: f64) -> Point {
        let area = Cell { bits: bits_of_score(score), step: STEP_MAX }.area();
        let middle = |range: &Range<f64>, max: f64| ((range.start + range.end) / 2.0).max(-max).min(max);
        Point { longitude: middle(&area.longitude, LONGITUDE_MAX), latitude: middle(&area.latitude, LATITUDE_MAX) }
    }

    /// Distance along the great circle in metres, by the haversine formula.
    pub fn distance(self, other: Point) -> f64 {
        let east = sin((radians(other.longitude) - radians(self.longitude)) / 2.0);
        // On one meridian the formula simplifies to this, and Redis computes this.
        if east == 0.0 {
            return self.distance_north(other.latitude);
        }
        let (from, to) = (radians(self.latitude), radians(other.latitude));
        let north = sin((to - from) / 2.0);
        let a = north * north + cos(from) * cos(to) * east * east;
        2.0 * EARTH_RADIUS * asin(a.sqrt())
    }

    /// Distance to a parallel in metres, straight north or south.
    fn distance_north(self, latitude: f64) -> f64 {
        EARTH_RADIUS * (radians(latitude) - radians(self.latitude)).abs()
    }

    /// The eleven-letter geohash as other programs write it. Such a geohash has 55 bits and latitudes up to the poles; Redis has no bits
    /// left for the last letter, so it is always `0`.
    pub fn letters(self) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
        let bits = Cell::of(self, STEP_MAX, 90.0).bits;
        let letter = |shift: u32| ALPHABET.get((bits >> shift & 31) as usize).copied().unwrap_or(b'0');
        (0..10).map(|i| char::from(letter(47 - 5 * i))).chain(['0']).collect()
    }
}

/// A double as C converts it to an unsigned 64-bit integer on x86-64, so that every score stands for some place.
fn bits_of_score(score: f64) -> u64 {
    const TOP: f64 = 9_223_372_036_854_775_808.0;
    let wrapped = |value: f64| if value.abs() < TOP { (value as i64).cast_unsigned() } else { 1 << 63 };
    if score >= TOP { wrapped(score - TOP) ^ 1 << 63 } else { wrapped(score) }
}

/// Spreads the bits to even positions: `…cba` becomes `…0c0b0a`.
fn spread(half: u32) -> u64 {
    let mut bits = u64::from(half);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// Gathers the bits at even positions; the inverse of [`spread`].
fn gather(bits: u64) -> u32 {
    let mut bits = bits & 0x5555_5555_5555_5555;
    for (shift, mask) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ] {
        bits = (bits | bits >> shift) & mask;
    }
    bits as u32
}

/// A box of the grid; each axis is halved `step` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    bits: u64,
    step: u32,
}

/// The edges of a box, in degrees.
struct Area {
    longitude: Range<f64>,
    latitude: Range<f64>,
}

impl Cell {
    fn of(point: Point, step: u32, latitude_max: f64) -> Cell {
        let offset = |value: f64, max: f64| ((value + max) / (max + max) * f64::from(1u32 << step)) as u32;
        let (x, y) = (offset(point.longitude, LONGITUDE_MAX), offset(point.latitude, latitude_max));
        Cell { bits: spread(x) << 1 | spread(y), step }
    }

    fn area(self) -> Area {
        let edges = |at: u32, max: f64| {
            let edge = |at: f64| -max + at / f64::from(1u32 << self.step) * (max + max);
            edge(f64::from(at))..edge(f64::from(at) + 1.0)
        };
        Area {
            longitude: edges(gather(self.bits >> 1), LONGITUDE_MAX),
            latitude: edges(gather(self.bits), LATITUDE_MAX),
        }
    }

    /// The box `east` and `north` steps away; wraps around the world, and over its upper edge to its lower one.
    fn moved(self, (east, north): (i32, i32)) -> Cell {
        let mask = (1u32 << self.step).wrapping_sub(1);
        let shift = |at: u32, by: i32| if by == 0 { at } else { at.wrapping_add_signed(by) & mask };
        let (x, y) = (shift(gather(self.bits >> 1), east), shift(gather(self.bits), north));
        Cell { bits: spread(x) << 1 | spread(y), step: self.step }
    }

    /// The scores of the places in this box.
    pub fn scores(self) -> Range<f64> {
        let shift = 2 * STEP_MAX.saturating_sub(self.step);
        (self.bits << shift) as f64..(self.bits.wrapping_add(1) << shift) as f64
    }
}

/// The form and size of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// All places up to `radius` away.
    Circle {
        /// Metres.
        radius: f64,
    },
    /// Half of the size to each side, along the parallel and the meridian.
    Rectangle {
        /// Metres.
        width: f64,
        /// Metres.
        height: f64,
    },
}

/// An area to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Its middle.
    pub center: Point,
    /// Its form and size.
    pub form: Form,
}

impl Shape {
    /// The distance of a place from the centre in metres; `None` if the place is outside the area.
    pub fn distance_within(&self, point: Point) -> Option<f64> {
        match self.form {
            Form::Circle { radius } => Some(self.center.distance(point)).filter(|distance| *distance <= radius),
            Form::Rectangle { width, height } => {
                let along_the_parallel = || point.distance(Point { longitude: self.center.longitude, ..point });
                let is_within =
                    point.distance_north(self.center.latitude) <= height / 2.0 && along_the_parallel() <= width / 2.0;
                is_within.then(|| self.center.distance(point))
            }
        }
    }

    /// Distance from the centre to the farthest point, in metres.
    fn reach(&self) -> f64 {
        match self.form {
            Form::Circle { radius } => radius,
            Form::Rectangle { width, height } => (width / 2.0 * (width / 2.0) + height / 2.0 * (height / 2.0)).sqrt(),
        }
    }

    /// The edges of the area, in degrees.
    fn bounds(&self) -> Area {
        let (east, north) = match self.form {
            Form::Circle { radius } => (radius, radius),
            Form::Rectangle { width, height } => (width / 2.0, height / 2.0),
        };
        let Point { longitude, latitude } = self.center;
        let up = degrees(north / EARTH_RADIUS);
        // A degree of longitude is shortest on the side of the nearer pole.
        let polar = if latitude < 0.0 { latitude - up } else { latitude + up };
        let aside = degrees(east / EARTH_RADIUS / cos(radians(polar)));
        Area { longitude: longitude - aside..longitude + aside, latitude: latitude - up..latitude + up }
    }

    /// Number of halvings at which the boxes are still large enough.
    fn step(&self) -> u32 {
        let mut reach = self.reach();
        if reach == 0.0 {
            return STEP_MAX;
        }
        let mut step = 1i32;
        while reach < MERCATOR_MAX {
            reach *= 2.0;
            step = step.saturating_add(1);
        }
        let latitude = self.center.latitude.abs();
        // Twice as large as necessary, so that the area is covered wherever in the box its centre lies; and larger near the poles.
        let larger = 2 + i32::from(latitude > 66.0) + i32::from(latitude > 80.0);
        step.saturating_sub(larger).clamp(1, STEP_MAX.cast_signed()).unsigned_abs()
    }

    /// The boxes that cover the area, in the order in which Redis searches them: the middle first.
    pub fn cells(&self) -> Vec<Cell> {
        let bounds = self.bounds();
        let mut middle = Cell::of(self.center, self.step(), LATITUDE_MAX);
        if middle.step > 1 && falls_short(middle, &bounds) {
            middle = Cell::of(self.center, middle.step.saturating_sub(1), LATITUDE_MAX);
        }
        let area = middle.area();
        // Leaves out sides on which the middle box alone covers the area. On a grid of four boxes all are needed.
        let is_fine = middle.step >= 2;
        let is_needless = |(east, north): (i32, i32)| {
            is_fine
                && (north < 0 && area.latitude.start < bounds.latitude.start
                    || north > 0 && area.latitude.end > bounds.latitude.end
                    || east < 0 && area.longitude.start < bounds.longitude.start
                    || east > 0 && area.longitude.end > bounds.longitude.end)
        };
        const AROUND: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];
        let mut cells = vec![middle];
        for toward in AROUND {
            let cell = middle.moved(toward);
            // On a coarse grid several neighbours are the same box. Redis compares only with the previous box, and not with the middle one.
            let is_repeated = cells.len() > 1 && cells.last() == Some(&cell);
            if !is_needless(toward) && !is_repeated {
                cells.push(cell);
            }
        }
        cells
    }
}

/// Do the box and its neighbours fail to cover the area?
fn falls_short(middle: Cell, bounds: &Area) -> bool {
    let area = |toward: (i32, i32)| middle.moved(toward).area();
    area((0, 1)).latitude.end < bounds.latitude.end
        || area((0, -1)).latitude.start > bounds.latitude.start
        || area((1, 0)).longitude.end < bounds.longitude.end
        || area((-1, 0)).longitude.start > bounds.longitude.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Point> {
        (-180.0..180.0, -85.0..85.0).prop_map(|(longitude, latitude)| Point { longitude, latitude })
    }

    /// A centre so far from the edges of the map that no area around it crosses them: Redis does not search across an edge.
    fn shape() -> impl Strategy<Value = Shape> {
        let center = (-160.0..160.0, -65.0..65.0).prop_map(|(longitude, latitude)| Point { longitude, latitude });
        let size = || prop_oneof![0.0..1e3, 0.0..1e5, 0.0..8e5];
        let form = prop_oneof![
            size().prop_map(|radius| Form::Circle { radius }),
            (size(), size()).prop_map(|(width, height)| Form::Rectangle { width, height }),
        ];
        (center, form).prop_map(|(center, form)| Shape { center, form })
    }

    proptest! {
        #[test]
        fn a_score_is_a_place_within_its_box(point in place()) {
            let found = Point::of_score(point.score());
            prop_assert!((found.longitude - point.longitude).abs() <= 180.0 / f64::from(1u32 << STEP_MAX));
            prop_assert!((found.latitude - point.latitude).abs() <= LATITUDE_MAX / f64::from(1u32 << STEP_MAX));
            prop_assert_eq!(found.score(), point.score());
        }

        #[test]
        fn gather_inverts_spread(half in any::<u32>()) {
            prop_assert_eq!(gather(spread(half)), half);
            prop_assert_eq!(gather(spread(half) << 1), 0);
        }

        /// The nine boxes contain every place of the area that a search of all places would find, and no box occurs twice.
        #[test]
        fn boxes_cover_the_area(shape in shape(), offsets in prop::collection::vec((-1.0..1.0, -1.0..1.0), 1..200)) {
            let cells: Vec<Range<f64>> = shape.cells().iter().map(|cell| cell.scores()).collect();
            let bounds = shape.bounds();
            for (east, north) in offsets {
                let within = |range: &Range<f64>, part: f64| (range.start + range.end) / 2.0 + part * (range.end - range.start) / 2.0;
                let point = Point { longitude: within(&bounds.longitude, east), latitude: within(&bounds.latitude, north) };
                let point = Point::of_score(point.score());
                let times = cells.iter().filter(|cell| cell.contains(&point.score())).count();
                prop_assert!(times <= 1);
                if shape.distance_within(point).is_some() {
                    prop_assert_eq!(times, 1);
                }
            }
        }

        #[test]
        fn distance_is_the_same_both_ways(a in place(), b in place()) {
            prop_assert!((a.distance(b) - b.distance(a)).abs() < 1e-6);
            prop_assert!(a.distance(b) <= EARTH_RADIUS * std::f64::consts::PI + 1.0);
            prop_assert_eq!(a.distance(a), 0.0);
        }

        /// A search ends with at most nine boxes for any score and size.
        #[test]
        fn any_score_and_size_gives_at_most_nine_boxes(score in any::<f64>(), width in any::<f64>(), height in any::<f64>()) {
            prop_assume!(!score.is_nan());
            let center = Point::of_score(score);
            prop_assert!(center.is_on_map());
            let (width, height) = (width.abs(), height.abs());
            for form in [Form::Circle { radius: width }, Form::Rectangle { width, height }] {
                let cells = Shape { center, form }.cells();
                prop_assert!(cells.len() <= 9);
            }
            prop_assert_eq!(center.letters().len(), 11);
        }
    }
}
