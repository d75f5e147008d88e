//! Makes a fresh machine ready: finds each tool, says what it found, installs what is missing.
//!
//! Architecture invariant: nothing is installed into `target/` (it would go with the next
//! `cargo clean`) and nothing that another project may rely on is replaced: a tool of another
//! version stays where it is, and ours goes into this user's cache beside it.
mod cargo_tools;
mod debian;
mod npm;
mod wasm_target;

use crate::paths;
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The search path with which trunk has to be started: its tools come first.
pub struct ToolPath(OsString);

impl ToolPath {
    /// The given folders in front of the `PATH` that we were started with.
    fn with_first(folders: Vec<PathBuf>) -> Result<ToolPath> {
        let mut all: Vec<PathBuf> = Vec::new();
        let inherited = env::var_os("PATH").unwrap_or_default();
        for folder in folders.into_iter().chain(env::split_paths(&inherited)) {
            if !all.contains(&folder) {
                all.push(folder);
            }
        }
        Ok(ToolPath(env::join_paths(all).context("a folder of tools has a name that cannot stand in PATH")?))
    }

    /// The value for the variable `PATH`.
    pub fn value(&self) -> &OsString {
        &self.0
    }
}

/// What is needed to compile the page: the wasm target.
pub fn for_compiling() -> Result<()> {
    wasm_target::ensure()
}

/// What is needed to build and serve the page: wasm target, trunk, wasm-bindgen, wasm-opt.
pub fn for_building() -> Result<ToolPath> {
    wasm_target::ensure()?;
    let mut folders = Vec::new();
    let bindgen = cargo_tools::wasm_bindgen_of_lock_file()?;
    for tool in [cargo_tools::trunk(), bindgen] {
        folders.push(tool.ensure()?);
    }
    folders.push(npm::ensure_wasm_opt()?);
    ToolPath::with_first(folders)
}

/// What the comparison with the original needs: a redis-server of the version that is the reference.
pub fn for_real_redis() -> Result<()> {
    debian::ensure_redis()
}

/// What the tests in a browser need: Chromium, and the node packages of `e2e/`.
pub fn for_browser_tests() -> Result<()> {
    debian::ensure_chromium()?;
    npm::ensure_packages_of_browser_tests()
}

/// Everything that `serve` and `test` need.
pub fn everything() -> Result<()> {
    for_building()?;
    for_real_redis()?;
    for_browser_tests()?;
    println!("Everything that `cargo xtask serve` and `cargo xtask test` need is here.");
    Ok(())
}

/// One line about a tool that is there.
fn say_found(what: &str, program: &std::path::Path) {
    println!("  found    {what} ({})", program.display());
}

/// One line about a tool that is being fetched, with what it is for.
fn say_installing(what: &str, why: &str) {
    println!("  install  {what}: {why}");
}

/// What the environment says about where Chromium is, or Debian's places for it.
pub fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM").map(PathBuf::from) {
        return named.is_file().then_some(named);
    }
    let folders = paths::search_path();
    ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| paths::find_program(name, &folders))
}
