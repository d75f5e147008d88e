//! What a page with a session has beside its panels: keys, dialogs, refusals, files that are dropped.
use yew::prelude::*;

use super::Page;
use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{
    DeadLocks, Side, use_dropping, use_hotkeys, use_lang, use_refusals, use_session_for, use_support_address,
};
use crate::panels::dialogs::{Overlay, dialog};
use crate::ui::{html, later, part};

/// Properties of [`SessionFrame`].
#[derive(Clone, PartialEq, Properties)]
pub struct SessionFrameProps {
    /// Which page.
    pub page: Page,
    /// The open dialog.
    pub overlay: Option<Overlay>,
    /// Opens a dialog.
    pub onopen: Callback<Overlay>,
    /// Closes it.
    pub onclose: Callback<()>,
    /// Turns a phone to a group.
    pub onlook: Callback<String>,
}

/// Keys, dialogs, refusals, files.
#[component]
pub fn SessionFrame(props: &SessionFrameProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Look]);
    use_hotkeys(props.onopen.reform(|()| Overlay::Help));
    use_support_address(props.onopen.reform(|()| Overlay::Support));
    use_refusals();
    let is_dropping = use_dropping();
    {
        // On a phone, choosing a key turns to its inside; in a wide window both are in view anyway.
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
            if is_dropping { <div class="drop" aria-hidden="true">{ t.drop_here() }</div> }
        </>
    }
}

/// Asks for dead locks where somebody wants to know of them.
#[component]
fn Asking() -> Html {
    let wants = use_session_for(&[Side::Steps]).watches_dead_locks();
    let is_here = use_chunk(wants.then_some(Chunk::Rest));
    html! { if wants && is_here { { part::<DeadLocks>(()) } } }
}
