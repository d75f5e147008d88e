//! `Event`: what a step caused, in order. Panels highlight events and sentences describe them.
use bytes::Bytes;
use redis_model::{CloseReason, Dataset, Entry, Wait};
use resp::Protocol;
use script::program::{Failed, Thread, Unplayable};
use table::Row;

use crate::traffic::Ran;
use crate::traffic::event::TrafficEvent;
use crate::{Breach, ClientIndex, Direction, LinkAct, NodeIndex};

/// One thing that happened in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// When, Unix time in ms.
    pub at_ms: u64,
    /// How far the node's clock is ahead of the world's, in ms. Deadlines in an event are times of the node's clock.
    pub clock_ahead_ms: u64,
    /// The node that executed, replied, changed a key, or opened or closed a connection; for a program's request
    /// ([`ProgramEvent::is_about_request`]), the node that it goes to. `None`: the event is local to a client (its name, Ctrl-C, a
    /// program act without a node) or global to the world (a property).
    pub node: Option<NodeIndex>,
    /// What happened.
    pub kind: EventKind,
}

impl Event {
    /// The node's clock, Unix time in ms.
    pub const fn clock_ms(&self) -> u64 {
        self.at_ms.saturating_add(self.clock_ahead_ms)
    }
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A client connected or reconnected.
    Connected {
        /// The client.
        client: ClientIndex,
    },
    /// A client was renamed by the learner.
    Renamed {
        /// The client.
        client: ClientIndex,
    },
    /// A client's connection ended.
    Disconnected {
        /// The client.
        client: ClientIndex,
        /// Why the server closed it; `None`: the client closed it.
        reason: Option<CloseReason>,
    },
    /// A client interrupted its current command.
    Interrupted {
        /// The client.
        client: ClientIndex,
    },
    /// A command was typed and is in flight over a slow link.
    Typed {
        /// The client that typed it.
        client: ClientIndex,
        /// The command's words.
        argv: Vec<Bytes>,
        /// The database that the client has selected.
        db: usize,
        /// Does the client have an open transaction?
        is_in_multi: bool,
        /// When the command reaches the node, Unix time in ms.
        until_ms: u64,
    },
    /// A command reached the server.
    Command {
        /// The client that sent it.
        client: ClientIndex,
        /// The command's words.
        argv: Vec<Bytes>,
        /// The database that was selected when it was sent.
        db: usize,
        /// Was a transaction open when it was sent?
        is_in_multi: bool,
    },
    /// A client received a reply.
    Reply {
        /// The client.
        client: ClientIndex,
        /// The reply.
        value: resp::Value,
        /// The RESP version of the reply.
        protocol: Protocol,
    },
    /// A client received a value that is not a reply to its last command.
    Push {
        /// The client.
        client: ClientIndex,
        /// The value.
        value: resp::Value,
        /// The RESP version of the value.
        protocol: Protocol,
    },
    /// A paused client was sent a value, which stays in its output buffer.
    Held {
        /// The client.
        client: ClientIndex,
        /// The value.
        value: resp::Value,
    },
    /// A client is now blocked.
    Blocked {
        /// The client.
        client: ClientIndex,
        /// What it waits for, and until when.
        wait: Wait,
    },
    /// A client is no longer blocked.
    Unblocked {
        /// The client.
        client: ClientIndex,
    },
    /// A key was created, changed or deleted.
    KeyChanged {
        /// Database and key.
        key: KeyName,
        /// The entry before this event.
        before: KeyState,
        /// The entry now.
        after: KeyState,
    },
    /// A whole database was emptied (`FLUSHDB`, `FLUSHALL`); its keys get no events of their own.
    Flushed {
        /// The database's number.
        db: usize,
        /// How many keys it had.
        keys: usize,
    },
    /// Two databases exchanged their keys (`SWAPDB`).
    Swapped {
        /// The first database.
        first: usize,
        /// The second database.
        second: usize,
    },
    /// A key expired.
    KeyExpired {
        /// Database and key.
        key: KeyName,
        /// The entry it held.
        before: KeyState,
    },
    /// A key was evicted because of `maxmemory` (`maxmemory-policy`).
    KeyEvicted {
        /// Database and key.
        key: KeyName,
        /// The entry it held.
        before: KeyState,
    },
    /// A client could not connect: its node is down.
    Refused {
        /// The client.
        client: ClientIndex,
    },
    /// A client could not connect: its database accepts no more connections.
    TooManyConnections {
        /// The client.
        client: ClientIndex,
    },
    /// A client waits for a row that other clients have locked.
    RowWait {
        /// The client.
        client: ClientIndex,
        /// The table.
        table: Bytes,
        /// The row's primary key, as it is printed.
        key: Bytes,
        /// The clients that hold the lock.
        holders: Vec<ClientIndex>,
    },
    /// A change to a row was committed: the row was inserted, updated or deleted.
    RowChanged {
        /// The client of the transaction; `None`: that client has left.
        client: Option<ClientIndex>,
        /// The table.
        table: Bytes,
        /// The row's primary key, as it is printed.
        key: Bytes,
        /// The row before.
        before: Option<Row>,
        /// The row now.
        after: Option<Row>,
    },
    /// A client cannot reach its node because their link is cut: its command is lost, or it could not connect.
    Unreachable {
        /// The client.
        client: ClientIndex,
    },
    /// The link between a client and the node changed.
    LinkChanged {
        /// The client.
        client: ClientIndex,
        /// The act.
        act: LinkAct,
    },
    /// A node crashed and lost all keys in memory. The keys get no events of their own.
    NodeCrashed,
    /// A node started again.
    NodeRestarted {
        /// The data that it loaded from disk. The keys get no events of their own.
        loaded: Dataset,
    },
    /// The clock of a node jumped ahead.
    NodeClockShifted {
        /// By how much, in ms.
        ms: u64,
    },
    /// Something happened to a program.
    Program {
        /// The client that runs the program.
        client: ClientIndex,
        /// The thread; 0 if the event is about all threads.
        thread: Thread,
        /// What happened.
        what: ProgramEvent,
    },
    /// Traffic began.
    TrafficBegan,
    /// Traffic ended.
    TrafficEnded,
    /// Traffic ran for some time.
    TrafficRan {
        /// The result.
        ran: Ran,
    },
    /// Something happened to a request of traffic.
    Traffic {
        /// What happened.
        event: Box<TrafficEvent>,
    },
    /// A property was broken for the first time.
    Broken {
        /// The property's number, in the order of the `Watch` inputs.
        property: usize,
        /// How it was broken.
        breach: Breach,
    },
}

