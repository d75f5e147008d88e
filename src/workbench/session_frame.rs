//! Parts of a page with a session other than its panels: keyboard shortcuts, dialogs, notices of refusals, dropped files.
use yew::prelude::*;

use super::Page;
use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{
    DeadLocks, FrameActs, LabKeys, SessionPart, use_dropping, use_hotkeys, use_lang, use_refusals, use_session_for,
    use_support_address,
};
use crate::panels::dialogs::{Overlay, dialog};
use crate::ui::{html, later, part};

/// Properties of [`SessionFrame`].
#[derive(Clone, PartialEq, Properties)]
pub struct SessionFrameProps {
    /// The kind of page.
    pub page: Page,
    /// The open dialog.
    pub overlay: Option<Overlay>,
    /// Opens a dialog.
    pub onopen: Callback<Overlay>,
    /// Closes the open dialog.
    pub onclose: Callback<()>,
    /// Brings a panel to the front, or folds its group.
    pub onpanel: Callback<&'static str>,
    /// Selects the group that a phone shows.
    pub onlook: Callback<String>,
}

/// Keyboard shortcuts, dialogs, notices of refusals, dropped files.
#[component]
pub fn SessionFrame(props: &SessionFrameProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Look]);
    use_hotkeys(FrameActs {
        help: props.onopen.reform(|()| Overlay::Help),
        panel: props.onpanel.clone(),
        has_tools: props.page == Page::Sandbox,
    });
    use_support_address(props.onopen.reform(|()| Overlay::Support));
    use_refusals();
    let is_dropping = use_dropping();
    {
        // On a phone, selecting a key shows its inside; in a wide window both are in view anyway.
        let (onlook, page) = (props.onlook.clone(), props.page);
        use_effect_with(session.choices(), move |choices| {
            if *choices > 0 {
                onlook.emit(if page == Page::Lesson { "inner" } else { "inside" }.to_owned());
            }
        });
    }
    html! {
        <>
            if let Some(overlay) = props.overlay {
                { {
                    let onclose = props.onclose.clone();
                    later(Chunk::Rest, move || dialog(t, overlay, onclose.clone()))
                } }
            }
            { part::<Asking>(()) }
            if props.page == Page::Lesson { { part::<Digits>(()) } }
            if is_dropping { <div class="drop" aria-hidden="true">{ t.drop_here() }</div> }
        </>
    }
}

/// In a lesson digits step programs, no matter which panels are in view.
#[component]
fn Digits() -> Html {
    let is_here = use_chunk(Some(Chunk::Course));
    html! { if is_here { { part::<LabKeys>(()) } } }
}

/// Checks for deadlocks if an open panel shows them.
#[component]
fn Asking() -> Html {
    let wants = use_session_for(&[SessionPart::Steps]).watches_dead_locks();
    let is_here = use_chunk(wants.then_some(Chunk::Rest));
    html! { if wants && is_here { { part::<DeadLocks>(()) } } }
}
