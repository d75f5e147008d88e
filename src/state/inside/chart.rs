//! A map without tiles: Mercator's projection fitted to its places, its graticule, the outline of a searched area, a scale bar, and
//! positions for the labels.
use redis_model::value::geohash::{Form, LATITUDE_MAX, Point, Shape};
use redis_model::value::trig::{asin, cos, sin};
use resp::decimal::fixed;

/// Width and height of the map, in its own units.
pub const WIDTH: f64 = 480.0;
/// See [`WIDTH`].
pub const HEIGHT: f64 = 240.0;
/// Margin around the places, in map units.
const EDGE: f64 = 26.0;
/// Approximate distance between two lines of the graticule, in map units.
const LINES_APART: f64 = 90.0;
/// Upper bound for the lines of a graticule.
const LINES_MAX: usize = 24;
/// Points on each side of an area's outline.
const OUTLINE_POINTS: u32 = 48;
/// A map of one place extends this far to each side, in radians: about a degree.
const AROUND_ONE: f64 = 0.02;
/// The smallest extent of a map, in radians: a few metres.
const FINEST: f64 = 1e-6;
const EARTH_RADIUS: f64 = 6_372_797.560_856;
const PI: f64 = std::f64::consts::PI;

/// A line of the graticule: its coordinate on the chart, and its label.
pub type GridLine = (f64, String);

/// A part of the world on a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chart {
    /// Longitudes are counted eastwards from here, in degrees, so that no place lies across a seam.
    seam: f64,
    /// The middle, in radians of the projection.
    middle: (f64, f64),
    /// Units per radian.
    scale: f64,
}

/// Clamps to `-most..=most`. The standard `clamp` would add five kilobytes: its panic formats floats.
fn within(value: f64, most: f64) -> f64 {
    value.max(-most).min(most)
}

/// Mercator's y of a latitude in degrees.
fn northing(latitude: f64) -> f64 {
    let sine = sin(within(latitude, LATITUDE_MAX).to_radians());
    ((1.0 + sine) / (1.0 - sine)).ln() / 2.0
}

/// The longitude east of the widest gap between places: the world is cut there.
fn seam_of(places: &[Point]) -> f64 {
    let (mut seam, mut widest) = (-180.0, -1.0);
    for place in places {
        // The distance to the next place in the west, all around if need be.
        let gap = |other: &Point| {
            let gap = place.longitude - other.longitude;
            if gap > 0.0 { gap } else { gap + 360.0 }
        };
        let gap = places.iter().map(gap).fold(360.0, f64::min);
        if gap > widest {
            (seam, widest) = (place.longitude, gap);
        }
    }
    seam
}

impl Chart {
    /// The chart that fits all these places and the area.
    pub fn of(places: impl Iterator<Item = Point>, area: Option<&Shape>) -> Chart {
        let places: Vec<Point> = places.chain(area.map(|area| area.center)).collect();
        let mut chart = Chart { seam: seam_of(&places), middle: (0.0, 0.0), scale: 1.0 };
        let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        let mut reach = |x: f64, y: f64| {
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        };
        for place in &places {
            reach(chart.easting(place.longitude), northing(place.latitude));
        }
        if let Some(area) = area {
            for (latitude, aside) in sides(area) {
                let x = chart.easting(area.center.longitude);
                reach(x - aside, northing(latitude));
                reach(x + aside, northing(latitude));
            }
        }
        if places.is_empty() {
            (least, most) = ((-PI, -PI), (PI, PI));
        }
        let (wide, high) = (most.0 - least.0, most.1 - least.1);
        let (wide, high) = if wide.max(high) < FINEST { (AROUND_ONE, AROUND_ONE) } else { (wide, high) };
        chart.middle = ((least.0 + most.0) / 2.0, (least.1 + most.1) / 2.0);
        chart.scale = ((WIDTH - 2.0 * EDGE) / wide.max(FINEST)).min((HEIGHT - 2.0 * EDGE) / high.max(FINEST));
        chart
    }

