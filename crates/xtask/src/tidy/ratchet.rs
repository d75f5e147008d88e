//! Checks that a file has at most 600 lines without tests. Larger files are in a list with their sizes, and may only shrink.
use super::{TextFile, Tree};
use crate::rust_source::lines_without_tests;
use std::fmt::Write;

/// The list: a line `lines path` for each, comments with `#`.
pub const LIST: &str = "crates/xtask/big-files.txt";

/// Allowed lines without an entry in the list, not counting tests.
const LINES_MAX: usize = 600;

/// Extensions of files written by hand.
const ENDINGS: [&str; 6] = ["rs", "ts", "js", "mjs", "css", "lua"];

/// Files that are larger than allowed, and outdated lines of the list.
pub fn check(tree: &Tree) -> Vec<String> {
    let list = tree.get(LIST).map(|file| file.text.as_str()).unwrap_or_default();
    let allowed: Vec<(usize, &str)> = list.lines().filter_map(entry).collect();
    let mut findings = Vec::new();
    for file in counted(tree) {
        let lines = size(file);
        let listed = allowed.iter().find(|(_, path)| *path == file.path).map(|(lines, _)| *lines);
        match listed {
            Some(most) if lines > most => {
                findings.push(format!("{}: {lines} lines without tests, it had {most} and may only shrink", file.path));
            }
            Some(most) if lines < most => {
                findings.push(format!(
                    "{}: {lines} lines are fewer than the {most} in {LIST}; `cargo xtask tidy --update` notes it",
                    file.path
                ));
            }
            None if lines > LINES_MAX => {
                findings.push(format!(
                    "{}: {lines} lines without tests, more than {LINES_MAX}: it asks for a second room",
                    file.path
                ));
            }
            _ => {}
        }
    }
    let gone = allowed.iter().filter(|(_, path)| tree.get(path).is_none());
    findings.extend(gone.map(|(_, path)| format!("{LIST}: {path} is listed and does not exist")));
    findings
}

/// The list with current sizes where they are smaller, without files that are small enough or deleted.
pub fn lowered(tree: &Tree) -> String {
    let list = tree.get(LIST).map(|file| file.text.as_str()).unwrap_or_default();
    let mut lowered = String::new();
    for line in list.lines() {
        let Some((most, path)) = entry(line) else {
            let _ = writeln!(lowered, "{line}");
            continue;
        };
        let lines = tree.get(path).map_or(0, size).min(most);
        if lines > LINES_MAX {
            let _ = writeln!(lowered, "{lines} {path}");
        }
    }
    lowered
}

fn entry(line: &str) -> Option<(usize, &str)> {
    let (lines, path) = line.split_once(' ')?;
    Some((lines.parse().ok()?, path.trim()))
}

fn counted(tree: &Tree) -> impl Iterator<Item = &TextFile> {
    tree.files.iter().filter(|file| {
        let ending = file.path.rsplit('.').next().unwrap_or_default();
        let tests = file.path.contains("/tests/") || file.path.ends_with("tests.rs") || file.path.ends_with(".spec.ts");
        ENDINGS.contains(&ending) && !tests && !file.path.contains("/vendor/")
    })
}

fn size(file: &TextFile) -> usize {
    if file.path.ends_with(".rs") { lines_without_tests(&file.text) } else { file.text.lines().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_of(lines: usize) -> String {
        "x\n".repeat(lines)
    }

    fn found(lines: usize, list: &str) -> usize {
        check(&Tree::of(&[("src/a.rs", &file_of(lines)), (LIST, list)])).len()
    }

    #[test]
    fn growth_and_unrecorded_shrinking_are_found() {
        assert_eq!(found(600, ""), 0);
        assert_eq!(found(601, ""), 1);
        assert_eq!(found(700, "700 src/a.rs\n"), 0);
        assert_eq!(found(701, "700 src/a.rs\n"), 1);
        assert_eq!(found(650, "700 src/a.rs\n"), 1);
        assert_eq!(found(10, "# nothing\n700 src/gone.rs\n"), 1);
    }

    #[test]
    fn updating_the_list_only_lowers_sizes() {
        let tree =
            |lines| Tree::of(&[("src/a.rs", &file_of(lines)), (LIST, "# Why.\n700 src/a.rs\n900 src/gone.rs\n")]);
        assert_eq!(lowered(&tree(650)), "# Why.\n650 src/a.rs\n");
        assert_eq!(lowered(&tree(800)), "# Why.\n700 src/a.rs\n");
        assert_eq!(lowered(&tree(500)), "# Why.\n");
    }

    #[test]
    fn tests_do_not_count() {
        let text = format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", file_of(500), file_of(500));
        assert!(check(&Tree::of(&[("src/a.rs", &text), ("e2e/a.spec.ts", &file_of(900))])).is_empty());
    }
}
