//! What a program may know of its own client: a number, and what it was given.
//!
//! Most programs ask for neither, and clients that run them are alike. So only a program whose text has one of the two names is told.
use super::Request;
use super::outline::{Scanner, Token};

/// The question that a program of this text asks before it begins; `None` where it does not name what it could ask for.
pub fn asks_who(text: &[u8]) -> Option<Request> {
    let (mut number, mut args) = (false, false);
    let mut scanner = Scanner::new(text);
    let (mut before, mut last) = (Token::Other, Token::Other);
    while let Some((token, _)) = scanner.next() {
        // Two points join texts, one leads to a field of some table; those of `_G` are names.
        let is_field = match (before, last) {
            (Token::Symbol(b'.') | Token::Name(b"_G"), Token::Symbol(b'.')) => false,
            (_, last) => matches!(last, Token::Symbol(b'.' | b':')),
        };
        match token {
            Token::Name(b"client") if !is_field => number = true,
            Token::Name(b"args") if !is_field => args = true,
            _ => {}
        }
        (before, last) = (last, token);
    }
    (number || args).then_some(Request::Who { number, args })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_asked_for() {
        let who = |number, args| Some(Request::Who { number, args });
        for (text, asks) in [
            ("local me = client.id", who(true, false)),
            ("local n = #args", who(false, true)),
            ("redis.call('SET', 'k'..client.id, args[1])", who(true, true)),
            ("note(_G.client.id)", who(true, false)),
            ("note(_G['client'], loadstring('return args'))", None),
            ("-- client and args\nnote('client') note([[args]]) t.client = t.args", None),
            ("local clients, arguments = 2, {}", None),
            ("", None),
        ] {
            assert_eq!(asks_who(text.as_bytes()), asks, "{text}");
        }
    }
}
