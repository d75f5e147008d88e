//! Programs of virtual clients: where each of their threads stands, and what carries them on.
//!
//! ```text
//!   Act::Step ──► act.rs ──► network     a command travels: sent, queued, executed, answered, lost
//!                   │           │
//!                   ▼           ▼
//!               settle.rs ◄── answer     the history grows by one answer; what no one else can notice is answered at once
//!                   │
//!               process.rs               text + history + where each thread stands: a value
//!   enabled.rs                           what could be done next
//!   faults.rs                            what can go wrong, and how often it may
//! ```
//!
//! Architecture invariant: the state of a program is its text and the answers that it has got. The Lua machine that plays
//! them is given to the world ([`crate::Engines`]) and keeps nothing that matters.

use script::program::Thread;

use crate::{ClientIndex, World};

mod act;
mod enabled;
mod faults;
mod process;
mod settle;

pub use faults::{CLOCK_JUMP_MS, Fault, Faults};
pub(crate) use process::ThreadConnection;
pub use process::{Condition, Leg, Phase, Process};

/// After so many ms a client takes a request or a reply that does not come for lost.
pub const TIMEOUT_MS: u64 = 2_000;

/// What a program is told in place of the reply then.
pub const TIMED_OUT: &str = "timeout: no reply from the server";

/// The longest that a message may be under way, in ms: a round trip then just takes no longer than a client waits.
pub const DELAY_MAX_MS: u64 = TIMEOUT_MS / 2;

/// Longest text of a program, with what is given to it, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Words that can be given to a program.
pub const ARGS_MAX: usize = 64;

// What every step asks, also one without programs; the rest of `act.rs` is part of a chunk of the page (chunks.txt).
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
