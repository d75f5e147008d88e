//! Operations per second of the model, compared with a real redis-server in the same run.
//!
//! The model is called directly, one command after the other. The server gets the same commands over a loopback connection in pipelines of
//! a thousand, the fastest way for a client; its figure includes reading and writing the protocol, the model's does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod harness;

use bytes::Bytes;
use harness::real::Real;
use harness::{Bench, per_second};
use std::io::{Read, Write};
use std::time::Instant;

/// Commands in one pipeline.
const PIPELINE: usize = 1000;

type Words = fn(usize) -> Vec<Bytes>;

/// A measurement: its name, the preparation, and the words of the i-th command.
const CASES: [(&str, &[&str], Words); 8] = [
    ("SET", &[], |i| vec![b("SET"), key(i), b("value")]),
    ("GET", &["SET key:7 value"], |_| vec![b("GET"), b("key:7")]),
    ("INCR", &[], |_| vec![b("INCR"), b("counter")]),
    ("LPUSH", &["DEL list"], |_| vec![b("LPUSH"), b("list"), b("element")]),
    ("LPOP", &["DEL list", "LPUSH list x"], |_| vec![b("LPOP"), b("list")]),
    ("HSET", &["DEL hash"], |i| vec![b("HSET"), b("hash"), key(i), b("value")]),
    ("SADD", &["DEL set"], |i| vec![b("SADD"), b("set"), key(i)]),
    ("ZADD", &["DEL zset"], |i| vec![b("ZADD"), b("zset"), b(&(i * 7919 % 10_000).to_string()), key(i)]),
];

fn b(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

/// One of ten thousand keys.
fn key(i: usize) -> Bytes {
    Bytes::from(format!("key:{}", i % 10_000))
}

fn main() {
    let mut real = Real::start();
    println!("{:<8} {:>12} {:>22} {:>8}", "command", "model", "redis-server, pipelined", "ratio");
    for (name, before, argv) in CASES {
        let mut bench = Bench::new();
        for line in before {
            bench.line(line);
            real.line(line);
        }
        let model = bench.time(argv);
        let server = real.time(argv);
        println!("{name:<8} {:>12} {:>22} {:>7.2}x", per_second(model), per_second(server), server / model);
    }
}

impl Real {
    fn line(&mut self, line: &str) {
        self.round(&[harness::words(line)]);
    }

    /// Nanoseconds of one command.
    fn time(&mut self, argv: Words) -> f64 {
        let mut rounds = Vec::new();
        for round in 0..60 {
            let commands: Vec<_> = (0..PIPELINE).map(|i| argv(round * PIPELINE + i)).collect();
            rounds.push(self.round(&commands) / PIPELINE as f64);
        }
        harness::median(&mut rounds)
    }

    /// Sends commands in one write and waits for all replies; returns the nanoseconds. Every reply here is one line, or a bulk string of
    /// two lines.
    fn round(&mut self, commands: &[Vec<Bytes>]) -> f64 {
        let mut request = Vec::new();
        for argv in commands {
            request.extend_from_slice(format!("*{}\r\n", argv.len()).as_bytes());
            for word in argv {
                request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
                request.extend_from_slice(word);
                request.extend_from_slice(b"\r\n");
            }
        }
        let started = Instant::now();
        let mut writer = self.stream.try_clone().unwrap();
        let sender = std::thread::spawn(move || writer.write_all(&request).unwrap());
        let mut buffer = vec![0; 1 << 16];
        let (mut replies, mut at_line_start) = (0, true);
        while replies < commands.len() {
            let count = self.stream.read(&mut buffer).unwrap();
            assert!(count > 0, "redis-server hung up");
            for byte in &buffer[..count] {
                // A reply starts with its type; the second line of a bulk string is its content, which starts with a letter here.
                replies += usize::from(at_line_start && !byte.is_ascii_alphabetic());
                at_line_start = *byte == b'\n';
            }
        }
        sender.join().unwrap();
        started.elapsed().as_nanos() as f64
    }
}
