//! The only places that touch the browser: storage, timers, the document, the address, the clipboard.
mod clock;
pub mod files;
pub mod guard;
mod hotkeys;
pub mod link;
pub mod lock;
pub mod machine;
mod notices;
mod open_file;
mod preferences;
mod rows;
mod session;
pub mod shelf;
pub mod start;
pub mod storage;

pub use clock::{ClockHandle, ClockProvider, ClockProviderProps, use_clock};
pub use hotkeys::use_hotkeys;
pub use notices::{NoticesHandle, NoticesProvider, NoticesProviderProps, use_notices};
pub use open_file::{reload, use_dropping, use_open_file};
pub use preferences::{PreferencesHandle, PreferencesProvider, PreferencesProviderProps, use_lang, use_preferences};
pub use rows::{Rows, use_rows};
pub use session::{SessionHandle, SessionProvider, SessionProviderProps, use_refusals, use_session};
