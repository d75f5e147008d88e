//! What a terminal knows apart from the screen: its transcript, its history, its completions.
pub mod complete;
pub mod eval;
pub mod history;
pub mod paste;
pub mod statement;
pub mod transcript;
