//! Values for random commands: few of each kind, so that they occur again, and edge cases.
use bytes::Bytes;
use redis_model::command::{Group, Kind};
use redis_model::rng::Rng;

/// Integers at the edges, and texts that are no integers.
const INTEGERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "10",
    "-1",
    "-2",
    "-3",
    "100",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775806",
    "4294967296",
    "-100",
];
// No number is out of the range of C's parsers: the `errno` that Redis 7.0 keeps makes a later SORT fail.
const BAD_INTEGERS: &[&str] =
    &["abc", "", "1.5", "9223372036854775808", "-9223372036854775809", " 1", "1 ", "+1", "01", "0x10", "1e2", "-0"];
const FLOATS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.5",
    "-2.5",
    "0.1",
    "3.0e3",
    "1e10",
    "-1e-5",
    "inf",
    "-inf",
    "+inf",
    "1e308",
    "-1e308",
    "3.141592653589793",
    "100",
    "123456789012345678",
    "-0",
    "1e17",
    "0.30000000000000004",
];
const BAD_FLOATS: &[&str] = &["nan", "abc", "", "1.5x", " 1", "0x1p3", "-nan", "infinity", "1,5"];
const SCORE_BOUNDS: &[&str] = &[
    "-inf", "+inf", "inf", "0", "1", "2", "(1", "(2", "-1", "(-1", "1.5", "(1.5", "(inf", "(-inf", "1e10", "(abc",
    "nan", "(",
];
const LEX_BOUNDS: &[&str] = &["-", "+", "[a", "(a", "[b", "(c", "[m1", "(m3", "[", "(", "a", "", "[zz", "-x", "+x"];
const STRINGS: &[&str] = &[
    "",
    "a",
    "b",
    "foo",
    "bar",
    "1",
    "2",
    "10",
    "-5",
    "3.5",
    "1e3",
    "hello world",
    "Hello",
    "aaaa",
    "abcabc",
    "中文",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0",
    "007",
    " 1",
    "nan",
    "inf",
    "#",
    "*",
];
const MEMBERS: &[&str] =
    &["a", "b", "c", "d", "m1", "m2", "m3", "1", "2", "3", "10", "-7", "100000", "5000000000", "", "1.5", "01"];
const FIELDS: &[&str] = &["f1", "f2", "f3", "f4", "f5", "1", ""];
const PATTERNS: &[&str] = &["*", "s*", "?1", "[a-m]*", "*2", "h[^1]", "\\*", "", "[a", "m*", "nothing"];
/// TTLs that do not expire during a run, are already over, or are invalid.
const SECONDS: &[&str] = &[
    "100",
    "1000",
    "100000",
    "1000000000",
    "0",
    "-1",
    "-100",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775",
    "9223372036854776",
    "9223370000000000",
    "abc",
    "1.5",
];
const MILLISECONDS: &[&str] = &[
    "100000",
    "1000000",
    "10000000000",
    "0",
    "-1",
    "-100000",
    "9223372036854775807",
    "-9223372036854775808",
    "9223370000000000000",
    "abc",
    "",
];
const UNIX_SECONDS: &[&str] = &[
    "1",
    "1000000000",
    "5000000000",
    "9000000000",
    "0",
    "-1",
    "9223372036854775807",
    "9223372036854775",
    "9223372036854776",
    "abc",
];
const UNIX_MILLISECONDS: &[&str] =
    &["1", "1000000000000", "5000000000000", "9000000000000", "0", "-1", "9223372036854775807", "abc"];
/// Blocking timeouts in seconds: no timeout ends during a run.
const TIMEOUTS: &[&str] = &["0", "0", "0", "100", "1000", "-1", "abc", "inf", "nan", "1e30", "9223372036854775807", ""];
const COUNTS: &[&str] =
    &["1", "1", "2", "3", "5", "10", "0", "-1", "-3", "100", "abc", "9223372036854775807", "-9223372036854775808"];
/// Counts of random picks: a negative one allows repetition, so a huge one would fill the memory of both sides.
const RANDOM_COUNTS: &[&str] =
    &["1", "2", "3", "5", "10", "0", "-1", "-3", "-10", "abc", "9223372036854775807", "-9223372036854775808"];
