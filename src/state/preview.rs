//! A value as one line: `5`, `{name: 张三, age: 20}`, `[a, b, … 12]`.
use redis_model::value::number::format_double;
use redis_model::value::{Str, Value};
use resp::split::quote_argument;

/// Maximum number of characters of a string, and of the elements of a collection together.
const LINE_MAX: usize = 60;
/// Maximum number of characters of one element.
const ELEMENT_MAX: usize = 24;
/// Bytes of the longest character.
const CHAR_BYTES: usize = 4;

/// The value as one line. A collection that does not fit ends with its number of elements. Reads only what is shown, however large the
/// value is.
pub fn preview(value: &Value) -> String {
    match value {
        Value::String(string) => string_line(string),
        Value::List(list) => line(['[', ']'], list.len(), list.iter().map(|element| word(&element))),
        Value::Set(set) => line(['{', '}'], set.len(), set.iter().map(|member| word(&member))),
        Value::Hash(hash) => line(['{', '}'], hash.len(), hash.iter().map(|(field, value)| pair(field, &word(value)))),
        Value::ZSet(zset) => {
            let members = zset.iter().map(|(member, score)| pair(member, &format_double(score)));
            line(['{', '}'], zset.len(), members)
        }
        Value::Stream(stream) => {
            let entries = stream.range(stream.first_id()..=stream.last_id()).map(|(id, entry)| {
                let pairs = entry.pairs();
                let count = pairs.len();
                format!("{id} {}", line(['{', '}'], count, pairs.map(|(field, value)| pair(field, &word(value)))))
            });
            line(['[', ']'], stream.len(), entries)
        }
    }
}

/// A string: as it is if all of it can be printed, otherwise quoted.
fn string_line(string: &Str) -> String {
    let begin = string.slice(0..(LINE_MAX + 1) * CHAR_BYTES);
    let is_whole = begin.len() == string.len();
    let text = match std::str::from_utf8(&begin) {
        Ok(text) => Some(text),
        // The last character is cut.
        Err(cut) if !is_whole && cut.error_len().is_none() => {
            begin.get(..cut.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok())
        }
        Err(_) => None,
    };
    let is_plain = |text: &&str| !text.is_empty() && text.trim() == *text && !text.chars().any(char::is_control);
    clipped(text.filter(is_plain).map_or_else(|| quote_argument(&begin), str::to_owned), LINE_MAX, is_whole)
}

/// An element of a collection.
fn word(bytes: &[u8]) -> String {
    let begin = bytes.get(..(ELEMENT_MAX + 1) * CHAR_BYTES).unwrap_or(bytes);
    let text = quote_argument(begin);
    clipped(text, ELEMENT_MAX, begin.len() == bytes.len())
}

fn pair(name: &[u8], value: &str) -> String {
    format!("{}: {value}", word(name))
}

/// At most this many characters of a text; `is_whole`: nothing of it was cut yet.
fn clipped(mut text: String, most: usize, is_whole: bool) -> String {
    let end = text.char_indices().nth(most).map(|(end, _)| end);
    if let Some(end) = end {
        text.truncate(end);
    }
    if end.is_some() || !is_whole {
        text.push('…');
    }
    text
}

/// The elements between two brackets, as many as fit, at least one.
fn line([open, close]: [char; 2], count: usize, elements: impl Iterator<Item = String>) -> String {
    let mut out = String::from(open);
    let (mut shown, mut chars) = (0_usize, 0_usize);
    for element in elements {
        chars = chars.saturating_add(element.chars().count()).saturating_add(2);
        if shown > 0 && chars > LINE_MAX {
            break;
        }
        if shown > 0 {
            out.push_str(", ");
        }
        out.push_str(&element);
        shown = shown.saturating_add(1);
    }
    if shown < count {
        out.push_str(&format!(", … {count}"));
    }
    out.push(close);
    out
}

#[cfg(test)]
mod tests {
    use redis_model::{Config, Server};

    use super::{LINE_MAX, preview};

    /// The preview of the key `k` after these commands.
    fn after(commands: &[&[&[u8]]]) -> String {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        for command in commands {
            server.handle(0, client, command.iter().map(|word| bytes::Bytes::copy_from_slice(word)).collect());
        }
        preview(&server.db(0).unwrap().entry(b"k").unwrap().value)
    }

    #[test]
    fn strings_are_shown_as_they_are_if_they_can_be_printed() {
        assert_eq!(after(&[&[b"SET", b"k", b"5"]]), "5");
        assert_eq!(after(&[&[b"SET", b"k", "张三 says \"hi\"".as_bytes()]]), "张三 says \"hi\"");
        assert_eq!(after(&[&[b"SET", b"k", b""]]), "\"\"");
        assert_eq!(after(&[&[b"SET", b"k", b" a "]]), "\" a \"");
        assert_eq!(after(&[&[b"SET", b"k", b"\xff\n"]]), "\"\\xff\\n\"");
    }

    #[test]
    fn long_strings_are_cut_between_characters() {
        let shown = after(&[&[b"SET", b"k", "库".repeat(100_000).as_bytes()]]);
        assert_eq!(shown, format!("{}…", "库".repeat(LINE_MAX)));
        let shown = after(&[&[b"SET", b"k", format!("a{}", "库".repeat(1_000)).as_bytes()]]);
        assert_eq!(shown.chars().count(), LINE_MAX + 1);
        assert!(shown.starts_with("a库") && !shown.contains('\\'), "{shown}");
    }

    #[test]
    fn collections_show_what_fits_and_their_size() {
        assert_eq!(after(&[&[b"RPUSH", b"k", b"a", b"b"]]), "[a, b]");
        assert_eq!(after(&[&[b"HSET", b"k", b"name", "张三".as_bytes(), b"age", b"20"]]), "{name: 张三, age: 20}");
        assert_eq!(after(&[&[b"SADD", b"k", b"3", b"1"]]), "{1, 3}");
        assert_eq!(after(&[&[b"ZADD", b"k", b"2.5", b"b", b"1", b"a"]]), "{a: 1, b: 2.5}");
        assert_eq!(after(&[&[b"XADD", b"k", b"7-1", b"t", b"20"]]), "[7-1 {t: 20}]");
        let numbers: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
        let mut push: Vec<&[u8]> = vec![b"RPUSH", b"k"];
        push.extend(numbers.iter().map(|number| number.as_bytes()));
        let shown = after(&[&push]);
        assert!(shown.starts_with("[0, 1, 2, ") && shown.ends_with(", … 1000]"), "{shown}");
        assert!(shown.chars().count() < LINE_MAX + 12, "{shown}");
    }

    #[test]
    fn an_element_that_is_too_long_alone_is_cut() {
        let shown = after(&[&[b"RPUSH", b"k", "x".repeat(5_000).as_bytes(), b"two words"]]);
        assert_eq!(shown, format!("[{}…, \"two words\"]", "x".repeat(24)));
    }

    #[test]
    fn a_stream_without_entries_is_empty_brackets() {
        assert_eq!(after(&[&[b"XADD", b"k", b"1-1", b"f", b"v"], &[b"XDEL", b"k", b"1-1"]]), "[]");
    }
}
