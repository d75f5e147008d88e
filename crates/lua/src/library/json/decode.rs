//! From JSON to Lua, with the extensions of `cjson`: hexadecimal numbers, infinities, leading zeros.
use super::null;
use super::settings::Settings;
use crate::library::strtod::strtod;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// Deeper nesting is always rejected, even if the script allows it, because this decoder is recursive.
const DEPTH_MAX: i64 = 1000;

/// `cjson.decode(text)`
pub fn decode(state: &mut LuaState, settings: Settings) -> Returns {
    if api::get_top(state) != 1 {
        return native::bad_argument(state, 1, "expected 1 argument");
    }
    let text = native::string(state, 1)?;
    let text = text.as_bytes();
    if text.len() >= 2 && text.iter().take(2).any(|&byte| byte == 0) {
        return native::fail(state, "JSON parser does not support UTF-16 or UTF-32");
    }
    native::charge(state, text.len() / 4)?;
    let mut decoder = Decoder { settings, text, at: 0, depth: 0 };
    let token = decoder.token();
    decoder.value(state, token)?;
    let token = decoder.token();
    if !matches!(token.kind, Kind::End) {
        return decoder.unexpected(state, "the end", &token);
    }
    Ok(1)
}

/// The next token and its position.
struct Token {
    kind: Kind,
    at: usize,
}

enum Kind {
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
    Text(Vec<u8>),
    Number(f64),
    Boolean(bool),
    Null,
    Colon,
    Comma,
    End,
    Wrong(&'static str),
}

impl Kind {
    const fn name(&self) -> &'static str {
        match self {
            Kind::ObjectBegin => "T_OBJ_BEGIN",
            Kind::ObjectEnd => "T_OBJ_END",
            Kind::ArrayBegin => "T_ARR_BEGIN",
            Kind::ArrayEnd => "T_ARR_END",
            Kind::Text(_) => "T_STRING",
            Kind::Number(_) => "T_NUMBER",
            Kind::Boolean(_) => "T_BOOLEAN",
            Kind::Null => "T_NULL",
            Kind::Colon => "T_COLON",
            Kind::Comma => "T_COMMA",
            Kind::End => "T_END",
            Kind::Wrong(what) => what,
        }
    }
}

struct Decoder<'a> {
    settings: Settings,
    text: &'a [u8],
    at: usize,
    depth: i64,
}

