//! Generates random rounds: actions of three clients from an empty server to a final comparison.
use bytes::Bytes;
use redis_model::command::{self, Command, Group, Run};
use redis_model::rng::Rng;
use resp::Protocol;

use super::grammar;
use super::pools::{consumer_name, degrees, group_name, key, key_of_stream, one_in, pick, text};
use super::rules::sorts_by_nothing;
use super::scripts;

/// Names of the clients.
pub(super) const CLIENTS: [&str; 3] = ["a", "b", "c"];

/// One action of a round. Shrinking a difference keeps or drops it as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// A client sends these commands.
    Send {
        /// Index into [`CLIENTS`].
        client: usize,
        /// Mostly one; more if the first alone would make the two sides diverge.
        commands: Vec<Vec<Bytes>>,
    },
    /// A key gets a TTL of a few ms, and both sides wait until it has expired.
    Expire {
        /// Index into [`CLIENTS`].
        client: usize,
        /// The key.
        key: Bytes,
    },
    /// A client closes its connection and opens a new one.
    Reconnect {
        /// Index into [`CLIENTS`].
        client: usize,
    },
    /// All keys are compared.
    Check,
}

/// The configuration and the actions of a round.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) config: Vec<(String, String)>,
    pub(super) protocols: [Protocol; 3],
    /// Keys also expire by the active cycle of the servers, not only on access.
    pub(super) is_expiry_active: bool,
    pub(super) actions: Vec<Action>,
}

/// Commands that are never generated, and why.
pub(super) const EXCLUDED: &[(&str, &str)] = &[
    ("shutdown", "ends the server"),
    ("debug", "touches the process"),
    ("monitor", "shows the harness' own commands"),
    ("quit", "closes the connection; golden scripts cover it"),
    ("replicaof", "replication"),
    ("slaveof", "replication"),
    ("psync", "replication"),
    ("sync", "replication"),
    ("replconf", "replication"),
    ("wait", "counts replicas"),
    ("failover", "replication"),
    ("migrate", "wants another server"),
    ("save", "touches the disk"),
    ("bgsave", "touches the disk"),
    ("bgrewriteaof", "touches the disk"),
    ("client|kill", "wants numbers of connections; golden scripts cover it"),
    ("client|unblock", "wants numbers of connections; golden scripts cover it"),
    ("client|pause", "stops the clock of one side; golden scripts cover it"),
    ("client|unpause", "with it"),
    ("client|reply", "silences the connection; golden scripts cover it"),
    ("client|tracking", "not modelled"),
    ("client|caching", "not modelled"),
    ("client|trackinginfo", "not modelled"),
    ("client|getredir", "not modelled"),
    ("script|debug", "the debugger talks over the connection"),
    ("config|set", "random parameters; rounds set chosen ones"),
    ("config|rewrite", "touches the disk"),
    ("auth", "asks for a password"),
    ("latency", "times of a process"),
    ("memory", "sizes of a process"),
    ("acl", "not modelled"),
    ("module", "loads code"),
    ("cluster", "no cluster"),
    ("slowlog", "times"),
    ("info", "figures of a process"),
    ("lolwut", "art"),
    ("pfselftest", "takes a second; a golden script covers it"),
    ("restore", "the serialisation is not modelled"),
    ("restore-asking", "the serialisation is not modelled"),
    ("dump", "the serialisation is not modelled"),
];

/// Commands that are generated less often: one in this many.
const RARE: &[(&str, u64)] = &[
    ("command|docs", 40),
    ("command|info", 20),
    ("command|list", 10),
    ("flushall", 20),
    ("flushdb", 12),
    ("select", 4),
    ("xsetid", 6),
    ("xgroup|destroy", 3),
    ("xgroup|help", 20),
    ("xinfo|help", 20),
    ("swapdb", 6),
    ("move", 2),
    ("reset", 8),
    ("hello", 4),
    ("subscribe", 4),
    ("psubscribe", 4),
    ("ssubscribe", 6),
    ("keys", 2),
    ("object|help", 8),
    ("script|flush", 6),
    ("script|help", 20),
    ("script|kill", 20),
    ("script|exists", 8),
    ("script|load", 3),
    ("function|flush", 6),
    ("function|help", 20),
    ("function|kill", 20),
    ("function|stats", 8),
    ("function|restore", 12),
    ("function|dump", 20),
    ("function|list", 8),
    ("function|load", 2),
    ("evalsha_ro", 3),
    ("fcall_ro", 3),
    ("eval_ro", 2),
];

