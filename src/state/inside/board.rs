//! A sorted set as a leaderboard: the members with the highest scores and those that the last step moved, each with its place before the
//! step, from which its row glides to the new one. Everything is found by rank, so a large set costs no more than a small one.
use std::collections::BTreeSet;

use bytes::Bytes;
use redis_model::value::zset::ZSet;

use super::Mark;

/// How many of the highest members are shown.
const TOP_MAX: usize = 10;
/// How many members below them are shown because the last step changed them.
const CHANGED_MAX: usize = 5;
/// How many changed members are looked at.
const LOOKED_MAX: usize = 200;

/// A member on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardRow {
    /// The member.
    pub member: Bytes,
    /// Its score.
    pub score: f64,
    /// Its rank from the highest score, from 0: the reply of `ZREVRANK`.
    pub rank: usize,
    /// Score and rank before the last step, if that step changed one of them.
    pub was: Option<(f64, usize)>,
    /// What the last step did to its score.
    pub mark: Mark,
    /// How many lines of the board lie between its place before the step and now; positive if the old place is below.
    pub from: i64,
}

impl BoardRow {
    /// How many places it went up, or down if negative.
    pub fn climbed(&self) -> i64 {
        self.was.map_or(0, |(_, rank)| signed(rank).saturating_sub(signed(self.rank)))
    }
}

/// A line of the board.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardLine {
    /// A member.
    Row(BoardRow),
    /// The number of members that are not shown here.
    Gap(usize),
}

/// The board, from the highest score.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The lines.
    pub lines: Vec<BoardLine>,
}

impl Board {
    /// The board of a sorted set; `before` is the set before the last step, if that step changed the key.
    #[inline(never)]
    pub fn of(before: Option<&ZSet>, now: &ZSet, is_changed: bool) -> Board {
        let before = before.filter(|_| is_changed);
        let len = now.len();
        let mut ranks: BTreeSet<usize> = (0..len.min(TOP_MAX)).collect();
        if let Some(before) = before {
            let changed = now.changed_since(before).take(LOOKED_MAX).filter_map(|member| rank(now, member));
            let below: BTreeSet<usize> = changed.filter(|rank| *rank >= TOP_MAX).collect();
            ranks.extend(below.into_iter().take(CHANGED_MAX));
        }
        let spans = spans(&ranks, len);
        let row = |rank: usize, line: usize| {
            let (member, score) = nth(now, rank)?;
            let was = before.and_then(|before| Some((before.score(member)?, self::rank(before, member)?)));
            let mark = Mark::of(is_changed, was.map(|(was, _)| was).as_ref(), &score);
            let from = was.map_or(0, |(_, rank)| signed(line_of(&spans, rank)).saturating_sub(signed(line)));
            let was = was.filter(|(was, old)| *was != score || *old != rank);
            Some(BoardLine::Row(BoardRow { member: member.clone(), score, rank, was, mark, from }))
        };
        let lines = spans.iter().enumerate().filter_map(|(line, span)| match span {
            Span::Row(rank) => row(*rank, line),
            Span::Gap { count, .. } => Some(BoardLine::Gap(*count)),
        });
        Board { lines: lines.collect() }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &BoardRow> {
        self.lines.iter().filter_map(|line| if let BoardLine::Row(row) = line { Some(row) } else { None })
    }

    /// The scores between which the bars are drawn; zero is one of them.
    pub fn scale(&self) -> Scale {
        // An infinite score has a whole bar, whatever the others are.
        let finite = self.rows().map(|row| if row.score.is_finite() { row.score } else { row.score.signum() });
        finite.fold(Scale { least: 0.0, most: 0.0 }, |scale, score| Scale {
            least: scale.least.min(score),
            most: scale.most.max(score),
        })
    }
}

/// The range of the bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    /// Where a bar begins and how long it is, both in percent of the width.
    pub fn bar(self, score: f64) -> (f64, f64) {
        let largest = self.most.max(-self.least);
        if largest <= 0.0 {
            return (0.0, 0.0);
        }
        // Divided first: the difference of two large scores would be infinite.
        let place = |score: f64| {
            // Not `clamp`: its assertion can print numbers, which alone is 15 KB of code.
            let score = score.max(self.least).min(self.most);
            (score / largest - self.least / largest) / (self.most / largest - self.least / largest) * 100.0
        };
        let (zero, end) = (place(0.0), place(score));
        (zero.min(end), (end - zero).abs())
    }
}

/// A line before its member is known.
enum Span {
    Row(usize),
    Gap { first: usize, count: usize },
}

