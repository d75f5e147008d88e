//! Which rows are drawn when only some lanes are open, and where each of them starts. All heights are counted in lines of text.
use std::ops::{Range, RangeInclusive};

use world::ClientIndex;

use super::{Diagram, LINES_MAX, Row};

/// The rows that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Indexes in [`Diagram::rows`].
    pub rows: Vec<usize>,
    /// For each row, the lines above it; at the end, the total number of lines.
    pub tops: Vec<u32>,
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
        let mut shown = Shown { rows: Vec::with_capacity(self.rows.len()), tops: Vec::new() };
        shown.tops.reserve(self.rows.len().saturating_add(1));
        let mut top = 0u32;
        for (index, (row, depth)) in self.rows.iter().zip(&self.depths).enumerate() {
            let lines = match depth.client {
                _ if depth.is_shared => row.lines(open),
                Some(client) if open.contains(&client) => depth.open,
                _ => depth.closed,
            };
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

impl Row {
    /// Its height if the lanes of these clients are open.
    pub fn lines(&self, open: &[ClientIndex]) -> u32 {
        let cells = self.cells.iter().filter(|cell| open.contains(&cell.client)).map(|cell| cell.lines.len());
        let nodes = self.nodes.iter().map(|cell| cell.lines.len());
        let deepest = cells.chain(nodes).max().unwrap_or(0).min(LINES_MAX);
        u32::try_from(deepest.saturating_add(self.lines_above()).saturating_add(self.broken.len())).unwrap_or(u32::MAX)
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
