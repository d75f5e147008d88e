//! The header: where we are, and the switches for language, colours, projector, sharing and help.
use yew::prelude::*;

use super::dialogs::Overlay;
use crate::hooks::{use_lang, use_preferences};
use crate::state::preferences::{Prefer, Theme};
use crate::ui::{Button, ButtonLook, Picture, html, icon};

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
            <h1 class="wordmark">{ icon(Picture::Logo) }{ t.app_title() }</h1>
            <span class="place">{ t.place_sandbox() }</span>
            <span class="spacer" />
            <button type="button" class="button button-quiet" lang={now.lang.other().tag()}
                title={t.language_switch_hint()} data-testid="language"
                onclick={preferences.preferring(Prefer::Lang(now.lang.other()))}>
                { t.language_switch() }
            </button>
            { Button::icon(theme_picture, theme_label).testid("theme")
                .on(preferences.preferring(Prefer::Theme(now.theme.next()))) }
            { Button::icon(Picture::Projector, t.projector()).pressed(now.projector).testid("projector")
                .on(preferences.preferring(Prefer::Projector(!now.projector))) }
            { Button::icon(Picture::Script, t.panel_scripts()).shortcut("E").pressed(now.scripts_open).testid("scripts-toggle")
                .on(preferences.preferring(Prefer::ScriptsOpen(!now.scripts_open))) }
            { Button::icon(Picture::Folder, t.sessions()).opens_dialog().testid("sessions").on(open(Overlay::Sessions)) }
            { Button::icon(Picture::Share, t.share()).beside(t.share()).look(ButtonLook::Plain).opens_dialog()
                .testid("share").on(open(Overlay::Share)) }
            { Button::icon(Picture::Help, t.help()).shortcut("?").opens_dialog().testid("help").on(open(Overlay::Help)) }
        </header>
    }
}
