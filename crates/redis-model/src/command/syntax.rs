//! What may follow the words typed so far: for the grey hint, completion, and the usage line of the help.
//!
//! Everything is derived from the arguments in the rows. Consecutive optional arguments may come in any order, as in Redis itself; a
//! repeated argument ends at a token of a following argument; `numkeys` is the number of keys after it.
use std::borrow::Cow;

use bytes::Bytes;

use super::{Arg, Command, Kind, by_name};

/// What the grammar allows after some complete words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Syntax {
    /// The rest of the usage line, e.g. `value [NX | XX]`; empty if nothing may follow or the words are not understood.
    pub rest: String,
    /// What the next word may be.
    pub next: Vec<Expected>,
}

/// What a word may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The name of a command or subcommand.
    Name(&'static str),
    /// A literal word, such as `NX` or `LIMIT`.
    Token(&'static str),
    /// A key.
    Key,
    /// A value with this name, such as `value` or `seconds`.
    Value(Cow<'static, str>),
}

/// The arguments of a row as a usage line, such as `key value [NX | XX] [GET]`.
///
/// ```
/// use redis_model::command::{by_name, syntax::usage};
/// assert_eq!(usage(by_name(b"get").unwrap()), "key");
/// ```
pub fn usage(row: &Command) -> String {
    joined(row.args().iter().map(render))
}

/// What may follow these complete words, the command name first.
pub fn after(words: &[Bytes]) -> Syntax {
    let Some((name, args)) = words.split_first() else {
        return Syntax { rest: String::new(), next: super::all().map(|row| Expected::Name(row.name)).collect() };
    };
    let Some(row) = by_name(name) else { return Syntax::default() };
    if row.subcommands.is_empty() {
        return after_arguments(row, args);
    }
    match args.split_first() {
        None => Syntax {
            rest: "subcommand …".to_owned(),
            next: row.subcommands.iter().map(|sub| Expected::Name(sub.name)).collect(),
        },
        Some((word, args)) => row.subcommand(word).map(|sub| after_arguments(sub, args)).unwrap_or_default(),
    }
}

fn after_arguments(row: &'static Command, words: &[Bytes]) -> Syntax {
    let mut walk = Walk { words, at: 0 };
    match walk.sequence(&row.args()) {
        None => Syntax::default(),
        // The grammar does not allow the remaining words.
        Some(_) if walk.at < words.len() => Syntax::default(),
        Some(pieces) => Syntax { rest: joined(pieces.iter().map(|piece| piece.text.clone())), next: expected(&pieces) },
    }
}

/// A part of the grammar that has not been typed yet.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    /// What it can begin with.
    begins: Vec<Expected>,
    is_optional: bool,
}

/// What can come next: the first words of the open pieces, up to and including the first required one.
fn expected(pieces: &[Piece]) -> Vec<Expected> {
    let required = pieces.iter().position(|piece| !piece.is_optional).map_or(pieces.len(), |i| i.saturating_add(1));
    let mut next: Vec<Expected> = Vec::new();
    for begin in pieces.iter().take(required).flat_map(|piece| &piece.begins) {
        if !next.contains(begin) {
            next.push(begin.clone());
        }
    }
    next
}

struct Walk<'a> {
    words: &'a [Bytes],
    at: usize,
}

