//! Which rows are drawn when only some lanes are open, and how far down each begins. Everything is counted in lines of text.
use std::ops::{Range, RangeInclusive};

use world::ClientIndex;

use super::{Diagram, LINES_MAX, Row};

/// The rows that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Places in [`Diagram::rows`].
    pub rows: Vec<usize>,
    /// Lines above each, and at last all lines.
    pub tops: Vec<u32>,
}

/// How many lines a row takes. To ask ten thousand rows themselves would take a millisecond, and which lanes are open changes with most jumps.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// The one client to which something happened.
    client: Option<ClientIndex>,
    /// Lines if the lane of that client is open.
    open: u32,
    /// Lines if it is not.
    closed: u32,
    /// Something happened to several clients: only the row knows.
    is_shared: bool,
}

impl Depth {
    /// That of a row.
    pub fn of(row: &Row) -> Depth {
        let client = row.cells.first().map(|cell| cell.client);
        let is_shared = row.cells.iter().any(|cell| Some(cell.client) != client);
        Depth { client, open: row.lines(client.as_slice()), closed: row.lines(&[]), is_shared }
    }
}

impl Diagram {
    /// The rows in which something happened to these clients, at a node, or to a property.
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
    /// How many lines it takes.
    pub fn lines(&self, open: &[ClientIndex]) -> u32 {
        let cells = self.cells.iter().filter(|cell| open.contains(&cell.client)).map(|cell| cell.lines.len());
        let nodes = self.nodes.iter().map(|cell| cell.lines.len());
        let deepest = cells.chain(nodes).max().unwrap_or(0).min(LINES_MAX);
        let gap = usize::from(self.passed_ms.is_some());
        u32::try_from(deepest.saturating_add(gap).saturating_add(self.broken.len())).unwrap_or(u32::MAX)
    }
}

impl Shown {
    /// All lines.
    pub fn lines(&self) -> u32 {
        self.tops.last().copied().unwrap_or(0)
    }

    /// Rows that lie between these lines, by their places in `rows`.
    pub fn between(&self, lines: Range<u32>) -> Range<usize> {
        let starts = self.tops.get(..self.rows.len()).unwrap_or_default();
        let first = starts.partition_point(|top| *top <= lines.start).saturating_sub(1);
        first..starts.partition_point(|top| *top < lines.end)
    }

    /// Rows of the picture whose bars may lie between these lines: those that are drawn there, and those before them that are not drawn.
    pub fn rows_between(&self, lines: Range<u32>) -> Option<RangeInclusive<usize>> {
        let places = self.between(lines);
        let first =
            places.start.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(0, |row| row.saturating_add(1));
        Some(first..=*self.rows.get(places.end.checked_sub(1)?)?)
    }

    /// How many lines lie above the row of the picture with this index, or above the next one that is drawn.
    pub fn top(&self, row: usize) -> u32 {
        let place = self.rows.partition_point(|shown| *shown < row);
        self.tops.get(place).copied().unwrap_or_else(|| self.lines())
    }

    /// Where the row of the picture with this index stands in `rows`: it, or the last one before it.
    pub fn place(&self, row: usize) -> Option<usize> {
        self.rows.partition_point(|shown| *shown <= row).checked_sub(1)
    }
}
