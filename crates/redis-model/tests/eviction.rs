//! Which keys each policy evicts when memory is short.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
use bytes::Bytes;
use redis_model::{Cause, ClientId, Config, Output, Policy, Server};
use resp::Value;

const START_MS: u64 = 1_767_268_800_000;

struct Play {
    server: Server,
    client: ClientId,
    now_ms: u64,
}

impl Play {
    /// A server that samples enough keys to compare all of a few before it evicts one.
    fn new(policy: Policy) -> Play {
        let config =
            Config { maxmemory_policy: policy, maxmemory_samples: 1000, lfu_log_factor: 0, ..Config::default() };
        let mut server = Server::new(config, START_MS);
        let client = server.connect(START_MS);
        Play { server, client, now_ms: START_MS }
    }

    fn send(&mut self, line: &str) -> Vec<Output> {
        let argv = line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
        self.server.handle(self.now_ms, self.client, argv)
    }

    /// Ten keys of equal size, one second apart; those with an even number have a TTL that ends sooner the higher the number.
    fn fill(&mut self) {
        for i in 0..10u64 {
            self.now_ms += 1000;
            self.send(&format!("SET key:{i} value"));
            if i % 2 == 0 {
                self.send(&format!("PEXPIREAT key:{i} {}", START_MS + 1_000_000 - i * 1000));
            }
        }
    }

    /// Sets the limit so that about `count` keys must be evicted; returns the evicted keys, in order.
    fn squeeze(&mut self, count: usize) -> Vec<String> {
        let key_bytes = self.server.db(0).and_then(|db| db.key_memory(b"key:1")).unwrap();
        let limit = self.server.allocated_memory() - count * key_bytes;
        evicted(&self.send(&format!("CONFIG SET maxmemory {limit}")))
    }
}

fn evicted(outputs: &[Output]) -> Vec<String> {
    let key = |output: &Output| match output {
        Output::Changed { key, cause: Cause::Eviction, .. } => Some(String::from_utf8_lossy(key).into_owned()),
        _ => None,
    };
    outputs.iter().filter_map(key).collect()
}

#[test]
fn least_recently_used_key_is_evicted_first() {
    let mut play = Play::new(Policy::AllkeysLru);
    play.fill();
    play.now_ms += 1000;
    play.send("GET key:0");
    play.send("TTL key:1");
    play.send("EXISTS key:2");
    // A TTL takes memory too, so that fewer keys have to go.
    assert_eq!(play.squeeze(4), ["key:1", "key:2", "key:3"]);
    assert_eq!(play.server.stats().evicted_keys, 3);
    let mut play = Play::new(Policy::VolatileLru);
    play.fill();
    assert_eq!(play.squeeze(3), ["key:0", "key:2"]);
}

#[test]
fn least_frequently_used_key_is_evicted_first() {
    let mut play = Play::new(Policy::AllkeysLfu);
    play.fill();
    for i in [0, 1, 2, 3, 5, 6, 7, 8, 9, 9, 3] {
        play.send(&format!("GET key:{i}"));
    }
    // PEXPIREAT used every even key once more: 4 as often as 1, 5, 7.
    let mut first = play.squeeze(4);
    first.sort();
    assert_eq!(first, ["key:1", "key:4", "key:5", "key:7"]);
    let mut play = Play::new(Policy::VolatileLfu);
    play.fill();
    play.send("GET key:0");
    assert!(!play.squeeze(4).contains(&"key:0".to_owned()));
}

#[test]
fn key_with_the_nearest_deadline_is_evicted_first() {
    let mut play = Play::new(Policy::VolatileTtl);
    play.fill();
    // A TTL takes memory too, so that fewer keys have to go.
    assert_eq!(play.squeeze(4), ["key:8", "key:6", "key:4"]);
}

#[test]
fn random_eviction_depends_only_on_the_seed() {
    let squeezed = |policy, seed| {
        let mut play = Play::new(policy);
        play.server = Server::new(Config { seed, ..play.server.config().clone() }, START_MS);
        play.client = play.server.connect(START_MS);
        play.fill();
        play.squeeze(4)
    };
    assert_eq!(squeezed(Policy::AllkeysRandom, 1), squeezed(Policy::AllkeysRandom, 1));
    assert_ne!(squeezed(Policy::AllkeysRandom, 1), squeezed(Policy::AllkeysRandom, 2));
    assert!(
        squeezed(Policy::VolatileRandom, 1)
            .iter()
            .all(|key| ["key:0", "key:2", "key:4", "key:6", "key:8"].contains(&key.as_str()))
    );
}

#[test]
fn writes_are_refused_when_no_key_may_be_evicted() {
    for policy in [Policy::Noeviction, Policy::VolatileLru, Policy::VolatileRandom, Policy::VolatileTtl] {
        let mut play = Play::new(policy);
        for i in 0..10 {
            play.send(&format!("SET key:{i} value"));
        }
        assert_eq!(play.squeeze(1), Vec::<String>::new());
        let refused = play.send("SET another value");
        assert!(matches!(&refused[..], [Output::Reply { value: Value::Error(text), .. }] if text.starts_with(b"OOM")));
        assert_eq!(play.server.db(0).unwrap().len(), 10);
    }
}

/// Before each command memory is under the limit, and eviction by samples keeps most of the keys that are in use.
#[test]
fn eviction_keeps_the_keys_in_use() {
    for policy in [Policy::AllkeysLru, Policy::AllkeysLfu] {
        let limit = 876_216 + 150_000;
        let config = Config { maxmemory: limit, maxmemory_policy: policy, ..Config::default() };
        let mut server = Server::new(config, START_MS);
        let client = server.connect(START_MS);
        let mut play = Play { server, client, now_ms: START_MS };
        for i in 0..5_000u64 {
            play.now_ms += 100;
            play.send(&format!("SET cold:{i} value"));
            play.send(&format!("GET hot:{}", i % 50));
            if play.server.db(0).unwrap().entry(format!("hot:{}", i % 50).as_bytes()).is_none() {
                play.send(&format!("SET hot:{} value", i % 50));
            }
            // The last write may exceed the limit by its own size.
            assert!(play.server.allocated_memory() as u64 <= limit + 200, "{policy:?} after {i}");
        }
        let is_there = |i: &u64| play.server.db(0).unwrap().entry(format!("hot:{i}").as_bytes()).is_some();
        let hot = (0..50).filter(is_there).count();
        assert!(hot >= 48, "{policy:?} keeps {hot} of 50");
        play.server.check().unwrap();
    }
}
