//! The logic of a terminal without its screen: transcript, history, completion.
pub mod complete;
pub mod eval;
pub mod history;
pub mod notes;
pub mod paste;
pub mod statement;
pub mod transcript;
pub mod typed;
pub mod wide;
