//! Small choices that outlive a reload: which part is open, where a splitter stands.
use yew::prelude::*;

use super::storage::{self, Store};

/// A word kept under a name, and the way to change it. Where the browser keeps nothing, it lasts as long as the page.
#[hook]
pub fn use_kept(store: Store, name: String, default: &'static str) -> (String, Callback<String>) {
    let word = {
        let name = name.clone();
        use_state_eq(move || storage::read(store, &name).unwrap_or_else(|| default.to_owned()))
    };
    let set = {
        let word = word.setter();
        Callback::from(move |next: String| {
            // It still holds for this visit; there is nothing to tell the reader.
            let _ = storage::write(store, &name, &next);
            word.set(next);
        })
    };
    ((*word).clone(), set)
}
