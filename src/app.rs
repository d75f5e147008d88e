//! The application: context providers around the page that the URL names.
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{
    NoticesProvider, NoticesProviderProps, PreferencesProvider, PreferencesProviderProps, use_fetching_ahead, use_route,
};
use crate::pages::{SandboxPage, course_page, lobby};
use crate::panels::loading::Loading;
use crate::state::address::Route;
use crate::ui::{html, part};

/// Root component: provides preferences and notices to the current page.
#[component]
pub fn App() -> Html {
    let children = html! { <>{ part::<Pages>(()) }{ part::<Loading>(()) }</> };
    let children = part::<NoticesProvider>(NoticesProviderProps { children });
    part::<PreferencesProvider>(PreferencesProviderProps { children })
}

/// The page that the URL names. Pages share no component state: only what is in storage survives navigation.
#[component]
fn Pages() -> Html {
    let route = use_route();
    use_fetching_ahead();
    let is_here = use_chunk((route != Route::Sandbox).then_some(Chunk::Course));
    match route {
        Route::Sandbox => part::<SandboxPage>(()),
        _ if !is_here => lobby(None),
        Route::Course => course_page(None),
        Route::Lesson(name) => course_page(Some(name)),
    }
}
