//! The files of the script editor in the browser's storage, and the editor's state.
use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use yew::prelude::*;

use super::storage::{self, Store};
use super::{use_lang, use_notices};
use crate::i18n::Lang;
use crate::state::notices::NoticeText;
use crate::state::scripts::{EditorAction, EditorState, File, SCRIPT, is_untouched, with_starters};

/// Key of the name of the file that this tab had open last.
const OPEN: &str = "lockstep.open-script";

thread_local! {
    /// Files that the browser did not store: they last as long as the page.
    static UNSTORED: RefCell<Vec<File>> = const { RefCell::new(Vec::new()) };
}

/// The stored files, and those that the browser did not store.
fn stored() -> Vec<File> {
    let mut files = UNSTORED.with_borrow(Clone::clone);
    for key in storage::keys(Store::Browser) {
        if let Some(name) = key.strip_prefix(SCRIPT)
            && !files.iter().any(|file| file.name == name)
            && let Some(record) = storage::read(Store::Browser, &key)
        {
            files.push(File::from_record(name, &record));
        }
    }
    files
}

/// All files ordered by name, including the starters in the reader's language.
pub fn files(t: Lang) -> Vec<File> {
    with_starters(stored(), t)
}

/// The names of all files, in order.
pub fn names() -> Vec<String> {
    files(Lang::default()).into_iter().map(|file| file.name).collect()
}

/// Stores a file; true if the browser accepted it. An unchanged starter is not stored.
fn keep(file: &File) -> bool {
    if is_untouched(file) {
        forget(&file.name);
        return true;
    }
    // If the browser refuses the new version, the old one stays stored.
    let is_kept = storage::write(Store::Browser, &format!("{SCRIPT}{}", file.name), &file.to_record()).is_ok();
    UNSTORED.with_borrow_mut(|unstored| {
        unstored.retain(|other| other.name != file.name);
        if !is_kept {
            unstored.push(file.clone());
        }
    });
    is_kept
}

fn forget(name: &str) {
    UNSTORED.with_borrow_mut(|unstored| unstored.retain(|file| file.name != name));
    storage::remove(Store::Browser, &format!("{SCRIPT}{name}"));
}

/// The state of the script editor. Its changes are stored, and changes made by other tabs appear in it.
#[hook]
pub fn use_editor_state() -> UseReducerHandle<EditorState> {
    let t = use_lang();
    let editor = use_reducer_eq(|| EditorState::new(stored(), storage::read(Store::Tab, OPEN).as_deref(), t));
    let notices = use_notices();
    let known = use_mut_ref(|| Rc::clone(editor.files()));
    let open = editor.file().map(|file| file.name.clone()).unwrap_or_default();
    use_effect_with((Rc::clone(editor.files()), open), move |(files, open)| {
        let before = known.replace(Rc::clone(files));
        let changed = files.iter().filter(|file| !before.contains(file));
        let is_kept = changed.filter(|file| !keep(file)).count() == 0;
        for file in before.iter().filter(|file| !files.iter().any(|other| other.name == file.name)) {
            forget(&file.name);
        }
        // If this fails, the tab opens the first file after a reload.
        let _ = storage::write(Store::Tab, OPEN, open);
        if !is_kept {
            notices.say(NoticeText::ScriptNotStored);
        }
    });
    let dispatcher = editor.dispatcher();
    use_effect_with(t, move |t| dispatcher.dispatch(EditorAction::Speak(*t)));
    let dispatcher = editor.dispatcher();
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            // Fired only for writes of other tabs.
            EventListener::new(&window, "storage", move |_| dispatcher.dispatch(EditorAction::Found(stored())))
        });
        move || drop(listener)
    });
    editor
}