/// Parameters that rounds set; their values are equal on both sides.
pub(super) const CONFIGURED: &[&str] = &[
    "stream-node-max-entries",
    "stream-node-max-bytes",
    "hash-max-listpack-entries",
    "hash-max-ziplist-entries",
    "hash-max-*",
    "zset-max-listpack-entries",
    "zset-max-*",
    "set-max-intset-entries",
    "list-max-listpack-size",
    "list-*",
    "hll-sparse-max-bytes",
    "maxmemory",
    "maxmemory-policy",
    "lfu-*",
    "lfu-log-factor",
    "notify-keyspace-events",
    "slowlog-log-slower-than",
    "slowlog-*",
    "nosuchparameter",
];

/// The theme of a round.
#[derive(Clone, Copy, Debug)]
struct Theme {
    /// The family of most of its commands.
    focus: Option<Group>,
    /// Maximum number of elements that one command adds to a value.
    items_max: u64,
    /// Number of distinct elements.
    names: u64,
    /// Scripts are generated. Redis reuses the argument objects of their calls together with their old LFU counters, which would show in
    /// rounds that compare these counters.
    has_scripts: bool,
    /// Every command is slow enough for the slow log.
    logs_all: bool,
    /// The server deletes expired keys at a time of its own choice.
    is_expiry_active: bool,
}

/// Generates rounds from the rows of the command table.
#[derive(Debug)]
pub(super) struct Generator {
    rows: Vec<&'static Command>,
    /// Commands that scripts call.
    called_by_scripts: Vec<&'static Command>,
}

impl Generator {
    /// Uses the rows of these families; of all if the list is empty.
    pub(super) fn new(families: &[String]) -> Generator {
        let mut rows = Vec::new();
        for row in command::all() {
            if matches!(row.run, Run::Container | Run::ContainerOr(_)) {
                rows.extend(row.subcommands.iter());
            } else {
                rows.push(row);
            }
        }
        rows.retain(|row| matches!(row.run, Run::Call(_)) && !is_excluded(row) && is_modelled_family(row.group));
        let called_by_scripts = rows.iter().copied().filter(|row| row.group != Group::Scripting).collect();
        rows.retain(|row| families.is_empty() || families.iter().any(|family| family == row.group.name()));
        Generator { rows, called_by_scripts }
    }

    /// Commands that can be generated.
    pub(super) fn commands(&self) -> usize {
        self.rows.len()
    }

    /// A round of about `length` commands; a function of the seed and its number.
    pub(super) fn round(&self, seed: u64, number: u64, length: usize) -> Round {
        let mut rng = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rng = &mut rng;
        // Most rounds are about one family, so that its values grow.
        let focus = self.rows.get(rng.index(self.rows.len())).filter(|_| !one_in(rng, 3)).map(|row| row.group);
        // Some rounds have values above the usual limits of the small encodings; they have fewer commands.
        let is_big = one_in(rng, 8);
        let (items_max, names) = if is_big { (300, 900) } else { (12, 30) };
        let length = if is_big { length / 3 } else { length };
        let protocol = |rng: &mut Rng| if one_in(rng, 3) { Protocol::Resp3 } else { Protocol::Resp2 };
        let mut round = Round {
            config: config(rng),
            protocols: [protocol(rng), protocol(rng), protocol(rng)],
            is_expiry_active: one_in(rng, 3),
            actions: Vec::new(),
        };
        let counts_uses = round.config.iter().any(|(name, _)| name == "maxmemory-policy");
        let logs_all = round.config.iter().any(|(name, _)| name == "slowlog-log-slower-than");
        let is_expiry_active = round.is_expiry_active;
        let theme = Theme { focus, items_max, names, has_scripts: !counts_uses, logs_all, is_expiry_active };
        // If keyspace events are on, one client subscribes to all of them and sends little else.
        let tells_events = round.config.iter().any(|(name, _)| name == "notify-keyspace-events");
        if tells_events {
            round.actions.push(send(2, &[b"PSUBSCRIBE", b"__key*"]));
        }
        let speakers = if tells_events { 2 } else { CLIENTS.len() };
        // Clients change rarely, so runs of commands of one client are sent in one write.
        let mut client = 0;
        for nth in 0..length {
            if rng.below(8) == 0 {
                client = if one_in(rng, 40) { 2 } else { rng.index(speakers) };
            }
            if let Some(action) = self.action(rng, client, theme, nth) {
                round.actions.push(action);
            }
            if nth % 200 == 199 && command::by_name(b"keys").is_some() {
                round.actions.push(Action::Check);
            }
        }
        if command::by_name(b"keys").is_some() {
            round.actions.push(Action::Check);
        }
        round
    }

