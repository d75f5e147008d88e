//! Shapes of the rate over time: the form writes the points of a shape, and recognises them.
use world::traffic::settings::{RATE_MAX, RatePoint};

/// A shape of the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Always the same.
    Steady,
    /// From the rate to [`TIMES`] as many at the end.
    Ramp,
    /// [`TIMES`] as many for a moment in the middle.
    Spike,
    /// Any other points in time.
    Points,
}

/// How many times as many requests come at the peak of a shape.
const TIMES: u32 = 5;
/// How long the rate takes to rise to a peak, in ms.
const RISE_MS: u64 = 1_000;

impl Shape {
    /// The shape of these points.
    pub fn of(rate: &[RatePoint]) -> Shape {
        let is_peak = |low: &RatePoint, high: &RatePoint| low.per_s.saturating_mul(TIMES) == high.per_s;
        match rate {
            [RatePoint { at_ms: 0, .. }] => Shape::Steady,
            [first, last] if first.at_ms == 0 && is_peak(first, last) => Shape::Ramp,
            [first, before, peak, end, after]
                if first.at_ms == 0
                    && before.per_s == first.per_s
                    && after.per_s == first.per_s
                    && is_peak(first, peak)
                    && is_peak(first, end)
                    && peak.at_ms.checked_sub(before.at_ms) == Some(RISE_MS) =>
            {
                Shape::Spike
            }
            _ => Shape::Points,
        }
    }

    /// The points of this shape over `ms`, with this rate at first; `None` for [`Shape::Points`].
    pub fn points(self, per_s: u32, ms: u64) -> Option<Vec<RatePoint>> {
        let peak = per_s.saturating_mul(TIMES).min(RATE_MAX);
        let point = |at_ms: u64, per_s: u32| RatePoint { at_ms, per_s };
        // The middle, in whole seconds if that is possible; a peak lasts a twentieth of the time.
        let seconds = |ms: u64| if ms >= 1_000 { ms - ms % 1_000 } else { ms.max(1) };
        let middle = seconds(ms / 2);
        let end = middle.saturating_add(RISE_MS).saturating_add(seconds(ms / 20));
        match self {
            Shape::Steady => Some(vec![point(0, per_s)]),
            Shape::Ramp => Some(vec![point(0, per_s), point(ms.max(1), peak)]),
            Shape::Spike => Some(vec![
                point(0, per_s),
                point(middle, per_s),
                point(middle.saturating_add(RISE_MS), peak),
                point(end, peak),
                point(end.saturating_add(RISE_MS), per_s),
            ]),
            Shape::Points => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use world::traffic::settings::TrafficSettings;

    use super::*;

    #[test]
    fn points_of_a_shape_are_valid_and_recognised() {
        for shape in [Shape::Steady, Shape::Ramp, Shape::Spike] {
            for (per_s, ms) in [(1, 1), (200, 600_000), (0, 10), (150_000, 999), (7, u64::MAX / 2)] {
                let rate = shape.points(per_s, ms).unwrap();
                assert!(rate.windows(2).all(|two| two[0].at_ms < two[1].at_ms), "{shape:?} {ms}: {rate:?}");
                assert_eq!(Shape::of(&rate), shape, "{rate:?}");
                if ms < 1_000_000 {
                    assert_eq!(TrafficSettings { rate, ..TrafficSettings::default() }.check(), Ok(()));
                }
            }
        }
        assert_eq!(Shape::Points.points(1, 1), None);
        let spike = Shape::Spike.points(200, 600_000).unwrap();
        let text: Vec<(u64, u32)> = spike.iter().map(|point| (point.at_ms, point.per_s)).collect();
        assert_eq!(text, [(0, 200), (300_000, 200), (301_000, 1_000), (331_000, 1_000), (332_000, 200)]);
        let odd = [RatePoint { at_ms: 5, per_s: 1 }];
        assert_eq!(Shape::of(&odd), Shape::Points);
        assert_eq!(Shape::of(&[]), Shape::Points);
        // At the greatest rate a peak is cut off.
        let cut = Shape::Ramp.points(RATE_MAX, 5_000).unwrap();
        assert_eq!(cut[1].per_s, RATE_MAX);
    }
}
