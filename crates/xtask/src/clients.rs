//! The layer `clients`: real Redis clients against the model behind TCP and against a real server.
//!
//! The same tests run on both: a failure on the real server is a bug in the test, a failure only on the model is a bug in the model.
use crate::layers::{passed_tests, tests};
use crate::servers::Server;
use crate::{paths, setup};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A set of tests with one client library.
pub struct Suite {
    /// The client.
    pub name: &'static str,
    /// The command that runs it.
    pub command: Command,
    /// Parses the number of passed tests from its output.
    pub passed: fn(&str) -> usize,
}

/// The environment variable with the port of the server under test.
pub const PORT: &str = "LOCKSTEP_CLIENTS_PORT";

/// The tools that the suites need.
pub struct Needs {
    python: PathBuf,
}

/// Installs what is missing.
///
/// # Errors
/// Which tool could not be installed, and why.
pub fn prepare() -> Result<Needs> {
    setup::for_real_redis()?;
    Ok(Needs { python: setup::for_client_tests()? })
}

/// The suites, each to be run against the server on `port`.
pub fn suites(needs: &Needs, port: u16) -> Vec<Suite> {
    let (python_folder, node_folder) = (paths::root().join("clients/python"), paths::root().join("clients/node"));
    let mut python = Command::new(&needs.python);
    python.args(["-m", "unittest", "discover", "--pattern", "test_*.py"]).current_dir(python_folder);
    // No compiled files beside the sources.
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap", "ioredis.test.mjs", "node-redis.test.mjs"]).current_dir(node_folder);
    let mut rust = tests(Some("clients"));
    rust.args(["--", "--include-ignored", "--test-threads", "1"]);
    let mut suites = vec![
        Suite { name: "redis-cli, redis-benchmark and the redis crate", command: rust, passed: passed_tests },
        Suite { name: "redis-py", command: python, passed: passed_by_unittest },
        Suite { name: "ioredis and node-redis", command: node, passed: passed_by_node },
    ];
    for suite in &mut suites {
        suite.command.env(PORT, port.to_string());
    }
    suites
}

/// The servers under test: the real one first, which proves the tests, then the model as `lockstep`, the command line tool, serves it.
///
/// # Errors
/// When one of them does not start.
pub fn servers(lockstep: &Path) -> Result<[Server; 2]> {
    Ok([Server::real().context("redis-server")?, Server::model(lockstep)?])
}

/// `Ran 40 tests in 3.2s` above `OK`
fn passed_by_unittest(text: &str) -> usize {
    let ran = text.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next());
    ran.and_then(|count| count.parse().ok()).filter(|_| text.lines().any(|line| line.starts_with("OK"))).unwrap_or(0)
}

/// `# pass 24`
fn passed_by_node(text: &str) -> usize {
    text.lines().find_map(|line| line.strip_prefix("# pass ")?.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted_and_failures_are_not() {
        assert_eq!(passed_by_unittest("....\nRan 4 tests in 0.1s\n\nOK\n"), 4);
        assert_eq!(passed_by_unittest("..F.\nRan 4 tests in 0.1s\n\nFAILED (failures=1)\n"), 0);
        assert_eq!(passed_by_node("# tests 24\n# suites 2\n# pass 24\n# fail 0\n"), 24);
        assert_eq!(passed_by_node("node: cannot find module\n"), 0);
    }
}