    /// Some commands between a `SLOWLOG RESET` and reads of the log, all in one write, because the real server also logs the commands of
    /// the harness.
    fn logged(&self, rng: &mut Rng, client: usize, theme: Theme) -> Action {
        let words = |text: &str| text.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
        let mut commands: Vec<Vec<Bytes>> = vec![words("SLOWLOG RESET")];
        for _ in 0..rng.below(5) {
            let row = self.rows.get(rng.index(self.rows.len()));
            let argv = match row {
                Some(row) if row.group != Group::Scripting && row.full_name() != "config|get" => {
                    grammar::call(rng, row)
                }
                _ => continue,
            };
            if theme.is_expiry_active && argv.iter().any(sets_a_moment) {
                continue;
            }
            if let Some(Action::Send { commands: more, .. }) = settled(client, argv) {
                commands.extend(more);
            }
        }
        commands.extend(builder(rng, theme));
        commands.extend([words("SLOWLOG LEN"), words("SLOWLOG GET")]);
        Action::Send { client, commands }
    }

    fn action(&self, rng: &mut Rng, client: usize, theme: Theme, nth: usize) -> Option<Action> {
        match rng.below(400) {
            0 => return Some(Action::Reconnect { client }),
            1 if command::by_name(b"pexpire").is_some() && one_in(rng, 3) => {
                let group = theme.focus.unwrap_or(Group::Generic);
                return Some(Action::Expire { client, key: key(rng, group) });
            }
            2..=9 => return Some(send(client, &[b"MULTI"])),
            10..=24 => return Some(send(client, &[b"EXEC"])),
            25 => return Some(send(client, &[b"NOSUCHCOMMAND", b"a", b"b"])),
            26..=27 => return Some(send(client, &[b"UNSUBSCRIBE"])),
            28..=29 => return Some(send(client, &[b"PUNSUBSCRIBE"])),
            30..=31 => return Some(send(client, &[b"RESET"])),
            399 if theme.logs_all => return Some(self.logged(rng, client, theme)),
            32..=90 if is_about_streams(rng, theme) => {
                let argv = stream_builder(rng, theme, nth);
                return Some(Action::Send { client, commands: vec![argv] });
            }
            32..=90 => return builder(rng, theme).map(|argv| Action::Send { client, commands: vec![argv] }),
            _ => {}
        }
        let wanted = theme.focus.filter(|_| !one_in(rng, 5));
        let rows: Vec<&&Command> =
            self.rows.iter().filter(|row| wanted.is_none_or(|group| row.group == group)).collect();
        let row = rows.get(rng.index(rows.len()))?;
        let name = row.full_name();
        if RARE.iter().any(|(rare, times)| *rare == name && !one_in(rng, *times)) {
            return None;
        }
        let argv = match row.group {
            Group::Scripting if !theme.has_scripts => return None,
            Group::Scripting => scripts::call(rng, row, &self.called_by_scripts),
            _ if name == "config|get" => config_get(rng),
            _ => grammar::call(rng, row),
        };
        // A SET with a time in the past leaves an expired key, and the cycle deletes it at an unknown moment.
        if theme.is_expiry_active && argv.iter().any(sets_a_moment) {
            return None;
        }
        settled(client, argv)
    }
}

fn sets_a_moment(word: &Bytes) -> bool {
    let word = word.to_ascii_lowercase();
    word.windows(4).any(|part| part == b"exat" || part == b"pxat")
}

/// Sets parameters to equal values on both sides.
fn config_get(rng: &mut Rng) -> Vec<Bytes> {
    let mut argv = vec![Bytes::from_static(b"CONFIG"), Bytes::from_static(b"GET")];
    for _ in 0..rng.below(3).saturating_add(1) {
        argv.extend(pick(rng, CONFIGURED).map(|name| Bytes::from_static(name.as_bytes())));
    }
    argv
}

