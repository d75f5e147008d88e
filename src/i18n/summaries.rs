//! What each command does, in one line: English from the command table, Chinese from `zh-CN/commands.txt`.
use redis_model::command::Command;

use super::Lang;

/// A command a line: name (`client|kill` of a subcommand), blank, what it does.
static CHINESE: &str = include_str!("zh-CN/commands.txt");

impl Lang {
    /// One line on what a command does.
    pub fn summary(self, row: &Command) -> &'static str {
        match self {
            Lang::En => row.summary,
            Lang::ZhCn => chinese(&row.full_name()).unwrap_or(row.summary),
        }
    }
}

fn chinese(name: &str) -> Option<&'static str> {
    CHINESE.lines().filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use redis_model::command::{self, Command};

    use super::{CHINESE, chinese};

    fn all() -> impl Iterator<Item = &'static Command> {
        command::all().flat_map(|row| std::iter::once(row).chain(row.subcommands))
    }

    #[test]
    fn every_command_has_its_chinese_line_and_every_line_its_command() {
        let missing: Vec<String> = all().map(Command::full_name).filter(|name| chinese(name).is_none()).collect();
        assert!(missing.is_empty(), "no Chinese line: {missing:?}");
        let names: Vec<String> = all().map(Command::full_name).collect();
        let lines = CHINESE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
        let stray: Vec<&str> =
            lines.map(|(name, _)| name).filter(|name| !names.iter().any(|known| known == name)).collect();
        assert!(stray.is_empty(), "a line without a command: {stray:?}");
    }
}
