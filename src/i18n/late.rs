//! Texts that are loaded with a chunk of the program, because they would make the first load too large: the messages of traffic here, those
//! of the panels in the chunk `rest` in `rest.rs`, and the style sheets of panels (`src/workbench/registry.rs`).
//!
//! The text between the marks is cut out of the first part of a release and moved to the chunk that the first mark names
//! (`crates/xtask/src/split/`). Only that chunk may use these texts, and code that can run only after the chunk is loaded, such as the
//! notice that traffic was stopped. Before that they are empty.
use std::sync::OnceLock;

use super::Lang;
use super::fill::{Argument, LateMessages, message_of};

/// Text that belongs to the data of the chunk that is named first.
macro_rules! late {
    ($chunk:literal, $path:expr) => {
        concat!("<late ", $chunk, ">\0", include_str!(concat!(env!("OUT_DIR"), $path)), "\0</late>")
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

/// A text of [`late`] without the marks around it, which is empty while its chunk is not loaded; another text as it is.
pub fn unmarked(text: &'static str) -> &'static str {
    text.split('\0').nth(1).unwrap_or(text)
}

impl Lang {
    /// The message of traffic with this number, arguments not filled in.
    #[inline(never)]
    pub(super) fn traffic_message(self, number: usize) -> &'static str {
        static MESSAGES: LateMessages = [OnceLock::new(), OnceLock::new()];
        message_of(
            &MESSAGES,
            self,
            number,
            [late!("traffic", "/traffic.en.txt"), late!("traffic", "/traffic.zh-CN.txt")],
        )
    }

    /// The message of traffic with this number and these arguments, in the order of their names.
    #[inline(never)]
    pub(super) fn fill_traffic(self, number: usize, arguments: &[Argument]) -> String {
        self.filled(self.traffic_message(number), arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::{REST_COUNT, TRAFFIC_COUNT};
    use super::{Lang, unmarked};

    #[test]
    fn only_late_texts_have_marks() {
        assert_eq!(unmarked(".a{}"), ".a{}");
        assert_eq!(unmarked(concat!("<", "late rest>\0.a{}\0</late>")), ".a{}");
        assert_eq!(unmarked("\0\0\0\0"), "");
    }

    #[test]
    fn both_languages_have_every_message() {
        for lang in [Lang::En, Lang::ZhCn] {
            assert!((0..TRAFFIC_COUNT).all(|number| !lang.traffic_message(number).is_empty()), "{lang:?}");
            assert_eq!(lang.traffic_message(TRAFFIC_COUNT), "</late>");
            assert!((0..REST_COUNT).all(|number| !lang.rest_message(number).is_empty()), "{lang:?}");
            assert_eq!(lang.rest_message(REST_COUNT), "</late>");
        }
    }
}
