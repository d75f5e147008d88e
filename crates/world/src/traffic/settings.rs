//! Settings of traffic: how many requests arrive, for which items, and which machines answer them.
use std::fmt;

use bytes::Bytes;

/// The whole, in millionths.
pub const WHOLE_PPM: u32 = 1_000_000;

/// Settings of traffic. Together with the seed they determine every request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrafficSettings {
    /// Seed of all randomness.
    pub seed: u64,
    /// Rates at points of time, with linear changes between them; constant before the first and after the last. At least one.
    pub rate: Vec<RatePoint>,
    /// Number of items, with ids from 1.
    pub items: u32,
    /// The distribution of requests over items.
    pub popularity: Popularity,
    /// Share of requests for ids that do not exist, in millionths.
    pub absent_ppm: u32,
    /// Number of such ids, all equally likely.
    pub absent_ids: u32,
    /// Share of writes, in millionths. Writes are for existing items.
    pub writes_ppm: u32,
    /// Number of application machines.
    pub machines: u32,
    /// Workers per machine.
    pub workers: u32,
    /// Maximum number of requests that wait at a machine for a worker; further ones are rejected.
    pub backlog: u32,
    /// Timeout of a caller in ms; 0: none. The machine does not notice it.
    pub patience_ms: u32,
    /// How many times a caller tries again after a timeout or an error.
    pub retries: u32,
    /// Time of one way between a machine and a server, in µs.
    pub network_us: u32,
    /// Time of a command at the Redis server, in µs.
    pub redis_us: u32,
    /// Time of a statement at a database worker.
    pub service: Service,
    /// The handler.
    pub handler: Handler,
    /// Length of an interval of figures in ms; longer if there would be more than [`super::series::INTERVALS_MAX`] intervals.
    pub interval_ms: u32,
}

/// A rate at a point of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatePoint {
    /// Time in ms since traffic began.
    pub at_ms: u64,
    /// Requests a second.
    pub per_s: u32,
}

/// The distribution of requests over items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Popularity {
    /// All items equally.
    Uniform,
    /// The item with id n in proportion to 1/n^s.
    Zipf {
        /// s in thousandths.
        exponent_milli: u32,
    },
    /// Item 1 gets this share, the others equal parts of the rest.
    Hot {
        /// The share in millionths.
        share_ppm: u32,
    },
}

/// Time of a statement at a database worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// Constant, from the database's settings.
    Fixed,
    /// Exponentially distributed with that mean, in whole ms.
    Exponential,
}

/// How requests are answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Handler {
    /// Functions in Lua: `get(id)` returns a value or nil, `put(id, value)` changes one.
    Lua(Bytes),
    /// Cache-aside without Lua: `GET`, and after a miss a `SELECT` and `SET … EX`; a write is an `UPDATE` and a `DEL`.
    CacheAside {
        /// TTL of a cached item in seconds.
        ttl_s: u32,
    },
}

impl Default for TrafficSettings {
    /// 100 requests a second for 10,000 items by Zipf's law, four machines with 16 workers each, cache-aside with a TTL of two hours.
    fn default() -> TrafficSettings {
        TrafficSettings {
            seed: 1,
            rate: vec![RatePoint { at_ms: 0, per_s: 100 }],
            items: 10_000,
            popularity: Popularity::Zipf { exponent_milli: 1_000 },
            absent_ppm: 0,
            absent_ids: 1_000_000,
            writes_ppm: 0,
            machines: 4,
            workers: 16,
            backlog: 1_000,
            patience_ms: 1_000,
            retries: 0,
            network_us: 100,
            redis_us: 10,
            service: Service::Fixed,
            handler: Handler::CacheAside { ttl_s: 7_200 },
            interval_ms: 1_000,
        }
    }
}

/// Maximum number of items, and of ids that do not exist.
pub const IDS_MAX: u32 = 100_000_000;
/// Maximum number of items with individual popularity, or in a database.
pub const ITEMS_MAX: u32 = 200_000;
/// Maximum number of requests a second.
pub const RATE_MAX: u32 = 1_000_000;
/// Maximum number of machines, and of workers of all machines together.
pub const WORKERS_MAX: u32 = 4_096;
/// Maximum number of points of a rate.
pub const POINTS_MAX: usize = 256;

/// A setting is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutOfRange {
    /// The setting's name.
    pub what: &'static str,
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has to be from {} to {}", self.what, self.least, self.most)
    }
}

impl std::error::Error for OutOfRange {}

