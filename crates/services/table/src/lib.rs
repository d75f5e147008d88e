//! A database server as a deterministic state machine: tables, transactions and row locks, with the answers of MySQL.
//!
//! ```text
//!   handle(now, connection, text)                              ┌ Rows, Done, Failed ─→ Output::Answered
//!        │                                                     │
//!        ▼ queue       ▼ at work                               │
//!   [c3 c1 …] ──→ until now + service ──→ sql::parse ──→ execute ── needs a lock ──→ Output::Waits
//!                                                              ▲                        │ granted, timed out, dead lock
//!                                                              └── Output::GoesOn ◄─────┘
//!
//!   tables   name → columns, indexes, committed rows           visible to all connections; survives a crash
//!   slots    record → lock requests in order;                  state of open transactions; lost in a crash
//!                     the writer's uncommitted version
//! ```
//!
//! The server behaves like InnoDB under `READ COMMITTED`: a `SELECT` reads committed rows and the transaction's own changes; statements
//! that change or lock rows lock index records until the transaction ends. There are no gap locks. A change is stored in the record's slot
//! until commit; only then are the rows written and reported by `Output::RowChanged`. A failed statement is rolled back alone; after a
//! deadlock (1213), the whole transaction is rolled back.
//!
//! Time is `now_ms`, in milliseconds since 1970 in UTC; `NOW()` is the time at which a statement began to execute. Nothing here uses random
//! numbers, and a clone shares all large structures.
//!
//! # Reference servers
//!
//! The reference is MariaDB 10.11 (`tests/golden.rs` runs its scripts there). Where MySQL differs, this crate follows MySQL 5.7:
//!
//! - 1064 contains "MySQL server version"; 1054 contains `'field list'`, `'where clause'`, `'order clause'` ("Server Error Message
//!   Reference" of the manual); 1366 names only the column, with the state HY000.
//! - 1062 names the key without its table, as before MySQL 8.0.19 ("Changes in MySQL 8.0.19"). Integer types have a display width.
//! - `NOWAIT` fails with 3572 (MySQL 8.0, "Locking Read Concurrency with NOWAIT and SKIP LOCKED"), not 1205.
//! - Excess digits of a second's fraction are rounded, not truncated ("Fractional Seconds in Time Values").
//! - `SHOW PROCESSLIST` has no column `Progress`, and `SHOW INDEX` no column `Ignored`.
//! - The client prints times with two digits.
//!
//! # Differences from both
//!
//! - Locks are granted first come, first served (MySQL since 8.0.20 prefers the transaction that blocks most others). If a release unblocks
//!   several transactions, they continue in order; a real server wakes them in any order.
//! - Deleted records that are not yet purged leave no trace. In a unique index, InnoDB also briefly locks gaps and the record after a
//!   duplicate: there, real statements sometimes wait that do not wait here.
//! - The optimizer is simple: see `execute::path`.
//! - `UPDATE` and `DELETE` find all rows before they change the first one.
//! - Not supported: numbers above 2^63 - 1, floats, joins, subqueries, `GROUP BY`, `ALTER TABLE`, views, foreign keys and user-level
//!   locks. Text in place of a number is converted from its longest numeric prefix, without exponents. `INSERT IGNORE` ignores only
//!   duplicates.
//! - Text comparison ignores case for ASCII letters only: see `value`.
mod answer;
mod canonical;
mod clock;
mod error;
mod eval;
mod execute;
mod load;
mod locks;
mod output;
mod print;
mod schema;
mod server;
mod sql;
mod time;
mod transaction;
mod value;
mod words;

pub use answer::{Answer, Cell, Done, Failure, Heading, Info, Row, Rows};
pub use canonical::{Footprint, Touch};
pub use output::{Activity, Connection, ConnectionId, Lock, LockName, Output, Settings, Uncommitted};
pub use print::text_width;
pub use schema::{Column, Default, Index, Kind, Table};
pub use server::Database;
pub use words::{STATEMENTS, bind, only_reads, tells_connections_apart};
