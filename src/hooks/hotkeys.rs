//! Keyboard shortcuts of the whole page: listens, looks the key up in `state::shortcuts`, and performs the action.
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use world::ClientIndex;
use yew::prelude::*;

use super::{PreferencesHandle, SessionHandle, use_has_flow, use_preferences, use_session};
use crate::state::preferences::Prefer;
use crate::state::session::SessionAction;
use crate::state::shortcuts::{KeyPress, Keys, Shortcut};

/// What the frame of the page does for keys.
#[derive(Clone, PartialEq)]
pub struct FrameActs {
    /// Opens the dialog that lists the keys.
    pub help: Callback<()>,
    /// Brings the panel with this name to the front, or folds its group.
    pub panel: Callback<&'static str>,
    /// Whether lanes, river and scripts are tools that open and close; in a lesson they are panels like others.
    pub has_tools: bool,
}

/// Handles keyboard shortcuts.
#[hook]
pub fn use_hotkeys(acts: FrameActs) {
    let (session, preferences, has_flow) = (use_session(), use_preferences(), use_has_flow());
    let latest = use_mut_ref(|| None);
    latest.replace(Some((session, preferences, has_flow, acts)));
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if event.default_prevented() || is_dialog_open() {
                    return;
                }
                if let Some((session, preferences, has_flow, acts)) = &*latest.borrow() {
                    let Some(wanted) = meant(event, &preferences.now().keys) else { return };
                    event.prevent_default();
                    act(wanted, session, preferences, *has_flow, acts);
                }
            })
        });
        move || drop(listener)
    });
}

fn meant(event: &KeyboardEvent, keys: &Keys) -> Option<Shortcut> {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if event.key().starts_with("Arrow") && target.as_ref().is_some_and(takes_arrows) {
        return None;
    }
    keys.shortcut(KeyPress {
        code: &event.code(),
        key: &event.key(),
        alt: event.alt_key(),
        ctrl: event.ctrl_key() || event.meta_key(),
        shift: event.shift_key(),
        is_typing: target.is_some_and(|element| is_text_field(&element)),
        is_composing: event.is_composing(),
    })
}

/// Whether the element uses arrow keys itself: a slider or splitter, a list, tabs, or a scrollable element.
fn takes_arrows(element: &Element) -> bool {
    let control = "input, select, [role=separator], [role=tab], [role=option], [role=listbox], [role=combobox], [contenteditable=true]";
    let scrolls = "[tabindex]:not(button, a, .foot)";
    element.matches(control).unwrap_or(false) || element.matches(scrolls).unwrap_or(false)
}

fn is_text_field(element: &Element) -> bool {
    element
        .matches("textarea, input:not([type=range]):not([type=file]), [contenteditable=true], :is(.scripts, .menu, .inside-edit) select")
        .unwrap_or(false)
}

fn is_dialog_open() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.query_selector("dialog[open]").ok().flatten().is_some())
}

fn act(wanted: Shortcut, session: &SessionHandle, preferences: &PreferencesHandle, has_flow: bool, acts: &FrameActs) {
    match wanted {
        Shortcut::StepBack => session.travel(SessionAction::Back),
        Shortcut::StepForward => session.travel(SessionAction::Forward),
        Shortcut::First => session.travel(SessionAction::First),
        Shortcut::Last => session.travel(SessionAction::Last),
        Shortcut::PlayPause => session.set_running(!session.is_running()),
        Shortcut::Slower => preferences.prefer(Prefer::SpeedStep(false)),
        Shortcut::Faster => preferences.prefer(Prefer::SpeedStep(true)),
        Shortcut::Second => session.advance(1_000),
        Shortcut::Deadline => session.advance_to_deadline(),
        Shortcut::NextBranch => {
            if let Some(head) = session.next_branch() {
                session.switch(head);
            }
        }
        Shortcut::NewClient => session.add_client(),
        Shortcut::PreviousClient => go_to(session, session.neighbour(false)),
        Shortcut::NextClient => go_to(session, session.neighbour(true)),
        Shortcut::Client(place) => {
            if let Some(client) = session.client_in_place(place) {
                go_to(session, client);
            }
        }
        Shortcut::FilterKeys => focus("[data-shortcut=filter]"),
        Shortcut::Steps => preferences.prefer(Prefer::StepsOpen(!preferences.now().steps_open)),
        Shortcut::Scripts => preferences.prefer(Prefer::ScriptsOpen(!preferences.now().scripts_open)),
        Shortcut::Lanes if !acts.has_tools => acts.panel.emit("lanes"),
        Shortcut::River if !acts.has_tools => acts.panel.emit("river"),
        Shortcut::Lanes => preferences.prefer(Prefer::LanesOpen(!preferences.now().lanes_open)),
        Shortcut::Language => preferences.prefer(Prefer::Lang(preferences.now().lang.other())),
        Shortcut::Focus => preferences.prefer(Prefer::Focus(!preferences.now().focus)),
        Shortcut::Projector => preferences.prefer(Prefer::Projector(!preferences.now().projector)),
        Shortcut::Help => acts.help.emit(()),
        Shortcut::Panel(panel) => acts.panel.emit(panel),
        Shortcut::Leave => blur(),
        Shortcut::River => preferences.prefer(Prefer::RiverOpen(preferences.now().river_toggled(has_flow))),
    }
}

/// Makes a client the active one and moves the focus to its line, even if it is active already. A line that is not on the page yet takes the
/// focus when it appears.
fn go_to(session: &SessionHandle, client: ClientIndex) {
    session.activate(client);
    focus(&format!("#line-{client}"));
}

fn focus(selector: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let found = document.and_then(|document| document.query_selector(selector).ok().flatten());
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

fn blur() {
    let active = web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element());
    if let Some(element) = active.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}
