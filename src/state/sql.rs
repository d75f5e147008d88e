//! Shortened SQL statements, answers and rows for arrows, sentences and panels.
use bytes::Bytes;
use resp::Value;
use table::{Cell, Row};

use super::lab::lanes::label;

/// Longest word of a label, in characters.
const WORD_CHARS_MAX: usize = 16;
/// Statements are read up to this length, in bytes.
const STATEMENT_BYTES_MAX: usize = 4096;

/// Whether this command is an SQL statement. The name of a Redis command contains no blanks.
pub fn is_statement(argv: &[Bytes]) -> bool {
    argv.first().is_some_and(|statement| statement.iter().any(u8::is_ascii_whitespace))
}

/// A short label for a statement: its verb and table, as in `SELECT stock FOR UPDATE`.
pub fn label(statement: &[u8]) -> String {
    let text = String::from_utf8_lossy(statement.get(..STATEMENT_BYTES_MAX).unwrap_or(statement));
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ';' | ','))
        .filter(|word| !word.is_empty())
        .collect();
    let Some(verb) = words.first() else { return String::new() };
    let is = |word: &&str, other: &str| word.eq_ignore_ascii_case(other);
    let before_table = |word: &&str| ["into", "from", "update", "table"].iter().any(|other| is(word, other));
    let is_small = |word: &&&str| !["if", "not", "exists", "ignore"].iter().any(|other| is(word, other));
    let after = words.iter().position(before_table).map(|at| at.saturating_add(1));
    let table = after.and_then(|at| words.iter().skip(at).find(is_small));
    let mut label = cut(&verb.to_ascii_uppercase());
    if let Some(table) = table {
        label.push(' ');
        label.push_str(&cut(table.trim_matches('`')));
    }
    let count = words.len();
    if is(verb, "select") && words.iter().skip(count.saturating_sub(4)).any(|word| is(word, "update")) {
        label.push_str(" FOR UPDATE");
    }
    label
}

/// A statement with its parameters put in for the `?` outside of quotes.
pub fn whole(argv: &[Bytes]) -> String {
    let Some((statement, parameters)) = argv.split_first() else { return String::new() };
    let statement = String::from_utf8_lossy(statement.get(..STATEMENT_BYTES_MAX).unwrap_or(statement));
    let (mut parameters, mut quote, mut whole) = (parameters.iter(), None, String::new());
    for c in statement.chars() {
        if quote.is_none()
            && c == '?'
            && let Some(parameter) = parameters.next()
        {
            let text = String::from_utf8_lossy(parameter.get(..STATEMENT_BYTES_MAX).unwrap_or(parameter));
            // Not parsed as a float: the tables for floating point numbers would add 13 KB to the first load.
            let digits = text.strip_prefix('-').unwrap_or(&text);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            whole.push_str(&if is_number { text.into_owned() } else { format!("'{text}'") });
            continue;
        }
        match (quote, c) {
            (None, '\'' | '"' | '`') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        whole.push(c);
    }
    whole
}

/// A short form of a database's answer; `None` for a reply of Redis. The answer has the form of `table::Answer::to_value`.
pub fn answer(value: &Value) -> Option<String> {
    let Value::Array(items) = value else { return None };
    if let Some(rows) = affected(value) {
        return Some(format!("OK, {rows}"));
    }
    Some(match items.as_slice() {
        // No reply of Redis starts with names and flags.
        [Value::Array(columns), rows @ ..] if is_heading(columns) => match rows {
            [] => "Empty set".to_owned(),
            [Value::Array(cells)] => cells.iter().take(3).map(cell_of).collect::<Vec<_>>().join(", "),
            many => format!("{} rows", many.len()),
        },
        _ => return None,
    })
}

/// How many rows a statement changed, if the answer says so.
pub fn affected(value: &Value) -> Option<u64> {
    let Value::Array(items) = value else { return None };
    match items.as_slice() {
        [Value::Bulk(word), Value::Integer(rows), Value::Integer(_), ..] if word.as_ref() == b"affected" => {
            u64::try_from(*rows).ok()
        }
        _ => None,
    }
}

fn is_heading(columns: &[Value]) -> bool {
    let is_pair = |pair: &[Value]| matches!(pair, [Value::Bulk(_), Value::Integer(0..=3)]);
    !columns.is_empty() && columns.chunks(2).all(is_pair)
}

fn cell_of(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Bulk(text) => cut(&String::from_utf8_lossy(text)),
        _ => String::new(),
    }
}

