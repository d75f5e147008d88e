//! `cargo xtask build`: builds the release of the page in `dist/`, and prints its size. With `--single-file` it is also written as one file.
use crate::dist::{self, Weight};
use crate::weights::{self, Bounds};
use crate::{pack, paths, run, setup, single, tidy};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::process::Command;
use std::time::Duration;

/// Options of `build`.
#[derive(Args, Default)]
pub struct Options {
    /// Also write dist-single/lockstep.html, one file with everything, which opens without a server
    #[arg(long)]
    single_file: bool,
}

/// Builds and prints the size of every file.
///
/// # Errors
/// If a tool cannot be installed, the build fails, the first load exceeds its bound, or another host is named.
pub fn build(options: &Options) -> Result<()> {
    let weight = build_and_weigh()?;
    let bounds = weights::bounds()?;
    print!("{}", table(&weight, &bounds));
    check_budget(&weight, &bounds)?;
    tidy::check_dist()?;
    println!("dist/ can be copied to any path of any web server.");
    if options.single_file {
        println!("{}: {}, opens without a server.", single::FILE, kilobytes(single::write()?));
    }
    Ok(())
}

/// Builds into `dist/` and measures it.
pub fn build_and_weigh() -> Result<Weight> {
    let path = setup::for_building()?;
    let esbuild = setup::for_packing()?;
    let mut trunk = Command::new("trunk");
    trunk.args(["build", "--release"]).current_dir(paths::root()).env("PATH", path.value()).env("NO_COLOR", "true");
    trunk.env("CARGO_ENCODED_RUSTFLAGS", release_flags());
    let text = run::step("trunk build --release", &mut trunk, Duration::from_secs(40 * 60))?;
    let folder = paths::root().join("dist");
    if dist::files_under(&folder)?.is_empty() {
        bail!("trunk has built nothing into dist/\n{}", run::tail(&text, 40));
    }
    pack::pack(&folder, &esbuild, path.value())?;
    let weight = dist::weigh(&folder).context("cannot weigh dist/")?;
    Ok(weight)
}

/// Flags of rustc for releases: panic messages contain source paths, and a release must not reveal the folders of its builder.
pub fn release_flags() -> String {
    let registry = paths::cargo_home().map(|home| (home.join("registry/src"), "library"));
    let places = registry.into_iter().chain([(paths::root(), "lockstep")]);
    let flags = places.map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()));
    // Cargo separates encoded flags by this character.
    flags.collect::<Vec<_>>().join("\u{1f}")
}

/// Compares the first loads and the script editor with their bounds.
///
/// # Errors
/// If one of them is larger.
pub fn check_budget(weight: &Weight, bounds: &Bounds) -> Result<()> {
    within("the first load of the sandbox", weight.first_load(), bounds.sandbox)?;
    within("the first load of a lesson", weight.course_load() + weight.machine(), bounds.lesson)?;
    let editor = weight.files.iter().find(|file| file.name == "editor.js").context("the build has no editor.js")?;
    if editor.first_load {
        bail!("the first load names the script editor, which is for those who edit scripts");
    }
    within("the script editor", editor.compressed, bounds.editor)
}

fn within(what: &str, bytes: usize, most: usize) -> Result<()> {
    if bytes == 0 {
        bail!("{what} weighs nothing: it was not found");
    }
    if bytes > most {
        bail!("{what} weighs {} compressed, its bound is {}", kilobytes(bytes), kilobytes(most));
    }
    Ok(())
}

/// One line per file, then the sum of the first load.
pub fn table(weight: &Weight, bounds: &Bounds) -> String {
    let mut lines = format!("{:>12} {:>12}  file\n", "bytes", "brotli");
    for file in &weight.files {
        let mark = match (file.first_load, file.course_load) {
            (true, _) => "",
            (false, true) => "  (lesson)",
            (false, false) => "  (when idle)",
        };
        lines.push_str(&format!("{:>12} {:>12}  {}{mark}\n", file.bytes, file.compressed, file.name));
    }
    lines.push_str(&format!(
        "first load of the sandbox: {} compressed with brotli, of {} allowed\n",
        kilobytes(weight.first_load()),
        kilobytes(bounds.sandbox)
    ));
    lines.push_str(&format!(
        "first load of a lesson: {} with the {} of Lua, of {} allowed\n",
        kilobytes(weight.course_load() + weight.machine()),
        kilobytes(weight.machine()),
        kilobytes(bounds.lesson)
    ));
    lines
}

/// `187.4 KB`, thousands of bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{}.{} KB", bytes / 1000, bytes % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::DistFile;

    fn weight(sandbox: usize, lesson: usize, machine: usize, editor: usize) -> Weight {
        let file = |name: &str, compressed, first_load, course_load| DistFile {
            name: name.to_owned(),
            bytes: compressed,
            compressed,
            first_load,
            course_load,
        };
        Weight {
            files: vec![
                file("lockstep-page-1.wasm", sandbox, true, false),
                file("lockstep-lab-1.wasm", lesson, false, true),
                file("lua-page_bg.wasm", machine, false, false),
                file("editor.js", editor, false, false),
            ],
        }
    }

    #[test]
    fn a_file_above_its_bound_fails() {
        let bounds = Bounds { sandbox: 100, lesson: 200, editor: 50 };
        let fits = |weight: &Weight| check_budget(weight, &bounds).is_ok();
        assert!(fits(&weight(100, 120, 80, 50)));
        assert!(!fits(&weight(101, 120, 80, 50)));
        assert!(!fits(&weight(100, 121, 80, 50)));
        assert!(!fits(&weight(100, 120, 80, 51)));
        assert!(!fits(&weight(0, 120, 80, 50)));
        let mut eager = weight(50, 120, 80, 50);
        eager.files[3].first_load = true;
        assert!(!fits(&eager));
        eager.files.pop();
        assert!(!fits(&eager));
    }
}
