//! The model as JavaScript can call it; only for the benches in a browser.
// The attribute below generates functions that are called from outside, which takes unsafe code.
#![allow(unsafe_code)]
use redis_model::{ClientId, Config, Output, Server};
use resp::{Protocol, cli, split::split};
use wasm_bindgen::prelude::*;

/// 1 January 2026, 12:00 UTC, in ms: any fixed moment would do.
const NOW_MS: u64 = 1_767_268_800_000;

/// One server with one client.
#[wasm_bindgen]
pub struct Model {
    server: Server,
    client: ClientId,
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}

#[wasm_bindgen]
impl Model {
    /// An empty server.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Model {
        let mut server = Server::new(Config::default(), NOW_MS);
        let client = server.connect(NOW_MS);
        Model { server, client }
    }

    /// Runs a line as it is typed and returns what redis-cli would print; splitting and printing included.
    pub fn command(&mut self, line: &str) -> String {
        let Ok(argv) = split(line.as_bytes()) else { return String::from("Invalid argument(s)") };
        let outputs = self.server.handle(NOW_MS, self.client, argv);
        let reply = outputs.iter().find_map(|output| match output {
            Output::Reply { value, .. } => Some(cli::text(value, Protocol::Resp2)),
            _ => None,
        });
        reply.unwrap_or_default()
    }

    /// Runs `line`, with `#` replaced by numbers below `keys`, `count` times inside WebAssembly.
    pub fn repeat(&mut self, line: &str, keys: u32, count: u32) -> u32 {
        let mut answered = 0;
        for i in 0..count {
            let Ok(argv) = split(line.replace('#', &(i % keys.max(1)).to_string()).as_bytes()) else { return 0 };
            answered += u32::from(!self.server.handle(NOW_MS, self.client, argv).is_empty());
        }
        answered
    }
}