/// A cell of a row as text.
pub fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        other => String::from_utf8_lossy(&other.to_text()).into_owned(),
    }
}

/// A row's cells in a few characters.
pub fn row(row: &Row) -> String {
    row.iter().take(4).map(|each| cut(&cell(each))).collect::<Vec<_>>().join(", ")
}

fn cut(text: &str) -> String {
    label::cut(text, WORD_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use resp::Value;

    use super::{answer, is_statement, label, whole};

    #[test]
    fn label_has_the_verb_and_table_of_a_statement() {
        for (statement, expected) in [
            ("INSERT INTO method_lock (method) VALUES ('pay')", "INSERT method_lock"),
            ("insert ignore into method_lock(method) values ('pay')", "INSERT method_lock"),
            ("SELECT * FROM stock WHERE id = 1 FOR UPDATE", "SELECT stock FOR UPDATE"),
            ("SELECT update_time FROM stock", "SELECT stock"),
            ("UPDATE `stock` SET n = n - 1 WHERE id = 1", "UPDATE stock"),
            ("CREATE TABLE IF NOT EXISTS stock (id INT)", "CREATE stock"),
            ("  commit ;", "COMMIT"),
            ("", ""),
        ] {
            assert_eq!(label(statement.as_bytes()), expected);
        }
    }

    #[test]
    fn parameters_are_put_into_their_places() {
        let words =
            |words: &[&'static str]| words.iter().map(|word| Bytes::from_static(word.as_bytes())).collect::<Vec<_>>();
        for (argv, expected) in [
            (&["SELECT 1"][..], "SELECT 1"),
            (&["UPDATE t SET v = ?, n = n + ?", "it is", "2"], "UPDATE t SET v = 'it is', n = n + 2"),
            (&["SELECT '?' FROM t WHERE id = ?", "1"], "SELECT '?' FROM t WHERE id = 1"),
            (&["SELECT ?, ?", "1"], "SELECT 1, ?"),
        ] {
            assert_eq!(whole(&words(argv)), expected);
        }
    }

    #[test]
    fn redis_reply_is_not_a_database_answer() {
        let bulk = |text: &'static str| Value::Bulk(Bytes::from_static(text.as_bytes()));
        for value in [Value::OK, Value::Null, Value::Array(vec![]), Value::Array(vec![Value::Integer(1), bulk("a")])] {
            assert_eq!(answer(&value), None);
        }
        let heading = Value::Array(vec![bulk("id"), Value::Integer(1), bulk("who"), Value::Integer(0)]);
        assert_eq!(answer(&Value::Array(vec![heading.clone()])).as_deref(), Some("Empty set"));
        let row = Value::Array(vec![Value::Integer(7), Value::Null]);
        assert_eq!(answer(&Value::Array(vec![heading.clone(), row.clone()])).as_deref(), Some("7, NULL"));
        assert_eq!(answer(&Value::Array(vec![heading, row.clone(), row])).as_deref(), Some("2 rows"));
        let done = Value::Array(vec![bulk("affected"), Value::Integer(2), Value::Integer(0), Value::Integer(0)]);
        assert_eq!(answer(&done).as_deref(), Some("OK, 2"));
        assert!(!is_statement(&[Bytes::from_static(b"GET"), Bytes::from_static(b"a key")]));
    }
}
