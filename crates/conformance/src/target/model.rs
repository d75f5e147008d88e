//! The model as a target. Every reply is encoded and decoded, so comparisons see what a client would read.
use std::collections::BTreeMap;

use bytes::Bytes;
use redis_model::{ClientId, Config, Output, ScriptEngine, ScriptTime, Server};
use resp::{Protocol, Value, decode::decode_reply, encode::encode};

use super::{Event, Identity, Target, TargetError, What};

/// The model's clock at the start of every script: 2026-01-01 00:00 UTC.
const START_MS: u64 = 1_767_225_600_000;

/// The model with a clock that moves only by [`Target::advance`].
#[derive(Clone, Debug)]
pub struct ModelTarget {
    server: Server,
    now_ms: u64,
    clients: BTreeMap<String, ClientId>,
    /// The last protocol of each client, for messages that it receives while it is closed.
    protocols: BTreeMap<ClientId, Protocol>,
}

impl Default for ModelTarget {
    fn default() -> ModelTarget {
        ModelTarget {
            server: server(Config::default(), START_MS),
            now_ms: START_MS,
            clients: BTreeMap::new(),
            protocols: BTreeMap::new(),
        }
    }
}

/// An empty server whose scripts end at once.
fn server(config: Config, now_ms: u64) -> Server {
    let engine = ScriptEngine::new(lua_machine::LuaMachine::new());
    Server::new(without_script_time(config), now_ms).with_engine(engine)
}

impl ModelTarget {
    /// An empty server with this configuration, whose clock is at `now_ms`.
    pub fn new(config: Config, now_ms: u64) -> ModelTarget {
        ModelTarget { server: server(config, now_ms), now_ms, ..ModelTarget::default() }
    }

    /// The server itself.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The id of a client in the server.
    pub fn client_id(&self, client: &str) -> Option<ClientId> {
        self.clients.get(client).copied()
    }

    /// Sets the clock for the next inputs; it never goes back.
    pub fn set_now_ms(&mut self, now_ms: u64) {
        self.now_ms = self.now_ms.max(now_ms);
    }

    /// Sets a parameter through a separate connection.
    ///
    /// # Errors
    /// [`TargetError::Refused`] with the error of `CONFIG SET`.
    pub fn configure(&mut self, name: &str, value: &str) -> Result<(), TargetError> {
        self.setup(&["CONFIG", "SET", name, value])
    }

    fn setup(&mut self, argv: &[&str]) -> Result<(), TargetError> {
        let client = self.server.connect(self.now_ms);
        let argv = argv.iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
        let outputs = self.server.handle(self.now_ms, client, argv);
        self.server.disconnect(self.now_ms, client);
        for output in outputs {
            if let Output::Reply { value: Value::Error(text), .. } = output {
                return Err(TargetError::Refused(String::from_utf8_lossy(&text).into_owned()));
            }
        }
        Ok(())
    }

    fn events(&mut self, sender: Option<&str>, outputs: Vec<Output>) -> Vec<Event> {
        let names: BTreeMap<ClientId, String> = self.clients.iter().map(|(name, id)| (*id, name.clone())).collect();
        for client in self.server.clients() {
            self.protocols.insert(client.id, client.protocol);
        }
        let mut events = Vec::new();
        for output in outputs {
            let (id, what) = match output {
                Output::Reply { client, value } | Output::Push { client, value } => {
                    let protocol = self.protocols.get(&client).copied().unwrap_or_default();
                    (client, What::Message(on_the_wire(&value, protocol)))
                }
                Output::Closed { client, .. } => (client, What::Closed),
                Output::Held { .. }
                | Output::Blocked { .. }
                | Output::Unblocked { .. }
                | Output::Changed { .. }
                | Output::Flushed { .. }
                | Output::Swapped { .. } => continue,
            };
            if let Some(client) = names.get(&id) {
                events.push(Event { client: client.clone(), what });
            }
        }
        for event in &events {
            if event.what == What::Closed {
                self.clients.remove(&event.client);
            }
        }
        if let Some(sender) = sender
            && !events.iter().any(|event| event.client == sender)
        {
            let id = self.clients.get(sender);
            let is_blocked = id.and_then(|id| self.server.client(*id)).is_some_and(|client| client.blocked.is_some());
            let what = if is_blocked { What::Blocked } else { What::Silent };
            events.push(Event { client: sender.to_owned(), what });
        }
        // The sender first, then the others by name; each client's events in their order.
        events.sort_by(|a, b| {
            (Some(a.client.as_str()) != sender, &a.client).cmp(&(Some(b.client.as_str()) != sender, &b.client))
        });
        events
    }
}

/// A real server finishes a script before it reads the next command, so scripts take no time here; endless scripts keep either server busy.
fn without_script_time(config: Config) -> Config {
    Config { script_time: ScriptTime::Uncounted, ..config }
}

/// The value that a client reads. A value that cannot be decoded is a bug of ours, and is shown as one.
fn on_the_wire(value: &Value, protocol: Protocol) -> Value {
    let mut bytes = Vec::new();
    encode(value, protocol, &mut bytes);
    match decode_reply(&bytes) {
        Ok(Some(value)) => value,
        _ => Value::error(format!("(the reply is no RESP: {})", bytes.escape_ascii())),
    }
}

impl Target for ModelTarget {
    fn reset(&mut self, config: &[(String, String)]) -> Result<(), TargetError> {
        *self = ModelTarget::default();
        for (name, value) in config {
            self.configure(name, value)?;
        }
        Ok(())
    }

    fn connect(&mut self, client: &str, protocol: Protocol) -> Result<Identity, TargetError> {
        let id = self.server.connect(self.now_ms);
        self.clients.insert(client.to_owned(), id);
        if protocol == Protocol::Resp3 {
            self.send(client, &[Bytes::from_static(b"HELLO"), Bytes::from_static(b"3")])?;
        }
        let addr = self.server.client(id).map(|client| client.addr.to_string()).unwrap_or_default();
        Ok(Identity { id, addr })
    }

    fn disconnect(&mut self, client: &str) -> Result<Vec<Event>, TargetError> {
        let id = self.clients.remove(client).ok_or_else(|| TargetError::NoClient(client.to_owned()))?;
        let outputs = self.server.disconnect(self.now_ms, id);
        Ok(self.events(None, outputs))
    }

    fn send(&mut self, client: &str, argv: &[Bytes]) -> Result<Vec<Event>, TargetError> {
        let id = *self.clients.get(client).ok_or_else(|| TargetError::NoClient(client.to_owned()))?;
        let outputs = self.server.handle(self.now_ms, id, argv.to_vec());
        Ok(self.events(Some(client), outputs))
    }

    fn advance(&mut self, by_ms: u64) -> Result<Vec<Event>, TargetError> {
        self.now_ms = self.now_ms.saturating_add(by_ms);
        let outputs = self.server.advance(self.now_ms);
        Ok(self.events(None, outputs))
    }

    fn now_ms(&self) -> u64 {
        self.now_ms
    }
}