const SCAN_COUNTS: &[&str] = &["1000", "1000", "100000", "10", "1", "0", "-1", "abc"];
const CURSORS: &[&str] = &["0", "0", "0", "0", "0", "0", "0", "5", "abc", "-1", ""];
/// Offsets of `SETRANGE`: small, or too large for any string.
const OFFSETS: &[&str] = &["0", "1", "3", "5", "30", "70", "-1", "536870912", "9223372036854775807", "abc"];
/// Bit offsets: mostly within a few bytes, at the ends of a byte, some further out, some beyond the longest string.
const BIT_OFFSETS: &[&str] = &[
    "0",
    "1",
    "2",
    "5",
    "7",
    "8",
    "9",
    "15",
    "16",
    "23",
    "63",
    "64",
    "100",
    "300",
    "3000",
    "-1",
    "4294967296",
    "9223372036854775807",
];
const FIELD_OFFSETS: &[&str] = &[
    "0",
    "1",
    "3",
    "7",
    "8",
    "13",
    "60",
    "100",
    "1000",
    "#0",
    "#1",
    "#2",
    "#7",
    "#100",
    "-1",
    "#-1",
    "#",
    "4294967296",
    "#4294967296",
    "#2305843009213693952",
    "#4611686018427387904",
    "#9223372036854775807",
];
const WIDTHS: &[&str] = &[
    "u1", "u2", "u4", "u8", "u8", "u16", "u31", "u32", "u62", "u63", "i1", "i2", "i5", "i8", "i8", "i16", "i33", "i62",
    "i63", "i64", "u64", "i65", "u0", "U8", "8",
];
const FIELD_VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "-2",
    "100",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "-300",
    "65535",
    "4294967296",
    "4611686018427387904",
    "-4611686018427387905",
    "9223372036854775807",
    "-9223372036854775808",
    "-9223372036854775680",
    "-9223372036854775681",
];
const BIT_ENDS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "10",
    "15",
    "30",
    "100",
    "-1",
    "-2",
    "-3",
    "-8",
    "-9",
    "-100",
    "9223372036854775807",
    "-9223372036854775808",
];
const DATABASES: &[&str] = &["0", "0", "1", "1", "2", "15", "16", "-1", "abc", "4294967296"];
const SORT_PATTERNS: &[&str] = &["s*", "nosort", "#", "h*->f1", "s?", "*", "h*->", "->f1", "s*->f1"];
const TYPES: &[&str] = &["string", "list", "set", "zset", "hash", "stream", "nothing", "STRING"];
/// Coordinates close together, at the edges of the map, at the poles of the search arithmetic, and off the map.
const LONGITUDES: &[&str] = &["0", "180", "-180", "179.9999", "-179.9999", "90", "13.361389", "1e-7", "-0.5", "181"];
const LATITUDES: &[&str] = &["0", "85.05112878", "-85.05112878", "66.1", "-66.1", "80.5", "-80.5", "38.115556", "86"];
const LENGTHS: &[&str] = &["0", "1", "50", "100", "300", "1000", "5000", "20000", "100000", "1e7", "inf", "-1", "0.5"];
const CHANNELS: &[&str] = &["ch1", "ch2", "ch3"];

/// A random element of the list.
pub(super) fn pick<'a, T: ?Sized>(rng: &mut Rng, pool: &[&'a T]) -> Option<&'a T> {
    pool.get(rng.index(pool.len())).copied()
}

/// True with probability 1/`times`.
pub(super) fn one_in(rng: &mut Rng, times: u64) -> bool {
    rng.below(times) == 0
}

fn word(rng: &mut Rng, pool: &[&str]) -> Bytes {
    pick(rng, pool).map_or_else(Bytes::new, |word| Bytes::copy_from_slice(word.as_bytes()))
}

/// A key; mostly one that should hold the type of the command's family.
pub(super) fn key(rng: &mut Rng, group: Group) -> Bytes {
    let own = match group {
        // Bit commands work on strings of all kinds.
        Group::Bitmap if one_in(rng, 2) => "b",
        Group::String | Group::Bitmap => "s",
        Group::Hyperloglog => "p",
        Group::List => "l",
        Group::Hash => "h",
        Group::Set => "t",
        Group::SortedSet => "z",
        Group::Geo => "g",
        Group::Stream => "j",
        _ => "",
    };
    let letter = if own.is_empty() || one_in(rng, 10) {
        pick(rng, &["s", "p", "b", "l", "h", "t", "z", "g", "x", "j"])
    } else {
        Some(own)
    };
    let number = rng.below(3).saturating_add(1);
    // Set operations on sorted sets also accept sets, and generic commands accept any type.
    let letter = if group == Group::SortedSet && one_in(rng, 12) { Some("t") } else { letter };
    Bytes::from(format!("{}{number}", letter.unwrap_or_default()))
}

