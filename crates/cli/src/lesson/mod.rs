//! `lockstep lesson check`: every lesson is read, played and searched, and each mistake told with its file and line.
//!
//! ```text
//! lockstep lesson check                          all lessons
//! lockstep lesson check lessons/locks/setnx      one of them
//! ```
mod check;
mod judge;
mod mutants;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
mod par;
pub mod play;
mod proofs;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lesson::source::{self, Fault, Source};

/// What can be done with lessons.
#[derive(Subcommand)]
pub enum Task {
    /// Read, play and search lessons: stories, verdicts, solutions and wrong answers
    Check(Options),
}

/// Which lessons.
#[derive(Args)]
pub struct Options {
    /// The folder of a lesson, or of all lessons
    #[arg(default_value = "lessons")]
    folder: PathBuf,
    /// Print the schedules that searches find, as lines of a session
    #[arg(long)]
    schedules: bool,
    /// Do not change the solutions of repairs to see whether the changed ones fail
    #[arg(long)]
    no_mutants: bool,
}

/// Does it; the error says how many mistakes there are.
///
/// # Errors
/// When there is a mistake.
pub fn run(task: &Task) -> Result<(), String> {
    let Task::Check(options) = task;
    install();
    let lessons = match read(&options.folder) {
        Ok(lessons) => lessons,
        Err(faults) => return refuse(&faults),
    };
    let mut faults = Vec::new();
    for source in &lessons {
        println!("{}", source.folder.display());
        let report = check::check(source, !options.no_mutants);
        for line in &report.lines {
            println!("  {line}");
        }
        if options.schedules {
            report.schedules.iter().for_each(|schedule| println!("{schedule}"));
        }
        faults.extend(report.faults);
    }
    if faults.is_empty() {
        println!("{} lessons, nothing to object to", lessons.len());
        return Ok(());
    }
    refuse(&faults)
}

/// Lends this thread the machines that lessons need.
fn install() {
    script::install(Box::new(lua_machine::LuaMachine::new()));
    script::program::install(Box::new(lua_machine::LuaPlayer::new()));
}

/// The lessons in the folder of one, of a track or of the course.
///
/// # Errors
/// All their mistakes.
pub fn read(folder: &Path) -> Result<Vec<Source>, Vec<Fault>> {
    if folder.join("lesson.toml").exists() {
        return source::read_lesson(folder).map(|lesson| vec![lesson]);
    }
    if folder.join("track.toml").exists() {
        return source::read_track(folder).map(|track| track.lessons);
    }
    let course = source::read_course(folder)?;
    Ok(course.tracks.into_iter().flat_map(|track| track.lessons).collect())
}

fn refuse(faults: &[Fault]) -> Result<(), String> {
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    Err(format!("{} mistakes in the lessons", faults.len()))
}
