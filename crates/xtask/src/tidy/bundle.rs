//! Checks that the committed JavaScript bundles were built from the current sources.
use super::Tree;
use crate::editor::{self, Bundle};

/// Bundles that are older than their sources, or missing.
pub fn check(tree: &Tree) -> Vec<String> {
    editor::BUNDLES.iter().filter_map(|bundle| outdated(tree, bundle)).collect()
}

fn outdated(tree: &Tree, bundle: &Bundle) -> Option<String> {
    let sources: Option<Vec<&str>> =
        bundle.sources.iter().map(|path| tree.get(path).map(|file| file.text.as_str())).collect();
    let fingerprint = editor::fingerprint(sources?.into_iter());
    let first_line = tree.get(bundle.path).and_then(|file| file.text.lines().next()).unwrap_or_default();
    let is_made = first_line.contains(&fingerprint);
    (!is_made).then(|| format!("{}: is older than the sources beside it: run `cargo xtask editor`", bundle.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outdated_bundle_is_found() {
        for Bundle { path, sources: [source, lock], .. } in &editor::BUNDLES {
            let made = format!("// from {}\n", editor::fingerprint(["a", "b"].into_iter()));
            let with = |text: &str| check(&Tree::of(&[(source, text), (lock, "b"), (path, &made)])).len();
            assert_eq!(with("a"), 0);
            assert_eq!(with("a changed"), 1);
            assert_eq!(check(&Tree::of(&[(source, "a"), (lock, "b")])).len(), 1);
        }
    }
}
