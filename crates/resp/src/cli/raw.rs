//! The rendering with `--raw`, and the commands whose replies redis-cli always shows that way.
use crate::encode::double_text;
use crate::{Protocol, Value};

/// The bytes that `redis-cli --raw` prints for a reply, the last line end included.
///
/// ```
/// use resp::{Protocol, Value, cli};
/// let reply = Value::Array(vec![Value::bulk("a b"), Value::Integer(2), Value::Null]);
/// assert_eq!(cli::raw(&reply, Protocol::Resp2), b"a b\n2\n\n");
/// ```
pub fn raw(value: &Value, protocol: Protocol) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, protocol, &mut out);
    out.push(b'\n');
    out
}

fn write(value: &Value, protocol: Protocol, out: &mut Vec<u8>) {
    match value {
        Value::Null | Value::NullArray => {}
        Value::Error(text) => {
            out.extend_from_slice(text);
            out.push(b'\n');
        }
        Value::Simple(text)
        | Value::Bulk(text)
        | Value::WideDouble(text)
        | Value::BigNumber(text)
        | Value::Verbatim(_, text) => {
            out.extend_from_slice(text);
        }
        Value::Boolean(yes) if protocol == Protocol::Resp3 => {
            out.extend_from_slice(if *yes { b"(true)" } else { b"(false)" });
        }
        Value::Boolean(yes) => out.push(if *yes { b'1' } else { b'0' }),
        Value::Integer(n) => out.extend_from_slice(itoa::Buffer::new().format(*n).as_bytes()),
        Value::Double(d) => double_text(*d, out),
        Value::Array(items) | Value::Set(items) | Value::Push(items) => {
            for (nth, item) in items.iter().enumerate() {
                if nth > 0 {
                    out.push(b'\n');
                }
                write(item, protocol, out);
            }
        }
        Value::Map(pairs) => {
            let between = if protocol == Protocol::Resp3 { b' ' } else { b'\n' };
            for (nth, (key, value)) in pairs.iter().enumerate() {
                if nth > 0 {
                    out.push(b'\n');
                }
                write(key, protocol, out);
                out.push(between);
                write(value, protocol, out);
            }
        }
    }
}

/// Commands whose replies are text for people: name, subcommand (empty for any), and the argument
/// counts (name included) for which redis-cli 7.0 prints the reply raw.
const RAW_COMMANDS: &[(&str, &str, std::ops::RangeInclusive<usize>)] = &[
    ("info", "", 1..=usize::MAX),
    ("lolwut", "", 1..=usize::MAX),
    ("client", "list", 2..=usize::MAX),
    ("client", "info", 2..=usize::MAX),
    ("cluster", "nodes", 2..=2),
    ("cluster", "info", 2..=2),
    ("debug", "htstats", 2..=usize::MAX),
    ("debug", "htstats-key", 2..=usize::MAX),
    ("debug", "client-eviction", 2..=usize::MAX),
    ("latency", "doctor", 2..=2),
    ("latency", "graph", 3..=3),
    ("memory", "doctor", 2..=usize::MAX),
    ("memory", "malloc-stats", 2..=usize::MAX),
    ("proxy", "info", 2..=usize::MAX),
];

/// Does redis-cli show the reply to this command unformatted even on a terminal? If so, it prints
/// [`raw`] without the line end that `--raw` adds.
///
/// ```
/// assert!(resp::cli::prints_raw(&["CLIENT", "LIST"]));
/// assert!(!resp::cli::prints_raw(&["CLIENT", "ID"]));
/// ```
pub fn prints_raw(argv: &[impl AsRef<[u8]>]) -> bool {
    let is = |nth: usize, name: &str| {
        argv.get(nth).is_some_and(|argument| argument.as_ref().eq_ignore_ascii_case(name.as_bytes()))
    };
    RAW_COMMANDS
        .iter()
        .any(|(name, sub, counts)| is(0, name) && (sub.is_empty() || is(1, sub)) && counts.contains(&argv.len()))
}