impl Walk<'_> {
    fn word(&self) -> Option<&Bytes> {
        self.words.get(self.at)
    }

    fn is_done(&self) -> bool {
        self.at >= self.words.len()
    }

    fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Matches arguments in order. Returns the pieces that are still open, or `None` if a word does not match.
    fn sequence(&mut self, args: &[Arg]) -> Option<Vec<Piece>> {
        let mut open: Vec<Piece> = Vec::new();
        let mut rest = args;
        let mut number: Option<usize> = None;
        while let Some(first) = rest.first() {
            let run = rest.iter().take_while(|arg| arg.is_optional).count();
            if run == 0 {
                let following = rest.get(1..).unwrap_or_default();
                let pieces = self.required(first, following, number.take())?;
                if first.is_count() {
                    number = self
                        .words
                        .get(self.at.saturating_sub(1))
                        .and_then(|w| std::str::from_utf8(w).ok()?.parse().ok());
                }
                rest = following;
                if let Some(pieces) = pieces {
                    open.extend(pieces);
                    if self.is_done() {
                        open.extend(rest.iter().map(whole));
                        return Some(open);
                    }
                }
            } else {
                let (optional, following) = rest.split_at_checked(run)?;
                open = self.optional_run(optional, following)?;
                rest = following;
                // An optional argument has started but is not complete: nothing else can come before its end.
                if open.first().is_some_and(|piece| !piece.is_optional) {
                    open.extend(rest.iter().map(whole));
                    return Some(open);
                }
            }
        }
        Some(open)
    }

    /// Matches optional arguments in any order.
    fn optional_run(&mut self, run: &[Arg], following: &[Arg]) -> Option<Vec<Piece>> {
        let mut unused: Vec<&Arg> = run.iter().collect();
        'words: while !self.is_done() {
            for (i, arg) in unused.iter().enumerate() {
                if self.fits(arg) {
                    let arg = unused.remove(i);
                    if let Some(mut pieces) = self.required(arg, following, None)? {
                        let is_inside = pieces.first().is_some_and(|piece| !piece.is_optional);
                        pieces.extend(unused.iter().map(|arg| whole(arg)));
                        if is_inside || self.is_done() {
                            return Some(pieces);
                        }
                    }
                    continue 'words;
                }
            }
            break;
        }
        Some(unused.into_iter().map(whole).collect())
    }

    /// Could the next word start this argument?
    fn fits(&self, arg: &Arg) -> bool {
        let Some(word) = self.word() else { return false };
        if !arg.token.is_empty() {
            return word.eq_ignore_ascii_case(arg.token.as_bytes());
        }
        match arg.kind {
            Kind::OneOf => arg.parts.iter().any(|part| self.fits(part)),
            Kind::Block => arg.parts.first().is_some_and(|part| self.fits(part)),
            Kind::Integer => looks_like_number(word),
            _ => true,
        }
    }

    /// Matches one argument with its repetitions. `Some(None)`: it is complete; pieces: the part that is open or may be repeated; `None`: a
    /// word does not match.
    fn required(&mut self, arg: &Arg, following: &[Arg], times: Option<usize>) -> Option<Option<Vec<Piece>>> {
        if self.is_done() {
            return Some(Some(vec![Piece { is_optional: false, ..whole(arg) }]));
        }
        let mut count = 0usize;
        loop {
            if !arg.token.is_empty() && arg.kind != Kind::PureToken && (count == 0 || arg.is_multiple_token) {
                if !self.word()?.eq_ignore_ascii_case(arg.token.as_bytes()) {
                    return None;
                }
                self.skip();
            }
            if let Some(open) = self.value(arg)? {
                return Some(Some(open));
            }
            count = count.saturating_add(1);
            if !arg.is_multiple {
                return Some(None);
            }
            if times.is_some_and(|times| count >= times) {
                return Some(None);
            }
            if self.is_done() {
                return Some(Some(vec![repetition(arg, times.is_some())]));
            }
            let is_next = following
                .iter()
                .take_while(|next| next.is_optional || !next.token.is_empty())
                .any(|next| (!next.token.is_empty() || matches!(next.kind, Kind::OneOf)) && self.fits_by_token(next));
            if is_next || (arg.is_multiple_token && !self.fits(arg)) {
                return Some(None);
            }
        }
    }

    /// Does the next word start this argument as a token, not as a value?
    fn fits_by_token(&self, arg: &Arg) -> bool {
        let Some(word) = self.word() else { return false };
        if !arg.token.is_empty() {
            return word.eq_ignore_ascii_case(arg.token.as_bytes());
        }
        arg.parts.iter().any(|part| self.fits_by_token(part))
    }

    /// Matches the argument without its token and repetitions.
    fn value(&mut self, arg: &Arg) -> Option<Option<Vec<Piece>>> {
        match arg.kind {
            Kind::PureToken => {
                if !self.word()?.eq_ignore_ascii_case(arg.token.as_bytes()) {
                    return None;
                }
                self.skip();
                Some(None)
            }
            Kind::OneOf => {
                if self.is_done() {
                    return Some(Some(vec![bare(arg)]));
                }
                let chosen = arg.parts.iter().find(|part| self.fits(part))?;
                self.required(chosen, &[], None)
            }
            Kind::Block => {
                if self.is_done() {
                    return Some(Some(vec![bare(arg)]));
                }
                let open = self.sequence(&arg.parts)?;
                Some(if open.is_empty() { None } else { Some(open) })
            }
            _ if self.is_done() => Some(Some(vec![bare(arg)])),
            _ => {
                self.skip();
                Some(None)
            }
        }
    }
}

