//! How replies of the two sides are compared: one row for each command with a reply that Redis does not fully define.
use std::fmt::Write as _;

use bytes::Bytes;
use resp::split::quote_command;
use resp::{Protocol, Value, cli};

use super::generate::CONFIGURED;
use super::picks::Universe;
use super::streams::{
    MASKED_FIELDS, Stream, masked_clients, masked_slowlog, sorted_docs, sorted_infos, without_connection, without_order,
};

/// How a reply is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Everything.
    Exact,
    /// Elements in any order.
    Items,
    /// Pairs of elements in any order.
    Pairs,
    /// A cursor and elements in any order; only their shape when the iteration is not complete.
    ScanItems,
    /// A cursor and pairs in any order; only their shape when the iteration is not complete.
    ScanPairs,
    /// Types and lengths of arrays, not contents.
    Shape,
    /// Each reply must be a valid pick from the elements before it.
    Picks,
    /// Times in units of this many ms may differ by the distance of the clocks.
    Clock(u64),
    /// Everything, except that times of deliveries and consumers may differ by the distance of the clocks.
    Times,
    /// Lines of connections, without the fields that belong to a socket.
    Clients,
    /// Commands and their subcommands by name.
    Docs,
    /// Commands in the requested order, their subcommands by name.
    Infos,
    /// Words of commands and names of clients, not numbers and times.
    Slowlog,
    /// Everything except the connection id.
    Hello,
    /// Only that both reply, and the text of errors.
    Presence,
}

