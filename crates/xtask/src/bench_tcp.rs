//! `cargo xtask bench tcp`: redis-benchmark against `lockstep serve` and a real redis-server, side by side.
//!
//! The two take turns, round by round, and the result is the median of the rounds' ratios, because other load on the machine affects both.
//! CPU time per request is measured too; it hardly depends on other load.
use crate::servers::Server;
use crate::{paths, run, setup};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// Number of runs of each test per side.
const ROUNDS: usize = 9;

/// A kind of load: its heading, the options of redis-benchmark, requests per run.
const MANNERS: [(&str, &[&str], u64); 3] = [
    ("pipelines of 16", &["-P", "16"], 600_000),
    ("one request at a time", &["-P", "1"], 50_000),
    ("pipelines of 16, 100,000 keys or members", &["-P", "16", "-r", "100000"], 200_000),
];

/// The tests: a name, and the words of redis-benchmark. `rpop`, `spop` and `zpopmin` remove what the previous test added.
const TESTS: [(&str, &[&str]); 15] = [
    ("set", &["-t", "set"]),
    ("get", &["-t", "get"]),
    ("incr", &["-t", "incr"]),
    ("lpush", &["-t", "lpush"]),
    ("rpop", &["-t", "rpop"]),
    ("sadd", &["-t", "sadd"]),
    ("hset", &["-t", "hset"]),
    ("spop", &["-t", "spop"]),
    ("zadd", &["-t", "zadd"]),
    ("zpopmin", &["-t", "zpopmin"]),
    ("lrange_100", &["-t", "lrange_100"]),
    ("xadd", &["XADD", "mystream", "MAXLEN", "~", "10000", "*", "field", "value"]),
    ("mset", &["-t", "mset"]),
    ("eval", &["EVAL", "return redis.call('incr', KEYS[1])", "1", "counter"]),
    ("eval_set", &["EVAL", "return redis.call('set', KEYS[1], ARGV[1])", "1", "key:__rand_int__", "value"]),
];

/// The result of one run.
struct Figure {
    per_second: f64,
    /// CPU time per request.
    microseconds: f64,
}

/// Prints a table for each kind of load.
///
/// # Errors
/// When a server cannot be built or started.
pub fn bench() -> Result<()> {
    let (model, real) = servers()?;
    println!("Load of this machine just now: {}", load().as_deref().unwrap_or("unknown"));
    for (manner, options, requests) in MANNERS {
        println!("\n{manner}, 50 clients, {ROUNDS} rounds");
        println!("| test | model | redis-server | model ÷ redis-server | processor time of a request |");
        println!("|---|---|---|---|---|");
        for (test, words) in TESTS {
            println!("{}", row(test, [&model, &real], options, words, requests)?);
        }
    }
    println!("\nLoad of this machine now: {}", load().as_deref().unwrap_or("unknown"));
    Ok(())
}

/// Numbers of commands per script.
const SCRIPTS: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Prints the time of scripts with many commands, from call to reply.
///
/// # Errors
/// When a server cannot be built or started, or does not answer.
pub fn bench_scripts() -> Result<()> {
    let (model, real) = servers()?;
    println!("| commands in a script | model | redis-server | model ÷ redis-server |");
    println!("|---|---|---|---|");
    for commands in SCRIPTS {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push((script(&model, commands)?, script(&real, commands)?));
        }
        let ms = |figures: Vec<f64>| median(figures.into_iter());
        let model_ms = ms(rounds.iter().map(|(model, _)| *model).collect());
        let real_ms = ms(rounds.iter().map(|(_, real)| *real).collect());
        let ratio = ms(rounds.iter().map(|(model, real)| model / real).collect());
        println!("| {commands} | {model_ms:.1} ms | {real_ms:.1} ms | {ratio:.2} |");
    }
    Ok(())
}

