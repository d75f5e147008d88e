//! One-line summaries of commands: English from the command table, Chinese from `zh-CN/commands.txt`.
//!
//! The Chinese lines are a separate file, which the page fetches before it shows summaries (`hooks::use_summaries`): they are longer than
//! all other messages together, and most visits need none.
use std::cell::Cell;

use redis_model::command::Command;

use super::Lang;

/// Name of the file with the Chinese lines, next to the document.
pub const CHINESE_FILE: &str = "commands.txt";

thread_local! {
    /// One line per command: name (`client|kill` for a subcommand), space, summary. Empty until the file is loaded.
    static CHINESE: Cell<&'static str> = const { Cell::new("") };
}

/// Sets the Chinese lines, once per page.
pub fn learn_chinese(lines: String) {
    CHINESE.set(lines.leak());
}

impl Lang {
    /// Whether the summaries of this language are not loaded yet.
    pub fn lacks_summaries(self) -> bool {
        self == Lang::ZhCn && CHINESE.get().is_empty()
    }

    /// A one-line summary of a command; in English until the Chinese lines are loaded.
    pub fn summary(self, row: &Command) -> &'static str {
        match self {
            Lang::En => row.summary,
            Lang::ZhCn => line_of(CHINESE.get(), &row.full_name()).unwrap_or(row.summary),
        }
    }
}

fn line_of(lines: &'static str, name: &str) -> Option<&'static str> {
    lines.lines().filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use redis_model::command::{self, Command};

    use super::{learn_chinese, line_of};
    use crate::i18n::Lang;

    const CHINESE: &str = include_str!("zh-CN/commands.txt");

    fn all() -> impl Iterator<Item = &'static Command> {
        command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands))
    }

    #[test]
    fn chinese_lines_and_commands_match_one_to_one() {
        let missing: Vec<String> =
            all().map(Command::full_name).filter(|name| line_of(CHINESE, name).is_none()).collect();
        assert!(missing.is_empty(), "no Chinese line: {missing:?}");
        let names: Vec<String> = all().map(Command::full_name).collect();
        let lines = CHINESE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
        let stray: Vec<&str> =
            lines.map(|(name, _)| name).filter(|name| !names.iter().any(|known| known == name)).collect();
        assert!(stray.is_empty(), "a line without a command: {stray:?}");
    }

    #[test]
    fn english_summary_is_used_until_chinese_is_loaded() {
        let row = command::by_name(b"get").unwrap();
        assert!(Lang::ZhCn.lacks_summaries() && !Lang::En.lacks_summaries());
        assert_eq!(Lang::ZhCn.summary(row), row.summary);
        learn_chinese(CHINESE.to_owned());
        assert!(!Lang::ZhCn.lacks_summaries());
        assert_ne!(Lang::ZhCn.summary(row), row.summary);
        assert_eq!(Lang::En.summary(row), row.summary);
    }
}
