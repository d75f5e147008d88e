//! A terminal connected to a database: executed statements, answers printed as by the `mysql` client, completion.
//!
//! These functions are in a deferred chunk of the page, so none is inlined.
use std::rc::Rc;

use bytes::Bytes;
use resp::Value;
use table::Database;

use super::complete::{Candidate, CandidateKind, Completion};
use super::transcript::ItemContent;

/// Most candidates offered at once.
const OFFERED_MAX: usize = 12;

/// Keywords offered after the first word.
const WORDS: [&str; 40] = [
    "AND",
    "AS",
    "ASC",
    "AUTO_INCREMENT",
    "BETWEEN",
    "BIGINT",
    "BY",
    "COUNT",
    "CURRENT_TIMESTAMP",
    "DATETIME",
    "DEFAULT",
    "DESC",
    "DUPLICATE",
    "EXISTS",
    "FOR",
    "FROM",
    "IGNORE",
    "IN",
    "INDEX",
    "INT",
    "INTERVAL",
    "INTO",
    "IS",
    "KEY",
    "LIKE",
    "LIMIT",
    "NOT",
    "NOWAIT",
    "NULL",
    "ORDER",
    "PRIMARY",
    "SECOND",
    "SET",
    "SKIP",
    "TABLE",
    "UNIQUE",
    "UPDATE",
    "VALUES",
    "VARCHAR",
    "WHERE",
];

/// An answer to a statement that took `elapsed_ms`, as printed.
#[inline(never)]
pub fn result(value: &Value, elapsed_ms: u64) -> ItemContent {
    let answer = table::Answer::from_value(value);
    let code = match &answer {
        Some(table::Answer::Failed(failure)) => Some(failure.code),
        _ => None,
    };
    // Not an answer of a database: the client itself timed out.
    let foreign = || match value {
        Value::Error(text) => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    };
    let text: Rc<str> = answer.map_or_else(foreign, |answer| answer.print(elapsed_ms)).into();
    ItemContent::Result { text, code }
}

/// The rest of the syntax of the statement being typed, shown only while the line has no second word.
#[inline(never)]
pub fn hint(line: &str) -> String {
    let typed = line.trim_end();
    let found = table::STATEMENTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(typed));
    let rest = found.and_then(|(name, syntax)| syntax.get(name.len()..)).unwrap_or_default().trim_start();
    match rest {
        "" => String::new(),
        rest if line.ends_with(' ') => rest.to_owned(),
        rest => format!(" {rest}"),
    }
}

/// The completions: keywords, tables, columns.
#[inline(never)]
pub fn complete(line: &str, database: &Database) -> Completion {
    let typed = line.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
    let start = line.len().saturating_sub(typed);
    let typed = line.get(start..).unwrap_or_default();
    let is_lower = line.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    let mut candidates: Vec<Candidate> = Vec::new();
    let fits = |word: &str| {
        word.len() > typed.len() && word.get(..typed.len()).is_some_and(|head| head.eq_ignore_ascii_case(typed))
    };
    let mut offer = |text: String, kind: CandidateKind, detail: String| {
        if candidates.len() < OFFERED_MAX && candidates.iter().all(|other| other.text != text) {
            candidates.push(Candidate { text, kind, detail });
        }
    };
    let cased = |word: &str| if is_lower { word.to_ascii_lowercase() } else { word.to_owned() };
    if start == 0 {
        for (name, syntax) in table::STATEMENTS.iter().filter(|(name, _)| fits(name)) {
            offer(cased(name), CandidateKind::Command, (*syntax).to_owned());
        }
    } else {
        for found in database.tables() {
            if fits(&name_of(found.name())) {
                offer(name_of(found.name()), CandidateKind::Key, String::new());
            }
            for column in found.columns().iter().filter(|column| fits(&name_of(&column.name))) {
                offer(name_of(&column.name), CandidateKind::Key, name_of(found.name()));
            }
        }
        // After a blank anything could follow: offer keywords only once a letter is typed.
        if !typed.is_empty() {
            WORDS
                .iter()
                .filter(|word| fits(word))
                .for_each(|word| offer(cased(word), CandidateKind::Option, String::new()));
        }
    }
    Completion { range: start..line.len(), candidates }
}

fn name_of(name: &Bytes) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Splits pasted lines into statements: a statement may span several lines, up to a `;`.
pub fn statements(lines: Vec<String>) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
        let is_closed = line.trim_end().ends_with(';');
        match statements.last_mut().filter(|_| is_open) {
            Some(last) => {
                last.push('\n');
                last.push_str(&line);
            }
            None => statements.push(line),
        }
        is_open = !is_closed;
    }
    statements
}
