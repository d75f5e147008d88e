//! Shortened commands and replies, for arrows.
use bytes::Bytes;
use resp::Value;

use crate::state::sql;

/// Commands up to this length are not shortened, in characters.
const WHOLE_CHARS_MAX: usize = 20;
/// Longest word in a shortened command, in characters.
const WORD_CHARS_MAX: usize = 12;
/// How many bytes of a word are read.
const WORD_BYTES_MAX: usize = 64;
/// Longest tooltip of an arrow, in characters.
const TEXT_CHARS_MAX: usize = 300;

/// A shortened command: `GET stock` as it is, `SET lock 4f6c… NX PX 10000` as `SET lock … NX`.
pub fn command(argv: &[Bytes]) -> String {
    if let Some(statement) = argv.first().filter(|_| sql::is_statement(argv)) {
        return sql::label(statement);
    }
    let mut words = argv.iter();
    let Some(name) = words.next().map(|name| word(name)) else { return String::new() };
    let length = argv.iter().fold(0usize, |sum, word| sum.saturating_add(word.len()).saturating_add(1));
    if length <= WHOLE_CHARS_MAX {
        return argv.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ");
    }
    if is_script(argv) {
        let count = argv.get(2).and_then(|count| text(count).parse::<usize>().ok()).unwrap_or(0);
        let keys: Vec<String> = argv.iter().skip(3).take(count.min(3)).map(|key| word(key)).collect();
        return format!("{name} … {}", keys.join(" "));
    }
    let key = words.next().map(|key| word(key)).unwrap_or_default();
    let is_set = name.eq_ignore_ascii_case("SET");
    let flag = words.find(|word| is_set && (word.eq_ignore_ascii_case(b"NX") || word.eq_ignore_ascii_case(b"XX")));
    match flag {
        Some(flag) => format!("{name} {key} … {}", text(flag)),
        None if argv.len() > 2 => format!("{name} {key} …"),
        None => format!("{name} {key}"),
    }
}

/// A command for a sentence: its first words, with `…` in place of long ones.
pub fn command_in_sentence(argv: &[Bytes]) -> String {
    const MOST: usize = 16;
    if sql::is_statement(argv) {
        return cut(&sql::whole(argv), TEXT_CHARS_MAX / 2);
    }
    let words = argv.iter().take(8).map(|word| {
        let is_long = word.len() > MOST || word.iter().any(|byte| matches!(byte, b'\n'));
        if is_long { "…".to_owned() } else { text(word) }
    });
    let mut words: Vec<String> = words.collect();
    words.dedup_by(|one, other| one == "…" && other == "…");
    if argv.len() > 8 && words.last().is_some_and(|word| word != "…") {
        words.push("…".to_owned());
    }
    words.join(" ")
}

/// Whether this command runs a script.
pub(super) fn is_script(argv: &[Bytes]) -> bool {
    const SCRIPTS: [&str; 6] = ["EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO"];
    argv.first().is_some_and(|name| SCRIPTS.iter().any(|script| name.eq_ignore_ascii_case(script.as_bytes())))
}

/// A command as it would be typed, cut to a readable length.
pub fn whole_command(argv: &[Bytes]) -> String {
    if sql::is_statement(argv) {
        return cut(&sql::whole(argv), TEXT_CHARS_MAX);
    }
    let mut whole = String::new();
    for word in argv {
        if whole.len() > TEXT_CHARS_MAX {
            break;
        }
        if !whole.is_empty() {
            whole.push(' ');
        }
        whole.push_str(&resp::split::quote_argument(word.get(..TEXT_CHARS_MAX).unwrap_or(word)));
    }
    cut(&whole, TEXT_CHARS_MAX)
}

/// A shortened reply.
pub fn reply(value: &Value) -> String {
    if let Some(answer) = sql::answer(value) {
        return answer;
    }
    match value {
        Value::Simple(text) | Value::Bulk(text) | Value::BigNumber(text) | Value::Verbatim(_, text) => {
            if text.is_empty() { "\"\"".to_owned() } else { word(text) }
        }
        Value::Error(text) => cut(text.split(|byte| *byte == b'\n').next().map(line).unwrap_or_default().as_str(), 24),
        Value::Integer(number) => number.to_string(),
        Value::Null | Value::NullArray => "nil".to_owned(),
        Value::Array(items) | Value::Set(items) | Value::Push(items) => match items.as_slice() {
            [] => "[]".to_owned(),
            [one] => format!("[{}]", short(one)),
            [one, two] => format!("[{}, {}]", short(one), short(two)),
            many => format!("[{} …{}]", short(many.first().unwrap_or(&Value::Null)), many.len()),
        },
        Value::Map(pairs) => format!("{{…{}}}", pairs.len()),
        other => cut(&resp::cli::text(other, resp::Protocol::Resp3), WORD_CHARS_MAX),
    }
}

/// A row, as its table and primary key.
pub fn row(table: &[u8], key: &[u8]) -> String {
    format!("{}[{}]", word(table), word(key))
}

/// A shortened element of a reply.
fn short(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Set(_) | Value::Push(_) | Value::Map(_) => "…".to_owned(),
        other => reply(other),
    }
}

/// A word, cut to a few characters.
pub fn word(bytes: &[u8]) -> String {
    cut(&text(bytes), WORD_CHARS_MAX)
}

/// A program's text, cut to a readable length.
pub fn said(bytes: &[u8]) -> String {
    cut(&line(bytes.get(..TEXT_CHARS_MAX).unwrap_or(bytes)), TEXT_CHARS_MAX)
}

fn line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn text(bytes: &[u8]) -> String {
    resp::split::quote_argument(bytes.get(..WORD_BYTES_MAX).unwrap_or(bytes))
}

/// The first `most` characters; `…` replaces the last one if the text is longer.
pub fn cut(text: &str, most: usize) -> String {
    let mut chars = text.chars();
    let mut cut: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() {
        cut.pop();
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use resp::Value;

    use super::{command, reply};

    #[test]
    fn command_is_shortened_to_its_key_words() {
        for (line, label) in [
            ("GET stock", "GET stock"),
            ("SET lock 4f6c2a9e-0000-4000-8000-000000000000 NX PX 10000", "SET lock … NX"),
            ("SET greeting 'hello to all of you'", "SET greeting …"),
            ("EVAL \"if redis.call('get',KEYS[1]) == ARGV[1] then return 1 end\" 1 lock token", "EVAL … lock"),
            ("PEXPIRE lock 30000", "PEXPIRE lock 30000"),
            ("HINCRBY lock 4f6c2a9e-0000-4000-8000-000000000000:1 1", "HINCRBY lock …"),
            ("DEL a-key-with-a-very-long-name", "DEL a-key-with-…"),
        ] {
            assert_eq!(command(&resp::split::split(line.as_bytes()).unwrap()), label);
        }
    }

    #[test]
    fn reply_is_shortened() {
        for (value, label) in [
            (Value::OK, "OK"),
            (Value::Null, "nil"),
            (Value::Integer(-7), "-7"),
            (Value::bulk("5"), "5"),
            (Value::Array(vec![Value::bulk("a"), Value::Null]), "[a, nil]"),
            (Value::error("WRONGTYPE Operation against a key"), "WRONGTYPE Operation aga…"),
        ] {
            assert_eq!(reply(&value), label);
        }
    }
}
