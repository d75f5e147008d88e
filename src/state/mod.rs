//! Pure states and their reducers, tested natively. Nothing here touches the browser; effects live in `hooks`.
pub mod base64url;
pub mod clock;
pub mod explain;
pub mod inside;
pub mod keyspace;
pub mod lab;
pub mod notices;
pub mod preferences;
pub mod scripts;
pub mod session;
pub mod shelf;
pub mod shortcuts;
pub mod support;
pub mod terminal;
pub mod told;
pub mod transcript;
