//! The buttons of the timeline: back, forward, run and stop, speed; and on the other side the position and the toggle of the list of steps.
use resp::decimal::fixed;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::hooks::{PreferencesHandle, SessionHandle};
use crate::i18n::Lang;
use crate::i18n::messages::{TimePosition, TimePositionLabel};
use crate::state::preferences::{Prefer, SPEEDS};
use crate::state::session::SessionAction;
use crate::ui::{Button, ButtonLook, Picture, html, icon};

/// The buttons back, forward, run and stop, and the speed.
pub fn transport(t: Lang, session: &SessionHandle, preferences: &PreferencesHandle) -> Html {
    let travel = |action: SessionAction| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.travel(action.clone()))
    };
    let (at_start, at_end) = (session.is_at_floor(), session.timeline().is_at_end());
    let is_running = session.is_running();
    let run = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.set_running(!session.is_running()))
    };
    let (picture, label) = match (is_running, at_end) {
        (true, _) => (Picture::Pause, t.time_stop()),
        (false, true) => (Picture::Next, t.time_run()),
        (false, false) => (Picture::Next, t.time_play()),
    };
    let speed = {
        let preferences = preferences.clone();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Ok(permille) = value.parse() {
                preferences.prefer(Prefer::Speed(permille));
            }
        })
    };
    let now = preferences.now().speed_permille;
    html! {
        <div class="transport" role="group" aria-label={t.panel_timeline()}>
            { Button::icon(Picture::First, t.time_first()).shortcut("<").disabled(at_start).testid("first").act("first")
                .on(travel(SessionAction::First)) }
            { Button::icon(Picture::StepBack, t.time_back()).shortcut(",").disabled(at_start).testid("back").act("back")
                .on(travel(SessionAction::Back)) }
            { Button::icon(picture, label).shortcut("P").pressed(is_running).look(ButtonLook::Plain).testid("run").act("run").on(run) }
            { Button::icon(Picture::StepForward, t.time_forward()).shortcut(".").disabled(at_end).testid("forward").act("forward")
                .on(travel(SessionAction::Forward)) }
            { Button::icon(Picture::Last, t.time_last()).shortcut(">").disabled(at_end).testid("last").act("last")
                .on(travel(SessionAction::Last)) }
            <select class="field speed" aria-label={t.time_speed()} onchange={speed} data-testid="speed">
                { for SPEEDS.iter().map(|permille| html! {
                    <option value={permille.to_string()} selected={*permille == now}>
                        { t.time_speed_factor(&factor(*permille)) }
                    </option>
                }) }
            </select>
        </div>
    }
}

/// 100 ‰ as 0.1, 2,000 ‰ as 2.
fn factor(permille: u32) -> String {
    fixed(f64::from(permille) / 1_000.0, 3).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The position as a number, and the toggle of the list of steps.
pub fn views(t: Lang, session: &SessionHandle, preferences: &PreferencesHandle) -> Html {
    let is_open = preferences.now().steps_open;
    let (now, all) = (session.stop() as u64, session.stops().len() as u64);
    let branches = session.timeline().branches().len() as u64;
    html! {
        <div class="views">
            <span class="soft tabular" aria-label={t.say(TimePositionLabel { now, all })}>{ t.say(TimePosition { now, all }) }</span>
            <button type="button" class="button" aria-expanded={if is_open { "true" } else { "false" }}
                title={t.time_steps_hint()} onclick={preferences.preferring(Prefer::StepsOpen(!is_open))} data-testid="steps" data-act="steps">
                { icon(Picture::List) }
                { t.time_steps() }
                if branches > 1 {
                    <span class="chip">{ icon(Picture::Branch) }{ t.number(branches) }
                        <span class="sr-only">{ t.time_branches() }</span></span>
                }
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn speeds_have_no_trailing_zeros() {
        assert_eq!(factor(100), "0.1");
        assert_eq!(factor(250), "0.25");
        assert_eq!(factor(1_000), "1");
        assert_eq!(factor(100_000), "100");
    }
}
