//! Two or three sets as circles: which members are in which region, how many there are, and where they stand in the drawing.
use bytes::Bytes;
use redis_model::value::set::Set;

use super::beside::natural;

/// Most sets in a picture.
pub const SETS_MAX: usize = 3;
/// Sets with more members than this together are not compared: that would take too long at each step.
const COMPARED_MAX: usize = 40_000;
/// How many members of a region are kept by name.
const KEPT_MAX: usize = 60;

/// A region: the members that are in exactly these sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The sets, one bit each; bit 0 is the first set.
    pub sets: u8,
    /// How many members there are.
    pub count: usize,
    /// The first of them.
    pub members: Vec<Bytes>,
}

/// Every region of two or three sets, in the order of [`Region::sets`]; `None` if there are too many members.
pub fn regions(sets: &[&Set]) -> Option<Vec<Region>> {
    if sets.iter().map(|set| set.len()).fold(0, usize::saturating_add) > COMPARED_MAX {
        return None;
    }
    let mut regions: Vec<Region> =
        (1..1u8 << sets.len().min(SETS_MAX)).map(|sets| Region { sets, ..Region::default() }).collect();
    for (nth, set) in sets.iter().take(SETS_MAX).enumerate() {
        for member in set.iter() {
            // A member belongs to the first set that contains it, so it is counted once.
            if sets.iter().take(nth).any(|earlier| earlier.contains(&member)) {
                continue;
            }
            let later = sets.iter().enumerate().take(SETS_MAX).skip(nth);
            let mask = later.filter(|(_, later)| later.contains(&member)).fold(0u8, |mask, (i, _)| mask | 1 << i);
            if let Some(region) = regions.get_mut(usize::from(mask).saturating_sub(1)) {
                region.count = region.count.saturating_add(1);
                if region.members.len() < KEPT_MAX {
                    region.members.push(member);
                }
            }
        }
    }
    for region in &mut regions {
        region.members.sort_by(|a, b| natural(a).cmp(&natural(b)));
    }
    Some(regions)
}

/// A command that combines sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algebra {
    Inter,
    Union,
    Diff,
}

/// The command that combines sets, and the keys that it reads.
fn algebra(words: &[Bytes]) -> Option<(Algebra, &[Bytes])> {
    let (name, behind) = words.split_first()?;
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    let stored = || behind.get(1..);
    let (algebra, keys) = if is("sinter") {
        (Algebra::Inter, behind)
    } else if is("sunion") {
        (Algebra::Union, behind)
    } else if is("sdiff") {
        (Algebra::Diff, behind)
    } else if is("sinterstore") {
        (Algebra::Inter, stored()?)
    } else if is("sunionstore") {
        (Algebra::Union, stored()?)
    } else if is("sdiffstore") {
        (Algebra::Diff, stored()?)
    } else if is("sintercard") {
        let count: usize = std::str::from_utf8(behind.first()?).ok()?.parse().ok()?;
        (Algebra::Inter, behind.get(1..count.checked_add(1)?)?)
    } else {
        return None;
    };
    Some((algebra, keys))
}

/// Whether a command combines sets.
pub fn is_algebra(words: &[Bytes]) -> bool {
    algebra(words).is_some()
}

/// Which regions a command of several sets selects, if it reads only sets of the picture.
pub fn selected<'a>(words: &[Bytes], names: &[Bytes], regions: &'a [Region]) -> Option<Vec<&'a Region>> {
    let (algebra, keys) = algebra(words)?;
    let bit = |key: &Bytes| names.iter().position(|name| name == key).map(|nth| 1u8 << nth.min(7));
    let bits: Vec<u8> = keys.iter().map(bit).collect::<Option<_>>()?;
    let first = *bits.first()?;
    let (named, others) = bits.iter().skip(1).fold((first, 0), |(named, others), bit| (named | bit, others | bit));
    let is_in = |sets: u8| match algebra {
        Algebra::Inter => sets & named == named,
        Algebra::Union => sets & named != 0,
        Algebra::Diff => sets & first != 0 && sets & others == 0,
    };
    Some(regions.iter().filter(|region| is_in(region.sets)).collect())
}

