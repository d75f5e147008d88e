//! Completion and the grey hint for the line being typed.
//!
//! Names, options and key positions come from the command table; keys come from the client's selected database.
use std::ops::Range;

use bytes::Bytes;
use redis_model::command::syntax::{self, Expected};
use redis_model::{Db, command};
use resp::split::{quote_argument, tokens};

/// Most candidates offered at once.
const OFFERED_MAX: usize = 12;
/// Most keys searched for one completion: enough for a classroom, and fast with a hundred thousand keys.
const KEYS_SEEN_MAX: usize = 20_000;

/// A possible completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text to insert into the line.
    pub text: String,
    /// The kind of word.
    pub kind: CandidateKind,
    /// Details: the usage of a command, the type of a key.
    pub detail: String,
}

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// Name of a command or subcommand.
    Command,
    /// A literal word of the command's grammar.
    Option,
    /// An existing key.
    Key,
}

/// The completions of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Which bytes of the line a candidate replaces.
    pub range: Range<usize>,
    /// The candidates, best first.
    pub candidates: Vec<Candidate>,
}

/// The grey text after the caret: the rest of the usage line.
pub fn hint(line: &str) -> String {
    let Ok(found) = tokens(line.as_bytes()) else { return String::new() };
    let words: Vec<Bytes> = found.into_iter().map(|token| token.bytes).collect();
    if words.is_empty() {
        return String::new();
    }
    let found = syntax::after(&words);
    // A partly typed option does not match the grammar yet: keep the hint of the words before it.
    let rest = match words.split_last() {
        Some((_, before)) if found == syntax::Syntax::default() && !before.is_empty() && !line.ends_with(' ') => {
            syntax::after(before).rest
        }
        _ => found.rest,
    };
    if rest.is_empty() || line.ends_with(' ') { rest } else { format!(" {rest}") }
}

/// The completions at the end of `line`, which ends at the caret.
pub fn complete(line: &str, db: Option<&Db>) -> Completion {
    let Ok(found) = tokens(line.as_bytes()) else { return Completion::default() };
    let is_new_word = line.is_empty() || line.ends_with(' ');
    let (before, typed, range) = match found.split_last() {
        Some((last, before)) if !is_new_word => (before, last.bytes.clone(), last.range.clone()),
        _ => (found.as_slice(), Bytes::new(), line.len()..line.len()),
    };
    let words: Vec<Bytes> = before.iter().map(|token| token.bytes.clone()).collect();
    let is_lower = words.first().or(Some(&typed)).is_some_and(|word| word.iter().any(u8::is_ascii_lowercase));
    let mut candidates = Vec::new();
    for expected in syntax::after(&words).next {
        match expected {
            Expected::Name(name) => push_name(&mut candidates, &words, name, &typed, is_lower),
            Expected::Token(token) => push_word(&mut candidates, token, &typed, is_lower),
            Expected::Key => push_keys(&mut candidates, db, &typed),
            Expected::Value(_) => {}
        }
    }
    candidates.truncate(OFFERED_MAX);
    Completion { range, candidates }
}

fn push_name(candidates: &mut Vec<Candidate>, words: &[Bytes], name: &'static str, typed: &[u8], is_lower: bool) {
    if !starts_with(name.as_bytes(), typed) {
        return;
    }
    let row = match words.first() {
        None => command::by_name(name.as_bytes()),
        Some(container) => command::by_name(container).and_then(|row| row.subcommand(name.as_bytes())),
    };
    let text = if is_lower { name.to_owned() } else { name.to_ascii_uppercase() };
    candidates.push(Candidate {
        text,
        kind: CandidateKind::Command,
        detail: row.map(syntax::usage).unwrap_or_default(),
    });
}

fn push_word(candidates: &mut Vec<Candidate>, token: &'static str, typed: &[u8], is_lower: bool) {
    if starts_with(token.as_bytes(), typed) {
        let text = if is_lower { token.to_ascii_lowercase() } else { token.to_owned() };
        candidates.push(Candidate { text, kind: CandidateKind::Option, detail: String::new() });
    }
}

fn push_keys(candidates: &mut Vec<Candidate>, db: Option<&Db>, typed: &[u8]) {
    let Some(db) = db else { return };
    let mut keys: Vec<(Bytes, &'static str)> = db
        .entries()
        .iter()
        .take(KEYS_SEEN_MAX)
        .filter(|(key, _)| key.starts_with(typed))
        .map(|(key, entry)| (key.clone(), entry.value.type_name()))
        .collect();
    redis_model::sorting::sort(&mut keys);
    candidates.extend(keys.into_iter().take(OFFERED_MAX).map(|(key, type_name)| Candidate {
        text: quote_argument(&key),
        kind: CandidateKind::Key,
        detail: type_name.to_owned(),
    }));
}

fn starts_with(word: &[u8], typed: &[u8]) -> bool {
    word.get(..typed.len()).is_some_and(|head| head.eq_ignore_ascii_case(typed))
}

/// The line with a candidate inserted, and a blank after it to continue typing.
pub fn accept(line: &str, completion: &Completion, candidate: &Candidate) -> String {
    let head = line.get(..completion.range.start).unwrap_or(line);
    let tail = line.get(completion.range.end..).unwrap_or_default();
    format!("{head}{} {tail}", candidate.text)
}

#[cfg(test)]
mod tests {
    use redis_model::{Config, Server};

    use super::{CandidateKind, accept, complete, hint};

    fn server() -> Server {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        for line in ["SET user:1 a", "SET user:2 b", "SET \"two words\" c"] {
            server.handle(0, client, resp::split::split(line.as_bytes()).unwrap());
        }
        server
    }

    fn texts(line: &str) -> Vec<String> {
        let server = server();
        complete(line, server.db(0)).candidates.into_iter().map(|candidate| candidate.text).collect()
    }

    #[test]
    fn names_follow_the_typed_case() {
        assert_eq!(texts("UNWA"), ["UNWATCH"]);
        assert_eq!(texts("unwa"), ["unwatch"]);
        assert!(texts("").len() > 3);
    }

    #[test]
    fn keys_are_offered_in_key_positions_and_quoted_if_needed() {
        assert_eq!(texts("GET user:"), ["user:1", "user:2"]);
        assert_eq!(texts("GET t"), ["\"two words\""]);
        assert_eq!(texts("SET user:1 u"), Vec::<String>::new());
    }

    #[test]
    fn options_are_offered_where_they_are_allowed() {
        assert_eq!(texts("SET k v P"), ["PX", "PXAT"]);
        assert_eq!(texts("set k v n"), ["nx"]);
    }

    #[test]
    fn accepting_replaces_the_word() {
        let server = server();
        let completion = complete("GET us", server.db(0));
        let first = completion.candidates.first().unwrap();
        assert_eq!((accept("GET us", &completion, first).as_str(), first.kind), ("GET user:1 ", CandidateKind::Key));
    }

    #[test]
    fn hint_is_the_rest_of_the_usage() {
        assert_eq!(hint("get"), " key");
        assert_eq!(hint("get "), "key");
        assert_eq!(hint(""), "");
        assert_eq!(hint("get \"unclosed"), "");
        assert!(hint("SET k v E").starts_with(" [NX|XX]"));
    }
}
