//! The timeline at the bottom of the page: the current position, what happened, and the controls to move in time.
mod branches;
mod clock_face;
mod marks;
mod steps;
mod track;
mod transport;

use std::rc::Rc;

use world::{Step, StepId};
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, SessionPart, use_kept_focus, use_lang, use_preferences, use_session_for};
use crate::i18n::{Lang, plain, rich};
use crate::panels::client::slot_of;
use crate::state::description::Describer;
use crate::ui::{Button, Picture, client_mark, html, icon, later, part};
use crate::workbench::group_id;

/// Name of the timeline as a group of the phone layout.
pub const GROUP: &str = "timeline";

/// Properties of [`TimelinePanel`].
#[derive(Clone, PartialEq, Properties)]
pub struct TimelinePanelProps {
    /// Whether it is the group that a phone shows: then the list of steps is expanded.
    pub is_tab: bool,
}

/// The timeline with all its controls.
#[component]
pub fn TimelinePanel(props: &TimelinePanelProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Running]);
    let preferences = use_preferences();
    let is_open = preferences.now().steps_open;
    let foot = use_node_ref();
    use_kept_focus(&foot);
    let drawer = {
        let session = session.clone();
        move || html! { <>{ part::<steps::Steps>(()) }{ branches::branches(t, &session) }</> }
    };
    html! {
        <footer ref={foot} id={group_id(GROUP)} tabindex="-1" class="foot timeline" aria-label={t.panel_timeline()} data-open={is_open.then_some("")}>
            if is_open || props.is_tab {
                <div class="timeline-drawer">{ later(Chunk::Rest, drawer) }</div>
            }
            { sentence(t, &session) }
            { track::track(t, &session) }
            <div class="timeline-controls">
                { transport::transport(t, &session, &preferences) }
                { part::<clock_face::ClockFace>(()) }
                { transport::views(t, &session, &preferences) }
            </div>
        </footer>
    }
}

/// One sentence on the step at the cursor. The only element that screen readers announce after a step.
fn sentence(t: Lang, session: &SessionHandle) -> Html {
    let is_past = !session.timeline().is_at_end();
    let go_on = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.travel(crate::state::session::SessionAction::Last))
    };
    let description = match session.current() {
        Some((_, step)) => description(t, session, step),
        None if session.is_staged() => t.step_stage().to_owned(),
        None => t.step_start().to_owned(),
    };
    let client = session.current().and_then(|(_, step)| step.input.client());
    html! {
        <div class="timeline-step" data-past={is_past.then_some("")}>
            { client.map_or_else(|| icon(Picture::Clock), |client| client_mark(slot_of(client))) }
            <p aria-live="polite" data-testid="description">{ rich(&description) }</p>
            if is_past {
                <span class="timeline-past soft">{ t.time_past_hint() }</span>
                { Button::words(t.time_to_present()).picture(Picture::Last).on(go_on) }
            }
        </div>
    }
}

/// The sentence for a step, with the clients' names at the cursor.
fn description(t: Lang, session: &SessionHandle, step: &Rc<Step>) -> String {
    let name_of = |client| session.name_of(client);
    Describer { t, name_of: &name_of, settings: session.timeline().settings() }.step(&step.input, &step.events)
}

/// The sentence for the step with this id, without marks.
fn plain_description(t: Lang, session: &SessionHandle, id: StepId) -> String {
    session.timeline().step(id).map(|step| plain(&description(t, session, step))).unwrap_or_default()
}
