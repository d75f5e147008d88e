//! The text form of traffic settings in sessions and links: pairs of a name and a value; defaults are omitted.
use bytes::Bytes;

use super::settings::{Handler, Popularity, RatePoint, Service, TrafficSettings};

impl TrafficSettings {
    /// Pairs of a name and a value: `items 500`, `rate 0:100,60000:400`. Times are in ms unless their names give a unit, shares in
    /// millionths.
    ///
    /// ```
    /// use world::traffic::settings::TrafficSettings;
    /// let settings = TrafficSettings { items: 500, ..TrafficSettings::default() };
    /// assert_eq!(settings.to_words(), ["items", "500"]);
    /// assert_eq!(TrafficSettings::from_words(&settings.to_words()), Some(settings));
    /// ```
    #[inline(never)]
    pub fn to_words(&self) -> Vec<Bytes> {
        let default = TrafficSettings::default();
        let mut words = Vec::new();
        let mut add = |name: &'static str, value: String| {
            words.extend([Bytes::from_static(name.as_bytes()), Bytes::from(value)]);
        };
        if self.rate != default.rate {
            let points: Vec<String> =
                self.rate.iter().map(|point| format!("{}:{}", point.at_ms, point.per_s)).collect();
            add("rate", points.join(","));
        }
        if self.popularity != default.popularity {
            match self.popularity {
                Popularity::Uniform => add("popularity", "uniform".to_owned()),
                Popularity::Zipf { exponent_milli } => add("zipf-milli", exponent_milli.to_string()),
                Popularity::Hot { share_ppm } => add("hot-ppm", share_ppm.to_string()),
            }
        }
        if self.seed != default.seed {
            add("seed", self.seed.to_string());
        }
        for ((name, value), (_, usual)) in self.numbers().into_iter().zip(default.numbers()) {
            if value != usual {
                add(name, value.to_string());
            }
        }
        if self.service != default.service {
            add("service", "exponential".to_owned());
        }
        match &self.handler {
            handler if *handler == default.handler => {}
            Handler::CacheAside { ttl_s } => add("ttl-s", ttl_s.to_string()),
            Handler::Lua(text) => words.extend([Bytes::from_static(b"lua"), text.clone()]),
        }
        words
    }

    /// The settings that are one number, with their names.
    fn numbers(&self) -> [(&'static str, u32); 12] {
        [
            ("items", self.items),
            ("absent-ppm", self.absent_ppm),
            ("absent-ids", self.absent_ids),
            ("writes-ppm", self.writes_ppm),
            ("machines", self.machines),
            ("workers", self.workers),
            ("backlog", self.backlog),
            ("patience", self.patience_ms),
            ("retries", self.retries),
            ("network-us", self.network_us),
            ("redis-us", self.redis_us),
            ("interval", self.interval_ms),
        ]
    }

    /// Parses the settings; `None` if a word is invalid. [`TrafficSettings::check`] checks the ranges.
    #[inline(never)]
    pub fn from_words(words: &[Bytes]) -> Option<TrafficSettings> {
        let mut settings = TrafficSettings::default();
        let mut words = words.iter();
        while let Some(name) = words.next() {
            let value = words.next()?;
            if name.as_ref() == b"lua" {
                settings.handler = Handler::Lua(value.clone());
                continue;
            }
            let value = std::str::from_utf8(value).ok()?;
            let number = || value.parse::<u32>().ok();
            match name.as_ref() {
                b"rate" => settings.rate = points(value)?,
                b"popularity" if value == "uniform" => settings.popularity = Popularity::Uniform,
                b"zipf-milli" => settings.popularity = Popularity::Zipf { exponent_milli: number()? },
                b"hot-ppm" => settings.popularity = Popularity::Hot { share_ppm: number()? },
                b"seed" => settings.seed = value.parse().ok()?,
                b"service" if value == "exponential" => settings.service = Service::Exponential,
                b"ttl-s" => settings.handler = Handler::CacheAside { ttl_s: number()? },
                name => *settings.number_mut(name)? = number()?,
            }
        }
        Some(settings)
    }

    fn number_mut(&mut self, name: &[u8]) -> Option<&mut u32> {
        Some(match name {
            b"items" => &mut self.items,
            b"absent-ppm" => &mut self.absent_ppm,
            b"absent-ids" => &mut self.absent_ids,
            b"writes-ppm" => &mut self.writes_ppm,
            b"machines" => &mut self.machines,
            b"workers" => &mut self.workers,
            b"backlog" => &mut self.backlog,
            b"patience" => &mut self.patience_ms,
            b"retries" => &mut self.retries,
            b"network-us" => &mut self.network_us,
            b"redis-us" => &mut self.redis_us,
            b"interval" => &mut self.interval_ms,
            _ => return None,
        })
    }
}

/// `100`, or `0:100,60000:400`.
fn points(text: &str) -> Option<Vec<RatePoint>> {
    let point = |text: &str| {
        let (at, per_s) = text.split_once(':').unwrap_or(("0", text));
        Some(RatePoint { at_ms: at.parse().ok()?, per_s: per_s.parse().ok()? })
    };
    text.split(',').map(point).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn settings_round_trip(
            numbers in prop::collection::vec(any::<u32>(), 12),
            seed in any::<u64>(),
            rate in prop::collection::vec((any::<u64>(), any::<u32>()), 1..5),
            kinds in (0_u32..3, any::<bool>(), 0_u32..3, any::<u32>()),
            text in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let (popularity, is_exponential, handler, value) = kinds;
            let mut settings = TrafficSettings {
                seed,
                rate: rate.into_iter().map(|(at_ms, per_s)| RatePoint { at_ms, per_s }).collect(),
                popularity: match popularity {
                    0 => Popularity::Uniform,
                    1 => Popularity::Zipf { exponent_milli: value },
                    _ => Popularity::Hot { share_ppm: value },
                },
                service: if is_exponential { Service::Exponential } else { Service::Fixed },
                handler: if handler == 0 { Handler::Lua(text.into()) } else { Handler::CacheAside { ttl_s: value } },
                ..TrafficSettings::default()
            };
            for ((name, _), value) in TrafficSettings::default().numbers().into_iter().zip(numbers) {
                *settings.number_mut(name.as_bytes()).unwrap() = value;
            }
            prop_assert_eq!(TrafficSettings::from_words(&settings.to_words()), Some(settings));
        }
    }

    #[test]
    fn invalid_word_is_rejected() {
        let read = |text: &str| {
            let words: Vec<Bytes> = text.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
            TrafficSettings::from_words(&words)
        };
        assert!(read("items 5 rate 7").is_some_and(|settings| settings.items == 5 && settings.rate.len() == 1));
        for wrong in
            ["items", "items x", "items -1", "rate", "rate 0:", "rate 1,,2", "seed 1.5", "colour 3", "service fast"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
