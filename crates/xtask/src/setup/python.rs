//! Python for the client tests: a virtual environment of its own, with the packages of `clients/python/requirements.txt`.
use super::{debian, say_found, say_installing};
use crate::{paths, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The Python that has the packages of the lock file, installing them where they are missing.
pub fn ensure_packages_of_client_tests() -> Result<PathBuf> {
    let requirements = paths::root().join("clients/python/requirements.txt");
    let wanted = fs::read(&requirements).context("cannot read clients/python/requirements.txt")?;
    let folder = paths::tool_cache().context("this user has no cache folder")?.join("clients-python");
    let (python, stamp) = (folder.join("bin").join("python"), folder.join("installed-requirements.txt"));
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) && works(&python) {
        say_found("redis-py (as in clients/python/requirements.txt)", &python);
        return Ok(python);
    }
    debian::ensure_python()?;
    say_installing("redis-py", "the Python client against which the model is tested; in an environment of its own");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).context("cannot clear the old Python environment")?;
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&folder);
    run::step("python3 -m venv", &mut venv, Duration::from_secs(300)).context("cannot make a Python environment")?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"]);
    run::step("pip install redis", pip.arg(&requirements), Duration::from_secs(600))
        .context("pip could not install; is its index reachable?")?;
    fs::write(&stamp, wanted).context("cannot note what was installed")?;
    Ok(python)
}

/// Does this Python start and know redis-py? One of an uninstalled system Python does not.
fn works(python: &Path) -> bool {
    run::first_line(Command::new(python).args(["-c", "import redis; print(redis.__version__)"])).is_some()
}
