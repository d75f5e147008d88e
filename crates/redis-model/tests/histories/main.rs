//! Random histories of inputs, generated from the command table: invariants that hold for any input at any time.
#![allow(clippy::indexing_slicing, clippy::expect_used)] // a test may panic

use std::{collections::BTreeMap, sync::LazyLock};

use bytes::Bytes;
use proptest::{collection::vec, prelude::*};
use redis_model::{
    Cause, ClientId, Config, Notify, Output, Policy, Server,
    command::{self, Arg, Command, Flags, Kind, Run},
    rng::Rng,
    value::{Value, limits::Limits},
};
use resp::Value as Reply;

const START_MS: u64 = 1_700_000_000_000;

/// One input. Commands are seeds, so that a failing history shrinks by removing inputs.
#[derive(Clone, Debug)]
enum Input {
    Connect,
    /// The `n`th connected client disconnects.
    Disconnect(usize),
    /// The `n`th connected client sends the command generated from this seed.
    Send(usize, u64),
    /// Milliseconds pass.
    Wait(u64),
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        1 => Just(Input::Connect),
        1 => (0usize..4).prop_map(Input::Disconnect),
        40 => (0usize..4, any::<u64>()).prop_map(|(client, seed)| Input::Send(client, seed)),
        4 => prop_oneof![0u64..50, 50u64..3000].prop_map(Input::Wait),
    ]
}

fn history() -> impl Strategy<Value = Vec<Input>> {
    vec(input(), 0..120)
}

// ── commands ───────────────────────────────────────────────────────────────────────────────────

/// Is this command used in random histories?
fn is_wanted(row: &Command) -> bool {
    // These would end or stall the history.
    let is_excluded =
        matches!(row.id(), ("", "quit" | "shutdown" | "pfselftest") | ("client", "kill" | "pause" | "reply"));
    matches!(row.run, Run::Call(_)) && !is_excluded
}

static ROWS: LazyLock<Vec<&'static Command>> = LazyLock::new(|| {
    let all = command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands));
    all.filter(|row| is_wanted(row)).collect()
});

/// A call that usually follows the command's grammar.
fn command(seed: u64) -> Vec<Bytes> {
    let mut rng = Rng::new(seed);
    let rng = &mut rng;
    // Commands that create values and end transactions, so that both happen often.
    const COMMON: [&str; 15] = [
        "zadd",
        "sadd",
        "hset",
        "rpush",
        "set",
        "pexpire",
        "multi",
        "exec",
        "watch",
        "subscribe",
        "bzpopmin",
        "blpop",
        "xadd",
        "xadd",
        "xreadgroup",
    ];
    let row = match rng.below(3) {
        0 => command::by_name(COMMON[rng.index(COMMON.len())].as_bytes()).expect("a command of Redis"),
        _ => ROWS[rng.index(ROWS.len())],
    };
    let mut argv = Vec::new();
    if !row.container.is_empty() {
        argv.push(Bytes::from(row.container));
    }
    argv.push(Bytes::from(row.name));
    for arg in &row.args() {
        push_argument(rng, arg, &mut argv);
    }
    match rng.below(30) {
        0 => _ = argv.pop(),
        1 => argv.push(word(rng, Kind::String, "")),
        _ => {}
    }
    if argv.is_empty() { vec![Bytes::from("ping")] } else { argv }
}

fn push_argument(rng: &mut Rng, arg: &Arg, argv: &mut Vec<Bytes>) {
    if arg.is_optional && rng.below(10) < 6 {
        return;
    }
    let times = if arg.is_multiple { 1 + rng.below(3) } else { 1 };
    for nth in 0..times {
        if !arg.token.is_empty() && (nth == 0 || arg.is_multiple_token) {
            argv.push(Bytes::from(arg.token));
        }
        match arg.kind {
            Kind::PureToken => {}
            Kind::OneOf => {
                let choice = rng.index(arg.parts.len());
                push_argument(rng, &arg.parts[choice], argv);
            }
            Kind::Block => arg.parts.iter().for_each(|part| push_argument(rng, part, argv)),
            kind => argv.push(word(rng, kind, &arg.name())),
        }
    }
}

