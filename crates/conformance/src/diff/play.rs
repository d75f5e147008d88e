//! Plays a round on both sides and finds the first difference.
//!
//! The model runs first, which gives the number of messages that each client receives for a run of commands; then the run is sent to the
//! real server in one write, and the same number of messages is awaited. Messages to other clients are compared after a barrier. The
//! model's clock is set to the real one before each run, and the distance of the clocks is measured when the replies have arrived: times
//! may differ by at most that. In most rounds both sides have only lazy expiry, so that the time of a cycle cannot matter; in the others no
//! command touches an expiring key until the cycles of both sides have deleted it.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use redis_model::{Config, command};
use resp::encode::encode_command;
use resp::{Protocol, Value, cli};

use super::generate::{Action, CLIENTS, Round};
use super::picks::Universe;
use super::rules::{Terms, agree, agree_as_streams, narrowed};
use super::streams::Stream;
use crate::target::{Event, ModelTarget, RealTarget, Target, TargetError, What};

/// Timeout of the real server for a reply that the model has given.
const REPLY_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum number of commands per write.
const RUN_LENGTH_MAX: usize = 64;
/// The client that compares keys.
const CHECKER: &str = "checker";
/// How long the real server's cycle may take to find an expired key; it runs ten times per second.
const CYCLE_TIMEOUT: Duration = Duration::from_secs(3);
/// Rounding error added to the distance of the clocks, in ms.
const ROUNDING_MS: u64 = 2;
/// Databases that are compared.
const DATABASES: usize = 3;

/// The first difference between the two sides.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// Index of the action in the round.
    pub(super) action: usize,
    /// The client that received it.
    pub(super) client: String,
    /// The command after which it was received.
    pub(super) argv: Vec<Bytes>,
    /// The output of the model.
    pub(super) model: String,
    /// The output of the real server.
    pub(super) real: String,
}

/// Both sides.
pub(super) struct Player {
    model: ModelTarget,
    real: RealTarget,
    /// Commands sent to each side.
    pub(super) commands: usize,
    /// Messages of the model that were compared with one of the real server.
    pub(super) compared: usize,
    /// Largest distance of the clocks in this round, in ms.
    apart_ms: u64,
    /// Per command: the number of replies, and the number of errors among them.
    pub(super) answers: BTreeMap<String, (usize, usize)>,
}

/// A command that the model has run, but not yet the real server.
struct Sent {
    action: usize,
    argv: Vec<Bytes>,
    /// Commands that `EXEC` ran.
    queue: Vec<Vec<Bytes>>,
    /// The messages that the sender received.
    messages: Vec<Value>,
    closed: bool,
    /// The elements it picked from, if it is a random pick.
    universe: Option<Universe>,
}

impl Player {
    pub(super) fn new(real: RealTarget) -> Player {
        Player { model: ModelTarget::default(), real, commands: 0, compared: 0, apart_ms: 0, answers: BTreeMap::new() }
    }

    pub(super) fn into_real(self) -> RealTarget {
        self.real
    }

