//! The river: messages in flight, computed from the world at the cursor and the steps that led to it. It has no script of its own, so it
//! shows anything that was typed, run by programs, recorded or replayed.
//!
//! ```text
//!  log      [e1][e2][e3̶][e4]│[e5]         entries in their nodes, including those marked as deleted (`log.rs`)
//!  group g  ───────────●                  how far it has been delivered, which consumer holds what (`group.rs`)
//!  overview                               a long log as a few stretches (`overview.rs`)
//!  sums     delivered 4, acknowledged 2    the totals of a group (`sums.rs`)
//!  who      c1 reads as alice             which client acts as which consumer, and what plain readers have read (`past.rs`)
//!  ledger   produced 3, processed 2       what programs report about messages (`ledger.rs`)
//!  channels news: c1 ✓, c2 missed it   what was published, and which clients got it (`channels.rs`)
//!  queue    [j3][j2][j1] ← c2, c3         a list, the clients that wait for it, and what was taken out (`queue.rs`)
//! ```
//!
//! A picture holds the stream itself, which is cheap to clone, and computes only what is needed: of 10,000 entries only a window.
mod ask;
mod asked;
pub mod begin;
pub mod channels;
pub mod group;
pub mod ledger;
pub mod log;
pub mod overview;
pub mod past;
pub mod queue;
pub mod stream;
pub mod sums;
mod waits;

#[cfg(test)]
mod tests;

pub use begin::FirstFlow;
pub use channels::{Broadcast, Broadcasts, Buffer, Channels, Fate, Held, Subscriber};
pub use group::{Chip, Consumer, EntryStatus, Group, Most, Move, Waiter, is_moved};
pub use log::{Bracket, Log, LogLine};
pub use overview::{Share, Stretch};
pub use past::{How, Past};
pub use queue::{Hand, InLine, ItemSafety, Queue};
pub use stream::{Picture, StreamReader};
pub use sums::Sums;
pub use waits::Waits;
