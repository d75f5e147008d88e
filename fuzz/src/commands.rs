//! One to three clients and a server: after any commands, the memory statistics are right and the run can be replayed.
//! An input is read as lines; other lines are skipped:
//!
//! ```text
//! a> SET k v           client a, b or c sends a command
//! a-                   its connection ends; the next command opens another
//! @+100ms              time passes
//! ```
use std::collections::BTreeMap;

use bytes::Bytes;
use redis_model::{
    Cause, ClientId, Config, Output, Server,
    command::{self, Flags},
    value,
};
use resp::{Protocol, Value, decode::decode_reply, encode::encode, split};
use world::{Fingerprint, fingerprint};

use crate::{engine, memory};

/// Maximum number of lines played per input.
const LINES_MAX: usize = 96;
/// Memory limit of the keys, and of all allocations of an input, including replies, queues, copies and the Lua machine.
const KEY_BYTES_MAX: u64 = 4 << 20;
const BYTES_MAX: usize = 256 << 20;
const START_MS: u64 = 1_767_268_800_000;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// This client sends these words.
    Send(usize, Vec<Bytes>),
    /// This client's connection ends.
    Leave(usize),
    /// This many milliseconds pass.
    Wait(u64),
}

impl Line {
    /// Parses a line.
    pub fn read(line: &[u8]) -> Option<Line> {
        if let Some(time) = line.strip_prefix(b"@+") {
            let ms = std::str::from_utf8(time.strip_suffix(b"ms")?).ok()?;
            return Some(Line::Wait(ms.parse::<u64>().ok()?.min(1 << 40)));
        }
        let (name, rest) = line.split_first()?;
        let client = usize::from(name.checked_sub(b'a')?);
        match rest {
            _ if client > 2 => None,
            b"-" => Some(Line::Leave(client)),
            [b'>', b' ', words @ ..] => {
                let argv = split::split(words).ok().filter(|argv| !argv.is_empty() && !raises_a_bound(argv))?;
                Some(Line::Send(client, argv))
            }
            _ => None,
        }
    }

    /// Parses all lines of an input.
    pub fn read_all(bytes: &[u8]) -> Vec<Line> {
        bytes.split(|byte| *byte == b'\n').filter_map(Line::read).take(LINES_MAX).collect()
    }
}

/// Would this command remove the limits under test? The owner of a server may do that.
pub fn raises_a_bound(argv: &[Bytes]) -> bool {
    let is = |word: &Bytes, name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let [name, what, words @ ..] = argv else { return false };
    // Scripts need no check: no script may run CONFIG.
    is(name, "config")
        && is(what, "set")
        && words.iter().any(|word| is(word, "maxmemory") || is(word, "proto-max-bulk-len"))
}

/// A server, its clients and its clock.
#[derive(Clone, PartialEq, Eq)]
struct Play {
    server: Server,
    clients: [Option<ClientId>; 3],
    now_ms: u64,
}

impl Play {
    fn new() -> Play {
        let config =
            Config { databases: 3, maxmemory: KEY_BYTES_MAX, proto_max_bulk_len: 1 << 20, ..Config::default() };
        let server = Server::new(config, START_MS).with_engine(engine::scripts());
        Play { server, clients: [None; 3], now_ms: START_MS }
    }

    fn connection(&mut self, client: usize) -> ClientId {
        let connection = self.clients[client];
        connection.filter(|id| self.server.client(*id).is_some()).unwrap_or_else(|| {
            let id = self.server.connect(self.now_ms);
            self.clients[client] = Some(id);
            id
        })
    }

    fn step(&mut self, line: &Line) -> Vec<Output> {
        match line {
            Line::Send(client, argv) => {
                let id = self.connection(*client);
                self.server.handle(self.now_ms, id, argv.clone())
            }
            Line::Leave(client) => {
                self.clients[*client].take().map(|id| self.server.disconnect(self.now_ms, id)).unwrap_or_default()
            }
            Line::Wait(ms) => {
                self.now_ms += ms;
                self.server.advance(self.now_ms)
            }
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.server)
    }

