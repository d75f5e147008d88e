//! Checks functions by their text alone: names that are defined, names that are called, the separator line of the frame.
use ::lesson::repair::{FRAME_MARK, Repair};

use crate::state::lab::lua::{Kind, tokens};

/// The line, from 1, that looks like the separator between functions and frame.
pub fn mark(text: &str) -> Option<u32> {
    (1..).zip(text.lines()).find(|(_, line)| line.trim() == FRAME_MARK).map(|(number, _)| number)
}

/// Functions that the repair starts with and its frames call, but this text does not define, in their order.
pub fn missing(repair: &Repair, text: &str) -> Vec<String> {
    let here = names(text);
    let called: Vec<String> = repair.variations.iter().flat_map(|variation| names(&variation.frame)).collect();
    let mut missing = Vec::new();
    for name in defined(&repair.start) {
        if called.contains(&name) && !here.contains(&name) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    missing
}

/// Names of the functions that a text defines at the start of a line: `function acquire(`.
fn defined(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("function ")?.split_once('(')?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = name.trim();
        (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// All names in a text, outside comments and strings.
fn names(text: &str) -> Vec<String> {
    let lines = tokens(text);
    let code = lines.iter().flatten().filter(|(kind, _)| matches!(kind, Kind::Plain | Kind::Verb));
    let words = code.flat_map(|(_, piece)| piece.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use ::lesson::repair::Variation;

    use super::*;

    #[test]
    fn missing_functions_are_those_that_a_frame_calls() {
        let variation = |frame: &str| Variation { frame: frame.to_owned(), ..Variation::default() };
        let start = "local token\nfunction acquire()\n  function inner() end\nend\nfunction release() end\nfunction unused() end";
        let variations = vec![variation("acquire()\n-- unused()"), variation("acquire() release()")];
        let repair = Repair { start: start.to_owned(), variations, ..Repair::default() };
        for (text, expected) in [
            (start, &[][..]),
            ("", &["acquire", "release"]),
            ("-- release\nacquire = function() return 'release' end", &["release"]),
            ("function release() end function acquire() end", &[]),
            ("function acquires() end", &["acquire", "release"]),
        ] {
            assert_eq!(missing(&repair, text), expected, "{text}");
        }
    }

    #[test]
    fn frame_separator_is_found_in_any_form() {
        assert_eq!(mark("function f() end\n  ---- frame ----\r\nf()"), Some(2));
        assert_eq!(mark("-- ---- frame ----\n---- frame ---- x"), None);
    }
}
