//! The options of `lockstep traffic`, and the traffic settings that result from them.
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use world::traffic::settings::{Handler, Popularity, RatePoint, Service, TrafficSettings, WHOLE_PPM};

/// Options of `lockstep traffic`.
#[derive(Args)]
pub struct Options {
    /// The handler in Lua: get(id) returns a value or nil, put(id, value) changes one; connect('db') is the database, whose table is
    /// item(id, value). start() can subscribe('channel'); then message(channel, text) is called on each machine. Without a handler,
    /// cache-aside without Lua
    pub handler: Option<PathBuf>,
    /// Another handler, which gets the same requests; the two are compared
    #[arg(long, value_name = "HANDLER")]
    pub against: Option<PathBuf>,
    /// Duration: 500ms, 60s, 30m, 24h
    #[arg(long = "for", default_value = "10m", value_parser = duration)]
    pub duration: Duration,
    /// Requests per second: 100, or points in time between which the rate changes linearly: 0s:100,1h:100,61m:2000
    #[arg(long, default_value = "100", value_parser = rate)]
    pub rate: Rate,
    /// Number of items that exist
    #[arg(long, default_value_t = 10_000)]
    items: u32,
    /// Item n is requested in proportion to 1/n^ZIPF
    #[arg(long, default_value_t = 1.0, conflicts_with_all = ["hot", "uniform"])]
    zipf: f64,
    /// One item gets this share of the requests, such as 50%
    #[arg(long, value_parser = share, conflicts_with = "uniform")]
    hot: Option<u32>,
    /// All items are equally popular
    #[arg(long)]
    uniform: bool,
    /// Share of requests for ids that do not exist, such as 5%
    #[arg(long, default_value = "0", value_parser = share)]
    absent: u32,
    /// Number of such ids
    #[arg(long, default_value_t = 1_000_000)]
    absent_ids: u32,
    /// Share of requests that change an item
    #[arg(long, default_value = "0", value_parser = share)]
    writes: u32,
    /// Number of application machines
    #[arg(long, default_value_t = 4)]
    machines: u32,
    /// Workers per machine: each runs one request at a time
    #[arg(long, default_value_t = 16)]
    workers: u32,
    /// Requests that can wait at a machine; further ones are rejected
    #[arg(long, default_value_t = 1_000)]
    backlog: u32,
    /// Callers give up after this time in ms; 0: never
    #[arg(long, default_value_t = 1_000)]
    patience_ms: u32,
    /// How often a caller retries
    #[arg(long, default_value_t = 0)]
    retries: u32,
    /// One-way latency between a machine and a server, in µs
    #[arg(long, default_value_t = 100)]
    network_us: u32,
    /// Time of a Redis command, in µs
    #[arg(long, default_value_t = 10)]
    redis_us: u32,
    /// Seconds for which cache-aside without Lua keeps an item
    #[arg(long, default_value_t = 7_200)]
    ttl: u32,
    /// Time of a statement in a worker of the database, in ms
    #[arg(long, default_value_t = 10)]
    database_ms: u64,
    /// Workers of the database: it executes this many statements at a time
    #[arg(long, default_value_t = 10)]
    database_workers: u32,
    /// Connections that the database accepts
    #[arg(long, default_value_t = 1_000)]
    database_connections: u32,
    /// The time of a statement is exponentially distributed around its mean
    #[arg(long)]
    exponential: bool,
    /// Memory limit of Redis in bytes; 0: no limit
    #[arg(long, default_value_t = 0)]
    pub maxmemory: u64,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Length of an interval of the figures
    #[arg(long, default_value = "1s", value_parser = duration)]
    interval: Duration,
    /// Print all intervals as comma-separated values
    #[arg(long)]
    pub csv: bool,
}

/// A parsed `--rate`.
#[derive(Clone)]
pub struct Rate(Vec<RatePoint>);

/// A number with a unit of time.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let ms = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("a time is a number and ms, s, m or h, such as 90s".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "a time begins with a whole number, such as 90s".to_owned())?;
    Ok(Duration::from_millis(number.saturating_mul(ms)))
}

fn rate(text: &str) -> Result<Rate, String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("'{text}' is no number of requests a second"));
    let points = text.split(',').map(|point| match point.split_once(':') {
        None => Ok(RatePoint { at_ms: 0, per_s: number(point)? }),
        Some((at, per_s)) => Ok(RatePoint { at_ms: in_ms(duration(at)?), per_s: number(per_s)? }),
    });
    points.collect::<Result<Vec<_>, String>>().map(Rate)
}

/// A share as 5%, 0.05 or 1, in millionths.
fn share(text: &str) -> Result<u32, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(percent) => (percent, f64::from(WHOLE_PPM) / 100.0),
        None => (text, f64::from(WHOLE_PPM)),
    };
    let ppm =
        number.parse::<f64>().map(|number| number * whole).map_err(|_| format!("'{text}' is no share, such as 5%"))?;
    if (0.0..=f64::from(WHOLE_PPM)).contains(&ppm) {
        Ok(ppm.round() as u32)
    } else {
        Err("a share is from 0% to 100%".to_owned())
    }
}

fn in_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Options {
    /// Duration of traffic in ms.
    pub fn until_ms(&self) -> u64 {
        in_ms(self.duration)
    }

    /// The database.
    pub fn database(&self) -> table::Settings {
        table::Settings {
            service_ms: self.database_ms,
            workers: self.database_workers,
            connections_max: self.database_connections,
            ..table::Settings::default()
        }
    }

    /// Traffic with this handler, or with cache-aside if there is none.
    pub fn settings(&self, handler: Option<&PathBuf>) -> Result<TrafficSettings, Box<dyn Error>> {
        let popularity = match self.hot {
            Some(share_ppm) => Popularity::Hot { share_ppm },
            None if self.uniform => Popularity::Uniform,
            None if (0.0..=5.0).contains(&self.zipf) => {
                Popularity::Zipf { exponent_milli: (self.zipf * 1_000.0).round() as u32 }
            }
            None => return Err("--zipf is from 0 to 5".into()),
        };
        let handler = match handler {
            None => Handler::CacheAside { ttl_s: self.ttl },
            Some(path) => {
                let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
                Handler::Lua(text.into())
            }
        };
        Ok(TrafficSettings {
            seed: self.seed,
            rate: self.rate.0.clone(),
            items: self.items,
            popularity,
            absent_ppm: self.absent,
            absent_ids: self.absent_ids,
            writes_ppm: self.writes,
            machines: self.machines,
            workers: self.workers,
            backlog: self.backlog,
            patience_ms: self.patience_ms,
            retries: self.retries,
            network_us: self.network_us,
            redis_us: self.redis_us,
            service: if self.exponential { Service::Exponential } else { Service::Fixed },
            handler,
            interval_ms: u32::try_from(in_ms(self.interval)).unwrap_or(u32::MAX),
        })
    }
}
