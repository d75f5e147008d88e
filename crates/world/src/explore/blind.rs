//! Which commands read the time, and which commands and programs treat all texts alike: they may store, compare and pass on a `uuid()`, but
//! neither sort texts nor look into them.
use bytes::Bytes;

/// Commands whose effect depends only on which texts are equal, not on what they contain.
const ALIKE: &[&str] = &[
    "append",
    "blmove",
    "blmpop",
    "blpop",
    "brpop",
    "brpoplpush",
    "copy",
    "decr",
    "decrby",
    "del",
    "discard",
    "echo",
    "exec",
    "exists",
    "expire",
    "expireat",
    "expiretime",
    "get",
    "getdel",
    "getex",
    "getset",
    "hdel",
    "hexists",
    "hget",
    "hincrby",
    "hincrbyfloat",
    "hlen",
    "hmget",
    "hmset",
    "hset",
    "hsetnx",
    "hstrlen",
    "incr",
    "incrby",
    "incrbyfloat",
    "lindex",
    "linsert",
    "llen",
    "lmove",
    "lmpop",
    "lpop",
    "lpos",
    "lpush",
    "lpushx",
    "lrange",
    "lrem",
    "lset",
    "ltrim",
    "mget",
    "mset",
    "msetnx",
    "multi",
    "persist",
    "pexpire",
    "pexpireat",
    "pexpiretime",
    "ping",
    "psetex",
    "pttl",
    "publish",
    "rename",
    "renamenx",
    "rpop",
    "rpoplpush",
    "rpush",
    "rpushx",
    "sadd",
    "scard",
    "select",
    "set",
    "setex",
    "setnx",
    "sismember",
    "smismember",
    "smove",
    "srem",
    "strlen",
    "subscribe",
    "time",
    "touch",
    "ttl",
    "type",
    "unlink",
    "unsubscribe",
    "unwatch",
    "wait",
    "watch",
    "xack",
    "xadd",
    "xautoclaim",
    "xclaim",
    "xdel",
    "xgroup",
    "xlen",
    "xrange",
    "xread",
    "xreadgroup",
    "xrevrange",
    "xtrim",
    "zadd",
    "zcard",
    "zcount",
    "zincrby",
    "zmscore",
    "zrem",
    "zscore",
];

/// Commands that return the time of the server's clock, or take a time.
const TIMED: [&str; 14] = [
    "time",
    "expireat",
    "pexpireat",
    "expiretime",
    "pexpiretime",
    "lastsave",
    "object",
    "info",
    "client",
    "xinfo",
    "slowlog",
    "latency",
    "memory",
    "debug",
];

/// Options that take a time.
const TIMED_OPTIONS: [&str; 4] = ["exat", "pxat", "minid", "time"];

/// Commands that can tell a client from another that did the same: numbers and addresses of connections.
const SHOWS_CLIENTS: [&str; 7] = ["client", "hello", "acl", "info", "slowlog", "monitor", "debug"];

/// Names that a program needs to take texts apart, to sort them, or to reach such names indirectly.
const SEEING: [&str; 23] = [
    "sub",
    "byte",
    "find",
    "match",
    "gmatch",
    "gsub",
    "reverse",
    "sort",
    "pairs",
    "next",
    "foreach",
    "foreachi",
    "bit",
    "struct",
    "cjson",
    "cmsgpack",
    "sha1hex",
    "loadstring",
    "load",
    "_G",
    "getfenv",
    "rawget",
    "setmetatable",
];

/// Libraries: a program that names one calls one of its functions directly, or could call any of them.
const LIBRARIES: [&str; 2] = ["string", "table"];

/// Functions that return numbers.
const COUNTING: [&str; 3] = ["now", "tonumber", "random"];

