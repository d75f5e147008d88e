//! A real server as a target, over TCP.
//!
//! The output of a script is deterministic although the server is another process: an *observer* connection asks `CLIENT LIST` whether a
//! silent client is blocked, and sends a `PING` after each command. Redis has one event loop: all messages that a command causes are
//! written before the loop reads the observer's `PING`, so when the `PING` is answered everything has arrived.
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use resp::{Protocol, Value, decode::ReplyDecoder, encode::encode_command};

use super::process::ServerProcess;
use super::{Event, Identity, Target, TargetError, What};

/// After this long without a reply, the observer is asked whether the client is blocked.
const GRACE: Duration = Duration::from_millis(3);
/// Timeout of the observer's own commands on a busy machine.
const OBSERVER_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of the observer after a `CLIENT PAUSE`, which pauses the observer too.
const PAUSED_OBSERVER_TIMEOUT: Duration = Duration::from_millis(100);
/// A command that is neither answered nor blocked after this time counts as having no reply.
const SILENT_AFTER: Duration = Duration::from_millis(60);
/// Timeout of any command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a killed script may take to stop.
const END_OF_SCRIPT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the caller of a killed script may wait for its reply.
const KILLED_CALLER_TIMEOUT: Duration = Duration::from_secs(5);
/// Added to each `@+…`, because a server's timers fire late.
const SLEEP_SLACK: Duration = Duration::from_millis(5);

/// Parameters of a server by name, as `CONFIG GET *` replies them.
pub type Parameters = BTreeMap<Vec<u8>, Vec<u8>>;

