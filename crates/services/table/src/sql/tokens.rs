//! Splits a statement into tokens.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a plain name.
    Word,
    /// A name in backticks.
    Name,
    /// Digits, possibly with a decimal point.
    Number,
    /// A string in quotes, quotes included.
    Text,
    /// An operator or a bracket.
    Symbol,
    /// An invalid token: an unterminated string or an unexpected character.
    Bad,
    /// The end of the statement.
    End,
}

/// A token and its position in the statement.
#[derive(Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The first token at or after `from`; skips spaces and comments.
pub(crate) fn next(text: &[u8], from: usize) -> Token {
    let start = skip(text, from);
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let run = |mut index: usize, inside: fn(u8) -> bool| {
        while text.get(index).is_some_and(|byte| inside(*byte)) {
            index += 1;
        }
        index
    };
    let first = at(start);
    let (kind, end) = match first {
        _ if start >= text.len() => (Kind::End, start),
        b'\'' | b'"' | b'`' => match closing(text, start) {
            Some(end) => (if first == b'`' { Kind::Name } else { Kind::Text }, end),
            None => (Kind::Bad, text.len()),
        },
        b'0'..=b'9' => {
            let mut end = run(start, |byte| byte.is_ascii_digit());
            if at(end) == b'.' && at(end + 1).is_ascii_digit() {
                end = run(end + 1, |byte| byte.is_ascii_digit());
                (Kind::Number, end)
            } else if is_word(at(end)) {
                (Kind::Word, run(end, is_word))
            } else {
                (Kind::Number, end)
            }
        }
        b'.' if at(start + 1).is_ascii_digit() => (Kind::Number, run(start + 1, |byte| byte.is_ascii_digit())),
        b'@' => (Kind::Word, run(run(start, |byte| byte == b'@'), |byte| is_word(byte) || byte == b'.')),
        _ if is_word(first) => (Kind::Word, run(start, is_word)),
        b'<' if text.get(start..start + 3) == Some(b"<=>") => (Kind::Symbol, start + 3),
        b'<' if matches!(at(start + 1), b'=' | b'>') => (Kind::Symbol, start + 2),
        b'>' | b'!' | b':' if at(start + 1) == b'=' => (Kind::Symbol, start + 2),
        b'&' | b'|' if at(start + 1) == first => (Kind::Symbol, start + 2),
        b'(' | b')' | b',' | b';' | b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'!' | b'.' | b'?' => {
            (Kind::Symbol, start + 1)
        }
        _ => (Kind::Bad, start + 1),
    };
    Token { kind, start, end }
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The position after spaces and comments.
fn skip(text: &[u8], mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let comment = match rest {
            [b'-', b'-'] | [b'-', b'-', b' ' | b'\t' | b'\n' | b'\r', ..] | [b'#', ..] => {
                rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
            }
            [b'/', b'*', inside @ ..] => match inside.windows(2).position(|pair| pair == b"*/") {
                Some(length) => length + 4,
                None => rest.len(),
            },
            [space, ..] if space.is_ascii_whitespace() => 1,
            _ => return at,
        };
        at += comment;
    }
}

/// The position after the closing quote of a string that begins at `start`.
fn closing(text: &[u8], start: usize) -> Option<usize> {
    let quote = *text.get(start)?;
    let mut at = start + 1;
    loop {
        let byte = *text.get(at)?;
        if byte == b'\\' && quote != b'`' {
            at += 2;
        } else if byte != quote {
            at += 1;
        } else if text.get(at + 1) == Some(&quote) {
            at += 2;
        } else {
            return Some(at + 1);
        }
    }
}

/// The content of a quoted string with its escapes decoded.
pub(crate) fn unquote(quoted: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(quoted.len());
    let Some((quote, rest)) = quoted.split_first() else { return plain };
    let mut rest = rest.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'\\' if *quote != b'`' => match rest.next() {
                Some(b'n') => plain.push(b'\n'),
                Some(b't') => plain.push(b'\t'),
                Some(b'r') => plain.push(b'\r'),
                Some(b'0') => plain.push(0),
                Some(b'b') => plain.push(8),
                Some(b'Z') => plain.push(26),
                // These escapes are kept for `LIKE`.
                Some(other @ (b'%' | b'_')) => plain.extend([b'\\', other]),
                Some(other) => plain.push(other),
                None => {}
            },
            byte if byte == *quote => {
                // A doubled quote means one quote; the last quote ends the string.
                if rest.next().is_some() {
                    plain.push(byte);
                }
            }
            byte => plain.push(byte),
        }
    }
    plain
}
