//! Numbers and globs, parsed and printed by the model and by Redis.
use crate::server::{Server, command, pick, text};
use redis_model::rng::Rng;
use redis_model::value::range::ScoreRange;
use redis_model::value::{LongDouble, Str, glob, number};
use resp::Value;
use std::ops::Bound;

const ROUNDS: usize = 20;
const BATCH: usize = 2000;

/// Texts that are numbers, almost numbers, or no numbers.
fn number_text(rng: &mut Rng) -> Vec<u8> {
    let mut digits =
        |most: usize| (0..rng.index(most) + 1).map(|_| char::from(b'0' + rng.index(10) as u8)).collect::<String>();
    let (whole, fraction, exponent) = (digits(22), digits(25), digits(3));
    let sign = pick(rng, &["", "", "-", "+"]);
    let text = match rng.below(14) {
        0..3 => format!("{sign}{whole}"),
        3..6 => format!("{sign}{whole}.{fraction}"),
        6 => format!("{sign}.{fraction}"),
        7 => format!("{sign}{whole}.{}e{}{exponent}", fraction, pick(rng, &["", "-", "+"])),
        8 => format!("{sign}0x{:x}.{:x}p{}{exponent}", rng.next_u64(), rng.next_u64(), pick(rng, &["", "-"])),
        9 => format!("{sign}{}", f64::from_bits(rng.next_u64())),
        10 => format!("{sign}{:e}", f64::from_bits(rng.next_u64())),
        11 => format!("{sign}{}.{}", rng.below(100), rng.below(1000)),
        12 => rng.next_u64().cast_signed().to_string(),
        _ => {
            let alphabet = b"0123456789.-+eExXpPinfaty ()\0";
            return (0..rng.index(7)).map(|_| pick(rng, alphabet)).collect();
        }
    };
    text.into_bytes()
}

#[test]
#[ignore = "starts a redis-server"]
fn doubles_are_read_and_printed_as_redis_does() {
    let (mut server, mut rng) = (Server::start(), Rng::new(1));
    // A skip list stores the exact double.
    server.say("CONFIG SET zset-max-listpack-entries 0");
    for _ in 0..ROUNDS {
        let texts: Vec<_> = (0..BATCH).map(|_| number_text(&mut rng)).collect();
        let commands: Vec<_> = texts
            .iter()
            .flat_map(|text| {
                [command(&[b"ZADD", b"k", text, b"m"]), command(&[b"ZSCORE", b"k", b"m"]), command(&[b"DEL", b"k"])]
            })
            .collect();
        for (text_in, replies) in texts.iter().zip(server.ask_all(&commands).chunks(3)) {
            let shown = String::from_utf8_lossy(text_in);
            match number::parse_double(text_in) {
                Some(value) => assert_eq!(text(&replies[1]), number::format_double(value), "{shown:?}"),
                None => assert!(matches!(replies[0], Value::Error(_)), "{shown:?} {replies:?}"),
            }
        }
    }
}

#[test]
#[ignore = "starts a redis-server"]
fn bounds_by_score_are_read_as_redis_does() {
    let (mut server, mut rng) = (Server::start(), Rng::new(2));
    let scores = [f64::NEG_INFINITY, -1e300, -7.0, -0.5, 0.0, 0.25, 3.0, 12.0, 1e18, f64::INFINITY];
    for (at, score) in scores.iter().enumerate() {
        server.ask(&[b"ZADD", b"k", number::format_double(*score).as_bytes(), at.to_string().as_bytes()]);
    }
    for _ in 0..ROUNDS / 2 {
        let texts: Vec<Vec<u8>> = (0..BATCH)
            .map(|_| [pick(&mut rng, &[&b""[..], b"(", b" "]).to_vec(), number_text(&mut rng)].concat())
            .collect();
        let commands: Vec<_> = texts.iter().map(|text| command(&[b"ZCOUNT", b"k", text, b"+inf"])).collect();
        for (bound, reply) in texts.iter().zip(server.ask_all(&commands)) {
            let shown = String::from_utf8_lossy(bound);
            let Some(range) = ScoreRange::parse(bound, b"+inf") else {
                assert!(matches!(reply, Value::Error(_)), "{shown:?} {reply:?}");
                continue;
            };
            let within = |score: f64| match range.min {
                Bound::Included(min) => score >= min,
                Bound::Excluded(min) => score > min,
                Bound::Unbounded => true,
            };
            let count = scores.iter().filter(|score| within(**score)).count();
            assert_eq!(text(&reply), count.to_string(), "{shown:?}");
        }
    }
}

#[test]
#[ignore = "starts a redis-server"]
fn long_doubles_are_read_added_and_printed_as_redis_does() {
    let (mut server, mut rng) = (Server::start(), Rng::new(3));
    let mut sums = 0;
    for _ in 0..ROUNDS {
        let pairs: Vec<_> = (0..BATCH).map(|_| (number_text(&mut rng), number_text(&mut rng))).collect();
        let commands: Vec<_> = pairs
            .iter()
            .flat_map(|(a, b)| [command(&[b"SET", b"k", a]), command(&[b"INCRBYFLOAT", b"k", b])])
            .collect();
        for ((a, b), replies) in pairs.iter().zip(server.ask_all(&commands).chunks(2)) {
            let shown = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
            let sum = LongDouble::parse(a).zip(LongDouble::parse(b)).and_then(|(a, b)| a.checked_add(b));
            match sum {
                Some(sum) => assert_eq!(text(&replies[1]), sum.to_string(), "{shown:?}"),
                None => assert!(matches!(replies[1], Value::Error(_)), "{shown:?} {replies:?}"),
            }
            sums += usize::from(sum.is_some());
        }
    }
    assert!(sums > ROUNDS * BATCH / 4, "most trials are sums: {sums}");
}