/// One connection to a server.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    decoder: ReplyDecoder,
    /// The current read timeout; `None` before the first read.
    mode: Option<Mode>,
    /// The server has closed it.
    pub is_closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Do not wait.
    Poll,
    /// Wait at most this long.
    Wait(Duration),
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// If no server listens there.
    pub fn open(addr: SocketAddr) -> Result<Connection, TargetError> {
        let stream = TcpStream::connect_timeout(&addr, Duration::from_secs(5))?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(COMMAND_TIMEOUT))?;
        Ok(Connection { stream, decoder: ReplyDecoder::default(), mode: None, is_closed: false })
    }

    /// Writes raw bytes.
    ///
    /// # Errors
    /// If the server does not accept them.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), TargetError> {
        self.set_mode(Mode::Wait(COMMAND_TIMEOUT))?;
        match self.stream.write_all(bytes) {
            Ok(()) => Ok(()),
            Err(error) if is_end(error.kind()) => {
                self.is_closed = true;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Sends a command.
    ///
    /// # Errors
    /// If the server does not accept it.
    pub fn send(&mut self, argv: &[impl AsRef<[u8]>]) -> Result<(), TargetError> {
        let mut bytes = Vec::new();
        encode_command(argv, &mut bytes);
        self.write(&bytes)
    }

    /// The next message, waiting at most this long; `None` on timeout or a closed connection.
    ///
    /// # Errors
    /// If the server sends invalid RESP.
    pub fn next(&mut self, timeout: Duration) -> Result<Option<Value>, TargetError> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(value) = self.decoder.next_reply()? {
                return Ok(Some(value));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if self.is_closed || left.is_zero() {
                return Ok(None);
            }
            self.read_some(Mode::Wait(left))?;
        }
    }

    /// Everything that has arrived, without waiting.
    ///
    /// # Errors
    /// If the server sends invalid RESP.
    pub fn drain(&mut self) -> Result<Vec<Value>, TargetError> {
        let mut messages = Vec::new();
        loop {
            while let Some(value) = self.decoder.next_reply()? {
                messages.push(value);
            }
            if self.is_closed || !self.read_some(Mode::Poll)? {
                return Ok(messages);
            }
        }
    }

    /// Sends a command and waits for its reply. For connections that receive nothing else.
    ///
    /// # Errors
    /// [`TargetError::Timeout`] if there is no reply in time.
    pub fn ask(&mut self, argv: &[impl AsRef<[u8]>], timeout: Duration) -> Result<Value, TargetError> {
        self.send(argv)?;
        self.next(timeout)?.ok_or_else(|| TargetError::Timeout("a reply to the observer".to_owned()))
    }

    /// The local address of the connection.
    ///
    /// # Errors
    /// If the socket is closed.
    pub fn local_addr(&self) -> Result<SocketAddr, TargetError> {
        Ok(self.stream.local_addr()?)
    }

    /// Reads available bytes into the decoder; false if there were none.
    fn read_some(&mut self, mode: Mode) -> Result<bool, TargetError> {
        self.set_mode(mode)?;
        let mut chunk = [0_u8; 64 * 1024];
        match self.stream.read(&mut chunk) {
            Ok(0) => {
                self.is_closed = true;
                Ok(false)
            }
            Ok(length) => {
                self.decoder.feed(chunk.get(..length).unwrap_or_default());
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(error) if is_end(error.kind()) => {
                self.is_closed = true;
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn set_mode(&mut self, mode: Mode) -> Result<(), TargetError> {
        if self.mode == Some(mode) {
            return Ok(());
        }
        match mode {
            Mode::Poll => self.stream.set_nonblocking(true)?,
            Mode::Wait(timeout) => {
                if self.mode.is_none_or(|mode| mode == Mode::Poll) {
                    self.stream.set_nonblocking(false)?;
                }
                self.stream.set_read_timeout(Some(timeout.max(Duration::from_micros(100))))?;
            }
        }
        self.mode = Some(mode);
        Ok(())
    }

    /// The server's parameters.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn parameters(&mut self) -> Result<Parameters, TargetError> {
        let Value::Array(items) = self.ask(&["CONFIG", "GET", "*"], COMMAND_TIMEOUT)? else {
            return Err(TargetError::Refused("CONFIG GET".to_owned()));
        };
        let pairs = items.chunks_exact(2).filter_map(|pair| match pair {
            [Value::Bulk(name), Value::Bulk(value)] => Some((name.to_vec(), value.to_vec())),
            _ => None,
        });
        Ok(pairs.collect())
    }

    /// Empties the server, and restores the parameters that it had.
    ///
    /// # Errors
    /// If it does not reply, or refuses.
    pub fn clear(&mut self, parameters: &Parameters) -> Result<(), TargetError> {
        for argv in [
            &["CLIENT", "UNPAUSE"][..],
            &["FLUSHALL"],
            &["SCRIPT", "FLUSH"],
            &["FUNCTION", "FLUSH"],
            &["CONFIG", "RESETSTAT"],
            &["SLOWLOG", "RESET"],
        ] {
            if let Value::Error(why) = self.ask(argv, COMMAND_TIMEOUT)? {
                return Err(TargetError::Refused(String::from_utf8_lossy(&why).into_owned()));
            }
        }
        let current = self.parameters()?;
        for (name, value) in parameters.iter().filter(|(name, value)| current.get(*name) != Some(*value)) {
            // Parameters that cannot be set cannot have been changed either.
            self.ask(&[b"CONFIG".as_slice(), b"SET", name, value], COMMAND_TIMEOUT)?;
        }
        Ok(())
    }
}

fn is_end(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted)
}

/// A named client.
#[derive(Debug)]
struct Client {
    connection: Connection,
    id: u64,
}

/// A real server with named clients.
#[derive(Debug)]
pub struct RealTarget {
    process: ServerProcess,
    observer: Connection,
    observer_addr: String,
    clients: BTreeMap<String, Client>,
    /// A client has called `CLIENT PAUSE`.
    may_be_paused: bool,
    /// `CONFIG GET *` right after the start, used to restore parameters.
    defaults: Parameters,
}

impl RealTarget {
    /// Starts a server.
    ///
    /// # Errors
    /// If there is no redis-server, or it does not reply.
    pub fn start() -> Result<RealTarget, TargetError> {
        RealTarget::start_program(&ServerProcess::program())
    }

    /// Starts this program, which takes the arguments of redis-server.
    ///
    /// # Errors
    /// If there is no such program, or it does not reply.
    pub fn start_program(program: &Path) -> Result<RealTarget, TargetError> {
        let process = ServerProcess::start(program)?;
        let (mut observer, observer_addr) = open_observer(process.addr)?;
        let defaults = observer.parameters()?;
        let clients = BTreeMap::new();
        Ok(RealTarget { process, observer, observer_addr, clients, may_be_paused: false, defaults })
    }

    /// The version that the server reports, such as `7.0.15`.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn version(&mut self) -> Result<String, TargetError> {
        let reply = self.observer.ask(&["INFO", "server"], COMMAND_TIMEOUT)?;
        let (Value::Bulk(text) | Value::Verbatim(_, text)) = reply else { return Ok(String::new()) };
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("redis_version:"));
        Ok(line.unwrap_or_default().trim().to_owned())
    }

    /// `ip:port` of the observer's connection, which scripts do not know.
    pub fn observer_addr(&self) -> &str {
        &self.observer_addr
    }

    /// Number of expired keys since the statistics were reset, found by a command or by the cycle.
    ///
    /// # Errors
    /// If it does not reply.
    pub fn expired_keys(&mut self) -> Result<u64, TargetError> {
        let reply = self.observer.ask(&["INFO", "stats"], COMMAND_TIMEOUT)?;
        let (Value::Bulk(text) | Value::Verbatim(_, text)) = reply else { return Ok(0) };
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("expired_keys:"));
        Ok(line.and_then(|number| number.trim().parse().ok()).unwrap_or(0))
    }

    /// The connection of a client.
    ///
    /// # Errors
    /// [`TargetError::NoClient`]
    pub fn connection(&mut self, client: &str) -> Result<&mut Connection, TargetError> {
        match self.clients.get_mut(client) {
            Some(client) => Ok(&mut client.connection),
            None => Err(TargetError::NoClient(client.to_owned())),
        }
    }

    /// Waits until all sent commands have run and all their output has arrived. False if the server is paused, so that this is unknown.
    ///
    /// # Errors
    /// If the server has ended.
    pub fn barrier(&mut self) -> Result<bool, TargetError> {
        Ok(self.observe(&["PING"])?.is_some())
    }

    /// Collects all received messages: the sender first, then the others by name.
    ///
    /// # Errors
    /// If the server sends invalid RESP.
    pub fn collect(&mut self, sender: Option<&str>) -> Result<Vec<Event>, TargetError> {
        let mut events = Vec::new();
        let names: Vec<String> = self.clients.keys().cloned().collect();
        let first = names.iter().filter(|name| Some(name.as_str()) == sender);
        let rest = names.iter().filter(|name| Some(name.as_str()) != sender);
        for name in first.chain(rest) {
            let Some(client) = self.clients.get_mut(name) else { continue };
            for value in client.connection.drain()? {
                if !is_of_observer(&value, &self.observer_addr) {
                    events.push(Event { client: name.clone(), what: What::Message(value) });
                }
            }
            if client.connection.is_closed {
                events.push(Event { client: name.clone(), what: What::Closed });
                self.clients.remove(name);
            }
        }
        Ok(events)
    }

    /// Is this client blocked in a command? `None` if the server is paused and does not reply.
    ///
    /// # Errors
    /// If the server has ended.
    pub fn is_blocked(&mut self, client: &str) -> Result<Option<bool>, TargetError> {
        let Some(id) = self.clients.get(client).map(|client| client.id) else { return Ok(Some(false)) };
        let id = id.to_string();
        let Some(reply) = self.observe(&["CLIENT", "LIST", "ID", &id])? else { return Ok(None) };
        // A client without a reply while a script runs waits for its end, or is its caller.
        if is_busy(&reply) {
            return Ok(Some(true));
        }
        let (Value::Bulk(text) | Value::Verbatim(_, text)) = reply else { return Ok(Some(false)) };
        let text = String::from_utf8_lossy(&text).into_owned();
        let flags = text.split(' ').find_map(|field| field.strip_prefix("flags="));
        Ok(Some(flags.is_some_and(|flags| flags.contains('b'))))
    }

    /// Sends a command over the observer's connection; `None` if there is no reply because the server is paused. The late reply is
    /// discarded with the connection.
    fn observe(&mut self, argv: &[&str]) -> Result<Option<Value>, TargetError> {
        self.observer.send(argv)?;
        let timeout = if self.may_be_paused { PAUSED_OBSERVER_TIMEOUT } else { OBSERVER_TIMEOUT };
        let reply = self.observer.next(timeout)?;
        if reply.is_none() {
            (self.observer, self.observer_addr) = open_observer(self.process.addr)?;
        }
        Ok(reply)
    }

    /// Waits for the first reply of the sender. Returns the event, if it is not a message.
    fn await_reply(&mut self, sender: &str) -> Result<(Vec<Event>, Option<What>), TargetError> {
        let sent = Instant::now();
        loop {
            let connection = self.connection(sender)?;
            if let Some(value) = connection.next(GRACE)? {
                return Ok((vec![Event { client: sender.to_owned(), what: What::Message(value) }], None));
            }
            if connection.is_closed {
                return Ok((Vec::new(), None));
            }
            match self.is_blocked(sender)? {
                Some(true) => return Ok((Vec::new(), Some(What::Blocked))),
                Some(false) if sent.elapsed() > SILENT_AFTER => return Ok((Vec::new(), Some(What::Silent))),
                None if sent.elapsed() > SILENT_AFTER => return Ok((Vec::new(), Some(What::Blocked))),
                _ if sent.elapsed() > COMMAND_TIMEOUT => return Err(TargetError::Timeout(sender.to_owned())),
                _ => {}
            }
        }
    }

    fn restart(&mut self) -> Result<(), TargetError> {
        *self = RealTarget::start_program(&self.process.program)?;
        Ok(())
    }

    /// Kills a script that a client has left running. A script that has written cannot be killed; then the server is replaced.
    fn end_scripts(&mut self) -> Result<(), TargetError> {
        if !is_busy(&self.observer.ask(&["PING"], COMMAND_TIMEOUT)?) {
            return Ok(());
        }
        for argv in [&["SCRIPT", "KILL"], &["FUNCTION", "KILL"]] {
            self.observer.ask(argv, COMMAND_TIMEOUT)?;
        }
        self.await_end_of_script()?;
        if is_busy(&self.observer.ask(&["PING"], COMMAND_TIMEOUT)?) {
            return Err(TargetError::Timeout("the end of a script".to_owned()));
        }
        Ok(())
    }

    /// Waits for a killed script to stop.
    fn await_end_of_script(&mut self) -> Result<(), TargetError> {
        let killed = Instant::now();
        while killed.elapsed() < END_OF_SCRIPT_TIMEOUT && self.observe(&["PING"])?.is_some_and(|reply| is_busy(&reply))
        {
            std::thread::sleep(GRACE);
        }
        Ok(())
    }

    fn try_reset(&mut self, parameters: &[(String, String)]) -> Result<(), TargetError> {
        (self.observer, self.observer_addr) = open_observer(self.process.addr)?;
        self.end_scripts()?;
        self.observer.clear(&self.defaults)?;
        for (name, value) in parameters {
            let reply = self.observer.ask(&["CONFIG", "SET", name, value], COMMAND_TIMEOUT)?;
            if let Value::Error(text) = reply {
                return Err(TargetError::Refused(String::from_utf8_lossy(&text).into_owned()));
            }
        }
        Ok(())
    }
}

