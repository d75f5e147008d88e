//! What a server is asked and says: settings, outputs, locks, connections.
use crate::answer::{Answer, Row};
use crate::transaction::Work;
use bytes::Bytes;

/// Number of a connection; counted up from 1 for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// How a server is set up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How long a statement is at work before it takes effect and is answered, or begins to wait for a lock. 0: at once.
    pub service_ms: u64,
    /// Statements at work at a time; others queue, first come first served. 0: no bound. A statement that waits for a lock is
    /// not at work.
    pub workers: u32,
    /// Further connections are refused.
    pub connections_max: u32,
    /// `innodb_lock_wait_timeout`, in milliseconds; a session may set its own.
    pub lock_wait_ms: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { service_ms: 0, workers: 0, connections_max: 151, lock_wait_ms: 50_000 }
    }
}

/// What happened, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// A statement is answered.
    Answered {
        /// Whose.
        connection: ConnectionId,
        /// What it is answered.
        answer: Answer,
    },
    /// A statement waits for a lock: told once, when it begins.
    Waits {
        /// Whose.
        connection: ConnectionId,
        /// For what.
        lock: LockName,
        /// Connections that hold it, or wait for it before this one, and are in the way.
        holders: Vec<ConnectionId>,
    },
    /// A statement has got the lock and goes on, or gives up; its answer or its next wait follows.
    GoesOn {
        /// Whose.
        connection: ConnectionId,
    },
    /// A row as others see it changed, at commit.
    RowChanged {
        /// Name of the table.
        table: Bytes,
        /// The primary key as in messages: parts joined by `-`. The hidden number in a table without primary key.
        key: Bytes,
        /// The row until now.
        before: Option<Row>,
        /// The row from now on.
        after: Option<Row>,
        /// Who committed.
        by: ConnectionId,
    },
    /// The server closed a connection, because of `KILL`.
    Closed {
        /// Which.
        connection: ConnectionId,
    },
}

/// What a lock is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockName {
    /// Name of the table.
    pub table: Bytes,
    /// Name of the index, `PRIMARY` for rows themselves. Nothing: the table as a whole (its metadata).
    pub index: Option<Bytes>,
    /// The values in the index as in messages: parts joined by `-`. Empty for a table.
    pub key: Bytes,
}

/// A lock that is held, or waited for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lock {
    /// What it is for.
    pub name: LockName,
    /// Whose.
    pub owner: ConnectionId,
    /// Excludes all others; a shared one excludes exclusive ones.
    pub is_exclusive: bool,
    /// Held; otherwise waited for.
    pub is_granted: bool,
}

/// A row with a change that is not committed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uncommitted {
    /// Name of the table.
    pub table: Bytes,
    /// The primary key as in messages.
    pub key: Bytes,
    /// Whose transaction.
    pub owner: ConnectionId,
    /// The row as others see it.
    pub before: Option<Row>,
    /// The row as the owner sees it.
    pub after: Option<Row>,
}

/// What a connection is doing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// No statement is outstanding.
    Idle,
    /// Its statement waits for a worker.
    Queued {
        /// Since when.
        since_ms: u64,
    },
    /// Its statement is at work.
    AtWork {
        /// Until when.
        until_ms: u64,
    },
    /// Its statement waits for a lock.
    Waiting {
        /// When it gives up.
        until_ms: u64,
        /// For what.
        lock: LockName,
        /// Connections that were in the way when it began.
        holders: Vec<ConnectionId>,
    },
}

/// What there is of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Connection {
    pub(crate) activity: Activity,
    pub(crate) statement: Bytes,
    pub(crate) autocommit: bool,
    pub(crate) is_in_transaction: bool,
    pub(crate) lock_wait_ms: u64,
    pub(crate) last_insert_id: i64,
    pub(crate) row_count: i64,
    /// Names of the slots in which it holds a lock, in the order in which it got them.
    pub(crate) held: Vec<Bytes>,
    /// How many changes its transaction has made.
    pub(crate) changes: usize,
    /// The slot in which it waits.
    pub(crate) waits_for: Option<Bytes>,
    /// What its statement has done so far, while it waits.
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

    /// What it is doing.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// The outstanding statement; empty for none.
    pub fn statement(&self) -> &Bytes {
        &self.statement
    }

    /// Is each statement a transaction of its own?
    pub fn autocommit(&self) -> bool {
        self.autocommit
    }

    /// Has it an open transaction?
    pub fn is_in_transaction(&self) -> bool {
        self.is_in_transaction
    }

    /// How long it waits for a lock.
    pub fn lock_wait_ms(&self) -> u64 {
        self.lock_wait_ms
    }
}
