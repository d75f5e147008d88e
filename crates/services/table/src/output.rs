//! Settings, outputs, locks and connections of a server.
use crate::answer::{Answer, Row};
use crate::transaction::Work;
use bytes::Bytes;

/// Number of a connection, counted from 1 since the start of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// Settings of a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Service time of a statement in ms, after which it takes effect and is answered, or begins to wait for a lock. 0: immediately.
    pub service_ms: u64,
    /// Most statements in service at the same time; others are queued, first come, first served. 0: unlimited. A statement that waits for
    /// a lock occupies no worker.
    pub workers: u32,
    /// Maximum number of connections; further ones are refused.
    pub connections_max: u32,
    /// `innodb_lock_wait_timeout`, in milliseconds; sessions may override it.
    pub lock_wait_ms: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { service_ms: 0, workers: 0, connections_max: 151, lock_wait_ms: 50_000 }
    }
}

/// An event of the server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// A statement was answered.
    Answered {
        /// The connection.
        connection: ConnectionId,
        /// The answer.
        answer: Answer,
    },
    /// A statement waits for a lock; emitted once, when the wait begins.
    Waits {
        /// The connection.
        connection: ConnectionId,
        /// The requested lock.
        lock: LockName,
        /// The blocking connections, which hold the lock or wait for it before this one.
        holders: Vec<ConnectionId>,
    },
    /// A wait has ended, because the lock was granted or the statement failed; its answer or its next wait follows.
    GoesOn {
        /// The connection.
        connection: ConnectionId,
    },
    /// A committed row changed.
    RowChanged {
        /// Name of the table.
        table: Bytes,
        /// The primary key as in messages: parts joined by `-`. The hidden row number in a table without a primary key.
        key: Bytes,
        /// The row before the change; `None` if it was inserted.
        before: Option<Row>,
        /// The row after the change; `None` if it was deleted.
        after: Option<Row>,
        /// The committing connection.
        by: ConnectionId,
    },
    /// The server closed a connection, because of `KILL`.
    Closed {
        /// The connection.
        connection: ConnectionId,
    },
}

/// The name of a locked object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockName {
    /// Name of the table.
    pub table: Bytes,
    /// Name of the index, `PRIMARY` for rows themselves. `None`: the whole table (its metadata).
    pub index: Option<Bytes>,
    /// The index values as in messages: parts joined by `-`. Empty for a table.
    pub key: Bytes,
}

/// A granted lock, or a waiting request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lock {
    /// The locked object.
    pub name: LockName,
    /// The connection.
    pub owner: ConnectionId,
    /// Whether it excludes all other locks; a shared lock only excludes exclusive ones.
    pub is_exclusive: bool,
    /// Whether it is granted; otherwise the connection waits.
    pub is_granted: bool,
}

/// A row with an uncommitted change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uncommitted {
    /// Name of the table.
    pub table: Bytes,
    /// The primary key as in messages.
    pub key: Bytes,
    /// The connection of the transaction.
    pub owner: ConnectionId,
    /// The committed row.
    pub before: Option<Row>,
    /// The uncommitted row, visible to the owner.
    pub after: Option<Row>,
}

/// The activity of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// No statement is outstanding.
    Idle,
    /// Its statement is queued for a worker.
    Queued {
        /// Start of the wait, in ms.
        since_ms: u64,
    },
    /// Its statement is in service.
    AtWork {
        /// End of the service time, in ms.
        until_ms: u64,
    },
    /// Its statement waits for a lock.
    Waiting {
        /// End of the lock wait timeout, in ms.
        until_ms: u64,
        /// The requested lock.
        lock: LockName,
        /// The blocking connections at the start of the wait.
        holders: Vec<ConnectionId>,
    },
}

/// The state of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Connection {
    pub(crate) activity: Activity,
    pub(crate) statement: Bytes,
    pub(crate) autocommit: bool,
    pub(crate) is_in_transaction: bool,
    pub(crate) lock_wait_ms: u64,
    pub(crate) last_insert_id: i64,
    pub(crate) row_count: i64,
    /// Names of the slots in which it holds a lock, in the order of granting.
    pub(crate) held: Vec<Bytes>,
    /// Number of changes in its transaction.
    pub(crate) changes: usize,
    /// The slot in which it waits for a lock.
    pub(crate) waits_for: Option<Bytes>,
    /// The progress of its waiting statement.
    pub(crate) work: Option<Box<Work>>,
}

impl Connection {
    pub(crate) fn new(lock_wait_ms: u64) -> Connection {
        Connection {
            activity: Activity::Idle,
            statement: Bytes::new(),
            autocommit: true,
            is_in_transaction: false,
            lock_wait_ms,
            last_insert_id: 0,
            row_count: 0,
            held: Vec::new(),
            changes: 0,
            waits_for: None,
            work: None,
        }
    }

    /// Its activity.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// The outstanding statement; empty for none.
    pub fn statement(&self) -> &Bytes {
        &self.statement
    }

    /// Whether each statement is its own transaction.
    pub fn autocommit(&self) -> bool {
        self.autocommit
    }

    /// Whether it has an open transaction.
    pub fn is_in_transaction(&self) -> bool {
        self.is_in_transaction
    }

    /// Its lock wait timeout, in ms.
    pub fn lock_wait_ms(&self) -> u64 {
        self.lock_wait_ms
    }
}