/// Does this command depend on the time of a clock?
pub(super) fn reads_time(argv: &[Bytes]) -> bool {
    let Some((name, rest)) = argv.split_first() else { return false };
    let is_timed = |word: &[u8]| TIMED_OPTIONS.iter().any(|option| word.eq_ignore_ascii_case(option.as_bytes()));
    match lower(name).as_str() {
        // Its id is the time.
        "xadd" => rest.iter().any(|word| word.first() == Some(&b'*') || is_timed(word)),
        "set" | "getex" | "xtrim" | "xclaim" => rest.iter().any(|word| is_timed(word)),
        "restore" | "evalsha" | "evalsha_ro" | "fcall" | "fcall_ro" => true,
        "eval" | "eval_ro" => {
            let Some((script, given)) = rest.split_first() else { return false };
            let is_clock =
                |name: Option<String>| name.is_none_or(|name| name == "xadd" || TIMED.contains(&name.as_str()));
            let tokens = tokens(script);
            commands_in(&tokens).any(is_clock)
                || tokens.iter().any(|token| matches!(token, Token::Text(text) if is_timed(text)))
                || given.iter().any(|word| is_timed(word))
        }
        name => TIMED.contains(&name),
    }
}

/// May this command reply differently to two clients that did the same?
pub(super) fn tells_clients_apart(argv: &[Bytes]) -> bool {
    let Some((name, rest)) = argv.split_first() else { return false };
    let shows_clients = |name: Option<String>| name.is_none_or(|name| SHOWS_CLIENTS.contains(&name.as_str()));
    match (lower(name).as_str(), rest.first()) {
        ("eval" | "eval_ro", Some(script)) => commands_in(&tokens(script)).any(shows_clients),
        ("evalsha" | "evalsha_ro" | "fcall" | "fcall_ro", _) => true,
        (name, _) => SHOWS_CLIENTS.contains(&name),
    }
}

/// Would this command do the same with other texts, if equal texts stay equal?
pub(super) fn treats_texts_alike(argv: &[Bytes]) -> bool {
    let Some((name, rest)) = argv.split_first() else { return true };
    let name = lower(name);
    match (name.as_str(), rest.first()) {
        ("eval", Some(script)) => {
            let is_alike = |name: Option<String>| name.is_some_and(|name| ALIKE.contains(&name.as_str()));
            is_blind_script(script) && commands_in(&tokens(script)).all(is_alike)
        }
        (name, _) => ALIKE.contains(&name),
    }
}

/// Does this program treat all texts alike?
pub(super) fn is_blind(text: &[u8]) -> bool {
    are_blind(&tokens(text))
}

/// The same for a script. Its `redis` table has more functions than that of a program, which has `call` and `pcall`.
fn is_blind_script(text: &[u8]) -> bool {
    let tokens = tokens(text);
    let is_library = |(place, token): (usize, &Token<'_>)| {
        *token == Token::Name("redis") && tokens.get(place.saturating_add(1)) != Some(&Token::Sign(b'.'))
    };
    !tokens.iter().enumerate().any(is_library) && are_blind(&tokens)
}

fn are_blind(tokens: &[Token<'_>]) -> bool {
    let follows =
        |place: usize, sign: u8| place.checked_add(1).and_then(|next| tokens.get(next)) == Some(&Token::Sign(sign));
    let is_called = |wanted: &&str| {
        let mut places = tokens.iter().enumerate().filter(|(_, token)| **token == Token::Name(wanted));
        places.all(|(place, _)| follows(place, b'('))
    };
    // A program that assigns such a name to something else does not call it there.
    let counting: Vec<&str> = COUNTING.iter().copied().filter(is_called).collect();
    let sees = |(place, token): (usize, &Token<'_>)| match token {
        Token::Name(name) if LIBRARIES.contains(name) => !follows(place, b'.'),
        Token::Name(name) => SEEING.contains(name),
        Token::Sign(b'<' | b'>') => {
            let (before, after) = tokens.split_at(place);
            !(is_number(before.iter().rev(), [b")]", b"(["], &counting)
                || is_number(after.iter().skip(1), [b"([", b")]"], &counting))
        }
        _ => false,
    };
    !tokens.iter().enumerate().any(sees)
}

/// Is the operand that begins here a number, for any values of its variables? (For a text, Lua would raise an error.) The operand is read
/// away from the comparison, so brackets may open or close first.
fn is_number<'a, 't: 'a>(
    operand: impl Iterator<Item = &'a Token<'t>>,
    [open, close]: [&[u8; 2]; 2],
    counting: &[&str],
) -> bool {
    let (mut depth, mut is_number, mut is_complete) = (0_usize, false, false);
    for token in operand {
        match token {
            Token::Sign(sign) if open.contains(sign) => depth = depth.saturating_add(1),
            Token::Sign(sign) if close.contains(sign) => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            _ if depth > 0 => {}
            // A concatenation is a text, and `..` binds weaker than arithmetic.
            Token::Concatenation => return false,
            Token::Sign(b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'#') => (is_number, is_complete) = (true, false),
            Token::Sign(b'.' | b':') => is_complete = false,
            Token::Sign(_) => break,
            Token::Name(
                "and" | "or" | "not" | "then" | "do" | "if" | "while" | "until" | "return" | "elseif" | "else" | "end"
                | "local" | "repeat",
            ) => break,
            // Two operands in a row belong to two statements.
            Token::Name(_) | Token::Number | Token::Text(_) if is_complete => break,
            Token::Name(name) => {
                is_number |= counting.contains(name);
                is_complete = true;
            }
            Token::Number => (is_number, is_complete) = (true, true),
            Token::Text(_) => is_complete = true,
        }
    }
    is_number
}