fn looks_like_number(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
}

/// The whole argument, none of it typed yet.
fn whole(arg: &Arg) -> Piece {
    Piece { text: render(arg), begins: begins(arg), is_optional: arg.is_optional }
}

/// The argument after its token.
fn bare(arg: &Arg) -> Piece {
    let begins = match arg.kind {
        Kind::OneOf => arg.parts.iter().flat_map(begins).collect(),
        Kind::Block => arg.parts.first().map(begins).unwrap_or_default(),
        _ => vec![value_of(arg)],
    };
    Piece { text: body(arg), begins, is_optional: false }
}

/// A repetition of the argument; required if a count asks for it.
fn repetition(arg: &Arg, is_required: bool) -> Piece {
    let again = if arg.is_multiple_token { with_token(arg) } else { body(arg) };
    let begins = if arg.is_multiple_token { begins(arg) } else { bare(arg).begins };
    let text = if is_required { again } else { format!("[{again} ...]") };
    Piece { text, begins, is_optional: !is_required }
}

fn begins(arg: &Arg) -> Vec<Expected> {
    if !arg.token.is_empty() {
        return vec![Expected::Token(arg.token)];
    }
    match arg.kind {
        Kind::OneOf => arg.parts.iter().flat_map(begins).collect(),
        Kind::Block => arg.parts.first().map(begins).unwrap_or_default(),
        _ => vec![value_of(arg)],
    }
}

fn value_of(arg: &Arg) -> Expected {
    match arg.kind {
        Kind::Key => Expected::Key,
        Kind::PureToken => Expected::Token(arg.token),
        _ => Expected::Value(arg.name()),
    }
}

/// `[EX seconds | PX milliseconds]`
fn render(arg: &Arg) -> String {
    let once = with_token(arg);
    let text = if !arg.is_multiple {
        once
    } else if arg.is_multiple_token {
        format!("{once} [{once} ...]")
    } else {
        format!("{once} [{} ...]", body(arg))
    };
    if arg.is_optional { format!("[{text}]") } else { text }
}

fn with_token(arg: &Arg) -> String {
    if arg.token.is_empty() || arg.kind == Kind::PureToken { body(arg) } else { format!("{} {}", arg.token, body(arg)) }
}

fn body(arg: &Arg) -> String {
    match arg.kind {
        Kind::PureToken => arg.token.to_owned(),
        Kind::OneOf => arg.parts.iter().map(render).collect::<Vec<_>>().join("|"),
        Kind::Block => joined(arg.parts.iter().map(render)),
        _ => arg.name().into_owned(),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Expected, after};

    fn hint(line: &str) -> String {
        after(&resp::split::split(line.as_bytes()).unwrap()).rest
    }

    fn next(line: &str) -> Vec<Expected> {
        after(&resp::split::split(line.as_bytes()).unwrap()).next
    }

    #[test]
    fn hint_shows_only_what_has_not_been_typed() {
        for (typed, rest) in [
            ("GET", "key"),
            ("GET a", ""),
            ("GET a b", ""),
            ("NOSUCH", ""),
            (
                "SET k",
                "value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
            ),
            (
                "SET k v",
                "[NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
            ),
            ("SET k v EX", "seconds [NX|XX] [GET]"),
            ("SET k v EX 10", "[NX|XX] [GET]"),
            ("SET k v EX 10 nx GET", ""),
            ("MSET", "key value [key value ...]"),
            ("MSET a", "value"),
            ("MSET a 1", "[key value ...]"),
            ("WATCH a b", "[key ...]"),
        ] {
            assert_eq!(hint(typed), rest, "{typed}");
        }
    }

    #[test]
    fn completion_offers_tokens_keys_and_values() {
        assert_eq!(next("SET"), [Expected::Key]);
        assert_eq!(next("SET k"), [Expected::Value("value".into())]);
        assert_eq!(next("SET k v PX"), [Expected::Value("milliseconds".into())]);
        assert_eq!(next("SET k v EX 1"), [Expected::Token("NX"), Expected::Token("XX"), Expected::Token("GET")]);
        assert_eq!(next("MSET a 1"), [Expected::Key]);
    }
}
