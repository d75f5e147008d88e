//! Explains an error in the reader's language: one sentence, and corrected command lines to suggest.
pub mod lua;

use bytes::Bytes;
use redis_model::Db;
use redis_model::command::{self, Command, syntax};
use resp::split::quote_command;

use crate::i18n::messages::{ExplainArity, ExplainSyntax, ExplainUnknownSubcommand, ExplainWrongType};
use crate::i18n::{Lang, code};
use crate::state::description;
use crate::state::terminal::wide;

/// An explanation of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The sentence, to be shown with [`crate::i18n::rich`].
    pub text: String,
    /// Suggested command lines, the closest first.
    pub suggestions: Vec<String>,
    /// Whether the command is not modelled: the list of modelled commands says why.
    pub is_unmodelled: bool,
}

/// Largest edit distance at which a word is suggested.
const DISTANCE_MAX: usize = 2;
/// How many suggestions are shown.
const SUGGESTIONS_MAX: usize = 3;

/// Explains the error reply to `argv`; `None` for an error that explains itself. `db` is the selected database as it was when the error was
/// sent.
pub fn explain(t: Lang, argv: &[Bytes], error: &[u8], db: Option<&Db>) -> Option<Explanation> {
    if let Some(line) = wide::corrected(argv) {
        return Some(full_width(t, line));
    }
    let error = String::from_utf8_lossy(error);
    let row = command::find(argv).ok();
    let shown_name =
        || code(&row.map_or_else(|| word(argv, 0), |row| row.full_name().to_ascii_uppercase().replace('|', " ")));
    if error.starts_with("ERR unknown command") {
        let names: Vec<&str> = command::all().map(|row| row.name).collect();
        let text = t.explain_unknown_command(&code(&word(argv, 0)));
        return Some(Explanation { suggestions: corrected(argv, 0, &names), ..plain(text) });
    }
    if error.starts_with("ERR unknown subcommand") {
        let container = argv.first().and_then(|name| command::by_name(name))?;
        let names: Vec<&str> = container.subcommands.iter().map(|sub| sub.name).collect();
        let text = t.say(ExplainUnknownSubcommand {
            container: &code(&container.name.to_ascii_uppercase()),
            name: &code(&word(argv, 1)),
        });
        return Some(Explanation { suggestions: corrected(argv, 1, &names), ..plain(text) });
    }
    if error.starts_with("ERR wrong number of arguments") {
        return Some(plain(t.say(ExplainArity { command: &shown_name(), usage: &code(&usage_line(row?)) })));
    }
    if error.starts_with("ERR syntax error") {
        let row = row?;
        let text = t.say(ExplainSyntax { command: &shown_name(), usage: &code(&usage_line(row)) });
        return Some(Explanation { suggestions: corrected_option(row, argv), ..plain(text) });
    }
    if error.starts_with("WRONGTYPE") {
        let (key, type_name) = key_with_type(argv, db?)?;
        return Some(plain(t.say(ExplainWrongType {
            key: &code(&key),
            kind: description::type_name(t, type_name),
            command: &shown_name(),
        })));
    }
    if error.contains("does not model yet") {
        let text = t.explain_not_modelled(&shown_name());
        return Some(Explanation { is_unmodelled: true, ..plain(text) });
    }
    lua::explain(t, &error).or_else(|| by_text(t, &error).map(str::to_owned)).map(plain)
}

/// A line with full-width characters, and what was meant.
pub fn full_width(t: Lang, line: String) -> Explanation {
    Explanation { suggestions: vec![line], ..plain(t.explain_full_width().to_owned()) }
}

