//! The requests that callers send, and when: drawn from a seeded generator, independent of their outcome.
use redis_model::rng::Rng;
use script::Alike;

use super::chance::{exponential, share};
use super::settings::{Popularity, RatePoint, TrafficSettings};

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    /// Read the value of an item.
    Get,
    /// Write a new value of an item.
    Put,
}

/// A request on arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// Time in ns since traffic began.
    pub at_ns: u64,
    /// What it wants.
    pub wish: Wish,
    /// The item's id; ids above the number of items do not exist.
    pub id: u32,
    /// The machine that receives it, from 0.
    pub machine: u32,
}

/// The stream of requests. Equal settings give equal requests, whatever handlers reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrivals {
    rng: Rng,
    /// The time of the last request, in ns.
    last_ns: u64,
    /// Index of the last rate point before it, from 0.
    point: usize,
    next: Option<Arrival>,
    /// Derived from the settings.
    ranks: Alike<Ranks>,
}

impl Arrivals {
    /// All requests of traffic with these settings.
    pub fn new(settings: &TrafficSettings) -> Arrivals {
        let ranks = match settings.popularity {
            Popularity::Zipf { exponent_milli } => Ranks::zipf(settings.items, exponent_milli),
            Popularity::Uniform | Popularity::Hot { .. } => Ranks::default(),
        };
        let rng = Rng::new(settings.seed);
        let mut arrivals = Arrivals { rng, last_ns: 0, point: 0, next: None, ranks: Alike::new(ranks) };
        arrivals.next = arrivals.draw(settings);
        arrivals
    }

    /// The time of the next request, in ns; `None` if the rate stays at 0.
    pub fn next_ns(&self) -> Option<u64> {
        self.next.map(|arrival| arrival.at_ns)
    }

    /// Draws the next request.
    pub fn take(&mut self, settings: &TrafficSettings) -> Option<Arrival> {
        let taken = self.next.take()?;
        self.next = self.draw(settings);
        Some(taken)
    }

    fn draw(&mut self, settings: &TrafficSettings) -> Option<Arrival> {
        let at_ns = self.draw_time(&settings.rate)?;
        self.last_ns = at_ns;
        let kind = self.rng.below(u64::from(super::settings::WHOLE_PPM)) as u32;
        let (wish, id) = if kind < settings.absent_ppm {
            let nth = self.rng.below(u64::from(settings.absent_ids)) as u32;
            (Wish::Get, settings.items.saturating_add(1).saturating_add(nth))
        } else {
            let is_write = kind - settings.absent_ppm < settings.writes_ppm;
            (if is_write { Wish::Put } else { Wish::Get }, self.draw_item(settings))
        };
        let machine = self.rng.below(u64::from(settings.machines)) as u32;
        Some(Arrival { at_ns, wish, id, machine })
    }

    fn draw_item(&mut self, settings: &TrafficSettings) -> u32 {
        let among = |rng: &mut Rng, count: u32| rng.below(u64::from(count)) as u32;
        match settings.popularity {
            Popularity::Zipf { .. } => self.ranks.draw(&mut self.rng).saturating_add(1),
            Popularity::Hot { share_ppm } if settings.items == 1 || share(&mut self.rng, share_ppm) => 1,
            Popularity::Hot { .. } => among(&mut self.rng, settings.items.saturating_sub(1)).saturating_add(2),
            Popularity::Uniform => among(&mut self.rng, settings.items).saturating_add(1),
        }
    }

    /// A Poisson process with a rate that changes linearly from point to point: the area under the rate up to the next request is
    /// exponentially distributed with mean 1.
    fn draw_time(&mut self, rate: &[RatePoint]) -> Option<u64> {
        let mut area = exponential(&mut self.rng);
        let mut at_s = self.last_ns as f64 / 1e9;
        loop {
            let here = rate.get(self.point)?;
            let next = rate.get(self.point.saturating_add(1));
            let begin_s = here.at_ms as f64 / 1e3;
            let (from, slope, end_s) = match next {
                // Before the first point, its rate applies.
                _ if at_s < begin_s => (f64::from(here.per_s), 0.0, begin_s),
                None => (f64::from(here.per_s), 0.0, f64::INFINITY),
                Some(next) => {
                    let end_s = next.at_ms as f64 / 1e3;
                    let slope = (f64::from(next.per_s) - f64::from(here.per_s)) / (end_s - begin_s);
                    (f64::from(here.per_s) + slope * (at_s - begin_s), slope, end_s)
                }
            };
            let span_s = end_s - at_s;
            let whole = if span_s.is_finite() { (from + slope * span_s / 2.0) * span_s } else { from * span_s };
            if area < whole {
                // The positive root of from·x + slope·x²/2 = area, in the form that keeps precision for small slopes.
                let root = (from * from + 2.0 * slope * area).max(0.0).sqrt();
                return Some(((at_s + 2.0 * area / (from + root)) * 1e9) as u64);
            }
            if next.is_none() && at_s >= begin_s {
                return None;
            }
            area -= whole.max(0.0);
            at_s = end_s;
            if next.is_some() && end_s > begin_s {
                self.point = self.point.saturating_add(1);
            }
        }
    }
}

/// Items by popularity, drawn in two steps for any number of items: the alias method (Walker 1977, in the form of Vose 1991).
#[derive(Debug, Default)]
struct Ranks {
    /// For each column: the probability, in 2⁻³², of its own rank, and the alternative rank.
    places: Vec<(u32, u32)>,
}

impl Ranks {
    fn zipf(items: u32, exponent_milli: u32) -> Ranks {
        let exponent = f64::from(exponent_milli) / 1e3;
        let weights: Vec<f64> = (1..=items).map(|rank| libm::pow(f64::from(rank), -exponent)).collect();
        let mean = weights.iter().sum::<f64>() / f64::from(items.max(1));
        let mut chances: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut places: Vec<(u32, u32)> = (0..items).map(|rank| (u32::MAX, rank)).collect();
        let is_small = |rank: &u32| chances.get(*rank as usize).is_some_and(|chance| *chance < 1.0);
        let (mut small, mut large): (Vec<u32>, Vec<u32>) = (0..items).partition(is_small);
        while let (Some(low), Some(high)) = (small.pop(), large.last().copied()) {
            let chance = chances.get(low as usize).copied().unwrap_or(1.0);
            if let Some(place) = places.get_mut(low as usize) {
                *place = ((chance * 4_294_967_296.0) as u32, high);
            }
            if let Some(rest) = chances.get_mut(high as usize) {
                *rest -= 1.0 - chance;
                if *rest < 1.0 {
                    large.pop();
                    small.push(high);
                }
            }
        }
        Ranks { places }
    }

    /// Draws a rank, from 0.
    fn draw(&self, rng: &mut Rng) -> u32 {
        let place = rng.index(self.places.len());
        let bits = (rng.next_u64() >> 32) as u32;
        match self.places.get(place) {
            Some((chance, other)) if bits >= *chance => *other,
            _ => place as u32,
        }
    }
}

#[cfg(test)]
mod tests;