/// (command, rule, reason)
pub const RULES: &[(&str, Rule, &str)] = &[
    ("keys", Rule::Items, "order of a hash table"),
    ("hkeys", Rule::Items, "order of a hash table"),
    ("hvals", Rule::Items, "order of a hash table"),
    ("hgetall", Rule::Pairs, "order of a hash table"),
    ("smembers", Rule::Items, "order of a hash table"),
    ("sunion", Rule::Items, "order of a hash table"),
    ("sinter", Rule::Items, "order of a hash table"),
    ("sdiff", Rule::Items, "order of a hash table"),
    ("scan", Rule::ScanItems, "order of a hash table"),
    ("sscan", Rule::ScanItems, "order of a hash table"),
    ("hscan", Rule::ScanPairs, "order of a hash table"),
    ("zscan", Rule::ScanPairs, "order of a hash table"),
    ("pubsub|channels", Rule::Items, "order of a hash table"),
    ("pubsub|shardchannels", Rule::Items, "order of a hash table"),
    ("command|list", Rule::Items, "order of a hash table"),
    ("command", Rule::Infos, "order of a hash table, in subcommands too"),
    ("command|info", Rule::Infos, "order of a hash table, in subcommands"),
    ("command|docs", Rule::Docs, "order of a hash table, in subcommands too"),
    ("spop", Rule::Picks, "random; the key is deleted behind it"),
    ("srandmember", Rule::Picks, "random"),
    ("hrandfield", Rule::Picks, "random"),
    ("zrandmember", Rule::Picks, "random"),
    ("randomkey", Rule::Picks, "random"),
    ("ttl", Rule::Clock(1000), "time passes between the two sides"),
    ("pttl", Rule::Clock(1), "time passes between the two sides"),
    ("expiretime", Rule::Clock(1000), "time passes between the two sides"),
    ("pexpiretime", Rule::Clock(1), "time passes between the two sides"),
    ("time", Rule::Shape, "time passes between the two sides"),
    ("lastsave", Rule::Presence, "time"),
    ("object|idletime", Rule::Presence, "time"),
    (
        "object|freq",
        Rule::Exact,
        "in rounds without scripts, whose words Redis keeps in objects with the counters of former ones",
    ),
    ("object|refcount", Rule::Shape, "a queued command holds on to its words; a COPY of a small integer is not shared"),
    ("xadd *", Rule::Exact, "only in streams ahead of the clock, which differs between the two sides"),
    ("xpending", Rule::Times, "time passes between the two sides"),
    ("xinfo|stream", Rule::Times, "time passes between the two sides"),
    ("xinfo|consumers", Rule::Times, "time passes between the two sides"),
    ("memory|usage", Rule::Presence, "sizes of allocations"),
    ("dump", Rule::Presence, "the serialisation is not modelled"),
    ("pmessage", Rule::Exact, "several patterns of one client match in the order of a hash table"),
    (
        "a message to oneself",
        Rule::Exact,
        "stands before, behind or inside the reply as Redis happened to write it; both are compared without the other",
    ),
    ("function|list", Rule::Items, "order of a hash table"),
    ("function|dump", Rule::Presence, "order of a hash table, and LZF is not modelled"),
    ("unsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("punsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("sunsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("info", Rule::Presence, "figures of a process"),
    ("lolwut", Rule::Presence, "art"),
    ("hello", Rule::Hello, "number of the connection"),
    ("client|id", Rule::Presence, "number of the connection"),
    ("client|info", Rule::Clients, "a socket, times, sizes of buffers"),
    ("client|list", Rule::Clients, "sockets, times, sizes of buffers"),
    ("config|get", Rule::Pairs, "order of a hash table; only of parameters that rounds set"),
    ("slowlog|get", Rule::Slowlog, "numbers and times; only behind a RESET, since the harness asks too"),
    ("slowlog|len", Rule::Exact, "only behind a RESET, since the harness asks too"),
];

/// The table of rules as text.
pub fn table() -> String {
    let mut text = String::new();
    for (command, rule, reason) in RULES {
        let rule = match rule {
            Rule::Exact => "exact".to_owned(),
            Rule::Items => "any order".to_owned(),
            Rule::Pairs => "pairs in any order".to_owned(),
            Rule::ScanItems => "complete scans in any order, others by shape".to_owned(),
            Rule::ScanPairs => "complete scans, pairs in any order, others by shape".to_owned(),
            Rule::Shape => "types and lengths".to_owned(),
            Rule::Picks => "picks from what there was, as many as asked for".to_owned(),
            Rule::Clock(_) => "as far apart as the clocks were".to_owned(),
            Rule::Times => "exact but for times, as far apart as the clocks".to_owned(),
            Rule::Clients => "lines of clients with some fields struck out".to_owned(),
            Rule::Docs => "sorted by name".to_owned(),
            Rule::Infos => "subcommands sorted by name".to_owned(),
            Rule::Slowlog => "words and names of clients".to_owned(),
            Rule::Hello => "exact but for one number".to_owned(),
            Rule::Presence => "answered".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{command:22} {rule:48} {reason}");
    }
    text.push_str("sort … BY constant     any order                                        order of a hash table, unstable sort\n");
    text.push_str("everything else        exact\n");
    for (field, reason) in MASKED_FIELDS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:22} {:48} {reason}", format!("{field}= of a client"), "not compared");
    }
    text
}

/// The rule for a command as sent.
pub fn rule(argv: &[Bytes]) -> Rule {
    let word = |nth: usize| argv.get(nth).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    let (name, sub) = (word(0), word(1));
    let full = [name.as_slice(), b"|", &sub].concat();
    if matches!(name.as_slice(), b"sort" | b"sort_ro") && sorts_by_nothing(argv) {
        let is_cut = argv.iter().any(|word| word.eq_ignore_ascii_case(b"limit"));
        return if is_cut { Rule::Presence } else { Rule::Items };
    }
    // Connection ids differ, so `CLIENT LIST ID` finds other connections.
    if full == b"client|list" && argv.get(2).is_some_and(|word| word.eq_ignore_ascii_case(b"id")) {
        return Rule::Presence;
    }
    let is_configured = |word: &Bytes| CONFIGURED.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
    if full == b"config|get" && !argv.iter().skip(2).all(is_configured) {
        return Rule::Presence;
    }
    // The row of a command with subcommands applies to the command alone.
    let is_it = |command: &str| {
        command.as_bytes() == full || command.as_bytes() == name && (name != b"command" || argv.len() == 1)
    };
    let row = RULES.iter().find(|(command, ..)| is_it(command));
    row.map_or(Rule::Exact, |(_, rule, _)| *rule)
}

/// `SORT … BY constant` returns the hash table order of a set, and an `ALPHA` sort by other keys is unstable, so equal elements have no
/// defined order.
pub(super) fn sorts_by_nothing(argv: &[Bytes]) -> bool {
    let has = |name: &[u8]| argv.iter().skip(2).any(|word| word.eq_ignore_ascii_case(name));
    let by = argv.iter().skip(2).position(|word| word.eq_ignore_ascii_case(b"by"));
    let pattern = by.and_then(|at| argv.get(at.saturating_add(3)));
    pattern.is_some_and(|pattern| !pattern.contains(&b'*')) || (pattern.is_some() && has(b"alpha"))
}

/// The context of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// Largest distance of the two clocks in this round, in ms.
    pub apart_ms: u64,
    /// The elements from which a random pick chooses.
    pub universe: Option<&'a Universe>,
    /// It is the reply of a command in a transaction.
    pub is_in_exec: bool,
    /// The address of the harness's own connection, which only the real server has.
    pub observer: &'a str,
}