    /// Keys that have not expired, with their values and deadlines.
    fn contents(&self) -> BTreeMap<(usize, Bytes), (value::Value, Option<u64>)> {
        let mut contents = BTreeMap::new();
        for (index, db) in self.server.databases().iter().enumerate() {
            for (key, entry) in db.entries().iter().filter(|(key, _)| !db.is_expired(key, self.server.now_ms())) {
                contents.insert((index, key.clone()), (entry.value.clone(), entry.expires_ms));
            }
        }
        contents
    }
}

/// Plays an input, and checks the invariants after every line.
pub fn play(bytes: &[u8]) {
    let lines = Line::read_all(bytes);
    memory::within(BYTES_MAX, || play_lines(&lines));
}

fn play_lines(lines: &[Line]) {
    let mut play = Play::new();
    // From some line on a clone runs the same commands, and another clone stays unchanged.
    let twin_from = lines.len() / 2;
    let mut twin: Option<(Play, Play, Fingerprint)> = None;
    for (nth, line) in lines.iter().enumerate() {
        if nth == twin_from {
            twin = Some((play.clone(), play.clone(), play.fingerprint()));
        }
        // First advance to the present, so that the outputs are only those of the command.
        play.server.advance(play.now_ms);
        let before = play.contents();
        let outputs = play.step(line);
        if let Err(wrong) = play.server.check() {
            panic!("{wrong}, after {line:?}");
        }
        look_at_replies(&outputs);
        if changes_nothing(line, &outputs) {
            assert!(before == play.contents(), "a refusal has changed something: {line:?} {outputs:?}");
        }
        if let Some((twin, _, _)) = &mut twin {
            twin.server.advance(twin.now_ms);
            assert!(twin.step(line) == outputs, "a clone answers otherwise: {line:?}");
        }
    }
    if let Some((twin, left, fingerprint)) = twin {
        assert!(twin == play, "a clone that took the same inputs is another server");
        assert_eq!(twin.fingerprint(), play.fingerprint(), "equal servers have equal fingerprints");
        assert_eq!(left.fingerprint(), fingerprint, "a clone has seen what happened later");
    }
}

/// Every output can be decoded again as one value, in both protocols.
fn look_at_replies(outputs: &[Output]) {
    for output in outputs {
        if let Output::Reply { value, .. } | Output::Push { value, .. } = output {
            for protocol in [Protocol::Resp2, Protocol::Resp3] {
                let mut wire = Vec::new();
                encode(value, protocol, &mut wire);
                // A script may return any text as a big number; Redis sends that too.
                let is_read = || matches!(decode_reply(&wire), Ok(Some(_)));
                assert!(is_read() || format!("{value:?}").contains("BigNumber"), "cannot be read: {value:?}");
            }
        }
    }
}

/// Is this an error after which the command must have changed nothing? Not for commands that run other commands: their effects stay.
fn changes_nothing(line: &Line, outputs: &[Output]) -> bool {
    let Line::Send(_, argv) = line else { return false };
    let evicts = outputs.iter().any(|output| matches!(output, Output::Changed { cause: Cause::Eviction, .. }));
    let runs_others = |name: &str| {
        ["exec", "eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro"].contains(&name)
            // To walk a sorted set, SORT converts it to a skip list, even if it then fails; PFADD stops at broken registers.
            // PFCOUNT caches its count.
            || ["sort", "sort_ro", "pfadd", "pfcount"].contains(&name)
    };
    let is_refused = matches!(outputs, [Output::Reply { value: Value::Error(_), .. }]);
    let reads = command::find(argv).is_ok_and(|row| row.flags.contains(Flags::READONLY));
    let name = String::from_utf8_lossy(&argv[0]).to_ascii_lowercase();
    (is_refused || reads) && !evicts && !runs_others(&name)
}
