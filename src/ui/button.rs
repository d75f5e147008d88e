//! Buttons: with text, or with an icon and an accessible label.
//!
//! Buttons, icons and marks are plain functions and not components: each component adds a kilobyte to the download, and these have no
//! state.
use yew::prelude::*;

use super::{Picture, html, icon};

/// How prominent a button is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ButtonLook {
    /// Outlined.
    #[default]
    Plain,
    /// Without an outline until the pointer is over it.
    Quiet,
    /// An action of a tool, which the reader may do at any time.
    Tool,
    /// What to do next; at most one in view.
    Primary,
}

impl ButtonLook {
    fn class(self, is_icon: bool) -> &'static str {
        match (self, is_icon) {
            (ButtonLook::Plain, false) => "button",
            (ButtonLook::Plain, true) => "button button-icon",
            (ButtonLook::Quiet, false) => "button button-quiet",
            (ButtonLook::Quiet, true) => "button button-quiet button-icon",
            (ButtonLook::Tool, false) => "button button-tool",
            (ButtonLook::Tool, true) => "button button-tool button-icon",
            (ButtonLook::Primary, false) => "button button-primary",
            (ButtonLook::Primary, true) => "button button-primary button-icon",
        }
    }
}

/// Builder of a button; [`Button::on`] finishes it.
///
/// ```ignore
/// { Button::icon(Picture::First, t.time_first()).shortcut("<").on(go_first) }
/// { Button::words(t.share_file_save()).picture(Picture::Download).on(save) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Button {
    picture: Option<Picture>,
    words: Option<AttrValue>,
    label: Option<AttrValue>,
    title: Option<AttrValue>,
    shortcut: Option<&'static str>,
    look: ButtonLook,
    is_disabled: bool,
    is_pressed: Option<bool>,
    opens_dialog: bool,
    testid: Option<&'static str>,
    act: Option<&'static str>,
}

impl Button {
    /// A button with text.
    pub fn words(words: impl Into<AttrValue>) -> Button {
        Button { words: Some(words.into()), ..Button::default() }
    }

    /// A quiet button with only an icon; `label` is its accessible name and tooltip.
    pub fn icon(picture: Picture, label: impl Into<AttrValue>) -> Button {
        Button { picture: Some(picture), label: Some(label.into()), look: ButtonLook::Quiet, ..Button::default() }
    }

    /// Adds an icon before the text.
    pub fn picture(self, picture: Picture) -> Button {
        Button { picture: Some(picture), ..self }
    }

    /// Adds text after the icon; hidden in narrow windows.
    pub fn beside(self, words: impl Into<AttrValue>) -> Button {
        Button { words: Some(words.into()), ..self }
    }

    /// Sets the tooltip.
    pub fn title(self, title: impl Into<AttrValue>) -> Button {
        Button { title: Some(title.into()), ..self }
    }

    /// Sets the keyboard shortcut that is shown in the tooltip of an icon.
    pub fn shortcut(self, key: &'static str) -> Button {
        Button { shortcut: Some(key), ..self }
    }

    /// Sets the look.
    pub fn look(self, look: ButtonLook) -> Button {
        Button { look, ..self }
    }

    /// Disables the button if `is_disabled`.
    pub fn disabled(self, is_disabled: bool) -> Button {
        Button { is_disabled, ..self }
    }

    /// Makes it a toggle that is on or off (`aria-pressed`).
    pub fn pressed(self, is_pressed: bool) -> Button {
        Button { is_pressed: Some(is_pressed), ..self }
    }

    /// Marks it as a button that opens a dialog (`aria-haspopup`).
    pub fn opens_dialog(self) -> Button {
        Button { opens_dialog: true, ..self }
    }

    /// Sets the id for browser tests (`data-testid`).
    pub fn testid(self, testid: &'static str) -> Button {
        Button { testid: Some(testid), ..self }
    }

    /// Sets a word for its action, used by style sheets.
    pub fn act(self, act: &'static str) -> Button {
        Button { act: Some(act), ..self }
    }

    /// The finished button with its click handler.
    pub fn on(self, onclick: Callback<MouseEvent>) -> Html {
        let title = match (&self.title, &self.label, self.shortcut) {
            (Some(title), ..) => Some(title.clone()),
            (None, Some(label), Some(key)) => Some(AttrValue::from(format!("{label} ({key})"))),
            (None, label, _) => label.clone(),
        };
        let is_icon = self.words.is_none();
        html! {
            <button type="button" class={self.look.class(is_icon)}
                aria-label={self.label.clone()} {title} {onclick} disabled={self.is_disabled}
                aria-pressed={self.is_pressed.map(|on| if on { "true" } else { "false" })}
                aria-haspopup={self.opens_dialog.then_some("dialog")} data-testid={self.testid} data-act={self.act}>
                if let Some(picture) = self.picture { { icon(picture) } }
                if let Some(words) = self.words {
                    if self.label.is_some() { <span class="label">{ words }</span> } else { { words } }
                }
            </button>
        }
    }
}
