//! Preferences for the whole page: read at start, written on change, applied to the document.
use std::rc::Rc;

use yew::prelude::*;

use super::assets::{Chunk, use_chunk};
use super::mark_root;
use super::storage::{self, Store};
use crate::i18n::Lang;
use crate::state::preferences::{Prefer, Preferences, Theme};

/// The preferences and functions that change them.
#[derive(Clone, PartialEq)]
pub struct PreferencesHandle {
    state: UseReducerHandle<Preferences>,
}

impl PreferencesHandle {
    /// The current preferences.
    pub fn now(&self) -> &Preferences {
        &self.state
    }

    /// Changes one preference.
    pub fn prefer(&self, change: Prefer) {
        self.state.dispatch(change);
    }

    /// A callback that changes one preference.
    pub fn preferring<T>(&self, change: Prefer) -> Callback<T> {
        let dispatcher = self.state.dispatcher();
        Callback::from(move |_| dispatcher.dispatch(change))
    }
}

/// Properties of [`PreferencesProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct PreferencesProviderProps {
    /// The page.
    pub children: Html,
}

/// Provides the preferences to its children.
#[component]
pub fn PreferencesProvider(props: &PreferencesProviderProps) -> Html {
    let state = use_reducer(load);
    // Another language is shown once its messages are here.
    let has_come = use_chunk(Some(Chunk::messages(state.lang)));
    let shown = use_mut_ref(|| if has_come { state.lang } else { state.lang.other() });
    if has_come {
        shown.replace(state.lang);
    }
    let lang = *shown.borrow();
    use_effect_with((state_of(&state), lang), |(preferences, lang)| {
        reflect(preferences, *lang);
        // A preference that cannot be stored still applies to this visit, so the reader needs no notice.
        let _ = storage::write(Store::Browser, storage::PREFERENCES, &preferences.to_text());
    });
    html! {
        <ContextProvider<PreferencesHandle> context={PreferencesHandle { state }}>
            <ContextProvider<Lang> context={lang}>{ props.children.clone() }</ContextProvider<Lang>>
        </ContextProvider<PreferencesHandle>>
    }
}

fn state_of(handle: &UseReducerHandle<Preferences>) -> Rc<Preferences> {
    Rc::new((**handle).clone())
}

/// Returns once the page can be rendered in the language that the document has chosen (`static/guard.js`).
pub async fn messages_ready() {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    let tag = root.and_then(|root| root.get_attribute("lang")).unwrap_or_default();
    Chunk::messages(Lang::from_tag(&tag).unwrap_or_default()).ready().await;
}

fn load() -> Preferences {
    let stored = storage::read(Store::Browser, storage::PREFERENCES).unwrap_or_default();
    let languages = web_sys::window().map(|window| window.navigator().languages()).unwrap_or_default();
    let tags: Vec<String> = languages.iter().filter_map(|tag| tag.as_string()).collect();
    let preferences = Preferences::from_text(&stored, tags.iter().map(String::as_str));
    if stored.contains("split-text ") {
        return preferences;
    }
    // An older version of the page stored the positions of the splitters of lessons under another name.
    preferences.with_lab_splits(|name| storage::read(Store::Browser, &format!("lockstep.lab.split-{name}")))
}

/// Sets the attributes of `<html>` that the style sheets use, and the document's title.
fn reflect(preferences: &Preferences, lang: Lang) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    document.set_title(lang.app_title_long());
    let set = mark_root;
    set("lang", Some(lang.tag()));
    set("data-theme", (preferences.theme != Theme::System).then_some(preferences.theme.word()));
    set("data-projector", preferences.projector.then_some("on"));
    set("data-focus", preferences.focus.then_some("on"));
}

/// The preferences.
#[hook]
pub fn use_preferences() -> PreferencesHandle {
    use_context::<PreferencesHandle>().unwrap_or_else(|| missing("PreferencesProvider"))
}

/// The language of the interface; a component that calls this is rendered again when it changes.
#[hook]
pub fn use_lang() -> Lang {
    use_context::<Lang>().unwrap_or_default()
}

/// Panics because a component is outside the provider that it needs: a bug of the page.
#[allow(clippy::panic, reason = "a wrongly built tree cannot be rendered at all; the guard shows the message")]
pub(super) fn missing(provider: &str) -> ! {
    panic!("component outside of {provider}")
}
