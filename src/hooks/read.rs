//! Reads a session's text in slices, so that a long text does not block the page.
use std::cell::RefCell;

use gloo_timers::future::TimeoutFuture;
use world::Timeline;
use world::timeline::{Reading, TextError};
use yew::prelude::*;

use super::clock::real_ms;
use super::long_script::run_in_slices;
use super::machine;

/// Length of a slice in ms. Each slice clones the [`Reading`], so shorter slices take longer in total.
const SLICE_MS: f64 = 32.0;

thread_local! {
    /// Setter of the component that shows how far a long stretch of traffic has been replayed.
    static SHOWN: RefCell<Option<UseStateSetter<Option<Replayed>>>> = const { RefCell::new(None) };
}

/// How far a stretch of traffic has been replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Requests since traffic began.
    pub requests: u64,
    /// Share of the virtual time that has passed, in percent.
    pub percent: u64,
}

/// How far the session being opened has been replayed; `None` unless it contains a long stretch of traffic.
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
        // If a step contains a long script, the script runs in slices of its own and this slice is then repeated.
        let (next, found) = run_in_slices(|| {
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
