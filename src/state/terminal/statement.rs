//! What a terminal at a database shows and offers: statements as they were executed, answers as the `mysql` client prints them, completion.
//!
//! These functions are part of a chunk of the page, so none is inlined.
use std::rc::Rc;

use bytes::Bytes;
use resp::Value;
use table::Database;

use super::complete::{Candidate, CandidateKind, Completion};
use super::transcript::What;

/// Candidates that are offered at once.
const OFFERED_MAX: usize = 12;

/// Keywords that are offered behind the first word.
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

/// An answer to a statement that took so long, as it is printed.
#[inline(never)]
pub fn result(value: &Value, elapsed_ms: u64) -> What {
    let answer = table::Answer::from_value(value);
    let code = match &answer {
        Some(table::Answer::Failed(failure)) => Some(failure.code),
        _ => None,
    };
    // A reply that no database gives: the client itself has given up.
    let foreign = || match value {
        Value::Error(text) => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    };
    let text: Rc<str> = answer.map_or_else(foreign, |answer| answer.print(elapsed_ms)).into();
    What::Result { text, code }
}

/// The syntax of the statement that a line begins with, as far as it has not been typed: only while its first word stands alone.
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

/// The ways to go on: keywords, tables, columns.
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
        // After a blank everything could follow: keywords are offered once a letter is typed.
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

/// Lines that were pasted at once as statements: one may take several lines, up to a `;`.
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
