//! Tests of the oracle of differential runs: each rule notices a difference, and masks only what it should mask.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]
use std::collections::BTreeSet;

use bytes::Bytes;
use redis_model::command::{self, Run};
use resp::Value;

use super::picks::{Beside, Universe};
use super::rules::{RULES, Rule, Terms, agree, agree_as_streams, narrowed, rule, table};
use super::streams::{MASKED_FIELDS, Stream, without_order};

fn words(line: &str) -> Vec<Bytes> {
    line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
}

fn bulk(text: &str) -> Value {
    Value::bulk(text.to_owned())
}

fn list(items: &[&str]) -> Value {
    Value::Array(items.iter().map(|item| bulk(item)).collect())
}

fn ints(items: &[i64]) -> Value {
    Value::Array(items.iter().copied().map(Value::Integer).collect())
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::Map(pairs.iter().map(|(name, value)| (bulk(name), value.clone())).collect())
}

fn agrees(line: &str, model: &Value, real: &Value) -> bool {
    agrees_with(line, model, real, Terms { apart_ms: 10, ..Terms::default() })
}

fn agrees_with(line: &str, model: &Value, real: &Value, terms: Terms<'_>) -> bool {
    let argv = words(line);
    let forth = agree(model, real, &argv, &[], terms);
    // The comparison is symmetric, except for the line of the observer.
    assert_eq!(
        forth,
        agree(real, model, &argv, &[], Terms { observer: "", ..terms }) || !terms.observer.is_empty() && forth
    );
    forth
}

#[test]
fn commands_without_a_rule_are_compared_exactly() {
    for line in ["GET k", "LRANGE l 0 -1", "COMMAND COUNT", "CONFIG RESETSTAT", "OBJECT ENCODING k", "NOSUCH"] {
        assert_eq!(rule(&words(line)), Rule::Exact, "{line}");
    }
    assert!(agrees("GET k", &bulk("a"), &bulk("a")));
    assert!(!agrees("GET k", &bulk("a"), &bulk("b")));
    assert!(!agrees("GET k", &bulk("1"), &Value::Integer(1)));
    assert!(!agrees("GET k", &Value::Null, &bulk("")));
    assert!(!agrees("GET k", &Value::Null, &Value::NullArray));
    assert!(!agrees("LRANGE l 0 -1", &list(&["a", "b"]), &list(&["b", "a"])));
    assert!(!agrees("GET k", &Value::simple("OK"), &bulk("OK")));
}

#[test]
fn errors_are_compared_exactly_under_every_rule() {
    for (name, ..) in RULES {
        let line = name.replace('|', " ").to_uppercase();
        let (first, second) = (Value::error("ERR syntax error"), Value::error("ERR syntax errors"));
        assert!(agrees(&line, &first, &first), "{line}");
        assert!(!agrees(&line, &first, &second), "{line}");
        assert!(!agrees(&line, &first, &Value::OK), "{line}");
    }
}

#[test]
fn only_few_replies_are_not_compared() {
    let presence: Vec<&str> = RULES.iter().filter(|row| row.1 == Rule::Presence).map(|row| row.0).collect();
    assert_eq!(
        presence,
        ["lastsave", "object|idletime", "memory|usage", "dump", "function|dump", "info", "lolwut", "client|id"]
    );
    let shape: Vec<&str> = RULES.iter().filter(|row| row.1 == Rule::Shape).map(|row| row.0).collect();
    assert_eq!(shape, ["time", "object|refcount"]);
}

#[test]
fn each_row_of_the_table_is_about_a_command() {
    let rows = command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands.iter()));
    let names: BTreeSet<String> =
        rows.filter(|row| !matches!(row.run, Run::Container)).map(command::Command::full_name).collect();
    // Rows that explain other things than a command.
    let notes = ["xadd *", "pmessage", "a message to oneself"];
    for (name, ..) in RULES {
        assert!(notes.contains(name) || names.contains(*name), "{name}");
        assert!(table().contains(name), "{name}");
    }
}

