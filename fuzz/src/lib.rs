//! The fuzz targets: their code, their seeds, and the mutation of inputs made of lines.
//!
//! ```text
//!   protocol.rs   bytes → replies, requests, words of a line      resp_decode, split_line
//!   codec.rs      messages between a machine and its module       codec
//!   commands.rs   lines of one to three clients → a server        commands
//!   lua.rs        a script, a library → the machine               lua
//!   session.rs    the text of a timeline                          session
//!   programs.rs   programs of one to three clients, a scheduler   programs
//!   traffic.rs    a handler, settings → requests                  traffic
//!   statements.rs statements of three sessions → a database       statements
//!   lessons.rs    the files of a lesson, and what a page fetches  lessons
//!   ─────────
//!   memory.rs     limits on allocations: counted, so the same on every machine
//!   engine.rs     a Lua machine with small bounds
//!   seeds.rs      golden scripts, recorded scripts and sessions as first inputs
//!   words.rs      words for the dictionaries
//!   mutate.rs     inserts, deletes and swaps lines, which random changes of bytes rarely achieve
//! ```
//!
//! `cargo xtask fuzz` compiles the targets with coverage and runs them.
pub mod codec;
pub mod commands;
pub mod engine;
pub mod lessons;
pub mod lua;
pub mod memory;
pub mod mutate;
pub mod programs;
pub mod protocol;
pub mod seeds;
pub mod session;
pub mod statements;
pub mod traffic;
pub mod words;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Runs before the first input of a target: if `LOCKSTEP_FUZZ_SEEDS` is set to a folder, writes seeds and dictionary there and exits.
pub fn begin(target: &str) {
    if let Some(folder) = std::env::var_os("LOCKSTEP_FUZZ_SEEDS") {
        seeds::write(target, folder.as_ref()).expect("the folder of seeds can be written");
        std::process::exit(0);
    }
}
