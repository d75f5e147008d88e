//! `SCAN`: iterating over the keys of a database, with Redis' cursors and guarantees.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, Run};
use crate::{
    Answer, Ctx, Error,
    command::scan::{Options, cursor, reply},
    value::Value,
};

pub(super) const SCAN: Command = Command {
    name: "scan",
    summary: "Incrementally iterate the keys space",
    since: "2.8.0",
    complexity: "O(1) for every call. O(N) for a complete iteration, including enough command calls for the cursor to return back to 0. N is the number of elements inside the collection.",
    arity: -2,
    flags: Flags::READONLY,
    tips: &["nondeterministic_output", "request_policy:special"],
    history: &[("6.0.0", "Added the `TYPE` subcommand.")],
    syntax: "cursor:int [MATCH=pattern:pattern] [COUNT=count:int] [TYPE=type@6.0.0]",
    run: Run::Call(scan),
    ..Command::of(Group::Generic)
};

fn scan(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let cursor = cursor(ctx.arg(1))?;
    let options = Options::parse_with(ctx.args_from(2), true)?;
    let mut keys = Vec::new();
    let cursor = options.walk(cursor, |cursor, seen| {
        ctx.db().entries().scan(cursor, |key, _| {
            keys.push(key.clone());
            *seen = seen.saturating_add(1);
        })
    });
    // Filters apply after the steps: a call may return no keys and still not be the last.
    keys.retain(|key| options.matches(key) && is_of_type(ctx, &options, key) && !is_expired(ctx, key));
    Ok(reply(cursor, keys.into_iter().map(Reply::Bulk).collect()))
}

fn is_of_type(ctx: &mut Ctx<'_>, options: &Options, key: &Bytes) -> bool {
    let Some(wanted) = &options.type_name else { return true };
    let name = ctx.read_untouched(key).map_or("none", Value::type_name);
    wanted.eq_ignore_ascii_case(name.as_bytes())
}

fn is_expired(ctx: &mut Ctx<'_>, key: &Bytes) -> bool {
    let db = ctx.db_index();
    ctx.server.expire_if_due(db, key)
}

#[cfg(test)]
mod tests {
    use crate::{Config, Output, Server};
    use bytes::Bytes;
    use resp::Value;
    use std::collections::BTreeSet;

    fn call(server: &mut Server, words: &[&str]) -> Value {
        let argv = words.iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
        match server.handle(0, 1, argv).into_iter().find(|output| matches!(output, Output::Reply { .. })) {
            Some(Output::Reply { value, .. }) => value,
            _ => Value::Null,
        }
    }

    /// (next cursor, keys)
    fn step(server: &mut Server, cursor: &str, count: &str) -> (String, Vec<String>) {
        let text = |bytes: &Bytes| String::from_utf8(bytes.to_vec()).unwrap();
        let Value::Array(parts) = call(server, &["SCAN", cursor, "COUNT", count]) else { panic!("no array") };
        let [Value::Bulk(next), Value::Array(keys)] = parts.as_slice() else { panic!("{parts:?}") };
        let keys = keys.iter().map(|key| if let Value::Bulk(key) = key { text(key) } else { panic!("{key:?}") });
        (text(next), keys.collect())
    }

    #[test]
    fn scan_returns_all_keys_that_exist_throughout_it() {
        let mut server = Server::new(Config::default(), 0);
        assert_eq!(server.connect(0), 1);
        for i in 0..300 {
            call(&mut server, &["SET", &format!("stays:{i}"), "x"]);
        }
        let (mut cursor, mut seen, mut calls) = ("0".to_owned(), BTreeSet::new(), 0i32);
        loop {
            let (next, keys) = step(&mut server, &cursor, "7");
            assert!(keys.len() < 7 + 40, "a call returns about what it was asked for: {}", keys.len());
            seen.extend(keys);
            // The table grows during the scan, and shrinks again.
            for i in 0..20 {
                call(&mut server, &["SET", &format!("passes:{calls}:{i}"), "x"]);
                call(&mut server, &["DEL", &format!("passes:{}:{i}", calls - 30)]);
            }
            calls += 1;
            cursor = next;
            if cursor == "0" {
                break;
            }
        }
        assert!((0..300).all(|i| seen.contains(&format!("stays:{i}"))));
    }

    #[test]
    fn scan_of_a_sparse_table_visits_ten_buckets_per_element() {
        let mut server = Server::new(Config::default(), 0);
        server.connect(0);
        for i in 0..1000 {
            call(&mut server, &["SET", &format!("key:{i}"), "x"]);
        }
        // A tenth of the 1024 buckets stays in use; with fewer, Redis would shrink the table.
        for i in 110..1000 {
            call(&mut server, &["DEL", &format!("key:{i}")]);
        }
        let (next, keys) = step(&mut server, "0", "1");
        assert!(next != "0" && keys.len() < 11, "{next} {keys:?}");
    }
}