/// What happens to programs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProgramEvent {
    /// It was loaded and begins.
    Loaded,
    /// Its text is not a valid program, so it does not begin.
    Unplayable(Unplayable),
    /// A command was sent and is queued at the server.
    Sent {
        /// The command's words.
        argv: Vec<Bytes>,
    },
    /// The reply has arrived.
    Delivered {
        /// The reply.
        value: resp::Value,
    },
    /// A request or a reply was lost.
    Lost {
        /// Which of the two.
        direction: Direction,
        /// When the client will time out, Unix time in ms.
        until_ms: u64,
    },
    /// It sleeps or works for some time.
    Rests {
        /// `true`: it works; `false`: it sleeps.
        is_busy: bool,
        /// When that ends, Unix time in ms.
        until_ms: u64,
    },
    /// Its sleep, work or wait is over.
    Woke,
    /// It waits for a message.
    Listens {
        /// When the wait ends, Unix time in ms; `None`: never.
        until_ms: Option<u64>,
    },
    /// It received a message, or its wait timed out.
    Heard {
        /// Channel and text; empty: timeout.
        words: Vec<Bytes>,
    },
    /// It has entered a critical section.
    Entered {
        /// The section's name.
        section: Bytes,
    },
    /// It has left a critical section.
    Left {
        /// The section's name.
        section: Bytes,
    },
    /// It printed a note.
    Noted {
        /// The note's text.
        text: Bytes,
    },
    /// It checked a condition (`check`).
    Checked {
        /// Does the condition hold?
        holds: bool,
        /// The condition's text.
        text: Bytes,
    },
    /// It added to a counter.
    Tallied {
        /// The counter's name.
        name: Bytes,
        /// The amount added.
        n: i64,
        /// The counter's total over all clients.
        total: i64,
    },
    /// It reported a message as produced.
    Produced {
        /// The message's id.
        id: Bytes,
        /// The message's subject.
        key: Option<Bytes>,
    },
    /// It has processed a message.
    Processed {
        /// The message's id.
        id: Bytes,
        /// How many times all clients have processed it by now.
        times: u64,
    },
    /// It has started another thread.
    Spawned {
        /// The new thread's number.
        thread: Thread,
    },
    /// Another thread cancelled it.
    Cancelled,
    /// It ended normally.
    Ended,
    /// It failed.
    Failed(Failed),
    /// It made a thousand requests in a row that no other client can observe, and was ended.
    RanAway,
    /// The client crashed.
    Crashed,
    /// The client restarted.
    Restarted,
    /// Time passed although the thread was ready: the scheduler did not run it.
    StoodStill,
    /// The server closed the connection on which it listens.
    Deafened {
        /// Why.
        reason: CloseReason,
    },
    /// The client was paused.
    Paused,
    /// The client was resumed.
    Resumed,
    /// The client's clock jumped.
    ClockShifted {
        /// By how much, in ms.
        ms: i64,
    },
    /// The delay of the client's messages changed.
    Delayed {
        /// The new delay of each message, in ms.
        ms: u64,
    },
}