    /// Radians east of the meridian of Greenwich, on this side of the seam.
    fn easting(&self, longitude: f64) -> f64 {
        let turn = if longitude < self.seam { 360.0 } else { 0.0 };
        (longitude + turn).to_radians()
    }

    fn x_of(&self, easting: f64) -> f64 {
        WIDTH / 2.0 + (easting - self.middle.0) * self.scale
    }

    /// The distance from the top, in map units.
    fn y_of(&self, latitude: f64) -> f64 {
        HEIGHT / 2.0 - (northing(latitude) - self.middle.1) * self.scale
    }

    /// The position of a place on the map.
    pub fn place(&self, point: Point) -> (f64, f64) {
        (self.x_of(self.easting(point.longitude)), self.y_of(point.latitude))
    }

    /// Corners of a box in degrees (west, south, east, north): left, top, width and height.
    pub fn rectangle(&self, [west, south, east, north]: [f64; 4]) -> [f64; 4] {
        let turn = if east <= self.seam { 360.0 } else { 0.0 };
        let (left, right) = (self.x_of((west + turn).to_radians()), self.x_of((east + turn).to_radians()));
        let (top, bottom) = (self.y_of(north), self.y_of(south));
        [left, top, right - left, bottom - top]
    }

    /// The outline of an area as path data.
    pub fn outline(&self, area: &Shape) -> String {
        let middle = self.easting(area.center.longitude);
        let sides = sides(area);
        let east = sides.iter().map(|(latitude, aside)| (middle + aside, *latitude));
        let west = sides.iter().rev().map(|(latitude, aside)| (middle - aside, *latitude));
        let mut path = String::new();
        for (i, (easting, latitude)) in east.chain(west).enumerate() {
            path.push_str(if i == 0 { "M" } else { "L" });
            path.push_str(&format!("{} {}", fixed(self.x_of(easting), 1), fixed(self.y_of(latitude), 1)));
        }
        path + "Z"
    }

    /// The meridians and the parallels that cross the chart.
    pub fn graticule(&self) -> (Vec<GridLine>, Vec<GridLine>) {
        let (step, places) = nice((LINES_APART / self.scale).to_degrees());
        let step = step.min(30.0);
        let degrees = |value: f64, [east, west]: [&str; 2]| {
            let value = if value > 180.0 {
                value - 360.0
            } else if value < -180.0 {
                value + 360.0
            } else {
                value
            };
            let letter = if value == 0.0 {
                ""
            } else if value > 0.0 {
                east
            } else {
                west
            };
            format!("{}°{letter}", fixed(value.abs(), places))
        };
        let half = (WIDTH / 2.0 / self.scale).to_degrees();
        let west = ((self.middle.0.to_degrees() - half) / step).ceil();
        let meridians = (0..LINES_MAX).map(|i| (west + i as f64) * step);
        let meridians = meridians.map(|longitude| (self.x_of(longitude.to_radians()), degrees(longitude, ["E", "W"])));
        // The last ones have no room for their labels.
        let meridians = meridians.take_while(|(x, _)| *x < WIDTH - 30.0).collect();
        let south = self.latitude_at(HEIGHT - 16.0);
        let parallels = (0..LINES_MAX).map(|i| ((south / step).ceil() + i as f64) * step);
        let parallels = parallels.take_while(|latitude| *latitude <= LATITUDE_MAX);
        let parallels = parallels.map(|latitude| (self.y_of(latitude), degrees(latitude, ["N", "S"])));
        (meridians, parallels.take_while(|(y, _)| *y > 0.0).collect())
    }

    /// The latitude at a height on the chart, in degrees, found by bisection.
    fn latitude_at(&self, y: f64) -> f64 {
        let (mut south, mut north) = (-LATITUDE_MAX, LATITUDE_MAX);
        for _ in 0..40 {
            let middle = (south + north) / 2.0;
            *if self.y_of(middle) > y { &mut south } else { &mut north } = middle;
        }
        south
    }

