//! Reads a session's text in slices, so that the page stays responsive however long the text is.
use std::cell::RefCell;

use gloo_timers::future::TimeoutFuture;
use world::Timeline;
use world::timeline::{Reading, TextError};
use yew::prelude::*;

use super::clock::real_ms;
use super::long_script::patiently;
use super::machine;

/// Length of a slice in ms. Each slice copies the reading, so shorter slices take longer in all.
const SLICE_MS: f64 = 32.0;

thread_local! {
    /// Who shows how far a long stretch of traffic is replayed.
    static SHOWN: RefCell<Option<UseStateSetter<Option<Replayed>>>> = const { RefCell::new(None) };
}

/// How far a stretch of traffic is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Requests since traffic began.
    pub requests: u64,
    /// How much of the time has passed, in hundredths.
    pub percent: u64,
}

/// How far the session that is being opened is replayed, where that takes long.
#[hook]
pub fn use_replayed() -> Option<Replayed> {
    let shown = use_state_eq(|| None);
    let setter = shown.setter();
    use_effect_with((), move |()| {
        SHOWN.set(Some(setter));
        || SHOWN.set(None)
    });
    *shown
}

fn show(reading: Option<&Reading>) {
    let stretch = reading.and_then(Reading::stretch);
    let replayed = stretch.and_then(|stretch| {
        let requests = stretch.world().traffic()?.requests();
        Some(Replayed { requests, percent: stretch.percent() })
    });
    SHOWN.with_borrow(|shown| shown.iter().for_each(|shown| shown.set(replayed)));
}

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
        show(found.is_ok().then_some(&next));
        if let Some(timeline) = found? {
            return Ok(timeline);
        }
        reading = next;
        TimeoutFuture::new(0).await;
    }
}
