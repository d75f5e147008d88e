//! The title of the document.
use yew::prelude::*;

use super::use_preferences;

/// Names the document after what is open. The preferences name it too, whenever one of them changes, before this does.
#[hook]
pub fn use_title(title: String) {
    use_preferences();
    use_effect(move || {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(&title);
        }
    });
}
