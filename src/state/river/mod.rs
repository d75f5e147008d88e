//! The river: messages on their way, computed from the world where the cursor stands and from the steps that led there. Never from a
//! script of its own, so that it shows whatever is typed, played by programs, recorded or replayed.
//!
//! ```text
//!  log      [e1][e2][e3̶][e4]│[e5]         entries in their nodes, those marked as deleted among them (`log.rs`)
//!  group g  ───────────●                  how far it has been delivered, who holds what (`group.rs`)
//!  overview                               a long log in stretches, as it looks from afar (`overview.rs`)
//!  sums     delivered 4, acknowledged 2    what a group has come to (`sums.rs`)
//!  who      c1 reads as alice             which client speaks for which consumer, and what plain readers have read (`past.rs`)
//!  ledger   produced 3, processed 2       what programs tell of messages (`ledger.rs`)
//!  channels news: c1 ✓, c2 missed it   what was published, and who heard it (`channels.rs`)
//!  queue    [j3][j2][j1] ← c2, c3         a list with those who wait for it, and what was taken out (`queue.rs`)
//! ```
//!
//! A picture holds the stream itself, which costs nothing to clone, and makes only what is asked for: with 10,000 entries a window of them.
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
pub use group::{Chip, Consumer, Group, Most, Move, Stand, Waiter, is_moved};
pub use log::{Bracket, Line, Log};
pub use overview::{Share, Stretch};
pub use past::{How, Past};
pub use queue::{Hand, InLine, Kept, Queue};
pub use stream::{Picture, Reader};
pub use sums::Sums;
pub use waits::Waits;
