//! A sorted set as places: the area that the last step searched, which members lie in it and how far away, and the boxes that the bits of a
//! score stand for.
use bytes::Bytes;
use redis_model::sorting;
use redis_model::value::geohash::{Form, LATITUDE_MAX, LONGITUDE_MAX, Point, STEP_MAX, Shape};
use redis_model::value::number::parse_double;
use redis_model::value::zset::ZSet;

use super::{Look, Mark};

/// How many places are drawn.
pub const PLACES_MAX: usize = 300;
/// How many members of a reply are looked up.
const ANSWER_MAX: usize = 200;

/// A member and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoMember {
    /// The member.
    pub member: Bytes,
    /// Its score.
    pub score: f64,
    /// Its coordinates.
    pub point: Point,
    /// Metres from the centre of the searched area.
    pub distance: Option<f64>,
    /// Whether the search found it; `None` if there was no search.
    pub is_found: Option<bool>,
    /// What the last step did to it.
    pub mark: Mark,
}

impl GeoMember {
    /// Whether `GEOADD` would write exactly this score.
    pub fn is_real(&self) -> bool {
        self.point.score() == self.score
    }
}

/// The places to draw, the most important first, and the searched area.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// For a large set, an even sample, plus all members that were found or changed.
    pub places: Vec<GeoMember>,
    /// The area that the step searched.
    pub area: Option<Shape>,
}

impl Places {
    /// The places of a sorted set.
    pub fn of(look: &Look, before: Option<&ZSet>, now: &ZSet) -> Places {
        let area = area_of(&look.words, &look.key.key, now);
        // A search that stores its result replies with a number: the stored set is what it found.
        let is_list = area.is_some() && !look.answer.is_empty();
        let answer =
            if is_list { look.answer.get(..ANSWER_MAX.min(look.answer.len())).unwrap_or_default() } else { &[] };
        let every = now.len().div_ceil(PLACES_MAX).max(1);
        let sampled = (0..now.len()).step_by(every).filter_map(|rank| now.nth(rank));
        let wanted = answer.iter().chain(look.words.iter().skip(2).take(ANSWER_MAX));
        let wanted = wanted.filter_map(|member| Some((member, now.score(member)?)));
        let mut members: Vec<(Bytes, f64)> = sampled.map(|(member, score)| (member.clone(), score)).collect();
        if every > 1 {
            for (member, score) in wanted {
                if !members.iter().any(|(known, _)| known == member) {
                    members.push((member.clone(), score));
                }
            }
        }
        let place = |(member, score): (Bytes, f64)| {
            let point = Point::of_score(score);
            let distance = area.map(|area| area.center.distance(point));
            let is_within = area.map(|area| area.distance_within(point).is_some());
            let is_found = if is_list { is_within.map(|_| answer.contains(&member)) } else { is_within };
            let mark = match before.map(|before| before.score(&member)) {
                _ if !look.is_changed() => Mark::Same,
                Some(Some(was)) if was == score => Mark::Same,
                Some(Some(_)) => Mark::Changed,
                _ => Mark::New,
            };
            GeoMember { member, score, point, distance, is_found, mark }
        };
        let mut places: Vec<GeoMember> = members.into_iter().map(place).collect();
        // Found places first, the nearest first; without a search, new places first.
        sorting::sort_by(&mut places, |a, b| {
            let rank = |place: &GeoMember| (place.is_found == Some(false), place.mark == Mark::Same);
            let far = |place: &GeoMember| place.distance.unwrap_or(0.0);
            rank(a).cmp(&rank(b)).then(far(a).total_cmp(&far(b)))
        });
        Places { places, area }
    }
}

