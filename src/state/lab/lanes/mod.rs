//! The picture of a timeline with programs: time goes downwards, one row a step, one lane a client, and one a node.
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
//! A picture grows with its timeline: a step adds a row and costs what happened in it, however long the timeline is
//! ([`Followed`]). Rows belong to positions of the active path; bars go from row to row.
mod build;
mod checkpoint;
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
use shown::Depth;
pub use shown::Shown;
use tracks::Tracks;

/// Lines of one cell; what is said beyond them is counted.
pub const LINES_MAX: usize = 6;

/// One step as a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many steps of the path have been taken after it.
    pub position: usize,
    /// The step.
    pub id: StepId,
    /// The clock after it.
    pub now_ms: u64,
    /// It is time that passed: so much.
    pub passed_ms: Option<u64>,
    /// What happened to clients, in the order in which it happened.
    pub cells: Vec<Cell>,
    /// What happened at nodes, in the order in which it happened.
    pub nodes: Vec<NodeCell>,
    /// Properties that this step broke, by number.
    pub broken: Vec<(usize, Breach)>,
}

/// What happened to a client in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which.
    pub client: ClientIndex,
    /// Each a line.
    pub lines: Vec<LaneLine>,
}

/// A line of a client's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneLine {
    /// Which of the client's threads.
    pub thread: Thread,
    /// The node at the other end of its arrow; nothing where it happened to the client alone.
    pub node: Option<NodeIndex>,
    /// What happened.
    pub what: What,
}

/// What happened at a node in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCell {
    /// Which.
    pub node: NodeIndex,
    /// Each a line.
    pub lines: Vec<AtServer>,
}

/// How far a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It was executed in this row.
    Executed,
    /// It waits in the queue.
    Queued,
    /// It was lost.
    Lost,
}

/// What one line of a client's cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in world::ProgramEvent, with texts cut")]
pub enum What {
    /// A request: an arrow to the server.
    Asks {
        words: String,
        whole: String,
        way: Way,
    },
    /// A reply: an arrow from the server.
    Gets {
        words: String,
        whole: String,
        is_error: bool,
    },
    /// A reply that was lost on its way.
    Misses,
    /// No reply came in time.
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

/// One line of a node's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says what happened")]
pub enum AtServer {
    /// It executed a request that was sent before, or that somebody typed.
    Serves { client: ClientIndex, words: String, whole: String },
    /// Somebody made a lock.
    Locked { key: String, holder: Option<ClientIndex>, ms: Option<u64> },
    /// A lock got another deadline.
    Renewed { key: String, ms: Option<u64> },
    /// A lock was taken away.
    Released { key: String, by: Option<ClientIndex>, is_owner: bool },
    /// A lock's time ran out.
    Expired { key: String },
    /// The node crashed.
    Crashed,
    /// The node started again.
    Restarted,
    /// A lock was on the disk of a node that started again.
    Found { key: String },
    /// The clock of the node jumped ahead.
    ClockShifted { ms: u64 },
    /// Something was done to its link with a client.
    Link { client: ClientIndex, act: LinkAct },
    /// A key holds something else now; no value: it is gone.
    Value { key: String, value: Option<String> },
    /// A client waits for a row that others have locked.
    RowWaits { client: ClientIndex, row: String },
}

/// A bar beside a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The row in which it begins.
    pub from: usize,
    /// The row in which it ends; nothing while it goes on.
    pub to: Option<usize>,
    /// Bars that overlap stand beside each other: its place, from 0.
    pub track: u8,
    /// Which thread's.
    pub thread: Thread,
    /// What it is.
    pub kind: BarKind,
}

/// What a bar shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarKind {
    /// A critical section.
    Section(Bytes),
    /// It sleeps, or works.
    Rests {
        /// Does it work?
        is_busy: bool,
    },
    /// Its request is under way.
    Waits,
    /// It waits for a message.
    Listens,
    /// The world stands still for it.
    Paused,
    /// It is dead.
    Crashed,
    /// It has come to its end, well or not.
    Over {
        /// Well?
        is_well: bool,
    },
    /// A lock, on the lane of its node.
    Lease(Lease),
}

/// A lock that somebody holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its key.
    pub key: Bytes,
    /// Who made it.
    pub holder: Option<ClientIndex>,
    /// When its time runs out, Unix time of the world in ms. `None`: never.
    pub until_ms: Option<u64>,
    /// Rows in which it got another deadline.
    pub renewals: Vec<usize>,
    /// How it ended.
    pub end: Option<LeaseEnd>,
}

/// How a lock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseEnd {
    /// Its owner took it away.
    Released,
    /// Somebody else did.
    Taken,
    /// Its time ran out.
    Expired,
    /// Another took its place.
    Replaced,
    /// Its node crashed.
    Lost,
}

/// Whose a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneKey {
    /// A node's.
    Node(NodeIndex),
    /// A client's.
    Client(ClientIndex),
}

/// A lane and its bars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// In the order in which they begin.
    pub bars: Vec<Bar>,
    /// Places in `bars` of those that go on.
    open: Vec<usize>,
    /// The bars by their tracks.
    tracks: Tracks,
    /// How many tracks stand beside the words.
    beside: u8,
    /// Threads that live.
    threads: Vec<Thread>,
    /// How many commands the client has sent.
    pub requests: u32,
}

/// What the lanes show of the active path of a timeline, taken or not. It follows with the session's floor: what happened up to there
/// has no rows.
pub type Picture = Followed<Diagram>;

/// Everything that the lanes show, as far as a path goes.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// One a step, from the floor on.
    pub rows: Vec<Rc<Row>>,
    /// How deep each row is.
    depths: Vec<Depth>,
    /// The lanes of nodes that had locks, and then those of clients that have done something, in their order.
    pub lanes: SortedMap<LaneKey, Lane>,
    /// Keys of first databases that were taken as locks, or are watched as such.
    locks: Vec<(NodeIndex, Bytes)>,
    /// The command on which a thread waits.
    asked: Vec<(ClientIndex, Thread, String)>,
}

impl Bar {
    /// Does it stand beside the words, and not behind them?
    pub fn stands_beside(&self) -> bool {
        !matches!(self.kind, BarKind::Over { .. } | BarKind::Crashed | BarKind::Paused)
    }
}

impl Lane {
    /// How many bars at most stand beside each other and beside the words.
    pub fn beside(&self) -> u8 {
        self.beside
    }

    /// Bars that have a part in these rows, each with its place in `bars`.
    pub fn bars_between(&self, rows: RangeInclusive<usize>) -> impl Iterator<Item = (usize, &Bar)> {
        self.tracks.between(&self.bars, rows)
    }
}

impl Diagram {
    /// Clients that have done something, in their order.
    pub fn clients(&self) -> impl Iterator<Item = ClientIndex> + '_ {
        self.lanes.keys().filter_map(|key| match key {
            LaneKey::Client(client) => Some(*client),
            LaneKey::Node(_) => None,
        })
    }

    /// A lane, if anything stands on it.
    pub fn lane(&self, key: LaneKey) -> Option<&Lane> {
        self.lanes.get(&key)
    }

    /// How many rows have been reached when so many steps of the path have been taken.
    pub fn rows_until(&self, position: usize) -> usize {
        self.rows.partition_point(|row| row.position <= position)
    }
}
