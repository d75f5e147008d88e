//! Shown while a page is being loaded, or instead of a page that could not be loaded.
use yew::prelude::*;

use crate::hooks::{guard, use_lang, use_preferences};
use crate::panels::header::{HeaderOf, header};
use crate::ui::{html, part};

#[derive(Clone, PartialEq, Properties)]
struct LobbyPageProps {
    /// Why the page could not be loaded, and what the reader can do.
    trouble: Option<Html>,
}

/// A header and a message.
#[component]
fn LobbyPage(props: &LobbyPageProps) -> Html {
    let t = use_lang();
    let preferences = use_preferences();
    use_effect_with(props.trouble.is_some(), |has_ended| if *has_ended { guard::settled() } else { guard::started() });
    html! {
        <div class="app workbench" data-page="lobby">
            { header(t, &preferences, HeaderOf::Lesson(""), false, None) }
            <main class="lobby">
                if let Some(trouble) = &props.trouble { { trouble.clone() } }
            </main>
        </div>
    }
}

/// The lobby, with the reason if the page could not be loaded.
pub fn lobby(trouble: Option<Html>) -> Html {
    part::<LobbyPage>(LobbyPageProps { trouble })
}