/// The key of a stream.
pub(super) fn key_of_stream(rng: &mut Rng) -> String {
    format!("j{}", rng.below(3).saturating_add(1))
}

pub(super) fn group_name(rng: &mut Rng) -> &'static str {
    pick(rng, &["g1", "g1", "g2"]).unwrap_or("g1")
}

pub(super) fn consumer_name(rng: &mut Rng) -> &'static str {
    pick(rng, &["c1", "c2", "c3"]).unwrap_or("c1")
}

/// An id in the range of the ids of a round; sometimes an edge case or an invalid one.
fn id(rng: &mut Rng) -> Bytes {
    const EDGES: &[&str] = &[
        "0",
        "0-0",
        "0-1",
        "18446744073709551615-18446744073709551615",
        "18446744073709551615",
        "99999999999999-1",
        "5-18446744073709551615",
        "5",
        "-",
        "+",
        "$",
        ">",
        "(5",
        "5-*",
        "abc",
        "",
        "-1",
        "1-1-1",
        "18446744073709551616",
        "5-",
        " 7-+1",
        "007-01",
    ];
    match rng.below(10) {
        0 => word(rng, EDGES),
        1 => Bytes::from(rng.below(134).to_string()),
        _ => Bytes::from(format!("{}-{}", rng.below(134), rng.below(3))),
    }
}

/// A value for an argument of a stream command; `None` for arguments that any command may have.
fn of_stream(rng: &mut Rng, name: &str, command: &str) -> Option<Bytes> {
    let is_interval = matches!(command, "xrange" | "xrevrange" | "xpending");
    Some(match name {
        "group" | "groupname" => word(rng, &["g1", "g1", "g1", "g2", "nogroup", ""]),
        "consumer" | "consumername" => word(rng, &["c1", "c1", "c2", "c3", "", "C1"]),
        "id" if command == "xreadgroup" && !one_in(rng, 3) => Bytes::from_static(b">"),
        "start" | "end" if is_interval && one_in(rng, 3) => word(rng, &["-", "+"]),
        "start" | "end" if is_interval && one_in(rng, 3) => [b"(".as_slice(), &id(rng)].concat().into(),
        "start" if command == "xautoclaim" && !one_in(rng, 3) => word(rng, &["0", "-", "(5-1"]),
        "threshold" if one_in(rng, 2) => word(rng, &["0", "1", "2", "3", "5", "10", "100", "-1", "abc"]),
        "id" | "start" | "end" | "threshold" | "last-id" | "max_deleted_entry_id" => id(rng),
        // Idle times longer than any round.
        "min-idle-time" => word(rng, &["0", "0", "0", "-1", "1000000", "9000000", "abc"]),
        "ms" => word(rng, &["0", "5000000", "-5", "9223372036854775807", "abc"]),
        "entries_read" | "entries_added" => word(rng, &["0", "1", "5", "50", "-1", "-2", "9223372036854775807", "abc"]),
        "field" => word(rng, FIELDS),
        _ => return None,
    })
}

/// Text for a value: mostly short, sometimes above the limits of the small encodings.
pub(super) fn text(rng: &mut Rng) -> Bytes {
    match rng.below(24) {
        0 => Bytes::from(vec![b'x'; 44]),
        1 => Bytes::from(vec![b'y'; 45]),
        2 => Bytes::from(vec![b'z'; 64]),
        3 => Bytes::from(vec![b'w'; 65]),
        // No zero byte at the start: SORT compares C strings, so the text would equal "".
        4 => Bytes::from_static(b"\x01\x00\xff\r\n\"bin"),
        5 => Bytes::from(rng.below(1000).to_string()),
        6 if one_in(rng, 4) => Bytes::from(vec![b'v'; 5000]),
        _ => word(rng, STRINGS),
    }
}

/// Coordinates in one of a few towns, or anywhere.
pub(super) fn degrees(rng: &mut Rng, name: &str) -> Bytes {
    let reach = if name == "longitude" { 180 } else { 85 };
    let millionth = |n: u64| i64::try_from(n).unwrap_or(0);
    let anywhere = millionth(rng.below(reach * 2_000_000)).saturating_sub(millionth(reach * 1_000_000));
    // A tenth of a degree in each direction.
    let nearby = millionth(rng.below(200_000)).saturating_sub(100_000);
    let town = pick(rng, &[&0i64, &13_000_000, &-70_000_000]).copied().unwrap_or(0);
    let value = if one_in(rng, 4) { anywhere } else { town.saturating_add(nearby) };
    Bytes::from((value as f64 / 1e6).to_string())
}