/// Adds commands that make the two sides equal again after a command with a random or undefined effect; `None` if that is impossible.
fn settled(client: usize, argv: Vec<Bytes>) -> Option<Action> {
    let is = |name: &[u8]| argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name));
    let stores = argv.iter().skip(2).any(|word| word.eq_ignore_ascii_case(b"store"));
    if is(b"sort") && stores && sorts_by_nothing(&argv) {
        return None;
    }
    // The selected elements are undefined, and so are the keys that are looked up and their usage counters.
    let has = |name: &[u8]| argv.iter().skip(2).any(|word| word.eq_ignore_ascii_case(name));
    if (is(b"sort") || is(b"sort_ro")) && sorts_by_nothing(&argv) && has(b"limit") && has(b"get") {
        return None;
    }
    if is(b"xadd") && argv.iter().skip(2).any(|word| word.as_ref() == b"*") {
        return Some(Action::Send { client, commands: ahead_of_the_clock(argv) });
    }
    let mut commands = vec![argv.clone()];
    if is(b"spop")
        && let Some(key) = argv.get(1)
    {
        commands.push(vec![Bytes::from_static(b"DEL"), key.clone()]);
    }
    // A stored distance shows its last digit, which the C library rounds wrongly about once in several hundred times.
    if let Some(at) = argv.iter().skip(4).position(|word| word.eq_ignore_ascii_case(b"storedist")) {
        let target = if is(b"geosearchstore") { argv.get(1) } else { argv.get(at.saturating_add(5)) };
        commands.extend(target.map(|key| vec![Bytes::from_static(b"DEL"), key.clone()]));
    }
    Some(Action::Send { client, commands })
}