/// Are two messages equal under a rule? `queue` holds the commands of an `EXEC`.
pub fn agree(model: &Value, real: &Value, argv: &[Bytes], queue: &[Vec<Bytes>], terms: Terms<'_>) -> bool {
    if model.is_error() || real.is_error() {
        return model == real;
    }
    if argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"))
        && let (Value::Array(model), Value::Array(real)) = (model, real)
    {
        // Inside a transaction the elements at the time of the pick are not known.
        let terms = Terms { universe: None, is_in_exec: true, ..terms };
        let is_in_order = model.len() == real.len()
            && queue.len() == model.len()
            && model.iter().zip(real).zip(queue).all(|((model, real), argv)| agree(model, real, argv, &[], terms));
        return is_in_order || without_order(model) == without_order(real);
    }
    agree_by(rule(argv), model, real, argv, terms)
}

/// Did a client receive the same for a command: equal replies under the command's rule, and equal messages?
pub(super) fn agree_as_streams(
    model: &[Value],
    real: &[Value],
    argv: &[Bytes],
    queue: &[Vec<Bytes>],
    terms: Terms<'_>,
) -> bool {
    let (Some(ours), Some(theirs)) = (Stream::of(model), Stream::of(real)) else { return false };
    let are_same = |(a, b): (&Value, &Value)| agree(a, b, argv, queue, terms);
    let replies_agree =
        ours.replies.len() == theirs.replies.len() && ours.replies.iter().zip(&theirs.replies).all(are_same);
    without_order(&ours.messages) == without_order(&theirs.messages)
        && (replies_agree || without_order(&ours.replies) == without_order(&theirs.replies))
}

/// For two replies of `EXEC`, only the commands whose replies differ; other messages unchanged.
pub(super) fn narrowed(
    model: &Value,
    real: &Value,
    argv: &[Bytes],
    queue: &[Vec<Bytes>],
    terms: Terms<'_>,
) -> (Value, Value) {
    let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
    match (model, real) {
        (Value::Array(a), Value::Array(b)) if is_exec && a.len() == b.len() && a.len() == queue.len() => {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for ((a, b), argv) in a.iter().zip(b).zip(queue) {
                if !agree(a, b, argv, &[], terms) {
                    let command = Value::Simple(Bytes::from(quote_command(argv)));
                    ours.extend([command.clone(), a.clone()]);
                    theirs.extend([command, b.clone()]);
                }
            }
            (Value::Array(ours), Value::Array(theirs))
        }
        _ => (model.clone(), real.clone()),
    }
}

fn agree_by(rule: Rule, model: &Value, real: &Value, argv: &[Bytes], terms: Terms<'_>) -> bool {
    match rule {
        Rule::Exact => model == real,
        Rule::Items => items(model, 1) == items(real, 1) && items(model, 1).is_some(),
        Rule::Pairs => items(model, 2) == items(real, 2) && items(model, 2).is_some(),
        Rule::ScanItems => agree_scan(model, real, argv, 1),
        Rule::ScanPairs => agree_scan(model, real, argv, 2),
        Rule::Shape => same_shape(model, real),
        Rule::Picks => match terms.universe {
            Some(universe) => universe.allows(argv, model) && universe.allows(argv, real),
            None => same_shape(model, real),
        },
        Rule::Clock(unit_ms) => match (model, real) {
            // A negative number means that there is no time.
            (Value::Integer(a), Value::Integer(b)) if *a > 0 && *b > 0 => {
                a.abs_diff(*b) <= terms.apart_ms.div_ceil(unit_ms.max(1))
            }
            _ => model == real,
        },
        Rule::Times => same_but_for_times(model, real, terms.apart_ms),
        Rule::Clients => {
            let masked = |value, hidden| masked_clients(value, hidden, terms.is_in_exec);
            let (ours, theirs) = (masked(model, ""), masked(real, terms.observer));
            ours.is_some() && ours == theirs
        }
        Rule::Docs => sorted_docs(model) == sorted_docs(real),
        Rule::Infos => sorted_infos(model, argv.len() < 3) == sorted_infos(real, argv.len() < 3),
        Rule::Slowlog => masked_slowlog(model).is_some() && masked_slowlog(model) == masked_slowlog(real),
        Rule::Hello => without_connection(model) == without_connection(real),
        Rule::Presence => true,
    }
}