impl Target for RealTarget {
    fn reset(&mut self, config: &[(String, String)]) -> Result<(), TargetError> {
        self.clients.clear();
        self.may_be_paused = false;
        if !self.process.is_running() {
            self.restart()?;
        }
        match self.try_reset(config) {
            Err(TargetError::Io(_) | TargetError::Timeout(_)) => {
                self.restart()?;
                self.try_reset(config)
            }
            other => other,
        }
    }

    fn connect(&mut self, client: &str, protocol: Protocol) -> Result<Identity, TargetError> {
        let mut connection = Connection::open(self.process.addr)?;
        let addr = connection.local_addr()?.to_string();
        let Value::Integer(id) = connection.ask(&["CLIENT", "ID"], COMMAND_TIMEOUT)? else {
            return Err(TargetError::Refused("CLIENT ID".to_owned()));
        };
        if protocol == Protocol::Resp3 {
            connection.ask(&["HELLO", "3"], COMMAND_TIMEOUT)?;
        }
        let id = u64::try_from(id).unwrap_or(0);
        self.clients.insert(client.to_owned(), Client { connection, id });
        Ok(Identity { id, addr })
    }

    fn disconnect(&mut self, client: &str) -> Result<Vec<Event>, TargetError> {
        self.clients.remove(client).ok_or_else(|| TargetError::NoClient(client.to_owned()))?;
        // The server notices it in its next loop iteration.
        self.barrier()?;
        self.barrier()?;
        self.collect(None)
    }