fn word(rng: &mut Rng, kind: Kind, name: &str) -> Bytes {
    let pool: &[&str] = match (kind, name) {
        (Kind::Key, _) => &["k1", "k2", "k3", "k4", "k5"],
        (_, "numkeys") => &["1", "2", "2", "3"],
        (_, "timeout") => &["0", "0.1", "1", "1", "-1", "x"],
        (_, "seconds") => &["1", "2", "100", "-1", "0"],
        (_, "milliseconds") => &["1", "50", "700", "2000", "-1", "0"],
        (Kind::UnixTime, _) => &["1", "1700000001", "1700000002000", "99999999999999"],
        (_, "min" | "max") => &["-inf", "+inf", "1", "(2", "[a", "-", "+", "0"],
        (_, "cursor") => &["0", "0", "1", "x"],
        (_, "index" | "index1" | "index2" | "destination-db" | "db") => &["0", "0", "1", "99"],
        (_, "channel" | "shardchannel") => &["c1", "c2"],
        (Kind::Pattern, _) => &["*", "k?", "c*", "k*->a"],
        (_, "encoding") => &["u8", "i5", "u63", "i64", "u64"],
        (Kind::Integer, _) => &["0", "1", "2", "3", "10", "-1", "-2", "200", "x", "9223372036854775807"],
        (Kind::Double, _) => &["0", "1", "2.5", "-1", "inf", "-inf", "x", "-0"],
        (_, "id" | "last-id" | "start" | "end" | "threshold") => {
            &["1-1", "1-2", "2-*", "3-1", "1700000000500-1", "5", "0", "$", ">", "-", "+", "(1-1", "x"]
        }
        (_, "group" | "groupname") => &["g", "g", "h"],
        (_, "consumer" | "consumername") => &["alice", "bob"],
        (_, "min-idle-time") => &["0", "0", "100", "x"],
        _ => &["a", "b", "c", "d", "e", "1", "2", "30", "", "a long text, longer than the listpacks of these tests"],
    };
    // The same random element may be requested many times, and each is a part of the reply.
    match pool[rng.index(pool.len())] {
        "9223372036854775807" if name == "count" => Bytes::from("50"),
        word => Bytes::from(word),
    }
}

// ── playing ────────────────────────────────────────────────────────────────────────────────────

const POLICIES: [Policy; 8] = [
    Policy::Noeviction,
    Policy::AllkeysLru,
    Policy::AllkeysLfu,
    Policy::AllkeysRandom,
    Policy::VolatileLru,
    Policy::VolatileLfu,
    Policy::VolatileRandom,
    Policy::VolatileTtl,
];

/// Small thresholds, so that a few elements change an encoding; events are published; some seeds set a memory limit.
fn config(seed: u64) -> Config {
    let limits = Limits {
        hash_max_listpack_entries: 4,
        zset_max_listpack_entries: 4,
        set_max_intset_entries: 3,
        list_max_listpack_size: 4,
        stream_node_max_entries: 3,
        ..Limits::DEFAULT
    };
    Config {
        databases: 2,
        limits,
        notify_keyspace_events: Notify::ALL | Notify::KEYEVENT | Notify::NEW,
        // A little more than the server itself takes.
        maxmemory: if seed.is_multiple_of(4) { 878_500 } else { 0 },
        maxmemory_policy: POLICIES.get((seed / 4 % 8) as usize).copied().unwrap_or_default(),
        seed,
        ..Config::default()
    }
}

struct Play {
    server: Server,
    now_ms: u64,
}

impl Play {
    fn new(seed: u64) -> Play {
        let mut server = Server::new(config(seed), START_MS);
        server.connect(START_MS);
        server.connect(START_MS);
        Play { server, now_ms: START_MS }
    }

    fn client(&self, nth: usize) -> Option<ClientId> {
        let clients: Vec<ClientId> = self.server.clients().map(|client| client.id).collect();
        clients.get(nth % clients.len().max(1)).copied()
    }

    fn step(&mut self, input: &Input) -> Vec<Output> {
        match input {
            Input::Connect => {
                if self.server.clients().count() < 6 {
                    self.server.connect(self.now_ms);
                }
                Vec::new()
            }
            Input::Disconnect(nth) => {
                self.client(*nth).map(|client| self.server.disconnect(self.now_ms, client)).unwrap_or_default()
            }
            Input::Send(nth, seed) => {
                self.client(*nth).map(|id| self.server.handle(self.now_ms, id, command(*seed))).unwrap_or_default()
            }
            Input::Wait(ms) => {
                self.now_ms += ms;
                self.server.advance(self.now_ms)
            }
        }
    }
}

type Contents = BTreeMap<(usize, Bytes), (Value, Option<u64>)>;

/// All live keys with their values and deadlines.
fn contents(server: &Server) -> Contents {
    let of_db = |(index, db): (usize, &redis_model::Part<redis_model::Db>)| -> Vec<_> {
        let live = db.entries().iter().filter(|(key, _)| !db.is_expired(key, server.now_ms()));
        live.map(|(key, entry)| ((index, key.clone()), (entry.value.clone(), entry.expires_ms))).collect()
    };
    server.databases().iter().enumerate().flat_map(of_db).collect()
}

/// Does this output report a change of the key?
fn reports(output: &Output, of_db: usize, of_key: &Bytes) -> bool {
    match output {
        Output::Changed { db, key, .. } => *db == of_db && key == of_key,
        Output::Flushed { db, .. } => *db == of_db,
        Output::Swapped { first, second } => [first, second].contains(&&of_db),
        _ => false,
    }
}