/// The area that the words of a search describe, if it searches this key (or stores to it).
pub fn area_of(words: &[Bytes], key: &[u8], now: &ZSet) -> Option<Shape> {
    let typed = Typed(words);
    let name = typed.word(0).to_ascii_lowercase();
    let (center, form) = match name.strip_suffix(b"_ro").unwrap_or(&name) {
        b"georadius" => (typed.place(2), typed.circle(4)),
        b"georadiusbymember" => (place_of(now, typed.word(2)), typed.circle(3)),
        b"geosearch" | b"geosearchstore" => {
            let (mut center, mut form) = (None, None);
            let mut at = if name.ends_with(b"store") { 3usize } else { 2 };
            while at < words.len() {
                let next = at.saturating_add(1);
                let used = match typed.word(at).to_ascii_lowercase().as_slice() {
                    b"frommember" => {
                        center = place_of(now, typed.word(next));
                        2
                    }
                    b"fromlonlat" => {
                        center = typed.place(next);
                        3
                    }
                    b"byradius" => {
                        form = typed.circle(next);
                        3
                    }
                    b"bybox" => {
                        form = typed.rectangle(next);
                        4
                    }
                    b"count" => 2,
                    _ => 1,
                };
                at = at.saturating_add(used);
            }
            (center, form)
        }
        _ => return None,
    };
    let area = Shape { center: center?, form: form? };
    let is_about = words.iter().take(3).skip(1).any(|word| *word == key);
    (is_about && area.center.is_on_map()).then_some(area)
}

fn place_of(now: &ZSet, member: &[u8]) -> Option<Point> {
    now.score(member).map(Point::of_score)
}

/// The words of a command.
struct Typed<'a>(&'a [Bytes]);

impl<'a> Typed<'a> {
    fn word(&self, at: usize) -> &'a [u8] {
        self.0.get(at).map(AsRef::as_ref).unwrap_or_default()
    }

    fn number(&self, at: usize) -> Option<f64> {
        parse_double(self.word(at))
    }

    fn place(&self, at: usize) -> Option<Point> {
        Some(Point { longitude: self.number(at)?, latitude: self.number(at.saturating_add(1))? })
    }

    /// A length; its unit is another word.
    fn metres(&self, at: usize, unit: usize) -> Option<f64> {
        Some((self.number(at)? * metres_of(self.word(unit))?).max(0.0))
    }

    fn circle(&self, at: usize) -> Option<Form> {
        Some(Form::Circle { radius: self.metres(at, at.saturating_add(1))? })
    }

    fn rectangle(&self, at: usize) -> Option<Form> {
        let unit = at.saturating_add(2);
        Some(Form::Rectangle { width: self.metres(at, unit)?, height: self.metres(at.saturating_add(1), unit)? })
    }
}

/// Metres in a unit of length.
fn metres_of(unit: &[u8]) -> Option<f64> {
    const UNITS: [(&[u8], f64); 4] = [(b"m", 1.0), (b"km", 1000.0), (b"ft", 0.3048), (b"mi", 1609.34)];
    UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, metres)| *metres)
}

/// The box of a place after this many halvings of each axis: west, south, east and north, in degrees.
pub fn box_of(point: Point, halvings: u32) -> [f64; 4] {
    let count = f64::from(1u32 << halvings.min(STEP_MAX));
    let edges = |value: f64, most: f64| {
        let at = ((value + most) / (2.0 * most) * count).floor().max(0.0).min(count - 1.0);
        let edge = |at: f64| at / count * 2.0 * most - most;
        (edge(at), edge(at + 1.0))
    };
    let ((west, east), (south, north)) = (edges(point.longitude, LONGITUDE_MAX), edges(point.latitude, LATITUDE_MAX));
    [west, south, east, north]
}