/// The lines for these ranks of `len`. A gap of a single member is that member.
fn spans(ranks: &BTreeSet<usize>, len: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut next = 0usize;
    for rank in ranks.iter().copied().chain([len]) {
        match rank.saturating_sub(next) {
            0 => {}
            1 => spans.push(Span::Row(next)),
            count => spans.push(Span::Gap { first: next, count }),
        }
        if rank < len {
            spans.push(Span::Row(rank));
        }
        next = rank.saturating_add(1);
    }
    spans
}

/// The line that shows a rank, or the gap that hides it; behind the last line if there is no such rank any more.
fn line_of(spans: &[Span], rank: usize) -> usize {
    let is_there = |span: &Span| match span {
        Span::Row(shown) => *shown == rank,
        Span::Gap { first, count } => (*first..first.saturating_add(*count)).contains(&rank),
    };
    spans.iter().position(is_there).unwrap_or(spans.len())
}

/// The rank from the highest score.
fn rank(set: &ZSet, member: &[u8]) -> Option<usize> {
    set.len().checked_sub(1)?.checked_sub(set.rank(member)?)
}

fn nth(set: &ZSet, rank: usize) -> Option<(&Bytes, f64)> {
    set.nth(set.len().checked_sub(1)?.checked_sub(rank)?)
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use redis_model::value::Value;
    use redis_model::value::limits::Limits;
    use redis_model::value::zset::ZSet;

    use super::super::tests::look_after;
    use super::{Board, BoardLine, Mark};

    fn board_after(lines: &[&str]) -> Vec<String> {
        let look = look_after(lines);
        let before = if let Some(Value::ZSet(before)) = look.value_before() { Some(&**before) } else { None };
        let Some(Value::ZSet(now)) = look.value() else { panic!("no sorted set") };
        shown(&Board::of(before, now, look.is_changed()))
    }

    /// A line as `rank member score`, with its mark, how far it climbed, and how many lines it glides.
    fn shown(board: &Board) -> Vec<String> {
        let one = |line: &BoardLine| match line {
            BoardLine::Gap(count) => format!("… {count}"),
            BoardLine::Row(row) => {
                let mark = row.mark.word().map(|word| format!(" {word}")).unwrap_or_default();
                let moved =
                    if row.was.is_some() { format!(" {:+} {:+}", row.climbed(), row.from) } else { String::new() };
                format!("{} {} {}{mark}{moved}", row.rank, String::from_utf8_lossy(&row.member), row.score)
            }
        };
        board.lines.iter().map(one).collect()
    }

    const BOARD: &str = "ZADD board 100 ann 130 bob 90 cho";

    #[test]
    fn rows_glide_from_their_old_places() {
        for (lines, wanted) in [
            (&[BOARD][..], &["0 bob 130 new", "1 ann 100 new", "2 cho 90 new"][..]),
            (&[BOARD, "ZSCORE board ann"], &["0 bob 130", "1 ann 100", "2 cho 90"]),
            (&[BOARD, "ZADD board 135 cho"], &["0 cho 135 changed +2 +2", "1 bob 130 -1 -1", "2 ann 100 -1 -1"]),
            // A new score that keeps the place, and no new score at all.
            (&[BOARD, "ZINCRBY board 10 ann"], &["0 bob 130", "1 ann 110 changed +0 +0", "2 cho 90"]),
            (&[BOARD, "ZADD board 100 ann"], &["0 bob 130", "1 ann 100", "2 cho 90"]),
            (&[BOARD, "EXPIRE board 60"], &["0 bob 130", "1 ann 100", "2 cho 90"]),
            (&[BOARD, "ZADD board 110 dan"], &["0 bob 130", "1 dan 110 new", "2 ann 100 -1 -1", "3 cho 90 -1 -1"]),
            (&[BOARD, "ZREM board bob"], &["0 ann 100 +1 +1", "1 cho 90 +1 +1"]),
            // Several in one step.
            (&[BOARD, "ZADD board 1 bob 200 cho"], &["0 cho 200 changed +2 +2", "1 ann 100", "2 bob 1 changed -2 -2"]),
            (&["SET board x", "MULTI", "DEL board", "ZADD board 1 a", "EXEC"], &["0 a 1 new"]),
        ] {
            assert_eq!(board_after(lines), wanted, "{lines:?}");
        }
    }

    #[test]
    fn equal_scores_stand_as_zrevrange_replies_them() {
        let lines = ["ZADD board 130 bob 100 ann 130 cho", "ZADD board 130 ann"];
        assert_eq!(board_after(&lines), ["0 cho 130", "1 bob 130", "2 ann 130 changed +0 +0"]);
        assert_eq!(board_after(&["ZADD board 1 a 1 B 1 茶"]), ["0 茶 1 new", "1 a 1 new", "2 B 1 new"]);
    }

    /// `m0` has the highest of `count` scores, which differ by 10.
    fn large(count: u32) -> ZSet {
        let members = (0..count).map(|nth| (format!("m{nth}").into(), f64::from((count - nth) * 10)));
        ZSet::from_members(members, &Limits::default())
    }

    fn after(before: &ZSet, changes: &[(&str, f64)]) -> Vec<String> {
        let mut now = before.clone();
        for (member, score) in changes {
            now.insert((*member).to_owned().into(), *score, &Limits::default());
        }
        shown(&Board::of(Some(before), &now, true))
            .into_iter()
            .filter(|line| line.contains(['+', '-', '…', 'n']))
            .collect()
    }

    #[test]
    fn members_come_from_below_the_top_and_go_there() {
        let set = large(100_000);
        let up = after(&set, &[("m50000", 999_995.0)]);
        // From the gap, which is the eleventh line, to the second one.
        assert_eq!(up[0], "1 m50000 999995 changed +49999 +9");
        assert_eq!(up[1], "2 m1 999990 -1 -1");
        assert_eq!(up.last().unwrap(), "… 99990");
        let down = after(&set, &[("m3", 5.0)]);
        assert_eq!(down[0], "3 m4 999960 +1 +1");
        assert_eq!(down[down.len() - 2..], ["… 99989", "99999 m3 5 changed -99996 -8"]);
        // Within what is hidden, from one gap to the next.
        let within = after(&set, &[("m500", 100_005.0)]);
        assert_eq!(within, ["… 89989", "89999 m500 100005 changed -89499 -1", "… 10000"]);
    }

    #[test]
    fn the_board_is_bounded_and_a_gap_hides_at_least_two() {
        let set = large(100_000);
        let many: Vec<(String, f64)> = (0..1_000).map(|nth| (format!("m{}", nth * 90 + 20), 1.0)).collect();
        let many: Vec<(&str, f64)> = many.iter().map(|(member, score)| (member.as_str(), *score)).collect();
        assert!(after(&set, &many).len() < 20);
        assert_eq!(shown(&Board::of(None, &large(11), false)).len(), 11);
        assert_eq!(shown(&Board::of(None, &large(12), false)).last().unwrap(), "… 2");
        assert_eq!(Board::of(None, &ZSet::new(), false).lines, []);
        // A set that shrank: what stood behind its end comes from there.
        let shrunk = large(3);
        let lines = shown(&Board::of(Some(&set), &shrunk, true));
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn bars_begin_at_zero() {
        let bars = |scores: &[f64]| {
            let members = scores.iter().enumerate().map(|(nth, score)| (format!("m{nth}").into(), *score));
            let set = ZSet::from_members(members, &Limits::default());
            let scale = Board::of(None, &set, false).scale();
            scores.iter().map(|score| scale.bar(*score)).collect::<Vec<_>>()
        };
        assert_eq!(bars(&[100.0, 50.0, 0.0]), [(0.0, 100.0), (0.0, 50.0), (0.0, 0.0)]);
        assert_eq!(bars(&[30.0, -10.0]), [(25.0, 75.0), (0.0, 25.0)]);
        assert_eq!(bars(&[-4.0, -2.0]), [(0.0, 100.0), (50.0, 50.0)]);
        assert_eq!(bars(&[0.0]), [(0.0, 0.0)]);
        assert_eq!(bars(&[f64::MAX, f64::MIN]), [(50.0, 50.0), (0.0, 50.0)]);
        assert_eq!(bars(&[f64::INFINITY, 5.0]), [(0.0, 100.0), (0.0, 100.0)]);
        assert_eq!(bars(&[f64::NEG_INFINITY, f64::INFINITY]), [(0.0, 50.0), (50.0, 50.0)]);
    }

    #[test]
    fn marks_are_those_of_scores() {
        let look = look_after(&[BOARD, "ZADD board 135 cho"]);
        let (Some(Value::ZSet(before)), Some(Value::ZSet(now))) = (look.value_before(), look.value()) else {
            panic!("no sorted sets")
        };
        let board = Board::of(Some(before), now, true);
        let marks: Vec<_> = board.rows().map(|row| (row.mark, row.was)).collect();
        let bob = (Mark::Same, Some((130.0, 0)));
        assert_eq!(marks, [(Mark::Changed, Some((90.0, 2))), bob, (Mark::Same, Some((100.0, 1)))]);
    }
}
