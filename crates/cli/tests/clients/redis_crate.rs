//! The `redis` crate.
use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::Duration;

use redis::{Commands, ErrorKind, ServerErrorKind, Value};

use crate::Target;

#[test]
fn values_of_every_type() {
    let target = Target::new();
    let mut c = target.connection();
    let () = c.set("k", "v").unwrap();
    assert_eq!(c.get::<_, String>("k").unwrap(), "v");
    assert_eq!(c.incr::<_, _, i64>("n", 7).unwrap(), 7);
    let () = c.hset_multiple("h", &[("a", 1), ("b", 2)]).unwrap();
    assert_eq!(c.hgetall::<_, HashMap<String, i64>>("h").unwrap(), HashMap::from([("a".into(), 1), ("b".into(), 2)]));
    let () = c.rpush("l", &[1, 2, 3]).unwrap();
    assert_eq!(c.lrange::<_, Vec<i64>>("l", 0, -1).unwrap(), [1, 2, 3]);
    let () = c.sadd("s", &["x", "y"]).unwrap();
    assert_eq!(c.smembers::<_, HashSet<String>>("s").unwrap(), HashSet::from(["x".into(), "y".into()]));
    let () = c.zadd_multiple("z", &[(1.0, "one"), (2.5, "more")]).unwrap();
    let scored: Vec<(String, f64)> = c.zrange_withscores("z", 0, -1).unwrap();
    assert_eq!(scored, [("one".into(), 1.0), ("more".into(), 2.5)]);
    let bytes: Vec<u8> = (0..=255).collect();
    let () = c.set("bytes", &bytes).unwrap();
    assert_eq!(c.get::<_, Vec<u8>>("bytes").unwrap(), bytes);
    let error = c.lpush::<_, _, i64>("k", 1).unwrap_err();
    assert!(error.to_string().contains("WRONGTYPE") || error.code() == Some("WRONGTYPE"), "{error}");
    let error = redis::cmd("NOSUCH").exec(&mut c).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Server(ServerErrorKind::ResponseError));
}

#[test]
fn pipelines_and_transactions() {
    let target = Target::new();
    let mut c = target.connection();
    let mut pipeline = redis::pipe();
    for _ in 0..1000 {
        pipeline.incr("n", 1);
    }
    let replies: Vec<i64> = pipeline.query(&mut c).unwrap();
    assert!(replies.into_iter().eq(1..=1000));

    let mut other = target.connection();
    let mut tries = 0;
    let (doubled,): (i64,) = redis::transaction(&mut c, &["n"], |c, pipeline| {
        tries += 1;
        let n: i64 = c.get("n")?;
        if tries == 1 {
            let () = other.set("n", 5)?;
        }
        pipeline.set("n", n * 2).ignore().get("n").query(c)
    })
    .unwrap();
    assert_eq!((doubled, tries), (10, 2), "the first try was refused: what it watched had changed");
}

#[test]
fn blocking_pops() {
    let target = Target::new();
    let (mut waiting, mut c) = (target.connection(), target.connection());
    let thread = thread::spawn(move || waiting.blpop::<_, Option<(String, String)>>("q", 20.0).unwrap());
    loop {
        let list: String = redis::cmd("CLIENT").arg("LIST").query(&mut c).unwrap();
        if list.contains("cmd=blpop") {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let () = c.rpush("q", "job").unwrap();
    assert_eq!(thread.join().unwrap(), Some(("q".into(), "job".into())));
    assert_eq!(c.brpop::<_, Option<(String, String)>>("q", 0.05).unwrap(), None);
}

#[test]
fn messages() {
    let target = Target::new();
    let (mut listener, mut c) = (target.connection(), target.connection());
    let mut heard = listener.as_pubsub();
    heard.subscribe("news").unwrap();
    heard.psubscribe("n*").unwrap();
    assert_eq!(c.publish::<_, _, i64>("news", "hello").unwrap(), 2);
    let (first, second) = (heard.get_message().unwrap(), heard.get_message().unwrap());
    assert_eq!((first.get_channel_name(), first.get_payload::<String>().unwrap()), ("news", "hello".into()));
    assert_eq!(second.get_pattern::<String>().unwrap(), "n*");
}

#[test]
fn iteration_visits_every_key() {
    let target = Target::new();
    let mut c = target.connection();
    let wanted: HashSet<String> = (0..400).map(|n| format!("key:{n}")).collect();
    for key in &wanted {
        let () = c.set(key, 1).unwrap();
    }
    let found: HashSet<String> = c.scan_match::<_, String>("key:*").unwrap().map(Result::unwrap).collect();
    assert_eq!(found, wanted);
}

#[test]
fn resp3() {
    let target = Target::new();
    let client = redis::Client::open(format!("redis://127.0.0.1:{}/?protocol=resp3", target.port)).unwrap();
    let mut c = client.get_connection().unwrap();
    let () = c.hset("h", "a", 1).unwrap();
    let map: Value = redis::cmd("HGETALL").arg("h").query(&mut c).unwrap();
    assert!(matches!(map, Value::Map(_)), "{map:?}");
    let () = c.zadd("z", "m", 1.5).unwrap();
    let score: Value = redis::cmd("ZSCORE").arg("z").arg("m").query(&mut c).unwrap();
    assert_eq!(score, Value::Double(1.5));
    let info: redis::InfoDict = redis::cmd("INFO").query(&mut c).unwrap();
    assert_eq!(info.get::<String>("redis_version").unwrap(), "7.0.15");
}

#[test]
fn scripts() {
    let target = Target::new();
    let mut c = target.connection();
    let script = redis::Script::new("return redis.call('INCRBY', KEYS[1], ARGV[1])");
    for sum in [5, 10] {
        assert_eq!(script.key("n").arg(5).invoke::<i64>(&mut c).unwrap(), sum);
    }
    let error =
        redis::Script::new("return redis.call('LPUSH', KEYS[1], 1)").key("n").invoke::<i64>(&mut c).unwrap_err();
    assert!(error.to_string().contains("WRONGTYPE") || error.code() == Some("WRONGTYPE"), "{error}");
}