#[test]
fn unordered_elements_are_compared_as_multisets() {
    for line in ["SMEMBERS s", "KEYS *", "SUNION a b", "PUBSUB CHANNELS", "SORT s BY nosort"] {
        assert!(agrees(line, &list(&["a", "b", "b"]), &list(&["b", "a", "b"])), "{line}");
        assert!(!agrees(line, &list(&["a", "b"]), &list(&["a", "b", "b"])), "{line}");
        assert!(!agrees(line, &list(&["a", "a", "b"]), &list(&["a", "b", "b"])), "{line}");
        assert!(!agrees(line, &list(&["a"]), &bulk("a")), "{line}");
    }
    assert!(!agrees("SORT s", &list(&["a", "b"]), &list(&["b", "a"])));
    assert!(!agrees("SORT s BY w_*", &list(&["a", "b"]), &list(&["b", "a"])));
}

#[test]
fn unordered_pairs_stay_together() {
    let one = list(&["f", "1", "g", "2"]);
    assert!(agrees("HGETALL h", &one, &list(&["g", "2", "f", "1"])));
    assert!(!agrees("HGETALL h", &one, &list(&["f", "2", "g", "1"])));
    assert!(!agrees("HGETALL h", &one, &list(&["1", "f", "2", "g"])));
    let one = map(&[("f", bulk("1")), ("g", bulk("2"))]);
    assert!(agrees("HGETALL h", &one, &map(&[("g", bulk("2")), ("f", bulk("1"))])));
    assert!(!agrees("HGETALL h", &one, &map(&[("g", bulk("1")), ("f", bulk("2"))])));
    assert!(agrees("CONFIG GET list-*", &list(&["a", "1", "b", "2"]), &list(&["b", "2", "a", "1"])));
    assert!(!agrees("CONFIG GET list-*", &list(&["a", "1"]), &list(&["a", "2"])));
    assert!(!agrees("config get SLOWLOG-log-slower-than", &list(&["a", "1"]), &list(&["a", "2"])));
    // A parameter of the process may have any value.
    assert!(agrees("CONFIG GET port", &list(&["port", "1"]), &list(&["port", "2"])));
    assert!(agrees("CONFIG GET list-* port", &list(&["port", "1"]), &list(&["port", "2"])));
}

#[test]
fn complete_scans_compare_elements_and_others_only_shapes() {
    let answer = |cursor: &str, items: &[&str]| Value::Array(vec![bulk(cursor), list(items)]);
    assert!(agrees("SCAN 0", &answer("0", &["a", "b"]), &answer("0", &["b", "a"])));
    assert!(!agrees("SCAN 0", &answer("0", &["a"]), &answer("0", &["b"])));
    assert!(!agrees("HSCAN h 0", &answer("0", &["f", "1", "g", "2"]), &answer("0", &["f", "2", "g", "1"])));
    assert!(agrees("HSCAN h 0", &answer("0", &["f", "1", "g", "2"]), &answer("0", &["g", "2", "f", "1"])));
    assert!(agrees("SSCAN s 5", &answer("3", &["a"]), &answer("9", &[])));
    assert!(!agrees("SSCAN s 5", &answer("3", &["a"]), &bulk("3")));
    assert!(!agrees("SSCAN s 5", &answer("3", &["a"]), &Value::Array(vec![Value::Integer(9), list(&[])])));
}

