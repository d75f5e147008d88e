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
//! The machine is heavy, so the page loads it as a module of its own when the first script is typed. Two modules share no
//! memory: [`Remote`] is an [`Engine`] that speaks to the other module in bytes, and [`serve`] is the other end of it. While one
//! module waits for the other it answers what that asks, as a function that it calls back. So a script can call commands from
//! anywhere, also from a comparison inside of `table.sort`; and a module that can leave its stack and enter it again pauses there.
//!
//! **Invariant:** a run is a function of its job and of what the host answers. An engine remembers nothing of a run that a
//! later one could see; what it keeps (compiled functions) only saves time. So servers that are values can share one.
mod alike;
pub mod codec;
mod fingerprint;
mod job;
pub mod program;
mod remote;

pub use alike::Alike;
pub use fingerprint::{Fingerprint, Fingerprinter, GatheringFingerprinter, fingerprint};
pub use job::{
    Call, Deaf, Engine, Failure, Function, Host, Job, Level, Limits, Outcome, Permission, Place, Progress,
    RANDOM_AT_START, Ran, Repl, Work,
};
pub use remote::{Ask, Module, Remote, Slice, answer, serve};
