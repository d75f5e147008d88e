//! The engine: owns the model, the clock and the recording, and passes outputs to their connections.
//!
//! Architecture invariant: only the engine calls the model, and every input passes through the recorder.
use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use redis_model::{Busy, ClientId, CloseReason, Config, Output, ScriptEngine, ScriptTime, Server};
use resp::{Protocol, Value, decode::RequestLimits};
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use super::Failure;
use super::limits::Limits;
use super::listen::Listening;
use super::outbox::{Fate, Outbox};
use super::record::Recorder;

/// How often connections are checked for idle clients and slow readers.
const HOUSEKEEPING: Duration = Duration::from_secs(1);

/// Instructions of a script before other clients are served: about a millisecond.
const SLICE: u64 = 100_000;

/// The engine as shared by connections; there is one thread, so a borrow never waits.
pub type Shared = Rc<RefCell<Engine>>;

/// The only wall clock. It never goes back: it stands still if the machine's clock is set back.
#[derive(Debug, Default)]
pub struct Clock {
    latest_ms: std::cell::Cell<u64>,
}

impl Clock {
    /// Unix time in ms.
    pub fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX).max(self.latest_ms.get());
        self.latest_ms.set(now_ms);
        now_ms
    }
}

/// The model and everything between it and the sockets.
pub struct Engine {
    server: Server,
    clock: Clock,
    limits: Limits,
    outboxes: FxHashMap<ClientId, Rc<Outbox>>,
    recorder: Option<Recorder>,
    /// Time of the next round of the pulse, in ms; the pulse is notified if the model needs an earlier one.
    pulse_due_ms: u64,
    pulse: Rc<Notify>,
    /// Notified when a script was paused.
    paused: Rc<Notify>,
    /// `SHUTDOWN` commands that wait because a script keeps the server busy.
    unheard: Vec<(ClientId, Vec<Bytes>)>,
    stop: Rc<Notify>,
    listening: Listening,
}

impl Engine {
    /// An empty server with a Lua machine for scripts.
    pub fn new(config: Config, clock: Clock, recorder: Option<Recorder>) -> Engine {
        // A replay has no wall clock: a recorded script must take the time that it will take in the replay.
        let script_time = recorder.as_ref().map_or(ScriptTime::Real, Recorder::script_time);
        let config = Config { script_time, ..config };
        // A recording starts at the time in its header.
        let start_ms = recorder.as_ref().map_or_else(|| clock.now_ms(), Recorder::now_ms);
        Engine {
            limits: Limits::of(&config),
            server: Server::new(config, start_ms)
                .with_engine(ScriptEngine::new(lua_machine::LuaMachine::in_slices(SLICE))),
            clock,
            outboxes: FxHashMap::default(),
            recorder,
            pulse_due_ms: 0,
            pulse: Rc::default(),
            paused: Rc::default(),
            unheard: Vec::new(),
            stop: Rc::default(),
            listening: Listening::default(),
        }
    }

    /// Lets `CONFIG SET port` move the listening socket.
    pub fn listens(&mut self, listening: Listening) {
        self.listening = listening;
    }

