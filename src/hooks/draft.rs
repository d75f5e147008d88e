//! A text that is being edited, kept in this tab until it is used or given up: it outlasts its panel, a change of the page, and a reload.
use std::rc::Rc;

use yew::prelude::*;

use super::storage::{self, Store};

/// A text that may be being edited.
#[derive(Clone, PartialEq)]
pub struct Draft {
    /// Its key in the tab's storage.
    key: String,
    is_open: bool,
    set: UseStateSetter<(String, bool)>,
}

impl Draft {
    /// Whether the text is being edited.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Begins editing.
    pub fn open(&self, text: &str) {
        self.keep(text);
        self.set.set((self.key.clone(), true));
    }

    /// Ends editing, and forgets the text.
    pub fn close(&self) {
        storage::remove(Store::Tab, &self.key);
        self.set.set((self.key.clone(), false));
    }

    /// The kept text; `None` without storage.
    pub fn text(&self) -> Option<Rc<str>> {
        storage::read(Store::Tab, &self.key).map(Rc::from)
    }

    /// Keeps the text as it is now.
    pub fn keep(&self, text: &str) {
        // Without storage, the text lasts as long as its editor.
        let _ = storage::write(Store::Tab, &self.key, text);
    }
}

/// The draft with this name, unique in the tab.
#[hook]
pub fn use_draft(name: &str) -> Draft {
    let key = format!("lockstep.draft.{name}");
    let is_kept = |key: &str| storage::read(Store::Tab, key).is_some();
    let known = {
        let key = key.clone();
        use_state_eq(move || {
            let is_open = is_kept(&key);
            (key, is_open)
        })
    };
    let is_open = if known.0 == key { known.1 } else { is_kept(&key) };
    Draft { key, is_open, set: known.setter() }
}
