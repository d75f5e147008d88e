//! What a tick of the real clock means for the virtual clock. Pure: the hook passes the real time in.
//!
//! While the cursor is at the end, the clock runs live: elapsed time accumulates as "ahead" of the world until something is due, and only
//! then goes into the log. While the cursor is in the past, the recorded steps are replayed at their original pace.
use world::{Input, Step};

/// How long an instantaneous step stays on the screen during replay, in ms of real time at ×1.
const DWELL_MS: u64 = 700;
/// From this speed on, everything that falls into one tick goes into the log as one step.
const FAST_PERMILLE: u32 = 10_000;
/// The most real time that one tick may stand for: a laptop that wakes from sleep does not jump hours ahead.
const TICK_US_MAX: u64 = 2_000_000;

/// What comes next at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The end of the path: the clock runs live. Holds the ms until something is due by itself; `None`: never.
    Live(Option<u64>),
    /// A recorded step that advances time by this many ms.
    Pass(u64),
    /// A recorded step that takes no time.
    Instant,
}

impl Next {
    /// What a recorded step means for the replay.
    pub fn of(step: &Step) -> Next {
        match step.input {
            Input::Advance { ms } => Next::Pass(ms),
            _ => Next::Instant,
        }
    }
}

/// What has to be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Advance the world by this many ms, as a step in the log.
    Pass(u64),
    /// Take the next recorded step.
    Step,
}

/// Virtual time by which the screen is ahead of the world, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    us: u64,
}

impl Ahead {
    /// In whole milliseconds.
    pub fn ms(self) -> u64 {
        self.us / 1_000
    }

    /// Adds `real_us` of real time at a speed of `permille` thousandths.
    pub fn tick(self, real_us: u64, permille: u32, next: Next) -> (Ahead, Option<Due>) {
        let real_us = real_us.min(TICK_US_MAX);
        let us = self.us.saturating_add(real_us.saturating_mul(u64::from(permille)) / 1_000);
        let reached = |ms: u64| us / 1_000 >= ms;
        let rest = |ms: u64| Ahead { us: us.saturating_sub(ms.saturating_mul(1_000)) };
        match next {
            Next::Live(Some(ms)) if reached(ms) && permille < FAST_PERMILLE => (rest(ms), Some(Due::Pass(ms))),
            Next::Live(Some(ms)) if reached(ms) => (rest(us / 1_000), Some(Due::Pass(us / 1_000))),
            Next::Pass(ms) if reached(ms) => (rest(ms), Some(Due::Step)),
            Next::Instant if reached(DWELL_MS) => (Ahead::default(), Some(Due::Step)),
            _ => (Ahead { us }, None),
        }
    }

    /// How far the clock on the screen is ahead of the world's, in ms; 0 while waiting for an instantaneous step.
    pub fn shown_ms(self, next: Next) -> u64 {
        match next {
            Next::Instant => 0,
            Next::Live(_) | Next::Pass(_) => self.ms(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, Due, Next};

    fn ahead(ms: u64) -> Ahead {
        Ahead { us: ms * 1_000 }
    }

    #[test]
    fn live_time_accumulates_until_something_is_due() {
        let (now, due) = Ahead::default().tick(100_000, 1_000, Next::Live(Some(250)));
        assert_eq!((now.ms(), due), (100, None));
        assert_eq!(ahead(200).tick(100_000, 1_000, Next::Live(Some(250))), (ahead(50), Some(Due::Pass(250))));
        assert_eq!(ahead(9).tick(100_000, 1_000, Next::Live(None)), (ahead(109), None));
    }

    #[test]
    fn fast_clock_advances_in_one_step() {
        let (now, due) = Ahead::default().tick(100_000, 100_000, Next::Live(Some(250)));
        assert_eq!((now, due), (ahead(0), Some(Due::Pass(10_000))));
    }

    #[test]
    fn slow_time_is_not_lost_to_rounding() {
        let mut now = Ahead::default();
        for _ in 0..1_000 {
            (now, _) = now.tick(999, 100, Next::Live(None));
        }
        assert_eq!(now.ms(), 99);
    }

    #[test]
    fn recorded_time_is_replayed_at_its_pace() {
        assert_eq!(ahead(900).tick(50_000, 1_000, Next::Pass(1_000)), (ahead(950), None));
        assert_eq!(ahead(900).tick(150_000, 1_000, Next::Pass(1_000)), (ahead(50), Some(Due::Step)));
        let (now, due) = ahead(650).tick(100_000, 1_000, Next::Instant);
        assert_eq!((now, due), (ahead(0), Some(Due::Step)));
        assert_eq!(ahead(650).shown_ms(Next::Instant), 0);
    }

    #[test]
    fn laptop_that_slept_does_not_jump() {
        let (now, _) = Ahead::default().tick(u64::MAX, 100_000, Next::Live(None));
        assert_eq!(now.ms(), 200_000);
    }
}
