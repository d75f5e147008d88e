//! Checks that no file contains an absolute path of a home or scratch folder on a developer's machine.
use super::{Tree, at};

/// Prefixes of paths that exist on one machine only. Written in pieces, so that this file passes its own check.
const PLACES: [&str; 6] = [
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "Users/"),
    concat!("/", "work/"),
    concat!("/", "tmp/"),
    concat!("C:", "\\Users"),
];

/// Lines that contain such a path.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(place) = PLACES.iter().find(|place| names(line, place)) {
                findings.push(at(&file.path, index, &format!("`{place}` is a place on one machine")));
            }
        }
    }
    findings
}

/// Does an absolute path start here? `e2e/work/x` and `https://host/home/` are not absolute paths.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '*'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_one_machine_is_found() {
        for place in PLACES {
            assert_eq!(check(&Tree::of(&[("a.md", &format!("see {place}x\n"))])).len(), 1, "{place}");
        }
        let fine = format!("see e2e{0}x and https://example.org{0}x\n", concat!("/", "work/"));
        assert_eq!(check(&Tree::of(&[("a.md", &fine)])).len(), 0);
    }
}