/// The names of the commands that a script calls, in lower case; `None` where the name is not a literal.
fn commands_in<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = Option<String>> + 'a {
    let is_call = |(_, token): &(usize, &Token<'_>)| matches!(token, Token::Name("call" | "pcall"));
    tokens.iter().enumerate().filter(is_call).map(|(place, _)| {
        let mut after = tokens.iter().skip(place.saturating_add(1));
        match (after.next(), after.next(), after.next()) {
            (Some(Token::Sign(b'(')), Some(Token::Text(name)), Some(Token::Sign(b',' | b')'))) => Some(lower(name)),
            _ => None,
        }
    })
}

fn lower(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_ascii_lowercase()
}

/// A token of Lua.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    /// A name or a keyword.
    Name(&'a str),
    /// A number.
    Number,
    /// A text, as it is written between its quotes.
    Text(&'a [u8]),
    /// `..`
    Concatenation,
    /// Any other character.
    Sign(u8),
}

/// The tokens of a text, without spaces and comments.
fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let (token, length) = match first {
            b' ' | b'\t' | b'\r' | b'\n' => (None, 1),
            b'-' if rest.starts_with(b"--") => {
                let inside = rest.get(2..).unwrap_or_default();
                let length = match long(inside) {
                    Some((_, length)) => length,
                    None => inside.iter().position(|byte| *byte == b'\n').unwrap_or(inside.len()),
                };
                (None, length.saturating_add(2))
            }
            b'[' => match long(rest) {
                Some((inside, length)) => (Some(Token::Text(inside)), length),
                None => (Some(Token::Sign(first)), 1),
            },
            b'"' | b'\'' => {
                let mut escaped = false;
                let is_end = |byte: &u8| {
                    let is_end = *byte == first && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    is_end
                };
                let inside = rest.get(1..).unwrap_or_default();
                let end = inside.iter().position(is_end).unwrap_or(inside.len());
                (Some(Token::Text(inside.get(..end).unwrap_or_default())), end.saturating_add(2))
            }
            // With or without `=`.
            b'<' | b'>' if rest.get(1) == Some(&b'=') => (Some(Token::Sign(first)), 2),
            b'.' if rest.starts_with(b"..") => (Some(Token::Concatenation), 2),
            b'0'..=b'9' => {
                let is_part = |byte: &u8| is_word(byte) || *byte == b'.';
                (Some(Token::Number), rest.iter().take_while(|byte| is_part(byte)).count())
            }
            _ if is_word(&first) => {
                let length = rest.iter().take_while(|byte| is_word(byte)).count();
                let name = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok());
                (name.map(Token::Name), length)
            }
            _ => (Some(Token::Sign(first)), 1),
        };
        tokens.extend(token);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    tokens
}

