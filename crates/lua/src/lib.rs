//! Lua 5.1 as Redis 7.0 gives it to scripts: an [`script::Engine`].
//!
//! ```text
//!   machine.rs   one virtual machine that is kept, and the cache of compiled texts
//!   machine/     the global tables; what a compiled text tells before it runs; from a job to an outcome
//!   bounds.rs    a run's budget of instructions and its cap of memory, and who looks at them
//!   native.rs    how a Rust function works on the machine's stack and raises errors as a C function of Redis does
//!   guard.rs     tables that scripts may read and not write; the functions that would go around that
//!   redis/       the table `redis`: calls, logging, and registering of functions
//!   slices.rs    natively: a run on a stack of its own, which can be paused
//!   player/      programs of virtual clients, which stop at each request
//!   convert/     replies to Lua values and back, by both protocols
//!   library/     cjson, cmsgpack, bit, struct, and what the machine's own libraries get wrong
//! ```
//!
//! The virtual machine is the crate `omnilua`, used as it is. What it gets wrong (measured against Lua 5.1.5 and Redis
//! 7.0.15) is put right from outside, in `library/`.
//!
//! **Bounds.** A run ends at its budget of instructions, which no `pcall` and no coroutine can catch, and at its cap of
//! memory. A native function that may take long charges the budget for it, one that may build much asks the cap first. A short
//! text without loops and functions is not looked at: it pays ahead for all of its instructions, and what it calls looks for
//! itself. After a run that reached a bound the machine is thrown away and made again.
//!
//! **What a script can see is the same everywhere**: no clock, no addresses of memory (`tostring({})` counts tables instead), no
//! figure of the collector, and the numbers of `math.random` follow from the job. Only *when* memory is full depends on the
//! platform, because a pointer has another size there; and `pairs` goes through keys that are tables, functions or threads
//! (not strings, not numbers) in an order that follows from where they are in memory.
//!
//! **How far past the cap a run may get:** by what one instruction or one native function builds, and a short text by eight
//! times what it has. A chain of `..` is cut into parts of eight strings with a look at the cap after each; where the platform
//! cannot give that memory, the outcome is [`script::Outcome::Broken`].
//!
//! **Differences from Redis that are known:** `tests/recorded.rs` names them with their reasons. Functions of a library begin
//! again with each `FCALL`, so a variable of the library that Redis would keep from call to call does not last.
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