#[test]
fn picks_are_existing_elements() {
    let members = Universe { elements: ["a", "b", "c"].map(|member| (Bytes::from(member), Beside::Nothing)).into() };
    let empty = Universe::default();
    let agrees = |line: &str, universe: &Universe, model: &Value, real: &Value| {
        agrees_with(line, model, real, Terms { universe: Some(universe), ..Terms::default() })
    };
    for line in ["SPOP s", "SRANDMEMBER s", "RANDOMKEY"] {
        assert!(agrees(line, &members, &bulk("a"), &bulk("c")), "{line}");
        assert!(!agrees(line, &members, &bulk("a"), &bulk("d")), "{line}");
        assert!(!agrees(line, &members, &bulk("a"), &Value::Null), "{line}");
        assert!(!agrees(line, &empty, &Value::Null, &bulk("a")), "{line}");
        assert!(agrees(line, &empty, &Value::Null, &Value::Null), "{line}");
    }
    let two = list(&["a", "b"]);
    assert!(agrees("SPOP s 2", &members, &two, &list(&["c", "a"])));
    assert!(!agrees("SPOP s 2", &members, &two, &list(&["a", "a"])), "twice");
    assert!(!agrees("SPOP s 2", &members, &two, &list(&["a"])), "too few");
    assert!(!agrees("SPOP s 2", &members, &two, &list(&["a", "b", "c"])), "too many");
    assert!(agrees("SRANDMEMBER s 9", &members, &list(&["a", "b", "c"]), &list(&["c", "b", "a"])));
    assert!(!agrees("SRANDMEMBER s 9", &members, &list(&["a", "b", "c"]), &two));
    assert!(agrees("SRANDMEMBER s -4", &members, &list(&["a", "a", "b", "c"]), &list(&["b", "b", "b", "b"])));
    assert!(!agrees("SRANDMEMBER s -4", &members, &list(&["a", "a", "b", "c"]), &list(&["a", "b", "c"])));
    assert!(!agrees("SRANDMEMBER s -1", &members, &list(&["a"]), &list(&["d"])));
    assert!(agrees("SRANDMEMBER s -4", &empty, &list(&[]), &list(&[])));
    // The model must follow the rule too.
    assert!(!agrees("SPOP s 2", &members, &list(&["a", "x"]), &two));
}

#[test]
fn picked_elements_have_their_own_values() {
    let fields = [("f", Beside::Value("1".into())), ("g", Beside::Value("2".into()))];
    let fields = Universe { elements: fields.map(|(field, beside)| (Bytes::from(field), beside)).into() };
    let agrees = |line: &str, universe: &Universe, model: &Value, real: &Value| {
        agrees_with(line, model, real, Terms { universe: Some(universe), ..Terms::default() })
    };
    let flat = list(&["f", "1"]);
    assert!(agrees("HRANDFIELD h 1 WITHVALUES", &fields, &flat, &list(&["g", "2"])));
    assert!(!agrees("HRANDFIELD h 1 WITHVALUES", &fields, &flat, &list(&["g", "1"])));
    assert!(!agrees("HRANDFIELD h 1 WITHVALUES", &fields, &flat, &list(&["g"])));
    let nested = |field: &str, value: &str| Value::Array(vec![list(&[field, value])]);
    assert!(agrees("HRANDFIELD h 1 WITHVALUES", &fields, &nested("f", "1"), &nested("g", "2")));
    assert!(!agrees("HRANDFIELD h 1 WITHVALUES", &fields, &nested("f", "1"), &nested("g", "1")));
    let scores = [("m", Beside::Score(1.5)), ("n", Beside::Score(f64::INFINITY))];
    let scores = Universe { elements: scores.map(|(member, beside)| (Bytes::from(member), beside)).into() };
    let line = "ZRANDMEMBER z 1 WITHSCORES";
    assert!(agrees(line, &scores, &list(&["m", "1.5"]), &list(&["n", "inf"])));
    assert!(!agrees(line, &scores, &list(&["m", "1.5"]), &list(&["m", "1.25"])));
    let double = |score| Value::Array(vec![Value::Array(vec![bulk("m"), Value::Double(score)])]);
    assert!(agrees(line, &scores, &double(1.5), &double(1.5)));
    assert!(!agrees(line, &scores, &double(1.5), &double(2.5)));
}

