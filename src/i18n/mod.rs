//! The two languages of the page: typed messages, and the format of numbers and times in each.
//!
//! The messages are in `en/*.ftl` and `zh-CN/*.ftl`; `build.rs` turns each language into one text, and each message into a method of
//! [`Lang`], or into a struct if it has several arguments, so a message or argument that is missing in one language is a build error. A
//! component gets the current language from `use_lang()` and calls `t.the_message_id()` or `t.say(TheMessageId { … })`.
mod documentation;
mod fill;
mod format;
mod late;
mod marks;
pub mod messages;
mod rest;
mod rich;
mod summaries;

pub use documentation::{CHINESE_FILES, ENGLISH_FILES, example, lacks_documentation, learn_documentation};
pub use format::time_of_day;
pub(crate) use late::late;
pub use late::unmarked;
pub use rich::{code, plain, rich};
pub use summaries::{CHINESE_FILE, learn_chinese};

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Lang {
    /// The BCP 47 tag, as in `<html lang>` and in the stored preferences.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhCn => "zh-CN",
        }
    }

    /// The language that a stored tag names.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        match tag {
            "en" => Some(Lang::En),
            "zh-CN" => Some(Lang::ZhCn),
            _ => None,
        }
    }

    /// The other one of the two.
    pub fn other(self) -> Lang {
        match self {
            Lang::En => Lang::ZhCn,
            Lang::ZhCn => Lang::En,
        }
    }

    /// The language for a reader whose browser lists `tags` in order of preference. Any Chinese counts as Simplified Chinese; without a tag
    /// of either language it is English.
    pub fn preferred<'a>(tags: impl IntoIterator<Item = &'a str>) -> Lang {
        for tag in tags {
            let primary = tag.split(['-', '_']).next().unwrap_or("");
            if primary.eq_ignore_ascii_case("zh") {
                return Lang::ZhCn;
            }
            if primary.eq_ignore_ascii_case("en") {
                return Lang::En;
            }
        }
        Lang::En
    }
}

#[cfg(test)]
mod tests {
    use super::Lang;

    #[test]
    fn the_browsers_first_known_language_wins() {
        for (tags, lang) in [
            (&["zh-CN", "en"][..], Lang::ZhCn),
            (&["de-DE", "zh-Hant-TW", "en"], Lang::ZhCn),
            (&["en-GB", "zh"], Lang::En),
            (&["fr", "ja"], Lang::En),
            (&["ZH_hans"], Lang::ZhCn),
            (&[], Lang::En),
        ] {
            assert_eq!(Lang::preferred(tags.iter().copied()), lang, "{tags:?}");
        }
    }

    #[test]
    fn every_tag_names_its_language() {
        for lang in [Lang::En, Lang::ZhCn] {
            assert_eq!(Lang::from_tag(lang.tag()), Some(lang));
            assert_eq!(lang.other().other(), lang);
        }
        assert_eq!(Lang::from_tag("en-US"), None);
    }
}
