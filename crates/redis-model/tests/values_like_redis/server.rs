//! Starts a redis-server for a test on a free loopback port, with a client that pipelines.
use redis_model::rng::Rng;
use resp::Value;
use resp::decode::ReplyDecoder;
use resp::encode::encode_command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

pub struct Server {
    process: Child,
    stream: TcpStream,
    decoder: ReplyDecoder,
}

impl Server {
    pub fn start() -> Self {
        // A port that was free a moment ago may be taken by now; then try another one.
        (0..5).find_map(|_| Self::try_start()).expect("a redis-server that starts")
    }

    fn try_start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""])
            .args(["--enable-debug-command", "yes", "--rdbcompression", "no"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("redis-server on the path");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        if !lines.any(|line| line.unwrap().contains("Ready to accept connections")) {
            process.wait().unwrap();
            return None;
        }
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        Some(Self { process, stream, decoder: ReplyDecoder::default() })
    }

    /// Sends all commands at once and reads all replies.
    pub fn ask_all(&mut self, commands: &[Vec<Vec<u8>>]) -> Vec<Value> {
        let mut out = Vec::new();
        for argv in commands {
            encode_command(argv, &mut out);
        }
        self.stream.write_all(&out).unwrap();
        let mut replies = Vec::new();
        let mut buffer = [0; 65_536];
        while replies.len() < commands.len() {
            if let Some(reply) = self.decoder.next_reply().unwrap() {
                replies.push(reply);
            } else {
                let count = self.stream.read(&mut buffer).unwrap();
                assert!(count > 0, "the server hung up");
                self.decoder.feed(&buffer[..count]);
            }
        }
        replies
    }

    pub fn ask(&mut self, argv: &[&[u8]]) -> Value {
        self.ask_all(&[argv.iter().map(|arg| arg.to_vec()).collect()]).remove(0)
    }

    /// Sends a command of space-separated words.
    pub fn say(&mut self, line: &str) -> Value {
        self.ask(&line.split(' ').map(str::as_bytes).collect::<Vec<_>>())
    }

    /// `MEMORY USAGE` of the key `k`.
    pub fn memory(&mut self) -> usize {
        match self.say("MEMORY USAGE k SAMPLES 0") {
            Value::Integer(bytes) => bytes as usize,
            other => panic!("{other:?}"),
        }
    }

    pub fn encoding(&mut self) -> String {
        text(&self.say("OBJECT ENCODING k"))
    }

    /// The strings in the `DUMP` of `k`, after the type byte: one for a listpack or intset, one per node for a list or a stream.
    pub fn dumped_blobs(&mut self) -> Vec<Vec<u8>> {
        let Value::Bulk(dump) = self.say("DUMP k") else { return Vec::new() };
        // Without the version and checksum at the end, ten bytes.
        let mut rest = &dump[1..dump.len() - 10];
        const QUICKLIST: u8 = 18;
        const STREAM: u8 = 19;
        if ![QUICKLIST, STREAM].contains(&dump[0]) {
            return vec![take_string(&mut rest)];
        }
        let nodes = take_length(&mut rest);
        if dump[0] == STREAM {
            let node = |_| (take_string(&mut rest), take_string(&mut rest)).1;
            return (0..nodes).map(node).collect();
        }
        (0..nodes)
            .map(|_| {
                assert_eq!(take_length(&mut rest), 2, "a packed node");
                take_string(&mut rest)
            })
            .collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn take_length(rest: &mut &[u8]) -> usize {
    let (length, used) = match rest[0] >> 6 {
        0 => (usize::from(rest[0]), 1),
        1 => (usize::from(rest[0] & 63) << 8 | usize::from(rest[1]), 2),
        _ => (u32::from_be_bytes([rest[1], rest[2], rest[3], rest[4]]) as usize, 5),
    };
    *rest = &rest[used..];
    length
}

fn take_string(rest: &mut &[u8]) -> Vec<u8> {
    let length = take_length(rest);
    let (string, behind) = rest.split_at(length);
    *rest = behind;
    string.to_vec()
}

/// The text of a reply of any type.
pub fn text(reply: &Value) -> String {
    match reply {
        Value::Bulk(text) | Value::Simple(text) => String::from_utf8_lossy(text).into_owned(),
        Value::Integer(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

pub fn command(argv: &[&[u8]]) -> Vec<Vec<u8>> {
    argv.iter().map(|arg| arg.to_vec()).collect()
}

/// One of `choices`.
pub fn pick<T: Clone>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.index(choices.len())].clone()
}
