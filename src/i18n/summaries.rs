//! What each command does, in one line: English from the command table, Chinese from `zh-CN/commands.txt`.
//!
//! The Chinese lines are a file of their own, which the page fetches when somebody reads them (`hooks::use_summaries`): they
//! are longer than all other messages together, and most visits need none.
use std::cell::Cell;

use redis_model::command::Command;

use super::Lang;

/// Name of the file with the Chinese lines, beside the document.
pub const CHINESE_FILE: &str = "commands.txt";

thread_local! {
    /// A command a line: name (`client|kill` of a subcommand), blank, what it does. Empty until it has been learnt.
    static CHINESE: Cell<&'static str> = const { Cell::new("") };
}

/// Keeps the Chinese lines for as long as the page lives.
pub fn learn_chinese(lines: String) {
    CHINESE.set(lines.leak());
}

impl Lang {
    /// Does it still lack its lines on commands?
    pub fn lacks_summaries(self) -> bool {
        self == Lang::ZhCn && CHINESE.get().is_empty()
    }

    /// One line on what a command does; in English as long as nothing better is known.
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
    fn every_command_has_its_chinese_line_and_every_line_its_command() {
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
    fn chinese_is_learnt_and_english_stands_in_for_it() {
        let row = command::by_name(b"get").unwrap();
        assert!(Lang::ZhCn.lacks_summaries() && !Lang::En.lacks_summaries());
        assert_eq!(Lang::ZhCn.summary(row), row.summary);
        learn_chinese(CHINESE.to_owned());
        assert!(!Lang::ZhCn.lacks_summaries());
        assert_ne!(Lang::ZhCn.summary(row), row.summary);
        assert_eq!(Lang::En.summary(row), row.summary);
    }
}
