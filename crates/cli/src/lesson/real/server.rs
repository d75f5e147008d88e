//! The real server under a lesson: started here or given, reset before each play, left as it was found.
use std::net::SocketAddr;
use std::time::Duration;

use conformance::target::{Connection, Parameters, ServerProcess, TargetError};
use resp::{Protocol, Value, cli};

/// Timeout of the checker's own commands.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Parameters that the world sets for every server: see `world::Settings`.
const WORLD: [(&str, &str); 2] = [("maxmemory", "67108864"), ("proto-max-bulk-len", "16777216")];

/// A real server, with a connection of the checker's own.
pub struct Server {
    /// `None`: someone else's, which cannot be replaced.
    process: Option<ServerProcess>,
    addr: SocketAddr,
    observer: Connection,
    /// The parameters as found.
    defaults: Parameters,
}

impl Server {
    /// Starts a redis-server on a free port, without persistence.
    ///
    /// # Errors
    /// If there is none, or it does not reply.
    pub fn start() -> Result<Server, TargetError> {
        let process = ServerProcess::start(&ServerProcess::program())?;
        let addr = process.addr;
        Server::open(addr, Some(process))
    }

    /// Connects to a server that runs already.
    ///
    /// # Errors
    /// If it does not reply, or holds any key: every play begins with `FLUSHALL`.
    pub fn at(addr: SocketAddr) -> Result<Server, TargetError> {
        let mut server = Server::open(addr, None)?;
        if !server.databases()?.is_empty() {
            let why = format!("{addr} holds keys, and playing lessons would delete them; name an empty server");
            return Err(TargetError::Refused(why));
        }
        Ok(server)
    }

    fn open(addr: SocketAddr, process: Option<ServerProcess>) -> Result<Server, TargetError> {
        let mut observer = Connection::open(addr)?;
        let defaults = observer.parameters()?;
        Ok(Server { process, addr, observer, defaults })
    }

    /// Was it started here?
    pub fn is_own(&self) -> bool {
        self.process.is_some()
    }

    /// Its version: `7.0.15`.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn version(&mut self) -> Result<String, TargetError> {
        let info = text(&self.ask(&["INFO", "server"])?);
        let line = info.lines().find_map(|line| line.strip_prefix("redis_version:"));
        Ok(line.unwrap_or_default().trim().to_owned())
    }

    /// Empties the server and sets it up as the world sets up its own.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn reset(&mut self) -> Result<(), TargetError> {
        self.clear()?;
        for (name, value) in WORLD {
            self.ask(&["CONFIG", "SET", name, value])?;
        }
        Ok(())
    }

    /// Empties the server and restores the parameters with which it was found.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn clear(&mut self) -> Result<(), TargetError> {
        self.observer = Connection::open(self.addr)?;
        self.observer.clear(&self.defaults)
    }

    /// The reply to a command of the checker.
    ///
    /// # Errors
    /// If there is none in time.
    pub fn ask(&mut self, argv: &[impl AsRef<[u8]>]) -> Result<Value, TargetError> {
        self.observer.ask(argv, TIMEOUT)
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn connect(&self) -> Result<Connection, TargetError> {
        Connection::open(self.addr)
    }

    /// Stops a running script.
    ///
    /// # Errors
    /// If it has written, so that it cannot be stopped.
    pub fn stop_script(&mut self) -> Result<(), TargetError> {
        self.observer = Connection::open(self.addr)?;
        match self.ask(&["SCRIPT", "KILL"])? {
            Value::Error(why) if !why.starts_with(b"NOTBUSY") => {
                Err(TargetError::Refused(String::from_utf8_lossy(&why).into_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The databases that hold keys.
    fn databases(&mut self) -> Result<Vec<String>, TargetError> {
        let keyspace = text(&self.ask(&["INFO", "keyspace"])?);
        let names = keyspace.lines().filter_map(|line| line.strip_prefix("db")?.split_once(':'));
        Ok(names.map(|(number, _)| number.to_owned()).collect())
    }

    /// Runs something for every key, in its database.
    fn each_key(
        &mut self,
        mut act: impl FnMut(&mut Server, &[u8]) -> Result<(), TargetError>,
    ) -> Result<(), TargetError> {
        for database in self.databases()? {
            self.ask(&["SELECT", &database])?;
            let Value::Array(keys) = self.ask(&["KEYS", "*"])? else { continue };
            for key in keys {
                if let Value::Bulk(key) = key {
                    act(self, &key)?;
                }
            }
        }
        self.ask(&["SELECT", "0"])?;
        Ok(())
    }

    /// Is any key a stream?
    ///
    /// # Errors
    /// If the server does not reply.
    pub fn has_stream(&mut self) -> Result<bool, TargetError> {
        let mut found = false;
        self.each_key(|server, key| {
            found |= server.ask(&[b"TYPE".as_slice(), key])? == Value::simple("stream");
            Ok(())
        })?;
        Ok(found)
    }

    /// Brings every deadline this much nearer, as if that time had passed. A key whose time is over has one more ms, so that it expires
    /// by itself and is not deleted by a command. Returns whether there is one.
    ///
    /// # Errors
    /// If the server does not reply.
    pub fn shift_deadlines(&mut self, by_ms: u64) -> Result<bool, TargetError> {
        let mut is_over = false;
        self.each_key(|server, key| {
            let Value::Integer(left_ms) = server.ask(&[b"PTTL".as_slice(), key])? else { return Ok(()) };
            let Ok(left_ms) = u64::try_from(left_ms) else { return Ok(()) };
            // In absolute time, so that no fraction of a ms is lost.
            if left_ms <= by_ms {
                is_over = true;
                server.ask(&[b"PEXPIRE".as_slice(), key, b"1"])?;
            } else if let Value::Integer(at_ms) = server.ask(&[b"PEXPIRETIME".as_slice(), key])? {
                let at_ms = at_ms.saturating_sub(i64::try_from(by_ms).unwrap_or(i64::MAX));
                server.ask(&[b"PEXPIREAT".as_slice(), key, at_ms.to_string().as_bytes()])?;
            }
            Ok(())
        })?;
        Ok(is_over)
    }

    /// The policy of eviction.
    ///
    /// # Errors
    /// If the server does not reply.
    pub fn policy(&mut self) -> Result<String, TargetError> {
        Ok(text(&self.ask(&["CONFIG", "GET", "maxmemory-policy"])?))
    }
}

/// A reply as text.
fn text(value: &Value) -> String {
    String::from_utf8_lossy(&cli::raw(value, Protocol::Resp2)).replace('\r', "")
}
