//! A real redis-server for comparison with the model.
use bytes::Bytes;
use resp::Value;
use resp::decode::{ReplyDecoder, ReplyLimits};
use resp::encode::encode_command;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A redis-server on a free port, stopped with the bench.
pub struct Real {
    process: Child,
    /// The connection.
    pub stream: TcpStream,
}

impl Real {
    /// Starts it and connects.
    pub fn start() -> Real {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let mut process = Command::new("redis-server")
            .args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed; `cargo xtask setup` installs it");
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            if let Ok(stream) = TcpStream::connect(format!("127.0.0.1:{port}")) {
                return Real { process, stream };
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = process.kill();
        let _ = process.wait();
        panic!("redis-server does not open its port")
    }

    /// Sends one command and returns its reply.
    pub fn ask(&mut self, argv: &[Bytes]) -> Value {
        let mut request = Vec::new();
        encode_command(argv, &mut request);
        self.stream.write_all(&request).unwrap();
        let mut decoder = ReplyDecoder::new(ReplyLimits::default());
        let mut buffer = vec![0; 1 << 16];
        loop {
            if let Some(value) = decoder.next_reply().unwrap() {
                return value;
            }
            let count = self.stream.read(&mut buffer).unwrap();
            assert!(count > 0, "redis-server hung up");
            decoder.feed(&buffer[..count]);
        }
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
