//! JavaScript bindings of the model, only for benchmarks in a browser.
// The attribute below generates exported functions, which need unsafe code.
#![allow(unsafe_code)]
pub mod crowd;
pub mod traffic;

use bytes::Bytes;
use redis_model::{ClientId, Config, Output, Server};
use resp::{Protocol, cli, split::split};
use wasm_bindgen::prelude::*;
use world::{Input, Settings, Timeline};

/// 1 January 2026, 12:00 UTC, in ms; an arbitrary fixed time.
const NOW_MS: u64 = 1_767_268_800_000;

/// One server with one client.
#[wasm_bindgen]
pub struct Model {
    server: Server,
    client: ClientId,
    prepared: Vec<Vec<Bytes>>,
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
        Model { server, client, prepared: Vec::new() }
    }

    /// Runs a typed line and returns the output of redis-cli; includes splitting the line and printing the reply.
    pub fn command(&mut self, line: &str) -> String {
        let Ok(argv) = split(line.as_bytes()) else { return String::from("Invalid argument(s)") };
        let outputs = self.server.handle(NOW_MS, self.client, argv);
        let reply = outputs.iter().find_map(|output| match output {
            Output::Reply { value, .. } => Some(cli::text(value, Protocol::Resp2)),
            _ => None,
        });
        reply.unwrap_or_default()
    }

    /// Prepares `line` once for every number below `keys`, which replaces `#`.
    pub fn prepare(&mut self, line: &str, keys: u32) {
        let numbered = (0..keys).filter_map(|i| split(line.replace('#', &i.to_string()).as_bytes()).ok());
        self.prepared = numbered.collect();
    }

    /// Runs `count` prepared commands, in a cycle; returns the number of replies.
    pub fn repeat(&mut self, count: usize) -> usize {
        let words = self.prepared.iter().cycle().take(count);
        words.filter(|argv| !self.server.handle(NOW_MS, self.client, argv.to_vec()).is_empty()).count()
    }
}

/// A timeline as in the page, to measure the cost of a typed command without rendering.
#[wasm_bindgen]
pub struct Steps {
    timeline: Timeline,
}

#[wasm_bindgen]
impl Steps {
    /// A world with one client and this many keys, `key:0` on.
    #[wasm_bindgen(constructor)]
    pub fn new(keys: u32) -> Steps {
        let mut steps = Steps { timeline: Timeline::new(Settings::default()) };
        let _ = steps.timeline.push(Input::Connect { client: 0, name: "c1".to_owned() });
        for from in (0..keys).step_by(500) {
            let pairs = (from..keys.min(from.saturating_add(500))).map(|key| format!(" key:{key} value-{key}"));
            steps.push(&format!("MSET{}", pairs.collect::<String>()));
        }
        steps
    }

    /// Records one line of the client as the next step: world, events, keyframe. False if it was rejected.
    pub fn push(&mut self, line: &str) -> bool {
        let Ok(argv) = split(line.as_bytes()) else { return false };
        self.timeline.push(Input::Command { client: 0, argv }).is_ok()
    }
}
