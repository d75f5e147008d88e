//! The bounds on download sizes. They are in one file, which the browser tests read too.
use anyhow::{Context, Result};

/// The file: a line `name bytes` for each bound, comments with `#`.
pub const LIST: &str = "crates/xtask/weights.txt";

/// Bounds in bytes, compressed with brotli.
#[derive(Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Everything that the sandbox fetches before it can be used.
    pub sandbox: usize,
    /// Everything that the largest lesson fetches before its first step, including the module that runs its scripts.
    pub lesson: usize,
    /// The script editor.
    pub editor: usize,
}

/// The bounds of this build.
///
/// # Errors
/// If the file lacks one.
pub fn bounds() -> Result<Bounds> {
    parse(include_str!("../weights.txt"))
}

fn parse(text: &str) -> Result<Bounds> {
    let of = |wanted: &str| {
        let mut found = entries(text).filter(|(name, _)| *name == wanted);
        let bound = found.next().and_then(|(_, bytes)| bytes).with_context(|| format!("{LIST} has no {wanted}"))?;
        anyhow::ensure!(found.next().is_none(), "{LIST} has {wanted} twice");
        Ok(bound)
    };
    Ok(Bounds { sandbox: of("sandbox")?, lesson: of("lesson")?, editor: of("editor")? })
}

/// Name and bytes of each line; `None` where there is no number.
pub fn entries(text: &str) -> impl Iterator<Item = (&str, Option<usize>)> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (name, bytes) = line.split_once(' ').unwrap_or((line, ""));
        (name, bytes.trim().parse().ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_occurs_once() {
        assert!(bounds().is_ok());
        let whole = "# Why.\nsandbox 5\nlesson 9\neditor 1\n";
        assert_eq!(parse(whole).unwrap(), Bounds { sandbox: 5, lesson: 9, editor: 1 });
        for spoilt in ["sandbox 5\nlesson 9\n", "sandbox 5\nlesson many\neditor 1\n", &format!("{whole}lesson 12\n")] {
            assert!(parse(spoilt).is_err(), "{spoilt}");
        }
    }
}