#[test]
fn times_to_live_differ_by_no_more_than_the_clocks() {
    let number = Value::Integer;
    assert!(agrees("PTTL k", &number(1000), &number(1010)));
    assert!(!agrees("PTTL k", &number(1000), &number(1011)));
    assert!(agrees("TTL k", &number(5), &number(6)));
    assert!(!agrees("TTL k", &number(5), &number(7)));
    assert!(!agrees("EXPIRETIME k", &number(1_700_000_000), &number(1_700_000_002)));
    assert!(!agrees("PEXPIRETIME k", &number(1_700_000_000_000), &number(1_700_000_000_011)));
    for none in [-1, -2, 0] {
        assert!(agrees("TTL k", &number(none), &number(none)));
        assert!(!agrees("TTL k", &number(none), &number(1)));
        assert!(!agrees("PTTL k", &number(none), &number(-3)));
    }
    let later = Terms { apart_ms: 1500, ..Terms::default() };
    assert!(agrees_with("TTL k", &number(5), &number(7), later));
    assert!(!agrees_with("TTL k", &number(5), &number(8), later));
}

#[test]
fn stream_replies_may_differ_only_in_times() {
    let entry = |owner: &str, idle: i64, times: i64| {
        Value::Array(vec![bulk("1-1"), bulk(owner), Value::Integer(idle), Value::Integer(times)])
    };
    let line = "XPENDING s g - + 10";
    assert!(agrees(line, &Value::Array(vec![entry("c", 5, 1)]), &Value::Array(vec![entry("c", 12, 1)])));
    assert!(!agrees(line, &Value::Array(vec![entry("c", 5, 1)]), &Value::Array(vec![entry("c", 50, 1)])));
    assert!(!agrees(line, &Value::Array(vec![entry("c", 5, 1)]), &Value::Array(vec![entry("d", 5, 1)])));
    assert!(!agrees(line, &Value::Array(vec![entry("c", 5, 1)]), &Value::Array(vec![entry("c", 5, 2)])));
    let consumer = |pending, idle| map(&[("pending", Value::Integer(pending)), ("idle", Value::Integer(idle))]);
    assert!(agrees("XINFO CONSUMERS s g", &consumer(1, 5), &consumer(1, 9)));
    assert!(!agrees("XINFO CONSUMERS s g", &consumer(1, 5), &consumer(2, 5)));
    assert!(!agrees("XINFO CONSUMERS s g", &consumer(1, 5), &consumer(1, 95)));
    assert!(!agrees("XINFO STREAM s", &list(&["length", "1"]), &list(&["length", "2"])));
}

const LINE: &str = "id=3 addr=127.0.0.1:50003 laddr=127.0.0.1:6379 fd=8 name=me age=0 idle=0 flags=x db=2 sub=1 psub=2 ssub=3 multi=4 \
                    qbuf=14 qbuf-free=20460 argv-mem=4 multi-mem=105 rbs=16384 rbp=16384 obl=4 oll=0 omem=0 tot-mem=37726 events=r \
                    cmd=exec user=default redir=-1 resp=2\n";

#[test]
fn fields_of_a_connection_are_masked_one_by_one() {
    let value = |text: &str| Value::Verbatim(*b"txt", Bytes::copy_from_slice(text.as_bytes()));
    for field in LINE.trim().split(' ') {
        let (name, old) = field.split_once('=').unwrap();
        let other = LINE.replace(&format!(" {field} "), &format!(" {name}={old}9 "));
        let other = if name == "id" { LINE.replacen("id=3", "id=39", 1) } else { other };
        let other = if name == "resp" { LINE.replace("resp=2", "resp=3") } else { other };
        assert_ne!(other, LINE, "{name}");
        let is_masked = MASKED_FIELDS.iter().any(|(masked, _)| *masked == name);
        assert_eq!(agrees("CLIENT INFO", &value(LINE), &value(&other)), is_masked, "{name}");
    }
    let masked: Vec<&str> = MASKED_FIELDS.iter().map(|(name, _)| *name).collect();
    assert!(
        ["name", "flags", "db", "sub", "multi", "multi-mem", "argv-mem", "cmd"]
            .iter()
            .all(|name| !masked.contains(name))
    );
    assert!(!agrees("CLIENT LIST", &value(LINE), &value(&LINE.repeat(2))));
    assert!(!agrees("CLIENT LIST", &value(LINE), &Value::Integer(1)));
    // A client that was just unblocked equals an ordinary one.
    assert!(agrees("CLIENT LIST", &value(&LINE.replace("=x", "=N")), &value(&LINE.replace("=x", "=u"))));
    assert!(!agrees("CLIENT LIST", &value(&LINE.replace("=x", "=b")), &value(&LINE.replace("=x", "=u"))));
}

