//! The files of the script editor: names, stored form, the built-in starter scripts, and the commands that run a file.
//!
//! ```text
//! lockstep.script.<name>   one file: the words for KEYS and ARGV, and the text
//! ```
//!
//! A starter exists whether or not it is stored: storing it keeps the reader's edits, removing it resets it. So `--eval release.lua` works
//! in a browser that has never opened the editor.
mod editor;
pub mod outcome;

use std::rc::Rc;

use bytes::Bytes;
use resp::split::{self, SplitError};

use crate::i18n::Lang;

pub use editor::{Asking, EditorAction, EditorState};

/// Prefix of the storage keys of files.
pub const SCRIPT: &str = "lockstep.script.";
/// Most characters of a file. The longest script of a course has about two thousand.
pub const TEXT_CHARS_MAX: usize = 100_000;
/// Most files that are stored.
const FILES_MAX: usize = 100;
/// Longest name, in characters.
pub const NAME_CHARS_MAX: usize = 60;
/// The first line of a record.
const MARK: &str = "lockstep script 1";

/// A file of the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, for example `release.lua`.
    pub name: String,
    /// The script.
    pub text: Rc<str>,
    /// Words for `KEYS`, as typed in a terminal.
    pub keys: String,
    /// Words for `ARGV`.
    pub args: String,
}

impl File {
    /// A file without keys and arguments.
    pub fn new(name: &str, text: &str) -> File {
        File { name: name.to_owned(), text: text.into(), keys: String::new(), args: String::new() }
    }

    /// The stored form.
    pub fn to_record(&self) -> String {
        format!("{MARK}\nkeys {}\nargs {}\n\n{}", self.keys, self.args, self.text)
    }

    /// Reads a stored file. Anything that is not one of our records becomes plain text, so nothing is lost.
    pub fn from_record(name: &str, record: &str) -> File {
        let read = || {
            let rest = record.strip_prefix(MARK)?.strip_prefix("\nkeys ")?;
            let (keys, rest) = rest.split_once("\nargs ")?;
            let (args, text) = rest.split_once("\n\n")?;
            let is_whole = !keys.contains('\n') && !args.contains('\n');
            is_whole.then(|| File { keys: keys.to_owned(), args: args.to_owned(), ..File::new(name, text) })
        };
        read().unwrap_or_else(|| File::new(name, record))
    }

    /// Splits both fields into words.
    ///
    /// # Errors
    /// If a quote in one of them is not closed.
    pub fn words(&self) -> Result<(Vec<Bytes>, Vec<Bytes>), SplitError> {
        Ok((split::split(self.keys.as_bytes())?, split::split(self.args.as_bytes())?))
    }

    /// Whether it is a library of functions (`#!lua name=…`).
    pub fn is_library(&self) -> bool {
        self.text.starts_with("#!") && self.text.lines().next().is_some_and(|line| line.contains(" name="))
    }
}

/// The starters: (name, text, keys, arguments), sorted by name. The texts contain their comments in both languages, each on its own line.
const STARTERS: [(&str, &str, &str, &str); 4] = [
    ("locks.lua", include_str!("starters/locks.lua"), "lock:1", "token-a 30000"),
    ("multiply.lua", include_str!("starters/multiply.lua"), "counter", "8"),
    ("release.lua", include_str!("starters/release.lua"), "lock:1", "token-a"),
    ("stock.lua", include_str!("starters/stock.lua"), "stock:book", "2"),
];

/// The file that is open by default.
pub const FIRST: &str = "release.lua";

/// Whether this is the name of a starter.
pub fn is_starter(name: &str) -> bool {
    STARTERS.iter().any(|(known, ..)| *known == name)
}

/// The original starter with this name, in this language.
pub fn starter(name: &str, t: Lang) -> Option<File> {
    let (_, text, keys, args) = STARTERS.iter().find(|(known, ..)| *known == name)?;
    let (ours, theirs) = match t {
        Lang::En => ("-- en: ", "-- zh: "),
        Lang::ZhCn => ("-- zh: ", "-- en: "),
    };
    let lines = text.split_inclusive('\n').filter(|line| !line.starts_with(theirs));
    let text = lines.collect::<String>().replace(ours, "-- ");
    Some(File { keys: (*keys).to_owned(), args: (*args).to_owned(), ..File::new(name, &text) })
}

/// Whether the file is an unedited starter, in any language.
pub fn is_untouched(file: &File) -> bool {
    [Lang::En, Lang::ZhCn].iter().any(|t| starter(&file.name, *t).as_ref() == Some(file))
}

/// All files, sorted by name: the stored ones, and the starters that are not stored, in the reader's language.
pub fn with_starters(stored: impl IntoIterator<Item = File>, t: Lang) -> Vec<File> {
    let mut files: Vec<File> = stored.into_iter().filter(|file| !is_untouched(file)).take(FILES_MAX).collect();
    for (name, ..) in STARTERS {
        if !files.iter().any(|file| file.name == name) {
            files.extend(starter(name, t));
        }
    }
    redis_model::sorting::sort_by(&mut files, |a, b| a.name.cmp(&b.name));
    files
}

