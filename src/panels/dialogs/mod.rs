//! The dialogs over the stage: share, sessions, help. At most one is open.
mod help;
mod sessions;
mod share;

use yew::prelude::*;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Link, file, transcript.
    Share,
    /// What this browser keeps.
    Sessions,
    /// Where to begin, and the keys.
    Help,
}

/// Properties of [`Dialogs`].
#[derive(Clone, PartialEq, Properties)]
pub struct DialogsProps {
    /// Which one, if any.
    pub open: Option<Overlay>,
    /// Closes it.
    pub onclose: Callback<()>,
}

/// The open dialog.
#[component]
pub fn Dialogs(props: &DialogsProps) -> Html {
    let onclose = props.onclose.clone();
    match props.open {
        None => Html::default(),
        Some(Overlay::Share) => html! { <share::Share {onclose} /> },
        Some(Overlay::Sessions) => html! { <sessions::Sessions {onclose} /> },
        Some(Overlay::Help) => html! { <help::Help {onclose} /> },
    }
}

/// Properties of each dialog.
#[derive(Clone, PartialEq, Properties)]
pub struct DialogOnlyProps {
    /// Closes it.
    pub onclose: Callback<()>,
}