/// The text between long brackets that begins here, and its length including the brackets.
fn long(text: &[u8]) -> Option<(&[u8], usize)> {
    let level = text.get(1..)?.iter().take_while(|byte| **byte == b'=').count();
    let open = level.checked_add(2)?;
    if text.first() != Some(&b'[') || text.get(open.checked_sub(1)?) != Some(&b'[') {
        return None;
    }
    let inside = text.get(open..)?;
    let close: Vec<u8> = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
    let end = inside.windows(close.len()).position(|part| part == close);
    let (end, closing) = end.map_or((inside.len(), 0), |end| (end, close.len()));
    Some((inside.get(..end)?, open.saturating_add(end).saturating_add(closing)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<Bytes> {
        line.split(' ').map(|word| Bytes::copy_from_slice(word.replace('_', " ").as_bytes())).collect()
    }

    #[test]
    fn lua_text_is_split_into_tokens() {
        let text = br#"a.b = "x\"y" .. [==[ ]] ]==] -- end
            --[[ < ]] if n1 <= 0x1F then"#;
        let (name, sign) = (Token::Name, Token::Sign);
        let parts = [
            name("a"),
            sign(b'.'),
            name("b"),
            sign(b'='),
            Token::Text(b"x\\\"y"),
            Token::Concatenation,
            Token::Text(b" ]] "),
        ];
        let more = [name("if"), name("n1"), sign(b'<'), Token::Number, name("then")];
        assert_eq!(tokens(text), parts.into_iter().chain(more).collect::<Vec<_>>());
        for cut in 0..text.len() {
            tokens(&text[..cut]);
        }
    }

    #[test]
    fn programs_that_look_into_texts_are_not_blind() {
        for blind in [
            "if redis.call('GET', 'lock') == token then redis.call('DEL', 'lock') end",
            "if stock > 0 then n = n - 1 end",
            "while now() - begun < limit do sleep(10) end",
            "while n <= #list do n = n + 1 end",
            "if (a + b) * 2 > c then end",
            "local text = string.format('%s', token) -- a < b",
            "for _, node in ipairs({ redis, connect('r2') }) do node.call('PING') end",
        ] {
            assert!(is_blind(blind.as_bytes()), "{blind}");
        }
        for seeing in [
            "if a < b then end",
            "if token > 'm' then end",
            "if (a) >= (b) then end",
            "if a .. 1 < b then end",
            "if t[1] < t[2] then end",
            "if f(1) < g(2) then end",
            "x = a < b tonumber(c)",
            "if t.now < u.now then end",
            "table.sort(t)",
            "if a:sub(1, 1) == '0' then end",
            "local s = string",
            "for k in pairs(t) do end",
            "string['byte'](a)",
        ] {
            assert!(!is_blind(seeing.as_bytes()), "{seeing}");
        }
    }

    #[test]
    fn commands_that_tell_clients_apart() {
        for (line, expected) in [
            ("CLIENT ID", true),
            ("SET a b", false),
            ("EVAL return_redis.call('client','id') 0", true),
            ("EVAL return_redis.call('get',KEYS[1]) 1 a", false),
            ("EVAL return_redis.call(ARGV[1],ARGV[2]) 0 client id", true),
            ("EVALSHA abc 0", true),
        ] {
            assert_eq!(tells_clients_apart(&argv(line)), expected, "{line}");
        }
    }

    #[test]
    fn commands_that_order_and_commands_that_read_the_time() {
        for (line, alike, timed) in [
            ("SET lock a NX PX 100", true, false),
            ("set lock a EXAT 100", true, true),
            ("ZADD q 0 a", true, false),
            ("ZRANGE q 0 0", false, false),
            ("SMEMBERS s", false, false),
            ("TIME", true, true),
            ("XADD s * a 1", true, true),
            ("XADD s 1-1 a 1", true, false),
            ("EVAL local_r=redis_return_r.call('get',KEYS[1]) 1 k", false, false),
            ("EVAL local_r=redis_return_r.call('time') 0", false, true),
            ("EVAL return_redis.call('get',KEYS[1]) 1 k", true, false),
            ("EVAL return_redis.call('time') 0", true, true),
            ("EVAL return_redis.call(ARGV[1]) 0 time", false, true),
            ("EVAL local_c=redis.call_return_c('zrange',KEYS[1],0,0) 1 q", false, true),
            ("EVAL if_ARGV[1]<ARGV[2]_then_return_1_end 0 a b", false, false),
            ("EVALSHA abc 0", false, true),
            ("CLIENT ID", false, true),
        ] {
            assert_eq!((treats_texts_alike(&argv(line)), reads_time(&argv(line))), (alike, timed), "{line}");
        }
    }
}
