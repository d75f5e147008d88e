//! Messages of panels and dialogs that open on demand: the inside of values, the river, the explorer, the script editor, all dialogs. They
//! are data of their chunk; the rules of `late.rs` apply.
use std::sync::OnceLock;

use super::Lang;
use super::fill::{Argument, LateMessages, message_of};
use super::late;

impl Lang {
    /// The message of these panels with this number, arguments not filled in.
    #[inline(never)]
    pub(super) fn rest_message(self, number: usize) -> &'static str {
        static MESSAGES: LateMessages = [OnceLock::new(), OnceLock::new()];
        message_of(&MESSAGES, self, number, [late!("rest", "/rest.en.txt"), late!("rest", "/rest.zh-CN.txt")])
    }

    /// The message of these panels with this number and these arguments, in the order of their names.
    #[inline(never)]
    pub(super) fn fill_rest(self, number: usize, arguments: &[Argument]) -> String {
        self.filled(self.rest_message(number), arguments)
    }
}
