//! Small settings that survive a reload: which part is open, the position of a splitter.
use yew::prelude::*;

use super::storage::{self, Store};

/// A word stored under a name, and a callback that changes it. Without storage it lasts as long as the page.
#[hook]
pub fn use_persisted(store: Store, name: String, default: &'static str) -> (String, Callback<String>) {
    let word = {
        let name = name.clone();
        use_state_eq(move || storage::read(store, &name).unwrap_or_else(|| default.to_owned()))
    };
    let set = {
        let word = word.setter();
        Callback::from(move |next: String| {
            // The choice still applies to this visit, so the reader needs no notice.
            let _ = storage::write(store, &name, &next);
            word.set(next);
        })
    };
    ((*word).clone(), set)
}