#[test]
#[ignore = "starts a redis-server"]
fn extreme_long_doubles_too() {
    let (mut server, mut rng) = (Server::start(), Rng::new(4));
    let mut extreme = || {
        let digits: String = (0..rng.index(40) + 1).map(|_| char::from(b'0' + rng.index(10) as u8)).collect();
        let exponent = rng.below(10_000).cast_signed() - 5_000;
        match rng.below(4) {
            0 => format!("0x{digits}p{}", exponent * 4),
            1 => format!("{}.{digits}e{exponent}", rng.below(10)),
            2 => format!("1189731495357231765{digits}e{}", 4930 - 18 - digits.len()),
            _ => format!("-{digits}{}", "0".repeat(rng.index(4900))),
        }
        .into_bytes()
    };
    let pairs: Vec<_> = (0..2 * BATCH).map(|_| (extreme(), extreme())).collect();
    let commands: Vec<_> =
        pairs.iter().flat_map(|(a, b)| [command(&[b"SET", b"k", a]), command(&[b"INCRBYFLOAT", b"k", b])]).collect();
    for ((a, b), replies) in pairs.iter().zip(server.ask_all(&commands).chunks(2)) {
        let shown = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
        match LongDouble::parse(a).zip(LongDouble::parse(b)).and_then(|(a, b)| a.checked_add(b)) {
            Some(sum) => assert_eq!(text(&replies[1]), sum.to_string(), "{shown:?}"),
            None => assert!(matches!(replies[1], Value::Error(_)), "{shown:?} {replies:?}"),
        }
    }
}

#[test]
#[ignore = "starts a redis-server"]
fn strings_take_the_encoding_and_size_that_redis_gives_them() {
    let (mut server, mut rng) = (Server::start(), Rng::new(5));
    for round in 0..600 {
        let value = match round % 3 {
            0 => number_text(&mut rng),
            1 => vec![b'x'; round / 3],
            _ => rng.next_u64().cast_signed().wrapping_shr(rng.below(64) as u32).to_string().into_bytes(),
        };
        server.ask(&[b"SET", b"k", &value]);
        let ours = Str::new(value.clone());
        let shown = String::from_utf8_lossy(&value);
        assert_eq!(ours.encoding(), server.encoding(), "{shown:?}");
        assert_eq!(ours.memory() + redis_model::value::memory::key(b"k"), server.memory(), "{shown:?}");
    }
}

#[test]
#[ignore = "starts a redis-server"]
fn globs_match_what_redis_matches() {
    let (mut server, mut rng) = (Server::start(), Rng::new(6));
    let mut word =
        |alphabet: &[u8], most: usize| (0..rng.index(most)).map(|_| pick(&mut rng, alphabet)).collect::<Vec<u8>>();
    for _ in 0..ROUNDS {
        let key = word(b"abAB-]^\\[\x01\xf0", 7);
        // A lone `*` never reaches the matcher.
        let patterns: Vec<_> =
            (0..BATCH).map(|_| word(b"aabbAB**??[[]]^--\\\\\x01\xf0\xff", 9)).filter(|p| p != b"*").collect();
        let mut commands = vec![command(&[b"FLUSHALL"]), command(&[b"SET", &key, b"1"])];
        commands.extend(patterns.iter().map(|pattern| command(&[b"KEYS", pattern])));
        for (pattern, reply) in patterns.iter().zip(server.ask_all(&commands).iter().skip(2)) {
            let Value::Array(found) = reply else { panic!("{reply:?}") };
            assert_eq!(
                glob::matches(pattern, &key, false),
                !found.is_empty(),
                "{:?} {:?}",
                pattern.escape_ascii().to_string(),
                key.escape_ascii().to_string()
            );
        }
    }
}

#[test]
#[ignore = "starts a redis-server"]
fn globs_ignore_case_as_redis_does() {
    let (mut server, mut rng) = (Server::start(), Rng::new(7));
    // `CONFIG GET` matches parameter names, ignoring case.
    let Value::Array(all) = server.say("CONFIG GET *") else { panic!("no settings") };
    let names: Vec<String> = all.chunks(2).map(|pair| text(&pair[0])).collect();
    for _ in 0..2000 {
        let mut pattern: Vec<u8> = (0..rng.index(8)).map(|_| pick(&mut rng, b"saAEeX**??[[]]^--\\mM")).collect();
        pattern.insert(rng.index(pattern.len() + 1), b'*');
        let Value::Array(found) = server.ask(&[b"CONFIG", b"GET", &pattern]) else { panic!("an error") };
        let mut found: Vec<String> = found.chunks(2).map(|pair| text(&pair[0])).collect();
        let mut ours: Vec<String> =
            names.iter().filter(|name| glob::matches(&pattern, name.as_bytes(), true)).cloned().collect();
        found.sort();
        ours.sort();
        assert_eq!(ours, found, "{:?}", pattern.escape_ascii().to_string());
    }
}
