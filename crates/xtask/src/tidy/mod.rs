//! House rules that the compiler does not know. Each check is a pure function from the text of the tree to a list of findings, so that its
//! tests can show that it can fail.
mod banned;
mod bounds;
mod bundle;
mod headers;
mod hosts;
mod links;
mod machine;
mod nodes;
mod parity;
mod ratchet;
mod selectors;
mod styles;

use crate::{dist, paths};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::Path;

/// Options of `tidy`.
#[derive(Args)]
pub struct Options {
    /// Lower the numbers in the list of big files to today's sizes (it never raises one)
    #[arg(long)]
    update: bool,
}

/// A file of the project: its path from the root, with `/`, and its text.
pub struct TextFile {
    /// Path from the root.
    pub path: String,
    /// Contents; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// The files of the project, without built and downloaded files.
pub struct Tree {
    /// The text files, in order of path.
    pub files: Vec<TextFile>,
    /// Paths of all files, text or not.
    pub paths: Vec<String>,
}

impl Tree {
    /// The file with this path.
    pub fn get(&self, path: &str) -> Option<&TextFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Does a file or a folder with this path exist?
    pub fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty() || self.paths.iter().any(|other| other == path || other.starts_with(&folder))
    }

    /// Files whose name ends with `.extension`.
    pub fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a TextFile> {
        self.files.iter().filter(move |file| file.path.rsplit('.').next() == Some(extension))
    }

    #[cfg(test)]
    fn of(files: &[(&str, &str)]) -> Tree {
        let files: Vec<TextFile> =
            files.iter().map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() }).collect();
        let paths = files.iter().map(|file| file.path.clone()).collect();
        Tree { files, paths }
    }
}

/// A check: its name, and the function that lists its findings.
type Check = (&'static str, fn(&Tree) -> Vec<String>);

const CHECKS: [Check; 11] = [
    ("every source file begins by saying what lives there", headers::check),
    ("no clock, chance, device or random order in model and world", banned::check),
    ("files do not outgrow a room", ratchet::check),
    ("both languages say the same", parity::check),
    ("links and paths in the documents lead somewhere", links::check),
    ("nothing of one developer's machine", machine::check),
    ("bundles of JavaScript are made from their sources", bundle::check),
    ("a bound of weight has its reason", bounds::check),
    ("styles depend neither on test ids nor on what is inside", styles::check),
    ("one place of the page says which node is shown", nodes::check),
    ("browser tests select nothing by class or number", selectors::check),
];

/// Runs all checks.
///
/// # Errors
/// If a check has findings; the error lists all of them.
pub fn tidy(options: &Options) -> Result<()> {
    let root = paths::root();
    let tree = read_tree(&root)?;
    if options.update {
        let list = ratchet::lowered(&tree);
        fs::write(root.join(ratchet::LIST), list).context("cannot write the list of big files")?;
        return tidy(&Options { update: false });
    }
    let mut findings = Vec::new();
    for (name, check) in CHECKS {
        report(name, check(&tree), &mut findings);
    }
    if !findings.is_empty() {
        bail!("tidy objects to {} things:\n{}", findings.len(), findings.join("\n"));
    }
    println!("tidy: {} files, nothing to object to", tree.files.len());
    Ok(())
}

/// Searches the built files for requests to other hosts, and for traces of the build machine. It runs after every build and is not part of
/// [`tidy`], which could see the files of an earlier build.
///
/// # Errors
/// If it finds any.
pub fn check_dist() -> Result<()> {
    let files = read_dist(&paths::root().join("dist"))?;
    let mut findings = hosts::check(&files);
    let homes = [paths::root(), paths::cargo_home().unwrap_or_else(paths::root)];
    for home in homes.iter().map(|home| home.display().to_string()) {
        let named = files.iter().filter(|file| file.text.contains(&home));
        findings.extend(named.map(|file| format!("{}: tells where it was built ({home})", file.path)));
    }
    if !findings.is_empty() {
        bail!("{}:\n{}", hosts::NAME, findings.join("\n"));
    }
    Ok(())
}

fn report(name: &str, found: Vec<String>, findings: &mut Vec<String>) {
    println!("  {} {name}", if found.is_empty() { "ok  " } else { "FAIL" });
    findings.extend(found.into_iter().map(|finding| format!("  {finding}")));
}

/// Folders with built or downloaded files.
const FOREIGN: [&str; 8] =
    [".git", "target", "dist", "dist-single", "node_modules", "test-results", "playwright-report", ".playwright"];

/// Text files larger than this are data, not written by hand.
const TEXT_BYTES_MAX: usize = 4_000_000;

fn read_tree(root: &Path) -> Result<Tree> {
    let mut tree = Tree { files: Vec::new(), paths: Vec::new() };
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry?;
            if FOREIGN.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                add_file(root, &path, &mut tree)?;
            }
        }
    }
    tree.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(tree)
}

fn add_file(root: &Path, path: &Path, tree: &mut Tree) -> Result<()> {
    let name = path
        .strip_prefix(root)?
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/");
    tree.paths.push(name.clone());
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() <= TEXT_BYTES_MAX && !bytes.contains(&0) {
        tree.files.push(TextFile { path: name, text: String::from_utf8_lossy(&bytes).into_owned() });
    }
    Ok(())
}

/// The built files, including wasm, read as text.
fn read_dist(folder: &Path) -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    for path in dist::files_under(folder)? {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
        files.push(TextFile { path: format!("dist/{name}"), text: String::from_utf8_lossy(&bytes).into_owned() });
    }
    Ok(files)
}

/// A module of tests in a file of its own.
fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/")
}

/// `path:line: sentence`, with lines counted from 1.
fn at(path: &str, index: usize, sentence: &str) -> String {
    format!("{path}:{}: {sentence}", index + 1)
}
