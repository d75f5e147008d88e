//! The texts of messages and the insertion of arguments. Each language is one text that contains all its messages, which is a smaller
//! download than code for each message (`marks.rs` describes the format).
use std::sync::OnceLock;

use super::marks::{BYTES, CHOICE, DURATION, END, FOR, NEXT, NUMBER, ONE, OTHER, TEXT};
use super::{Lang, late};

/// An argument of a message.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A text.
    Text(&'a str),
    /// A count, milliseconds or bytes.
    Number(u64),
}

impl Lang {
    /// The message with this number, arguments not filled in. Each language is a chunk of its own, which comes before the first render: a
    /// reader of one language does not wait for the other.
    #[inline(never)]
    pub(super) fn message(self, number: usize) -> &'static str {
        static MESSAGES: LateMessages = [OnceLock::new(), OnceLock::new()];
        message_of(&MESSAGES, self, number, [late!("en", "/messages.en.txt"), late!("zh-CN", "/messages.zh-CN.txt")])
    }

    /// The message with this number and these arguments, in the order of their names.
    #[inline(never)]
    pub(super) fn fill(self, number: usize, arguments: &[Argument]) -> String {
        self.filled(self.message(number), arguments)
    }

    /// This message with these arguments.
    pub(super) fn filled(self, message: &str, arguments: &[Argument]) -> String {
        let mut out = String::new();
        self.put(message, arguments, Some(&mut out));
        out
    }

    /// Writes the text up to the end of the variant or of the message, and returns the rest. Without `out`, skips the text.
    fn put<'t>(self, mut text: &'t str, arguments: &[Argument], mut out: Option<&mut String>) -> &'t str {
        loop {
            let at = text.find(|c| (TEXT..=END).contains(&c)).unwrap_or(text.len());
            let (words, rest) = text.split_at(at);
            if let Some(out) = &mut out {
                out.push_str(words);
            }
            let mut rest = rest.chars();
            let Some(mark) = rest.next().filter(|mark| *mark != END) else { return rest.as_str() };
            let place = rest.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
            let argument = arguments.get(place as usize).copied().unwrap_or(Argument::Text(""));
            text = rest.as_str();
            match (mark, argument, &mut out) {
                (CHOICE, Argument::Number(n), _) => text = self.choose(text, n, arguments, out.as_deref_mut()),
                (TEXT, Argument::Text(words), Some(out)) => push_spaced(out, words, text),
                (NUMBER, Argument::Number(n), Some(out)) => self.push_number(out, n),
                (DURATION, Argument::Number(ms), Some(out)) => self.push_duration(out, ms),
                (BYTES, Argument::Number(bytes), Some(out)) => self.push_bytes(out, bytes),
                _ => {}
            }
        }
    }

    /// Writes the first variant that matches `n`; returns the text after the last variant.
    fn choose<'t>(self, mut text: &'t str, n: u64, arguments: &[Argument], mut out: Option<&mut String>) -> &'t str {
        while let Some((what, rest)) = text.split_once(FOR) {
            let fits = match what.chars().next() {
                Some(OTHER) => true,
                Some(ONE) => self.is_one(n),
                _ => what.parse() == Ok(n),
            };
            let chosen = if fits { out.take() } else { None };
            text = self.put(rest, arguments, chosen);
            if what.starts_with(OTHER) {
                return text;
            }
        }
        text
    }
}

/// Writes an argument before `rest`, with the space that separates Chinese characters from Latin letters and digits: the message cannot
/// know which of them an argument begins or ends with.
fn push_spaced(out: &mut String, words: &str, rest: &str) {
    let is_latin = |c: char| c.is_ascii_alphanumeric();
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    if out.ends_with(is_chinese) && words.starts_with(is_latin) {
        out.push(' ');
    }
    out.push_str(words);
    if words.ends_with(is_latin) && rest.starts_with(is_chinese) {
        out.push(' ');
    }
}

/// The messages of a chunk in each language, once they are split.
pub(super) type LateMessages = [OnceLock<Vec<&'static str>>; 2];

/// The message with this number among those of a chunk. Not inlined: else the compiler would answer for a text that is not there yet.
#[inline(never)]
pub(super) fn message_of(
    [english, chinese]: &'static LateMessages,
    lang: Lang,
    number: usize,
    [in_english, in_chinese]: [&'static str; 2],
) -> &'static str {
    let (messages, text) = match lang {
        Lang::En => (english, in_english),
        Lang::ZhCn => (chinese, in_chinese),
    };
    // Until the chunk is loaded there is no text, and nothing to keep.
    if !text.starts_with('<') {
        return "";
    }
    // The first one is the mark.
    let messages = messages.get_or_init(|| text.split(NEXT).skip(1).collect());
    messages.get(number).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::messages::COUNT;
    use super::*;

    fn filled(text: &str, arguments: &[Argument]) -> String {
        let mut out = String::new();
        assert_eq!(Lang::En.put(text, arguments, Some(&mut out)), "");
        out
    }

    #[test]
    fn nested_choices_are_filled_or_skipped() {
        let inner = format!("{CHOICE}1{ONE}{FOR}one{END}{OTHER}{FOR}{NUMBER}1{END}");
        let text = format!("a {CHOICE}00{FOR}none {inner}{END}{OTHER}{FOR}{TEXT}2 of {inner}!{END} z");
        let text_of = |n, m| filled(&text, &[Argument::Number(n), Argument::Number(m), Argument::Text("x")]);
        assert_eq!(
            [text_of(0, 1), text_of(0, 2_000), text_of(3, 1), text_of(3, 2)],
            ["a none one z", "a none 2,000 z", "a x of one! z", "a x of 2! z"]
        );
    }

    #[test]
    fn chinese_and_latin_are_separated() {
        let text = format!("向{TEXT}0发送 {TEXT}1，{TEXT}0：{TEXT}1");
        let of = |server: &str| filled(&text, &[Argument::Text(server), Argument::Text("GET")]);
        assert_eq!(of("Redis"), "向 Redis 发送 GET，Redis：GET");
        assert_eq!(of("数据库"), "向数据库发送 GET，数据库：GET");
        assert_eq!(of("`nil`"), "向`nil`发送 GET，`nil`：GET");
        assert_eq!(of(""), "向发送 GET，：GET");
    }

    #[test]
    fn malformed_text_does_not_panic() {
        for text in ["\u{1}", "\u{1}9", "\u{5}0", "\u{5}0*", "\u{5}0*\u{6}", "\u{7}", "\u{2}0", "\u{6}\u{6}"] {
            Lang::En.put(text, &[Argument::Text("x")], Some(&mut String::new()));
            Lang::En.put(text, &[Argument::Number(1)], None);
        }
        assert_eq!(Lang::En.message(usize::MAX), "");
    }

    #[test]
    fn both_languages_have_every_message() {
        for lang in [Lang::En, Lang::ZhCn] {
            assert!((0..COUNT).all(|number| !lang.message(number).is_empty()), "{lang:?}");
            // The mark that ends the text of a chunk.
            assert_eq!(lang.message(COUNT), "</late>");
        }
    }
}
