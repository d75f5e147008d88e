//! `lockstep`: the deterministic model of Redis outside the page, where any Redis client can reach it.
//!
//! ```text
//!              serve/listen      accepts, within maxclients
//!                    │
//!   bytes ──► serve/connection   one task a client: reads, decodes, writes
//!                    │   ▲
//!           commands │   │ replies, pushes
//!                    ▼   │
//!              serve/engine ──► serve/outbox     what waits to be written, within its limits
//!                    │    └───► serve/record     the session as a timeline of the page
//!                    ▼
//!          redis_model::Server                   (state, now, input) → (state, outputs)
//!                    │
//!          lua_machine::LuaMachine               runs the scripts of EVAL and FCALL
//! ```
//!
//! Architecture invariant: this room has the only clock, the only sockets and the only files of the product. All of it
//! runs on one thread, so the order of inputs is the order in which they reach the engine, and the model sees no other.
mod explore;
mod lesson;
mod output;
mod serve;
mod traffic;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The allocator that is quickest for many small, short-lived values: every word of every command is one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lockstep outside the page: a deterministic model of Redis 7.0 that any Redis client can talk to.
#[derive(Parser)]
#[command(name = "lockstep", version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Answer Redis clients over TCP, in RESP2 and RESP3
    Serve(Box<serve::Options>),
    /// Search all schedules of programs for one that breaks what should hold; ends with 0 when everything holds, 1 when something is
    /// broken, 2 when something is undecided, 3 when it cannot be carried out
    Explore(explore::Options),
    /// Let millions of requests come to a handler with a cache and a database, and say what came of them
    Traffic(Box<traffic::Options>),
    /// Check the lessons of the course
    #[command(subcommand)]
    Lesson(lesson::Task),
}

fn main() -> ExitCode {
    let task = match Cli::try_parse() {
        Ok(cli) => cli.task,
        Err(error) => {
            let is_wrong = error.use_stderr();
            // Where no one listens there is no one to tell.
            let _ = error.print();
            return if is_wrong { ExitCode::from(WRONG_USE) } else { ExitCode::SUCCESS };
        }
    };
    let done = match task {
        Task::Serve(options) => serve::serve(*options).map(|()| ExitCode::SUCCESS).map_err(|why| (why, 1)),
        Task::Explore(options) => explore::explore(&options).map(ExitCode::from).map_err(|why| (why, WRONG_USE)),
        Task::Traffic(options) => {
            traffic::traffic(&options).map(|()| ExitCode::SUCCESS).map_err(|why| (why, WRONG_USE))
        }
        Task::Lesson(task) => lesson::run(&task).map(|()| ExitCode::SUCCESS).map_err(|why| (why.into(), 1)),
    };
    done.unwrap_or_else(|(error, code)| {
        eprintln!("lockstep: {error}");
        ExitCode::from(code)
    })
}

/// What no one can carry out ends with this.
const WRONG_USE: u8 = 3;
