//! trunk and wasm-bindgen, which cargo compiles: found in the right version, or installed.
use super::{say_found, say_installing};
use crate::{paths, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The bundler's version. 0.22 asks for a newer rustc than `rust-toolchain.toml` names.
const TRUNK_VERSION: &str = "0.21.14";

/// Compile options for both: they halve the compile time of the tools, which work as fast on the page.
const PROFILE: [(&str, &str); 4] = [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "64"), ("DEBUG", "0")];

/// A program that `cargo install` provides.
pub struct CargoTool {
    /// Name of the program.
    program: &'static str,
    /// Name of the package that contains it.
    package: &'static str,
    /// The exact version required.
    version: String,
    /// Use the package's own lock file? That of wasm-bindgen-cli names crates that a mirror of the registry may not have yet, so its
    /// versions are resolved again.
    locked: bool,
    /// Its purpose and how long it takes to compile, as a sentence.
    why: &'static str,
}

/// The result of looking in one folder.
#[derive(Debug, PartialEq)]
enum Lookup {
    Right,
    Other(String),
    Nothing,
}

/// The bundler.
pub fn trunk() -> CargoTool {
    CargoTool {
        program: "trunk",
        package: "trunk",
        version: TRUNK_VERSION.to_owned(),
        locked: true,
        why: "the bundler that compiles the page, puts its files together and serves them. Compiling it takes 3 to 10 minutes, once",
    }
}

/// The generator of the glue between wasm and JavaScript. It must have exactly the version that the page is compiled against.
pub fn wasm_bindgen_of_lock_file() -> Result<CargoTool> {
    let lock = fs::read_to_string(paths::root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let version = locked_version(&lock, "wasm-bindgen")
        .context("Cargo.lock names no wasm-bindgen: is this the whole project?")?;
    Ok(CargoTool {
        program: "wasm-bindgen",
        package: "wasm-bindgen-cli",
        version,
        locked: false,
        why: "writes the JavaScript through which a browser calls the compiled page; it must be of the version in Cargo.lock. \
              Compiling it takes 1 to 4 minutes, once",
    })
}

impl CargoTool {
    /// The path of the program in the right version; installs it if it is missing.
    pub fn ensure(&self) -> Result<PathBuf> {
        let mut others = Vec::new();
        for folder in self.places() {
            let program = folder.join(self.program);
            match self.look_at(&program) {
                Lookup::Right => {
                    say_found(&format!("{} {}", self.program, self.version), &program);
                    return Ok(program);
                }
                Lookup::Other(version) => others.push((program, version)),
                Lookup::Nothing => {}
            }
        }
        for (program, version) in &others {
            println!(
                "  found    {} {version} ({}), but {} is wanted; it stays where it is",
                self.program,
                program.display(),
                self.version
            );
        }
        self.install(!others.is_empty())
    }

    /// Folders to search: this user's cache for exactly this version first, then the search path.
    fn places(&self) -> Vec<PathBuf> {
        let mut places: Vec<PathBuf> = self.own_root().map(|root| root.join("bin")).into_iter().collect();
        places.extend(paths::search_path());
        places
    }

    /// The folder for this version if another version occupies the usual folder.
    fn own_root(&self) -> Option<PathBuf> {
        paths::tool_cache().map(|cache| cache.join(format!("{}-{}", self.program, self.version)))
    }

    fn look_at(&self, program: &Path) -> Lookup {
        if !program.is_file() {
            return Lookup::Nothing;
        }
        let line = run::first_line(Command::new(program).arg("--version")).unwrap_or_default();
        // `trunk 0.21.14`, `wasm-bindgen 0.2.130 (a1b2c3)`
        match line.split_whitespace().nth(1) {
            Some(version) if version == self.version => Lookup::Right,
            Some(version) => Lookup::Other(version.to_owned()),
            None => Lookup::Other("of an unknown version".to_owned()),
        }
    }

    fn install(&self, place_is_taken: bool) -> Result<PathBuf> {
        say_installing(&format!("{} {}", self.program, self.version), self.why);
        let root = if place_is_taken { self.own_root() } else { paths::tools_override() };
        let bin = root
            .as_ref()
            .map(|root| root.join("bin"))
            .or_else(paths::cargo_bin)
            .context("this user has no home folder")?;
        let label = format!("cargo install {}", self.package);
        run::step(&label, &mut self.install_command(root.as_deref()), Duration::from_secs(45 * 60))
            .with_context(|| format!("{} {} is missing and cargo could not install it", self.program, self.version))?;
        if root.is_some() {
            println!("           it is in {}; for a bare `trunk serve` put that folder first in PATH", bin.display());
        }
        Ok(bin.join(self.program))
    }

    fn install_command(&self, root: Option<&Path>) -> Command {
        let mut command = Command::new(paths::cargo());
        command.args(["install", self.package, "--version", &format!("={}", self.version)]);
        if self.locked {
            command.arg("--locked");
        }
        if let Some(root) = root {
            command.arg("--root").arg(root);
        }
        // The tool belongs to this machine, not to the project: use neither our target folder nor our flags.
        command
            .current_dir(paths::root())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS");
        command.envs(PROFILE.map(|(setting, value)| (format!("CARGO_PROFILE_RELEASE_{setting}"), value)));
        command
    }
}

/// The version of a package in the text of a `Cargo.lock`.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn fake_program(says: &str) -> PathBuf {
        let name: String = says.chars().filter(char::is_ascii_alphanumeric).collect();
        let folder = std::env::temp_dir().join(format!("xtask-fake-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("trunk");
        fs::write(&program, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    #[test]
    fn only_the_right_version_is_accepted() {
        let tool = trunk();
        assert_eq!(tool.look_at(&fake_program("trunk 0.21.14")), Lookup::Right);
        assert_eq!(tool.look_at(&fake_program("trunk 0.21.14 (a1b2c3d)")), Lookup::Right);
        assert_eq!(tool.look_at(&fake_program("trunk 0.21.1")), Lookup::Other("0.21.1".to_owned()));
        assert_eq!(tool.look_at(&fake_program("trunk 0.22.1")), Lookup::Other("0.22.1".to_owned()));
        assert_eq!(tool.look_at(&fake_program("")), Lookup::Other("of an unknown version".to_owned()));
        assert_eq!(tool.look_at(Path::new("no/such/trunk")), Lookup::Nothing);
    }

    #[test]
    fn the_version_comes_from_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "yew"), None);
    }

    #[test]
    fn another_version_is_not_replaced() {
        let words = |command: &Command| run::shown(command);
        let plain = trunk().install_command(None);
        assert!(words(&plain).ends_with("install trunk --version =0.21.14 --locked"), "{}", words(&plain));
        let beside = trunk().install_command(Some(Path::new("cache/trunk-0.21.14")));
        assert!(words(&beside).ends_with("--locked --root cache/trunk-0.21.14"), "{}", words(&beside));
    }
}
