//! The interface between a server and a machine that runs its scripts. This crate contains no machine.
//!
//! ```text
//!   redis-model                         this crate                    lua-machine
//!   EVAL, FCALL, FUNCTION LOAD ── Job ──▶ Engine::run ─────────────────▶ the virtual machine
//!        ▲                                                                   │
//!        └────────────── Host::call, log, may ◀── redis.call, redis.log … ───┘
//!        ◀──────────────── ScriptOutcome ────────────────────────────────────
//! ```
//!
//! The machine is large, so the page loads it as a separate module when the first script is typed. The two modules share no
//! memory: [`Remote`] is an [`Engine`] that exchanges bytes with the other module, and [`serve`] is its counterpart there. While one
//! module waits for the other, it answers the other's questions through a callback. So a script can call commands from
//! anywhere, also from a comparison inside `table.sort`; and a module that can switch stacks can pause there.
//!
//! **Invariant:** a run is a function of its job and of the host's answers. An engine keeps nothing from a run that a
//! later run could see; its cache of compiled functions only saves time. So servers, which are values, can share one engine.
mod alike;
pub mod codec;
mod fingerprint;
mod job;
pub mod program;
mod remote;

pub use alike::Alike;
pub use fingerprint::{Fingerprint, Fingerprinter, GatheringFingerprinter, fingerprint};
pub use job::{
    Call, Deaf, Engine, Failure, Function, Host, Job, Level, Limits, Permission, Progress, RANDOM_AT_START, Ran, Repl,
    ScriptOutcome, SourceLocation, Work,
};
pub use remote::{Ask, Module, Remote, Slice, answer, serve};
