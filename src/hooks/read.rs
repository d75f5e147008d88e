//! Reads a session's text in slices, so that the page stays responsive however long the text is.
use gloo_timers::future::TimeoutFuture;
use world::Timeline;
use world::timeline::{Reading, TextError};

use super::clock::real_ms;
use super::long_script::patiently;
use super::machine;

/// Length of a slice in ms. Each slice copies the reading, so shorter slices take longer in all.
const SLICE_MS: f64 = 32.0;

/// Reads a timeline from untrusted text.
///
/// # Errors
/// [`TextError`]
pub async fn read(text: &str) -> Result<Timeline, TextError> {
    let mut reading = Reading::begin(text, &machine::engines())?;
    loop {
        // If a step runs a long script, the script runs ahead in slices and this slice is then repeated.
        let (next, found) = patiently(|| {
            let mut next = reading.clone();
            let until = real_ms() + SLICE_MS;
            let mut found = next.take_line();
            while matches!(found, Ok(None)) && real_ms() < until {
                found = next.take_line();
            }
            (next, found)
        })
        .await;
        if let Some(timeline) = found? {
            return Ok(timeline);
        }
        reading = next;
        TimeoutFuture::new(0).await;
    }
}
