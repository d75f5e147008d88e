//! Full-width characters in a command: an input method for Chinese types them where Redis needs ASCII.
use bytes::Bytes;
use redis_model::command;
use resp::split::{quote_argument, split};

/// The ASCII character that a full-width one stands for.
fn narrow(c: char) -> Option<char> {
    match c {
        '\u{3000}' => Some(' '),
        '“' | '”' => Some('"'),
        '‘' | '’' => Some('\''),
        '\u{ff01}'..='\u{ff5e}' => u32::from(c).checked_sub(0xfee0).and_then(char::from_u32),
        _ => None,
    }
}

/// Whether the character separates words or quotes them, in any text.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{3000}' | '“' | '”' | '‘' | '’')
}

/// The text with ASCII for full-width characters. In words with other Chinese text only spaces and quotes are replaced: `你好！` stays.
fn narrowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive([' ', '\u{3000}']) {
        let is_text = part.chars().any(|c| !c.is_ascii() && narrow(c).is_none());
        out.extend(part.chars().map(|c| narrow(c).filter(|_| !is_text || is_mark(c)).unwrap_or(c)));
    }
    out
}

/// The line with ASCII for full-width characters, if it has such and is a command then.
pub fn corrected_line(line: &str) -> Option<String> {
    let corrected = narrowed(line);
    let argv = split(corrected.as_bytes()).ok().filter(|_| corrected != line)?;
    command::find(&argv).ok().map(|_| corrected)
}

/// The same for the words of a command.
pub fn corrected(argv: &[Bytes]) -> Option<String> {
    let word = |word: &Bytes| match std::str::from_utf8(word) {
        // With white space it was quoted.
        Ok(text) if text.chars().any(|c| narrow(c).is_some()) && !text.contains(|c: char| c.is_ascii_whitespace()) => {
            text.to_owned()
        }
        _ => quote_argument(word),
    };
    corrected_line(&argv.iter().map(word).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use resp::split::split;

    use super::{corrected, corrected_line};

    /// The correction of a line whose quotes are balanced, and of its words, which must be the same.
    fn of(line: &str) -> Option<String> {
        let found = corrected(&split(line.as_bytes()).unwrap());
        assert_eq!(found, corrected_line(line), "{line}");
        found
    }

    #[test]
    fn full_width_letters_digits_spaces_and_quotes_are_corrected() {
        assert_eq!(of("ＳＥＴ　stock　５").as_deref(), Some("SET stock 5"));
        assert_eq!(of("ｇｅｔ stock").as_deref(), Some("get stock"));
        assert_eq!(of("EXPIRE k １０").as_deref(), Some("EXPIRE k 10"));
        assert_eq!(of("SET greeting “hello”").as_deref(), Some("SET greeting \"hello\""));
        assert_eq!(of("SET greeting “你好　世界”").as_deref(), Some("SET greeting \"你好 世界\""));
        assert_eq!(of("SET a ‘b’").as_deref(), Some("SET a 'b'"));
    }

    #[test]
    fn an_unclosed_quote_is_corrected_as_a_line() {
        assert_eq!(corrected_line("SET k \"abc”").as_deref(), Some("SET k \"abc\""));
        assert_eq!(corrected_line("SET k “a b\"").as_deref(), Some("SET k \"a b\""));
    }

    #[test]
    fn text_and_what_is_no_command_stay() {
        for line in ["SET k 你好！", "SET k v", "ＡＢＣ　d", "PUBLISH news 价格：５元", ""] {
            assert_eq!(of(line), None, "{line}");
        }
        assert_eq!(corrected_line("SET k \"abc"), None);
    }

    #[test]
    fn quotes_around_spaces_are_kept() {
        let argv = split("SETT k \"１ ２\"".as_bytes()).unwrap();
        assert_eq!(corrected(&argv), None);
        let argv = split("ＳＥＴ k \"１ ２\" EX".as_bytes()).unwrap();
        assert_eq!(corrected(&argv).as_deref(), Some("SET k \"1 2\" EX"));
    }
}
