//! The contract between a server and a machine that runs its scripts. No machine is in here.
//!
//! ```text
//!   redis-model                         this crate                    lua-machine
//!   EVAL, FCALL, FUNCTION LOAD ── Job ──▶ Engine::run ─────────────────▶ the virtual machine
//!        ▲                                                                   │
//!        └────────────── Host::call, log, may ◀── redis.call, redis.log … ───┘
//!        ◀──────────────────────── Outcome ──────────────────────────────────
//! ```
//!
//! **Invariant:** a run is a function of its job and of what the host answers. An engine remembers nothing of a run that a
//! later one could see; what it keeps (compiled functions) only saves time. So a thread can have one engine
//! ([`install`], [`with`]), and a server that is a value does not contain it.
mod installed;
mod job;

pub use installed::{install, installed, with};
pub use job::{Call, Engine, Failure, Function, Host, Job, Level, Limits, Outcome, Permission, Place, Ran, Repl, Work};
