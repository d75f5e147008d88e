//! The arguments of a command, and the notation for them in its row.
//!
//! ```text
//!  value                 a string            LIMIT=limit:int    a value after its token
//!  start:int             a kind              NX                 a token alone, named nx
//!  key#0                 a key, described    XX=only:flag       a token alone, named otherwise
//!                        by key spec 0
//!  when(NX|XX)           one of these        [arg]              may be left out
//!  pair{key#0 value}     all of these        arg...             may be repeated
//!  arg@6.2.0             since               arg+...            its token is repeated with it
//!  arg!6.2.0             deprecated since    ip:string#0        not a key, though described as one
//! ```
//!
//! `SET`: `key#0 value [condition(NX|XX)] [GET@6.2.0] [expiration(EX=seconds:int|KEEPTTL@6.0.0)]`. The syntax is a string and not a tree of
//! structures because there are about a thousand arguments, and a string compresses well.
use std::borrow::Cow;

/// One argument of a command, possibly with parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Empty if the name is the token in lower case.
    name: &'static str,
    /// The kind of value, or of group.
    pub kind: Kind,
    /// The literal word before the value; for a pure token, the argument itself. Empty if there is none.
    pub token: &'static str,
    /// Index of its specification in the row's `keys`.
    pub key_spec: Option<usize>,
    /// Redis version that introduced it, if later than the command; otherwise empty.
    pub since: &'static str,
    /// Redis version that deprecated it, or empty.
    pub deprecated_since: &'static str,
    /// May the argument be left out?
    pub is_optional: bool,
    /// May the argument be repeated?
    pub is_multiple: bool,
    /// Is the token repeated with each value?
    pub is_multiple_token: bool,
    /// Choices of a `oneof`, parts of a `block`.
    pub parts: Vec<Arg>,
}

impl Arg {
    const BLANK: Arg = Arg {
        name: "",
        kind: Kind::String,
        token: "",
        key_spec: None,
        since: "",
        deprecated_since: "",
        is_optional: false,
        is_multiple: false,
        is_multiple_token: false,
        parts: Vec::new(),
    };

    /// Is this the number of keys that follow?
    pub fn is_count(&self) -> bool {
        self.name == "numkeys"
    }

    /// Parses the notation of a row.
    pub(super) fn read(syntax: &'static str) -> Vec<Arg> {
        SyntaxReader { rest: syntax }.list()
    }

    /// Name in `COMMAND DOCS` and in syntax hints.
    pub fn name(&self) -> Cow<'static, str> {
        if self.name.is_empty() { Cow::Owned(self.token.to_ascii_lowercase()) } else { Cow::Borrowed(self.name) }
    }
}

/// Kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    String,
    Integer,
    Double,
    Key,
    Pattern,
    UnixTime,
    PureToken,
    OneOf,
    Block,
}

impl Kind {
    /// The names in the notation for kinds without brackets.
    const SUFFIXES: [(&'static str, Kind); 7] = [
        ("string", Kind::String),
        ("int", Kind::Integer),
        ("double", Kind::Double),
        ("key", Kind::Key),
        ("pattern", Kind::Pattern),
        ("time", Kind::UnixTime),
        ("flag", Kind::PureToken),
    ];

    /// The name in `COMMAND DOCS`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Integer => "integer",
            Kind::Double => "double",
            Kind::Key => "key",
            Kind::Pattern => "pattern",
            Kind::UnixTime => "unix-time",
            Kind::PureToken => "pure-token",
            Kind::OneOf => "oneof",
            Kind::Block => "block",
        }
    }
}

struct SyntaxReader {
    rest: &'static str,
}

impl SyntaxReader {
    /// Parses arguments up to a closing bracket or the end.
    fn list(&mut self) -> Vec<Arg> {
        let mut args = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with([')', '}']) {
            args.push(self.arg());
            if !self.eat(" ") && !self.eat("|") {
                break;
            }
        }
        args
    }

    fn arg(&mut self) -> Arg {
        let is_optional = self.eat("[");
        let mut arg = self.word();
        if self.eat("(") {
            arg = Arg { kind: Kind::OneOf, parts: self.list(), ..arg };
            self.eat(")");
        } else if self.eat("{") {
            arg = Arg { kind: Kind::Block, parts: self.list(), ..arg };
            self.eat("}");
        }
        if self.eat("#") {
            arg.key_spec = self.until(&[')', '}', ']', '|', ' ', '+', '.', '@', '!']).parse().ok();
        }
        arg.is_multiple_token = self.eat("+");
        arg.is_multiple = self.eat("...");
        if self.eat("@") {
            arg.since = self.until(&[')', '}', ']', '|', ' ', '!']);
        }
        if self.eat("!") {
            arg.deprecated_since = self.until(&[')', '}', ']', '|', ' ']);
        }
        arg.is_optional = is_optional && self.eat("]");
        arg
    }

    fn eat(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn until(&mut self, ends: &[char]) -> &'static str {
        let (taken, rest) =
            self.rest.split_at_checked(self.rest.find(ends).unwrap_or(self.rest.len())).unwrap_or_default();
        self.rest = rest;
        taken
    }

    /// Parses the part before brackets and marks: token, name and kind.
    fn word(&mut self) -> Arg {
        let text = self.until(&['(', '{', ')', '}', ']', '|', ' ', '#', '@', '!', '+', '.']);
        // A token may itself be `=`.
        let equals = text.char_indices().skip(1).find(|(_, letter)| *letter == '=').map(|(at, _)| at);
        let pair = equals.and_then(|at| Some((text.get(..at)?, text.get(at.checked_add(1)?..)?)));
        let (token, named) = pair.unwrap_or(("", text));
        if token.is_empty() && named.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Arg { token: named, kind: Kind::PureToken, ..Arg::BLANK };
        }
        let kind = |suffix| Kind::SUFFIXES.iter().find(|(known, _)| *known == suffix).map(|(_, kind)| *kind);
        let split = named.rsplit_once(':').and_then(|(name, suffix)| Some((name, kind(suffix)?)));
        let plain = if self.rest.starts_with('#') { Kind::Key } else { Kind::String };
        let (name, kind) = split.unwrap_or((named, plain));
        Arg { token, name, kind, ..Arg::BLANK }
    }
}
