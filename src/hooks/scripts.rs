//! The files of the script editor in the browser's storage, and the desk on which the editor has them.
use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use yew::prelude::*;

use super::storage::{self, Store};
use super::{use_lang, use_notices};
use crate::i18n::Lang;
use crate::state::notices::Said;
use crate::state::scripts::{Desk, DeskAction, File, SCRIPT, is_untouched, with_starters};

/// The file that this tab had open last.
const OPEN: &str = "lockstep.open-script";

thread_local! {
    /// Files that the browser did not take: they live as long as the page does.
    static UNSTORED: RefCell<Vec<File>> = const { RefCell::new(Vec::new()) };
}

/// The files that are stored.
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

/// All files there are, ordered by name; the starters in the reader's language.
pub fn files(t: Lang) -> Vec<File> {
    with_starters(stored(), t)
}

/// What they are called.
pub fn names() -> Vec<String> {
    files(Lang::default()).into_iter().map(|file| file.name).collect()
}

/// Keeps a file; true when the browser took it. A starter in its first state needs no keeping.
fn keep(file: &File) -> bool {
    if is_untouched(file) {
        forget(&file.name);
        return true;
    }
    // What was stored before stays where the browser refuses what is newer.
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

/// The desk of the script editor; whatever changes on it is kept, and what another tab changes appears on it.
#[hook]
pub fn use_desk() -> UseReducerHandle<Desk> {
    let t = use_lang();
    let desk = use_reducer_eq(|| Desk::new(stored(), storage::read(Store::Tab, OPEN).as_deref(), t));
    let notices = use_notices();
    let known = use_mut_ref(|| Rc::clone(desk.files()));
    let open = desk.file().map(|file| file.name.clone()).unwrap_or_default();
    use_effect_with((Rc::clone(desk.files()), open), move |(files, open)| {
        let before = known.replace(Rc::clone(files));
        let changed = files.iter().filter(|file| !before.contains(file));
        let is_kept = changed.filter(|file| !keep(file)).count() == 0;
        for file in before.iter().filter(|file| !files.iter().any(|other| other.name == file.name)) {
            forget(&file.name);
        }
        // A tab that forgets which file it had open opens the first one.
        let _ = storage::write(Store::Tab, OPEN, open);
        if !is_kept {
            notices.say(Said::ScriptNotStored);
        }
    });
    let dispatcher = desk.dispatcher();
    use_effect_with(t, move |t| dispatcher.dispatch(DeskAction::Speak(*t)));
    let dispatcher = desk.dispatcher();
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            // Heard only of what other tabs write.
            EventListener::new(&window, "storage", move |_| dispatcher.dispatch(DeskAction::Found(stored())))
        });
        move || drop(listener)
    });
    desk
}
