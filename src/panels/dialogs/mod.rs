//! The dialogs: share, sessions, help, supported commands. At most one is open.
mod help;
mod open_file;
mod paste;
mod sessions;
mod share;
mod support;

use yew::prelude::*;

use crate::i18n::Lang;
use crate::ui::part;

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Sharing as a link, file or transcript.
    Share,
    /// The sessions stored in this browser.
    Sessions,
    /// First steps and keyboard shortcuts.
    Help,
    /// Supported commands.
    Support,
}

/// Renders the open dialog.
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
    /// Closes the dialog.
    pub onclose: Callback<()>,
}