    /// Notified when `SHUTDOWN` was called.
    pub fn stop_signal(&self) -> Rc<Notify> {
        self.stop.clone()
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Unix time in ms; read once for all commands that arrived together.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Connects a client; `None` if `maxclients` is reached.
    pub fn connect(&mut self, peer: SocketAddr) -> Option<Rc<Outbox>> {
        if self.outboxes.len() >= self.limits.clients {
            return None;
        }
        let now_ms = self.now_ms();
        self.advance(now_ms);
        let client = match &mut self.recorder {
            Some(recorder) => {
                let client = self.server.connect(now_ms);
                recorder.connect(now_ms, client);
                client
            }
            None => self.server.connect_from(now_ms, peer.to_string()),
        };
        let outbox = Rc::new(Outbox::new(client));
        self.outboxes.insert(client, outbox.clone());
        Some(outbox)
    }

    /// Disconnects a client.
    pub fn disconnect(&mut self, client: ClientId) {
        if self.outboxes.remove(&client).is_none() {
            return;
        }
        let now_ms = self.now_ms();
        self.record(|recorder| recorder.disconnect(now_ms, client));
        let outputs = self.server.disconnect(now_ms, client);
        self.deliver(now_ms, None, outputs);
    }

    /// Runs a command of a client that is not blocked.
    pub fn command(&mut self, now_ms: u64, from: &Outbox, argv: Vec<Bytes>) {
        if is_named(&argv, b"shutdown") && self.takes_shutdown(from, &argv) {
            return;
        }
        let moved = match self.new_port(from.client, &argv).map(|port| (port, self.listening.try_port(port))) {
            Some((_, Err(refusal))) => return from.write(&refusal, self.protocol(from.client)),
            Some((port, Ok(listener))) => Some((port, listener)),
            None => None,
        };
        self.record(|recorder| recorder.command(now_ms, from.client, &argv));
        let may_configure = is_named(&argv, b"config") || is_named(&argv, b"exec");
        let outputs = self.server.handle(now_ms, from.client, argv);
        if let (Some(recorder), Some(client)) = (&mut self.recorder, self.server.client(from.client)) {
            recorder.name(now_ms, from.client, &client.name);
        }
        self.deliver(now_ms, Some(from), outputs);
        if let Some((port, listener)) = moved
            && self.server.config().port == port
        {
            self.listening.move_to(listener);
        }
        if may_configure {
            self.limits = Limits::of(self.server.config());
        }
    }

    /// The current limits on a client's requests.
    pub fn request_limits(&self, client: ClientId) -> RequestLimits {
        let needs_password = !self.server.config().requirepass.is_empty();
        RequestLimits {
            bulk_bytes_max: self.limits.bulk_bytes,
            buffered_bytes_max: self.limits.query_bytes,
            unauthenticated: needs_password && self.server.client(client).is_some_and(|c| !c.is_authenticated),
            ..RequestLimits::default()
        }
    }

    /// Runs a paused script for one slice; false if no script is paused.
    fn go_on(&mut self) -> bool {
        if !self.server.busy().is_some_and(Busy::is_paused) {
            return false;
        }
        let now_ms = self.now_ms();
        let outputs = self.server.go_on(now_ms);
        if !outputs.is_empty() {
            self.record(|recorder| recorder.advance(now_ms));
        }
        self.deliver(now_ms, None, outputs);
        self.hear_shutdown();
        self.settle();
        true
    }

    /// After a batch of commands: wakes the pulse if the next deadline is now earlier than its next round, and resumes a paused script.
    pub fn settle(&mut self) {
        if self.server.busy().is_some_and(Busy::is_paused) {
            self.paused.notify_one();
        }
        if self.server.next_deadline_ms().is_some_and(|due_ms| due_ms < self.pulse_due_ms) {
            self.pulse.notify_one();
        }
    }

    /// Completes the recording; returns a sentence about it.
    ///
    /// # Errors
    /// If the file could not be written.
    pub fn finish(&mut self) -> Result<Option<String>, Failure> {
        let now_ms = self.now_ms();
        self.advance(now_ms);
        self.server.abandon_script();
        self.recorder.take().map(|recorder| recorder.finish(now_ms)).transpose()
    }

    /// Advances the time of the model.
    fn advance(&mut self, now_ms: u64) {
        let outputs = self.server.advance(now_ms);
        if !outputs.is_empty() {
            self.record(|recorder| recorder.advance(now_ms));
        }
        self.deliver(now_ms, None, outputs);
        self.hear_shutdown();
    }

    fn record(&mut self, what: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = &mut self.recorder {
            what(recorder);
        }
    }

    /// Handles `SHUTDOWN`; false if the model must reject it with its own error.
    fn takes_shutdown(&mut self, from: &Outbox, argv: &[Bytes]) -> bool {
        if self.server.is_deaf() {
            from.set_blocked(true);
            self.unheard.push((from.client, argv.to_vec()));
            return true;
        }
        match self.shutdown(from.client, argv) {
            None => return false,
            Some(Ok(())) => self.stop.notify_one(),
            Some(Err(refusal)) => from.write(&refusal, self.protocol(from.client)),
        }
        true
    }

    /// Handles `SHUTDOWN` commands that arrived while a script kept the server busy.
    fn hear_shutdown(&mut self) {
        if self.unheard.is_empty() || self.server.is_deaf() {
            return;
        }
        for (client, argv) in std::mem::take(&mut self.unheard) {
            let Some(outbox) = self.outboxes.get(&client).cloned() else { continue };
            outbox.set_blocked(false);
            let now_ms = self.now_ms();
            self.command(now_ms, &outbox, argv);
        }
    }

    /// The other port to which this command would move the listening socket.
    fn new_port(&self, client: ClientId, argv: &[Bytes]) -> Option<u16> {
        let is_set = is_named(argv, b"config") && argv.get(1).is_some_and(|word| word.eq_ignore_ascii_case(b"set"));
        let caller = self.server.client(client).filter(|_| is_set)?;
        if caller.multi.is_some() || !caller.is_authenticated && !self.server.config().requirepass.is_empty() {
            return None;
        }
        let pairs = argv.get(2..).unwrap_or_default().chunks_exact(2);
        let mut ports = pairs.filter(|pair| is_named(pair, b"port")).filter_map(|pair| pair.get(1));
        let port: u16 = std::str::from_utf8(ports.next_back()?).ok()?.parse().ok()?;
        (port != 0 && port != self.server.config().port).then_some(port)
    }

    /// `SHUTDOWN` concerns the process, which the model does not know. `None`: the model rejects it with its own error.
    fn shutdown(&self, client: ClientId, argv: &[Bytes]) -> Option<Result<(), Value>> {
        let caller = self.server.client(client)?;
        let is_locked_out = !caller.is_authenticated && !self.server.config().requirepass.is_empty();
        if caller.multi.is_some() || is_locked_out {
            return None;
        }
        let is_without_saving = argv.iter().any(|word| word.eq_ignore_ascii_case(b"nosave"));
        if self.server.busy().is_some() && !is_without_saving {
            return None;
        }
        let words: Vec<String> =
            argv.iter().skip(1).map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).collect();
        let has = |word: &str| words.iter().any(|given| given == word);
        let is_known = words.iter().all(|word| matches!(word.as_str(), "save" | "nosave" | "now" | "force" | "abort"));
        if !is_known || (has("save") && has("nosave")) || (has("abort") && words.len() > 1) {
            return Some(Err(Value::error("ERR syntax error")));
        }
        Some(if has("abort") { Err(Value::error("ERR No shutdown in progress.")) } else { Ok(()) })
    }