/// Whether a file may have this name: not empty, no control characters, no blanks around it, and not a lone comma, which ends the keys.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name != ","
        && name.trim() == name
        && name.chars().count() <= NAME_CHARS_MAX
        && !name.chars().any(char::is_control)
}

/// Whether a text editor can show this: no zero byte, and no replacement character from invalid UTF-8.
pub fn is_text(text: &str) -> bool {
    !text.contains(['\0', '\u{fffd}'])
}

/// `EVAL <text> <numkeys> key… arg…`, and likewise `EVALSHA` and `FCALL`.
pub fn call(name: &'static str, what: Bytes, keys: &[Bytes], args: &[Bytes]) -> Vec<Bytes> {
    let mut argv = vec![Bytes::from_static(name.as_bytes()), what, Bytes::from(keys.len().to_string())];
    argv.extend_from_slice(keys);
    argv.extend_from_slice(args);
    argv
}

/// The first line with content, for a list.
pub fn gist(text: &[u8]) -> String {
    const CHARS_MAX: usize = 80;
    let text = String::from_utf8_lossy(text.get(..1_000).unwrap_or(text));
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{FIRST, File, STARTERS, call, gist, is_name, is_text, is_untouched, starter, with_starters};
    use crate::i18n::Lang;

    #[test]
    fn files_are_restored_and_damage_loses_no_text() {
        let file = File {
            keys: "lock:1 \"two words\"".into(),
            args: "令牌".into(),
            ..File::new("a b.lua", "return 1\n\nkeys x\n")
        };
        assert_eq!(File::from_record("a b.lua", &file.to_record()), file);
        for damaged in ["", "return 1", "lockstep script 1\nkeys a", "lockstep script 9\nkeys a\nargs b\n\nx"] {
            assert_eq!(File::from_record("x", damaged), File::new("x", damaged), "{damaged:?}");
        }
    }

    #[test]
    fn starters_exist_until_they_are_edited() {
        let all = with_starters([], Lang::En);
        assert_eq!(all.len(), STARTERS.len());
        assert!(all.is_sorted_by(|a, b| a.name < b.name));
        assert!(
            starter(FIRST, Lang::En).is_some() && all.iter().all(|file| is_name(&file.name) && file.words().is_ok())
        );
        let mine = with_starters([File::new(FIRST, "return 2"), File::new("z", "")], Lang::En);
        assert_eq!(mine.len(), STARTERS.len() + 1);
        assert_eq!(mine.iter().find(|file| file.name == FIRST).map(|file| &*file.text), Some("return 2"));
    }

    #[test]
    fn starters_differ_between_languages_only_in_comments() {
        let (english, chinese) = (with_starters([], Lang::En), with_starters([], Lang::ZhCn));
        for (en, zh) in english.iter().zip(&chinese) {
            let code = |file: &File| {
                let lines = file.text.lines().filter(|line| !line.starts_with("--"));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!((&en.name, code(en)), (&zh.name, code(zh)));
            assert!(en.text != zh.text && !en.text.contains("-- en:") && !zh.text.contains("-- zh:"), "{}", en.name);
            assert!(en.text.is_ascii() && is_untouched(en) && is_untouched(zh));
        }
        // Unedited stored starters follow the language; edited files stay.
        assert_eq!(with_starters(english.clone(), Lang::ZhCn), chinese);
        let mine = File { args: "token-b".into(), ..english[0].clone() };
        assert!(with_starters([mine.clone()], Lang::ZhCn).contains(&mine));
    }

    #[test]
    fn library_is_recognised() {
        let libraries: Vec<String> =
            with_starters([], Lang::ZhCn).into_iter().filter(File::is_library).map(|file| file.name).collect();
        assert_eq!(libraries, ["locks.lua"]);
        assert!(!File::new("x", "#!lua flags=no-writes\nreturn ' name='").is_library());
    }

    #[test]
    fn names_are_printable() {
        for good in ["release.lua", "释放 锁.lua", "a/b", "--x", "\"quoted\""] {
            assert!(is_name(good), "{good:?}");
        }
        for bad in ["", " ", ",", " a", "a\n", "a\u{0}", &"x".repeat(61)] {
            assert!(!is_name(bad), "{bad:?}");
        }
        assert!(is_text("释放") && !is_text("\u{0}asm") && !is_text("\u{fffd}"));
    }

    #[test]
    fn call_counts_its_keys() {
        let words = |words: &[&'static str]| words.iter().map(|word| Bytes::from(*word)).collect::<Vec<_>>();
        let argv = call("EVAL", Bytes::from("return 1"), &words(&["k"]), &words(&["a", "b"]));
        assert_eq!(argv, words(&["EVAL", "return 1", "1", "k", "a", "b"]));
    }

    #[test]
    fn gist_is_the_first_line_with_content() {
        assert_eq!(gist(b"\n  \n  return 1 \nx"), "return 1");
        assert_eq!(gist(b""), "");
        assert_eq!(gist(&[0xff; 2_000]).chars().count(), 80);
    }
}
