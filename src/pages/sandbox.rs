//! The sandbox: a free stage with terminals, keyspace, inside and timeline.
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::course::use_title;
use crate::hooks::start::{self, Start};
use crate::hooks::{
    ClockProvider, ClockProviderProps, SessionHandle, SessionProvider, SessionProviderProps, guard, use_dropping,
    use_hotkeys, use_lang, use_preferences, use_refusals, use_session, use_support_address,
};
use crate::panels::client::Clients;
use crate::panels::dialogs::{Overlay, dialog};
use crate::panels::header::{Header, HeaderProps};
use crate::panels::inside::Inside;
use crate::panels::keyspace::Keyspace;
use crate::panels::scripts::Scripts;
use crate::panels::timeline::{TimelinePanel, TimelinePanelProps};
use crate::state::preferences::Prefer;
use crate::state::shelf::SANDBOX;
use crate::ui::{Direction, Picture, Splitter, SplitterProps, html, icon, later, part};

/// What a phone shows; a wide window shows all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Terminals,
    Keys,
    Inside,
    Scripts,
    Timeline,
}

impl Tab {
    const ALL: [Tab; 5] = [Tab::Terminals, Tab::Keys, Tab::Inside, Tab::Scripts, Tab::Timeline];

    fn word(self) -> &'static str {
        match self {
            Tab::Terminals => "terminals",
            Tab::Keys => "keys",
            Tab::Inside => "inside",
            Tab::Scripts => "scripts",
            Tab::Timeline => "timeline",
        }
    }
}

/// The landing page: opens this tab's session and puts it onto the stage.
#[component]
pub fn SandboxPage() -> Html {
    let start = use_state(|| None::<Start>);
    {
        let start = start.clone();
        use_effect_with((), move |()| spawn_local(async move { start.set(Some(start::start(SANDBOX, None).await)) }));
    }
    let Some(start) = &*start else { return Html::default() };
    let children = part::<Sandbox>(());
    let children = part::<ClockProvider>(ClockProviderProps { children });
    part::<SessionProvider>(SessionProviderProps { start: start.clone(), children })
}

/// The stage.
#[component]
fn Sandbox() -> Html {
    let t = use_lang();
    let session = use_session();
    let preferences = use_preferences();
    let tab = use_state_eq(Tab::default);
    use_look_inside(&session, &tab);
    let overlay = use_state_eq(|| None::<Overlay>);
    let open = {
        let overlay = overlay.clone();
        Callback::from(move |which| overlay.set(Some(which)))
    };
    let close = {
        let overlay = overlay.clone();
        Callback::from(move |()| overlay.set(None))
    };
    use_hotkeys(open.reform(|()| Overlay::Help));
    use_support_address(open.reform(|()| Overlay::Support));
    use_refusals();
    use_title(t.app_title_long().to_owned());
    use_effect_with((), |()| guard::started());
    let is_dropping = use_dropping();
    let now = preferences.now();
    let split_main = {
        let preferences = preferences.clone();
        Callback::from(move |percent| preferences.prefer(Prefer::SplitMain(percent)))
    };
    let split_side = {
        let preferences = preferences.clone();
        Callback::from(move |percent| preferences.prefer(Prefer::SplitSide(percent)))
    };
    let split_scripts = {
        let preferences = preferences.clone();
        Callback::from(move |percent| preferences.prefer(Prefer::SplitScripts(percent)))
    };
    let splits = format!(
        "--split-main: {}%; --split-side: {}%; --split-scripts: {}%",
        now.split_main, now.split_side, now.split_scripts
    );
    // On a phone the editor has a tab; its place below the terminals is for wide windows.
    let is_scripting = now.scripts_open || *tab == Tab::Scripts;
    html! {
        <div class="app" data-tab={tab.word()} style={splits}>
            { part::<Header>(HeaderProps { onopen: open }) }
            <main class="stage">
                <div class="work" data-scripts={is_scripting.then_some("")}>
                    { part::<Clients>(()) }
                    if is_scripting {
                        { split(Direction::Horizontal, now.split_scripts, t.splitter_scripts(), split_scripts) }
                        { later(Chunk::Rest, || part::<Scripts>(())) }
                    }
                </div>
                { split(Direction::Vertical, now.split_main, t.splitter_main(), split_main) }
                <div class="side">
                    { part::<Keyspace>(()) }
                    { split(Direction::Horizontal, now.split_side, t.splitter_side(), split_side) }
                    { part::<Inside>(()) }
                </div>
            </main>
            { part::<TimelinePanel>(TimelinePanelProps { is_tab: *tab == Tab::Timeline }) }
            <nav class="tabs" aria-label={t.tabs_label()}>
                <div class="tab-list" role="tablist">
                { for Tab::ALL.into_iter().map(|each| {
                    let tab = tab.clone();
                    let selected = *tab == each;
                    let (picture, word) = match each {
                        Tab::Terminals => (Picture::Terminal, t.tab_terminals()),
                        Tab::Keys => (Picture::Key, t.tab_keys()),
                        Tab::Inside => (Picture::Eye, t.tab_inside()),
                        Tab::Scripts => (Picture::Script, t.tab_scripts()),
                        Tab::Timeline => (Picture::Clock, t.tab_timeline()),
                    };
                    html! {
                        <button type="button" class="tab" role="tab" aria-selected={if selected { "true" } else { "false" }}
                            onclick={Callback::from(move |_| tab.set(each))}>
                            { icon(picture) }{ word }
                        </button>
                    }
                }) }
                </div>
            </nav>
            if let Some(overlay) = *overlay {
                { later(Chunk::Rest, move || dialog(t, overlay, close.clone())) }
            }
            if is_dropping { <div class="drop" aria-hidden="true">{ t.drop_here() }</div> }
        </div>
    }
}

fn split(direction: Direction, percent: u8, label: &'static str, onmove: Callback<u8>) -> Html {
    part::<Splitter>(SplitterProps { direction, percent, label, onmove })
}

/// On a phone, choosing a key turns to its inside; in a wide window both are in view anyway.
#[hook]
fn use_look_inside(session: &SessionHandle, tab: &UseStateHandle<Tab>) {
    let tab = tab.setter();
    use_effect_with(session.choices(), move |choices| {
        if *choices > 0 {
            tab.set(Tab::Inside);
        }
    });
}