    /// A round length for the scale bar at the middle of the chart: in map units, and in metres.
    pub fn scale_bar(&self) -> (f64, f64) {
        let metres = EARTH_RADIUS * cos(self.latitude_at(HEIGHT / 2.0).to_radians()) / self.scale;
        let (length, _) = nice(LINES_APART * metres);
        (length / metres, length)
    }
}

/// The largest of 1, 2 or 5 times a power of ten that is at most `value`, and its number of decimals.
fn nice(value: f64) -> (f64, u8) {
    let mut power = 1e-9_f64;
    let mut places = 9u8;
    while power * 10.0 <= value && power < 1e9 {
        power *= 10.0;
        places = places.saturating_sub(1);
    }
    let times = [5.0, 2.0, 1.0].into_iter().find(|times| times * power <= value).unwrap_or(1.0);
    (times * power, places)
}

/// Latitudes (degrees) of an area from south to north, and how far it extends to each side there (radians of longitude).
fn sides(area: &Shape) -> Vec<(f64, f64)> {
    let middle = area.center.latitude.to_radians();
    let half_high = match area.form {
        Form::Circle { radius } => radius / EARTH_RADIUS,
        Form::Rectangle { height, .. } => height / 2.0 / EARTH_RADIUS,
    };
    let half_high = if half_high.is_finite() { half_high.min(PI) } else { PI };
    let most = LATITUDE_MAX.to_radians();
    let at = |i: u32| {
        // Closer together near the top and bottom of a circle.
        let latitude = middle - half_high * cos(PI * f64::from(i) / f64::from(OUTLINE_POINTS));
        let latitude = within(latitude, most);
        let aside = match area.form {
            Form::Circle { .. } => {
                let cosine = (cos(half_high) - sin(middle) * sin(latitude)) / (cos(middle) * cos(latitude));
                PI / 2.0 - asin(within(cosine, 1.0))
            }
            Form::Rectangle { width, .. } => {
                let half = (width / 4.0 / EARTH_RADIUS).min(PI / 2.0);
                2.0 * asin((sin(half) / cos(latitude)).min(1.0))
            }
        };
        (latitude.to_degrees(), if aside.is_finite() { aside } else { PI })
    };
    (0..=OUTLINE_POINTS).map(at).collect()
}

/// The position of a label beside its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The x coordinate of its start, or of its end.
    pub x: f64,
    /// Its base line.
    pub y: f64,
    /// Whether `x` is its end.
    pub is_end: bool,
}