    fn protocol(&self, client: ClientId) -> Protocol {
        self.server.client(client).map_or(Protocol::Resp2, |client| client.protocol)
    }

    /// Passes outputs to their connections. The sender's task is running already, so it is not woken.
    fn deliver(&mut self, now_ms: u64, sender: Option<&Outbox>, outputs: Vec<Output>) {
        for output in &outputs {
            match output {
                Output::Reply { client, value } | Output::Push { client, value } => match sender {
                    Some(sender) if sender.client == *client => self.write(now_ms, sender, value),
                    _ => {
                        if let Some(outbox) = self.outboxes.get(client) {
                            self.write(now_ms, outbox, value);
                            outbox.wake();
                        }
                    }
                },
                Output::Blocked { client } => self.with_outbox(*client, |outbox| outbox.set_blocked(true)),
                Output::Unblocked { client } => self.with_outbox(*client, |outbox| outbox.set_blocked(false)),
                Output::Closed { client, reason } => self.closed(now_ms, *client, *reason, sender),
                // Real sockets have their own buffers: the model is never told that a client does not read.
                Output::Held { .. } | Output::Flushed { .. } | Output::Swapped { .. } | Output::Changed { .. } => {}
            }
        }
        self.server.recycle(outputs);
    }

    fn with_outbox(&self, client: ClientId, act: impl FnOnce(&Outbox)) {
        if let Some(outbox) = self.outboxes.get(&client) {
            act(outbox);
        }
    }

