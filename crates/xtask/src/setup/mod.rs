//! Sets up a fresh machine: finds each tool, says what it found, installs what is missing.
//!
//! Architecture invariant: nothing is installed into `target/` (the next `cargo clean` would delete it) and nothing that another project
//! may rely on is replaced: another version of a tool stays where it is, and ours goes into this user's cache.
mod cargo_tools;
mod debian;
mod npm;
mod python;
mod wasm_target;

use crate::paths;
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The `PATH` for trunk: its tools come first.
pub struct ToolPath(OsString);

impl ToolPath {
    /// One folder with exactly these programs, in front of our own `PATH`: the folder in which one of them was found may hold another one
    /// in the wrong version.
    fn of(programs: &[PathBuf]) -> Result<ToolPath> {
        let links = paths::target().join("xtask-tools");
        if links.is_dir() {
            fs::remove_dir_all(&links).context("cannot clear the folder of links to tools")?;
        }
        fs::create_dir_all(&links).context("cannot make the folder of links to tools")?;
        for program in programs {
            let name = program.file_name().context("a tool without a name")?;
            link(program, &links.join(name)).with_context(|| format!("cannot link to {}", program.display()))?;
        }
        let inherited = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(links).chain(env::split_paths(&inherited));
        Ok(ToolPath(env::join_paths(folders).context("target/ has a name that cannot stand in PATH")?))
    }

    /// The value for the variable `PATH`.
    pub fn value(&self) -> &OsString {
        &self.0
    }
}

/// Tools to compile the page: the wasm target.
pub fn for_compiling() -> Result<()> {
    wasm_target::ensure()
}

/// Additional tool for a release: esbuild, which minifies scripts and style sheets.
pub fn for_packing() -> Result<PathBuf> {
    npm::ensure_esbuild()
}

/// Tools to bundle: esbuild, and the packages of these folders, each with its bundled packages.
pub fn for_bundling<'a>(folders: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<PathBuf> {
    folders.into_iter().try_for_each(|(folder, what)| npm::ensure_packages_of_bundle(folder, what))?;
    npm::ensure_esbuild()
}

/// Tools to build and serve the page: wasm target, trunk, wasm-bindgen, wasm-opt.
pub fn for_building() -> Result<ToolPath> {
    wasm_target::ensure()?;
    let bindgen = cargo_tools::wasm_bindgen_of_lock_file()?;
    let programs = [cargo_tools::trunk().ensure()?, bindgen.ensure()?, npm::ensure_wasm_opt()?];
    ToolPath::of(&programs)
}

#[cfg(unix)]
fn link(program: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, link)
}

#[cfg(not(unix))]
fn link(program: &Path, link: &Path) -> std::io::Result<()> {
    std::fs::copy(program, link).map(|_| ())
}

/// Tools to compare with the original: a redis-server of the reference version.
pub fn for_real_redis() -> Result<()> {
    debian::ensure_redis()
}

/// Tools for the browser tests: Chromium, and the node packages of `e2e/`.
pub fn for_browser_tests() -> Result<()> {
    debian::ensure_chromium()?;
    npm::ensure_packages_of_browser_tests()
}

/// Tools for the tests in Firefox: Firefox, whose path is returned, and the node packages of `e2e/`.
pub fn for_tests_in_firefox() -> Result<PathBuf> {
    let program = debian::ensure_firefox()?;
    npm::ensure_packages_of_browser_tests()?;
    Ok(program)
}

/// Tools for the fuzz targets: a C++ compiler for their engine.
pub fn for_fuzzing() -> Result<()> {
    debian::ensure_cxx()
}

/// Tools for the tests with Redis clients: the node packages of `clients/node`, and a Python, whose path is returned.
pub fn for_client_tests() -> Result<PathBuf> {
    npm::ensure_packages_of_client_tests()?;
    python::ensure(&python::CLIENT_TESTS)
}

/// The Python with fakeredis, for its bench.
pub fn for_bench_beside_fakeredis() -> Result<PathBuf> {
    python::ensure(&python::FAKEREDIS)
}

/// Everything that `serve` and `test` need.
pub fn everything() -> Result<()> {
    for_building()?;
    for_packing()?;
    for_real_redis()?;
    for_fuzzing()?;
    for_browser_tests()?;
    for_tests_in_firefox()?;
    for_client_tests()?;
    println!("Everything that `cargo xtask serve` and `cargo xtask test` need is here.");
    Ok(())
}

/// Prints a line about an installed tool.
fn say_found(what: &str, program: &Path) {
    println!("  found    {what} ({})", program.display());
}

/// Prints a line about a tool that is being installed, with its purpose.
fn say_installing(what: &str, why: &str) {
    println!("  install  {what}: {why}");
}

/// The path of Chromium: from the environment, or in Debian's usual places.
pub fn chromium() -> Option<PathBuf> {
    browser("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"])
}

/// The path of Firefox: from the environment, or in Debian's usual places.
fn firefox() -> Option<PathBuf> {
    browser("FIREFOX", &["firefox-esr", "firefox"])
}

/// The program that this variable names, or else the first of these names in `PATH`.
fn browser(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(named) = env::var_os(variable).map(PathBuf::from) {
        return named.is_file().then_some(named);
    }
    names.iter().find_map(|name| debian::find(name))
}
