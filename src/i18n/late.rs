//! Messages that are loaded with a chunk of the program: those of traffic, which would make a lesson's first load too large.
//!
//! The text between the marks is cut out of the first part of a release and moved to the chunk that the first mark names
//! (`crates/xtask/src/split/`). Only that chunk may use these messages, and code that can run only after the chunk is loaded, such as the
//! notice that traffic was stopped.
use std::sync::OnceLock;

use super::Lang;
use super::fill::Argument;
use super::marks::NEXT;

/// Text that belongs to the data of the chunk of traffic.
macro_rules! late {
    ($path:literal) => {
        concat!("<late traffic>\0", include_str!(concat!(env!("OUT_DIR"), $path)), "\0</late>")
    };
    (handler $file:literal) => {
        concat!(
            "<late traffic>\0",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/world/src/traffic/handlers/", $file)),
            "\0</late>"
        )
    };
}
pub(crate) use late;

impl Lang {
    /// The late message with this number, arguments not filled in.
    #[inline(never)]
    pub(super) fn late(self, number: usize) -> &'static str {
        static MESSAGES: [OnceLock<Vec<&'static str>>; 2] = [OnceLock::new(), OnceLock::new()];
        let [english, chinese] = &MESSAGES;
        let (messages, text) = match self {
            Lang::En => (english, late!("/late.en.txt")),
            Lang::ZhCn => (chinese, late!("/late.zh-CN.txt")),
        };
        // The first one is the mark.
        let messages = messages.get_or_init(|| text.split(NEXT).skip(1).collect());
        messages.get(number).copied().unwrap_or_default()
    }

    /// The late message with this number and these arguments, in the order of their names.
    #[inline(never)]
    pub(super) fn fill_late(self, number: usize, arguments: &[Argument]) -> String {
        self.filled(self.late(number), arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::LATE_COUNT;
    use super::Lang;

    #[test]
    fn both_languages_have_every_message() {
        for lang in [Lang::En, Lang::ZhCn] {
            assert!((0..LATE_COUNT).all(|number| !lang.late(number).is_empty()), "{lang:?}");
            assert_eq!(lang.late(LATE_COUNT), "</late>");
        }
    }
}
