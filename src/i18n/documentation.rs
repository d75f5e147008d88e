//! Documentation of commands beyond the command table: a sentence for each option, the complexity in Chinese, and examples.
//!
//! They are separate files, which the page fetches before it shows documentation (`hooks::use_documentation`): most visits need none of
//! them. Each line of a file begins with the full name of a command (`client|kill` for a subcommand); lines that begin with `#` are comments.
use std::cell::Cell;

use redis_model::command::Command;

use super::Lang;

/// The files of the English documentation, next to the document.
pub const ENGLISH_FILES: [&str; 2] = ["en/options.txt", EXAMPLES];
/// The files of the Chinese documentation.
pub const CHINESE_FILES: [&str; 3] = ["zh-CN/options.txt", COSTS, EXAMPLES];
/// Name of the file with the Chinese complexities.
const COSTS: &str = "costs.txt";
/// Name of the file with the examples, which are the same in both languages.
const EXAMPLES: &str = "examples.txt";

thread_local! {
    /// The text of each file, in the order of [`slot`]; `None` until it is loaded.
    static TEXTS: [Cell<Option<&'static str>>; 4] = const { [const { Cell::new(None) }; 4] };
}

/// The place of a file among the loaded ones.
fn slot(file: &str) -> usize {
    match file {
        "en/options.txt" => 0,
        "zh-CN/options.txt" => 1,
        COSTS => 2,
        _ => 3,
    }
}

fn text_of(file: &str) -> Option<&'static str> {
    TEXTS.with(|texts| texts.get(slot(file)).and_then(Cell::get))
}

/// Whether a file is not loaded yet.
pub fn lacks_documentation(file: &str) -> bool {
    text_of(file).is_none()
}

/// Sets the text of a file, once per page.
pub fn learn_documentation(file: &str, text: String) {
    TEXTS.with(|texts| {
        if let Some(place) = texts.get(slot(file)).filter(|place| place.get().is_none()) {
            place.set(Some(text.leak()));
        }
    });
}

/// What the lines of a command say after its name.
fn lines_of(text: &'static str, row: &Command) -> impl Iterator<Item = &'static str> {
    let name = row.full_name();
    text.lines().filter_map(|line| line.split_once(' ')).filter(move |(known, _)| *known == name).map(|(_, rest)| rest)
}

impl Lang {
    /// The files that documentation in this language needs.
    pub fn documentation_files(self) -> &'static [&'static str] {
        match self {
            Lang::En => &ENGLISH_FILES,
            Lang::ZhCn => &CHINESE_FILES,
        }
    }

    /// The options of a command, each with a sentence; empty until the file is loaded.
    pub fn options(self, row: &Command) -> Vec<(&'static str, &'static str)> {
        let file = match self {
            Lang::En => "en/options.txt",
            Lang::ZhCn => "zh-CN/options.txt",
        };
        lines_of(text_of(file).unwrap_or_default(), row).filter_map(|rest| rest.split_once(' ')).collect()
    }

    /// The complexity of a command; in English until the Chinese file is loaded.
    pub fn complexity(self, row: &Command) -> &'static str {
        let translated = match self {
            Lang::En => None,
            Lang::ZhCn => lines_of(text_of(COSTS).unwrap_or_default(), row).next(),
        };
        translated.unwrap_or(row.complexity)
    }
}

/// The lines of a command's example, in the order in which they run; empty until the file is loaded, and for a command without one.
pub fn example(row: &Command) -> Vec<&'static str> {
    lines_of(text_of(EXAMPLES).unwrap_or_default(), row).collect()
}

#[cfg(test)]
mod tests;
