//! The standard library for wasm32, without which the page does not compile.
use super::say_installing;
use crate::{paths, run};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const TARGET: &str = "wasm32-unknown-unknown";

/// Looks for the target in the toolchain that compiles this program; adds it with rustup.
pub fn ensure() -> Result<()> {
    let folder = run::first_line(
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).current_dir(paths::root()),
    )
    .context("rustc does not start; install Rust from https://rustup.rs")?;
    if has_std(Path::new(&folder)) {
        println!("  found    {TARGET} ({folder})");
        return Ok(());
    }
    say_installing(TARGET, "the Rust standard library for WebAssembly, in which the page is compiled; some 20 MB");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]).current_dir(paths::root());
    run::step("rustup target add", &mut rustup, Duration::from_secs(600))
        .context("the wasm target is missing and rustup could not add it; is the network reachable?")?;
    Ok(())
}

fn has_std(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_library_is_not_a_target() {
        assert!(!has_std(Path::new("no/such/folder")));
        assert!(!has_std(&paths::root().join("crates")));
    }
}
