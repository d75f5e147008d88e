//! The committed bundle of the script editor is made from the sources beside it.
use super::Tree;
use crate::editor;

/// A bundle that is older than its sources, or missing.
pub fn check(tree: &Tree) -> Vec<String> {
    let sources: Option<Vec<&str>> =
        editor::SOURCES.iter().map(|path| tree.get(path).map(|file| file.text.as_str())).collect();
    let Some(sources) = sources else { return Vec::new() };
    let fingerprint = editor::fingerprint(sources.into_iter());
    let first_line = tree.get(editor::BUNDLE).and_then(|file| file.text.lines().next()).unwrap_or_default();
    if first_line.contains(&fingerprint) {
        return Vec::new();
    }
    vec![format!("{}: is not made from the sources beside it; `cargo xtask editor` makes it anew", editor::BUNDLE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_of_other_sources_is_found() {
        let [source, lock] = editor::SOURCES;
        let made = format!("// from {}\n", editor::fingerprint(["a", "b"].into_iter()));
        let with = |text: &str| check(&Tree::of(&[(source, text), (lock, "b"), (editor::BUNDLE, &made)])).len();
        assert_eq!(with("a"), 0);
        assert_eq!(with("a changed"), 1);
        assert_eq!(check(&Tree::of(&[(source, "a"), (lock, "b")])).len(), 1);
    }
}