/// Errors whose explanation depends on their text alone. The first matching rule wins.
fn by_text(t: Lang, error: &str) -> Option<&'static str> {
    let starts = |start: &str| error.starts_with(start);
    Some(if starts("EXECABORT") {
        t.explain_exec_abort()
    } else if starts("OOM") {
        t.explain_oom()
    } else if starts("NOPROTO") {
        t.explain_no_proto()
    } else if starts("UNBLOCKED") {
        t.explain_unblocked()
    } else if error.contains("without any password configured") {
        t.explain_no_auth()
    } else if starts("ERR EXEC without MULTI") || starts("ERR DISCARD without MULTI") {
        t.explain_exec_without_multi()
    } else if starts("ERR MULTI calls can not be nested") {
        t.explain_nested_multi()
    } else if starts("ERR WATCH inside MULTI") {
        t.explain_watch_inside_multi()
    } else if starts("ERR Command not allowed inside a transaction") {
        t.explain_not_in_multi()
    } else if starts("ERR Can't execute") {
        t.explain_subscribed()
    } else if starts("ERR invalid expire time") {
        t.explain_invalid_expire()
    } else if starts("ERR no such key") {
        t.explain_no_such_key()
    } else if starts("ERR index out of range") {
        t.explain_index_range()
    } else if starts("ERR string exceeds maximum") {
        t.explain_too_long()
    } else if starts("ERR invalid cursor") {
        t.explain_cursor()
    } else if error.contains("DB index") {
        t.explain_db_index()
    } else if starts("ERR timeout") {
        t.explain_timeout()
    } else if error.contains("objects are the same") {
        t.explain_same_object()
    } else if error.contains("not compatible") || error.contains("at the same time") {
        t.explain_incompatible()
    } else if starts("ERR min or max is not a float") {
        t.explain_min_max_float()
    } else if starts("ERR min or max not valid string range") {
        t.explain_min_max_lex()
    } else if error.contains("would overflow") {
        t.explain_overflow()
    } else if error.contains("NaN or Infinity") || error.contains("not a number (NaN)") {
        t.explain_nan()
    } else if error.contains("numkeys") || error.contains("Number of keys") {
        t.explain_numkeys()
    } else if error.contains("not an integer") {
        t.explain_not_integer()
    } else if error.contains("not a valid float") || error.contains("not a float") {
        t.explain_not_float()
    } else if error.contains("out of range") {
        t.explain_out_of_range()
    } else {
        return None;
    })
}

fn plain(text: String) -> Explanation {
    Explanation { text, suggestions: Vec::new(), is_unmodelled: false }
}

fn word(argv: &[Bytes], i: usize) -> String {
    let word = argv.get(i).map(|word| String::from_utf8_lossy(word).into_owned()).unwrap_or_default();
    word.chars().take(40).collect()
}

/// `SET key value [NX|XX] …`
pub fn usage_line(row: &Command) -> String {
    let name = row.full_name().to_ascii_uppercase().replace('|', " ");
    let usage = syntax::usage(row);
    if usage.is_empty() { name } else { format!("{name} {usage}") }
}

/// The first word that names an existing key, and the type of its value.
fn key_with_type(argv: &[Bytes], db: &Db) -> Option<(String, &'static str)> {
    let found = argv.iter().enumerate().skip(1).find_map(|(i, key)| Some((i, db.value(key)?.type_name())))?;
    Some((word(argv, found.0), found.1))
}

/// The line with its `i`th word replaced by the closest names.
fn corrected(argv: &[Bytes], i: usize, names: &[&str]) -> Vec<String> {
    let typed = word(argv, i).to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = names
        .iter()
        .map(|name| (strsim::osa_distance(&typed, name), *name))
        .filter(|(distance, name)| *distance <= DISTANCE_MAX.min(name.len() / 2) && *distance > 0)
        .collect();
    redis_model::sorting::sort(&mut near);
    near.truncate(SUGGESTIONS_MAX);
    near.into_iter().map(|(_, name)| replaced(argv, i, &name.to_ascii_uppercase())).collect()
}