fn send(client: usize, words: &[&'static [u8]]) -> Action {
    Action::Send { client, commands: vec![words.iter().map(|word| Bytes::from_static(word)).collect()] }
}

/// `XADD key *` takes its id from the clock, and the two clocks differ. If the last id of the stream is ahead of both clocks, the new id is
/// the next number: so the command goes to a separate key, after an entry with such an id.
fn ahead_of_the_clock(mut argv: Vec<Bytes>) -> Vec<Vec<Bytes>> {
    if let Some(key) = argv.get_mut(1) {
        *key = Bytes::from_static(b"j9");
    }
    let first: [&'static [u8]; 5] = [b"XADD", b"j9", b"99999999999999-*", b"f", b"v"];
    vec![first.iter().map(|word| Bytes::from_static(word)).collect(), argv]
}

fn is_about_streams(rng: &mut Rng, theme: Theme) -> bool {
    theme.focus.map_or_else(|| one_in(rng, 6), |group| group == Group::Stream)
        && command::by_name(b"xadd").is_some_and(|row| matches!(row.run, Run::Call(_)))
}

/// Adds an entry, a group or a consumer; ids grow with the round.
fn stream_builder(rng: &mut Rng, theme: Theme, nth: usize) -> Vec<Bytes> {
    let own_key = key_of_stream(rng);
    let words = |text: String| text.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
    match rng.below(20) {
        0..=2 => {
            let id = pick(rng, &["0", "$", "5-1"]).unwrap_or("0");
            words(format!("XGROUP CREATE {own_key} {} {id} MKSTREAM", group_name(rng)))
        }
        3..=7 => {
            let (group, consumer) = (group_name(rng), consumer_name(rng));
            let options = pick(rng, &["", "", "COUNT 2 ", "NOACK ", "BLOCK 0 ", "COUNT 1 BLOCK 100000 "]).unwrap_or("");
            words(format!("XREADGROUP GROUP {group} {consumer} {options}STREAMS {own_key} >"))
        }
        8 => words(format!("XREAD BLOCK 0 STREAMS {own_key} $")),
        _ => {
            let mut argv: Vec<Bytes> = words(format!("XADD {own_key} {}-*", nth / 3));
            for _ in 0..rng.below(theme.items_max.min(4)).saturating_add(1) {
                argv.push(Bytes::from(format!("f{}", rng.below(3))));
                argv.push(text(rng));
            }
            argv
        }
    }
}

/// A command that adds to a value, so that other commands have data to work on.
fn builder(rng: &mut Rng, theme: Theme) -> Option<Vec<Bytes>> {
    let groups =
        [Group::String, Group::List, Group::Hash, Group::Set, Group::SortedSet, Group::Geo, Group::Hyperloglog];
    let group = theme
        .focus
        .filter(|group| groups.contains(group))
        .unwrap_or_else(|| groups.get(rng.index(groups.len())).copied().unwrap_or(Group::String));
    let name: &[u8] = match group {
        Group::List => b"RPUSH",
        Group::Hash => b"HSET",
        Group::Set => b"SADD",
        Group::SortedSet => b"ZADD",
        Group::Geo => b"GEOADD",
        Group::Hyperloglog => b"PFADD",
        _ => b"SET",
    };
    command::by_name(name)?;
    let own_key = loop {
        let key = key(rng, group);
        // Builders use keys of their own type, so that keys hold the right type most of the time.
        if key.first() != Some(&b'x') {
            break key;
        }
    };
    let is_of_integers = group == Group::Set && own_key.ends_with(b"2");
    let has_one_score = own_key.ends_with(b"3");
    let mut argv = vec![Bytes::copy_from_slice(name), own_key];
    let items = if group == Group::String { 1 } else { rng.below(theme.items_max).saturating_add(1) };
    for _ in 0..items {
        match group {
            Group::Hash => argv.push(Bytes::from(format!("f{}", rng.below(theme.names)))),
            // Ranges by lexicographic order need members with equal scores.
            Group::SortedSet if has_one_score => argv.push(Bytes::from_static(b"0")),
            Group::SortedSet => argv.push(Bytes::from(rng.below(8).to_string())),
            Group::Geo => argv.extend([degrees(rng, "longitude"), degrees(rng, "latitude")]),
            _ => {}
        }
        argv.push(match rng.below(3) {
            // Many different elements, so that runs are split and joined, and sparse becomes dense.
            _ if group == Group::Hyperloglog => Bytes::from(format!("e{}", rng.below(theme.names * 20))),
            _ if is_of_integers => Bytes::from(rng.below(theme.names).to_string()),
            0 => text(rng),
            1 => Bytes::from(rng.below(theme.names).to_string()),
            _ => Bytes::from(format!("m{}", rng.below(theme.names))),
        });
    }
    Some(argv)
}

/// Small thresholds in some rounds, so that small values already change their encoding.
fn config(rng: &mut Rng) -> Vec<(String, String)> {
    let mut config = Vec::new();
    if command::by_name(b"config").is_none() {
        return config;
    }
    let mut set = |name: &str, value: &str| config.push((name.to_owned(), value.to_owned()));
    if one_in(rng, 2) {
        set("stream-node-max-entries", pick(rng, &["3", "3", "1", "0"]).unwrap_or("3"));
        set("stream-node-max-bytes", pick(rng, &["4096", "4096", "100", "0"]).unwrap_or("4096"));
        set("hash-max-listpack-entries", "6");
        set("zset-max-listpack-entries", "6");
        set("set-max-intset-entries", "6");
        set("list-max-listpack-size", pick(rng, &["4", "-1", "1"]).unwrap_or("4"));
    }
    if one_in(rng, 2) {
        set("hll-sparse-max-bytes", pick(rng, &["0", "25", "60", "300", "10000"]).unwrap_or("60"));
    }
    // With a factor of 0 every access of a key counts, so OBJECT FREQ returns the number of accesses. The limit is never reached.
    if one_in(rng, 3) {
        set("maxmemory", "4gb");
        set("maxmemory-policy", pick(rng, &["allkeys-lfu", "volatile-lfu"]).unwrap_or("allkeys-lfu"));
        set("lfu-log-factor", "0");
        set("lfu-decay-time", "0");
    }
    // Every command is logged. The log keeps the minimum, the maximum or a few entries.
    if one_in(rng, 4) {
        set("slowlog-log-slower-than", "0");
        set("slowlog-max-len", pick(rng, &["128", "3", "1", "0"]).unwrap_or("128"));
    }
    // Without `m`: a SORT that looks up keys for the elements of a set misses them in the order of a hash table.
    if one_in(rng, 4) {
        set("notify-keyspace-events", pick(rng, &["KEA", "Elg", "K$szhx", "KEAn"]).unwrap_or("KEA"));
    }
    config
}

fn is_excluded(row: &Command) -> bool {
    let name = row.full_name();
    EXCLUDED.iter().any(|(excluded, _)| *excluded == name || *excluded == row.container && !row.container.is_empty())
}

const fn is_modelled_family(group: Group) -> bool {
    !matches!(group, Group::Cluster)
}
