//! Buttons: with words, or with an icon whose words are in the label.
//!
//! Buttons, icons and marks are plain functions and not components: a component costs a kilobyte of the download
//! each, and these have nothing to remember.
use yew::prelude::*;

use super::{Picture, html, icon};

/// How much a button asks for attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ButtonLook {
    /// Outlined.
    #[default]
    Plain,
    /// No outline until it is touched.
    Quiet,
    /// The one main action of a place.
    Primary,
}

impl ButtonLook {
    fn class(self, is_icon: bool) -> &'static str {
        match (self, is_icon) {
            (ButtonLook::Plain, false) => "button",
            (ButtonLook::Plain, true) => "button button-icon",
            (ButtonLook::Quiet, false) => "button button-quiet",
            (ButtonLook::Quiet, true) => "button button-quiet button-icon",
            (ButtonLook::Primary, false) => "button button-primary",
            (ButtonLook::Primary, true) => "button button-primary button-icon",
        }
    }
}

/// A button being described; [`Button::on`] makes it.
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
    /// A button with words.
    pub fn words(words: impl Into<AttrValue>) -> Button {
        Button { words: Some(words.into()), ..Button::default() }
    }

    /// A quiet button that is an icon; `label` is what it does, as its accessible name and tooltip.
    pub fn icon(picture: Picture, label: impl Into<AttrValue>) -> Button {
        Button { picture: Some(picture), label: Some(label.into()), look: ButtonLook::Quiet, ..Button::default() }
    }

    /// An icon before the words.
    pub fn picture(self, picture: Picture) -> Button {
        Button { picture: Some(picture), ..self }
    }

    /// Words beside the icon where there is room; hidden in narrow windows.
    pub fn beside(self, words: impl Into<AttrValue>) -> Button {
        Button { words: Some(words.into()), ..self }
    }

    /// More words, shown when the pointer rests on it.
    pub fn title(self, title: impl Into<AttrValue>) -> Button {
        Button { title: Some(title.into()), ..self }
    }

    /// The key that does the same, shown in the tooltip of an icon.
    pub fn shortcut(self, key: &'static str) -> Button {
        Button { shortcut: Some(key), ..self }
    }

    /// How it looks.
    pub fn look(self, look: ButtonLook) -> Button {
        Button { look, ..self }
    }

    /// Cannot be used now.
    pub fn disabled(self, is_disabled: bool) -> Button {
        Button { is_disabled, ..self }
    }

    /// A switch that is on or off.
    pub fn pressed(self, is_pressed: bool) -> Button {
        Button { is_pressed: Some(is_pressed), ..self }
    }

    /// It opens a dialog.
    pub fn opens_dialog(self) -> Button {
        Button { opens_dialog: true, ..self }
    }

    /// Handle for the tests in a real browser.
    pub fn testid(self, testid: &'static str) -> Button {
        Button { testid: Some(testid), ..self }
    }

    /// What it does, in a word, for styles that treat it apart from others.
    pub fn act(self, act: &'static str) -> Button {
        Button { act: Some(act), ..self }
    }

    /// The button, doing this.
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