impl Decoder<'_> {
    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn token(&mut self) -> Token {
        while matches!(self.rest().first(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let at = self.at;
        let single = |kind| (kind, 1);
        let (kind, length) = match self.rest().first() {
            // A zero byte ends the text, like a C string.
            None | Some(0) => (Kind::End, 0),
            Some(b'{') => single(Kind::ObjectBegin),
            Some(b'}') => single(Kind::ObjectEnd),
            Some(b'[') => single(Kind::ArrayBegin),
            Some(b']') => single(Kind::ArrayEnd),
            Some(b',') => single(Kind::Comma),
            Some(b':') => single(Kind::Colon),
            Some(b'"') => return self.string(),
            Some(b'-' | b'0'..=b'9') if !self.settings.decode_invalid && is_invalid(self.rest()) => {
                (Kind::Wrong("invalid number"), 0)
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.rest().starts_with(b"true") => (Kind::Boolean(true), 4),
            _ if self.rest().starts_with(b"false") => (Kind::Boolean(false), 5),
            _ if self.rest().starts_with(b"null") => (Kind::Null, 4),
            _ if self.settings.decode_invalid && is_invalid(self.rest()) => self.number(),
            _ => (Kind::Wrong("invalid token"), 0),
        };
        self.at += length;
        Token { kind, at }
    }

    fn number(&self) -> (Kind, usize) {
        match strtod(self.rest()) {
            Some((number, length)) => (Kind::Number(number), length),
            None => (Kind::Wrong("invalid number"), 0),
        }
    }

    fn string(&mut self) -> Token {
        let begin = self.at;
        let mut text = Vec::new();
        let mut at = begin + 1;
        loop {
            let wrong = |what, at| Token { kind: Kind::Wrong(what), at };
            match self.text.get(at) {
                None | Some(0) => return wrong("unexpected end of string", at),
                Some(b'"') => break,
                Some(b'\\') => {
                    let plain = match self.text.get(at + 1) {
                        Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
                        Some(b'b') => 0x08,
                        Some(b'f') => 0x0c,
                        Some(b'n') => b'\n',
                        Some(b'r') => b'\r',
                        Some(b't') => b'\t',
                        Some(b'u') => match self.code_point(at) {
                            Some((character, length)) => {
                                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                                at += length;
                                continue;
                            }
                            None => return wrong("invalid unicode escape code", at),
                        },
                        _ => return wrong("invalid escape code", at),
                    };
                    text.push(plain);
                    at += 2;
                }
                Some(&byte) => {
                    text.push(byte);
                    at += 1;
                }
            }
        }
        self.at = at + 1;
        Token { kind: Kind::Text(text), at: begin }
    }

    /// The character of one `\u` escape, or of two that form a surrogate pair, and the length of the escape in bytes.
    fn code_point(&self, at: usize) -> Option<(char, usize)> {
        let unit = |at: usize| {
            let digits = self.text.get(at..at + 6)?.strip_prefix(b"\\u")?;
            digits.iter().try_fold(0_u32, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
        };
        let first = unit(at)?;
        if let Some(character) = char::from_u32(first) {
            return Some((character, 6));
        }
        let second = unit(at + 6)?;
        if first >= 0xdc00 || !(0xdc00..0xe000).contains(&second) {
            return None;
        }
        let character = char::from_u32(0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff))?;
        Some((character, 12))
    }

    fn unexpected<T>(&self, state: &mut LuaState, expected: &str, token: &Token) -> Result<T, LuaError> {
        let (found, at) = (token.kind.name(), token.at + 1);
        native::fail(state, format!("Expected {expected} but found {found} at character {at}"))
    }

    /// Pushes the value that begins with this token.
    fn value(&mut self, state: &mut LuaState, token: Token) -> Result<(), LuaError> {
        match token.kind {
            Kind::Text(text) => native::push(state, &text),
            Kind::Number(number) => native::push_value(state, LuaValue::Float(number)),
            Kind::Boolean(yes) => native::push_value(state, LuaValue::Bool(yes)),
            Kind::Null => native::push_value(state, null()),
            Kind::ObjectBegin => {
                self.deeper(state, &token)?;
                self.object(state)?;
                self.depth -= 1;
                Ok(())
            }
            Kind::ArrayBegin => {
                self.deeper(state, &token)?;
                self.array(state)?;
                self.depth -= 1;
                Ok(())
            }
            _ => self.unexpected(state, "value", &token),
        }
    }

    fn deeper(&mut self, state: &mut LuaState, token: &Token) -> Result<(), LuaError> {
        self.depth += 1;
        native::charge(state, 1)?;
        if self.depth > self.settings.decode_depth.min(DEPTH_MAX) {
            let (depth, at) = (self.depth, token.at + 1);
            return native::fail(state, format!("Found too many nested data structures ({depth}) at character {at}"));
        }
        Ok(())
    }

    fn object(&mut self, state: &mut LuaState) -> Result<(), LuaError> {
        native::push_table(state, 0, 0)?;
        let mut token = self.token();
        if matches!(token.kind, Kind::ObjectEnd) {
            return Ok(());
        }
        loop {
            let Kind::Text(name) = &token.kind else {
                return self.unexpected(state, "object key string", &token);
            };
            native::push(state, name)?;
            token = self.token();
            if !matches!(token.kind, Kind::Colon) {
                return self.unexpected(state, "colon", &token);
            }
            token = self.token();
            self.value(state, token)?;
            api::raw_set(state, -3)?;
            token = self.token();
            match token.kind {
                Kind::ObjectEnd => return Ok(()),
                Kind::Comma => token = self.token(),
                _ => return self.unexpected(state, "comma or object end", &token),
            }
        }
    }

    fn array(&mut self, state: &mut LuaState) -> Result<(), LuaError> {
        native::push_table(state, 0, 0)?;
        let mut token = self.token();
        if matches!(token.kind, Kind::ArrayEnd) {
            return Ok(());
        }
        for number in 1.. {
            self.value(state, token)?;
            api::raw_set_i(state, -2, number)?;
            token = self.token();
            match token.kind {
                Kind::ArrayEnd => return Ok(()),
                Kind::Comma => token = self.token(),
                _ => return self.unexpected(state, "comma or array end", &token),
            }
        }
        Ok(())
    }
}

/// Whether a number begins here that JSON does not allow: with a plus or a leading zero, hexadecimal, infinite, or NaN.
fn is_invalid(text: &[u8]) -> bool {
    let (first, rest) = match text {
        [b'+', ..] => return true,
        [b'-', rest @ ..] => (rest.first(), rest),
        rest => (rest.first(), rest),
    };
    match first {
        Some(b'0') => matches!(rest.get(1), Some(b'x' | b'X' | b'0'..=b'9')),
        Some(b'1'..=b'9') => false,
        _ => rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"inf") || word.eq_ignore_ascii_case(b"nan")),
    }
}
