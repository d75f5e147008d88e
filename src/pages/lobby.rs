//! What stands there while a page comes, or instead of one that does not.
use yew::prelude::*;

use crate::hooks::{guard, use_lang, use_preferences};
use crate::panels::header::{places, switches, wordmark};
use crate::ui::{html, part};

#[derive(Clone, PartialEq, Properties)]
struct LobbyPageProps {
    /// Why the page does not come, and what can be done.
    trouble: Option<Html>,
}

/// A header, and room for what is told.
#[component]
fn LobbyPage(props: &LobbyPageProps) -> Html {
    let t = use_lang();
    let preferences = use_preferences();
    use_effect_with((), |()| guard::started());
    html! {
        <div class="app course-app">
            <header class="header">
                { wordmark(t) }
                { places(t, Some("")) }
                <span class="spacer" />
                { switches(t, &preferences) }
            </header>
            <main class="course">
                <div class="course-page">
                    if let Some(trouble) = &props.trouble { { trouble.clone() } }
                </div>
            </main>
        </div>
    }
}

/// The lobby, with what keeps the page from coming, if anything does.
pub fn lobby(trouble: Option<Html>) -> Html {
    part::<LobbyPage>(LobbyPageProps { trouble })
}
