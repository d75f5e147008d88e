//! The dialogs over the stage: share, sessions, help, what is modelled. At most one is open.
mod help;
mod sessions;
mod share;
mod support;

use yew::prelude::*;

use crate::i18n::Lang;
use crate::ui::part;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Link, file, transcript.
    Share,
    /// What this browser keeps.
    Sessions,
    /// Where to begin, and the keys.
    Help,
    /// What is modelled.
    Support,
}

/// The open dialog, if any, in the sandbox.
pub fn dialogs(t: Lang, open: Option<Overlay>, onclose: Callback<()>) -> Html {
    match open {
        Some(Overlay::Support) => part::<support::SupportPage>(DialogOnlyProps { onclose }),
        open => lesson_dialogs(t, open, onclose),
    }
}

/// The open dialog, if any, in a lesson: what is modelled is shown in the sandbox, to which the link to it leads.
pub fn lesson_dialogs(t: Lang, open: Option<Overlay>, onclose: Callback<()>) -> Html {
    match open {
        None | Some(Overlay::Support) => Html::default(),
        Some(Overlay::Share) => part::<share::Share>(DialogOnlyProps { onclose }),
        Some(Overlay::Sessions) => part::<sessions::Sessions>(DialogOnlyProps { onclose }),
        Some(Overlay::Help) => help::help(t, onclose),
    }
}

/// Properties of each dialog.
#[derive(Clone, PartialEq, Properties)]
pub struct DialogOnlyProps {
    /// Closes it.
    pub onclose: Callback<()>,
}
