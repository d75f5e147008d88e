//! The log of a stream, by places: entries in their nodes, those that are marked as deleted among them.
use std::ops::Range;
use std::rc::Rc;

use redis_model::value::Stream;
use redis_model::value::stream::{Entry, Id, Node};

use crate::state::inside::Mark;

/// The log of a stream. A place counts entries from the first one that is still in a node, from 0.
#[derive(Clone, Debug)]
pub struct Log {
    now: Rc<Stream>,
    /// As it was before the last step, if that changed it.
    before: Option<Rc<Stream>>,
    /// At which place each node begins, and last how many places there are.
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
    /// Entries that are only marked as deleted, and take their bytes all the same.
    pub deleted: usize,
    /// Bytes of its listpack.
    pub bytes: usize,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
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
    /// The log of a stream, and of what it was before the last step where that changed it.
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

    /// As it was before the last step, if that changed it.
    pub(super) fn stream_before(&self) -> Option<&Stream> {
        self.before.as_deref()
    }

    /// How many places there are: entries, and marks of deleted ones.
    pub fn places(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Entries that are not deleted.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// No entry?
    pub fn is_empty(&self) -> bool {
        self.now.is_empty()
    }

    /// The last id that was given away, whose entry may be gone.
    pub fn last_id(&self) -> Id {
        self.now.last_id()
    }

    /// How many entries stood before the first place: trimmed, or deleted with their nodes. As far as the stream's counter, which
    /// `XSETID` can set, can tell.
    pub fn gone(&self) -> u64 {
        self.now.entries_added().saturating_sub(self.places() as u64)
    }

    /// What has gone from the front by the last step, in entries that were not deleted before.
    pub fn gone_now(&self) -> usize {
        let Some(before) = &self.before else { return 0 };
        let first = self.now.nodes().next().map(|node| node.id());
        let is_gone = |id: Id| first.is_none_or(|first| id < first);
        before.nodes().take_while(|node| is_gone(node.id())).map(|node| node.live()).sum()
    }

    /// Nodes of which some entry has one of these places.
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

    /// Entries in these places.
    pub fn lines(&self, places: Range<usize>) -> Vec<Line> {
        let first = self.node_at(places.start);
        let start = self.starts.get(first).copied().unwrap_or(0);
        let entries = self.now.nodes().skip(first).flat_map(|node| node.entries());
        let line = |(place, (id, entry)): (usize, (Id, &Entry))| Line {
            place,
            id,
            entry: entry.clone(),
            mark: self.mark(id, entry),
        };
        (start..).zip(entries).skip(places.start.saturating_sub(start)).take(places.len()).map(line).collect()
    }

    /// The id of the entry in this place; nothing beyond the last one.
    pub fn id_at(&self, place: usize) -> Option<Id> {
        let node = self.node_at(place);
        let within = place.checked_sub(*self.starts.get(node)?)?;
        self.now.nodes().nth(node)?.entries().nth(within).map(|(id, _)| id)
    }

    /// How many places lie before this id or at it: a cursor with this id stands behind so many.
    pub fn places_until(&self, id: Id) -> usize {
        let starts = &self.starts;
        let node = self.now.nodes().take_while(|node| node.id() <= id).count();
        let Some(node) = node.checked_sub(1) else { return 0 };
        let within =
            self.now.nodes().nth(node).map_or(0, |node| node.entries().take_while(|(at, _)| *at <= id).count());
        starts.get(node).copied().unwrap_or(0).saturating_add(within)
    }

    /// The place of the last entry, if the last step has added it.
    pub fn changed_at_end(&self) -> Option<usize> {
        let before = self.before.as_ref()?;
        (self.now.last_id() > before.last_id()).then(|| self.places().checked_sub(1))?
    }

    /// Is there an entry with this id that is not deleted?
    pub fn has(&self, id: Id) -> bool {
        self.now.get(id).is_some()
    }

    /// The node in which this place lies; the last one, if it lies beyond.
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
