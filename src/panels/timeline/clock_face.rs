//! The virtual clock: the virtual time, whether the clock runs, and two buttons that advance time.
use yew::prelude::*;

use crate::hooks::{SessionPart, use_clock, use_lang, use_session_for};
use crate::i18n::time_of_day;
use crate::ui::{Button, Picture, html};

/// Digits and buttons of the clock.
#[component]
pub fn ClockFace() -> Html {
    let t = use_lang();
    let clock = use_clock();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Running]);
    let second = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.advance(1_000))
    };
    let deadline = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.advance_to_deadline())
    };
    let is_past = !session.timeline().is_at_end();
    let (state, word) = match (clock.is_running, is_past) {
        (true, false) => ("live", t.time_live()),
        (true, true) => ("live", t.time_playing()),
        (false, true) => ("past", t.time_past()),
        (false, false) => ("stopped", t.time_stopped()),
    };
    let due_ms = session.world().next_event_ms();
    let due = match due_ms {
        Some(due_ms) => t.time_deadline_in(shown(due_ms.saturating_sub(clock.now_ms))),
        None => t.time_deadline_none().to_owned(),
    };
    html! {
        <div class="clock" data-state={state}>
            <span class="clock-dot" aria-hidden="true" />
            <time class="clock-time" role="timer" aria-label={t.time_clock()} data-testid="clock">{ time_of_day(clock.now_ms) }</time>
            <span class="clock-word soft">{ word }</span>
            { Button::words(t.time_second()).title(t.time_second_hint()).testid("second").act("second").on(second) }
            { Button::words(t.time_deadline()).picture(Picture::ToDeadline).disabled(due_ms.is_none())
                .title(t.time_deadline_hint()).testid("deadline").act("deadline").on(deadline) }
            <span class="clock-due soft small tabular">{ due }</span>
        </div>
    }
}

/// Rounds to tenths of a second below a minute, because faster digits cannot be read.
fn shown(ms: u64) -> u64 {
    if ms < 1_000 { ms / 10 * 10 } else { ms / 100 * 100 }
}
