//! How replies of the two sides are compared: one row a command whose reply Redis leaves open.
use std::fmt::Write as _;

use bytes::Bytes;
use resp::split::quote_command;
use resp::{Protocol, Value, cli};

/// What of a reply is compared.
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
    /// Numbers may differ by this much, since the two clocks are read one after the other.
    Within(i64),
    /// Everything, except that times of deliveries and consumers may differ by this much.
    Times(u64),
    /// Only that both answer, or which error they answer.
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
    ("command", Rule::Presence, "order of a hash table, in subcommands too"),
    ("command|info", Rule::Presence, "order of a hash table, in subcommands too"),
    ("command|docs", Rule::Presence, "order of a hash table"),
    ("spop", Rule::Shape, "random; the key is deleted behind it"),
    ("srandmember", Rule::Shape, "random"),
    ("hrandfield", Rule::Shape, "random"),
    ("zrandmember", Rule::Shape, "random"),
    ("randomkey", Rule::Shape, "random"),
    ("ttl", Rule::Within(2), "time passes between the two sides"),
    ("pttl", Rule::Within(2000), "time passes between the two sides"),
    ("expiretime", Rule::Within(2), "time passes between the two sides"),
    ("pexpiretime", Rule::Within(2000), "time passes between the two sides"),
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
    ("xpending", Rule::Times(2000), "time passes between the two sides"),
    ("xinfo|stream", Rule::Times(2000), "time passes between the two sides"),
    ("xinfo|consumers", Rule::Times(2000), "time passes between the two sides"),
    ("memory|usage", Rule::Presence, "sizes of allocations"),
    ("dump", Rule::Presence, "the serialisation is not modelled"),
    ("pmessage", Rule::Exact, "several patterns of one client match in the order of a hash table"),
    ("a message to oneself", Rule::Exact, "stands before, behind or inside the reply as Redis happened to write it"),
    ("function|list", Rule::Items, "order of a hash table"),
    ("function|dump", Rule::Presence, "order of a hash table, and LZF is not modelled"),
    ("unsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("punsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("sunsubscribe", Rule::Exact, "of all: in the order of a hash table"),
    ("info", Rule::Presence, "figures of a process"),
    ("lolwut", Rule::Presence, "art"),
    ("hello", Rule::Shape, "number of the connection"),
    ("client|id", Rule::Presence, "number of the connection"),
    ("client|info", Rule::Presence, "number of the connection, times"),
    ("client|list", Rule::Presence, "number of the connection, times"),
    ("config|get", Rule::Presence, "parameters of a process"),
    ("slowlog|get", Rule::Presence, "times"),
    ("slowlog|len", Rule::Presence, "times"),
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
            Rule::Within(by) => format!("within {by}"),
            Rule::Times(by) => format!("exact but for times within {by}"),
            Rule::Presence => "answered".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{command:22} {rule:48} {reason}");
    }
    text.push_str("sort … BY constant     any order                                        order of a hash table, unstable sort\n");
    text.push_str("everything else        exact\n");
    text
}

/// The rule of a command as it was sent.
pub fn rule(argv: &[Bytes]) -> Rule {
    let word = |nth: usize| argv.get(nth).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    let (name, sub) = (word(0), word(1));
    let full = [name.as_slice(), b"|", &sub].concat();
    if matches!(name.as_slice(), b"sort" | b"sort_ro") && sorts_by_nothing(argv) {
        let is_cut = argv.iter().any(|word| word.eq_ignore_ascii_case(b"limit"));
        return if is_cut { Rule::Presence } else { Rule::Items };
    }
    let row = RULES.iter().find(|(command, ..)| command.as_bytes() == name || command.as_bytes() == full);
    row.map_or(Rule::Exact, |(_, rule, _)| *rule)
}

/// `SORT … BY constant` gives the order of the hash table of a set, and an `ALPHA` sort by other
/// keys leaves equal ones where an unstable sort puts them.
pub(super) fn sorts_by_nothing(argv: &[Bytes]) -> bool {
    let has = |name: &[u8]| argv.iter().skip(2).any(|word| word.eq_ignore_ascii_case(name));
    let by = argv.iter().skip(2).position(|word| word.eq_ignore_ascii_case(b"by"));
    let pattern = by.and_then(|at| argv.get(at.saturating_add(3)));
    pattern.is_some_and(|pattern| !pattern.contains(&b'*')) || (pattern.is_some() && has(b"alpha"))
}

/// Are two messages the same under a rule? `queue` holds the commands of an `EXEC`.
pub fn agree(model: &Value, real: &Value, argv: &[Bytes], queue: &[Vec<Bytes>]) -> bool {
    if model == real {
        return true;
    }
    if model.is_error() || real.is_error() {
        return false;
    }
    if argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"))
        && let (Value::Array(model), Value::Array(real)) = (model, real)
    {
        let is_in_order = model.len() == real.len()
            && queue.len() == model.len()
            && model.iter().zip(real).zip(queue).all(|((model, real), argv)| agree(model, real, argv, &[]));
        return is_in_order || without_order(model) == without_order(real);
    }
    agree_by(rule(argv), model, real, argv)
}

