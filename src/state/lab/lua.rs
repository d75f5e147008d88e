//! A minimal Lua highlighter: keywords, strings, comments and calls into the world.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything else.
    Plain,
    /// A keyword.
    Word,
    /// A string.
    Text,
    /// A comment.
    Comment,
    /// A function that the world provides to the program.
    Verb,
}

const WORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
    "repeat", "return", "then", "true", "until", "while",
];
const VERBS: [&str; 25] = [
    "redis.call",
    "redis.pcall",
    "client.id",
    "args",
    "sleep",
    "work",
    "uuid",
    "random",
    "now",
    "connect",
    "enter",
    "leave",
    "spawn",
    "cancel",
    "subscribe",
    "wait_message",
    "note",
    "check",
    "tally",
    "every",
    "produced",
    "processed",
    "assert",
    "error",
    "pcall",
];

/// The lines of a source as tokens.
pub fn tokens(source: &str) -> Vec<Vec<(Kind, &str)>> {
    // A long string or comment continues until this.
    let mut open: Option<(Kind, &str)> = None;
    source.lines().map(|line| line_tokens(line, &mut open)).collect()
}

/// Whether two sources differ only in comments and the space around lines.
pub fn is_same_code(one: &str, other: &str) -> bool {
    let code = |source: &str| -> Vec<String> {
        let line = |pieces: Vec<(Kind, &str)>| -> String {
            pieces.iter().filter(|(kind, _)| *kind != Kind::Comment).map(|(_, text)| *text).collect()
        };
        let lines = tokens(source).into_iter().map(|pieces| line(pieces).trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    code(one) == code(other)
}

fn line_tokens<'a>(line: &'a str, open: &mut Option<(Kind, &'static str)>) -> Vec<(Kind, &'a str)> {
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (kind, length) = match *open {
            Some((kind, close)) => match rest.find(close) {
                Some(at) => {
                    *open = None;
                    (kind, at.saturating_add(close.len()))
                }
                None => (kind, rest.len()),
            },
            None => piece(rest, open),
        };
        let (piece, behind) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
        // Join adjacent plain tokens.
        match pieces.last_mut() {
            Some((Kind::Plain, before)) if kind == Kind::Plain => {
                let from = line.len().saturating_sub(rest.len()).saturating_sub(before.len());
                let to = line.len().saturating_sub(behind.len());
                *before = line.get(from..to).unwrap_or(before);
            }
            _ => pieces.push((kind, piece)),
        }
        rest = behind;
    }
    pieces
}

/// The kind and the length of the next token.
fn piece(rest: &str, open: &mut Option<(Kind, &'static str)>) -> (Kind, usize) {
    if rest.starts_with("--[[") {
        *open = Some((Kind::Comment, "]]"));
        return (Kind::Comment, 4);
    }
    if rest.starts_with("--") {
        return (Kind::Comment, rest.len());
    }
    if rest.starts_with("[[") {
        *open = Some((Kind::Text, "]]"));
        return (Kind::Text, 2);
    }
    let Some(first) = rest.chars().next() else { return (Kind::Plain, 0) };
    if first == '"' || first == '\'' {
        return (Kind::Text, text_length(rest, first));
    }
    if !(first.is_alphabetic() || first == '_') {
        return (Kind::Plain, first.len_utf8());
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let word = rest.get(..length).unwrap_or_default();
    let kind = if WORDS.contains(&word) {
        Kind::Word
    } else if VERBS.contains(&word) {
        Kind::Verb
    } else {
        Kind::Plain
    };
    (kind, length)
}

/// Length of a quoted string with its quotes; an unclosed one ends with the line.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at.saturating_add(1);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Kind, is_same_code, tokens};

    #[test]
    fn comments_do_not_change_the_code() {
        let english = "-- gets in\nenter('s') --[[ now\nand ]] leave('s')";
        assert!(is_same_code(english, "-- 进入\n  enter('s')\nleave('s')\n"));
        for other in ["enter('s') leave('s')", "enter('t')\nleave('s')", "-- enter('s')\nleave('s')", ""] {
            assert!(!is_same_code(english, other), "{other}");
        }
    }

    #[test]
    fn line_is_split_into_tokens() {
        let source = "local ok = redis.call('SET', \"a\\\"b\") -- now\n--[[ long\nstill ]] x = [[text]]";
        let lines = tokens(source);
        assert_eq!(
            lines[0],
            [
                (Kind::Word, "local"),
                (Kind::Plain, " ok = "),
                (Kind::Verb, "redis.call"),
                (Kind::Plain, "("),
                (Kind::Text, "'SET'"),
                (Kind::Plain, ", "),
                (Kind::Text, "\"a\\\"b\""),
                (Kind::Plain, ") "),
                (Kind::Comment, "-- now"),
            ]
        );
        assert_eq!(lines[1], [(Kind::Comment, "--[["), (Kind::Comment, " long")]);
        assert_eq!(lines[2][0], (Kind::Comment, "still ]]"));
        assert_eq!(lines[2][2..], [(Kind::Text, "[["), (Kind::Text, "text]]")]);
        for (line, source) in lines.iter().zip(source.lines()) {
            assert_eq!(line.iter().map(|(_, text)| *text).collect::<String>(), source);
        }
    }
}
