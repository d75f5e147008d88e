//! Fetches the Chinese summaries of commands when a component is about to show them.
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::{assets, use_lang};
use crate::i18n::{CHINESE_FILE, Lang, learn_chinese};

/// The language, for a component that shows summaries of commands: it is rendered again once the Chinese ones are loaded. If they cannot
/// be fetched, the English ones stay.
#[hook]
pub fn use_summaries() -> Lang {
    let t = use_lang();
    let has_come = use_state_eq(|| false);
    use_effect_with(t.lacks_summaries(), move |is_lacking| {
        if *is_lacking {
            spawn_local(async move {
                if let Ok(lines) = assets::text(CHINESE_FILE).await {
                    learn_chinese(lines);
                    has_come.set(true);
                }
            });
        }
    });
    t
}
