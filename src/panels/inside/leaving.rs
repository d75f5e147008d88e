//! When the key leaves: a ring of the time that is left of what was set.
use yew::prelude::*;

use crate::hooks::{use_clock, use_lang};
use crate::i18n::Lang;
use crate::i18n::messages::InsideTtlOf;
use crate::state::inside::Look;
use crate::state::inside::leaving::Deadline;
use crate::ui::{html, part, time_ring};

/// The ring, or that the last step took the deadline away; nothing for other keys.
#[inline(never)]
pub fn leaving(t: Lang, look: &Look) -> Html {
    let leaving = &look.leaving;
    html! {
        <>
            if let Some(deadline) = leaving.deadline { { part::<TimeLeft>(TimeLeftProps { deadline }) } }
            if leaving.is_deadline_lost { <p><span class="inside-step">{ t.inside_ttl_lost() }</span></p> }
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TimeLeftProps {
    deadline: Deadline,
}

/// The time that is left of what was set, updated with the virtual clock.
#[component]
fn TimeLeft(props: &TimeLeftProps) -> Html {
    let t = use_lang();
    let now_ms = use_clock().now_ms;
    let Deadline { expires_ms, since_ms } = props.deadline;
    if now_ms > expires_ms {
        return html! { <p class="inside-ttl" data-testid="ttl"><span class="inside-step">{ t.keyspace_overdue_hint() }</span></p> };
    }
    let left_ms = expires_ms.saturating_sub(now_ms);
    // Faster digits could not be read.
    let step_ms = if left_ms < 10_000 { 100 } else { 1_000 };
    let left = t.duration(left_ms.div_ceil(step_ms).saturating_mul(step_ms));
    let whole_ms = since_ms.map(|since_ms| expires_ms.saturating_sub(since_ms));
    html! {
        <p class="inside-ttl" data-testid="ttl">
            if let Some(whole_ms) = whole_ms { { time_ring(left_ms, whole_ms) } }
            <span class="tabular">
                {
                    match whole_ms {
                        Some(whole_ms) => t.say(InsideTtlOf { left: &left, whole: &t.duration(whole_ms) }),
                        None => t.inside_ttl_left(&left),
                    }
                }
            </span>
        </p>
    }
}
