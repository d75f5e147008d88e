//! Programs of virtual clients: the state of their threads, and how they run.
//!
//! ```text
//!   Act::Step ──► act.rs ──► network     a command travels: sent, queued, executed, answered, lost
//!                   │           │
//!                   ▼           ▼
//!               settle.rs ◄── answer     the history grows by one answer; requests that no other client can observe are answered at once
//!                   │
//!               process.rs               text + history + phase of each thread: a value
//!   enabled.rs                           the possible next inputs
//!   faults.rs                            what can go wrong, and how often
//! ```
//!
//! Architecture invariant: the state of a program is its text and its answers so far. The Lua machine that plays programs is given to the
//! world ([`crate::Engines`]) and holds only caches.

use script::program::Thread;

use crate::{ClientIndex, World};

mod act;
mod enabled;
mod faults;
mod process;
mod settle;

pub use faults::{CLOCK_JUMP_MS, Fault, Faults};
pub(crate) use process::ThreadConnection;
pub use process::{Condition, Direction, Phase, Process};

/// Timeout of a client for a missing reply, in ms.
pub const TIMEOUT_MS: u64 = 2_000;

/// The error that a program gets after the timeout.
pub const TIMED_OUT: &str = "timeout: no reply from the server";

/// Maximum time of a message in flight, in ms: a round trip then takes no longer than a client's timeout.
pub const DELAY_MAX_MS: u64 = TIMEOUT_MS / 2;

/// Maximum length of a program's text and arguments together, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of a program's arguments.
pub const ARGS_MAX: usize = 64;

// Every step needs this, even without programs; the rest of `act.rs` is part of a chunk of the page (chunks.txt).
impl World {
    /// The program of a client.
    pub fn process(&self, client: ClientIndex) -> Option<&Process> {
        self.client(client)?.program.as_ref()
    }

    pub(crate) fn process_mut(&mut self, client: ClientIndex) -> Option<&mut Process> {
        self.client_mut(client)?.program.as_mut()
    }

    pub(crate) fn set_phase(&mut self, client: ClientIndex, thread: Thread, phase: Phase) {
        if let Some(place) = self.process_mut(client).and_then(|process| process.phase_mut(thread)) {
            *place = phase;
        }
    }
}
