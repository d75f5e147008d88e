//! How long a command keeps a Redis server busy, beyond what every command takes.
use bytes::Bytes;
use redis_model::{ClientId, Server};
use resp::Value;

/// What each key costs that a command looks at besides its first, in ns.
const KEY_NS: u64 = 300;
/// What each element of a reply costs, in ns.
const ELEMENT_NS: u64 = 50;
/// Keys that `SCAN` looks at without `COUNT`.
const SCAN_COUNT: u64 = 10;

/// Keys that a command of a client looks at besides its first one: `EXEC` looks at what the commands of its transaction do. Elements inside
/// of keys are not counted: their replies are. A client without a connection is in the first database.
pub(super) fn looked_at(server: &Server, client: Option<ClientId>, argv: &[Bytes]) -> u64 {
    let client = client.and_then(|id| server.client(id));
    let keys = server.db(client.map_or(0, |client| client.db)).map_or(0, |db| db.len() as u64);
    let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
    match client.and_then(|client| client.multi.as_ref()).filter(|_| is_exec) {
        Some(multi) => multi.queue.iter().fold(0, |sum, argv| sum.saturating_add(looked_at_among(argv, keys))),
        None => looked_at_among(argv, keys),
    }
}

/// The same where its database has so many keys.
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

/// What `COUNT` says.
fn scanned(argv: &[Bytes]) -> u64 {
    let mut options = argv.get(2..).unwrap_or_default().chunks_exact(2);
    let count = options.find_map(|option| match option {
        [name, count] if name.eq_ignore_ascii_case(b"count") => std::str::from_utf8(count).ok()?.parse().ok(),
        _ => None,
    });
    count.unwrap_or(SCAN_COUNT)
}

/// How long a command takes that was answered so and looked at so many keys, in ns, beyond `base_ns`. One that is refused or only queued
/// (`MULTI`) looks at nothing, nor does an `EXEC` that answers nil.
pub(super) fn cost_ns(base_ns: u64, looked_at: u64, reply: Option<&Value>) -> u64 {
    let is_done = !reply.is_some_and(|value| {
        matches!(value, Value::Error(_) | Value::Null | Value::NullArray) || *value == Value::QUEUED
    });
    let keys_ns = if is_done { looked_at.saturating_mul(KEY_NS) } else { 0 };
    base_ns.saturating_add(keys_ns).saturating_add(reply.map_or(0, elements).saturating_mul(ELEMENT_NS))
}

/// Elements of a reply, those within others among them.
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
    fn commands_cost_what_they_look_at() {
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
    fn a_command_that_is_refused_or_queued_looks_at_nothing() {
        let array = Value::Array(vec![Value::bulk("a"), Value::Array(vec![Value::bulk("b")])]);
        assert_eq!(cost_ns(10_000, 100, None), 40_000);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::Integer(3))), 40_000);
        assert_eq!(cost_ns(10_000, 0, Some(&array)), 10_150);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::error("WRONGTYPE"))), 10_000);
        assert_eq!(cost_ns(10_000, 100, Some(&Value::QUEUED)), 10_000);
    }
}
