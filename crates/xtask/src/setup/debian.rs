//! Programs from packages of the system: Chromium, Firefox, redis-server, node, Python. On Debian and its derivatives apt installs them; elsewhere a
//! sentence says what is missing.
use super::{chromium, firefox, say_found, say_installing};
use crate::{paths, run};
use anyhow::{Context, Result, bail};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The reference of all behaviour, as `major.minor`: the version that Debian 12 ships.
const REDIS_VERSION: &str = "7.0";

/// The oldest node that the runner of the browser tests supports; Debian 12 has it.
const NODE_MAJOR_MIN: u32 = 18;

/// Chromium, for the tests in a real browser.
pub fn ensure_chromium() -> Result<()> {
    if chromium().is_none() {
        install(&["chromium"], "the browser in which the page is tested; some 300 MB")?;
    }
    let program = chromium().context("Chromium is still not there; name its program in the variable CHROMIUM")?;
    say_found("Chromium", &program);
    Ok(())
}

/// The path of Firefox, for the tests in a second browser.
pub fn ensure_firefox() -> Result<PathBuf> {
    if firefox().is_none() {
        install(&["firefox-esr"], "the second browser in which the page is tested; some 250 MB")?;
    }
    let program = firefox().context("Firefox is still not there; name its program in the variable FIREFOX")?;
    say_found("Firefox", &program);
    Ok(program)
}

/// A redis-server of the version that is the reference.
pub fn ensure_redis() -> Result<()> {
    if find("redis-server").is_none() {
        install(&["redis-server"], "the original, beside which the model is tested")?;
    }
    let program = find("redis-server").context("redis-server is still not there")?;
    let line = run::first_line(Command::new(&program).arg("--version")).unwrap_or_default();
    let version = redis_version(&line).unwrap_or("of an unknown version");
    if !version.starts_with(&format!("{REDIS_VERSION}.")) {
        bail!(
            "redis-server is {version} ({}); replies are compared with {REDIS_VERSION}, as in Debian 12",
            program.display()
        );
    }
    say_found(&format!("redis-server {version}"), &program);
    Ok(())
}

/// A C++ compiler, for the engine of the fuzz targets.
pub fn ensure_cxx() -> Result<()> {
    let compiler = || std::env::var_os("CXX").map(Into::into).or_else(|| find("c++"));
    if compiler().is_none() {
        install(&["g++"], "compiles the engine of the fuzz targets")?;
    }
    say_found("C++ compiler", &compiler().context("c++ is still not there; name a compiler in the variable CXX")?);
    Ok(())
}

/// node and npm, for wasm-opt and the browser tests.
pub fn ensure_node() -> Result<()> {
    if find("node").is_none() || find("npm").is_none() {
        install(&["nodejs", "npm"], "runs wasm-opt and the browser tests")?;
    }
    let program = find("node").context("node is still not there")?;
    let line = run::first_line(Command::new(&program).arg("--version")).unwrap_or_default();
    if node_major(&line).is_none_or(|major| major < NODE_MAJOR_MIN) {
        bail!("node is {line} ({}); at least version {NODE_MAJOR_MIN} is needed", program.display());
    }
    say_found(&format!("node {line}"), &program);
    Ok(())
}

/// A Python with the `venv` module, which Debian has in a separate package.
pub fn ensure_python() -> Result<()> {
    let can_make = || run::first_line(Command::new("python3").args(["-c", "import venv, ensurepip; print(1)"]));
    if can_make().is_none() {
        install(&["python3-venv"], "runs the tests with redis-py")?;
    }
    can_make().map(|_| ()).context("python3 cannot make environments; its modules venv and ensurepip are missing")
}

/// The major version, such as 20 for `v20.20.2`.
fn node_major(line: &str) -> Option<u32> {
    line.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Programs of the system are searched in the real `PATH`, independent of the folder of our own tools.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    paths::find_program(name, &std::env::split_paths(&path).collect::<Vec<_>>())
}

/// The version, such as `7.0.15` for `Redis server v=7.0.15 sha=00000000:0 …`.
fn redis_version(line: &str) -> Option<&str> {
    line.split_whitespace().find_map(|word| word.strip_prefix("v="))
}

fn install(packages: &[&str], why: &str) -> Result<()> {
    let names = packages.join(" ");
    say_installing(&names, why);
    let by_hand = format!("{names} is missing; on Debian: apt-get install {names}");
    if find("apt-get").is_none() {
        bail!("{by_hand} (this system has no apt-get, so it was not tried)");
    }
    let Some(prefix) = become_root() else {
        bail!("{by_hand} (needs root, and sudo is not possible here)");
    };
    let apt = |args: &[&str]| {
        let mut words = prefix
            .iter()
            .copied()
            .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
            .chain(args.iter().copied());
        let mut command = Command::new(words.next().unwrap_or("env"));
        command.args(words);
        command
    };
    let limit = Duration::from_secs(1200);
    run::step("apt-get update", &mut apt(&["update"]), limit).with_context(|| by_hand.clone())?;
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    run::step(&format!("apt-get install {names}"), &mut apt(&words), limit).with_context(|| by_hand.clone())?;
    Ok(())
}

/// Prefix for a command that needs root; `None` if there is no way to become root.
fn become_root() -> Option<&'static [&'static str]> {
    let user = run::first_line(Command::new("id").arg("-u"))?;
    if user == "0" {
        return Some(&[]);
    }
    let sudo = find("sudo")?;
    if std::io::stdin().is_terminal() && allowed_to_ask(&sudo) {
        return Some(&["sudo"]);
    }
    run::first_line(Command::new(&sudo).args(["-n", "echo", "yes"])).map(|_| &["sudo", "-n"][..])
}

/// Asks for the password now, in the foreground, because the program's input is closed later.
fn allowed_to_ask(sudo: &Path) -> bool {
    Command::new(sudo).arg("--validate").status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_redis_is_read() {
        assert_eq!(redis_version("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64"), Some("7.0.15"));
        assert_eq!(redis_version("command not found"), None);
    }

    #[test]
    fn the_version_of_node_is_read() {
        assert_eq!(node_major("v20.20.2"), Some(20));
        assert_eq!(node_major(""), None);
    }
}
