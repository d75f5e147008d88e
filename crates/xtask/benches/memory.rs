//! Bytes that the model counts for a key or an element, compared with those of a real redis-server in the same run.
//!
//! For keys it is the growth of `used_memory`, for elements `MEMORY USAGE key SAMPLES 0`. The model counts what Redis would allocate, not
//! its own memory: the ratio shows how realistic a lesson about memory is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod harness;

use bytes::Bytes;
use harness::Bench;
use harness::real::Real;
use resp::Value;

/// Numbers of keys or elements.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Elements that one command adds.
const AT_ONCE: usize = 500;

/// A measurement: its name, the start of the command that fills, and the words of the i-th key or element.
type Case = (&'static str, &'static [&'static str], fn(usize) -> Vec<String>);

const CASES: [Case; 9] = [
    ("key, value of 5 bytes", &["MSET"], |i| vec![format!("key:{i:07}"), "value".into()]),
    ("key, integer", &["MSET"], |i| vec![format!("key:{i:07}"), i.to_string()]),
    ("key, value of 100 bytes", &["MSET"], |i| vec![format!("key:{i:07}"), "x".repeat(100)]),
    ("list element of 12 bytes", &["RPUSH", "k"], |i| vec![format!("item:{i:07}")]),
    ("hash field", &["HSET", "k"], |i| vec![format!("field:{i:07}"), "value".into()]),
    ("set member", &["SADD", "k"], |i| vec![format!("item:{i:07}")]),
    ("set member, integer", &["SADD", "k"], |i| vec![(i * 7).to_string()]),
    ("sorted set member", &["ZADD", "k"], |i| vec![i.to_string(), format!("item:{i:07}")]),
    ("place", &["GEOADD", "k"], |i| vec![(i % 180).to_string(), (i % 85).to_string(), format!("item:{i:07}")]),
];

fn main() {
    let mut real = Real::start();
    println!("bytes each, model / redis-server (ratio)");
    println!("{:<26} {:>24} {:>24} {:>24} {:>24}", "", "10^3", "10^4", "10^5", "10^6");
    for (name, head, words) in CASES {
        let mut bench = Bench::new();
        real.ask(&harness::words("FLUSHALL SYNC"));
        let is_key = head.len() == 1;
        let (model_before, real_before) = (model_bytes(&mut bench, is_key), real_bytes(&mut real, is_key));
        let mut row = format!("{name:<26}");
        let mut done = 0;
        for size in SIZES {
            while done < size {
                let mut argv: Vec<Bytes> = head.iter().map(|word| Bytes::from_static(word.as_bytes())).collect();
                argv.extend((done..done + AT_ONCE).flat_map(words).map(Bytes::from));
                real.ask(&argv);
                bench.run(argv);
                done += AT_ONCE;
            }
            let each = |bytes: usize, before: usize| bytes.saturating_sub(before) as f64 / size as f64;
            let model = each(model_bytes(&mut bench, is_key), model_before);
            let server = each(real_bytes(&mut real, is_key), real_before);
            row.push_str(&format!(" {:>24}", format!("{model:.1} / {server:.1} ({:.3})", model / server)));
        }
        println!("{row}");
    }
}

fn model_bytes(bench: &mut Bench, is_key: bool) -> usize {
    if is_key {
        return bench.server.allocated_memory();
    }
    bench.server.db(0).and_then(|db| db.key_memory(b"k")).unwrap_or(0)
}

fn real_bytes(real: &mut Real, is_key: bool) -> usize {
    let line = if is_key { "MEMORY STATS" } else { "MEMORY USAGE k SAMPLES 0" };
    match real.ask(&harness::words(line)) {
        Value::Integer(bytes) => usize::try_from(bytes).unwrap(),
        Value::Array(fields) => {
            let at = fields.iter().position(|field| *field == Value::bulk("total.allocated")).unwrap();
            let Value::Integer(bytes) = fields[at + 1] else { panic!("MEMORY STATS without total.allocated") };
            usize::try_from(bytes).unwrap()
        }
        _ => 0,
    }
}
