//! Fetches the documentation of commands when a component is about to show it.
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::{assets, use_summaries};
use crate::i18n::{Lang, lacks_documentation, learn_documentation};

/// The language, for a component that shows documentation of commands: it is rendered again as the files of this language arrive. Without
/// them it shows what the command table has.
#[hook]
pub fn use_documentation() -> Lang {
    let t = use_summaries();
    let come = use_force_update();
    use_effect_with(t, move |t| {
        for file in t.documentation_files().iter().filter(|file| lacks_documentation(file)) {
            let come = come.clone();
            spawn_local(async move {
                if let Ok(text) = assets::text(file).await {
                    learn_documentation(file, text);
                    come.force_update();
                }
            });
        }
    });
    t
}