/// The 52 bits of a score, from the highest: longitude and latitude alternate.
pub fn bits_of(score: f64) -> impl Iterator<Item = bool> {
    (0..52).rev().map(move |shift| score as u64 >> shift & 1 == 1)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use redis_model::value::Limits;
    use world::NodeIndex;

    use super::*;
    use crate::state::inside::leaving::Leaving;
    use crate::state::key::Database;

    fn cities() -> ZSet {
        let at = |longitude: f64, latitude: f64| Point { longitude, latitude }.score();
        let members = [("beijing", at(116.4, 39.9)), ("shanghai", at(121.47, 31.23)), ("hangzhou", at(120.17, 30.28))];
        ZSet::from_members(members.map(|(name, score)| (Bytes::from(name), score)), &Limits::default())
    }

    fn look(line: &str, answer: &[&'static str]) -> Look {
        let words = resp::split::split(line.as_bytes()).unwrap();
        let answer = answer.iter().map(|word| Bytes::from(*word)).collect();
        let key = Database { node: NodeIndex::FIRST, db: 0 }.key("cities".into());
        let (beside, leaving) = (Vec::new(), Leaving::default());
        Look { key, before: None, now: None, words, answer, numbers: Vec::new(), family: None, beside, leaving }
    }

    #[test]
    fn every_search_form_describes_its_area() {
        let area = |line: &str| area_of(&look(line, &[]).words, b"cities", &cities());
        let circle = |line: &str| match area(line) {
            Some(Shape { form: Form::Circle { radius }, .. }) => Some(radius.round()),
            _ => None,
        };
        assert_eq!(circle("GEORADIUS cities 120 30 500 km"), Some(500_000.0));
        assert_eq!(circle("georadius_ro cities 120 30 10 mi"), Some(16_093.0));
        assert_eq!(circle("GEORADIUSBYMEMBER cities hangzhou 1000 ft ASC"), Some(305.0));
        assert_eq!(circle("GEOSEARCH cities COUNT 1 BYRADIUS 2 km FROMLONLAT 120 30"), Some(2_000.0));
        assert_eq!(circle("GEOSEARCHSTORE near cities FROMMEMBER hangzhou BYRADIUS 2 m"), Some(2.0));
        let wanted = Some(Form::Rectangle { width: 400.0, height: 3_000.0 });
        assert_eq!(area("GEOSEARCH cities FROMMEMBER hangzhou BYBOX 0.4 3 km ASC").map(|area| area.form), wanted);
        for line in [
            "GEOSEARCH cities FROMMEMBER nowhere BYRADIUS 2 km",
            "GEOSEARCH other FROMMEMBER hangzhou BYRADIUS 2 km",
            "GEOSEARCH cities FROMLONLAT 120 BYRADIUS",
            "GEORADIUS cities 120 99 500 km",
            "GEORADIUS cities 120",
            "ZADD cities 1 a",
            "GEOSEARCH",
        ] {
            assert_eq!(area(line), None, "{line}");
        }
    }

    #[test]
    fn members_of_the_reply_count_as_found() {
        let found = |line: &str, answer: &[&'static str]| -> Vec<Bytes> {
            let places = Places::of(&look(line, answer), None, &cities()).places;
            places.into_iter().filter(|place| place.is_found == Some(true)).map(|place| place.member).collect()
        };
        let all = "GEORADIUS cities 120 30 500 km";
        assert_eq!(found(all, &["hangzhou", "shanghai"]), ["hangzhou", "shanghai"]);
        assert_eq!(found("GEORADIUS cities 120 30 500 km COUNT 1", &["hangzhou"]), ["hangzhou"]);
        assert_eq!(found("GEORADIUS cities 120 30 500 km STORE x", &[]), ["hangzhou", "shanghai"]);
        assert!(
            Places::of(&look("GEOPOS cities beijing", &[]), None, &cities())
                .places
                .iter()
                .all(|place| place.is_found.is_none())
        );
    }

    #[test]
    fn large_set_is_sampled_but_found_members_stay() {
        let members = (0..5_000u32).map(|i| (Bytes::from(format!("m{i:04}")), f64::from(i) * 1e11));
        let many = ZSet::from_members(members, &Limits::default());
        let places = Places::of(&look("GEORADIUS cities 0 0 1 km", &["m4321"]), None, &many).places;
        assert!(places.len() <= PLACES_MAX + 1);
        assert!(places.iter().any(|place| place.member == "m4321" && place.is_found == Some(true)));
    }

    #[test]
    fn any_score_can_be_drawn() {
        for score in [f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.5, 1e300, 2e16] {
            let spoilt = ZSet::from_members([(Bytes::from("m"), score)], &Limits::default());
            let places = Places::of(&look("ZADD cities 1 m", &[]), None, &spoilt);
            assert!(places.places[0].point.is_on_map());
            assert!(!places.places[0].is_real(), "{score}");
        }
    }

    #[test]
    fn boxes_are_halved_around_the_place() {
        let point = Point { longitude: 116.404_269, latitude: 39.915_82 };
        for halvings in 0..=STEP_MAX {
            let [west, south, east, north] = box_of(point, halvings);
            assert!((west..=east).contains(&point.longitude) && (south..=north).contains(&point.latitude));
        }
        assert_eq!(box_of(point, 1), [0.0, 0.0, LONGITUDE_MAX, LATITUDE_MAX]);
        assert_eq!(bits_of(point.score()).take(3).collect::<Vec<_>>(), [true, true, true]);
        assert_eq!(bits_of(f64::INFINITY).count(), 52);
        let corner = Point { longitude: LONGITUDE_MAX, latitude: LATITUDE_MAX };
        assert_eq!(box_of(corner, 1)[2], LONGITUDE_MAX);
    }
}
