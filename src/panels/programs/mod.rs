//! Programs: one card per client, with its source, the position of each thread, and all actions of a scheduler.
mod card;
mod edit;
mod explained;
mod menu;
mod shown;
mod source;

use world::ClientIndex;
use yew::prelude::*;

use crate::hooks::{LabKeys, Running, SessionPart, use_lang, use_running, use_session_for, use_turn};
use crate::i18n::Lang;
use crate::state::lab::run::{Goal, Stop};
use crate::state::lesson::Opened;
use crate::ui::{Button, Picture, html, part, part_of};
use card::{Card, CardProps};
pub use card::{fault_mark, fault_words};
pub use edit::{Edit, EditCheck, EditProps};
use shown::use_acting_card_in_view;

/// Maximum number of cards; a larger crowd is run as a whole and watched in the lanes.
const CARDS_MAX: usize = 24;
/// Number of cards that are rendered together when the panel opens.
const CARDS_AT_ONCE: usize = 4;

/// The cards of all clients with programs.
#[component]
pub fn Programs() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    // In a lesson digits step programs even if this panel is hidden (`SessionFrame`).
    let is_lesson = use_context::<Opened>().is_some();
    let is_fine = use_state_eq(|| false);
    let clients: Vec<ClientIndex> =
        session.world().clients().filter(|(_, found)| found.program.is_some()).map(|(client, _)| client).collect();
    let (body, grid) = (use_node_ref(), use_node_ref());
    let acting = match session.current() {
        Some((_, step)) => step.input.client().and_then(|acting| clients.iter().position(|client| *client == acting)),
        None => Some(0),
    };
    use_acting_card_in_view(&body, &grid, session.revision(), acting);
    let toggle = {
        let is_fine = is_fine.clone();
        Callback::from(move |_: MouseEvent| is_fine.set(!*is_fine))
    };
    let Running { start: onrun, stop, stopped } = use_running();
    let run_all = onrun.reform(|_: MouseEvent| Goal::End);
    let stopped_text = stopped.and_then(|stop| reason(t, stop));
    html! {
        <section class="panel programs" aria-label={t.programs_title()} data-testid="programs">
            <div class="panel-head">
                <h2>{ t.programs_title() }</h2>
                <span class="spacer" />
                { Button::words(t.programs_fine()).title(t.programs_fine_hint()).pressed(*is_fine).testid("fine").on(toggle) }
                if let Some(stop) = stop {
                    { Button::words(t.programs_run_stop()).picture(Picture::Stop).testid("run-stop").on(stop.reform(|_: MouseEvent| ())) }
                } else {
                    { run_for(t, &onrun) }
                }
                { Button::words(t.programs_run_all()).picture(Picture::Last).title(t.programs_run_all_hint())
                    .disabled(session.world().is_end()).testid("run-all").on(run_all) }
            </div>
            if !is_lesson { { part::<LabKeys>(()) } }
            <div class="panel-body programs-body" ref={body}>
                <p class="programs-note" role="status">{ stopped_text.unwrap_or_default() }</p>
                if clients.is_empty() { <div class="panel-empty"><p>{ t.programs_none() }</p></div> }
                <div class="programs-grid" ref={grid}>
                    { for clients.iter().take(CARDS_MAX).enumerate().map(|(nth, client)| {
                        let card = CardProps { client: *client, is_fine: *is_fine, onrun: onrun.clone() };
                        part_of::<CardInTurn>(client, CardInTurnProps { is_urgent: nth < CARDS_AT_ONCE, card })
                    }) }
                </div>
                if clients.len() > CARDS_MAX {
                    <p class="programs-note soft">{ t.lanes_more(clients.len().saturating_sub(CARDS_MAX) as u64) }</p>
                }
            </div>
        </section>
    }
}

/// Virtual times for which all programs can run, in ms.
const TIMES_MS: [u64; 4] = [1_000, 10_000, 60_000, 600_000];

/// Runs all programs for a virtual time.
fn run_for(t: Lang, onrun: &Callback<Goal>) -> Html {
    let onrun = onrun.clone();
    let onchange = Callback::from(move |event: Event| {
        let Some(select) = event.target_dyn_into::<web_sys::HtmlSelectElement>() else { return };
        if let Ok(ms) = select.value().parse() {
            onrun.emit(Goal::Time(ms));
        }
        select.set_selected_index(0);
    });
    html! {
        <select class="field" aria-label={t.programs_run_for()} title={t.programs_run_for_hint()} {onchange} data-testid="run-for">
            <option value="">{ t.programs_run_for() }</option>
            { for TIMES_MS.iter().map(|ms| html! { <option value={ms.to_string()}>{ t.duration(*ms) }</option> }) }
        </select>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CardInTurnProps {
    is_urgent: bool,
    card: CardProps,
}

/// A card. Visible cards render at once, the others one after the other.
#[component]
fn CardInTurn(props: &CardInTurnProps) -> Html {
    if use_turn(props.is_urgent) {
        part::<Card>(props.card.clone())
    } else {
        html! { <article class="program" aria-hidden="true" /> }
    }
}

/// Why a run ended, unless that is obvious.
fn reason(t: Lang, stop: Stop) -> Option<String> {
    match stop {
        Stop::Stuck => Some(t.stop_stuck().to_owned()),
        Stop::TooLong(inputs) => Some(t.stop_too_long(inputs as u64)),
        Stop::There | Stop::Broken | Stop::Over => None,
    }
}
