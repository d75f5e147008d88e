//! Which rows are drawn when only some lanes are open, and where each of them starts. All heights are counted in lines of text.
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use world::{Breach, ClientIndex};

use super::{AtServer, Cell, Diagram, Fold, LINES_MAX, LaneEvent, LaneLine, Row};

/// The rows that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Indexes in [`Diagram::rows`].
    pub rows: Vec<usize>,
    /// For each row, the lines above it; at the end, the total number of lines.
    pub tops: Vec<u32>,
    /// The rows that are folded; the first drawn row of each stands for all of them.
    pub folds: Vec<Fold>,
}

/// The height of a row in lines, precomputed: asking ten thousand rows would take a millisecond, and most jumps change the open lanes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// The only client with events in the row.
    client: Option<ClientIndex>,
    /// Height if that client's lane is open.
    open: u32,
    /// Height if it is closed.
    closed: u32,
    /// Several clients have events: the height must be asked from the row.
    is_shared: bool,
}

impl Depth {
    /// The height of a row.
    pub fn of(row: &Row) -> Depth {
        let client = row.cells.first().map(|cell| cell.client);
        let is_shared = row.cells.iter().any(|cell| Some(cell.client) != client);
        Depth { client, open: row.lines(client.as_slice()), closed: row.lines(&[]), is_shared }
    }
}

impl Diagram {
    /// The rows with events of these clients, of a node or of a property.
    pub fn shown(&self, open: &[ClientIndex]) -> Shown {
        let depth_of = |index: usize, row: &Rc<Row>| match self.depths.get(index) {
            Some(depth) if !depth.is_shared => {
                if depth.client.is_some_and(|client| open.contains(&client)) {
                    depth.open
                } else {
                    depth.closed
                }
            }
            _ => row.lines(open),
        };
        self.shown_by(depth_of)
    }

    /// The rows that have a height: `lines` gives that of the row with an index.
    pub fn shown_by(&self, mut lines: impl FnMut(usize, &Rc<Row>) -> u32) -> Shown {
        let mut shown = Shown { rows: Vec::with_capacity(self.rows.len()), ..Shown::default() };
        shown.tops.reserve(self.rows.len().saturating_add(1));
        let mut top = 0u32;
        for (index, row) in self.rows.iter().enumerate() {
            let lines = lines(index, row);
            if lines > 0 {
                shown.rows.push(index);
                shown.tops.push(top);
                top = top.saturating_add(lines);
            }
        }
        shown.tops.push(top);
        shown
    }
}

/// How many lines the labels of a row need.
pub trait LabelLines {
    /// A label of a client.
    fn client(&self, line: &LaneLine) -> u32;
    /// A label of a node.
    fn node(&self, line: &AtServer) -> u32;
    /// The sentence on the property with this number, which was broken.
    fn broken(&self, property: usize, breach: &Breach) -> u32;
}

/// Each label is one line; what does not fit is cut, except for the name of a tally, which says what is counted.
struct OneLine;

/// Characters that fit into a line of the narrowest lane.
const LINE_CHARS: usize = 12;
/// Most lines of the name of a tally.
const TALLY_LINES_MAX: u32 = 4;

/// The lines of a label where labels do not wrap.
pub fn lines_uncut(what: &LaneEvent) -> u32 {
    let LaneEvent::Tallies { name, n, total } = what else { return 1 };
    // A Chinese character is as wide as two others.
    let width = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    let by = if *n == 1 { 0 } else { width(&n.to_string()).saturating_add(4) };
    let chars = width(name).saturating_add(width(&total.to_string())).saturating_add(2).saturating_add(by);
    u32::try_from(chars.div_ceil(LINE_CHARS)).unwrap_or(u32::MAX).clamp(1, TALLY_LINES_MAX)
}

impl LabelLines for OneLine {
    fn client(&self, line: &LaneLine) -> u32 {
        lines_uncut(&line.what)
    }

    fn node(&self, _: &AtServer) -> u32 {
        1
    }

    fn broken(&self, _: usize, _: &Breach) -> u32 {
        1
    }
}

impl Cell {
    /// The lines that are drawn, and how many are only counted, in a line of their own.
    pub fn kept(&self) -> (&[LaneLine], usize) {
        match self.lines.split_at_checked(LINES_MAX.saturating_sub(1)) {
            Some((kept, rest)) if rest.len() > 1 => (kept, rest.len()),
            _ => (&self.lines, 0),
        }
    }
}

impl Row {
    /// Its height if the lanes of these clients are open and labels do not wrap.
    pub fn lines(&self, open: &[ClientIndex]) -> u32 {
        self.lines_of(open, &OneLine)
    }

    /// Its height if the lanes of these clients are open.
    pub fn lines_of(&self, open: &[ClientIndex], labels: &impl LabelLines) -> u32 {
        let of_cell = |cell: &Cell| {
            let (kept, hidden) = cell.kept();
            kept.iter().map(|line| labels.client(line)).sum::<u32>().saturating_add(u32::from(hidden > 0))
        };
        let cells = self.cells.iter().filter(|cell| open.contains(&cell.client)).map(of_cell);
        let nodes = self.nodes.iter().map(|cell| cell.lines.iter().map(|line| labels.node(line)).sum());
        let broken = self.broken.iter().map(|(number, breach)| labels.broken(*number, breach)).sum();
        let above = u32::try_from(self.lines_above()).unwrap_or(u32::MAX);
        cells.chain(nodes).max().unwrap_or(0).saturating_add(above).saturating_add(broken)
    }
}

impl Shown {
    /// The total number of lines.
    pub fn lines(&self) -> u32 {
        self.tops.last().copied().unwrap_or(0)
    }

    /// Rows within these lines, as indexes in `rows`.
    pub fn between(&self, lines: Range<u32>) -> Range<usize> {
        let starts = self.tops.get(..self.rows.len()).unwrap_or_default();
        let first = starts.partition_point(|top| *top <= lines.start).saturating_sub(1);
        first..starts.partition_point(|top| *top < lines.end)
    }

    /// Rows of the picture whose bars may be within these lines: the rows drawn there, and the hidden rows before them.
    pub fn rows_between(&self, lines: Range<u32>) -> Option<RangeInclusive<usize>> {
        let places = self.between(lines);
        let first =
            places.start.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(0, |row| row.saturating_add(1));
        Some(first..=*self.rows.get(places.end.checked_sub(1)?)?)
    }

    /// How many lines are above the row of the picture with this index, or above the next drawn row.
    pub fn top(&self, row: usize) -> u32 {
        let place = self.rows.partition_point(|shown| *shown < row);
        self.tops.get(place).copied().unwrap_or_else(|| self.lines())
    }

    /// The index in `rows` of this row of the picture, or of the last drawn row before it.
    pub fn place(&self, row: usize) -> Option<usize> {
        self.rows.partition_point(|shown| *shown <= row).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::{LaneEvent, lines_uncut};

    #[test]
    fn only_a_tally_with_a_long_name_takes_several_lines() {
        let lines = |name: &str, n: i64| lines_uncut(&LaneEvent::Tallies { name: name.to_owned(), n, total: 3 });
        assert_eq!((lines("sold", 1), lines("turned away", 1), lines("turned away by the lock", 1)), (1, 2, 3));
        assert_eq!((lines("sold", 12), lines("落空的买家", 1), lines(&"x".repeat(300), 1)), (2, 2, 4));
        assert_eq!(lines_uncut(&LaneEvent::Notes("a text that does not fit into a line".to_owned())), 1);
    }
}