fn hash_of(server: &Server) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    server.hash(&mut hasher);
    hasher.finish()
}

// ── what must hold ─────────────────────────────────────────────────────────────────────────────

proptest! {
    #[test]
    fn invariants_hold_after_every_input(seed in any::<u64>(), history in history()) {
        let mut play = Play::new(seed);
        for input in &history {
            play.step(input);
            if let Err(wrong) = play.server.check() {
                let sent = if let Input::Send(_, seed) = input { command(*seed) } else { Vec::new() };
                prop_assert!(false, "{wrong}, after {input:?} {sent:?}");
            }
        }
    }

    #[test]
    fn the_same_inputs_give_the_same_outputs_and_the_same_server(seed in any::<u64>(), history in history()) {
        let (mut one, mut other) = (Play::new(seed), Play::new(seed));
        for input in &history {
            prop_assert_eq!(one.step(input), other.step(input));
        }
        prop_assert_eq!(&one.server, &other.server);
        prop_assert_eq!(hash_of(&one.server), hash_of(&other.server));
    }

    #[test]
    fn later_inputs_do_not_change_a_clone(
        seed in any::<u64>(),
        before in history(),
        after in history(),
    ) {
        let mut play = Play::new(seed);
        before.iter().for_each(|input| _ = play.step(input));
        let (clone, hash) = (play.server.clone(), hash_of(&play.server));
        let now_ms = play.now_ms;
        let outputs: Vec<_> = after.iter().flat_map(|input| play.step(input)).collect();
        prop_assert_eq!(hash_of(&clone), hash);
        prop_assert_eq!(clone.check(), Ok(()));
        // The same inputs, applied to the clone, repeat the same outputs.
        let mut again = Play { server: clone, now_ms };
        let repeated: Vec<_> = after.iter().flat_map(|input| again.step(input)).collect();
        prop_assert_eq!(outputs, repeated);
        prop_assert_eq!(play.server, again.server);
    }

    #[test]
    fn splitting_time_into_steps_changes_nothing(seed in any::<u64>(), history in history(), pieces in vec(0u64..700, 1..10)) {
        let mut play = Play::new(seed);
        history.iter().for_each(|input| _ = play.step(input));
        let mut in_pieces = Play { server: play.server.clone(), now_ms: play.now_ms };
        let mut outputs = Vec::new();
        for piece in &pieces {
            outputs.extend(in_pieces.step(&Input::Wait(*piece)));
        }
        prop_assert_eq!(play.step(&Input::Wait(pieces.iter().sum())), outputs);
        prop_assert_eq!(play.server, in_pieces.server);
    }

    #[test]
    fn errors_and_reading_commands_change_nothing(
        seed in any::<u64>(),
        history in history(),
    ) {
        let mut play = Play::new(seed);
        for input in &history {
            // Run everything that is due first, so that only the effect of the command is compared.
            play.server.advance(play.now_ms);
            let before = contents(&play.server);
            let outputs = play.step(input);
            let Input::Send(nth, seed) = input else { continue };
            let argv = command(*seed);
            let is_error = matches!(outputs.as_slice(), [Output::Reply { value: Reply::Error(_), .. }]);
            let reads = command::find(&argv).is_ok_and(|row| row.flags.contains(Flags::READONLY));
            // Redis' own exceptions: SORT converts a sorted set to a skip list even if it fails; PFCOUNT stores its count,
            // and PFADD stops where the registers are corrupt.
            let is_exempt = |name: &Bytes| name.starts_with(b"sort") || [b"pfcount".as_slice(), b"pfadd"].contains(&name.as_ref());
            let is_exempt = argv.first().is_some_and(is_exempt);
            // Any command may first evict keys.
            let evicts =
                outputs.iter().any(|output| matches!(output, Output::Changed { cause: Cause::Eviction, .. }));
            if (is_error || reads) && !is_exempt && !evicts {
                prop_assert_eq!(before, contents(&play.server), "after {:?} by {}", argv, nth);
            }
        }
    }

    #[test]
    fn every_change_of_a_key_is_reported(seed in any::<u64>(), history in history()) {
        let mut play = Play::new(seed);
        for input in &history {
            play.server.advance(play.now_ms);
            let before = contents(&play.server);
            let outputs = play.step(input);
            let after = contents(&play.server);
            let sent = if let Input::Send(_, seed) = input { command(*seed) } else { Vec::new() };
            let keys = before.keys().chain(after.keys());
            for key in keys.filter(|key| before.get(*key) != after.get(*key)) {
                let is_reported = outputs.iter().any(|output| reports(output, key.0, &key.1));
                // A key that expires while time passes may not have been looked up yet.
                let is_expiry = !after.contains_key(key) && matches!(input, Input::Wait(_));
                prop_assert!(is_reported || is_expiry, "{:?} after {:?} {:?}", key, input, sent);
            }
        }
    }
}
