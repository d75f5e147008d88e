//! Checks that the page does not assume a node: a panel gets its node from the layout, and only layouts name the first node.
use super::{Tree, at, is_test_file};
use crate::rust_source::{code_only, lines_without_tests};

/// The code that names the first node.
const FIRST: &str = "NodeIndex::FIRST";

/// The files of the layouts.
const LAYOUTS: &str = "src/state/layout.rs";

/// Lines of the page that name the first node, except in tests and layouts.
pub fn check(tree: &Tree) -> Vec<String> {
    let page = tree.with_extension("rs").filter(|file| file.path.starts_with("src/") && !is_test_file(&file.path));
    page.filter(|file| file.path != LAYOUTS)
        .flat_map(|file| {
            let code = code_only(&file.text);
            let lines = code.lines().enumerate().take(lines_without_tests(&file.text));
            let named = lines.filter(|(_, line)| line.contains(FIRST));
            let finding = |(index, _)| {
                at(&file.path, index, "which node? Take it from the client, the key, the event or the panel")
            };
            named.map(finding).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_node_may_be_named_by_layouts_and_tests() {
        let text = "//! A.\nlet a = world.server(NodeIndex::FIRST);\n";
        let tested = format!("//! A.\n#[cfg(test)]\nmod tests {{\n{text}\n}}\n");
        let allowed = [
            ("src/state/layout.rs", text),
            ("src/a/tests.rs", text),
            ("src/b.rs", &tested),
            ("crates/world/src/a.rs", text),
        ];
        assert_eq!(check(&Tree::of(&allowed)), Vec::<String>::new());
        assert_eq!(check(&Tree::of(&[("src/panels/a.rs", text)])).len(), 1);
    }
}