    /// Plays a round from the empty server to its first difference.
    pub(super) fn play(&mut self, round: &Round) -> Result<Option<Difference>, TargetError> {
        self.reset(round)?;
        let mut next = 0;
        while let Some(action) = round.actions.get(next) {
            let found = match action {
                Action::Send { client, .. } => {
                    let (end, found) = self.run_of(round, next, *client)?;
                    next = end;
                    found
                }
                Action::Expire { client, key } => {
                    let found = self.expire(round, next, *client, key)?;
                    next = next.saturating_add(1);
                    found
                }
                Action::Reconnect { client } => {
                    let found = self.reconnect(round, next, *client)?;
                    next = next.saturating_add(1);
                    found
                }
                Action::Check => {
                    let found = self.check(next)?;
                    next = next.saturating_add(1);
                    found
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn reset(&mut self, round: &Round) -> Result<(), TargetError> {
        self.real.reset(&round.config)?;
        self.apart_ms = 0;
        let mut config = Config { is_active_expire_on: round.is_expiry_active, ..Config::default() };
        config.seed = 1;
        self.model = ModelTarget::new(config, self.real.now_ms());
        for (name, value) in &round.config {
            self.model.configure(name, value)?;
        }
        self.real.connect(CHECKER, Protocol::Resp2)?;
        self.model.connect(CHECKER, Protocol::Resp2)?;
        let flag = if round.is_expiry_active { "1" } else { "0" };
        let switch = ["DEBUG", "SET-ACTIVE-EXPIRE", flag];
        self.real.connection(CHECKER)?.ask(&switch, REPLY_TIMEOUT)?;
        self.model.send(CHECKER, &switch.map(|word| Bytes::from_static(word.as_bytes())))?;
        for (client, protocol) in CLIENTS.iter().zip(round.protocols) {
            self.connect(client, protocol)?;
        }
        Ok(())
    }

    fn connect(&mut self, client: &str, protocol: Protocol) -> Result<(), TargetError> {
        self.model.connect(client, protocol)?;
        self.real.connect(client, protocol)?;
        if protocol == Protocol::Resp2 {
            // What the real one was asked first, and lists as its last command.
            self.model.send(client, &[Bytes::from_static(b"CLIENT"), Bytes::from_static(b"ID")])?;
        }
        Ok(())
    }

    /// Can this client send a command now?
    fn is_free(&self, client: &str) -> bool {
        let id = self.model.client_id(client);
        id.and_then(|id| self.model.server().client(id)).is_some_and(|client| client.blocked.is_none())
    }

    /// Plays the commands of one client from this action on, as many as fit in one write. Returns the index of the next action, and the
    /// first difference.
    fn run_of(
        &mut self,
        round: &Round,
        start: usize,
        client: usize,
    ) -> Result<(usize, Option<Difference>), TargetError> {
        let mut commands = Vec::new();
        let mut next = start;
        while let Some(Action::Send { client: sender, commands: group }) = round.actions.get(next) {
            if *sender != client || commands.len() >= RUN_LENGTH_MAX {
                break;
            }
            commands.extend(group.iter().map(|argv| (next, argv.clone())));
            next = next.saturating_add(1);
        }
        let name = CLIENTS.get(client).copied().unwrap_or(CHECKER);
        let found = self.run_commands(name, commands)?;
        Ok((next, found))
    }

    fn run_commands(
        &mut self,
        client: &str,
        commands: Vec<(usize, Vec<Bytes>)>,
    ) -> Result<Option<Difference>, TargetError> {
        self.model.set_now_ms(self.real.now_ms());
        let mut sent: Vec<Sent> = Vec::new();
        let mut others: Vec<Event> = Vec::new();
        for (action, argv) in commands {
            if !self.is_free(client) {
                break;
            }
            let queue = self.queue_of(client);
            if self.is_queueing(client) && breaks_the_array(&argv)
                || self.is_left_open(client, &argv)
                || self.is_random_expiry(client, &argv)
            {
                continue;
            }
            let universe = if self.is_queueing(client) { None } else { self.universe(client, &argv) };
            let events = self.model.send(client, &argv)?;
            self.commands = self.commands.saturating_add(1);
            let mut one = Sent { action, argv, queue, messages: Vec::new(), closed: false, universe };
            for event in events {
                match (event.client == client, event.what) {
                    (true, What::Message(value)) => one.messages.push(value),
                    (true, What::Closed) => one.closed = true,
                    (true, What::Blocked | What::Silent) => {}
                    (false, what) => others.push(Event { client: event.client, what }),
                }
            }
            if client != CHECKER {
                self.count(&one);
            }
            sent.push(one);
        }
        let Some(last) = sent.last() else { return Ok(None) };
        if let Err(wrong) = self.model.server().check() {
            return Ok(Some(difference(
                last,
                client,
                format!("(its memory statistics are wrong) {wrong}"),
                "(in order)".to_owned(),
            )));
        }
        self.follow(client, &sent, others)
    }

    /// The elements of the model from which a random pick chooses.
    fn universe(&self, client: &str, argv: &[Bytes]) -> Option<Universe> {
        let server = self.model.server();
        let db = self.model.client_id(client).and_then(|id| server.client(id))?.db;
        Universe::of(server, db, argv)
    }

    /// Is a transaction of this client open?
    fn is_queueing(&self, client: &str) -> bool {
        let id = self.model.client_id(client);
        id.and_then(|id| self.model.server().client(id)).is_some_and(|client| client.multi.is_some())
    }

    /// Would `RANDOMKEY` or a step of `SCAN` meet an expired key? It is random which expired keys they delete.
    fn is_random_expiry(&self, client: &str, argv: &[Bytes]) -> bool {
        let server = self.model.server();
        let Some(client) = self.model.client_id(client).and_then(|id| server.client(id)) else { return false };
        let is_name = |name: &[u8]| argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name));
        let starts = argv.get(1).is_some_and(|cursor| cursor.as_ref() == b"0");
        let is_whole = starts && argv.iter().any(|word| word.as_ref() == b"1000" || word.as_ref() == b"100000");
        let is_random = is_name(b"randomkey") || is_name(b"scan") && !is_whole;
        let due_ms = server.db(client.db).and_then(|db| db.next_deadline_ms());
        is_random && (client.multi.is_some() || due_ms.is_some_and(|due_ms| due_ms <= self.real.now_ms()))
    }

    /// Is it a range by member over different scores? Its start then depends on the random levels of the skip list.
    fn is_left_open(&self, client: &str, argv: &[Bytes]) -> bool {
        let name = argv.first().map(|name| name.to_ascii_lowercase()).unwrap_or_default();
        let is_by_member = name.ends_with(b"bylex")
            || name == b"zlexcount"
            || name.starts_with(b"zrange") && argv.iter().any(|word| word.eq_ignore_ascii_case(b"bylex"));
        if !is_by_member || self.is_queueing(client) {
            return is_by_member;
        }
        let server = self.model.server();
        let number = self.model.client_id(client).and_then(|id| server.client(id)).map_or(0, |client| client.db);
        let key = argv.get(if name == b"zrangestore" { 2 } else { 1 });
        let Some(redis_model::value::Value::ZSet(zset)) = key.and_then(|key| server.db(number)?.value(key)) else {
            return false;
        };
        let (lowest, highest) = (zset.nth(0), zset.nth(zset.len().saturating_sub(1)));
        zset.listpack_bytes().is_none() && lowest.map(|pair| pair.1) != highest.map(|pair| pair.1)
    }

    fn count(&mut self, sent: &Sent) {
        let Ok(row) = command::find(&sent.argv) else { return };
        let (answers, errors) = self.answers.entry(row.full_name()).or_default();
        *answers = answers.saturating_add(1);
        if sent.messages.first().is_some_and(Value::is_error) {
            *errors = errors.saturating_add(1);
        }
    }

    /// The commands that `EXEC` would run now.
    fn queue_of(&self, client: &str) -> Vec<Vec<Bytes>> {
        let id = self.model.client_id(client);
        let multi = id.and_then(|id| self.model.server().client(id)).and_then(|client| client.multi.as_ref());
        multi.map(|multi| multi.queue.clone()).unwrap_or_default()
    }

    /// Sends the pending commands to the real server, and compares.
    fn follow(&mut self, client: &str, sent: &[Sent], others: Vec<Event>) -> Result<Option<Difference>, TargetError> {
        let mut bytes = Vec::new();
        for one in sent {
            encode_command(&one.argv, &mut bytes);
        }
        self.real.connection(client)?.write(&bytes)?;
        for one in sent {
            let mut seen = Vec::new();
            for _ in &one.messages {
                seen.extend(self.real.connection(client)?.next(REPLY_TIMEOUT)?);
            }
            self.compared = self.compared.saturating_add(seen.len());
            self.apart_ms = self.apart_ms.max(self.real.now_ms().saturating_sub(self.model.now_ms()));
            let observer = self.real.observer_addr();
            let apart_ms = self.apart_ms.saturating_add(ROUNDING_MS);
            let terms = Terms { apart_ms, universe: one.universe.as_ref(), observer, ..Terms::default() };
            if let Some(difference) = first_difference(one, client, &seen, terms) {
                return Ok(Some(difference));
            }
        }
        let Some(last) = sent.last() else { return Ok(None) };
        let is_blocked = self.model.client_id(client).is_some() && !self.is_free(client);
        if is_blocked && !self.comes_to_block(client)? {
            let seen = self.real.connection(client)?.drain()?;
            let real = seen.first().map_or_else(|| "(not blocked)".to_owned(), show);
            return Ok(Some(difference(last, client, "(blocked)".to_owned(), real)));
        }
        self.compare_rest(client, last, others)
    }

    /// Waits until the real server has blocked this client. It may read the observer's question before the client's command, so a single
    /// "no" is not final.
    fn comes_to_block(&mut self, client: &str) -> Result<bool, TargetError> {
        for _ in 0..200 {
            if self.real.is_blocked(client)? == Some(true) {
                return Ok(true);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(false)
    }

    /// After the barrier: the sender receives nothing more, and other clients receive the same messages as in the model.
    fn compare_rest(
        &mut self,
        client: &str,
        last: &Sent,
        others: Vec<Event>,
    ) -> Result<Option<Difference>, TargetError> {
        self.real.barrier()?;
        let real = self.real.collect(Some(client))?;
        let mut model = others;
        if last.closed {
            model.push(Event { client: client.to_owned(), what: What::Closed });
        }
        for name in CLIENTS.iter().copied().chain([CHECKER]) {
            let of = |events: &[Event]| -> Vec<Event> { events.iter().filter(|e| e.client == name).cloned().collect() };
            let (ours, theirs) = (of(&model), of(&real));
            let (our_messages, their_messages) = (messages(&ours), messages(&theirs));
            self.compared = self.compared.saturating_add(our_messages.len());
            if agree_as_streams(&our_messages, &their_messages, &[], &[], Terms::default()) {
                continue;
            }
            let nth = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
            let (ours, theirs) = (show_event(ours.get(nth)), show_event(theirs.get(nth)));
            return Ok(Some(difference(last, name, ours, theirs)));
        }
        for event in &real {
            if event.what == What::Closed && event.client != CHECKER {
                self.connect(&event.client, Protocol::Resp2)?;
            }
        }
        Ok(None)
    }

    fn expire(
        &mut self,
        round: &Round,
        action: usize,
        client: usize,
        key: &Bytes,
    ) -> Result<Option<Difference>, TargetError> {
        let name = CLIENTS.get(client).copied().unwrap_or(CHECKER);
        if self.is_queueing(name) || !self.is_free(name) {
            return Ok(None);
        }
        // On a busy machine a few ms may pass before Redis reads the clock again; then it deletes the key at once.
        const TTL_MS: u64 = 25;
        let argv = vec![Bytes::from_static(b"PEXPIRE"), key.clone(), Bytes::from(TTL_MS.to_string())];
        let before = if round.is_expiry_active { self.real.expired_keys()? } else { 0 };
        let found = self.run_commands(name, vec![(action, argv.clone())])?;
        std::thread::sleep(Duration::from_millis(TTL_MS + 2));
        if found.is_some() || !round.is_expiry_active || !self.has_expired_keys() {
            return Ok(found);
        }
        self.await_cycles(before, action, argv, name)
    }

    /// Does the model hold a key whose time has run out by the real clock?
    fn has_expired_keys(&self) -> bool {
        let now_ms = self.real.now_ms();
        let mut deadlines = self.model.server().databases().iter().filter_map(|db| db.next_deadline_ms());
        deadlines.any(|deadline_ms| deadline_ms <= now_ms)
    }

    /// Lets time pass until the cycle of each side has deleted the expired key, and compares the events. No command reads the key.
    fn await_cycles(
        &mut self,
        before: u64,
        action: usize,
        argv: Vec<Bytes>,
        client: &str,
    ) -> Result<Option<Difference>, TargetError> {
        let began = Instant::now();
        let mut events = Vec::new();
        let mut is_taken = false;
        while began.elapsed() < CYCLE_TIMEOUT && (!is_taken || self.has_expired_keys()) {
            std::thread::sleep(Duration::from_millis(5));
            self.model.set_now_ms(self.real.now_ms());
            events.extend(self.model.advance(0)?);
            is_taken = is_taken || self.real.expired_keys()? > before;
        }
        let sent = Sent { action, argv, queue: Vec::new(), messages: Vec::new(), closed: false, universe: None };
        if !is_taken || self.has_expired_keys() {
            let said = |is_taken: bool| if is_taken { "(taken by the cycle)" } else { "(never taken)" }.to_owned();
            return Ok(Some(difference(&sent, client, said(!self.has_expired_keys()), said(is_taken))));
        }
        self.compare_rest(client, &sent, events)
    }

    fn reconnect(&mut self, _: &Round, action: usize, client: usize) -> Result<Option<Difference>, TargetError> {
        let name = CLIENTS.get(client).copied().unwrap_or(CHECKER);
        self.model.set_now_ms(self.real.now_ms());
        let model = self.model.disconnect(name)?;
        let real = self.real.disconnect(name)?;
        self.connect(name, Protocol::Resp2)?;
        if model == real {
            return Ok(None);
        }
        Ok(Some(Difference {
            action,
            client: name.to_owned(),
            argv: Vec::new(),
            model: model.iter().map(|event| show_event(Some(event))).collect::<Vec<_>>().join("\n"),
            real: real.iter().map(|event| show_event(Some(event))).collect::<Vec<_>>().join("\n"),
        }))
    }

    /// Compares the keys of the databases: names, types, encodings, contents, TTLs.
    fn check(&mut self, action: usize) -> Result<Option<Difference>, TargetError> {
        for database in 0..DATABASES {
            let words = |words: &[&str]| words.iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
            let number = database.to_string();
            // An expired key counts until a command finds it, and an earlier SCAN may have found it on one side only: a complete SCAN finds
            // it on both.
            let whole_scan = words(&["SCAN", "0", "COUNT", "1000000"]);
            let mut first: Vec<Vec<Bytes>> =
                vec![words(&["SELECT", &number]), words(&["KEYS", "*"]), whole_scan, words(&["DBSIZE"])];
            first.retain(|argv| argv.first().is_some_and(|name| redis_model::command::by_name(name).is_some()));
            let found = self.run_commands(CHECKER, first.into_iter().map(|argv| (action, argv)).collect())?;
            if found.is_some() {
                return Ok(found);
            }
            let keys = self.keys(database);
            for chunk in keys.chunks(8) {
                let commands = chunk.iter().flat_map(|(key, type_name)| looks_at(key, type_name));
                let found = self.run_commands(CHECKER, commands.map(|argv| (action, argv)).collect())?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// The keys of the model with their types.
    fn keys(&self, database: usize) -> Vec<(Bytes, &'static str)> {
        let mut keys: Vec<_> = match self.model.server().db(database) {
            Some(db) => db.entries().iter().map(|(key, entry)| (key.clone(), entry.value.type_name())).collect(),
            None => Vec::new(),
        };
        keys.sort();
        keys
    }
}

/// Events as messages; an end of the connection counts as one.
fn messages(events: &[Event]) -> Vec<Value> {
    let message = |event: &Event| match &event.what {
        What::Message(value) => value.clone(),
        other => Value::error(format!("{other:?}")),
    };
    events.iter().map(message).collect()
}

/// Commands that show all of a key.
fn looks_at(key: &Bytes, type_name: &str) -> Vec<Vec<Bytes>> {
    let with = |before: &[&'static str], after: &[&'static str]| {
        let words = |words: &[&'static str]| words.iter().map(|w| Bytes::from_static(w.as_bytes())).collect::<Vec<_>>();
        [words(before), vec![key.clone()], words(after)].concat()
    };
    let content = match type_name {
        "string" => with(&["GET"], &[]),
        "list" => with(&["LRANGE"], &["0", "-1"]),
        "set" => with(&["SMEMBERS"], &[]),
        "hash" => with(&["HGETALL"], &[]),
        "zset" => with(&["ZRANGE"], &["0", "-1", "WITHSCORES"]),
        "stream" => with(&["XINFO", "STREAM"], &["FULL", "COUNT", "0"]),
        _ => with(&["EXISTS"], &[]),
    };
    // The usage counter comes first, because reading the content counts as an access.
    let uses = with(&["OBJECT", "FREQ"], &[]);
    vec![uses, with(&["TYPE"], &[]), with(&["OBJECT", "ENCODING"], &[]), content, with(&["PTTL"], &[])]
}

/// Would this command, queued, break the array of `EXEC`? A command that replies with one message per channel does: the array's length is
/// the number of commands, so the replies after it cannot be separated.
fn breaks_the_array(argv: &[Bytes]) -> bool {
    let is_subscription = argv.first().is_some_and(|name| name.to_ascii_lowercase().ends_with(b"subscribe"));
    // A queued `HELLO` changes the protocol in the middle of the array; the model encodes an array in one protocol.
    let is_hello = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"hello"));
    is_hello || is_subscription && argv.len() != 2
}

/// The first message that differs.
fn first_difference(sent: &Sent, client: &str, seen: &[Value], terms: Terms<'_>) -> Option<Difference> {
    if agree_as_streams(&sent.messages, seen, &sent.argv, &sent.queue, terms) {
        return None;
    }
    // Look for the first different reply first.
    if let (Some(ours), Some(theirs)) = (Stream::of(&sent.messages), Stream::of(seen))
        && let Some((model, real)) =
            ours.replies.iter().zip(&theirs.replies).find(|(a, b)| !agree(a, b, &sent.argv, &sent.queue, terms))
    {
        let (model, real) = narrowed(model, real, &sent.argv, &sent.queue, terms);
        return Some(difference(sent, client, show(&model), show(&real)));
    }
    let nth = sent.messages.iter().zip(seen).take_while(|(a, b)| a == b).count();
    let model = sent.messages.get(nth)?;
    let Some(real) = seen.get(nth) else {
        return Some(difference(sent, client, show(model), "(no reply)".to_owned()));
    };
    Some(difference(sent, client, show(model), show(real)))
}

fn difference(sent: &Sent, client: &str, model: String, real: String) -> Difference {
    Difference { action: sent.action, client: client.to_owned(), argv: sent.argv.clone(), model, real }
}

/// The output of redis-cli, with control characters escaped.
fn show(value: &Value) -> String {
    let text = cli::text(value, Protocol::Resp3);
    let harmless = |c: char| if c.is_control() && c != '\n' { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(harmless).collect()
}

fn show_event(event: Option<&Event>) -> String {
    match event {
        None => "(nothing)".to_owned(),
        Some(Event { client, what }) => match what {
            What::Message(value) => format!("{client}< {}", show(value)),
            What::Blocked => format!("{client}< (blocked)"),
            What::Silent => format!("{client}< (no reply)"),
            What::Closed => format!("{client}< (closed)"),
        },
    }
}
