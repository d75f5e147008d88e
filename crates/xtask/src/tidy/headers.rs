//! Checks that every source file starts with a comment about its content.
use super::{TextFile, Tree, at};

/// Comment openers by file extension. A `#!` line may precede the comment of a script; in Lua it names a library of functions.
const OPENERS: [(&str, &[&str]); 8] = [
    ("rs", &["//! "]),
    ("ts", &["// ", "/* ", "/** "]),
    ("js", &["// ", "/* ", "/** "]),
    ("mjs", &["// ", "/* ", "/** "]),
    ("css", &["/* "]),
    ("lua", &["-- "]),
    ("html", &["<!--", "<!doctype html>", "<!DOCTYPE html>"]),
    ("golden", &["# "]),
];

/// Bundled third-party libraries, which keep their own headers.
const VENDORED: [&str; 2] = ["/vendor/", "/vendored/"];

/// Files that do not start with a comment.
pub fn check(tree: &Tree) -> Vec<String> {
    let ours = tree.files.iter().filter(|file| !VENDORED.iter().any(|part| file.path.contains(part)));
    ours.filter_map(finding).collect()
}

fn finding(file: &TextFile) -> Option<String> {
    let extension = file.path.rsplit('.').next()?;
    let (_, openers) = OPENERS.iter().find(|(ending, _)| *ending == extension)?;
    let mut lines = file.text.lines();
    let mut first = lines.next().unwrap_or_default();
    if first.starts_with("#!/") || first.starts_with("#!lua ") {
        first = lines.next().unwrap_or_default();
    }
    if openers.iter().any(|opener| first.starts_with(opener)) {
        return None;
    }
    Some(at(&file.path, 0, &format!("begin with `{}` and what lives here", openers.first()?.trim_end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_its_first_line_is_found() {
        let tree = Tree::of(&[
            ("src/good.rs", "//! Good.\n"),
            ("src/bad.rs", "use std::fs;\n//! Late.\n"),
            ("src/empty.rs", ""),
            ("e2e/good.ts", "// Good.\n"),
            ("e2e/bad.ts", "import x from 'y';\n"),
            ("e2e/tool.mjs", "#!/usr/bin/env node\n// Good.\n"),
            ("src/library.lua", "#!lua name=library\n-- Good.\n"),
            ("static/bad.css", "body {}\n"),
            ("static/vendor/x.js", "!function(){}\n"),
            ("README.md", "# Title\n"),
        ]);
        let found = check(&tree);
        assert_eq!(found.len(), 4, "{found:?}");
        for (finding, path) in found.iter().zip(["src/bad.rs:1", "src/empty.rs:1", "e2e/bad.ts:1", "static/bad.css:1"])
        {
            assert!(finding.starts_with(path), "{finding}");
        }
    }
}
