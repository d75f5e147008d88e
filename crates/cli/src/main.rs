//! `lockstep`: the deterministic model of Redis outside the page, where any Redis client can reach it.
//!
//! ```text
//!              serve/listen      accepts, within maxclients
//!                    │
//!   bytes ──► serve/connection   one task per client: reads, decodes, writes
//!                    │   ▲
//!           commands │   │ replies, pushes
//!                    ▼   │
//!              serve/engine ──► serve/outbox     output buffers with their limits
//!                    │    └───► serve/record     the session as a timeline of the page
//!                    ▼
//!          redis_model::Server                   (state, now, input) → (state, outputs)
//!                    │
//!          lua_machine::LuaMachine               runs the scripts of EVAL and FCALL
//! ```
//!
//! Architecture invariant: this crate has the only clock, the only sockets and the only files of the product. All of it runs on one thread,
//! so the model sees inputs in the order in which they reach the engine.
mod explore;
mod lesson;
mod output;
mod serve;
mod traffic;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A fast allocator for many small, short-lived values, such as every word of every command.
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
    /// Search all schedules of programs for one that breaks a property; the exit code is 0 if every property holds, 1 if one is broken, 2
    /// if one is undecided, 3 if the search cannot run
    Explore(explore::Options),
    /// Send millions of requests to a handler with a cache and a database, and report the figures
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
            // If standard error is closed, the error cannot be reported.
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

/// Exit code if the command cannot run.
const WRONG_USE: u8 = 3;