/// A value for an argument that is neither key nor token.
pub(super) fn value(rng: &mut Rng, kind: Kind, name: &str, command: &str) -> Bytes {
    if kind == Kind::Integer && one_in(rng, 25) {
        return word(rng, BAD_INTEGERS);
    }
    // A timeout that rounds to zero would end during the run.
    if kind == Kind::Double && name != "timeout" && one_in(rng, 25) {
        return word(rng, BAD_FLOATS);
    }
    if command.starts_with('x')
        && let Some(value) = of_stream(rng, name, command)
    {
        return value;
    }
    let is_random = command.contains("rand");
    let pool: &[&str] = match (kind, name) {
        (_, "longitude" | "latitude") if !one_in(rng, 6) => return degrees(rng, name),
        (_, "longitude") => LONGITUDES,
        (_, "latitude") => LATITUDES,
        (_, "radius" | "width" | "height") => LENGTHS,
        (_, "timeout") if command == "wait" => &["1", "10"],
        (_, "timeout") => TIMEOUTS,
        (_, "seconds") => SECONDS,
        (_, "milliseconds" | "ttl") => MILLISECONDS,
        (Kind::UnixTime, name) if name.ends_with("milliseconds") => UNIX_MILLISECONDS,
        (Kind::UnixTime, _) => UNIX_SECONDS,
        (_, "count") if command.ends_with("scan") => SCAN_COUNTS,
        (_, "count") if is_random => RANDOM_COUNTS,
        (_, "count") => COUNTS,
        (_, "cursor") => CURSORS,
        (_, "offset") if command == "setrange" => OFFSETS,
        (_, "offset") if command.ends_with("bit") => BIT_OFFSETS,
        (_, "offset") if command.starts_with("bitfield") => FIELD_OFFSETS,
        (_, "encoding") => WIDTHS,
        (_, "value" | "increment") if command == "bitfield" => FIELD_VALUES,
        (_, "start" | "end") if command.starts_with("bit") => BIT_ENDS,
        (_, "value") if command == "setbit" => &["0", "1", "1", "1", "2", "-1"],
        (_, "bit") => &["0", "1", "0", "1", "2", "-1"],
        (_, "subcommand") if command == "pfdebug" => {
            &["DECODE", "DECODE", "ENCODING", "ENCODING", "encoding", "TODENSE", "GETREG", "WAT"]
        }
        (_, "operation") => &["AND", "OR", "XOR", "NOT", "or", "NAND"],
        (_, "index") if command == "select" => DATABASES,
        (_, "db" | "destination-db" | "index1" | "index2") => DATABASES,
        (_, "numreplicas") => &["0", "0", "-1", "abc"],
        (_, "protover") => &["2", "3", "3", "4", "1", "abc"],
        (Kind::Pattern, _) if command.starts_with("sort") => SORT_PATTERNS,
        (_, "pattern") if command.ends_with("subscribe") => &["ch*", "ch?", "*", "__key*"],
        (Kind::Pattern, _) => PATTERNS,
        (_, "min" | "max") if command.contains("lex") => LEX_BOUNDS,
        (_, "min" | "max") if command == "zrangestore" => &["0", "1", "-1", "(1", "[a", "-", "+", "inf", "2"],
        (_, "min" | "max") => SCORE_BOUNDS,
        (_, "start" | "stop") if command == "zrange" => {
            &["0", "-1", "1", "(1", "2", "[a", "(b", "-", "+", "inf", "-inf", "5"]
        }
        (_, "channel" | "shardchannel") => CHANNELS,
        (_, "type") => TYPES,
        (_, "connection-name" | "clientname") => &["me", "you", "", "a b", "名字"],
        (_, "serialized-value") => &["", "abc", "\u{1}\u{2}"],
        (_, "field") => FIELDS,
        (_, "member") => MEMBERS,
        (_, "element" | "pivot") => MEMBERS,
        (Kind::Integer, _) => INTEGERS,
        (Kind::Double, _) => FLOATS,
        _ => return text(rng),
    };
    // Members and elements are sometimes as long as values.
    if matches!(name, "member" | "element" | "field") && one_in(rng, 20) { text(rng) } else { word(rng, pool) }
}
