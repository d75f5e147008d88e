//! Style sheets: what a test holds on to styles nothing, so that a test id can be renamed without changing how the page looks.
use super::{Tree, at};

/// Lines of style sheets that name a test id.
pub fn check(tree: &Tree) -> Vec<String> {
    let lines = tree.with_extension("css").flat_map(|file| file.text.lines().enumerate().map(move |line| (file, line)));
    let named = lines.filter(|(_, (_, line))| line.contains("data-testid"));
    named
        .map(|(file, (index, _))| at(&file.path, index, "a test id styles something: give the element `data-act`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_id_in_a_style_sheet_is_found() {
        let tree = Tree::of(&[
            ("src/a.css", "/* A. */\n.a [data-testid=\"b\"] {}\n"),
            ("src/b.css", ".a [data-act=\"b\"] {}"),
            ("src/c.rs", "data-testid"),
        ]);
        assert_eq!(check(&tree).len(), 1);
    }
}
