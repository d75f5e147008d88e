//! `lockstep serve`: starting, running and stopping the server.
mod connection;
mod engine;
mod limits;
mod listen;
mod options;
mod outbox;
mod record;

use std::cell::RefCell;
use std::rc::Rc;

use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;

pub use options::Options;

use engine::{Clock, Engine};
use record::Recorder;

use crate::output::say;

/// Why the server could not start or continue.
pub type Failure = Box<dyn std::error::Error>;

/// Serves until a signal or `SHUTDOWN` ends it.
///
/// # Errors
/// If an option is invalid, the address is taken or the recording cannot be written.
pub fn serve(options: Options) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, run(options))
}

async fn run(options: Options) -> Result<(), Failure> {
    let clock = Clock::default();
    let start_ms = clock.now_ms();
    let config = options.config()?;
    let recorder = options.record.as_deref().map(|path| Recorder::create(path, &config, start_ms)).transpose()?;
    let listener = listen::bind(&options)?;
    let addr = listener.local_addr()?;
    let is_recording = recorder.is_some();
    let (listening, moved) = listen::Listening::at(addr.ip());
    let mut engine = Engine::new(config, clock, recorder);
    engine.listens(listening);
    let stop = engine.stop_signal();
    let engine = Rc::new(RefCell::new(engine));
    // Install signal handlers first: a process that has read the line below may send a signal at once.
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);

    say(format_args!("Lockstep answers as Redis {} on {addr}; Ctrl-C stops it.", redis_model::REDIS_VERSION));
    if let Some(path) = options.record.as_deref().filter(|_| is_recording) {
        say(format_args!("Recording to {}: open that file in the page to step through what happens.", path.display()));
    }
    if !addr.ip().is_loopback() && options.is_open() {
        say(format_args!("Anybody who reaches {addr} may use it: there is no password (--requirepass sets one)."));
    }

    tokio::task::spawn_local(listen::accept(listener, moved, engine.clone()));
    tokio::task::spawn_local(engine::run_scripts(engine.clone()));
    let cause = tokio::select! {
        () = engine::pulse(engine.clone()) => "its clock has stopped",
        () = stop.notified() => "SHUTDOWN",
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
    };
    let recorded = engine.borrow_mut().finish();
    say(format_args!("Stopped by {cause}."));
    if let Some(summary) = recorded? {
        say(&summary);
    }
    Ok(())
}
