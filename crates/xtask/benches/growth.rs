//! How the time of an operation grows with the number of elements: 10^3, 10^4, 10^5, 10^6.
//!
//! What Redis documents as O(1) or O(log N) must not grow tenfold from one column to the next; SINTER is
//! O(N·M) and is shown with one small and one growing set, whose time must stay that of the small one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod harness;

use bytes::Bytes;
use harness::{Bench, NOW_MS, nanoseconds, shown};

/// Numbers of elements.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Elements that one command adds while a structure is filled.
const AT_ONCE: usize = 1_000;

fn main() {
    println!("{:<34} {:>10} {:>10} {:>10} {:>10}  growth over 1000x", "", "10^3", "10^4", "10^5", "10^6");
    row("ZRANK (O(log N))", SIZES, |size| {
        let mut bench = with_zset(size);
        bench.time(|i| vec![b("ZRANK"), b("z"), member(spread(i, size))])
    });
    row("ZADD, moving a member (O(log N))", SIZES, |size| {
        let mut bench = with_zset(size);
        bench.time(|i| vec![b("ZADD"), b("z"), number(spread(i * 31, size)), member(spread(i, size))])
    });
    row("ZRANGEBYSCORE … LIMIT 0 10", SIZES, |size| {
        let mut bench = with_zset(size);
        bench.time(|i| {
            let mut argv = harness::words("ZRANGEBYSCORE z 0 +inf LIMIT 0 10");
            argv[2] = number(spread(i, size));
            argv
        })
    });
    row("LPUSH + RPOP (O(1))", SIZES, |size| {
        let mut bench = filled("RPUSH l", size, |i| vec![member(i)]);
        bench.time(|_| harness::words("LPUSH l x")) + bench.time(|_| harness::words("RPOP l"))
    });
    row("LINDEX at the ends (O(1))", SIZES, |size| {
        let mut bench = filled("RPUSH l", size, |i| vec![member(i)]);
        bench.time(|i| harness::words(if i % 2 == 0 { "LINDEX l 0" } else { "LINDEX l -1" }))
    });
    row("HGET (O(1))", SIZES, |size| {
        let mut bench = filled("HSET h", size, |i| vec![member(i), b("v")]);
        bench.time(|i| vec![b("HGET"), b("h"), member(spread(i, size))])
    });
    row("one step of SCAN (O(1))", SIZES, |size| {
        let mut bench = filled("MSET", size, |i| vec![member(i), b("v")]);
        let mut cursor = b("0");
        let building = 0.0;
        let step = nanoseconds(|_| {
            let reply = bench.run(vec![b("SCAN"), cursor.clone()]);
            let resp::Value::Array(parts) = reply else { panic!("SCAN answered {reply:?}") };
            let resp::Value::Bulk(next) = &parts[0] else { panic!("a cursor is {:?}", parts[0]) };
            cursor = next.clone();
        });
        step - building
    });
    row("SINTER with a set of 10 (O(10))", SIZES, |size| {
        let mut bench = filled("SADD s", size, |i| vec![member(i)]);
        for i in 0..10 {
            bench.line(&format!("SADD small member:{:07}", i * size / 10));
        }
        bench.time(|_| harness::words("SINTER s small"))
    });
    row("clone of the server, N keys", SIZES, |size| {
        let bench = filled("MSET", size, |i| vec![member(i), b("v")]);
        nanoseconds(|_| {
            std::hint::black_box(bench.server.clone());
        })
    });
    row("clone, then SET in the clone", SIZES, |size| {
        let bench = filled("MSET", size, |i| vec![member(i), b("v")]);
        nanoseconds(|i| {
            let mut clone = bench.server.clone();
            let argv = vec![b("SET"), member(spread(i, size)), b("w")];
            std::hint::black_box(clone.handle(NOW_MS, bench.client, argv));
            std::hint::black_box(clone);
        })
    });
    row("clone, then SETBIT, 100 N bits", SIZES, |size| {
        let bench = with_bits(size);
        nanoseconds(|i| {
            let mut clone = bench.server.clone();
            let argv = vec![b("SETBIT"), b("bits"), number(spread(i, size) * 100 + 50), b("1")];
            std::hint::black_box(clone.handle(NOW_MS, bench.client, argv));
            std::hint::black_box(clone);
        })
    });
    row("BITCOUNT, 100 N bits (O(N))", SIZES, |size| {
        let mut bench = with_bits(size);
        bench.time(|_| harness::words("BITCOUNT bits"))
    });
}

/// Prints one row of the table.
fn row(name: &str, sizes: [usize; 4], mut measure: impl FnMut(usize) -> f64) {
    let figures = sizes.map(&mut measure);
    let columns: Vec<String> = figures.iter().map(|figure| format!("{:>10}", shown(*figure))).collect();
    println!("{name:<34} {}  {:.1}x", columns.join(" "), figures[3] / figures[0]);
}

fn with_zset(size: usize) -> Bench {
    filled("ZADD z", size, |i| vec![number(i), member(i)])
}

/// A bitmap with a hundred bits per element, and at least one bit set in every piece.
fn with_bits(size: usize) -> Bench {
    let mut bench = Bench::new();
    let bits = size * 100;
    for bit in (0..bits).step_by(100_000).chain([bits - 1]) {
        bench.run(vec![b("SETBIT"), b("bits"), number(bit), b("1")]);
    }
    bench
}

/// A server whose structure was filled by a command that takes many elements at once.
fn filled(command: &str, size: usize, element: impl Fn(usize) -> Vec<Bytes>) -> Bench {
    let mut bench = Bench::new();
    for start in (0..size).step_by(AT_ONCE) {
        let mut argv = harness::words(command);
        argv.extend((start..(start + AT_ONCE).min(size)).flat_map(&element));
        bench.run(argv);
    }
    bench
}

fn b(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

fn number(i: usize) -> Bytes {
    Bytes::from(i.to_string())
}

fn member(i: usize) -> Bytes {
    Bytes::from(format!("member:{i:07}"))
}

/// Numbers below `size` in an order without pattern: a multiple of a prime.
fn spread(i: usize, size: usize) -> usize {
    i.wrapping_mul(7_919) % size
}
