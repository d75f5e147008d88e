//! A real redis-server, started on a free loopback port and stopped on drop.
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::TargetError;
use super::real::Connection;

/// Timeout of the first `PING`.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of ports that are tried.
const ATTEMPTS: u32 = 5;

/// Counter for the directories of the servers of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A running redis-server.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    directory: PathBuf,
    /// The child process.
    pub program: PathBuf,
    /// The address of the server.
    pub addr: SocketAddr,
}

impl ServerProcess {
    /// The program in the variable `REDIS_SERVER`, or `redis-server` from `PATH`.
    pub fn program() -> PathBuf {
        std::env::var_os("REDIS_SERVER").unwrap_or_else(|| "redis-server".into()).into()
    }

    /// Starts a redis-server without persistence and with `DEBUG` allowed.
    ///
    /// # Errors
    /// If it is not installed, or does not reply in time.
    pub fn start(program: &Path) -> Result<ServerProcess, TargetError> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("lockstep-redis-{}-{number}", std::process::id()));
        // A port that was free a moment ago may be taken by now; then try the next one.
        let mut last = TargetError::Timeout("redis-server".to_owned());
        for _ in 0..ATTEMPTS {
            // Again for each attempt: a server that did not start has removed it.
            std::fs::create_dir_all(&directory)?;
            let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
            let child = Command::new(program)
                .args(["--bind", "127.0.0.1", "--port", &addr.port().to_string()])
                .args(["--save", "", "--appendonly", "no", "--enable-debug-command", "yes"])
                // SORT … ALPHA compares by the locale.
                .env("LC_ALL", "C")
                .args(["--loglevel", "warning", "--dir"])
                .arg(&directory)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| TargetError::Refused(format!("cannot start {}: {error}", program.display())))?;
            let program = program.to_owned();
            let mut server = ServerProcess { child, directory: directory.clone(), program, addr };
            match server.wait_until_ready() {
                Ok(()) => return Ok(server),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Is the process still running?
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    fn wait_until_ready(&mut self) -> Result<(), TargetError> {
        let started = Instant::now();
        while started.elapsed() < START_TIMEOUT && self.is_running() {
            if let Ok(mut connection) = Connection::open(self.addr)
                && connection.ask(&["PING"], Duration::from_millis(500)).is_ok()
            {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(TargetError::Timeout("redis-server does not start".to_owned()))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // A failure here cannot be handled, and the process group ends with this process anyway.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn free_port() -> Result<u16, TargetError> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
