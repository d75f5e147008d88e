//! How the key can leave: a ring of the time that is left of what was set, and the keys in the order in which eviction would take them.
use yew::prelude::*;

use super::cell::shown;
use crate::hooks::{use_clock, use_lang};
use crate::i18n::Lang;
use crate::i18n::messages::InsideTtlOf;
use crate::state::inside::Look;
use crate::state::inside::leaving::{Deadline, Eviction, Reason, Victim};
use crate::ui::{html, part, time_ring};

/// The ring and the order of eviction; nothing if the key has no deadline and no limit was set.
#[inline(never)]
pub fn leaving(t: Lang, look: &Look) -> Html {
    let leaving = &look.leaving;
    html! {
        <>
            if let Some(deadline) = leaving.deadline { { part::<TimeLeft>(TimeLeftProps { deadline }) } }
            if leaving.is_deadline_lost { <p><span class="inside-step">{ t.inside_ttl_lost() }</span></p> }
            if let Some(eviction) = &leaving.eviction { { order(t, look, eviction) } }
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

/// The keys in the order of their eviction.
fn order(t: Lang, look: &Look, eviction: &Eviction) -> Html {
    let policy = eviction.policy.name();
    if eviction.victims.is_empty() {
        return html! { <p class="soft small" data-testid="eviction">{ t.inside_evict_none(policy) }</p> };
    }
    let item = |victim: &Victim| {
        let is_key = victim.key == look.key.key && victim.db == look.key.database.db;
        let reason = match victim.reason {
            Reason::Left(ms) => t.inside_evict_left(&t.duration(ms)),
            Reason::Idle(ms) => t.inside_evict_idle(&t.duration(ms)),
            Reason::Hidden => String::new(),
        };
        html! {
            <li class="cell" aria-current={is_key.then_some("true")}>
                <span>{ shown(&victim.key) }</span>
                if !reason.is_empty() { <small>{ reason }</small> }
            </li>
        }
    };
    html! {
        <div class="inside-evict" data-testid="eviction">
            <p class="soft small">{ t.inside_evict_order(policy) }</p>
            <ol class="cells inside-list">{ for eviction.victims.iter().map(item) }</ol>
        </div>
    }
}
