//! Paths: the root of the project, cargo's own folder, the folder of this user's tools.
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder that holds the workspace's `Cargo.toml`.
pub fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.ancestors().nth(2).map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The cargo that started this program, so that a `+toolchain` on the command line also applies to programs it starts.
pub fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// The folder of build output: `target/`, unless cargo is configured otherwise.
pub fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target")))
}

/// Logs of the last test run, one file per layer.
pub fn logs() -> PathBuf {
    target().join("xtask-logs")
}

/// The folder in `LOCKSTEP_TOOLS`: if set, tools are searched and installed only there.
pub fn tools_override() -> Option<PathBuf> {
    env::var_os("LOCKSTEP_TOOLS").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// The folder for cargo's downloads and installed programs.
pub fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Cargo's own `bin` folder, where `cargo install` puts programs.
pub fn cargo_bin() -> Option<PathBuf> {
    cargo_home().map(|home| home.join("bin"))
}

/// This user's cache folder for tools without another place. It survives `cargo clean`.
pub fn tool_cache() -> Option<PathBuf> {
    if let Some(folder) = tools_override() {
        return Some(folder.join("cache"));
    }
    let cache =
        env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cache")))?;
    Some(cache.join("lockstep"))
}

/// Folders in which programs are searched, in order.
pub fn search_path() -> Vec<PathBuf> {
    if let Some(folder) = tools_override() {
        return vec![folder.join("bin")];
    }
    let mut folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    folders.extend(cargo_bin());
    folders
}

/// The first program of this name in the given folders.
pub fn find_program(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}
