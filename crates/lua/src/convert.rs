//! Replies and Lua values, in both directions.
mod from_reply;
pub mod holes;
mod to_reply;

pub use from_reply::push_reply;
pub use to_reply::reply_of;

/// Replaces line breaks by spaces, like Redis: a line break would end a status or an error early.
pub fn one_line(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if matches!(byte, b'\r' | b'\n') { b' ' } else { byte }).collect()
}
