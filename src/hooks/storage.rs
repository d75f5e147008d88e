//! Text in the browser's storage. Storage may be disabled, full or inaccessible: every access can fail and reports it.
use web_sys::Storage;

/// Key of the preferences. The guard (`static/guard.js`) reads it too.
pub const PREFERENCES: &str = "lockstep.preferences";

/// Key of the learner's progress in the course.
pub const PROGRESS: &str = "lockstep.progress";
/// Key of unreadable progress, which the list of sessions in the sandbox offers for download.
pub const PROGRESS_ASIDE: &str = "lockstep.aside.progress";

/// Why a text was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageFault {
    /// The browser offers no storage (private window, policy, disabled).
    Closed,
    /// The browser refused the text, usually because its quota is used up.
    Refused,
}

/// One of the browser's two stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// `localStorage`: shared by all tabs, survives a restart.
    Browser,
    /// `sessionStorage`: for this tab only, survives a reload.
    Tab,
}

fn open(store: Store) -> Result<Storage, StorageFault> {
    let window = web_sys::window().ok_or(StorageFault::Closed)?;
    let found = match store {
        Store::Browser => window.local_storage(),
        Store::Tab => window.session_storage(),
    };
    found.ok().flatten().ok_or(StorageFault::Closed)
}

/// The text under `key`, if there is any and the storage is accessible.
pub fn read(store: Store, key: &str) -> Option<String> {
    open(store).ok()?.get_item(key).ok().flatten()
}

/// Stores `text` under `key`.
///
/// # Errors
/// When the storage is not available or refuses the text.
pub fn write(store: Store, key: &str, text: &str) -> Result<(), StorageFault> {
    open(store)?.set_item(key, text).map_err(|_| StorageFault::Refused)
}

/// Deletes the text under `key`.
pub fn remove(store: Store, key: &str) {
    if let Ok(storage) = open(store) {
        // Fails only if there is nothing to remove.
        let _ = storage.remove_item(key);
    }
}

/// All keys, in no particular order.
pub fn keys(store: Store) -> Vec<String> {
    let Ok(storage) = open(store) else { return Vec::new() };
    let count = storage.length().unwrap_or(0);
    (0..count).filter_map(|index| storage.key(index).ok().flatten()).collect()
}
