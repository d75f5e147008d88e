//! Checks that each size bound has a reason: its last row in the table of BENCHMARKS.md has the same number and says why.
use super::{Tree, at};
use crate::weights::{LIST, entries};

const DOCUMENT: &str = "BENCHMARKS.md";

/// The heading above the table `| bound | KB | why |`.
const HEADING: &str = "### Bounds of weight";

/// A reason has at least this many words.
const WORDS_MIN: usize = 5;

/// A row of the table.
struct Row<'a> {
    /// Number of its line, from 0.
    index: usize,
    name: &'a str,
    bytes: Option<usize>,
    reason: &'a str,
}

/// Bounds without a row, rows with another number, and rows without a new reason.
pub fn check(tree: &Tree) -> Vec<String> {
    let Some(list) = tree.get(LIST) else { return vec![format!("{LIST} does not exist")] };
    let document = tree.get(DOCUMENT).map(|file| file.text.as_str()).unwrap_or_default();
    let rows = rows(document);
    let mut findings = Vec::new();
    for (name, bytes) in entries(&list.text) {
        let row = rows.iter().rev().find(|row| row.name == name);
        match (row.map(|row| row.bytes), bytes) {
            (_, None) => findings.push(format!("{LIST}: {name} has no number of bytes")),
            (Some(given), _) if given == bytes => {}
            (_, Some(bytes)) => findings.push(format!(
                "{LIST}: {name} is {bytes}, which is not what the last row of {name} below \"{HEADING}\" in {DOCUMENT} says: a new bound needs a row with its reason"
            )),
        }
    }
    for (nth, row) in rows.iter().enumerate() {
        if row.reason.split_whitespace().count() < WORDS_MIN {
            findings.push(at(DOCUMENT, row.index, &format!("no reason is given for this bound of {}", row.name)));
        }
        let before = rows.iter().take(nth);
        if before.clone().any(|other| other.reason == row.reason) {
            findings.push(at(DOCUMENT, row.index, "the reason of another row is given again"));
        }
        if before.rev().find(|other| other.name == row.name).is_some_and(|other| other.bytes == row.bytes) {
            findings.push(at(DOCUMENT, row.index, &format!("the bound of {} does not change here", row.name)));
        }
        if !entries(&list.text).any(|(name, _)| name == row.name) {
            findings.push(at(DOCUMENT, row.index, &format!("{LIST} has no bound named {}", row.name)));
        }
    }
    findings
}

/// The rows of the table below the heading.
fn rows(document: &str) -> Vec<Row<'_>> {
    let below = document.lines().enumerate().skip_while(|(_, line)| *line != HEADING).skip(1);
    let table = below.skip_while(|(_, line)| !line.starts_with('|')).take_while(|(_, line)| line.starts_with('|'));
    // The header and the line of dashes come first.
    table.skip(2).map(|(index, line)| row(index, line)).collect()
}

fn row(index: usize, line: &str) -> Row<'_> {
    let mut cells = line.trim_matches('|').split('|').map(str::trim);
    let mut next = || cells.next().unwrap_or_default();
    let (name, kilobytes, reason) = (next(), next(), next());
    let bytes = kilobytes.strip_suffix(" KB").and_then(|number| number.parse::<usize>().ok());
    Row { index, name, bytes: bytes.map(|number| number * 1000), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "### Bounds of weight\n\nWords.\n\n| bound | KB | why |\n|---|---|---|\n";
    const FIRST: &str = "| page | 350 KB | what the page weighed when this was written |\n";
    const RAISED: &str = "| page | 400 KB | a river of streams is drawn from the start |\n";

    fn found(list: &str, rows: &[&str]) -> usize {
        let document =
            format!("| page | 1 KB | another table |\n{HEAD}{}\n| page | 9 KB | behind it |\n", rows.concat());
        check(&Tree::of(&[(LIST, list), (DOCUMENT, &document)])).len()
    }

    #[test]
    fn the_last_row_with_a_reason_gives_the_bound() {
        assert_eq!(found("# Why.\npage 350000\n", &[FIRST]), 0);
        assert_eq!(found("page 400000\n", &[FIRST, RAISED]), 0);
    }

    #[test]
    fn a_bound_raised_without_a_reason_is_found() {
        assert_eq!(found("page 400000\n", &[FIRST]), 1);
        assert_eq!(found("page 350000\n", &[FIRST, RAISED]), 1);
        assert_eq!(found("page 350000\n", &[]), 1);
        assert_eq!(found("page 400000\n", &[FIRST, "| page | 400 KB | |\n"]), 1);
        assert_eq!(
            found("page 400000\n", &[FIRST, "| page | 400 KB | what the page weighed when this was written |\n"]),
            1
        );
        assert_eq!(found("page 350001\n", &[FIRST]), 1);
        assert_eq!(found("page lots\n", &[FIRST]), 1);
    }

    #[test]
    fn unknown_rows_and_rows_without_a_change_are_found() {
        assert_eq!(found("page 350000\n", &["| other | 1 KB | a bound that nothing is held to |\n", FIRST]), 1);
        assert_eq!(found("page 350000\n", &[FIRST, "| page | 350 KB | the same again and said in other words |\n"]), 1);
        assert_eq!(check(&Tree::of(&[(DOCUMENT, HEAD)])).len(), 1);
    }
}
