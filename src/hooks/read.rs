//! Reading the text of a session a slice at a time, so that the page goes on meanwhile, however long it is.
use gloo_timers::future::TimeoutFuture;
use world::Timeline;
use world::timeline::{Reading, TextError};

use super::clock::real_ms;
use super::long_script::patiently;

/// How long a text is read before something else may happen, in ms.
const SLICE_MS: f64 = 32.0;

/// A timeline from text of any origin.
///
/// # Errors
/// [`TextError`]
pub async fn read(text: &str) -> Result<Timeline, TextError> {
    let mut reading = Reading::begin(text)?;
    loop {
        // A script that takes long runs ahead, and what is read here is then read again.
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
