//! Which parts of a value can be edited by hand, and the commands that do it. Only one line of text can be: other bytes would be lost in a
//! field.
use bytes::Bytes;
use redis_model::value::Value;
use redis_model::value::number::format_double;

/// Maximum number of parts that are offered.
const PARTS_MAX: usize = 100;
/// Maximum length of a text that is edited, in bytes.
const TEXT_BYTES_MAX: usize = 4_096;

/// A part of a value that one command can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuePart {
    /// A whole string.
    Whole,
    /// The value of a field of a hash.
    Field(Bytes),
    /// An element of a list, by its index.
    Element(usize),
    /// A member of a set.
    Member(Bytes),
    /// The score of a member of a sorted set.
    Score(Bytes),
}

/// The first parts of a value, in its own order; none for a stream, whose entries cannot be changed.
#[inline(never)]
pub fn parts_of(value: &Value) -> Vec<ValuePart> {
    match value {
        Value::String(_) => vec![ValuePart::Whole],
        Value::Hash(hash) => hash.iter().take(PARTS_MAX).map(|(field, _)| ValuePart::Field(field.clone())).collect(),
        Value::List(list) => (0..list.len().min(PARTS_MAX)).map(ValuePart::Element).collect(),
        Value::Set(set) => {
            set.iter().take(PARTS_MAX).map(|member| ValuePart::Member(Bytes::copy_from_slice(&member))).collect()
        }
        Value::ZSet(zset) => zset.iter().take(PARTS_MAX).map(|(member, _)| ValuePart::Score(member.clone())).collect(),
        Value::Stream(_) => Vec::new(),
    }
}

/// The text of a part; `None` if it is gone, or not one line of text.
#[inline(never)]
pub fn text_of(value: &Value, part: &ValuePart) -> Option<String> {
    match (value, part) {
        (Value::String(string), ValuePart::Whole) => text(&string.slice(0..TEXT_BYTES_MAX.saturating_add(1))),
        (Value::Hash(hash), ValuePart::Field(field)) => text(hash.get(field)?),
        (Value::List(list), ValuePart::Element(index)) => text(&list.get(*index)?),
        (Value::Set(set), ValuePart::Member(member)) => set.contains(member).then(|| text(member)).flatten(),
        (Value::ZSet(zset), ValuePart::Score(member)) => {
            zset.score(member).map(|score| format_double(score).to_string())
        }
        _ => None,
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= TEXT_BYTES_MAX)?;
    text.chars().all(|c| !c.is_control()).then(|| text.to_owned())
}

/// The commands that set a part to `text`. A member of a set is added before the old one is removed, so that the key stays.
#[inline(never)]
pub fn commands(key: &Bytes, part: &ValuePart, text: &str) -> Vec<Vec<Bytes>> {
    let (key, new) = (key.clone(), Bytes::copy_from_slice(text.as_bytes()));
    match part {
        ValuePart::Whole => vec![vec!["SET".into(), key, new, "KEEPTTL".into()]],
        ValuePart::Field(field) => vec![vec!["HSET".into(), key, field.clone(), new]],
        ValuePart::Element(index) => vec![vec!["LSET".into(), key, index.to_string().into(), new]],
        ValuePart::Member(member) if *member == new => Vec::new(),
        ValuePart::Member(member) => {
            vec![vec!["SADD".into(), key.clone(), new], vec!["SREM".into(), key, member.clone()]]
        }
        ValuePart::Score(member) => vec![vec!["ZADD".into(), key, new, member.clone()]],
    }
}

