//! Fetches the Chinese lines on commands when somebody is about to read them.
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::{assets, use_lang};
use crate::i18n::{CHINESE_FILE, Lang, learn_chinese};

/// The language, for a component that shows what commands do: it is rendered again when the lines have come. Where they
/// do not come, the English ones stay.
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