/// Compares two replies about pending entries and consumers. A time follows a name such as `idle`, and in an entry of a pending list (`id,
/// owner, time, deliveries` or `id, time, deliveries`) it comes before the last number.
fn same_but_for_times(model: &Value, real: &Value, by_ms: u64) -> bool {
    let near = |a: &Value, b: &Value| match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.abs_diff(*b) <= by_ms,
        _ => false,
    };
    let is_named = |name: &Value| matches!(name, Value::Bulk(name) if matches!(name.as_ref(), b"idle" | b"seen-time"));
    let same = |a: &Value, b: &Value| same_but_for_times(a, b, by_ms);
    match (model, real) {
        (Value::Array(model), Value::Array(real)) if model.len() == real.len() => {
            let time_at = match model.as_slice() {
                [Value::Bulk(_), Value::Integer(_), Value::Integer(_)] => Some(1),
                [Value::Bulk(_), Value::Bulk(_), Value::Integer(_), Value::Integer(_)] => Some(2),
                _ => None,
            };
            let mut is_time = false;
            model.iter().zip(real).enumerate().all(|(at, (a, b))| {
                let was_named = std::mem::replace(&mut is_time, is_named(a));
                if was_named || time_at == Some(at) { near(a, b) } else { same(a, b) }
            })
        }
        (Value::Map(model), Value::Map(real)) if model.len() == real.len() => {
            let pairs = model.iter().zip(real);
            pairs
                .into_iter()
                .all(|(a, b)| a.0 == b.0 && if is_named(&a.0) { near(&a.1, &b.1) } else { same(&a.1, &b.1) })
        }
        _ => model == real,
    }
}

/// Elements in groups of `size`, sorted by their text.
fn items(value: &Value, size: usize) -> Option<Vec<Vec<String>>> {
    let text = |value: &Value| cli::text(value, Protocol::Resp3);
    let mut groups: Vec<Vec<String>> = match value {
        Value::Array(items) | Value::Set(items) => {
            items.chunks(size).map(|group| group.iter().map(text).collect()).collect()
        }
        Value::Map(pairs) => pairs.iter().map(|(key, value)| vec![text(key), text(value)]).collect(),
        _ => return None,
    };
    groups.sort();
    Some(groups)
}

fn agree_scan(model: &Value, real: &Value, argv: &[Bytes], size: usize) -> bool {
    let (Value::Array(model), Value::Array(real)) = (model, real) else { return false };
    let ([model_cursor, model_items], [real_cursor, real_items]) = (model.as_slice(), real.as_slice()) else {
        return false;
    };
    let done = Value::bulk("0");
    let is_scan = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"scan"));
    let from = argv.get(if is_scan { 1 } else { 2 });
    let starts = from.is_some_and(|cursor| cursor.as_ref() == b"0");
    // A scan that is complete on one side may be incomplete on the other, whose table may be larger for a while.
    if starts && *model_cursor == done && *real_cursor == done {
        return items(model_items, size) == items(real_items, size);
    }
    matches!((model_cursor, real_cursor), (Value::Bulk(_), Value::Bulk(_)))
        && matches!((model_items, real_items), (Value::Array(_), Value::Array(_)))
}

fn same_shape(a: &Value, b: &Value) -> bool {
    let same = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_shape(a, b));
    match (a, b) {
        (Value::Array(a), Value::Array(b)) | (Value::Set(a), Value::Set(b)) | (Value::Push(a), Value::Push(b)) => {
            same(a, b)
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_shape(&a.0, &b.0) && same_shape(&a.1, &b.1))
        }
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
