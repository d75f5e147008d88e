//! The only places that touch the browser: storage, timers, the document, the address, the clipboard.
pub mod files;
pub mod guard;
pub mod link;
pub mod lock;
mod notices;
mod preferences;
pub mod storage;

pub use notices::{NoticesHandle, NoticesProvider, use_notices};
pub use preferences::{PreferencesHandle, PreferencesProvider, use_lang, use_preferences};
