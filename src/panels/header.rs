//! The header: where we are, and the switches for language, colours, projector, sharing and help.
use yew::prelude::*;

use super::dialogs::Overlay;
use crate::hooks::{use_lang, use_preferences};
use crate::state::preferences::{Prefer, Theme};
use crate::ui::{ButtonLook, Icon, IconButton, Picture};

/// Properties of [`Header`].
#[derive(Clone, PartialEq, Properties)]
pub struct HeaderProps {
    /// Opens a dialog.
    pub onopen: Callback<Overlay>,
}

/// The line at the top of every page.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let open = |overlay: Overlay| {
        let onopen = props.onopen.clone();
        Callback::from(move |_: MouseEvent| onopen.emit(overlay))
    };
    let t = use_lang();
    let preferences = use_preferences();
    let now = preferences.now();
    let (theme_picture, theme_label) = match now.theme {
        Theme::System => (Picture::SunMoon, t.theme_now_system()),
        Theme::Light => (Picture::Sun, t.theme_now_light()),
        Theme::Dark => (Picture::Moon, t.theme_now_dark()),
    };
    html! {
        <header class="header">
            <h1 class="wordmark"><Icon picture={Picture::Logo} />{ t.app_title() }</h1>
            <span class="place">{ t.place_sandbox() }</span>
            <span class="spacer" />
            <button type="button" class={classes!("button", "button-quiet")} lang={now.lang.other().tag()}
                title={t.language_switch_hint()} data-testid="language"
                onclick={preferences.preferring(Prefer::Lang(now.lang.other()))}>
                { t.language_switch() }
            </button>
            <IconButton picture={theme_picture} label={theme_label} testid="theme"
                onclick={preferences.preferring(Prefer::Theme(now.theme.next()))} />
            <IconButton picture={Picture::Projector} label={t.projector()} pressed={now.projector} testid="projector"
                onclick={preferences.preferring(Prefer::Projector(!now.projector))} />
            <IconButton picture={Picture::Folder} label={t.sessions()} opens_dialog=true testid="sessions"
                onclick={open(Overlay::Sessions)} />
            <IconButton picture={Picture::Share} label={t.share()} words={t.share()} look={ButtonLook::Plain}
                opens_dialog=true testid="share" onclick={open(Overlay::Share)} />
            <IconButton picture={Picture::Help} label={t.help()} shortcut="?" opens_dialog=true testid="help"
                onclick={open(Overlay::Help)} />
        </header>
    }
}