/// The line with a misspelt option corrected, if a word is close to one of the command's tokens.
fn corrected_option(row: &'static Command, argv: &[Bytes]) -> Vec<String> {
    let mut tokens = Vec::new();
    collect_tokens(&row.args(), &mut tokens);
    let is_token = |typed: &str| tokens.iter().any(|token| token.eq_ignore_ascii_case(typed));
    let near = argv.iter().enumerate().skip(2).filter_map(|(i, typed)| {
        let typed = std::str::from_utf8(typed).ok().filter(|typed| !is_token(typed))?.to_ascii_uppercase();
        let nearest = tokens.iter().map(|token| (strsim::osa_distance(&typed, token), *token)).min()?;
        (nearest.0 == 1 && nearest.1.len() > 1 && typed.len() > 1).then(|| replaced(argv, i, nearest.1))
    });
    near.take(1).collect()
}

fn collect_tokens(args: &[command::Arg], tokens: &mut Vec<&'static str>) {
    for arg in args {
        if !arg.token.is_empty() {
            tokens.push(arg.token);
        }
        collect_tokens(&arg.parts, tokens);
    }
}

fn replaced(argv: &[Bytes], i: usize, word: &str) -> String {
    let mut words = argv.to_vec();
    if let Some(slot) = words.get_mut(i) {
        *slot = Bytes::from(word.to_owned());
    }
    quote_command(&words)
}

#[cfg(test)]
mod tests {
    use world::{EventKind, Input, NodeIndex, Settings, World};

    use super::{Explanation, explain};
    use crate::i18n::{Lang, plain};

    /// The explanation of the error reply to the last line.
    fn explained(lines: &[&str]) -> Option<Explanation> {
        let mut world = World::new(Settings::default());
        world.step(&Input::Connect { client: 0, name: "c1".into() }).unwrap();
        let mut last = None;
        for line in lines {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            let events = world.step(&Input::Command { client: 0, argv: argv.clone() }).unwrap();
            last = events.into_iter().find_map(|event| match event.kind {
                EventKind::Reply { value: resp::Value::Error(text), .. } => Some((argv.clone(), text)),
                _ => None,
            });
        }
        let (argv, text) = last.expect("the last line is answered with an error");
        let db = world.server(NodeIndex::FIRST).unwrap().db(0);
        let [english, chinese] = [Lang::En, Lang::ZhCn].map(|lang| explain(lang, &argv, &text, db));
        assert_eq!(english.is_some(), chinese.is_some());
        english
    }

    #[test]
    fn misspelt_command_is_corrected() {
        let explanation = explained(&["WTACH a b"]).unwrap();
        assert_eq!(explanation.suggestions, ["WATCH a b"]);
        assert_eq!(plain(&explanation.text), "Redis has no command WTACH.");
        assert_eq!(explained(&["XYZZYPLUGH"]).unwrap().suggestions, Vec::<String>::new());
    }

    #[test]
    fn full_width_characters_are_corrected() {
        assert_eq!(explained(&["ＳＥＴ　k　1"]).unwrap().suggestions, ["SET k 1"]);
        assert_eq!(explained(&["SET k 1", "EXPIRE k １０"]).unwrap().suggestions, ["EXPIRE k 10"]);
        assert_eq!(explained(&["SET k “two words”"]).unwrap().suggestions, ["SET k \"two words\""]);
    }

    #[test]
    fn misspelt_option_is_corrected() {
        assert_eq!(explained(&["SET k v EXX 10"]).unwrap().suggestions, ["SET k v EX 10"]);
    }

    #[test]
    fn arity_error_shows_the_usage() {
        assert!(plain(&explained(&["GET"]).unwrap().text).ends_with("GET key"));
    }

    #[test]
    fn wrong_type_error_names_the_key_and_its_type() {
        assert!(plain(&explained(&["SET k v", "LPUSH k x"]).unwrap().text).starts_with("k holds a string"));
    }

    #[test]
    fn errors_of_transactions_are_explained() {
        for lines in
            [&["EXEC"][..], &["MULTI", "MULTI"], &["MULTI", "WATCH k"], &["MULTI", "NOSUCH", "EXEC"], &["DISCARD"]]
        {
            assert!(explained(lines).is_some(), "{lines:?}");
        }
    }
}
