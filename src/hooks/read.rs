//! Reads a session's text in slices, so that a long text does not block the page.
use std::cell::RefCell;

use world::Timeline;
use world::timeline::{Reading, TextError};
use yew::prelude::*;

use super::clock::real_ms;
use super::long_script::{EventPace, run_in_slices};
use super::next_task::next_task;
use super::{items, machine};

/// Most events of traffic between two checks of the clock.
const EVENTS_AT_ONCE: u64 = 500;

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
    let engines = machine::engines();
    let mut reading = Reading::begin(text, &engines)?;
    let mut pace = EventPace::up_to(EVENTS_AT_ONCE);
    loop {
        if let Some(items) = reading.items_to_fill() {
            items::fill(items).await;
        }
        // If a step contains a long script, the script runs in slices of its own and this slice is then repeated.
        let (next, found, then) = run_in_slices(|| {
            let (mut next, mut pace) = (reading.clone(), pace);
            let mut now_ms = real_ms();
            let until_ms = now_ms + SLICE_MS;
            loop {
                let found = next.take_some(pace.events());
                let took_ms = real_ms() - now_ms;
                now_ms += took_ms;
                pace = pace.after(took_ms);
                let goes_on = matches!(found, Ok(None)) && now_ms + took_ms < until_ms && !engines.scripts.is_void();
                if !goes_on || next.items_to_fill().is_some() {
                    return (next, found, pace);
                }
            }
        })
        .await;
        pace = then;
        show(found.is_ok().then_some(&next));
        if let Some(timeline) = found? {
            return Ok(timeline);
        }
        reading = next;
        next_task().await;
    }
}
