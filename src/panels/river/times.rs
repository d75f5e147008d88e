//! Times that run with the clock on the screen: how long something has been held, and how long somebody still waits.
use yew::prelude::*;

use crate::hooks::{use_clock, use_lang};
use crate::i18n::Lang;
use crate::ui::{html, part, time_ring};

/// What has been held for so long has a full ring, in ms.
const RING_MS: u64 = 60_000;

#[derive(Clone, Copy, PartialEq)]
enum Since {
    /// It has been held since then.
    Held,
    /// It waits until then.
    Until,
    /// Its connection is closed then.
    Closes,
}

#[derive(Clone, PartialEq, Properties)]
struct TimeProps {
    since: Since,
    at_ms: u64,
}

/// How long something has been held, as a ring and in words; since when, in Unix time in ms.
pub fn held(since_ms: u64) -> Html {
    part::<Time>(TimeProps { since: Since::Held, at_ms: since_ms })
}

/// That somebody waits, and for how long still; until when, in Unix time in ms.
pub fn waits(t: Lang, until_ms: Option<u64>) -> Html {
    match until_ms {
        Some(at_ms) => part::<Time>(TimeProps { since: Since::Until, at_ms }),
        None => html! { <small>{ t.river_waits() }</small> },
    }
}

/// That a connection is closed if no one reads; when, in Unix time in ms.
pub fn closes(at_ms: u64) -> Html {
    part::<Time>(TimeProps { since: Since::Closes, at_ms })
}

#[component]
fn Time(props: &TimeProps) -> Html {
    let t = use_lang();
    let now_ms = use_clock().now_ms;
    // Digits that run too fast to be read are noise.
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
