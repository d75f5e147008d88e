//! Starts a `lockstep serve` and connects plain sockets to it: tests compare the bytes on the wire.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly; and no test program uses all of this.
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Timeout of a reply on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time without data that counts as silence.
const SILENCE: Duration = Duration::from_millis(60);

/// A running server.
pub struct Served {
    process: Child,
    output: BufReader<ChildStdout>,
    addr: String,
}

impl Served {
    /// Starts the server on a free port with these options.
    pub fn start(options: &[&str]) -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_lockstep"))
            .args(["serve", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let addr = line.split_whitespace().find_map(|word| word.strip_suffix(';')).expect(&line).to_owned();
        Served { process, output, addr }
    }

    /// The address of the server.
    pub fn port(&self) -> u16 {
        self.addr.rsplit(':').next().and_then(|port| port.parse().ok()).expect(&self.addr)
    }

    /// A new connection.
    pub fn connect(&self) -> Peer {
        let stream = TcpStream::connect(&self.addr).unwrap();
        stream.set_nodelay(true).unwrap();
        Peer { stream, seen: Vec::new() }
    }

    /// Sends the process a signal and waits for its end; returns its output.
    pub fn stop_by(self, signal: &str) -> String {
        assert!(Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap().success());
        self.wait()
    }

    /// Waits for the process to end with success; returns its output.
    pub fn wait(mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).unwrap();
        assert!(self.process.wait().unwrap().success(), "{text}");
        text
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client that sends and receives bytes.
pub struct Peer {
    stream: TcpStream,
    /// Received bytes that no test has read yet.
    seen: Vec<u8>,
}

impl Peer {
    /// Sends.
    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Sends to a server that may disconnect meanwhile.
    pub fn send_if_it_takes_it(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// Receives exactly these bytes.
    pub fn expect(&mut self, bytes: &[u8]) {
        let found = self.take(bytes.len());
        assert_eq!(found.escape_ascii().to_string(), bytes.escape_ascii().to_string());
    }

    /// Receives bytes that start with this, and discards the rest of the received bytes.
    pub fn expect_start(&mut self, bytes: &[u8]) {
        self.expect(bytes);
        self.expect_silence_after_more();
    }

    fn expect_silence_after_more(&mut self) {
        while self.receive(SILENCE) {}
        self.seen.clear();
    }

    /// Receives nothing for a while.
    pub fn expect_silence(&mut self) {
        assert!(!self.receive(SILENCE) && self.seen.is_empty(), "{}", self.seen.escape_ascii());
    }

    /// The server disconnects without sending more.
    pub fn expect_end(&mut self) {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
            match self.stream.read(&mut [0; 64]) {
                Ok(0) => return,
                Ok(_) => panic!("the server says more than was expected"),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}"),
            }
        }
        panic!("the server does not hang up");
    }

    /// Receives up to the next line end.
    pub fn line(&mut self) -> String {
        let started = Instant::now();
        loop {
            if let Some(end) = self.seen.iter().position(|byte| *byte == b'\n') {
                return String::from_utf8(self.take(end + 1)).unwrap();
            }
            assert!(started.elapsed() < PATIENCE, "no line came");
            self.receive(SILENCE);
        }
    }

    /// Receives `:12`.
    pub fn number(&mut self) -> u64 {
        let line = self.line();
        line.trim_end().strip_prefix(':').and_then(|digits| digits.parse().ok()).expect(&line)
    }

    /// Sends a command with an integer reply, such as `:12`.
    pub fn ask_number(&mut self, line: &str) -> u64 {
        self.send(format!("{line}\r\n").as_bytes());
        self.number()
    }

    /// Sends a command with a bulk string reply.
    pub fn ask_text(&mut self, line: &str) -> String {
        self.send(format!("{line}\r\n").as_bytes());
        let head = self.line();
        let length: usize = head.trim_end().trim_start_matches('$').parse().expect(&head);
        let text = self.take(length + 2);
        String::from_utf8(text).unwrap()
    }

    /// Repeats a command until its bulk string reply is as wanted.
    pub fn until(&mut self, line: &str, is_wanted: impl Fn(&str) -> bool) {
        let started = Instant::now();
        loop {
            let text = self.ask_text(line);
            if is_wanted(&text) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Everything received until a period of silence, at least one byte; as text.
    pub fn everything(&mut self) -> String {
        let started = Instant::now();
        while self.seen.is_empty() {
            assert!(started.elapsed() < PATIENCE, "nothing came");
            self.receive(SILENCE);
        }
        while self.receive(SILENCE * 4) {}
        self.seen.drain(..).as_slice().escape_ascii().to_string()
    }

    /// Everything received until the server disconnects; as text.
    pub fn everything_until_the_end(&mut self) -> String {
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
        self.stream.read_to_end(&mut self.seen).unwrap();
        self.seen.drain(..).as_slice().escape_ascii().to_string()
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let started = Instant::now();
        while self.seen.len() < count {
            assert!(started.elapsed() < PATIENCE, "only this came: {}", self.seen.escape_ascii());
            self.receive(SILENCE);
        }
        self.seen.drain(..count).collect()
    }

    /// Waits for more bytes; false if none came.
    fn receive(&mut self, wait: Duration) -> bool {
        self.stream.set_read_timeout(Some(wait)).unwrap();
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer) {
            Ok(0) => panic!("the server hung up after: {}", self.seen.escape_ascii()),
            Ok(count) => self.seen.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return false,
            Err(error) => panic!("{error}"),
        }
        true
    }
}
