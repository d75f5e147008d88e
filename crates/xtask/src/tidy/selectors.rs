//! Checks that browser tests select elements by role, name or test id. Classes change with the looks; the number of an element changes with
//! the elements before it; an idle network says nothing about the page.
use super::{Tree, at};

/// The folders of browser tests.
const FOLDERS: [&str; 3] = ["e2e/tests/", "e2e/firefox/", "e2e/support/"];

/// Functions that take a selector. `all` is the tests' own short name for `querySelectorAll`.
const CALLS: [&str; 6] = ["locator", "querySelector", "querySelectorAll", "closest", "matches", "all"];

/// Classes of CodeMirror, whose markup has no roles or test ids.
const CODE_MIRROR: &str = ".cm-";

const BY_CLASS: &str = "a class selects an element: ask for its role and name, its test id or a data attribute";
const BY_NUMBER: &str = "a number selects an element: `first`, `last`, a filter or a name of its own stays right";
const BY_IDLENESS: &str = "`networkidle` says nothing about the page: wait for what it shows";

/// Lines of browser tests with other selectors.
pub fn check(tree: &Tree) -> Vec<String> {
    let files = tree.with_extension("ts").filter(|file| FOLDERS.iter().any(|folder| file.path.starts_with(folder)));
    let found = files.flat_map(|file| {
        let text = &file.text;
        // A call may continue on the next line.
        let by_class = selectors(text).filter(|(_, selector)| is_by_class(selector)).map(|(at, _)| (at, BY_CLASS));
        let by_number = numbers(text).map(|at| (at, BY_NUMBER));
        let by_idleness = text.match_indices("networkidle").map(|(at, _)| (at, BY_IDLENESS));
        let line = |offset: usize| text.get(..offset).map_or(0, |before| before.matches('\n').count());
        by_class
            .chain(by_number)
            .chain(by_idleness)
            .map(move |(offset, advice)| at(&file.path, line(offset), advice))
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// The text of each literal that is the first argument of one of [`CALLS`], and the position of the call.
fn selectors(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('(').filter_map(|(open, _)| {
        let (before, behind) = (text.get(..open)?, text.get(open.saturating_add(1)..)?);
        // `querySelector<HTMLElement>(`
        let before = if before.ends_with('>') { before.rsplit_once('<')?.0 } else { before };
        let name = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|quote| ['"', '\'', '`'].contains(quote))?;
        let literal = behind.get(1..)?.split(quote).next()?;
        CALLS.contains(&name).then_some((open, literal))
    })
}

/// Does the selector contain a class? Text in brackets is a value, not a class.
fn is_by_class(selector: &str) -> bool {
    if selector.starts_with(CODE_MIRROR) {
        return false;
    }
    let (mut depth, mut before) = (0_u32, ' ');
    for c in selector.chars() {
        match c {
            '[' | '{' => depth = depth.saturating_add(1),
            ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && before == '.' && c.is_ascii_alphabetic() => return true,
            _ => {}
        }
        before = c;
    }
    false
}

/// The positions of `.nth(2)`.
fn numbers(text: &str) -> impl Iterator<Item = usize> {
    let is_number = |(at, call): (usize, &str)| {
        let behind = text.get(at.saturating_add(call.len())..)?.trim_start();
        behind.starts_with(|c: char| c.is_ascii_digit() || c == '-').then_some(at)
    };
    text.match_indices(".nth(").filter_map(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_in(line: &str) -> Vec<String> {
        check(&Tree::of(&[("e2e/tests/a.spec.ts", line)]))
    }

    #[test]
    fn classes_are_found_at_every_position() {
        for line in [
            "page.locator(\".notice\")",
            "page.locator('div > .fix')",
            "page.locator(`svg.hll circle`)",
            "card.locator(\"details>.menu\")",
            "card.locator(\"a,.b\").first()",
            "card.locator(\"[data-file='a.lua'].open\")",
            "card.getByTestId(\"a\").locator(\"b\").locator(\":not(.c)\")",
            "document.querySelector<HTMLElement>(\".terminal-entries\")",
            "document.querySelectorAll(\"li.a\")",
            "element.closest(\"style, .sr-only\")",
            "line.matches(\".program-frame\")",
            "all(\".lane-row\").map((row) => row.id)",
            "page.locator(\".notice .cm-content\")",
            "page.locator(\n  \".notice\",\n)",
        ] {
            assert_eq!(found_in(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn numbers_and_an_idle_network_are_found() {
        assert_eq!(found_in("card.nth(1).click()").len(), 1);
        assert_eq!(found_in("await page.goto(url, { waitUntil: \"networkidle\" })").len(), 1);
        assert_eq!(found_in("card.nth(\n  1\n)").len(), 1);
        assert_eq!(found_in("card.nth(-2).locator(\".a\")").len(), 2);
    }

    #[test]
    fn other_selectors_pass() {
        for line in [
            "page.locator(\".cm-activeLine\")",
            "page.getByTestId(\"bits\").locator(\"[data-one]\")",
            "page.locator('[data-file=\"release.lua\"]')",
            "page.locator(`[data-testid=\"${lesson.name}\"]`)",
            "page.locator(`${lesson.name} > li`)",
            "choices.nth(nth)",
            "path.endsWith(\".wasm\")",
            "await page.getByText(\"e.g. this\")",
            "for (const button of await buttons.all()) await button.click();",
        ] {
            assert_eq!(found_in(line), Vec::<String>::new(), "{line}");
        }
        let elsewhere =
            Tree::of(&[("e2e/bench/a.ts", ".nth(1)"), ("e2e/tests/a.md", ".nth(1)"), ("src/a.ts", ".nth(1)")]);
        assert_eq!(check(&elsewhere), Vec::<String>::new());
    }

    #[test]
    fn findings_have_a_path_and_line() {
        let tree = Tree::of(&[("e2e/support/a.ts", "// A.\npage.locator(\".b\")\n")]);
        assert_eq!(check(&tree), [format!("e2e/support/a.ts:2: {BY_CLASS}")]);
    }
}
