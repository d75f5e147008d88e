//! The application: contexts around the pages.
use yew::prelude::*;

use crate::hooks::{NoticesProvider, PreferencesProvider};
use crate::pages::Sandbox;

/// Everything on the screen.
#[component]
pub fn App() -> Html {
    html! {
        <PreferencesProvider>
            <NoticesProvider>
                <Sandbox />
            </NoticesProvider>
        </PreferencesProvider>
    }
}