#[test]
fn only_the_observer_is_left_out_of_connection_lists() {
    let value = |text: &str| bulk(text);
    let (own, stranger) = (LINE.replace("50003", "7"), LINE.replace("50003", "77"));
    let terms = Terms { observer: "127.0.0.1:7", ..Terms::default() };
    let agrees = |real: &str| agree(&value(LINE), &value(real), &words("CLIENT LIST"), &[], terms);
    assert!(agrees(&format!("{own}{LINE}")));
    assert!(!agrees(&format!("{stranger}{LINE}")));
    assert!(!agrees(&own));
    // The size of the arguments is ignored only in transactions.
    let other = LINE.replace("argv-mem=4", "argv-mem=40");
    let (ours, theirs) = (Value::Array(vec![value(LINE)]), Value::Array(vec![value(&other)]));
    assert!(agree(&ours, &theirs, &words("EXEC"), &[words("CLIENT INFO")], Terms::default()));
    assert!(!agree(&value(LINE), &value(&other), &words("CLIENT INFO"), &[], Terms::default()));
}

#[test]
fn command_docs_are_unordered_and_each_is_compared_exactly() {
    let doc = |summary: &str, sub: Value| map(&[("summary", bulk(summary)), ("subcommands", sub)]);
    let subs = |names: [&str; 2]| map(&names.map(|name| (name, map(&[("summary", bulk(name))]))));
    let docs = |summary: &str, names, swap: bool| {
        let mut pairs = [("a", doc(summary, subs(names))), ("b", doc("two", subs(["x", "y"])))];
        pairs.rotate_left(usize::from(swap));
        map(&pairs)
    };
    let one = docs("one", ["c|d", "c|e"], false);
    assert!(agrees("COMMAND DOCS", &one, &docs("one", ["c|e", "c|d"], true)));
    assert!(!agrees("COMMAND DOCS", &one, &docs("other", ["c|d", "c|e"], false)));
    assert!(!agrees("COMMAND DOCS", &one, &docs("one", ["c|d", "c|f"], false)));
    // The order of the fields of one command is compared.
    let (ab, ba) = ([("since", bulk("1")), ("group", bulk("g"))], [("group", bulk("g")), ("since", bulk("1"))]);
    assert!(!agrees("COMMAND DOCS", &map(&[("a", map(&ab))]), &map(&[("a", map(&ba))])));
    let flat = |names: [&str; 2]| Value::Array(names.iter().flat_map(|n| [bulk(n), list(&["summary", n])]).collect());
    assert!(agrees("COMMAND DOCS", &flat(["a", "b"]), &flat(["b", "a"])));
    assert!(!agrees("COMMAND DOCS", &flat(["a", "b"]), &flat(["a", "c"])));

    let info = |name: &str, subs: Vec<Value>| {
        let mut fields = vec![bulk(name)];
        fields.extend(std::iter::repeat_n(Value::Integer(1), 8));
        fields.push(Value::Array(subs));
        Value::Array(fields)
    };
    let of = |subs: &[&str]| {
        Value::Array(vec![info("a", subs.iter().map(|sub| info(sub, Vec::new())).collect()), info("b", Vec::new())])
    };
    let turned = |value: Value| {
        if let Value::Array(mut items) = value {
            items.reverse();
            Value::Array(items)
        } else {
            value
        }
    };
    assert!(agrees("COMMAND INFO a b", &of(&["s", "t"]), &of(&["t", "s"])));
    assert!(!agrees("COMMAND INFO a b", &of(&["s", "t"]), &of(&["s", "u"])));
    assert!(!agrees("COMMAND INFO a b", &of(&["s"]), &turned(of(&["s"]))), "asked for in an order");
    assert!(agrees("COMMAND INFO", &of(&["s"]), &turned(of(&["s"]))));
    assert!(agrees("COMMAND", &of(&["s"]), &turned(of(&["s"]))));
    assert!(!agrees("COMMAND GETKEYS get b a", &list(&["a", "b"]), &list(&["b", "a"])));
}

