//! The header: navigation, and the buttons for language, colours, projector, sharing and help.
use yew::prelude::*;

use super::dialogs::Overlay;
use crate::hooks::PreferencesHandle;
use crate::i18n::Lang;
use crate::state::address::COURSE;
use crate::state::preferences::{Prefer, Theme};
use crate::ui::{Button, ButtonLook, Picture, html, icon};

/// The page of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderOf<'a> {
    /// The sandbox.
    Sandbox,
    /// The map of the course.
    Course,
    /// A lesson with its title, which is empty until the lesson is loaded.
    Lesson(&'a str),
}

/// The header; `onopen` opens a dialog, if the page has dialogs.
pub fn header(
    t: Lang,
    preferences: &PreferencesHandle,
    of: HeaderOf,
    has_flow: bool,
    onopen: Option<&Callback<Overlay>>,
) -> Html {
    let now = preferences.now();
    let toggle = |picture, label, key, is_open, testid, change| {
        Button::icon(picture, label)
            .shortcut(key)
            .pressed(is_open)
            .testid(testid)
            .act(testid)
            .on(preferences.preferring(change))
    };
    html! {
        <header class="header">
            <h1 class="wordmark">{ icon(Picture::Logo) }<span class="wordmark-word">{ t.app_title() }</span></h1>
            {
                match of {
                    HeaderOf::Sandbox => html! {
                        <>
                            <span class="place">{ t.place_sandbox() }</span>
                            { to_course(t) }
                        </>
                    },
                    HeaderOf::Course => places(t, None),
                    HeaderOf::Lesson(title) => places(t, Some(title)),
                }
            }
            <span class="spacer" />
            { switches(t, preferences) }
            if of != HeaderOf::Course {
                { Button::icon(Picture::Focus, t.focus_mode()).shortcut("F").pressed(now.focus).testid("focus").act("focus")
                    .on(preferences.preferring(Prefer::Focus(!now.focus))) }
            }
            if of == HeaderOf::Sandbox {
                { toggle(Picture::River, t.river_title(), "R", now.shows_river(has_flow), "river-toggle",
                    Prefer::RiverOpen(now.river_toggled(has_flow))) }
                { toggle(Picture::List, t.lanes_title(), "A", now.lanes_open, "lanes-toggle", Prefer::LanesOpen(!now.lanes_open)) }
                { Button::icon(Picture::Chart, t.traffic_title()).pressed(now.traffic_open).testid("traffic-toggle").act("traffic-toggle")
                    .on(preferences.preferring(Prefer::TrafficOpen(!now.traffic_open))) }
                { toggle(Picture::Script, t.panel_scripts(), "E", now.scripts_open, "scripts-toggle",
                    Prefer::ScriptsOpen(!now.scripts_open)) }
            }
            if let Some(onopen) = onopen { { openers(t, onopen) } }
        </header>
    }
}

/// Links to the course and to the sandbox; `lesson` is the title of the open lesson.
fn places(t: Lang, lesson: Option<&str>) -> Html {
    html! {
        <nav class="places" aria-label={t.places_label()}>
            {
                match lesson {
                    None => html! { <span class="place" aria-current="page">{ t.place_course() }</span> },
                    Some(title) => html! {
                        <>
                            { to_course(t) }
                            <span class="place place-lesson" aria-current="page">{ title }</span>
                        </>
                    },
                }
            }
            { link("#", "to-sandbox", Picture::Terminal, t.place_sandbox()) }
        </nav>
    }
}

fn to_course(t: Lang) -> Html {
    link(COURSE, "to-course", Picture::Course, t.place_course())
}

fn link(href: &'static str, testid: &'static str, picture: Picture, words: &'static str) -> Html {
    html! {
        <a class="button button-quiet place-link" {href} title={words} aria-label={words} data-testid={testid}>
            { icon(picture) }<span class="label">{ words }</span>
        </a>
    }
}

/// The buttons for language, colours and projector.
fn switches(t: Lang, preferences: &PreferencesHandle) -> Html {
    let now = preferences.now();
    let (theme_picture, theme_label) = match now.theme {
        Theme::System => (Picture::SunMoon, t.theme_now_system()),
        Theme::Light => (Picture::Sun, t.theme_now_light()),
        Theme::Dark => (Picture::Moon, t.theme_now_dark()),
    };
    html! {
        <>
            <button type="button" class="button button-quiet" lang={now.lang.other().tag()}
                title={t.language_switch_hint()} data-testid="language"
                onclick={preferences.preferring(Prefer::Lang(now.lang.other()))}>
                { t.language_switch() }
            </button>
            { Button::icon(theme_picture, theme_label).testid("theme").act("theme")
                .on(preferences.preferring(Prefer::Theme(now.theme.next()))) }
            { Button::icon(Picture::Projector, t.projector()).pressed(now.projector).testid("projector").act("projector")
                .on(preferences.preferring(Prefer::Projector(!now.projector))) }
        </>
    }
}

/// The buttons that open dialogs.
fn openers(t: Lang, onopen: &Callback<Overlay>) -> Html {
    let open = |overlay: Overlay| onopen.reform(move |_: MouseEvent| overlay);
    html! {
        <>
            { Button::icon(Picture::Folder, t.sessions()).opens_dialog().testid("sessions").act("sessions").on(open(Overlay::Sessions)) }
            { Button::icon(Picture::Share, t.share()).beside(t.share()).look(ButtonLook::Plain).opens_dialog()
                .testid("share").on(open(Overlay::Share)) }
            { Button::icon(Picture::Help, t.help()).shortcut("?").opens_dialog().testid("help").on(open(Overlay::Help)) }
        </>
    }
}
