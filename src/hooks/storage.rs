//! Text kept by the browser. Storage may be switched off, full or foreign: every access can fail and says so.
use web_sys::Storage;

/// Where the preferences are kept. The guard (`static/guard.js`) reads it too.
pub const PREFERENCES: &str = "lockstep.preferences";

/// Where the learner's progress in the course is kept.
pub const PROGRESS: &str = "lockstep.progress";
/// Progress that could not be read; the list of sessions in the sandbox offers it for download.
pub const PROGRESS_ASIDE: &str = "lockstep.aside.progress";

/// Why nothing was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageFault {
    /// The browser offers no storage (private window, policy, disabled).
    Closed,
    /// The browser refused the text, usually because its quota is used up.
    Refused,
}

/// Which of the two stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Shared by all tabs, survives a restart.
    Browser,
    /// This tab alone, survives a reload.
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

/// The text under `key`, if there is any and storage is open.
pub fn read(store: Store, key: &str) -> Option<String> {
    open(store).ok()?.get_item(key).ok().flatten()
}

/// Keeps `text` under `key`.
///
/// # Errors
/// When there is no storage or it refuses the text.
pub fn write(store: Store, key: &str, text: &str) -> Result<(), StorageFault> {
    open(store)?.set_item(key, text).map_err(|_| StorageFault::Refused)
}

/// Forgets what is under `key`.
pub fn remove(store: Store, key: &str) {
    if let Ok(storage) = open(store) {
        // Removing fails only where there is nothing to remove.
        let _ = storage.remove_item(key);
    }
}

/// All keys, in no order.
pub fn keys(store: Store) -> Vec<String> {
    let Ok(storage) = open(store) else { return Vec::new() };
    let count = storage.length().unwrap_or(0);
    (0..count).filter_map(|index| storage.key(index).ok().flatten()).collect()
}
