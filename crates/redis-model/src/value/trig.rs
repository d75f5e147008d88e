//! Sine, cosine and arc sine with correct rounding: the same digits on every machine.
//!
//! `f64::sin` uses the platform's library, and libraries differ in the last binary digit; a distance that is stored as a
//! score shows the difference. The C library under Redis rounds correctly except for one argument in some thousands, so correct
//! rounding is the best portable approximation. Each function is computed with twice the digits
//! (a pair of doubles, Dekker, "A floating-point technique for extending the available precision", 1971) and rounded once.
use std::f64::consts::FRAC_PI_2;

/// A number as the unevaluated sum of two doubles, the second at most half a unit of the first.
#[derive(Clone, Copy)]
struct Pair(f64, f64);

/// a + b, exactly (Knuth).
fn sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    let rounded = high - a;
    Pair(high, (a - (high - rounded)) + (b - rounded))
}

/// a + b, exactly, where a is not smaller than b in magnitude.
fn quick_sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    Pair(high, b - (high - a))
}

/// Splits a double into two of 26 bits (Veltkamp).
fn split(a: f64) -> Pair {
    const FACTOR: f64 = 134_217_729.0;
    let scaled = FACTOR * a;
    let high = scaled - (scaled - a);
    Pair(high, a - high)
}

/// a · b, exactly (Dekker).
fn product(a: f64, b: f64) -> Pair {
    let high = a * b;
    let (Pair(a_high, a_low), Pair(b_high, b_low)) = (split(a), split(b));
    let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
    Pair(high, low)
}

impl Pair {
    fn add(self, other: Pair) -> Pair {
        let Pair(high, low) = sum(self.0, other.0);
        let Pair(low_high, low_low) = sum(self.1, other.1);
        let Pair(high, low) = quick_sum(high, low + low_high);
        quick_sum(high, low + low_low)
    }

    fn times(self, other: Pair) -> Pair {
        let Pair(high, low) = product(self.0, other.0);
        quick_sum(high, low + (self.0 * other.1 + self.1 * other.0))
    }

    fn over(self, divisor: f64) -> Pair {
        let quotient = self.0 / divisor;
        let Pair(high, low) = product(quotient, divisor);
        let rest = (self.0 - high) - low + self.1;
        quick_sum(quotient, rest / divisor)
    }

    fn negated(self) -> Pair {
        Pair(-self.0, -self.1)
    }
}

/// Taylor series from the term of this degree on: `term` − `term`·x²/((d+1)(d+2)) + …, for |x| at most π/4.
fn series(mut term: Pair, mut degree: f64, x: Pair) -> Pair {
    // Far too small to affect rounding.
    const NEGLIGIBLE: f64 = 1e-30;
    let square = x.times(x).negated();
    let mut total = term;
    while term.0.abs() > NEGLIGIBLE * total.0.abs() {
        term = term.times(square).over((degree + 1.0) * (degree + 2.0));
        degree += 2.0;
        total = total.add(term);
    }
    total
}

/// sin(x + `quarters`·π/2) for |x| at most π, to about 100 bits. Larger arguments only occur for areas larger than the earth; for
/// those the last digits are wrong, because the page has no table of π for them.
fn sine(x: f64, quarters: i32) -> Pair {
    // The second and third double of π/2.
    const REST: Pair = Pair(6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33);
    let turns = (x / FRAC_PI_2).round();
    let Pair(high, low) = sum(x, -turns * FRAC_PI_2);
    let reduced = Pair(high, low).add(Pair(-turns * REST.0, -turns * REST.1));
    match (turns as i32).wrapping_add(quarters).rem_euclid(4) {
        0 => series(reduced, 1.0, reduced),
        1 => series(Pair(1.0, 0.0), 0.0, reduced),
        2 => series(reduced, 1.0, reduced).negated(),
        _ => series(Pair(1.0, 0.0), 0.0, reduced).negated(),
    }
}

/// The sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    sine(x, 0).0
}

/// The cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    sine(x, 1).0
}

/// The angle in radians, between −π/2 and π/2, with this sine.
pub fn asin(y: f64) -> f64 {
    let near = libm::asin(y);
    let slope = cos(near);
    if y == 0.0 || near.is_nan() || slope < 1e-12 {
        return near;
    }
    // One Newton step from a value that is right except for its last digit or two.
    let Pair(high, low) = Pair(y, 0.0).add(sine(near, 0).negated());
    near + (high + low) / slope
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_equal_those_of_200_bit_arithmetic() {
        for (x, expected) in [
            (1e-09, 1e-09),
            (0.5, 0.479425538604203),
            (-1.0, -0.8414709848078965),
            (FRAC_PI_2, 1.0),
            (2.0, 0.9092974268256817),
            (3.0, 0.1411200080598672),
            (PI, 1.2246467991473532e-16),
            (-3.1, -0.04158066243329049),
        ] {
            assert_eq!(sin(x).to_bits(), f64::to_bits(expected), "sin {x}");
        }
        for (x, expected) in [
            (1e-09, 1.0),
            (0.5, 0.8775825618903728),
            (-1.0, 0.5403023058681398),
            (FRAC_PI_2, 6.123233995736766e-17),
            (2.0, -0.4161468365471424),
            (3.0, -0.9899924966004454),
            (1.4844, 0.08628888518727393),
            (-0.7, 0.7648421872844885),
        ] {
            assert_eq!(cos(x).to_bits(), f64::to_bits(expected), "cos {x}");
        }
        for (x, expected) in [
            (1e-09, 1e-09),
            (0.5, std::f64::consts::FRAC_PI_6),
            (-0.25, -0.25268025514207865),
            (0.9999999999999999, 1.5707963118937354),
            (0.75, 0.848062078981481),
            (0.999, 1.526071239626163),
            (1.0, FRAC_PI_2),
            (0.0123, 0.012300310165616694),
        ] {
            assert_eq!(asin(x).to_bits(), f64::to_bits(expected), "asin {x}");
        }
    }

    proptest! {
        #[test]
        fn the_platform_differs_by_the_last_digit_at_most(x in -PI..PI, y in -1.0..1.0f64) {
            let is_near = |ours: f64, theirs: f64| (ours - theirs).abs() <= theirs.abs() * f64::EPSILON;
            prop_assert!(is_near(sin(x), x.sin()), "sin {}", x);
            prop_assert!(is_near(cos(x), x.cos()), "cos {}", x);
            prop_assert!(is_near(asin(y), y.asin()), "asin {}", y);
        }

        #[test]
        fn sine_and_cosine_are_within_one_and_asin_is_nan_outside(x in -1000.0..1000.0f64, y in any::<f64>()) {
            prop_assert!(sin(x).abs() <= 1.0 && cos(x).abs() <= 1.0, "{}", x);
            prop_assert_eq!(asin(y).is_nan(), !(-1.0..=1.0).contains(&y), "asin {}", y);
        }

        #[test]
        fn signs_are_kept(x in -PI..PI) {
            prop_assert_eq!(sin(-x).to_bits(), (-sin(x)).to_bits());
            prop_assert_eq!(cos(-x).to_bits(), cos(x).to_bits());
        }
    }
}
