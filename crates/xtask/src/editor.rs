//! `cargo xtask editor`: bundles the script editor of `static/editor/` and the charts of `static/charts/`, each into the one file
//! that the page fetches.
//!
//! Bundles are committed, so that a build of the page needs no registry and every build ships the same bytes. The first line of each bundle
//! has a hash of its sources; `cargo xtask tidy` compares it with the current sources.
use crate::{paths, run, setup};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Options of `editor`.
#[derive(Args)]
pub struct Options {
    /// Write nothing; fail if a new bundle would differ from the committed one
    #[arg(long)]
    check: bool,
}

/// A JavaScript library that the page fetches on use. Paths are relative to the root.
pub struct Bundle {
    /// Its name in messages.
    what: &'static str,
    /// The folder of its sources.
    folder: &'static str,
    /// The bundle.
    pub path: &'static str,
    /// The files it is made from, in the order of the hash.
    pub sources: [&'static str; 2],
    /// The licences of its packages, which are served beside it.
    licences: &'static str,
}

/// All bundles.
pub const BUNDLES: [Bundle; 2] = [
    Bundle {
        what: "script editor (CodeMirror)",
        folder: "static/editor",
        path: "static/editor/editor.js",
        sources: ["static/editor/source.js", "static/editor/package-lock.json"],
        licences: "static/editor/editor-licences.txt",
    },
    Bundle {
        what: "charts (uPlot)",
        folder: "static/charts",
        path: "static/charts/charts.js",
        sources: ["static/charts/source.js", "static/charts/package-lock.json"],
        licences: "static/charts/charts-licences.txt",
    },
];

/// Writes the bundles, or checks that they are up to date.
///
/// # Errors
/// If a tool cannot be installed, the bundler fails, or `--check` finds a difference.
pub fn editor(options: &Options) -> Result<()> {
    let esbuild = setup::for_bundling(BUNDLES.iter().map(|bundle| (bundle.folder, bundle.what)))?;
    BUNDLES.iter().try_for_each(|bundle| make(bundle, &esbuild, options.check))
}

fn make(bundle: &Bundle, esbuild: &Path, is_check: bool) -> Result<()> {
    let folder = paths::root().join(bundle.folder);
    let mut sources = Vec::new();
    for name in bundle.sources {
        sources.push(fs::read_to_string(paths::root().join(name)).with_context(|| format!("cannot read {name}"))?);
    }
    let first_line = bundle.first_line(&fingerprint(sources.iter().map(String::as_str)));
    let made = bundled(bundle, esbuild, &folder, &first_line)?;
    let licences = licences(bundle, &folder)?;
    for (name, text) in [(bundle.path, made), (bundle.licences, licences)] {
        let path = paths::root().join(name);
        if !is_check {
            fs::write(&path, &text).with_context(|| format!("cannot write {name}"))?;
            println!("  wrote    {name}, {} bytes", text.len());
        } else if fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            bail!("{name} is not what its sources make; `cargo xtask editor` writes it again");
        }
    }
    Ok(())
}

/// The name of a file in its folder.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Bundle {
    fn first_line(&self, fingerprint: &str) -> String {
        format!(
            "// The {}, bundled by `cargo xtask editor` from {fingerprint}. Licences: {}",
            self.what,
            name_of(self.licences)
        )
    }
}

/// A hash of the sources: 64-bit FNV-1a, in hexadecimal digits. It detects outdated bundles, not forged ones.
pub fn fingerprint<'a>(sources: impl Iterator<Item = &'a str>) -> String {
    let hash = sources
        .flat_map(|text| text.bytes().chain([0]))
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

fn bundled(bundle: &Bundle, esbuild: &Path, folder: &Path, first_line: &str) -> Result<String> {
    let made = paths::target().join(name_of(bundle.path));
    let mut command = Command::new(esbuild);
    command.args(["source.js", "--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8"]);
    command.args(["--legal-comments=none", "--log-level=warning", &format!("--banner:js={first_line}")]);
    command.arg(format!("--outfile={}", made.display())).current_dir(folder);
    run::step(&format!("esbuild of the {}", bundle.what), &mut command, Duration::from_secs(120))?;
    fs::read_to_string(&made).context("esbuild has written nothing")
}

/// Name, version and licence of each package in the bundle.
fn licences(bundle: &Bundle, folder: &Path) -> Result<String> {
    let modules = folder.join("node_modules");
    let lock = fs::read_to_string(folder.join("package-lock.json")).context("cannot read the lock file")?;
    let what = bundle.what.split(" (").next().unwrap_or(bundle.what);
    let mut text = format!("Licences of what {}, the {what} of Lockstep, is made of.\n", name_of(bundle.path));
    for name in package_names(&lock) {
        let package = modules.join(name);
        let version = fs::read_to_string(package.join("package.json")).ok().and_then(|json| version_of(&json));
        let licence = fs::read_to_string(package.join("LICENSE")).with_context(|| format!("{name} has no licence"))?;
        text.push_str(&format!("\n==== {name} {} ====\n\n{}\n", version.unwrap_or_default(), licence.trim()));
    }
    Ok(text)
}

/// The packages of a lock file, in its order.
fn package_names(lock: &str) -> impl Iterator<Item = &str> {
    lock.lines().filter_map(|line| line.trim().strip_prefix("\"node_modules/")?.strip_suffix("\": {"))
}

fn version_of(json: &str) -> Option<String> {
    let (_, rest) = json.split_once("\"version\":")?;
    rest.split('"').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_include_the_boundaries_of_texts() {
        let of = |texts: &[&str]| fingerprint(texts.iter().copied());
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["ab", ""]));
        assert_ne!(of(&["a", "b"]), of(&["a", "c"]));
        assert!(BUNDLES.iter().all(|bundle| bundle.first_line(&of(&["a"])).contains(&of(&["a"]))));
    }

    #[test]
    fn packages_are_read_from_the_lock_file() {
        let lock = "{\n  \"packages\": {\n    \"\": {\n    },\n    \"node_modules/@a/b\": {\n    },\n    \"node_modules/c\": {\n";
        assert_eq!(package_names(lock).collect::<Vec<_>>(), ["@a/b", "c"]);
        assert_eq!(version_of("{ \"name\": \"c\", \"version\": \"1.2.3\" }").as_deref(), Some("1.2.3"));
    }
}