/// Finds positions for labels beside their places, first come first served: right, left, above or below; a label without room is dropped.
/// `names` are places, each with the length of its label.
pub fn spots(names: &[((f64, f64), f64)]) -> Vec<Option<Spot>> {
    const HIGH: f64 = 14.0;
    const BESIDE: f64 = 9.0;
    // Left, top, right and bottom of the occupied boxes.
    let mut taken: Vec<[f64; 4]> = names.iter().map(|((x, y), _)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let mut found = Vec::new();
    for ((x, y), long) in names {
        let tries =
            [(BESIDE, 4.0, false), (-BESIDE, 4.0, true), (-long / 2.0, -11.0, false), (-long / 2.0, 20.0, false)];
        let spot = tries.into_iter().find_map(|(dx, dy, is_end)| {
            let left = if is_end { x + dx - long } else { x + dx };
            let room = [left, y + dy - HIGH + 3.0, left + long, y + dy + 3.0];
            let [_, top, right, bottom] = room;
            let is_inside = left >= 2.0 && top >= 2.0 && right <= WIDTH - 2.0 && bottom <= HEIGHT - 2.0;
            let is_taken = taken
                .iter()
                .any(|[from, above, to, below]| left < *to && *from < right && top < *below && *above < bottom);
            (is_inside && !is_taken).then_some((Spot { x: x + dx, y: y + dy, is_end }, room))
        });
        taken.extend(spot.map(|(_, room)| room));
        found.push(spot.map(|(spot, _)| spot));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(longitude: f64, latitude: f64) -> Point {
        Point { longitude, latitude }
    }

    fn circle(center: Point, radius: f64) -> Shape {
        Shape { center, form: Form::Circle { radius } }
    }

    #[test]
    fn nice_numbers_are_nice() {
        for (value, expected) in
            [(1.0, (1.0, 0)), (7.9, (5.0, 0)), (0.25, (0.2, 1)), (430.0, (200.0, 0)), (0.0, (1e-9, 9))]
        {
            let (number, places) = nice(value);
            assert!((number - expected.0).abs() < 1e-9 && places == expected.1, "{value}: {number} {places}");
        }
    }

    #[test]
    fn world_is_cut_in_the_widest_gap() {
        // Fiji and Samoa are neighbours, though their longitudes are far apart.
        let places = [at(178.0, -18.0), at(-172.0, -14.0)];
        let chart = Chart::of(places.into_iter(), None);
        let ((fiji, _), (samoa, _)) = (chart.place(places[0]), chart.place(places[1]));
        assert!(fiji < samoa && samoa - fiji > 150.0);
        let (meridians, _) = chart.graticule();
        assert!(meridians.iter().any(|(_, name)| name == "180°E"), "{meridians:?}");
        assert!(meridians.iter().any(|(_, name)| name.ends_with('W')));
    }

    #[test]
    fn circle_is_drawn_in_its_true_size() {
        let center = at(120.0, 30.0);
        let sides = sides(&circle(center, 500_000.0));
        for (latitude, aside) in &sides {
            let edge = at(120.0 + aside.to_degrees(), *latitude);
            assert!((center.distance(edge) - 500_000.0).abs() < 1.0, "{latitude} {aside}");
        }
        let chart = Chart::of(std::iter::empty(), Some(&circle(center, 500_000.0)));
        let (units, metres) = chart.scale_bar();
        assert_eq!(metres, 200_000.0);
        assert!((35.0..=90.0).contains(&units), "{units}");
    }

    #[test]
    fn labels_do_not_overlap() {
        let found =
            spots(&[((100.0, 100.0), 60.0), ((104.0, 101.0), 60.0), ((470.0, 100.0), 60.0), ((101.0, 99.0), 900.0)]);
        assert_eq!(found[0], Some(Spot { x: 109.0, y: 104.0, is_end: false }));
        assert_eq!(found[1].map(|spot| spot.is_end), Some(true));
        assert_eq!(found[2].map(|spot| spot.is_end), Some(true));
        assert_eq!(found[3], None);
    }

    proptest! {
        /// For any places and areas, everything is on the map and every number is finite.
        #[test]
        fn nothing_falls_off(
            places in prop::collection::vec((-180.0..=180.0f64, -LATITUDE_MAX..=LATITUDE_MAX), 0..12),
            center in (-180.0..=180.0f64, -LATITUDE_MAX..=LATITUDE_MAX),
            size in prop_oneof![Just(0.0), Just(f64::INFINITY), 0.0..100.0, 0.0..1e6, 0.0..1e9],
            form in 0..3,
        ) {
            let points: Vec<Point> = places.into_iter().map(|(longitude, latitude)| at(longitude, latitude)).collect();
            let area = match form {
                0 => None,
                1 => Some(circle(at(center.0, center.1), size)),
                _ => Some(Shape { center: at(center.0, center.1), form: Form::Rectangle { width: size, height: size / 3.0 } }),
            };
            let chart = Chart::of(points.iter().copied(), area.as_ref());
            for point in &points {
                let (x, y) = chart.place(*point);
                prop_assert!((0.0..=WIDTH).contains(&x) && (0.0..=HEIGHT).contains(&y), "{x} {y}");
            }
            if let Some(area) = &area {
                let path = chart.outline(area);
                prop_assert!(!path.contains("inf") && !path.contains("NaN"), "{path}");
            }
            let (meridians, parallels) = chart.graticule();
            prop_assert!(meridians.len() <= LINES_MAX && parallels.len() <= LINES_MAX);
            let (units, metres) = chart.scale_bar();
            prop_assert!(units.is_finite() && metres > 0.0);
        }
    }
}