impl TrafficSettings {
    /// Expected number of requests between these times, in ms since traffic began, without retries.
    pub fn expected(&self, from_ms: u64, to_ms: u64) -> u64 {
        let first = self.rate.first().map_or(0, |point| point.at_ms);
        let before = self.rate.first().map(|point| (0, first, point.per_s, point.per_s));
        let after = self.rate.last().map(|point| (point.at_ms, u64::MAX, point.per_s, point.per_s));
        let between = self.rate.iter().zip(self.rate.iter().skip(1));
        let between = between.map(|(here, next)| (here.at_ms, next.at_ms, here.per_s, next.per_s));
        let parts = before.into_iter().chain(between).chain(after).map(|(begin_ms, end_ms, from, to)| {
            // The rate is linear within a part, so its mean is the rate in the middle.
            let (here, there) = (from_ms.max(begin_ms), to_ms.min(end_ms));
            let span_ms = there.saturating_sub(here) as f64;
            let middle =
                (here as f64 + span_ms / 2.0 - begin_ms as f64) / (end_ms.saturating_sub(begin_ms).max(1) as f64);
            (f64::from(from) + (f64::from(to) - f64::from(from)) * middle) * span_ms / 1e3
        });
        parts.sum::<f64>() as u64
    }

    /// Are all settings within their ranges?
    ///
    /// # Errors
    /// The first setting out of range.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let within = |what: &'static str, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) { Ok(()) } else { Err(OutOfRange { what, least, most }) }
        };
        let whole = u64::from(WHOLE_PPM);
        within("the number of points of the rate", self.rate.len() as u64, 1, POINTS_MAX as u64)?;
        for (point, next) in self.rate.iter().zip(self.rate.iter().skip(1)) {
            within("the time of a rate", next.at_ms, point.at_ms.saturating_add(1), TIME_MAX_MS)?;
        }
        for point in &self.rate {
            within("a rate", u64::from(point.per_s), 0, u64::from(RATE_MAX))?;
            within("the time of a rate", point.at_ms, 0, TIME_MAX_MS)?;
        }
        within("items", u64::from(self.items), 1, u64::from(ITEMS_MAX))?;
        match self.popularity {
            Popularity::Uniform => {}
            Popularity::Zipf { exponent_milli } => within("the exponent", u64::from(exponent_milli), 0, 5_000)?,
            Popularity::Hot { share_ppm } => within("the hot share", u64::from(share_ppm), 0, whole)?,
        }
        within("the share of absent ids", u64::from(self.absent_ppm), 0, whole)?;
        within("absent ids", u64::from(self.absent_ids), 1, u64::from(IDS_MAX))?;
        within("the share of writes", u64::from(self.writes_ppm), 0, whole)?;
        let parts = u64::from(self.absent_ppm).saturating_add(u64::from(self.writes_ppm));
        within("the shares of absent ids and of writes together", parts, 0, whole)?;
        within("machines", u64::from(self.machines), 1, u64::from(WORKERS_MAX))?;
        within("workers", u64::from(self.workers), 1, u64::from(WORKERS_MAX))?;
        let all = u64::from(self.machines).saturating_mul(u64::from(self.workers));
        within("workers of all machines", all, 1, u64::from(WORKERS_MAX))?;
        within("the backlog", u64::from(self.backlog), 0, 100_000)?;
        within("retries", u64::from(self.retries), 0, 100)?;
        within("patience in ms", u64::from(self.patience_ms), 0, 3_600_000)?;
        within("the time on the network in µs", u64::from(self.network_us), 0, 10_000_000)?;
        within("the time of a command in µs", u64::from(self.redis_us), 0, 10_000_000)?;
        within("the interval in ms", u64::from(self.interval_ms), 1, 86_400_000)
    }
}

/// Maximum number of expected requests per input; a day at 200 a second has 17 million.
pub const EXPECTED_MAX: u64 = 20_000_000;

/// Maximum time of one input, in ms: a year.
pub const TIME_MAX_MS: u64 = 366 * 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_requests_are_the_area_under_the_rate() {
        let of = |points: &[(u64, u32)], from_ms, to_ms| {
            let rate = points.iter().map(|(at_ms, per_s)| RatePoint { at_ms: *at_ms, per_s: *per_s }).collect();
            TrafficSettings { rate, ..TrafficSettings::default() }.expected(from_ms, to_ms)
        };
        assert_eq!(of(&[(0, 100)], 0, 60_000), 6_000);
        assert_eq!(of(&[(10_000, 100)], 0, 60_000), 6_000);
        assert_eq!(of(&[(0, 0), (10_000, 100)], 0, 10_000), 500);
        assert_eq!(of(&[(0, 0), (10_000, 100)], 5_000, 10_000), 375);
        assert_eq!(of(&[(0, 0), (10_000, 100)], 5_000, 20_000), 1_375);
        assert_eq!(of(&[(5_000, 10), (10_000, 100), (20_000, 0)], 0, 100_000), 50 + 275 + 500);
        assert_eq!(of(&[(0, 100)], 60_000, 60_000), 0);
        assert!(of(&[(0, 1_000_000)], 0, u64::MAX) > 1 << 60);
    }
}