/// The command whose reply is a region, if there is a single one: all sets, or one without all others.
pub fn command_of(sets: u8, names: &[Bytes]) -> Option<Vec<Bytes>> {
    let is_in = |nth: usize| sets & 1 << nth.min(7) != 0;
    let inside = names.iter().enumerate().filter(|(nth, _)| is_in(*nth)).map(|(_, name)| name.clone());
    let outside = names.iter().enumerate().filter(|(nth, _)| !is_in(*nth)).map(|(_, name)| name.clone());
    let name: Bytes = match (usize::try_from(sets.count_ones()).unwrap_or(0), names.len()) {
        (all, count) if all == count => "SINTER".into(),
        (1, _) => "SDIFF".into(),
        _ => return None,
    };
    Some([name].into_iter().chain(inside).chain(outside).collect())
}

/// Width of the drawing.
pub const WIDTH: f64 = 480.0;
/// Height of a line of text.
pub const LINE: f64 = 22.0;
/// Distance of text from a circle, and between two words.
const GAP: f64 = 7.0;
/// Heights at which the first line of a region is tried.
const TOPS_STEP: usize = 4;
/// Most lines of text in a region.
const LINES_MAX: usize = 8;

/// The circles of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circles {
    /// The middle of each circle.
    pub middles: &'static [(f64, f64)],
    /// Their radius.
    pub radius: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Where the names of the sets are.
    pub labels: &'static [(f64, f64)],
}

/// The circles for so many sets.
pub fn circles(count: usize) -> Circles {
    if count < SETS_MAX {
        let middles = &[(167.0, 148.0), (313.0, 148.0)];
        Circles { middles, radius: 118.0, height: 270.0, labels: &[(120.0, 18.0), (360.0, 18.0)] }
    } else {
        let middles = &[(166.0, 150.0), (314.0, 150.0), (240.0, 276.0)];
        Circles { middles, radius: 122.0, height: 426.0, labels: &[(120.0, 18.0), (360.0, 18.0), (240.0, 418.0)] }
    }
}

/// A word in the drawing, centred at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its number among the words.
    pub word: usize,
    /// Its middle.
    pub x: f64,
    /// The middle of its line.
    pub y: f64,
}

impl Circles {
    /// The widest free part of a line of text at this height in a region; `None` if there is none.
    fn room(&self, sets: u8, y: f64) -> Option<(f64, f64)> {
        let (top, bottom) = (y - LINE / 2.0, y + LINE / 2.0);
        let chord = |(_, middle_y): (f64, f64), at: f64| {
            let squared = self.radius * self.radius - (at - middle_y) * (at - middle_y);
            (squared > 0.0).then(|| squared.sqrt())
        };
        let mut free = vec![(0.0, WIDTH)];
        for (nth, middle) in self.middles.iter().enumerate() {
            let is_in = sets & 1 << nth.min(7) != 0;
            let half = if is_in {
                // Text inside a circle must fit at the upper and the lower end of the line.
                chord(*middle, top).and_then(|upper| Some(upper.min(chord(*middle, bottom)?)))
            } else {
                // The place of the line that is nearest to the middle. `clamp` would bring the formatting of floats for its panic.
                chord(*middle, middle.1.max(top).min(bottom))
            };
            match half {
                Some(half) => {
                    let (left, right) = (middle.0 - half, middle.0 + half);
                    free = if is_in {
                        free.into_iter().map(|(a, b): (f64, f64)| (a.max(left), b.min(right))).collect()
                    } else {
                        free.into_iter().flat_map(|(a, b)| [(a, b.min(left)), (a.max(right), b)]).collect()
                    };
                }
                None if is_in => return None,
                None => {}
            }
        }
        let inner = free.into_iter().map(|(a, b)| (a + GAP, b - GAP)).filter(|(a, b)| b > a);
        inner.max_by(|(a, b), (c, d)| (b - a).total_cmp(&(d - c)))
    }

    /// Lines of a region, `count` of them below each other, where they are widest together.
    fn lines(&self, sets: u8, count: usize) -> Option<Vec<(f64, (f64, f64))>> {
        let tops = (0..=self.height as u32).step_by(TOPS_STEP).map(f64::from);
        let lines = |top: f64| -> Option<Vec<_>> {
            (0..count).map(|nth| top + nth as f64 * LINE).map(|y| Some((y, self.room(sets, y)?))).collect()
        };
        let wide = |lines: &Vec<(f64, (f64, f64))>| lines.iter().map(|(_, (left, right))| right - left).sum::<f64>();
        tops.filter_map(lines).max_by(|a, b| wide(a).total_cmp(&wide(b)))
    }

