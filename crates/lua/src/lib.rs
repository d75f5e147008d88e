//! Lua 5.1 as Redis 7.0 gives it to scripts: an [`script::Engine`].
//!
//! ```text
//!   machine.rs   one reusable virtual machine (VM), and its cache of compiled scripts
//!   machine/     the global tables; static checks of compiled code; from a job to an outcome
//!   bounds.rs    a run's instruction budget and memory cap, and where they are checked
//!   native.rs    how a Rust function uses the Lua stack and raises errors like a C function of Redis
//!   guard.rs     read-only tables, and the library functions that would bypass them
//!   redis/       the table `redis`: calls, logging, and registering of functions
//!   slices.rs    native builds only: a run on its own stack, which can be paused
//!   player/      programs of virtual clients, which stop at each request
//!   convert/     replies to Lua values and back, by both protocols
//!   library/     cjson, cmsgpack, bit, struct, and fixes for the VM's own libraries
//! ```
//!
//! The virtual machine is the crate `omnilua`, unmodified. Where it differs from Lua 5.1.5 and Redis 7.0.15 (measured),
//! `library/` corrects it from outside.
//!
//! **Bounds.** A run ends when its instruction budget or its memory cap is reached; no `pcall` and no coroutine can catch that. A native
//! function that may take long charges the budget for its work, and one that may build a large result checks the cap first. A short
//! text without loops and functions is not checked while it runs: it pays for all of its instructions in advance, and the functions
//! it calls check for themselves. After a run that reached a bound, the machine is discarded and created again.
//!
//! **Scripts see the same on every platform**: no clock, no memory addresses (`tostring({})` counts tables instead), no
//! garbage collector statistics; and the numbers of `math.random` are a function of the job. Two things depend on the platform: *when*
//! memory is full, because pointers differ in size, and the order in which `pairs` visits keys that are tables, functions or threads
//! (not strings, not numbers), which depends on their addresses.
//!
//! **How far a run may exceed the cap:** by the result of one instruction or one native function; a short text may grow to eight
//! times its memory. A chain of `..` is split into parts of eight strings, and the cap is checked after each part. If the platform
//! cannot allocate that memory, the outcome is [`script::ScriptOutcome::Broken`].
//!
//! **Known differences from Redis:** `tests/recorded.rs` lists them with their reasons. Each `FCALL` loads its library
//! again, so a library variable that Redis would keep between calls is reset.
mod bounds;
mod convert;
mod guard;
mod library;
mod machine;
mod native;
mod player;
mod redis;
#[cfg(not(target_family = "wasm"))]
mod slices;

pub use machine::LuaMachine;
pub use player::LuaPlayer;