    fn send(&mut self, client: &str, argv: &[Bytes]) -> Result<Vec<Event>, TargetError> {
        let is_word = |nth: usize, name: &[u8]| argv.get(nth).is_some_and(|word| word.eq_ignore_ascii_case(name));
        self.may_be_paused |= is_word(0, b"client") && is_word(1, b"pause");
        self.connection(client)?.send(argv)?;
        let kills = is_word(1, b"kill") && (is_word(0, b"script") || is_word(0, b"function"));
        let (mut events, silence) = if kills {
            // Never blocks; but on a busy machine the observer may get BUSY before this is answered.
            let reply = self.connection(client)?.next(COMMAND_TIMEOUT)?.map(What::Message);
            (reply.map(|what| Event { client: client.to_owned(), what }).into_iter().collect(), None)
        } else {
            self.await_reply(client)?
        };
        let is_ok = matches!(events.as_slice(), [Event { what: What::Message(value), .. }] if *value == Value::OK);
        let is_kill = kills && is_ok;
        if is_kill {
            self.await_end_of_script()?;
        }
        self.barrier()?;
        let mut more = self.collect(Some(client))?;
        // The caller of the script gets its reply, sometimes a moment after the other clients are served again.
        let killed = Instant::now();
        while is_kill && more.is_empty() && killed.elapsed() < KILLED_CALLER_TIMEOUT {
            std::thread::sleep(GRACE);
            more = self.collect(Some(client))?;
        }
        if let Some(what) = silence
            && !more.iter().any(|event| event.client == client)
        {
            events.push(Event { client: client.to_owned(), what });
        }
        events.extend(more);
        Ok(events)
    }

    fn advance(&mut self, by_ms: u64) -> Result<Vec<Event>, TargetError> {
        std::thread::sleep(Duration::from_millis(by_ms) + SLEEP_SLACK);
        self.barrier()?;
        self.collect(None)
    }

    fn now_ms(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
    }
}

/// Does the server report that a script is running?
fn is_busy(reply: &Value) -> bool {
    matches!(reply, Value::Error(text) if text.starts_with(b"BUSY "))
}

fn open_observer(addr: SocketAddr) -> Result<(Connection, String), TargetError> {
    let observer = Connection::open(addr)?;
    let local = observer.local_addr()?.to_string();
    Ok((observer, local))
}

/// Is this a monitor line about the observer itself? Scripts do not see those.
fn is_of_observer(value: &Value, observer_addr: &str) -> bool {
    let Value::Simple(line) = value else { return false };
    let line = String::from_utf8_lossy(line).into_owned();
    line.contains(&format!(" {observer_addr}] "))
}
