//! The application: contexts around the pages.
use yew::prelude::*;

use crate::hooks::start::Start;
use crate::hooks::{
    ClockProvider, ClockProviderProps, NoticesProvider, NoticesProviderProps, PreferencesProvider,
    PreferencesProviderProps, SessionProvider, SessionProviderProps,
};
use crate::pages::Sandbox;
use crate::ui::part;

/// Properties of [`App`].
#[derive(Clone, PartialEq, Properties)]
pub struct AppProps {
    /// The session to start with.
    pub start: Start,
}

/// Everything on the screen.
#[component]
pub fn App(props: &AppProps) -> Html {
    let children = part::<Sandbox>(());
    let children = part::<ClockProvider>(ClockProviderProps { children });
    let children = part::<SessionProvider>(SessionProviderProps { start: props.start.clone(), children });
    let children = part::<NoticesProvider>(NoticesProviderProps { children });
    part::<PreferencesProvider>(PreferencesProviderProps { children })
}