/// Messages of one client with those put into an order that Redis leaves open: one message by
/// several patterns, and the farewells of an `UNSUBSCRIBE` of everything (whose counts have one).
pub fn without_order(messages: &[Value]) -> Vec<Value> {
    let mut ordered = messages.to_vec();
    let mut rest = ordered.as_mut_slice();
    while let Some(first) = rest.first() {
        let group = open_order(first);
        let length = rest.iter().take_while(|value| group.is_some() && open_order(value) == group).count().max(1);
        let (run, behind) = rest.split_at_mut(length);
        if length > 1 {
            sort_names(run);
        }
        rest = behind;
    }
    ordered
}

/// A RESP3 client that causes a message to itself receives it before, behind or even inside the
/// reply, wherever Redis happened to be in writing that: an array whose length is already written
/// swallows the message, and gives as many of its elements free behind it. Then the messages are
/// compared, and what is left of the replies without their arrays.
///
/// `queue` holds the commands of an `EXEC`; of an incomplete scan among them not even the number of elements is compared.
pub fn agree_as_streams(model: &[Value], real: &[Value], queue: Option<&[Vec<Bytes>]>) -> bool {
    let (mut ours, mut theirs) = (Stream::default(), Stream::default());
    model.iter().for_each(|value| ours.take(value));
    real.iter().for_each(|value| theirs.take(value));
    !ours.messages.is_empty()
        && without_order(&ours.messages) == without_order(&theirs.messages)
        // What answers which command of a transaction can no longer be told.
        && match queue {
            None => ours.rest == theirs.rest,
            Some(queue) => ours.rest.len() == theirs.rest.len() || queue.iter().any(|argv| is_open_scan(argv)),
        }
}

/// Is it a scan that may give any part of a hash table?
fn is_open_scan(argv: &[Bytes]) -> bool {
    matches!(rule(argv), Rule::ScanItems | Rule::ScanPairs)
}

/// What a client receives, taken apart.
#[derive(Default)]
struct Stream {
    messages: Vec<Value>,
    rest: Vec<Value>,
}

impl Stream {
    fn take(&mut self, value: &Value) {
        match value {
            value if is_published(value) => self.messages.push(value.clone()),
            Value::Array(items) | Value::Set(items) => items.iter().for_each(|item| self.take(item)),
            Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                self.take(key);
                self.take(value);
            }),
            other => self.rest.push(other.clone()),
        }
    }
}

/// Of two answers of `EXEC`, the commands whose replies differ, with these; other messages whole.
pub fn narrowed(model: &Value, real: &Value, argv: &[Bytes], queue: &[Vec<Bytes>]) -> (Value, Value) {
    let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
    match (model, real) {
        (Value::Array(a), Value::Array(b)) if is_exec && a.len() == b.len() && a.len() == queue.len() => {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for ((a, b), argv) in a.iter().zip(b).zip(queue) {
                if !agree(a, b, argv, &[]) {
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

fn is_published(value: &Value) -> bool {
    let (Value::Push(words) | Value::Array(words)) = value else { return false };
    matches!(words.first(), Some(Value::Bulk(kind)) if kind.ends_with(b"message"))
}

/// What neighbours must have in common for their order to be open; the name is the second word.
fn open_order(value: &Value) -> Option<Vec<Value>> {
    let (Value::Push(words) | Value::Array(words)) = value else { return None };
    match words.as_slice() {
        [Value::Bulk(kind), _, channel, text] if kind.as_ref() == b"pmessage" => {
            Some(vec![channel.clone(), text.clone()])
        }
        [Value::Bulk(kind), _, Value::Integer(_)] if kind.ends_with(b"unsubscribe") => {
            Some(vec![Value::Bulk(kind.clone())])
        }
        _ => None,
    }
}

/// Sorts the second words, and leaves everything else where it stands.
fn sort_names(run: &mut [Value]) {
    let name = |value: &mut Value| match value {
        Value::Push(words) | Value::Array(words) => words.get_mut(1).map(|word| std::mem::replace(word, Value::Null)),
        _ => None,
    };
    let mut names: Vec<Value> = run.iter_mut().filter_map(name).collect();
    names.sort_by_key(|name| cli::text(name, Protocol::Resp3));
    for (value, name) in run.iter_mut().zip(names) {
        if let Value::Push(words) | Value::Array(words) = value
            && let Some(slot) = words.get_mut(1)
        {
            *slot = name;
        }
    }
}

fn agree_by(rule: Rule, model: &Value, real: &Value, argv: &[Bytes]) -> bool {
    match rule {
        Rule::Exact => false,
        Rule::Items => items(model, 1) == items(real, 1) && items(model, 1).is_some(),
        Rule::Pairs => items(model, 2) == items(real, 2) && items(model, 2).is_some(),
        Rule::ScanItems => agree_scan(model, real, argv, 1),
        Rule::ScanPairs => agree_scan(model, real, argv, 2),
        Rule::Shape => same_shape(model, real),
        Rule::Within(by) => match (model, real) {
            (Value::Integer(a), Value::Integer(b)) => *a > 0 && *b > 0 && a.abs_diff(*b) <= by.unsigned_abs(),
            _ => false,
        },
        Rule::Times(by) => same_but_for_times(model, real, by),
        Rule::Presence => true,
    }
}

/// Two answers about pending entries and consumers. A time stands behind a name that says so, and in an entry of a pending list
/// (`id, owner, time, deliveries` or `id, time, deliveries`) before the last number.
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
