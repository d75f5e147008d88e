//! The application: contexts around the pages.
use yew::prelude::*;

use crate::hooks::start::Start;
use crate::hooks::{ClockProvider, NoticesProvider, PreferencesProvider, SessionProvider};
use crate::pages::Sandbox;

/// Properties of [`App`].
#[derive(Clone, PartialEq, Properties)]
pub struct AppProps {
    /// The session to start with.
    pub start: Start,
}

/// Everything on the screen.
#[component]
pub fn App(props: &AppProps) -> Html {
    html! {
        <PreferencesProvider>
            <NoticesProvider>
                <SessionProvider start={props.start.clone()}>
                    <ClockProvider>
                        <Sandbox />
                    </ClockProvider>
                </SessionProvider>
            </NoticesProvider>
        </PreferencesProvider>
    }
}
