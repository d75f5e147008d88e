//! The lanes diagram of a timeline with programs: time runs downwards, with one row per step and one lane per client and node.
//!
//! ```text
//!        c1               server              c2
//!   ▌ SET lock … NX ────────►  lock ▌
//!   ▌ OK ◄───────────────────       ▌
//!   ▌ enter checkout                ▌
//!     ┄┄┄┄┄┄┄┄┄┄┄┄┄ 10 s pass ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
//!   ▌                             ◄──────── SET lock … NX
//! ```
//!
//! A picture grows with its timeline: a step adds a row at a cost that depends on the step alone, however long the timeline is
//! ([`Followed`]). Rows belong to positions of the active path; bars run from row to row.
mod build;
mod checkpoint;
mod folds;
pub mod label;
mod leases;
mod shown;
#[cfg(test)]
mod tests;
mod tracks;

use std::ops::RangeInclusive;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use script::program::Thread;
use world::{Breach, ClientIndex, LinkAct, NodeIndex, StepId};

use crate::state::followed::Followed;
pub use folds::Fold;
use shown::Depth;
pub use shown::{LabelLines, Shown, lines_uncut};
use tracks::Tracks;

/// Most lines of one cell; further ones are counted.
pub const LINES_MAX: usize = 6;

/// One step as a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The position on the path after the step.
    pub position: usize,
    /// The step.
    pub id: StepId,
    /// The world's clock after the step, Unix time in ms.
    pub now_ms: u64,
    /// How much time passed, if the step is an advance of time.
    pub passed_ms: Option<u64>,
    /// What happened to clients, in order.
    pub cells: Vec<Cell>,
    /// What happened at nodes, in order.
    pub nodes: Vec<NodeCell>,
    /// How many lines the events of requests of traffic need, above the cells (`crate::state::traffic::lanes`).
    pub requests: usize,
    /// Properties that this step broke, by number.
    pub broken: Vec<(usize, Breach)>,
}

/// What happened to a client in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The client.
    pub client: ClientIndex,
    /// One line for each thing that happened.
    pub lines: Vec<LaneLine>,
}

/// A line in a client's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneLine {
    /// The client's thread.
    pub thread: Thread,
    /// The node at the other end of its arrow; `None` if it concerns only the client.
    pub node: Option<NodeIndex>,
    /// What happened.
    pub what: LaneEvent,
}

/// What happened at a node in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCell {
    /// The node.
    pub node: NodeIndex,
    /// One line for each thing that happened.
    pub lines: Vec<AtServer>,
}

/// How far a request got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestProgress {
    /// It was executed in this row.
    Executed,
    /// It waits in the queue.
    Queued,
    /// It was lost.
    Lost,
}

/// The content of a line in a client's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in world::ProgramEvent, with texts cut")]
pub enum LaneEvent {
    /// A request: an arrow to the server.
    Asks {
        words: String,
        whole: String,
        way: RequestProgress,
    },
    /// A reply: an arrow from the server.
    Gets {
        words: String,
        whole: String,
        is_error: bool,
    },
    /// A reply that was lost.
    Misses,
    /// A request that timed out.
    TimedOut,
    Rests {
        is_busy: bool,
        ms: u64,
    },
    Listens {
        ms: Option<u64>,
    },
    Hears {
        words: Option<String>,
    },
    Enters(String),
    Leaves(String),
    Notes(String),
    Checks {
        holds: bool,
        text: String,
    },
    Tallies {
        name: String,
        n: i64,
        total: i64,
    },
    Produces(String),
    Processes {
        id: String,
        times: u64,
    },
    Spawns(Thread),
    GoesOn,
    Cancelled,
    Ended,
    Failed,
    RanAway,
    Unplayable,
    Loaded,
    Crashed,
    Restarted,
    StoodStill,
    Deafened,
    Paused,
    Resumed,
    ClockShifted {
        ms: i64,
    },
    Delayed {
        ms: u64,
    },
}

/// The content of a line in a node's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says what happened")]
pub enum AtServer {
    /// It executed a request that was sent or typed earlier.
    Serves { client: ClientIndex, words: String, whole: String },
    /// A lock was acquired.
    Locked { key: String, holder: Option<ClientIndex>, ms: Option<u64> },
    /// A lock was renewed.
    Renewed { key: String, ms: Option<u64> },
    /// A lock was released.
    Released { key: String, by: Option<ClientIndex>, is_owner: bool },
    /// A lock expired.
    Expired { key: String },
    /// The node crashed.
    Crashed,
    /// The node restarted.
    Restarted,
    /// A restarted node found a lock on its disk.
    Found { key: String },
    /// The clock of the node jumped ahead.
    ClockShifted { ms: u64 },
    /// Its link to a client changed.
    Link { client: ClientIndex, act: LinkAct },
    /// A key has a new value; `None`: it was deleted.
    Value { key: String, value: Option<String> },
    /// A client waits for a row that others have locked.
    RowWaits { client: ClientIndex, row: String },
}

