//! Sets the document's title.
use yew::prelude::*;

use super::use_preferences;

/// Sets the document's title to that of the open page. A changed preference also sets a title, but before this effect runs.
#[hook]
pub fn use_title(title: String) {
    use_preferences();
    use_effect(move || {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(&title);
        }
    });
}
