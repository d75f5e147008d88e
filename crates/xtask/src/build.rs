//! `cargo xtask build`: the release of the page in `dist/`, and what it weighs.
use crate::dist::{self, Weight};
use crate::{pack, paths, run, setup, tidy};
use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Duration;

/// Everything the first load fetches, compressed with brotli, in bytes. A ratchet: it goes down, not up. It was 490 KB before the program was
/// parted in two (split/); 500 KB is the budget of the finished product.
pub const FIRST_LOAD_BYTES_MAX: usize = 355 * 1000;

/// The same for a lesson of the course, without the module that runs scripts, which is fetched beside it. It was 600 KB.
pub const COURSE_LOAD_BYTES_MAX: usize = 485 * 1000;

/// The script editor, which is fetched where scripts are edited and nowhere else, compressed with brotli, in bytes.
const EDITOR_BYTES_MAX: usize = 90 * 1000;

/// Builds and prints the weight of every file.
///
/// # Errors
/// When a tool cannot be installed, the build fails, the first load is heavier than its budget, or another host is named.
pub fn build() -> Result<()> {
    let weight = build_and_weigh()?;
    print!("{}", table(&weight));
    check_budget(&weight)?;
    tidy::check_dist()?;
    println!("dist/ can be copied to any path of any web server.");
    Ok(())
}

/// Builds into `dist/` and weighs it.
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

/// Flags of rustc for what leaves this machine: messages of panics name source files, and a release must
/// not tell where its builder keeps them.
pub fn release_flags() -> String {
    let registry = paths::cargo_home().map(|home| (home.join("registry/src"), "library"));
    let places = registry.into_iter().chain([(paths::root(), "lockstep")]);
    let flags = places.map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()));
    // Cargo separates encoded flags by this character.
    flags.collect::<Vec<_>>().join("\u{1f}")
}

/// Compares the first loads and the script editor with their budgets.
pub fn check_budget(weight: &Weight) -> Result<()> {
    let bytes = weight.first_load();
    if bytes > FIRST_LOAD_BYTES_MAX {
        bail!(
            "the first load weighs {} compressed, its budget is {}",
            kilobytes(bytes),
            kilobytes(FIRST_LOAD_BYTES_MAX)
        );
    }
    let bytes = weight.course_load();
    if bytes > COURSE_LOAD_BYTES_MAX {
        let (is, most) = (kilobytes(bytes), kilobytes(COURSE_LOAD_BYTES_MAX));
        bail!("the first load of a lesson weighs {is} compressed, its budget is {most}");
    }
    let editor = weight.files.iter().find(|file| file.name == "editor.js").context("the build has no editor.js")?;
    if editor.first_load {
        bail!("the first load names the script editor, which is for those who edit scripts");
    }
    if editor.compressed > EDITOR_BYTES_MAX {
        let (is, most) = (kilobytes(editor.compressed), kilobytes(EDITOR_BYTES_MAX));
        bail!("the script editor weighs {is} compressed, its budget is {most}");
    }
    Ok(())
}

/// One line a file, then the sum of the first load.
pub fn table(weight: &Weight) -> String {
    let mut lines = format!("{:>12} {:>12}  file\n", "bytes", "brotli");
    for file in &weight.files {
        let mark = match (file.first_load, file.course_load) {
            (true, true) => "",
            (true, false) => "  (sandbox)",
            (false, true) => "  (course)",
            (false, false) => "  (when used)",
        };
        lines.push_str(&format!("{:>12} {:>12}  {}{mark}\n", file.bytes, file.compressed, file.name));
    }
    lines.push_str(&format!(
        "first load: {} compressed with brotli, of {} allowed\n",
        kilobytes(weight.first_load()),
        kilobytes(FIRST_LOAD_BYTES_MAX)
    ));
    lines.push_str(&format!(
        "first load of a lesson: {}, of {} allowed; {} of Lua are fetched beside it\n",
        kilobytes(weight.course_load()),
        kilobytes(COURSE_LOAD_BYTES_MAX),
        kilobytes(weight.machine())
    ));
    lines
}

/// `187.4 KB`, thousands of bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{}.{} KB", bytes / 1000, bytes % 1000 / 100)
}
