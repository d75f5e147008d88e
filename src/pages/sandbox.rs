//! The sandbox: opens this tab's session in a workbench.
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::hooks::start::{self, Start};
use crate::hooks::{ClockProvider, ClockProviderProps, SessionProvider, SessionProviderProps, use_lang, use_title};
use crate::state::session_store::SANDBOX;
use crate::ui::part;
use crate::workbench::{Page, Workbench, WorkbenchProps};

/// The landing page.
#[component]
pub fn SandboxPage() -> Html {
    let t = use_lang();
    let start = use_state(|| None::<Start>);
    use_title(t.app_title_long().to_owned());
    {
        let start = start.clone();
        use_effect_with((), move |()| spawn_local(async move { start.set(Some(start::start(SANDBOX, None).await)) }));
    }
    let Some(start) = &*start else { return Html::default() };
    let children = part::<Workbench>(WorkbenchProps { page: Page::Sandbox });
    let children = part::<ClockProvider>(ClockProviderProps { children });
    part::<SessionProvider>(SessionProviderProps { start: start.clone(), children })
}
