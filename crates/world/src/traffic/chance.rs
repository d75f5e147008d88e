//! Random draws that are equal on every machine: the logarithm is computed in Rust, not by the system's library.
use redis_model::rng::Rng;

use super::settings::WHOLE_PPM;

/// Exponentially distributed with mean 1; never 0, at most 37.
pub fn exponential(rng: &mut Rng) -> f64 {
    // 53 bits, in (0, 1].
    let uniform = ((rng.next_u64() >> 11) as f64 + 1.0) / 9_007_199_254_740_992.0;
    (-libm::log(uniform)).max(f64::MIN_POSITIVE)
}

/// True with this probability, in millionths.
pub const fn share(rng: &mut Rng, ppm: u32) -> bool {
    (rng.below(WHOLE_PPM as u64) as u32) < ppm
}