#[test]
fn slow_logs_are_compared_by_words_and_names() {
    let entry = |id, words: &[&str], name: &str| {
        Value::Array(vec![
            Value::Integer(id),
            Value::Integer(7),
            Value::Integer(id),
            list(words),
            bulk("1:1"),
            bulk(name),
        ])
    };
    let log = |entries: &[Value]| Value::Array(entries.to_vec());
    let one = log(&[entry(1, &["GET", "k"], "me")]);
    assert!(agrees("SLOWLOG GET", &one, &log(&[entry(9, &["GET", "k"], "me")])));
    assert!(!agrees("SLOWLOG GET", &one, &log(&[entry(1, &["GET", "j"], "me")])));
    assert!(!agrees("SLOWLOG GET", &one, &log(&[entry(1, &["GET", "k"], "you")])));
    assert!(!agrees("SLOWLOG GET", &one, &log(&[])));
    assert!(!agrees("SLOWLOG LEN", &Value::Integer(1), &Value::Integer(2)));
}

#[test]
fn hello_may_differ_only_in_the_connection_id() {
    let hello =
        |id, proto| map(&[("server", bulk("redis")), ("id", Value::Integer(id)), ("proto", Value::Integer(proto))]);
    assert!(agrees("HELLO 3", &hello(1, 3), &hello(7, 3)));
    assert!(!agrees("HELLO 3", &hello(1, 3), &hello(1, 2)));
    assert!(!agrees("HELLO 3", &hello(1, 3), &map(&[("server", bulk("redis")), ("id", bulk("1"))])));
    let flat = |id| Value::Array(vec![bulk("proto"), Value::Integer(2), bulk("id"), Value::Integer(id)]);
    assert!(agrees("HELLO", &flat(1), &flat(2)));
}

#[test]
fn the_shape_rule_compares_types_and_lengths() {
    assert!(agrees("TIME", &list(&["1", "2"]), &list(&["3", "4"])));
    assert!(!agrees("TIME", &list(&["1", "2"]), &list(&["3"])));
    assert!(!agrees("TIME", &list(&["1", "2"]), &ints(&[1, 2])));
}

fn message(channel: &str, text: &str) -> Value {
    Value::Push(vec![bulk("message"), bulk(channel), bulk(text)])
}

#[test]
fn a_message_inside_a_reply_is_taken_out() {
    let queue = [words("PUBLISH ch hi"), words("SMEMBERS s"), words("GET k")];
    let reply = |value: i64, members: &[&str]| vec![Value::Integer(value), list(members), bulk("v")];
    let model = [message("ch", "hi"), Value::Array(reply(1, &["a", "b"]))];
    // The array contains the message, and its last element follows the array.
    let swallowed = |value: i64, members: &[&str]| {
        let mut inside = vec![message("ch", "hi")];
        inside.extend(reply(value, members));
        let last = inside.pop().unwrap();
        [Value::Array(inside), last]
    };
    let same = |real: &[Value]| agree_as_streams(&model, real, &words("EXEC"), &queue, Terms::default());
    assert!(same(&model));
    assert!(same(&swallowed(1, &["a", "b"])));
    assert!(same(&swallowed(1, &["b", "a"])), "a set has no order there either");
    assert!(!same(&swallowed(2, &["a", "b"])), "another reply");
    assert!(!same(&swallowed(1, &["a", "c"])), "another member");
    assert!(!same(&[model[1].clone()]), "no message");
    assert!(!same(&[message("ch", "ho"), model[1].clone()]), "another message");
    assert!(!same(&[message("ch", "hi"), message("ch", "hi"), model[1].clone()]), "twice");
    assert!(!same(&[message("ch", "hi"), Value::Array(vec![Value::Integer(1)])]), "too short");
    // Without that last element the reply is incomplete.
    let cut = [Value::Array(vec![message("ch", "hi"), Value::Integer(1), list(&["a", "b"])])];
    assert!(Stream::of(&cut).is_none() && !same(&cut));
}

