//! The only places that touch the browser: storage, timers, the document, the address, the clipboard.
mod clock;
pub mod files;
pub mod guard;
pub mod link;
pub mod lock;
mod notices;
mod preferences;
mod session;
pub mod shelf;
pub mod start;
pub mod storage;

pub use clock::{ClockHandle, ClockProvider, use_clock};
pub use notices::{NoticesHandle, NoticesProvider, use_notices};
pub use preferences::{PreferencesHandle, PreferencesProvider, use_lang, use_preferences};
pub use session::{SessionHandle, SessionProvider, use_session};