    /// The model has closed and removed a connection.
    fn closed(&mut self, now_ms: u64, client: ClientId, reason: CloseReason, sender: Option<&Outbox>) {
        let Some(outbox) = self.outboxes.remove(&client) else { return };
        let is_own = sender.is_some_and(|sender| sender.client == client);
        let is_answered = is_own && reason != CloseReason::CrossProtocol;
        outbox.close(if is_answered { Fate::CloseWhenWritten } else { Fate::Close });
        self.record(|recorder| recorder.disconnect(now_ms, client));
    }

    fn write(&self, now_ms: u64, outbox: &Outbox, value: &Value) {
        let client = self.server.client(outbox.client);
        outbox.write(value, client.map_or(Protocol::Resp2, |client| client.protocol));
        if outbox.counts() && outbox.is_over(self.limits.output_of(client), now_ms) {
            outbox.close(Fate::Close);
        }
    }

    /// Closes connections that have been idle, or over their output limit, for too long.
    fn keep_house(&mut self, now_ms: u64) {
        self.limits = Limits::of(self.server.config());
        for (id, outbox) in &self.outboxes {
            let client = self.server.client(*id);
            let is_idle = client.is_some_and(|client| {
                // Blocked clients, subscribers and monitors send nothing; that is normal.
                let is_patient = client.blocked.is_some() || client.is_subscriber() || client.is_monitor;
                let last_ms = self.server.last_command(client.id).map_or(now_ms, |last| last.at_ms);
                let idle_ms = now_ms.saturating_sub(last_ms);
                self.limits.idle_ms > 0 && !is_patient && idle_ms > self.limits.idle_ms
            });
            if is_idle || outbox.is_over(self.limits.output_of(client), now_ms) {
                outbox.close(Fate::Close);
            }
        }
        self.record(Recorder::flush);
    }
}

/// Is this the command's name, ignoring case?
fn is_named(argv: &[Bytes], name: &[u8]) -> bool {
    argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name))
}

/// Runs paused scripts slice by slice, and lets other tasks run in between.
pub async fn run_scripts(engine: Shared) {
    let paused = engine.borrow().paused.clone();
    loop {
        while engine.borrow_mut().go_on() {
            tokio::task::yield_now().await;
        }
        paused.notified().await;
    }
}

/// Advances the time of the model at each of its deadlines, for ever.
pub async fn pulse(engine: Shared) {
    let pulse = engine.borrow().pulse.clone();
    let mut next_round_ms = 0;
    loop {
        let wait_ms = {
            let mut engine = engine.borrow_mut();
            let now_ms = engine.now_ms();
            engine.advance(now_ms);
            if now_ms >= next_round_ms {
                engine.keep_house(now_ms);
                next_round_ms = now_ms.saturating_add(u64::try_from(HOUSEKEEPING.as_millis()).unwrap_or(u64::MAX));
            }
            let due_ms = engine.server.next_deadline_ms().unwrap_or(u64::MAX).min(next_round_ms);
            engine.pulse_due_ms = due_ms;
            due_ms.saturating_sub(now_ms)
        };
        // A notification and a timeout are handled in the same way.
        let _ = tokio::time::timeout(Duration::from_millis(wait_ms), pulse.notified()).await;
    }
}