    /// Where words of these widths stand in a region: all of them if they fit. Otherwise the first spot is that of `count`, the width of the
    /// number of members, and as many words as fit follow.
    pub fn spots(&self, sets: u8, widths: &[f64], count: f64) -> (Option<(f64, f64)>, Vec<Spot>) {
        if widths.is_empty() {
            return (None, Vec::new());
        }
        let mut best: Option<Vec<(f64, (f64, f64))>> = None;
        for lines in (1..=LINES_MAX).map_while(|count| self.lines(sets, count)) {
            let spots = fill(&lines, widths);
            if spots.len() == widths.len() {
                return (None, spots);
            }
            best = Some(lines);
        }
        let Some(lines) = best else { return (None, Vec::new()) };
        // The number stands in the first line that is wide enough.
        let place = lines.iter().position(|(_, (left, right))| right - left >= count).unwrap_or(0);
        let Some((y, (left, right))) = lines.get(place) else { return (None, Vec::new()) };
        (Some(((left + right) / 2.0, *y)), fill(lines.get(place.saturating_add(1)..).unwrap_or_default(), widths))
    }
}

/// Fills lines with words from left to right, until one does not fit; each line is centred.
fn fill(lines: &[(f64, (f64, f64))], widths: &[f64]) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut words = widths.iter().enumerate().peekable();
    for (y, (left, right)) in lines {
        let (mut line, mut used) = (Vec::new(), 0.0);
        while let Some((word, width)) = words.next_if(|(_, width)| used + **width <= right - left) {
            line.push((word, used + width / 2.0));
            used += width + 2.0 * GAP;
        }
        let start = (left + right - (used - 2.0 * GAP)) / 2.0;
        spots.extend(line.into_iter().map(|(word, x)| Spot { word, x: start + x, y: *y }));
    }
    spots
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;
    use redis_model::value::limits::Limits;
    use redis_model::value::set::Set;

    use super::*;

    fn set(members: impl IntoIterator<Item = String>) -> Set {
        let mut set = Set::new();
        for member in members {
            set.insert(member.into(), &Limits::DEFAULT);
        }
        set
    }

    fn words(line: &str) -> Vec<Bytes> {
        resp::split::split(line.as_bytes()).unwrap()
    }

    #[test]
    fn friends_stand_in_their_regions() {
        let of = |text: &str| set(text.split(' ').map(str::to_owned));
        let (one, two) = (of("2 3 4"), of("1 3 5 6"));
        let regions = regions(&[&one, &two]).unwrap();
        let shown: Vec<String> = regions
            .iter()
            .map(|region| {
                format!(
                    "{}: {}",
                    region.sets,
                    region.members.iter().map(|member| String::from_utf8_lossy(member)).collect::<Vec<_>>().join(" ")
                )
            })
            .collect();
        assert_eq!(shown, ["1: 2 4", "2: 1 5 6", "3: 3"]);
    }

    #[test]
    fn ten_thousand_members_are_counted_and_few_are_kept() {
        let (one, two) = (set((0..10_000).map(|i| format!("m{i}"))), set((5_000..15_000).map(|i| format!("m{i}"))));
        let regions = regions(&[&one, &two]).unwrap();
        assert_eq!(regions.iter().map(|region| region.count).collect::<Vec<_>>(), [5_000; 3]);
        assert!(regions.iter().all(|region| region.members.len() == KEPT_MAX));
        let large = set((0..COMPARED_MAX).map(|i| i.to_string()));
        assert_eq!(super::regions(&[&large, &one]), None);
    }

    #[test]
    fn a_command_selects_its_regions() {
        let names = ["a", "b", "c"].map(Bytes::from);
        let sets = [set(["x".to_owned()]), Set::new(), Set::new()];
        let regions = regions(&sets.iter().collect::<Vec<_>>()).unwrap();
        for (line, wanted) in [
            ("SINTER a b", Some(vec![3, 7])),
            ("sinter a b c", Some(vec![7])),
            ("SUNION b c", Some(vec![2, 3, 4, 5, 6, 7])),
            ("SDIFF c a", Some(vec![4, 6])),
            ("SDIFF a b c", Some(vec![1])),
            ("SDIFF a a", Some(vec![])),
            ("SINTERCARD 2 a c LIMIT 10", Some(vec![5, 7])),
            ("SDIFFSTORE t b a", Some(vec![2, 6])),
            ("SINTER a d", None),
            ("SINTERCARD 9 a", None),
            ("SINTERCARD x", None),
            ("SADD a b", None),
            ("SINTER", None),
            ("SINTERSTORE", None),
        ] {
            let found = selected(&words(line), &names, &regions);
            assert_eq!(found.map(|found| found.iter().map(|region| region.sets).collect::<Vec<_>>()), wanted, "{line}");
        }
        let command = |sets, count| command_of(sets, &names[..count]).map(|argv| resp::split::quote_command(&argv));
        assert_eq!(command(1, 2).as_deref(), Some("SDIFF a b"));
        assert_eq!(command(2, 2).as_deref(), Some("SDIFF b a"));
        assert_eq!(command(3, 2).as_deref(), Some("SINTER a b"));
        assert_eq!(command(4, 3).as_deref(), Some("SDIFF c a b"));
        assert_eq!(command(7, 3).as_deref(), Some("SINTER a b c"));
        assert_eq!(command(5, 3), None);
    }

    #[test]
    fn a_large_region_has_room_for_many_members() {
        let most = |count, sets| circles(count).spots(sets, &[30.0; 60], 30.0).1.len();
        assert!(most(2, 1) >= 10 && most(2, 2) >= 10, "{} {}", most(2, 1), most(2, 2));
        assert!((1..=2).all(|set| most(3, set) >= 6) && most(3, 4) >= 8, "{} {}", most(3, 1), most(3, 4));
    }

    #[test]
    fn every_region_has_room_for_its_number() {
        for count in [2, 3] {
            let circles = circles(count);
            for sets in 1..1u8 << count {
                let (number, spots) = circles.spots(sets, &[1_000.0], 60.0);
                assert!(number.is_some() && spots.is_empty(), "{count} {sets}");
            }
        }
    }

    proptest! {
        #[test]
        fn words_stand_in_their_region_and_not_on_each_other(count in 2usize..4, sets in 1u8..8, widths in prop::collection::vec(8.0..110.0f64, 1..30)) {
            prop_assume!(sets < 1 << count);
            let circles = circles(count);
            let (number, spots) = circles.spots(sets, &widths, 60.0);
            prop_assert!(number.is_some() || spots.len() == widths.len());
            for (nth, spot) in spots.iter().enumerate() {
                let half = widths[spot.word] / 2.0;
                for (i, (x, y)) in circles.middles.iter().enumerate() {
                    let corners = [(-half, -LINE / 2.0), (half, -LINE / 2.0), (-half, LINE / 2.0), (half, LINE / 2.0)];
                    for (dx, dy) in corners {
                        let far = (spot.x + dx - x).hypot(spot.y + dy - y);
                        prop_assert_eq!(far <= circles.radius, sets & 1 << i != 0, "{:?}", spot);
                    }
                }
                for other in &spots[..nth] {
                    let apart = half + widths[other.word] / 2.0;
                    prop_assert!(other.y != spot.y || (other.x - spot.x).abs() >= apart);
                }
                prop_assert!(number.is_none_or(|(_, y)| y < spot.y));
            }
        }

        #[test]
        fn every_member_is_counted_once(of in prop::collection::vec(prop::collection::btree_set(0u8..40, 0..20), 2..4), is_text in any::<bool>()) {
            let sets: Vec<Set> = of.iter().map(|members| set(members.iter().map(|i| if is_text { format!("m{i}") } else { i.to_string() }))).collect();
            let regions = regions(&sets.iter().collect::<Vec<_>>()).unwrap();
            for region in &regions {
                let wanted = (0u8..40).filter(|i| of.iter().enumerate().all(|(nth, members)| members.contains(i) == (region.sets & 1 << nth != 0))).count();
                prop_assert_eq!(region.count, wanted);
            }
        }
    }
}