/// A bar beside a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The row where it starts.
    pub from: usize,
    /// The row where it ends; `None` while it is open.
    pub to: Option<usize>,
    /// Its column among overlapping bars, from 0.
    pub track: u8,
    /// The client's thread.
    pub thread: Thread,
    /// What it shows.
    pub kind: BarKind,
}

/// What a bar shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarKind {
    /// A critical section.
    Section(Bytes),
    /// It sleeps, or works.
    Rests {
        /// Whether it works.
        is_busy: bool,
    },
    /// It waits for a reply.
    Waits,
    /// It waits for a message.
    Listens,
    /// It is paused.
    Paused,
    /// It has crashed.
    Crashed,
    /// It has ended.
    Over {
        /// Whether it ended without an error.
        is_well: bool,
    },
    /// A lock, on the lane of its node.
    Lease(Lease),
}

/// A lock that is or was held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its key.
    pub key: Bytes,
    /// The client that acquired it.
    pub holder: Option<ClientIndex>,
    /// When it expires, Unix time of the world in ms. `None`: never.
    pub until_ms: Option<u64>,
    /// Rows in which it was renewed.
    pub renewals: Vec<usize>,
    /// How it ended; `None` while it is held.
    pub end: Option<LeaseEnd>,
}

/// How a lock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseEnd {
    /// Its owner released it.
    Released,
    /// Another client deleted it.
    Taken,
    /// It expired.
    Expired,
    /// Another lock replaced it.
    Replaced,
    /// Its node crashed.
    Lost,
}

/// The owner of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneKey {
    /// A node.
    Node(NodeIndex),
    /// A client.
    Client(ClientIndex),
}

/// A lane and its bars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// In the order in which they start.
    pub bars: Vec<Bar>,
    /// Indexes in `bars` of the open ones.
    open: Vec<usize>,
    /// The bars by track.
    tracks: Tracks,
    /// The number of tracks beside the text.
    beside: u8,
    /// Threads that have not ended.
    threads: Vec<Thread>,
    /// How many requests the client has sent.
    pub requests: u32,
}

/// The diagram of a timeline's active path, including steps after the cursor. It also depends on the session's floor: steps up to the floor
/// have no rows.
pub type Picture = Followed<Diagram>;

/// Everything that the lanes show, for the whole path.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// One row per step, from the floor on.
    pub rows: Vec<Rc<Row>>,
    /// The height of each row.
    depths: Vec<Depth>,
    /// The lanes of nodes that had locks, then those of clients with events, by number.
    pub lanes: SortedMap<LaneKey, Lane>,
    /// Keys in database 0 that were acquired as locks, or are watched as locks.
    locks: Vec<(NodeIndex, Bytes)>,
    /// Whether some row may have events of requests of traffic.
    pub has_requests: bool,
    /// The requests that threads wait for.
    asked: Vec<(ClientIndex, Thread, String)>,
}

impl Bar {
    /// Whether it is drawn beside the text, and not behind it.
    pub fn stands_beside(&self) -> bool {
        !matches!(self.kind, BarKind::Over { .. } | BarKind::Crashed | BarKind::Paused)
    }
}

impl Lane {
    /// The number of columns that the bars need beside the text.
    pub fn beside(&self) -> u8 {
        self.beside
    }

    /// Bars that overlap these rows, each with its index in `bars`.
    pub fn bars_between(&self, rows: RangeInclusive<usize>) -> impl Iterator<Item = (usize, &Bar)> {
        self.tracks.between(&self.bars, rows)
    }
}

impl Row {
    /// Lines above its cells: the time that passed, and events of requests.
    pub fn lines_above(&self) -> usize {
        usize::from(self.passed_ms.is_some()).saturating_add(self.requests.min(LINES_MAX))
    }
}

impl Diagram {
    /// Clients that have a lane, by number.
    pub fn clients(&self) -> impl Iterator<Item = ClientIndex> + '_ {
        self.lanes.keys().filter_map(|key| match key {
            LaneKey::Client(client) => Some(*client),
            LaneKey::Node(_) => None,
        })
    }

    /// The lane of a node or client, if it has one.
    pub fn lane(&self, key: LaneKey) -> Option<&Lane> {
        self.lanes.get(&key)
    }

    /// How many rows are at or before a position of the path.
    pub fn rows_until(&self, position: usize) -> usize {
        self.rows.partition_point(|row| row.position <= position)
    }
}