impl ProgramEvent {
    /// Is it about a request in flight, or about its reply?
    pub const fn is_about_request(&self) -> bool {
        matches!(self, ProgramEvent::Sent { .. } | ProgramEvent::Delivered { .. } | ProgramEvent::Lost { .. })
    }
}

/// Database and key, at the node of the event.
pub type KeyName = (usize, Bytes);

/// The entry of a key; `None`: the key does not exist. Cheap to keep, because values are shared.
pub type KeyState = Option<Entry>;

impl EventKind {
    /// Is it about keys of its node?
    pub const fn is_about_keys(&self) -> bool {
        matches!(
            self,
            EventKind::KeyChanged { .. }
                | EventKind::Flushed { .. }
                | EventKind::Swapped { .. }
                | EventKind::KeyExpired { .. }
                | EventKind::KeyEvicted { .. }
        )
    }

    /// The client it is about.
    pub const fn client(&self) -> Option<ClientIndex> {
        match self {
            EventKind::Connected { client }
            | EventKind::Renamed { client }
            | EventKind::Disconnected { client, .. }
            | EventKind::Interrupted { client }
            | EventKind::Typed { client, .. }
            | EventKind::Command { client, .. }
            | EventKind::Reply { client, .. }
            | EventKind::Push { client, .. }
            | EventKind::Held { client, .. }
            | EventKind::Blocked { client, .. }
            | EventKind::Unblocked { client }
            | EventKind::Refused { client }
            | EventKind::TooManyConnections { client }
            | EventKind::RowWait { client, .. }
            | EventKind::Unreachable { client }
            | EventKind::LinkChanged { client, .. }
            | EventKind::Program { client, .. } => Some(*client),
            EventKind::RowChanged { client, .. } => *client,
            EventKind::KeyChanged { .. }
            | EventKind::KeyExpired { .. }
            | EventKind::KeyEvicted { .. }
            | EventKind::Flushed { .. }
            | EventKind::Swapped { .. }
            | EventKind::NodeCrashed
            | EventKind::NodeRestarted { .. }
            | EventKind::NodeClockShifted { .. }
            | EventKind::TrafficBegan
            | EventKind::TrafficEnded
            | EventKind::TrafficRan { .. }
            | EventKind::Traffic { .. }
            | EventKind::Broken { .. } => None,
        }
    }
}
