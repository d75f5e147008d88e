//! Compiles all lessons for the page: `compile-lessons <folder of lessons> [<folder of the page>]`.
//!
//! Trunk calls it after each build and passes the page's folder in its environment.
use lesson::source::{self, Mistake};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let lessons = arguments.next();
    let page = arguments.next().or_else(|| env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from));
    let (Some(lessons), Some(page)) = (lessons, page) else {
        eprintln!("compile-lessons <folder of lessons> <folder of the page>");
        return ExitCode::FAILURE;
    };
    let faults = match source::read_course(&lessons) {
        Ok(course) => match write(&page, &course.compiled()) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => vec![Mistake { path: page, line: 0, what: error.to_string() }],
        },
        Err(faults) => faults,
    };
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    ExitCode::FAILURE
}

fn write(page: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    for (name, bytes) in files {
        let path = page.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}
