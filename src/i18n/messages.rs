//! The messages, as `build.rs` writes them from `en/*.ftl` and `zh-CN/*.ftl`.
//!
//! A message with one argument or none is a function of [`Lang`]. Two arguments of a function can be swapped without anyone
//! noticing, so a message with more than one is a struct with a field for each, and [`Lang::say`] turns it into text:
//!
//! ```
//! use lockstep_page::i18n::Lang;
//! use lockstep_page::i18n::messages::CourseTasks;
//!
//! assert_eq!(Lang::En.say(CourseTasks { done: 3, all: 4 }), "3 of 4 tasks");
//! assert_eq!(Lang::ZhCn.say(CourseTasks { all: 4, done: 3 }), "任务 3 / 4");
//! ```
//!
//! Values without names do not compile:
//!
//! ```compile_fail,E0423
//! use lockstep_page::i18n::Lang;
//! use lockstep_page::i18n::messages::CourseTasks;
//!
//! Lang::En.say(CourseTasks(3, 4));
//! ```
//!
//! Nor does a name that the sentence does not have:
//!
//! ```compile_fail,E0560
//! use lockstep_page::i18n::Lang;
//! use lockstep_page::i18n::messages::CourseTasks;
//!
//! Lang::En.say(CourseTasks { done: 3, n: 4 });
//! ```
#![allow(missing_docs, reason = "fields are named as in the sentence, which is the description of their struct")]
use super::Lang;
use super::fill::Argument;

/// A message with several arguments, which are its fields.
pub trait Message {
    /// The text in `lang`.
    fn text(self, lang: Lang) -> String;
}

impl Lang {
    /// The text of a message with several arguments.
    pub fn say(self, message: impl Message) -> String {
        message.text(self)
    }
}

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

#[cfg(test)]
mod tests {
    use super::{Lang, ToldGrows, VerdictWhyBoth};

    #[test]
    fn each_value_stands_where_the_sentence_names_it() {
        let both = |lang: Lang| lang.say(VerdictWhyBoth { first: "ann", second: "bob", section: "till" });
        assert_eq!(both(Lang::En), "bob came into till while ann was inside.");
        assert_eq!(both(Lang::ZhCn), "ann 还在 till 里，bob 就进来了。");
    }

    #[test]
    fn plurals_count_the_argument_they_name() {
        let grows = |before, after| Lang::En.say(ToldGrows { key: "list", before, after });
        assert_eq!(grows(0, 1), "list grows from 0 to 1 element");
        assert_eq!(grows(1, 1_000), "list grows from 1 to 1,000 elements");
    }
}
