//! The data that a program may read about its own client: its number and its arguments.
//!
//! Most programs use neither, and then clients that run the same program are symmetric. So only a program whose text contains one of the
//! two names gets these data.
use super::Request;
use super::outline::{Scanner, Token};

/// The request that a program with this text makes before it begins; `None` if the text contains neither name.
pub fn asks_who(text: &[u8]) -> Option<Request> {
    let (mut number, mut args) = (false, false);
    let mut scanner = Scanner::new(text);
    let (mut before, mut last) = (Token::Other, Token::Other);
    while let Some((token, _)) = scanner.next() {
        // `..` concatenates strings, a single point accesses a field of some table; fields of `_G` are global names.
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
    fn program_requests_only_names_in_its_text() {
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
