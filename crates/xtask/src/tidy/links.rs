//! Checks that links in the documents lead to existing files and headings, and that paths in code type exist, so that the documents are
//! updated when a module moves.
use super::{TextFile, Tree, at};

/// Prefixes by which text in code type is recognised as a path of this project.
const PATH_BEGINNINGS: [&str; 8] = ["crates/", "src/", "e2e/", "static/", ".ci/", ".cargo/", "lessons/", "docs/"];

/// Links and paths without a target.
pub fn check(tree: &Tree) -> Vec<String> {
    tree.with_extension("md").flat_map(|file| findings(tree, file)).collect()
}

fn findings(tree: &Tree, file: &TextFile) -> Vec<String> {
    let mut found = Vec::new();
    for (index, line) in prose(&file.text) {
        for target in link_targets(line) {
            if !resolves(tree, file, target) {
                found.push(at(&file.path, index, &format!("the link to `{target}` leads nowhere")));
            }
        }
        for path in code_spans(line).filter(|span| is_path(span)) {
            if !tree.has(path.trim_end_matches('/')) {
                found.push(at(&file.path, index, &format!("there is no `{path}`")));
            }
        }
    }
    found
}

/// Lines outside fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of links `[…](…)`.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next())
}

fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// A path of this project, not a pattern like `src/i18n/<language>/*.ftl`.
fn is_path(span: &str) -> bool {
    PATH_BEGINNINGS.iter().any(|beginning| span.starts_with(beginning))
        && span.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'))
}

fn resolves(tree: &Tree, file: &TextFile, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let Some(full) = (if path.is_empty() { Some(file.path.clone()) } else { relative(&file.path, path) }) else {
        return false;
    };
    if !tree.has(full.trim_end_matches('/')) {
        return false;
    }
    heading.is_empty() || tree.get(&full).is_some_and(|other| headings(&other.text).any(|slug| slug == heading))
}

/// The path of `target` relative to the document at `from`; `None` if it is outside the project.
fn relative(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Headings in the form of link fragments.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| line.strip_prefix('#')).map(|heading| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        title
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Tree::of(&[("docs/a.md", text), ("docs/b.md", "# B\n## Where to add a *panel*\n"), ("src/main.rs", "")]))
            .len()
    }

    #[test]
    fn links_with_a_target_are_accepted() {
        assert_eq!(
            found(
                "[b](b.md) [b](./b.md#b) ![m](../src/main.rs) [s](../src) [h](https://redis.io) `src/main.rs` `src/`"
            ),
            0
        );
        assert_eq!(found("[p](b.md#where-to-add-a-panel) `src/<name>.rs` `cargo xtask test`"), 0);
        assert_eq!(found("# A b\n[here](#a-b)\n```\n[x](nowhere.md)\n```\n"), 0);
    }

    #[test]
    fn links_without_a_target_are_found() {
        assert_eq!(found("[b](c.md)"), 1);
        assert_eq!(found("[b](b.md#c)"), 1);
        assert_eq!(found("[b](#c)"), 1);
        assert_eq!(found("[b](../../outside.md)"), 1);
        assert_eq!(found("`src/gone.rs`"), 1);
    }
}