/// Runs a script with this many commands on an empty server; returns the time in ms.
fn script(server: &Server, commands: u64) -> Result<f64> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port))?;
    ask(&mut stream, "FLUSHALL\r\n", "+OK")?;
    let text = format!("for i=1,{commands} do redis.call('SET','k'..i,i) end return redis.call('DBSIZE')");
    let request = format!("*3\r\n$4\r\nEVAL\r\n${}\r\n{text}\r\n$1\r\n0\r\n", text.len());
    let began = Instant::now();
    ask(&mut stream, &request, &format!(":{commands}"))?;
    Ok(began.elapsed().as_secs_f64() * 1000.0)
}

fn ask(stream: &mut TcpStream, request: &str, expected: &str) -> Result<()> {
    stream.write_all(request.as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    if line.trim_end() != expected {
        bail!("the server answered {line:?} and not {expected}");
    }
    Ok(())
}

/// The two servers to compare.
fn servers() -> Result<(Server, Server)> {
    setup::for_real_redis()?;
    let mut build = Command::new(paths::cargo());
    build.args(["build", "--release", "--package", "lockstep"]).current_dir(paths::root());
    run::step("lockstep, with optimisation", &mut build, Duration::from_secs(1800))?;
    let program = paths::target().join("release").join("lockstep");
    Ok((Server::model(&program)?, Server::real()?))
}

fn row(test: &str, servers: [&Server; 2], options: &[&str], words: &[&str], requests: u64) -> Result<String> {
    // A hundred elements per request are a hundred times the work.
    let requests = if test == "lrange_100" { requests / 5 } else { requests };
    let [mut model, mut real] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (server, figures) in servers.into_iter().zip([&mut model, &mut real]) {
            match measure(server, options, words, requests)? {
                Ok(figure) => figures.push(figure),
                Err(complaint) => return Ok(format!("| `{test}` | {}: {complaint} | | | |", server.name)),
            }
        }
    }
    let ratio = median(model.iter().zip(&real).map(|(model, real)| model.per_second / real.per_second));
    let rate = |figures: &[Figure]| median(figures.iter().map(|figure| figure.per_second / 1000.0));
    let time = |figures: &[Figure]| median(figures.iter().map(|figure| figure.microseconds));
    let (model_rate, real_rate) = (rate(&model), rate(&real));
    let (model_time, real_time) = (time(&model), time(&real));
    Ok(format!(
        "| `{test}` | {model_rate:.0} k/s | {real_rate:.0} k/s | {ratio:.2} | {model_time:.2} µs beside {real_time:.2} µs |"
    ))
}

/// Runs redis-benchmark once; fails with the server's error, if any.
fn measure(server: &Server, options: &[&str], words: &[&str], requests: u64) -> Result<Result<Figure, String>> {
    let mut command = Command::new("redis-benchmark");
    command.args(["-p", &server.port.to_string(), "-c", "50", "--csv", "-n", &requests.to_string()]);
    command.args(options).args(words);
    let before = server.processor_time();
    let finished = run::quiet("redis-benchmark", &mut command, Duration::from_secs(300))?;
    let used =
        server.processor_time().zip(before).map_or(Duration::ZERO, |(after, before)| after.saturating_sub(before));
    if !finished.status.success() {
        return Ok(Err(finished.text.lines().last().unwrap_or("no output").to_owned()));
    }
    let rows: Vec<f64> = finished.text.lines().filter_map(rate_of).collect();
    let no_rate = || format!("redis-benchmark has printed no rate, but {:?}", finished.text);
    let per_second = rows.last().copied().with_context(no_rate)?;
    // LRANGE fills its list first, with as many requests as it then makes.
    let all = requests.saturating_mul(rows.len() as u64);
    Ok(Ok(Figure { per_second, microseconds: used.as_secs_f64() * 1e6 / all as f64 }))
}

/// The rate in `"SET","500000.00","0.7",…`
fn rate_of(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once("\",\"")?;
    rest.split('"').next()?.parse().ok()
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The load average over one minute.
fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_parsed_and_the_header_is_skipped() {
        assert_eq!(rate_of("\"test\",\"rps\",\"avg_latency_ms\""), None);
        assert_eq!(rate_of("\"LRANGE_100 (first 100 elements)\",\"46795.25\",\"0.9\""), Some(46795.25));
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median([3.0, 1.0, 100.0].into_iter()), 3.0);
    }
}
