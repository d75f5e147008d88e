//! What a step made happen, in order: what panels highlight and sentences tell.
use bytes::Bytes;
use redis_model::{CloseReason, Dataset, Entry, Wait};
use resp::Protocol;
use script::program::{Failed, Thread, Unplayable};
use table::Row;

use crate::traffic::Ran;
use crate::traffic::told::Told;
use crate::{Breach, ClientIndex, Leg, LinkAct, NodeIndex};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// When, Unix time in ms.
    pub at_ms: u64,
    /// How far the clock of its node is ahead of the world's, in ms. Deadlines in an event are times of that clock.
    pub clock_ahead_ms: u64,
    /// Where: the node that executed, answered, changed a key or made or lost a connection, and of a program's request
    /// ([`Happening::is_about_request`]) the node that it goes to. `None`: it is a client's own matter (its name, Ctrl-C, what its
    /// program does without a node) or the world's (a property).
    pub node: Option<NodeIndex>,
    /// What.
    pub kind: EventKind,
}

impl Event {
    /// The clock of its node, Unix time in ms.
    pub const fn clock_ms(&self) -> u64 {
        self.at_ms.saturating_add(self.clock_ahead_ms)
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A client connected (again).
    Connected {
        /// Who.
        client: ClientIndex,
    },
    /// A client was renamed on the stage.
    Renamed {
        /// Who.
        client: ClientIndex,
    },
    /// A client's connection ended.
    Disconnected {
        /// Who.
        client: ClientIndex,
        /// `None`: by itself.
        reason: Option<CloseReason>,
    },
    /// A client interrupted what it was doing.
    Interrupted {
        /// Who.
        client: ClientIndex,
    },
    /// A command was typed, and is on its way over a slow link.
    Typed {
        /// The client that has typed it.
        client: ClientIndex,
        /// The words.
        argv: Vec<Bytes>,
        /// The database that the client has selected.
        db: usize,
        /// Has it a transaction open?
        is_in_multi: bool,
        /// When the command reaches the node, Unix time in ms.
        until_ms: u64,
    },
    /// A command reached the server.
    Command {
        /// Whose.
        client: ClientIndex,
        /// Its words.
        argv: Vec<Bytes>,
        /// The database that was selected when it was sent.
        db: usize,
        /// Was a transaction open when it was sent?
        is_in_multi: bool,
    },
    /// A command was answered.
    Reply {
        /// Whose.
        client: ClientIndex,
        /// The answer.
        value: resp::Value,
        /// The dialect it is spoken in.
        protocol: Protocol,
    },
    /// A client received what it had not just asked for.
    Push {
        /// Who.
        client: ClientIndex,
        /// What.
        value: resp::Value,
        /// The dialect it is spoken in.
        protocol: Protocol,
    },
    /// A client that stands still was told something, which waits in its output buffer.
    Held {
        /// Who.
        client: ClientIndex,
        /// What.
        value: resp::Value,
    },
    /// A client now waits.
    Blocked {
        /// Who.
        client: ClientIndex,
        /// For what, and until when.
        wait: Wait,
    },
    /// A client no longer waits.
    Unblocked {
        /// Who.
        client: ClientIndex,
    },
    /// A key came, went or changed.
    KeyChanged {
        /// Database and key.
        key: KeyName,
        /// What stood behind it before this event's moment.
        before: KeyState,
        /// What stands behind it now.
        after: KeyState,
    },
    /// A database was emptied as a whole (`FLUSHDB`, `FLUSHALL`); its keys are not told one by one.
    Flushed {
        /// Its number.
        db: usize,
        /// How many keys it had.
        keys: usize,
    },
    /// Two databases exchanged their keys (`SWAPDB`).
    Swapped {
        /// One number.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A key went because its TTL had run out.
    KeyExpired {
        /// Database and key.
        key: KeyName,
        /// What it held.
        before: KeyState,
    },
    /// A key went because memory was short (`maxmemory-policy`).
    KeyEvicted {
        /// Database and key.
        key: KeyName,
        /// What it held.
        before: KeyState,
    },
    /// A client could not connect: its node is down.
    Refused {
        /// Who.
        client: ClientIndex,
    },
    /// A client could not connect: its database takes no more connections.
    TooManyConnections {
        /// Who.
        client: ClientIndex,
    },
    /// A client waits for a row that others have locked.
    RowWait {
        /// Who.
        client: ClientIndex,
        /// The table.
        table: Bytes,
        /// The row's primary key, as it is printed.
        key: Bytes,
        /// Who has it locked.
        holders: Vec<ClientIndex>,
    },
    /// A row came, went or changed for everybody: it was committed.
    RowChanged {
        /// Whose transaction it was; `None`: that of a client that is gone.
        client: Option<ClientIndex>,
        /// The table.
        table: Bytes,
        /// The row's primary key, as it is printed.
        key: Bytes,
        /// What it held.
        before: Option<Row>,
        /// What it holds now.
        after: Option<Row>,
    },
    /// Nothing gets from a client to its node, because their link is cut: its command is lost, or it could not connect.
    Unreachable {
        /// Who.
        client: ClientIndex,
    },
    /// Something was done to the link between a client and the node.
    LinkChanged {
        /// Whose.
        client: ClientIndex,
        /// What.
        act: LinkAct,
    },
    /// A node crashed and lost all keys in memory. They are not told one by one.
    NodeCrashed,
    /// A node started again.
    NodeRestarted {
        /// What it found on its disk. These keys are not told one by one.
        loaded: Dataset,
    },
    /// The clock of a node jumped ahead.
    NodeClockShifted {
        /// By how much, in ms.
        ms: u64,
    },
    /// Something happened to a program.
    Program {
        /// Whose.
        client: ClientIndex,
        /// Which of its threads; 0 where it is about all of them.
        thread: Thread,
        /// What.
        what: Happening,
    },
    /// Traffic began.
    TrafficBegan,
    /// Traffic is over.
    TrafficEnded,
    /// Traffic went on for a while.
    TrafficRan {
        /// What came of it.
        ran: Ran,
    },
    /// Something happened to a request of traffic.
    Traffic {
        /// What.
        told: Box<Told>,
    },
    /// A property was broken, for the first time.
    Broken {
        /// Its number, in the order in which properties were given.
        property: usize,
        /// How.
        breach: Breach,
    },
}

/// What happens to programs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// It begins.
    Loaded,
    /// It is none, and does not begin.
    Unplayable(Unplayable),
    /// A command was sent; it waits in the server's queue.
    Sent {
        /// Its words.
        argv: Vec<Bytes>,
    },
    /// The reply has arrived.
    Delivered {
        /// It.
        value: resp::Value,
    },
    /// A request or a reply was lost.
    Lost {
        /// Which of them.
        leg: Leg,
        /// When the client will take it for lost, Unix time in ms.
        until_ms: u64,
    },
    /// It sleeps or works.
    Rests {
        /// Does it work?
        is_busy: bool,
        /// Until when, Unix time in ms.
        until_ms: u64,
    },
    /// It has slept, worked or waited long enough.
    Woke,
    /// It waits for a message.
    Listens {
        /// Until when, Unix time in ms; `None`: for ever.
        until_ms: Option<u64>,
    },
    /// It has heard a message, or none in its time.
    Heard {
        /// Channel and text; empty: none.
        words: Vec<Bytes>,
    },
    /// It has entered a critical section.
    Entered {
        /// Which.
        section: Bytes,
    },
    /// It has left one.
    Left {
        /// Which.
        section: Bytes,
    },
    /// It says something.
    Noted {
        /// What.
        text: Bytes,
    },
    /// It has checked something.
    Checked {
        /// Does it hold?
        holds: bool,
        /// What.
        text: Bytes,
    },
    /// It has counted something.
    Tallied {
        /// What.
        name: Bytes,
        /// How many.
        n: i64,
        /// All counts of this name together.
        total: i64,
    },
    /// It tells of a message that exists now.
    Produced {
        /// The message's id.
        id: Bytes,
        /// What it is about.
        key: Option<Bytes>,
    },
    /// It has processed a message.
    Processed {
        /// The message's id.
        id: Bytes,
        /// How often anyone has by now.
        times: u64,
    },
    /// It has started another thread.
    Spawned {
        /// That one's number.
        thread: Thread,
    },
    /// Another thread has ended it.
    Cancelled,
    /// It has come to its end.
    Ended,
    /// It broke off.
    Failed(Failed),
    /// It asked for a thousand things in a row that no one else notices, and was ended.
    RanAway,
    /// The client died.
    Crashed,
    /// The client begins again.
    Restarted,
    /// Time has passed although it could have gone on: it was made to stand still.
    StoodStill,
    /// The server has closed the connection on which it listens.
    Deafened {
        /// Why.
        reason: CloseReason,
    },
    /// The world stands still for the client.
    Paused,
    /// It goes on.
    Resumed,
    /// Its clock jumped.
    ClockShifted {
        /// By how much, in ms.
        ms: i64,
    },
    /// Its messages take so long from now on.
    Delayed {
        /// How long, in ms.
        ms: u64,
    },
}

impl Happening {
    /// Is it about a request on its way to a node, or about the reply?
    pub const fn is_about_request(&self) -> bool {
        matches!(self, Happening::Sent { .. } | Happening::Delivered { .. } | Happening::Lost { .. })
    }
}

/// Database and key, at the node of the event.
pub type KeyName = (usize, Bytes);

/// What stands behind a key; `None`: nothing. Cheap to keep, values are shared.
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
