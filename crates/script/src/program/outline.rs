//! Static outline of a program's text: the lines where its threads can stop, and the critical sections that it names.
use bytes::Bytes;

/// Functions that block a thread until its request is answered.
const STANDS: [&[u8]; 4] = [b"sleep", b"work", b"subscribe", b"wait_message"];

/// The default name of a section.
const UNNAMED: &[u8] = b"critical";

/// The outline of a program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Lines with a request that other clients can observe, from 1, ascending: commands, `sleep`, `work`, `subscribe` and
    /// `wait_message`. For an alias (`local call = redis.call`), this is the line of its definition.
    pub stands: Vec<u32>,
    /// Critical sections that `enter` or `leave` names by a string literal, in the order of their first occurrence.
    pub sections: Vec<Bytes>,
}

impl Outline {
    /// Reads a text. Invalid Lua gets an outline too, of the parts that look like Lua.
    pub fn of(text: &[u8]) -> Outline {
        let mut outline = Outline::default();
        let mut scanner = Scanner::new(text);
        let mut past = [Token::Other, Token::Other];
        while let Some((token, line)) = scanner.next() {
            let [before, last] = past;
            match (before, last, token) {
                // A method of `redis`, or of a connection made by `connect`.
                (Token::Name(_), Token::Symbol(b'.'), Token::Name(b"call" | b"pcall")) => outline.stands.push(line),
                (_, Token::Symbol(b'.' | b':') | Token::Name(b"function" | b"local"), Token::Name(_)) => {}
                (_, _, Token::Name(name)) if STANDS.contains(&name) => {
                    outline.stands.push(scanner.line_of_call(line));
                }
                (Token::Name(b"enter" | b"leave"), Token::Symbol(b'('), Token::Symbol(b')')) => {
                    outline.section(UNNAMED)
                }
                (Token::Name(b"enter" | b"leave"), Token::Symbol(b'('), Token::Text(name))
                | (_, Token::Name(b"enter" | b"leave"), Token::Text(name)) => outline.section(name),
                _ => {}
            }
            past = [last, token];
        }
        outline.stands.dedup();
        outline
    }

    fn section(&mut self, name: &[u8]) {
        if !self.sections.iter().any(|known| known == name) {
            self.sections.push(Bytes::copy_from_slice(name));
        }
    }
}

/// A token of Lua.
#[derive(Clone, Copy)]
pub(super) enum Token<'a> {
    Name(&'a [u8]),
    /// A string literal without its quotes; escapes are not decoded.
    Text(&'a [u8]),
    Symbol(u8),
    /// A number or an invalid token.
    Other,
}

/// Scans a text token by token.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    rest: &'a [u8],
    line: u32,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Scanner<'a> {
        Scanner { rest: text, line: 1 }
    }

    /// The next token that is not a comment, and the line where it begins.
    pub(super) fn next(&mut self) -> Option<(Token<'a>, u32)> {
        loop {
            let space = self.rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.take(space);
            let line = self.line;
            if self.rest.starts_with(b"--") {
                self.take(2);
                if self.long().is_none() {
                    self.take(self.rest.iter().take_while(|&&byte| byte != b'\n').count());
                }
                continue;
            }
            let first = *self.rest.first()?;
            let token = match first {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => Token::Name(self.take_while(is_of_name)),
                b'0'..=b'9' => {
                    self.take_while(|byte| is_of_name(byte) || byte == b'.');
                    Token::Other
                }
                b'"' | b'\'' => Token::Text(self.quoted(first)),
                b'[' => match self.long() {
                    Some(text) => Token::Text(text),
                    None => self.symbol(first),
                },
                symbol => self.symbol(symbol),
            };
            return Some((token, line));
        }
    }

    /// The line where a thread stops in a call of a function named on `line`: the line where its arguments begin.
    fn line_of_call(&self, line: u32) -> u32 {
        match self.clone().next() {
            Some((Token::Symbol(b'(' | b'{') | Token::Text(_), begun)) => begun,
            _ => line,
        }
    }

    fn symbol(&mut self, symbol: u8) -> Token<'a> {
        self.take(1);
        Token::Symbol(symbol)
    }

    /// A quoted string, which ends at the end of the line at the latest.
    fn quoted(&mut self, quote: u8) -> &'a [u8] {
        self.take(1);
        let mut is_escaped = false;
        let length = self.rest.iter().take_while(|&&byte| {
            let goes_on = is_escaped || (byte != quote && byte != b'\n');
            is_escaped = byte == b'\\' && !is_escaped;
            goes_on
        });
        let length = length.count();
        let text = self.take(length);
        if self.rest.first() == Some(&quote) {
            self.take(1);
        }
        text
    }

    /// A string or comment in long brackets, if one begins here; if unclosed, it extends to the end of the text.
    fn long(&mut self) -> Option<&'a [u8]> {
        let inner = self.rest.strip_prefix(b"[")?;
        let level = inner.iter().take_while(|&&byte| byte == b'=').count();
        if inner.get(level) != Some(&b'[') {
            return None;
        }
        self.take(level.saturating_add(2));
        let end = [b"]", vec![b'='; level].as_slice(), b"]"].concat();
        let length = self.rest.windows(end.len()).position(|part| part == end).unwrap_or(self.rest.len());
        let text = self.take(length);
        self.take(end.len().min(self.rest.len()));
        Some(text)
    }

    fn take_while(&mut self, goes_on: impl Fn(u8) -> bool) -> &'a [u8] {
        self.take(self.rest.iter().take_while(|&&byte| goes_on(byte)).count())
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
        let lines = taken.iter().filter(|&&byte| byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.rest = rest;
        taken
    }
}

const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_and_sections_are_found() {
        let text = r#"-- redis.call('SET') and sleep(1) in a comment
--[[ work(2)
enter('nowhere') ]] local n = 'sleep(3)' .. [==[
redis.call(']]') ]==]
while not redis.call('SET', 'a\'b', 1, "NX") do sleep(50) end
enter('stock')
work(1) leave "stock"
local function sleep_well(queue) queue.work(1) queue:sleep(2) end
local sleep
enter() note(
  redis . pcall 'PING')
pcall(redis.call, 'GET', x)
local m, t = wait_message
  (5)
r2.call('PING') connect('r3')
leave([[last]])
subscribe('unfinished"#;
        let outline = Outline::of(text.as_bytes());
        assert_eq!(outline.stands, [5, 7, 11, 12, 14, 15, 17]);
        let sections: Vec<&[u8]> = outline.sections.iter().map(AsRef::as_ref).collect();
        assert_eq!(sections, [b"stock".as_slice(), b"critical", b"last"]);
    }

    #[test]
    fn unclosed_strings_and_comments_end_with_the_text() {
        for text in ["--[[ sleep(1)", "x = [==[ sleep(1) ]=]", "x = 'sleep(1)", "x = 'a\\", "--", "[", "[=", "[=x"] {
            assert_eq!(Outline::of(text.as_bytes()).stands, [0; 0], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_an_outline(text in "[ a-c\"'\\[\\]=\\-\n(){}.:0-9\\\\]{0,60}(sleep|work)?\\(") {
            let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            prop_assert!(Outline::of(text.as_bytes()).stands.iter().all(|line| (1..=lines).contains(line)));
        }
    }
}
