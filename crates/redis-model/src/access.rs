//! `Access`: the 24 bits per key in which Redis records when, or how often, the key was used.
//!
//! ```text
//!  LRU   │ clock: seconds, 24 bits                      │   turns over after 194 days
//!  LFU   │ minute of the last decay, 16 bits │ counter, 8 bits │   the counter grows with the logarithm of the uses
//! ```
//! The current `maxmemory-policy` decides which of the two the bits mean. After a change of the policy they are misread until the
//! key is used again: Redis says so in its error texts, and the model does the same.
use crate::rng::Rng;

/// Mask of the 24-bit clock.
const MASK: u32 = (1 << 24) - 1;
/// Counter of a new key, so that it is not the first to be evicted (`LFU_INIT_VAL`).
const COUNTER_INITIAL: u8 = 5;

/// When a key was last used, or how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access(u32);

/// How the LFU policies count uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counting {
    /// `lfu-log-factor`: the greater, the more uses it takes to raise the counter by one.
    pub log_factor: u64,
    /// `lfu-decay-time`: minutes without use after which the counter falls by one; 0: never.
    pub decay_minutes: u64,
}

fn clock(now_ms: u64) -> u32 {
    (now_ms / 1000) as u32 & MASK
}

fn minute(now_ms: u64) -> u16 {
    (now_ms / 60_000) as u16
}

impl Access {
    /// A key used at `now_ms`, as the LRU policies record it.
    pub(crate) fn at(now_ms: u64) -> Access {
        Access(clock(now_ms))
    }

    /// A key created at `now_ms`, as the LFU policies record it.
    pub(crate) fn first(now_ms: u64) -> Access {
        Access::counted(now_ms, COUNTER_INITIAL)
    }

    fn counted(now_ms: u64, counter: u8) -> Access {
        Access(u32::from(minute(now_ms)) << 8 | u32::from(counter))
    }

    /// The raw 24 bits, as `DEBUG OBJECT` shows them.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Seconds since the last use, if the bits hold the LRU clock.
    pub fn idle_s(self, now_ms: u64) -> u32 {
        let now = clock(now_ms);
        // Redis loses a second when the clock wraps around.
        if now >= self.0 { now - self.0 } else { now + (MASK - self.0) }
    }

    /// The LFU counter, decayed up to `now_ms`, if the bits hold one.
    pub(crate) fn frequency(self, now_ms: u64, counting: Counting) -> u8 {
        let (then, now) = ((self.0 >> 8) as u16, minute(now_ms));
        let minutes = if now >= then { now - then } else { u16::MAX - then + now };
        let lost = u64::from(minutes).checked_div(counting.decay_minutes).unwrap_or(0);
        (self.0 as u8).saturating_sub(u8::try_from(lost).unwrap_or(u8::MAX))
    }

    /// Records one more use. The counter grows with probability 1 ÷ (steps above the initial value × factor + 1).
    pub(crate) fn used(self, now_ms: u64, counting: Counting, rng: &mut Rng) -> Access {
        let counter = self.frequency(now_ms, counting);
        let steps = u64::from(counter.saturating_sub(COUNTER_INITIAL));
        let odds = steps.saturating_mul(counting.log_factor).saturating_add(1);
        let grows = odds == 1 || rng.below(odds) == 0;
        Access::counted(now_ms, counter.saturating_add(u8::from(grows)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    #[test]
    fn idle_time_is_right_after_the_clock_wraps_around() {
        let turn_ms = (u64::from(MASK) + 1) * 1000;
        assert_eq!(Access::at(turn_ms - 5_000).idle_s(turn_ms - 1_000), 4);
        assert_eq!(Access::at(turn_ms - 5_000).idle_s(turn_ms + 1_000), 5);
    }

    #[test]
    fn a_counter_decays_by_one_each_period_down_to_zero() {
        let counting = Counting { log_factor: 10, decay_minutes: 2 };
        let access = Access::first(0);
        for (minutes, counter) in [(0, 5), (1, 5), (2, 4), (9, 1), (10, 0), (10_000, 0)] {
            assert_eq!(access.frequency(minutes * MINUTE, counting), counter, "{minutes} minutes");
        }
        let never = Counting { decay_minutes: 0, ..counting };
        assert_eq!(access.frequency(10_000 * MINUTE, never), 5);
    }

    #[test]
    fn a_counter_grows_with_the_logarithm_of_the_uses() {
        let mut rng = Rng::new(1);
        let mut after = |factor, uses| {
            let counting = Counting { log_factor: factor, decay_minutes: 1 };
            (0..uses).fold(Access::first(0), |access, _| access.used(0, counting, &mut rng)).frequency(0, counting)
        };
        assert_eq!((after(0, 3), after(0, 1000)), (8, 255));
        // Redis' own table for a factor of 10: 10 after 100 uses, 18 after 1,000, 142 after 100,000.
        assert!((7..14).contains(&after(10, 100)));
        assert!((14..24).contains(&after(10, 1000)));
        assert!((130..155).contains(&after(10, 100_000)));
    }
}
