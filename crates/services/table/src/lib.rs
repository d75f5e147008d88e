//! One database server as a deterministic state machine: tables, transactions and row locks, answered as MySQL answers.
//!
//! ```text
//!   handle(now, connection, text)                              ┌ Rows, Done, Failed ─→ Output::Answered
//!        │                                                     │
//!        ▼ queue       ▼ at work                               │
//!   [c3 c1 …] ──→ until now + service ──→ sql::parse ──→ execute ── needs a lock ──→ Output::Waits
//!                                                              ▲                        │ granted, timed out, dead lock
//!                                                              └── Output::GoesOn ◄─────┘
//!
//!   tables   name → columns, indexes, committed rows           what everybody sees, and what survives a crash
//!   slots    record → who holds or wants a lock, in order;     what open transactions have beside it
//!                     what its writer has made of the row
//! ```
//!
//! The server is InnoDB under `READ COMMITTED`: a `SELECT` reads what is committed and the own changes; what changes or locks rows locks
//! records of indexes until the transaction ends. There are no locks on gaps between records. A change lies in the record's slot until it is
//! committed; only then rows are written, and `Output::RowChanged` tells it. A statement that fails is undone alone; after a dead lock
//! (1213) the whole transaction is.
//!
//! Time is `now_ms`, counted from 1970 in UTC; `NOW()` is the time at which a statement began to be executed. Nothing here draws random
//! numbers, and a clone shares all large structures.
//!
//! # Whose words
//!
//! The reference is MariaDB 10.11 (`tests/golden.rs` plays its scripts there). Where MySQL says it otherwise, MySQL 5.7 is followed:
//!
//! - 1064 says "MySQL server version"; 1054 says `'field list'`, `'where clause'`, `'order clause'` ("Server Error Message Reference"
//!   of the manual); 1366 names the column alone, with the state HY000.
//! - 1062 names the key without its table, as before MySQL 8.0.19 ("Changes in MySQL 8.0.19"). Integer types have a display width.
//! - `NOWAIT` is refused with 3572 (MySQL 8.0, "Locking Read Concurrency with NOWAIT and SKIP LOCKED"), not 1205.
//! - Fractions of a second that a column does not keep are rounded, not cut off ("Fractional Seconds in Time Values").
//! - `SHOW PROCESSLIST` and `SHOW INDEX` have no column `Progress` and `Ignored`.
//! - The client prints times with two digits.
//!
//! # What differs from both
//!
//! - Waits are granted first come first served (MySQL since 8.0.20 prefers those for which most others wait). Of several transactions that a
//!   release lets go on, the first goes first; a real server wakes them in any order.
//! - Records that are deleted and not yet purged leave no trace. In a unique index InnoDB also locks the record behind a duplicate, and gaps,
//!   for a moment: there real statements sometimes wait that do not here.
//! - The optimizer is simple: see `execute::path`.
//! - `UPDATE` and `DELETE` find all rows before they change the first one.
//! - Numbers above 2^63 - 1 do not exist, nor do floats, joins, subqueries, `GROUP BY`, `ALTER TABLE`, views, foreign keys and user-level
//!   locks. Text in a number's place counts as far as it is one, without an exponent. `INSERT IGNORE` ignores duplicates only.
//! - Text is compared by ASCII letters alone: see `value`.
mod answer;
mod canonical;
mod clock;
mod error;
mod eval;
mod execute;
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
