//! Packages from npm, always from a committed lock file: wasm-opt, esbuild, the packages of the browser tests, Redis clients.
use super::{debian, say_found, say_installing};
use crate::{paths, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Older versions cannot read the output of current rustc; Debian 12 has 108.
const WASM_OPT_VERSION_MIN: u32 = 123;

/// The path of a recent enough wasm-opt; installs it if it is missing.
pub fn ensure_wasm_opt() -> Result<PathBuf> {
    let cache = node_tools()?;
    let own_bin = bin_of(&cache);
    let mut places = vec![own_bin.clone()];
    places.extend(paths::search_path());
    for folder in places {
        let program = folder.join("wasm-opt");
        match wasm_opt_version(&program) {
            Some(version) if version >= WASM_OPT_VERSION_MIN => {
                say_found(&format!("wasm-opt {version}"), &program);
                return Ok(program);
            }
            Some(version) => {
                println!(
                    "  found    wasm-opt {version} ({}), which is too old; it stays where it is",
                    program.display()
                );
            }
            None => {}
        }
    }
    say_installing(
        "wasm-opt",
        "shrinks the compiled page by a third; from the npm package binaryen, some 100 MB unpacked",
    );
    copy_lock_file(&cache)?;
    clean_install(&cache, "npm ci for wasm-opt")?;
    link_for_bare_trunk(&own_bin.join("wasm-opt"));
    Ok(own_bin.join("wasm-opt"))
}

/// The path of the esbuild in the lock file; installs it if it is missing. It needs node to run.
pub fn ensure_esbuild() -> Result<PathBuf> {
    let cache = node_tools()?;
    let program = bin_of(&cache).join("esbuild");
    if program.is_file() {
        debian::ensure_node()?;
        say_found("esbuild", &program);
        return Ok(program);
    }
    say_installing("esbuild", "shrinks the script and the style sheets of the page; from npm, some 10 MB");
    copy_lock_file(&cache)?;
    clean_install(&cache, "npm ci for esbuild")?;
    Ok(program)
}

/// The folder with the packages of `crates/xtask/tools/package-lock.json`.
fn node_tools() -> Result<PathBuf> {
    Ok(paths::tool_cache().context("this user has no cache folder")?.join("node-tools"))
}

fn bin_of(folder: &Path) -> PathBuf {
    folder.join("node_modules").join(".bin")
}

/// Installs the packages of the browser tests.
pub fn ensure_packages_of_browser_tests() -> Result<()> {
    ensure_packages_of("e2e", "the runner of the browser tests and what checks accessibility")
}

/// Installs the clients against which the model is tested.
pub fn ensure_packages_of_client_tests() -> Result<()> {
    debian::ensure_node()?;
    ensure_packages_of("clients/node", "ioredis and node-redis, clients against which the model is tested")
}

/// Installs the packages of this folder, which are sources of a bundle.
pub fn ensure_packages_of_bundle(folder: &str, what: &str) -> Result<()> {
    ensure_packages_of(folder, &format!("from which the {what} of the page is bundled"))
}

/// Installs the packages of a folder's lock file unless exactly that lock file has been installed already.
fn ensure_packages_of(name: &str, why: &str) -> Result<()> {
    let folder = paths::root().join(name);
    let lock =
        fs::read(folder.join("package-lock.json")).with_context(|| format!("cannot read {name}/package-lock.json"))?;
    let stamp = folder.join("node_modules").join(".installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        println!("  found    node packages of {name}/ (as in its lock file)");
        return Ok(());
    }
    say_installing(&format!("node packages of {name}/"), why);
    clean_install(&folder, &format!("npm ci for {name}/"))?;
    fs::write(&stamp, lock).with_context(|| format!("cannot note what was installed in {name}/node_modules"))
}

/// Number in `wasm-opt version 132 (version_132)`.
fn wasm_opt_version(program: &Path) -> Option<u32> {
    if !program.is_file() {
        return None;
    }
    let line = run::first_line(Command::new(program).arg("--version"))?;
    line.split_whitespace().find_map(|word| word.parse().ok())
}

fn copy_lock_file(cache: &Path) -> Result<()> {
    let tools = paths::root().join("crates/xtask/tools");
    fs::create_dir_all(cache).with_context(|| format!("cannot make the folder {}", cache.display()))?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(tools.join(name), cache.join(name))
            .with_context(|| format!("cannot copy {name} into {}", cache.display()))?;
    }
    Ok(())
}

fn clean_install(folder: &Path, label: &str) -> Result<()> {
    debian::ensure_node()?;
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run::step(label, &mut npm, Duration::from_secs(900))
        .context("npm could not install; is its registry reachable?")?;
    if !folder.join("node_modules").is_dir() {
        bail!("npm ci has left no node_modules in {}", folder.display());
    }
    Ok(())
}

/// Creates a link in cargo's bin folder, where a plain `trunk serve` finds the program; an existing file stays.
fn link_for_bare_trunk(program: &Path) {
    let Some(bin) = paths::tools_override().map(|folder| folder.join("bin")).or_else(paths::cargo_bin) else { return };
    let link = bin.join("wasm-opt");
    if link.is_file() {
        return;
    }
    let _ = fs::create_dir_all(&bin);
    // A dangling link is from an earlier installation whose cache was deleted.
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    if std::os::unix::fs::symlink(program, &link).is_ok() {
        println!("           linked as {}, so that a bare `trunk serve` finds it", link.display());
    }
    #[cfg(not(unix))]
    println!("           for a bare `trunk serve` put {} into PATH", program.display());
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_version_is_the_first_number() {
        let folder = std::env::temp_dir().join(format!("xtask-fake-wasm-opt-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("wasm-opt");
        fs::write(&program, "#!/bin/sh\necho 'wasm-opt version 108 (version_108)'\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(wasm_opt_version(&program), Some(108));
        assert_eq!(wasm_opt_version(&folder.join("absent")), None);
    }
}
