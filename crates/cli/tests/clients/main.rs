//! Real Redis clients against `lockstep serve`, or against the server on the port in `LOCKSTEP_CLIENTS_PORT`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// A test that cannot go on should stop, loudly.
mod redis_cli;
mod redis_crate;
mod scripts;
#[path = "../support/mod.rs"]
mod support;

use support::Served;

/// The server under test, empty.
struct Target {
    port: u16,
    /// Our own server, if the variable is not set.
    _served: Option<Served>,
}

impl Target {
    fn new() -> Target {
        let target = match std::env::var("LOCKSTEP_CLIENTS_PORT") {
            Ok(port) => Target { port: port.parse().expect("a port"), _served: None },
            Err(_) => {
                let served = Served::start(&[]);
                Target { port: served.port(), _served: Some(served) }
            }
        };
        let mut connection = target.connection();
        redis::cmd("FLUSHALL").exec(&mut connection).unwrap();
        target
    }

    fn client(&self) -> redis::Client {
        redis::Client::open(format!("redis://127.0.0.1:{}/", self.port)).unwrap()
    }

    fn connection(&self) -> redis::Connection {
        self.client().get_connection().unwrap()
    }
}
