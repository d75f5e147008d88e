//! `redis-cli --eval file key … , arg …`, typed inside redis-cli: splits the line, and builds the command that it stands for.
//!
//! A real redis-cli accepts `--eval` only from the shell. There is no shell here, so a terminal accepts the whole line (`redis-cli --eval
//! …`) and the option alone (`--eval …`); the file is one of the script editor's.
use bytes::Bytes;
use resp::split::quote_argument;

use super::complete::{Candidate, CandidateKind, Completion};
use crate::state::scripts::call;

/// What redis-cli prints when no file follows.
pub const NO_FILE: &str = "Unrecognized option or bad number of args for: '--eval'";

/// The words after `--eval`; `None` if the line is an ordinary command.
pub fn words(argv: &[Bytes]) -> Option<&[Bytes]> {
    match argv {
        [option, rest @ ..] if option == "--eval" => Some(rest),
        [program, option, rest @ ..] if program == "redis-cli" && option == "--eval" => Some(rest),
        _ => None,
    }
}

/// The command for a file with this text and the words after its name. A comma as a word of its own separates keys from arguments; without
/// one, all words are keys.
pub fn command(text: &str, words: &[Bytes]) -> Vec<Bytes> {
    let comma = words.iter().position(|word| word == ",").unwrap_or(words.len());
    let (keys, rest) = words.split_at_checked(comma).unwrap_or((words, &[]));
    call("EVAL", Bytes::from(text.to_owned()), keys, rest.get(1..).unwrap_or_default())
}

/// What redis-cli prints if the file does not exist.
pub fn missing(name: &[u8]) -> String {
    format!("Can't open file '{}': No such file or directory", String::from_utf8_lossy(name))
}

/// File names that complete the last word of a line; `None` if no file name belongs there.
pub fn complete(line: &str, names: impl FnOnce() -> Vec<String>) -> Option<Completion> {
    let typed = line.strip_prefix("redis-cli ").unwrap_or(line).strip_prefix("--eval ")?;
    if typed.contains(' ') {
        return None;
    }
    let is_meant = |name: &String| name.starts_with(typed.trim_start_matches('"'));
    let candidates = names().into_iter().filter(is_meant).map(|name| Candidate {
        text: quote_argument(name.as_bytes()),
        kind: CandidateKind::Option,
        detail: String::new(),
    });
    Some(Completion { range: line.len().saturating_sub(typed.len())..line.len(), candidates: candidates.collect() })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{command, complete, words};
    use crate::state::terminal::complete::accept;

    fn split(line: &str) -> Vec<Bytes> {
        resp::split::split(line.as_bytes()).unwrap()
    }

    #[test]
    fn only_the_two_forms_are_recognised() {
        for line in ["redis-cli --eval f.lua k , a", "--eval f.lua k , a"] {
            assert_eq!(words(&split(line)), Some(split("f.lua k , a").as_slice()));
        }
        assert_eq!(words(&split("--eval")), Some(&[][..]));
        for line in ["EVAL x 0", "redis-cli PING", "redis-cli", "--EVAL f", "GET --eval"] {
            assert_eq!(words(&split(line)), None, "{line}");
        }
    }

    #[test]
    fn files_are_completed_only_after_the_option() {
        let names = || vec!["a b.lua".to_owned(), "release.lua".to_owned(), "stock.lua".to_owned()];
        let texts = |line: &str| -> Option<Vec<String>> {
            let completion = complete(line, names)?;
            Some(completion.candidates.iter().map(|candidate| accept(line, &completion, candidate)).collect())
        };
        assert_eq!(texts("--eval re"), Some(vec!["--eval release.lua ".to_owned()]));
        assert_eq!(texts("redis-cli --eval a"), Some(vec!["redis-cli --eval \"a b.lua\" ".to_owned()]));
        assert_eq!(texts("--eval ").map(|texts| texts.len()), Some(3));
        for line in ["--eval release.lua k", "GET --eval x", "--eva"] {
            assert_eq!(texts(line), None, "{line}");
        }
    }

    /// As sent by redis-cli 7.0.15, observed in a server's replies.
    #[test]
    fn first_comma_as_a_word_ends_the_keys() {
        for (typed, sent) in [
            ("k1 k2 , a b", "2 k1 k2 a b"),
            ("k1 k2", "2 k1 k2"),
            (", a", "0 a"),
            ("k1, a", "2 k1, a"),
            ("k , a , b", "1 k a , b"),
            ("", "0"),
            ("\"k 1\" , \"a b\"", "1 \"k 1\" \"a b\""),
        ] {
            assert_eq!(command("return 1", &split(typed)), split(&format!("EVAL \"return 1\" {sent}")), "{typed}");
        }
    }
}
