//! Splits what one client receives into replies and messages, and sorts messages whose order Redis does not define.
use bytes::Bytes;
use resp::{Protocol, Value, cli};

/// Everything a client received: its replies without interleaved messages, and the messages.
#[derive(Debug, PartialEq)]
pub(super) struct Stream {
    pub(super) replies: Vec<Value>,
    pub(super) messages: Vec<Value>,
}

/// Builds a value from its elements.
type Make = fn(Vec<Value>) -> Option<Value>;

/// A value without its elements.
enum Token {
    /// A value without elements.
    Leaf(Value),
    /// An aggregate of this many following values.
    Open(usize, Make),
}

impl Stream {
    /// Splits received values; `None` if the replies without the messages are incomplete.
    ///
    /// A RESP3 client that sends a message to itself receives it before, after or even inside the reply, depending on how much of the reply
    /// Redis had written: an array whose length is already written then counts the message as an element, and the same number of its own
    /// elements follow the array. All elements are in order, so without the messages the lengths are right again.
    pub(super) fn of(received: &[Value]) -> Option<Stream> {
        let (mut tokens, mut messages) = (Vec::new(), Vec::new());
        received.iter().for_each(|value| flatten(value, &mut tokens, &mut messages));
        let mut tokens = tokens.into_iter();
        let mut replies = Vec::new();
        while let Some(token) = tokens.next() {
            replies.push(build(token, &mut tokens)?);
        }
        Some(Stream { replies, messages })
    }
}

fn flatten(value: &Value, tokens: &mut Vec<Token>, messages: &mut Vec<Value>) {
    let (items, make): (Vec<&Value>, Make) = match value {
        value if is_published(value) => return messages.push(value.clone()),
        Value::Array(items) => (items.iter().collect(), |items| Some(Value::Array(items))),
        Value::Set(items) => (items.iter().collect(), |items| Some(Value::Set(items))),
        Value::Push(items) => (items.iter().collect(), |items| Some(Value::Push(items))),
        Value::Map(pairs) => (pairs.iter().flat_map(|(key, value)| [key, value]).collect(), pairs_of),
        leaf => return tokens.push(Token::Leaf(leaf.clone())),
    };
    tokens.push(Token::Open(items.len(), make));
    items.into_iter().for_each(|item| flatten(item, tokens, messages));
}

fn pairs_of(items: Vec<Value>) -> Option<Value> {
    let pair = |pair: &[Value]| Some((pair.first()?.clone(), pair.get(1)?.clone()));
    items.chunks(2).map(pair).collect::<Option<Vec<_>>>().map(Value::Map)
}

fn build(token: Token, rest: &mut impl Iterator<Item = Token>) -> Option<Value> {
    match token {
        Token::Leaf(value) => Some(value),
        Token::Open(length, make) => {
            let mut items = Vec::with_capacity(length);
            for _ in 0..length {
                let token = rest.next()?;
                items.push(build(token, rest)?);
            }
            make(items)
        }
    }
}

fn is_published(value: &Value) -> bool {
    let (Value::Push(words) | Value::Array(words)) = value else { return false };
    matches!(words.first(), Some(Value::Bulk(kind)) if kind.ends_with(b"message"))
}

