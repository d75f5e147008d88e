//! How long a command keeps a Redis server busy, beyond the base time of every command.
use bytes::Bytes;
use redis_model::{ClientId, Server};
use resp::Value;

/// Time for each key after the first that a command looks at, in ns.
const KEY_NS: u64 = 300;
/// Time for each element of a reply, in ns.
const ELEMENT_NS: u64 = 50;
/// Keys that `SCAN` looks at without `COUNT`.
const SCAN_COUNT: u64 = 10;

/// Number of keys after the first that a client's command looks at; for `EXEC`, the sum over the commands of its transaction. Elements
/// within keys do not count, but elements of replies do. A client without a connection uses database 0.
pub(super) fn looked_at(server: &Server, client: Option<ClientId>, argv: &[Bytes]) -> u64 {
    let client = client.and_then(|id| server.client(id));
    let keys = server.db(client.map_or(0, |client| client.db)).map_or(0, |db| db.len() as u64);
    let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
    match client.and_then(|client| client.multi.as_ref()).filter(|_| is_exec) {
        Some(multi) => multi.queue.iter().fold(0, |sum, argv| sum.saturating_add(looked_at_among(argv, keys))),
        None => looked_at_among(argv, keys),
    }
}

/// The same for a database with this many keys.
fn looked_at_among(argv: &[Bytes], keys: u64) -> u64 {
    let Some(name) = argv.first() else { return 0 };
    let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    let others = (argv.len() as u64).saturating_sub(2);
    match name.len() {
        3 if is("DEL") => others,
        4 if is("KEYS") => keys,
        4 if is("SCAN") => scanned(argv).min(keys),
        4 if is("MGET") => others,
        4 if is("MSET") => others / 2,
        5 if is("TOUCH") => others,
        6 if is("UNLINK") || is("EXISTS") => others,
        6 if is("MSETNX") => others / 2,
        _ => 0,
    }
}

/// The value of `COUNT`.
fn scanned(argv: &[Bytes]) -> u64 {
    let mut options = argv.get(2..).unwrap_or_default().chunks_exact(2);
    let count = options.find_map(|option| match option {
        [name, count] if name.eq_ignore_ascii_case(b"count") => std::str::from_utf8(count).ok()?.parse().ok(),
        _ => None,
    });
    count.unwrap_or(SCAN_COUNT)
}

/// The time of a command with this reply that looked at this many keys, in ns, including `base_ns`. A command that is rejected or only
/// queued (`MULTI`) looks at no keys, nor does an `EXEC` that returns nil.
pub(super) fn cost_ns(base_ns: u64, looked_at: u64, reply: Option<&Value>) -> u64 {
    let is_done = !reply.is_some_and(|value| {
        matches!(value, Value::Error(_) | Value::Null | Value::NullArray) || *value == Value::QUEUED
    });
    let keys_ns = if is_done { looked_at.saturating_mul(KEY_NS) } else { 0 };
    base_ns.saturating_add(keys_ns).saturating_add(reply.map_or(0, elements).saturating_mul(ELEMENT_NS))
}

/// Number of elements of a reply, including nested ones.
fn elements(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(elements).sum::<u64>().saturating_add(items.len() as u64),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_follows_keys_and_reply_elements() {
        for (line, looked) in [
            ("GET a", 0),
            ("SET a 1 EX 100", 0),
            ("keys *", 5_000),
            ("SCAN 0", 10),
            ("SCAN 0 MATCH count COUNT 1000", 1_000),
            ("scan 0 count 1000 match x", 1_000),
            ("SCAN 0 COUNT 100000", 5_000),
            ("SCAN 0 COUNT x", 10),
            ("SCAN", 10),
            ("DEL a", 0),
            ("DEL a b c", 2),
            ("unlink a b", 1),
            ("EXISTS a b", 1),
            ("MGET a b c d", 3),
            ("MSET a 1", 0),
            ("MSET a 1 b 2 c 3", 2),
            ("DEL", 0),
            ("", 0),
        ] {
            let argv: Vec<Bytes> = line.split_whitespace().map(|word| Bytes::from(word.to_owned())).collect();
            assert_eq!(looked_at_among(&argv, 5_000), looked, "{line}");
        }
    }

    #[test]
    fn rejected_or_queued_command_looks_at_no_keys() {
        let array = Value::Array(vec![Value::bulk("a"), Value::Array(vec![Value::bulk("b")])]);
        assert_eq!(cost_ns(10_000, 100, None), 40_000);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::Integer(3))), 40_000);
        assert_eq!(cost_ns(10_000, 0, Some(&array)), 10_150);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::error("WRONGTYPE"))), 10_000);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::QUEUED)), 10_000);
    }
}
