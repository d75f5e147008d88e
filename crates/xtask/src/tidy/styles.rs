//! Checks style sheets: they do not use test ids, so that renaming one does not change the looks of the page; and they do not use `:has()`.
//! Below an element with `:has()` the browser restyles everything whenever an element is added: two of them once took 20 ms of every step.
use super::{Tree, at};

/// Banned selectors, and what to use instead.
const UNWANTED: [(&str, &str); 2] = [
    ("data-testid", "a test id styles something: give the element `data-act`"),
    (":has(", "`:has()` makes every step slow: give the element an attribute, or `use_root_mark`"),
];

/// Lines of style sheets with banned selectors.
pub fn check(tree: &Tree) -> Vec<String> {
    let lines = tree.with_extension("css").flat_map(|file| file.text.lines().enumerate().map(move |line| (file, line)));
    let found = lines.flat_map(|(file, (index, line))| {
        let unwanted = UNWANTED.iter().filter(move |(word, _)| line.contains(word));
        unwanted.map(move |(_, advice)| at(&file.path, index, advice))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banned_selectors_are_found() {
        let tree = Tree::of(&[
            ("src/a.css", "/* A. */\n.a [data-testid=\"b\"] {}\n"),
            ("src/b.css", ".a [data-act=\"b\"] {}"),
            ("src/c.rs", "data-testid :has(b)"),
            ("static/d.css", ".a {\n  &:not(:has(b)) {\n  }\n}"),
        ]);
        let found = check(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|line| line.starts_with("static/d.css:2")), "{found:?}");
    }
}
