//! Times that are updated with the clock on the screen: how long an entry has been held, and how much longer a client waits.
use yew::prelude::*;

use crate::hooks::{use_clock, use_lang};
use crate::i18n::Lang;
use crate::ui::{html, part, time_ring};

/// Duration at which the ring is full, in ms.
const RING_MS: u64 = 60_000;

#[derive(Clone, Copy, PartialEq)]
enum Since {
    /// Held since this time.
    Held,
    /// Waits until this time.
    Until,
    /// The connection is closed at this time.
    Closes,
}

#[derive(Clone, PartialEq, Properties)]
struct TimeProps {
    since: Since,
    at_ms: u64,
}

/// How long something has been held, as a ring and as text. `since_ms` is Unix time in ms.
pub fn held(since_ms: u64) -> Html {
    part::<Time>(TimeProps { since: Since::Held, at_ms: since_ms })
}

/// How much longer a client waits. `until_ms` is Unix time in ms; `None` waits without a timeout.
pub fn waits(t: Lang, until_ms: Option<u64>) -> Html {
    match until_ms {
        Some(at_ms) => part::<Time>(TimeProps { since: Since::Until, at_ms }),
        None => html! { <small>{ t.river_waits() }</small> },
    }
}

/// When a connection is closed unless its client reads. `at_ms` is Unix time in ms.
pub fn closes(at_ms: u64) -> Html {
    part::<Time>(TimeProps { since: Since::Closes, at_ms })
}

#[component]
fn Time(props: &TimeProps) -> Html {
    let t = use_lang();
    let now_ms = use_clock().now_ms;
    // Faster digits could not be read.
    let step_of = |ms: u64| if ms < 10_000 { 100 } else { 1_000 };
    let left = |at_ms: u64| {
        let left_ms = at_ms.saturating_sub(now_ms);
        t.duration(left_ms.next_multiple_of(step_of(left_ms)))
    };
    match props.since {
        Since::Held => {
            let held_ms = now_ms.saturating_sub(props.at_ms);
            let shown_ms = held_ms.saturating_sub(held_ms % step_of(held_ms));
            html! { <>{ time_ring(held_ms.min(RING_MS), RING_MS) }<small class="tabular">{ t.duration(shown_ms) }</small></> }
        }
        Since::Until => html! { <small class="tabular">{ t.river_waits_for(&left(props.at_ms)) }</small> },
        Since::Closes => {
            html! { <small class="tabular river-lost">{ t.river_buffer_closes(&left(props.at_ms)) }</small> }
        }
    }
}