/// The command that sets a time to live in seconds; `None` if the text is no such number.
#[inline(never)]
pub fn expire(key: &Bytes, seconds: &str) -> Option<Vec<Bytes>> {
    let seconds = seconds.trim().parse::<u32>().ok().filter(|seconds| *seconds > 0)?;
    Some(vec!["EXPIRE".into(), key.clone(), seconds.to_string().into()])
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use redis_model::{Config, Server};

    use super::{PARTS_MAX, ValuePart, commands, expire, parts_of, text_of};

    /// A server after these lines, and its client.
    fn server(lines: &[&str]) -> (Server, redis_model::ClientId) {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        for line in lines {
            server.handle(0, client, resp::split::split(line.as_bytes()).unwrap());
        }
        (server, client)
    }

    /// The parts of `k` with their texts; an empty list if there is no such key.
    fn texts(server: &Server) -> Vec<(ValuePart, Option<String>)> {
        let Some(value) = server.db(0).unwrap().value(b"k") else { return Vec::new() };
        parts_of(value).into_iter().map(|part| (part.clone(), text_of(value, &part))).collect()
    }

    #[test]
    fn what_is_sent_sets_exactly_this_part() {
        let new = "new value \"q\" 库";
        for (line, nth, expected) in [
            ("SET k old", 0, "SET k \"new value \\\"q\\\" 库\" KEEPTTL"),
            ("HSET k f old g other", 0, "HSET k f \"new value \\\"q\\\" 库\""),
            ("RPUSH k a old c", 1, "LSET k 1 \"new value \\\"q\\\" 库\""),
        ] {
            let (mut server, client) = server(&[line, "EXPIRE k 100"]);
            let before = texts(&server);
            let sent = commands(&"k".into(), &before[nth].0, new);
            assert_eq!(sent.iter().map(|argv| resp::split::quote_command(argv)).collect::<Vec<_>>(), [expected]);
            for argv in sent {
                server.handle(0, client, argv);
            }
            let after = texts(&server);
            for (at, (was, is)) in before.iter().zip(&after).enumerate() {
                let text = if at == nth { Some(new.to_owned()) } else { was.1.clone() };
                assert_eq!((&is.0, &is.1), (&was.0, &text), "{line}");
            }
            assert!(server.db(0).unwrap().expires_ms(b"k").is_some(), "{line}: the time to live stays");
        }
    }

    #[test]
    fn member_is_replaced_and_score_is_set() {
        let (mut server, client) = server(&["SADD k old", "EXPIRE k 100"]);
        for argv in commands(&"k".into(), &ValuePart::Member("old".into()), "new") {
            server.handle(0, client, argv);
        }
        assert_eq!(texts(&server), [(ValuePart::Member("new".into()), Some("new".into()))]);
        assert!(server.db(0).unwrap().expires_ms(b"k").is_some());
        assert_eq!(commands(&"k".into(), &ValuePart::Member("new".into()), "new"), Vec::<Vec<Bytes>>::new());
        let (mut server, client) = self::server(&["ZADD k 1.5 a 2 b"]);
        let before = texts(&server);
        assert_eq!(before[0], (ValuePart::Score("a".into()), Some("1.5".into())));
        for argv in commands(&"k".into(), &before[0].0, "10") {
            server.handle(0, client, argv);
        }
        assert_eq!(texts(&server)[1], (ValuePart::Score("a".into()), Some("10".into())));
    }

    #[test]
    fn bytes_and_lines_are_not_edited() {
        for line in ["SET k \"\\xff\\x00\"", "SET k \"two\\nlines\"", "HSET k f \"\\x01\"", "RPUSH k \"\\xe5\""] {
            assert_eq!(texts(&server(&[line]).0)[0].1, None, "{line}");
        }
        let (long, _) = server(&[&format!("SET k {}", "x".repeat(5_000))]);
        assert_eq!(texts(&long)[0].1, None);
        assert_eq!(texts(&server(&["SET k \"\""]).0)[0].1.as_deref(), Some(""));
        assert!(texts(&server(&["XADD k 1-0 f v"]).0).is_empty());
        let many: Vec<String> = (0..500).map(|nth| nth.to_string()).collect();
        assert_eq!(texts(&server(&[&format!("RPUSH k {}", many.join(" "))]).0).len(), PARTS_MAX);
    }

    #[test]
    fn only_whole_seconds_are_a_time_to_live() {
        let line = |text: &str| expire(&"a b".into(), text).map(|argv| resp::split::quote_command(&argv));
        assert_eq!(line(" 60 ").as_deref(), Some("EXPIRE \"a b\" 60"));
        for text in ["", "0", "-1", "1.5", "x", "99999999999"] {
            assert_eq!(line(text), None, "{text}");
        }
    }
}