#[test]
fn a_nested_message_shifts_elements_of_each_enclosing_array() {
    let (reply, ping) = (Value::Array(vec![bulk("z"), list(&["a", "1"])]), Value::simple("PONG"));
    let swallowed =
        [Value::Array(vec![bulk("z"), Value::Array(vec![bulk("a"), message("c", "m")])]), bulk("1"), ping.clone()];
    let stream = Stream::of(&swallowed).unwrap();
    assert_eq!(stream.replies, [reply, ping]);
    assert_eq!(stream.messages, [message("c", "m")]);
}

#[test]
fn only_orders_that_redis_leaves_undefined_are_ignored() {
    let by_pattern =
        |pattern: &str, text: &str| Value::Push(vec![bulk("pmessage"), bulk(pattern), bulk("ch"), bulk(text)]);
    let (a, b) = (by_pattern("a*", "1"), by_pattern("b*", "1"));
    assert_eq!(without_order(&[a.clone(), b.clone()]), without_order(&[b.clone(), a.clone()]));
    assert_ne!(without_order(&[a.clone(), a.clone()]), without_order(&[a.clone(), b.clone()]));
    let later = by_pattern("a*", "2");
    assert_ne!(without_order(&[a.clone(), later.clone()]), without_order(&[later, a]));
    assert_ne!(
        without_order(&[message("c", "1"), message("c", "2")]),
        without_order(&[message("c", "2"), message("c", "1")])
    );
    let farewell = |channel: &str, left| Value::Push(vec![bulk("unsubscribe"), bulk(channel), Value::Integer(left)]);
    assert_eq!(
        without_order(&[farewell("x", 1), farewell("y", 0)]),
        without_order(&[farewell("y", 1), farewell("x", 0)])
    );
    assert_ne!(
        without_order(&[farewell("x", 1), farewell("y", 0)]),
        without_order(&[farewell("x", 0), farewell("y", 1)])
    );
    assert_ne!(without_order(&[farewell("x", 0)]), without_order(&[farewell("y", 0)]));
}

#[test]
fn a_transaction_is_compared_command_by_command() {
    let queue = [words("SMEMBERS s"), words("GET k"), words("SPOP s")];
    let reply = |members: &[&str], value: &str| Value::Array(vec![list(members), bulk(value), bulk(value)]);
    let one = reply(&["a", "b"], "v");
    let same = |real: &Value| agree(&one, real, &words("EXEC"), &queue, Terms::default());
    assert!(same(&reply(&["b", "a"], "v")));
    assert!(!same(&reply(&["b", "a"], "w")));
    assert!(!same(&Value::Array(vec![list(&["a", "b"]), bulk("v")])));
    assert!(!same(&Value::Null));
    let (ours, theirs) = narrowed(&one, &reply(&["b", "a"], "w"), &words("EXEC"), &queue, Terms::default());
    assert_eq!(ours, Value::Array(vec![Value::simple("GET k"), bulk("v")]));
    assert_eq!(theirs, Value::Array(vec![Value::simple("GET k"), bulk("w")]));
}

#[test]
fn an_empty_stream_is_no_reply() {
    assert!(agree_as_streams(&[], &[], &words("GET k"), &[], Terms::default()));
    assert!(!agree_as_streams(&[bulk("v")], &[], &words("GET k"), &[], Terms::default()));
    assert!(!agree_as_streams(&[], &[bulk("v")], &words("LASTSAVE"), &[], Terms::default()));
    assert!(!agree_as_streams(&[Value::OK], &[Value::OK, Value::OK], &words("SET k v"), &[], Terms::default()));
}
