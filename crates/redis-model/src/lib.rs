//! One Redis server as a deterministic state machine: (state, now, input) → (state, outputs).
//!
//! ```text
//!  handle(now_ms, client, argv)          advance(now_ms)
//!            │                                 │
//!        dispatch ── arity, MULTI queue,    cron ── expiry cycle, timeouts of blocked clients
//!            │       pause, memory limit       │
//!         command/<family> handler             │
//!            │  through Ctx                    │
//!        Db, Client, PubSub, Config  ◄─────────┘
//!            │
//!         settle ── clients blocked on keys that became ready, commands that waited behind them
//!            │
//!        Vec<Output>: replies, pushes, closed clients, changed keys, in order
//! ```
//!
//! Architecture invariant: nothing here reads a clock, a random device, a file or a socket; nothing
//! iterates in an order that is not a function of contents and seed.
//!
//! Architecture invariant: only the dispatcher knows of arity, queueing, pausing, the memory limit
//! and blocking; a handler that does one of these is in the wrong module.
mod access;
mod blocking;
mod canonical;
mod check;
mod client;
mod clients;
pub mod command;
mod config;
mod cron;
mod ctx;
mod dataset;
mod db;
mod dispatch;
mod error;
mod eviction;
mod lazyfree;
mod memory_stats;
mod monitor;
mod notify;
mod part;
mod pubsub;
pub mod rng;
mod script;
mod server;
pub mod sorted_map;
pub mod sorting;
mod typed;
mod unread;
pub mod value;

pub use access::Access;
pub use client::{Blocked, Client, ClientId, Multi, Reading, ReplyMode, Wait, WaitReason, Watched};
pub use clients::LastCommand;
pub use config::Config;
pub use ctx::{Answer, Ctx};
pub use dataset::Dataset;
pub use db::{Db, Entry};
pub use error::Error;
pub use eviction::Policy;
pub use notify::Notify;
pub use part::Part;
pub use pubsub::PubSub;
pub use script::engine::ScriptEngine;
pub use script::{Busy, Function, INSTRUCTIONS_MAX, INSTRUCTIONS_PER_MS, Library, ScriptTime, rehearsal, script_sha};
pub use server::{CallKey, Cause, CloseReason, Former, Output, REDIS_VERSION, Server, Stats};
pub use typed::Typed;
pub use unread::{OutputLimit, Unread};
