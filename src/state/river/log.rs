//! The log of a stream, by place: entries in their nodes, including those marked as deleted.
use std::ops::Range;
use std::rc::Rc;

use redis_model::value::Stream;
use redis_model::value::stream::{Entry, Id, Node};

use crate::state::inside::Mark;

/// The log of a stream. Places count entries, from 0 at the first one that is still in a node.
#[derive(Clone, Debug)]
pub struct Log {
    now: Rc<Stream>,
    /// The stream before the last step, if the step changed it.
    before: Option<Rc<Stream>>,
    /// The first place of each node, then the total number of places.
    starts: Vec<usize>,
}

/// A node of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// The places of its entries.
    pub places: Range<usize>,
    /// The id of its first entry.
    pub id: Id,
    /// Entries that are not deleted.
    pub live: usize,
    /// Entries that are only marked as deleted and still take up their bytes.
    pub deleted: usize,
    /// Size of its listpack, in bytes.
    pub bytes: usize,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its place.
    pub place: usize,
    /// Its id.
    pub id: Id,
    /// Fields and values.
    pub entry: Entry,
    /// What the last step did to it.
    pub mark: Mark,
}

impl Log {
    /// The log of a stream, with the stream before the last step if the step changed it.
    pub fn of(now: &Rc<Stream>, before: Option<&Rc<Stream>>) -> Log {
        let mut starts = Vec::with_capacity(now.nodes().len().saturating_add(1));
        let mut start = 0_usize;
        for node in now.nodes() {
            starts.push(start);
            start = start.saturating_add(node.entries().len());
        }
        starts.push(start);
        Log { now: Rc::clone(now), before: before.cloned(), starts }
    }

    /// The stream.
    pub(super) fn stream(&self) -> &Stream {
        &self.now
    }

    /// The stream before the last step, if the step changed it.
    pub(super) fn stream_before(&self) -> Option<&Stream> {
        self.before.as_deref()
    }

    /// How many places there are: entries, including deleted ones.
    pub fn places(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// How many entries are not deleted.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.now.is_empty()
    }

    /// The last generated id; its entry may be gone.
    pub fn last_id(&self) -> Id {
        self.now.last_id()
    }

    /// How many entries were before the first place: trimmed, or deleted with their nodes. Computed from the stream's counter, which
    /// `XSETID` can set.
    pub fn gone(&self) -> u64 {
        self.now.entries_added().saturating_sub(self.places() as u64)
    }

    /// How many entries the last step removed from the front, not counting those already deleted.
    pub fn gone_now(&self) -> usize {
        let Some(before) = &self.before else { return 0 };
        let first = self.now.nodes().next().map(|node| node.id());
        let is_gone = |id: Id| first.is_none_or(|first| id < first);
        before.nodes().take_while(|node| is_gone(node.id())).map(|node| node.live()).sum()
    }

    /// The nodes that contain any of these places.
    pub fn brackets(&self, places: Range<usize>) -> Vec<Bracket> {
        let begins = self.starts.iter().zip(self.starts.iter().skip(1)).map(|(from, to)| *from..*to);
        let first = self.node_at(places.start);
        let nodes = self.now.nodes().zip(begins).skip(first).take_while(|(_, of)| of.start < places.end);
        let bracket = |(node, places): (&Node, Range<usize>)| Bracket {
            places,
            id: node.id(),
            live: node.live(),
            deleted: node.deleted(),
            bytes: node.bytes(),
        };
        nodes.map(bracket).collect()
    }

    /// The entries in these places.
    pub fn lines(&self, places: Range<usize>) -> Vec<LogLine> {
        let first = self.node_at(places.start);
        let start = self.starts.get(first).copied().unwrap_or(0);
        let entries = self.now.nodes().skip(first).flat_map(|node| node.entries());
        let line = |(place, (id, entry)): (usize, (Id, &Entry))| LogLine {
            place,
            id,
            entry: entry.clone(),
            mark: self.mark(id, entry),
        };
        (start..).zip(entries).skip(places.start.saturating_sub(start)).take(places.len()).map(line).collect()
    }

    /// The id of the entry in this place; `None` beyond the last one.
    pub fn id_at(&self, place: usize) -> Option<Id> {
        let node = self.node_at(place);
        let within = place.checked_sub(*self.starts.get(node)?)?;
        self.now.nodes().nth(node)?.entries().nth(within).map(|(id, _)| id)
    }

    /// How many places are at or before this id: a cursor with this id comes after them.
    pub fn places_until(&self, id: Id) -> usize {
        let starts = &self.starts;
        let node = self.now.nodes().take_while(|node| node.id() <= id).count();
        let Some(node) = node.checked_sub(1) else { return 0 };
        let within =
            self.now.nodes().nth(node).map_or(0, |node| node.entries().take_while(|(at, _)| *at <= id).count());
        starts.get(node).copied().unwrap_or(0).saturating_add(within)
    }

    /// The place of the last entry, if the last step added it.
    pub fn changed_at_end(&self) -> Option<usize> {
        let before = self.before.as_ref()?;
        (self.now.last_id() > before.last_id()).then(|| self.places().checked_sub(1))?
    }

    /// Whether there is an entry with this id that is not deleted.
    pub fn has(&self, id: Id) -> bool {
        self.now.get(id).is_some()
    }

    /// The node that contains this place; the last node if the place is beyond it.
    fn node_at(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start <= place).saturating_sub(1)
    }

    fn mark(&self, id: Id, entry: &Entry) -> Mark {
        let Some(before) = &self.before else { return Mark::Same };
        match (entry.is_deleted(), before.get(id).is_some()) {
            (false, false) => Mark::New,
            (true, true) => Mark::Gone,
            _ => Mark::Same,
        }
    }
}
