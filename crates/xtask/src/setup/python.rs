//! Python virtual environments, each with the packages of one `requirements.txt`.
use super::{debian, say_found, say_installing};
use crate::{paths, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Packages for one purpose.
pub struct Packages {
    /// Name of the environment's folder.
    pub folder: &'static str,
    /// The list, relative to the root of the project; it has a hash for every package.
    pub requirements: &'static str,
    /// A module that exists after the installation.
    pub module: &'static str,
    /// The purpose, for messages.
    pub why: &'static str,
}

/// The client under test.
pub const CLIENT_TESTS: Packages = Packages {
    folder: "clients-python",
    requirements: "clients/python/requirements.txt",
    module: "redis",
    why: "the Python client against which the model is tested; in an environment of its own",
};

/// The peer for benches of the model.
pub const FAKEREDIS: Packages = Packages {
    folder: "bench-fakeredis",
    requirements: "crates/xtask/benches/fakeredis/requirements.txt",
    module: "fakeredis",
    why: "beside which the model is measured; in an environment of its own",
};

/// The Python with the packages of the list; installs them if they are missing.
pub fn ensure(packages: &Packages) -> Result<PathBuf> {
    let Packages { folder, requirements, module, why } = packages;
    let list = paths::root().join(requirements);
    let wanted = fs::read(&list).with_context(|| format!("cannot read {requirements}"))?;
    let folder = paths::tool_cache().context("this user has no cache folder")?.join(folder);
    let (python, stamp) = (folder.join("bin").join("python"), folder.join("installed-requirements.txt"));
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) && works(&python, module) {
        say_found(&format!("Python's {module} (as in {requirements})"), &python);
        return Ok(python);
    }
    debian::ensure_python()?;
    say_installing(&format!("Python's {module}"), why);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).context("cannot clear the old Python environment")?;
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&folder);
    run::step("python3 -m venv", &mut venv, Duration::from_secs(300)).context("cannot make a Python environment")?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"]);
    run::step("pip install", pip.arg(&list), Duration::from_secs(600))
        .context("pip could not install; is its index reachable?")?;
    fs::write(&stamp, wanted).context("cannot note what was installed")?;
    Ok(python)
}

/// Does this Python start and have the module? An environment whose system Python was removed does not.
fn works(python: &Path, module: &str) -> bool {
    run::first_line(Command::new(python).args(["-c", &format!("import {module}; print(1)")])).is_some()
}
