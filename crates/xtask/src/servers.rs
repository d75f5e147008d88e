//! Servers on free loopback ports: `lockstep serve` and a real redis-server, stopped on drop.
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::ports;

/// Timeout for a server to open its port.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server.
pub struct Server {
    process: Child,
    /// Its name in messages.
    pub name: &'static str,
    /// Its port on 127.0.0.1.
    pub port: u16,
    /// Its temporary folder, deleted on drop.
    folder: Option<PathBuf>,
}

impl Server {
    /// The model behind TCP: `program` is the path of the compiled `crates/cli`.
    ///
    /// # Errors
    /// When it does not start.
    pub fn model(program: &Path) -> Result<Server> {
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let output = process.stdout.take().context("lockstep serve has no output")?;
        let mut server = Server { process, name: "model", port: 0, folder: None };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context("lockstep serve says nothing")?;
        // `… on 127.0.0.1:6380; …`
        let port = line.split(['.', ':', ';']).find_map(|word| word.parse().ok().filter(|port: &u16| *port > 1023));
        server.port = port.with_context(|| format!("lockstep serve has said no port: {line}"))?;
        Ok(server)
    }

    /// A redis-server without persistence.
    ///
    /// # Errors
    /// When it does not start.
    pub fn real() -> Result<Server> {
        let port = ports::free_port_from(21_000).context("no port is free")?;
        let folder = std::env::temp_dir().join(format!("lockstep-clients-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).context("cannot make a folder for redis-server")?;
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        command.args(["--enable-debug-command", "yes", "--dir"]).arg(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let process = command.spawn().context("cannot start redis-server")?;
        let server = Server { process, name: "redis-server", port, folder: Some(folder) };
        server.wait_until_open()?;
        Ok(server)
    }

    /// User and system time of the process, if the system reports it.
    pub fn processor_time(&self) -> Option<Duration> {
        let line = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The fields after the name, which may contain any text: state, parent …, user time as the 12th, system time as the 13th.
        let mut fields = line.rsplit_once(')')?.1.split_whitespace().skip(11);
        let ticks: u64 = fields.next()?.parse::<u64>().ok()?.checked_add(fields.next()?.parse().ok()?)?;
        // All common Linux systems have 100 ticks per second.
        Some(Duration::from_millis(ticks.saturating_mul(10)))
    }

    fn wait_until_open(&self) -> Result<()> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("{} does not open its port", self.name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
