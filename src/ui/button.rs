//! Buttons: with words, or with an icon whose words are in the label.
use yew::prelude::*;

use super::{Icon, Picture};

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
    fn class(self) -> Option<&'static str> {
        match self {
            ButtonLook::Plain => None,
            ButtonLook::Quiet => Some("button-quiet"),
            ButtonLook::Primary => Some("button-primary"),
        }
    }
}

/// Properties of [`Button`].
#[derive(Clone, PartialEq, Properties)]
pub struct ButtonProps {
    /// What it says.
    pub children: Html,
    /// What it does.
    pub onclick: Callback<MouseEvent>,
    /// An icon before the words.
    #[prop_or_default]
    pub picture: Option<Picture>,
    /// How it looks.
    #[prop_or_default]
    pub look: ButtonLook,
    /// Cannot be used now.
    #[prop_or_default]
    pub disabled: bool,
    /// More words, shown when the pointer rests on it.
    #[prop_or_default]
    pub title: Option<AttrValue>,
    /// Handle for the tests in a real browser.
    #[prop_or_default]
    pub testid: Option<AttrValue>,
}

/// A button with words.
#[component]
pub fn Button(props: &ButtonProps) -> Html {
    html! {
        <button type="button" class={classes!("button", props.look.class())} onclick={props.onclick.clone()}
            disabled={props.disabled} title={props.title.clone()} data-testid={props.testid.clone()}>
            if let Some(picture) = props.picture { <Icon {picture} /> }
            { props.children.clone() }
        </button>
    }
}

/// Properties of [`IconButton`].
#[derive(Clone, PartialEq, Properties)]
pub struct IconButtonProps {
    /// What is drawn.
    pub picture: Picture,
    /// What it does, in words: the accessible name and the tooltip.
    pub label: AttrValue,
    /// The key that does the same, shown in the tooltip.
    #[prop_or_default]
    pub shortcut: Option<AttrValue>,
    /// What it does.
    pub onclick: Callback<MouseEvent>,
    /// Cannot be used now.
    #[prop_or_default]
    pub disabled: bool,
    /// A switch that is on or off.
    #[prop_or_default]
    pub pressed: Option<bool>,
    /// How it looks.
    #[prop_or(ButtonLook::Quiet)]
    pub look: ButtonLook,
    /// Words beside the icon where there is room; hidden in narrow windows.
    #[prop_or_default]
    pub words: Option<AttrValue>,
    /// Opens a dialog.
    #[prop_or_default]
    pub opens_dialog: bool,
    /// Handle for the tests in a real browser.
    #[prop_or_default]
    pub testid: Option<AttrValue>,
}

/// A button that is an icon.
#[component]
pub fn IconButton(props: &IconButtonProps) -> Html {
    let title = match &props.shortcut {
        Some(key) => format!("{} ({key})", props.label),
        None => props.label.to_string(),
    };
    html! {
        <button type="button" class={classes!("button", props.look.class(), props.words.is_none().then_some("button-icon"))}
            aria-label={props.label.clone()} {title} onclick={props.onclick.clone()} disabled={props.disabled}
            aria-pressed={props.pressed.map(|on| if on { "true" } else { "false" })}
            aria-haspopup={props.opens_dialog.then_some("dialog")} data-testid={props.testid.clone()}>
            <Icon picture={props.picture} />
            if let Some(words) = &props.words { <span class="label">{ words }</span> }
        </button>
    }
}