/// Sorts messages of one client whose order Redis does not define: one message through several patterns, and the confirmations of an
/// `UNSUBSCRIBE` of everything (their counts stay in order).
pub(super) fn without_order(messages: &[Value]) -> Vec<Value> {
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

/// The key that adjacent messages must share for their order to be undefined; the name is the second word.
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

/// Sorts the second words, and leaves everything else in place.
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

/// Lines of `CLIENT LIST` without the line of the client at `hidden`, which only one side has, and without the fields that depend on a
/// connection or a process instead of the commands sent. `None` if it is no such text.
/// Inside a transaction `argv-mem` is that of `EXEC`, unless an earlier command has rewritten its arguments, as `GEOADD` does.
pub(super) fn masked_clients(value: &Value, hidden: &str, is_in_exec: bool) -> Option<Vec<String>> {
    let (Value::Bulk(text) | Value::Verbatim(_, text)) = value else { return None };
    let text = std::str::from_utf8(text).ok()?;
    let own = format!(" addr={hidden} ");
    let lines = text.lines().filter(|line| hidden.is_empty() || !line.contains(&own));
    Some(lines.map(|line| masked_client(line, is_in_exec)).collect())
}

/// Fields of a connection whose values are masked, and why.
pub const MASKED_FIELDS: &[(&str, &str)] = &[
    ("id", "number of the connection"),
    ("addr", "a socket"),
    ("laddr", "a socket"),
    ("fd", "a socket"),
    ("age", "time"),
    ("idle", "time"),
    ("qbuf", "what has been read of the commands behind"),
    ("qbuf-free", "what has been read of the commands behind"),
    ("rbs", "grows and shrinks with time"),
    ("rbp", "falls with time"),
    ("obl", "what has been written of the replies before"),
    ("oll", "what has been written of the replies before"),
    ("omem", "sizes of allocations"),
    ("tot-mem", "sizes of allocations"),
    ("events", "readiness of a socket"),
];

fn masked_client(line: &str, is_in_exec: bool) -> String {
    let is_masked =
        |name: &str| MASKED_FIELDS.iter().any(|(masked, _)| *masked == name) || is_in_exec && name == "argv-mem";
    // A client's name holds no spaces, so words are fields.
    let field = |field: &str| match field.split_once('=') {
        Some((name, _)) if is_masked(name) => format!("{name}=*"),
        // A client that a command of the same pipeline has unblocked still has the flag `u`; the model has no pipelines.
        Some(("flags", letters)) if letters.contains('u') => match letters.replace('u', "") {
            rest if rest.is_empty() => "flags=N".to_owned(),
            rest => format!("flags={rest}"),
        },
        _ => field.to_owned(),
    };
    line.split(' ').map(field).collect::<Vec<_>>().join(" ")
}

/// The reply of `COMMAND DOCS` with commands and their subcommands sorted by name. RESP2 flattens maps to arrays.
pub(super) fn sorted_docs(value: &Value) -> Value {
    let doc = |doc: &Value| match doc {
        Value::Map(fields) => {
            Value::Map(fields.iter().map(|(name, value)| (name.clone(), of_field(name, value))).collect())
        }
        Value::Array(fields) => Value::Array(flat(fields, of_field)),
        other => other.clone(),
    };
    match value {
        Value::Map(commands) => {
            let mut commands: Vec<(Value, Value)> = commands.iter().map(|(name, it)| (name.clone(), doc(it))).collect();
            commands.sort_by_key(|(name, _)| cli::text(name, Protocol::Resp3));
            Value::Map(commands)
        }
        Value::Array(commands) => {
            let mut commands: Vec<Vec<Value>> =
                flat(commands, |_, it| doc(it)).chunks(2).map(<[Value]>::to_vec).collect();
            commands.sort_by_key(|pair| pair.first().map(|name| cli::text(name, Protocol::Resp3)));
            Value::Array(commands.concat())
        }
        other => other.clone(),
    }
}

fn of_field(name: &Value, value: &Value) -> Value {
    if *name == Value::bulk("subcommands") { sorted_docs(value) } else { value.clone() }
}

/// Maps the second elements of a flat array of pairs.
fn flat(items: &[Value], second: impl Fn(&Value, &Value) -> Value) -> Vec<Value> {
    let pair = |pair: &[Value]| match pair {
        [name, value] => vec![name.clone(), second(name, value)],
        other => other.to_vec(),
    };
    items.chunks(2).flat_map(pair).collect()
}

/// The reply of `COMMAND INFO` with the subcommands of each command sorted by name; also the commands, if all were requested.
pub(super) fn sorted_infos(value: &Value, are_all: bool) -> Value {
    let Value::Array(commands) = value else { return value.clone() };
    let one = |command: &Value| match command {
        Value::Array(fields) => {
            let field = |(at, field): (usize, &Value)| {
                if at == SUBCOMMANDS_AT { sorted_infos(field, true) } else { field.clone() }
            };
            Value::Array(fields.iter().enumerate().map(field).collect())
        }
        other => other.clone(),
    };
    let mut commands: Vec<Value> = commands.iter().map(one).collect();
    if are_all {
        commands.sort_by_key(|command| match command {
            Value::Array(fields) => fields.first().map(|name| cli::text(name, Protocol::Resp3)),
            _ => None,
        });
    }
    Value::Array(commands)
}

/// Index of the subcommands in the entry of a command in `COMMAND INFO`.
const SUBCOMMANDS_AT: usize = 9;

/// A slow log without numbers, times and addresses: words of commands and names of clients.
pub(super) fn masked_slowlog(value: &Value) -> Option<Vec<(Value, Value)>> {
    let Value::Array(entries) = value else { return None };
    let entry = |entry: &Value| match entry {
        Value::Array(fields) => match fields.as_slice() {
            [Value::Integer(_), Value::Integer(_), Value::Integer(_), words, Value::Bulk(_), name] => {
                Some((words.clone(), name.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    entries.iter().map(entry).collect()
}

/// A reply of `HELLO` without the connection id.
pub(super) fn without_connection(value: &Value) -> Value {
    let id = Value::bulk("id");
    match value {
        Value::Map(pairs) => {
            let masked = |(name, value): &(Value, Value)| {
                (name.clone(), if *name == id { masked_number(value) } else { value.clone() })
            };
            Value::Map(pairs.iter().map(masked).collect())
        }
        Value::Array(items) => {
            Value::Array(flat(items, |name, value| if *name == id { masked_number(value) } else { value.clone() }))
        }
        other => other.clone(),
    }
}

fn masked_number(value: &Value) -> Value {
    if matches!(value, Value::Integer(_)) { Value::Bulk(Bytes::from_static(b"*")) } else { value.clone() }
}
