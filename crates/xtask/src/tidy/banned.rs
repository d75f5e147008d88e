//! The world is a value: in model and world no code reads a clock, a random device, a file or a socket, iterates in a random order, or
//! panics on user input.
//!
//! Clippy rejects most of this too; this check also sees code behind another platform's `cfg`, and `allow` does not silence it.
use super::{TextFile, Tree, at, is_test_file};
use crate::rust_source::{code_only, lines_without_tests};

const ROOMS: [&str; 3] = ["crates/redis-model/src/", "crates/world/src/", "crates/resp/src/"];

/// Banned code, and what to use instead.
const BANNED: [(&str, &str); 17] = [
    ("Instant::now", "time is an input: take `now_ms` from the call"),
    ("SystemTime", "time is an input: take `now_ms` from the call"),
    ("std::time::Instant", "time is an input: take `now_ms` from the call"),
    ("collections::HashMap", "its order is random: use an ordered map or one with a fixed hasher"),
    ("collections::HashSet", "its order is random: use an ordered set or one with a fixed hasher"),
    ("RandomState", "its seed is random: use a fixed hasher"),
    ("thread_rng", "chance is an input: use the generator of the state"),
    ("rand::random", "chance is an input: use the generator of the state"),
    ("getrandom", "chance is an input: use the generator of the state"),
    ("std::fs", "no files here: the caller reads and writes"),
    ("std::net", "no sockets here: the caller sends and receives"),
    ("std::thread", "no threads here: one input after the other"),
    ("std::env", "no environment here: settings are inputs"),
    ("println!", "nothing is printed here: return a value"),
    (".unwrap()", "a stranger may be the reason: return an error or match"),
    (".expect(", "a stranger may be the reason: return an error or match"),
    ("static mut", "no state beside the value"),
];

/// Uses of banned code, except in tests.
pub fn check(tree: &Tree) -> Vec<String> {
    let files = tree.with_extension("rs").filter(|file| ROOMS.iter().any(|room| file.path.starts_with(room)));
    files.filter(|file| !is_test_file(&file.path)).flat_map(findings).collect()
}

fn findings(file: &TextFile) -> Vec<String> {
    let code = code_only(&file.text);
    let lines = code.lines().enumerate().take(lines_without_tests(&file.text));
    lines
        .flat_map(|(index, line)| {
            let hits = BANNED.iter().filter(move |(what, _)| mentions(line, what));
            hits.map(move |(what, instead)| at(&file.path, index, &format!("`{what}` is banned here; {instead}")))
        })
        .collect()
}

/// Does the line contain the text, not only as part of a longer word?
fn mentions(line: &str, what: &str) -> bool {
    let inside_word = |c: char| c.is_alphanumeric() || c == '_';
    let edges = what.starts_with(inside_word);
    line.match_indices(what).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        let after = line.get(at + what.len()..).and_then(|rest| rest.chars().next());
        let longer_before = edges && before.is_some_and(inside_word);
        let longer_after = what.ends_with(inside_word) && after.is_some_and(inside_word);
        !longer_before && !longer_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn every_banned_thing_is_found() {
        for (what, _) in BANNED {
            assert_eq!(found("crates/world/src/x.rs", &format!("//! X.\nlet a = {what};\n")).min(1), 1, "{what}");
        }
    }

    #[test]
    fn only_code_of_pure_crates_outside_tests_is_checked() {
        let text = "//! X.\nlet t = SystemTime::now();\n";
        assert_eq!(found("crates/redis-model/src/x.rs", text), 1);
        assert_eq!(found("crates/xtask/src/x.rs", text), 0);
        assert_eq!(found("crates/redis-model/src/tests.rs", text), 0);
        assert_eq!(found("crates/redis-model/src/x.rs", "//! X.\n// SystemTime::now()\nlet a = \".unwrap()\";\n"), 0);
        assert_eq!(found("crates/redis-model/src/x.rs", "//! X.\n#[cfg(test)]\nmod tests {\n  a.unwrap();\n}\n"), 0);
    }

    #[test]
    fn a_longer_word_is_another_word() {
        assert_eq!(found("crates/world/src/x.rs", "//! X.\nuse a::collections::HashMapLike;\neprintln!();\n"), 0);
    }
}
