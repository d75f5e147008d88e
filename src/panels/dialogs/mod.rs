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

/// The open dialog.
pub fn dialog(t: Lang, open: Overlay, onclose: Callback<()>) -> Html {
    match open {
        Overlay::Share => part::<share::Share>(DialogOnlyProps { onclose }),
        Overlay::Sessions => part::<sessions::Sessions>(DialogOnlyProps { onclose }),
        Overlay::Help => help::help(t, onclose),
        Overlay::Support => part::<support::SupportPage>(DialogOnlyProps { onclose }),
    }
}

/// Properties of each dialog.
#[derive(Clone, PartialEq, Properties)]
pub struct DialogOnlyProps {
    /// Closes it.
    pub onclose: Callback<()>,
}
