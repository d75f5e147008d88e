//! The flags that a script declares in its first line (`#!lua flags=no-writes`), or a function on registration.
use bitflags::bitflags;
use bytes::Bytes;
use resp::split::split;

use crate::{Error, command::Flags, error::clipped};

bitflags! {
    /// Flags of a script or function.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) struct ScriptFlags: u8 {
        /// It calls no command that writes.
        const NO_WRITES = 1;
        /// It may run when the memory limit is reached.
        const ALLOW_OOM = 1 << 1;
        /// It may run on a replica that has lost its master.
        const ALLOW_STALE = 1 << 2;
        /// It must not run in a cluster.
        const NO_CLUSTER = 1 << 3;
        /// In a cluster it may use keys of several slots.
        const ALLOW_CROSS_SLOT_KEYS = 1 << 4;
        /// It declares nothing: an `EVAL` script without a first line of flags, for which the old rules hold.
        const COMPATIBLE = 1 << 7;
    }
}

/// Flag names, in the order in which `FUNCTION LIST` lists them.
pub(crate) const FLAG_NAMES: [(&str, ScriptFlags); 5] = [
    ("no-writes", ScriptFlags::NO_WRITES),
    ("allow-oom", ScriptFlags::ALLOW_OOM),
    ("allow-stale", ScriptFlags::ALLOW_STALE),
    ("no-cluster", ScriptFlags::NO_CLUSTER),
    ("allow-cross-slot-keys", ScriptFlags::ALLOW_CROSS_SLOT_KEYS),
];

impl ScriptFlags {
    /// The flag with this name.
    pub fn named(name: &[u8]) -> Option<ScriptFlags> {
        FLAG_NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, flag)| *flag)
    }

    /// The flags of an `EVAL` script.
    ///
    /// # Errors
    /// Its first line begins with `#!` and Redis refuses it.
    pub fn of_script(text: &[u8]) -> Result<ScriptFlags, Error> {
        if !text.starts_with(b"#!") {
            return Ok(ScriptFlags::COMPATIBLE);
        }
        let (engine, options) = first_line(text, "Invalid script shebang", "Invalid engine in script shebang")?;
        if engine.as_ref() != b"#!lua" {
            return Err(refused("Unexpected engine in script shebang", &engine));
        }
        let mut flags = ScriptFlags::empty();
        for option in &options {
            let Some(names) = option.strip_prefix(b"flags=") else {
                return Err(refused("Unknown lua shebang option", option));
            };
            for name in names.split(|byte| *byte == b',').filter(|_| !names.is_empty()) {
                flags |= ScriptFlags::named(name).ok_or_else(|| refused("Unexpected flag in script shebang", name))?;
            }
        }
        Ok(flags)
    }

    /// The flags of a command that runs a script with these flags.
    pub fn of_command(self, flags: Flags) -> Flags {
        if self.contains(ScriptFlags::COMPATIBLE) {
            return flags;
        }
        let from_script = Flags::STALE.union(Flags::DENYOOM).union(Flags::WRITE).union(Flags::MAY_REPLICATE);
        let mut flags = flags.difference(from_script);
        flags.set(Flags::DENYOOM, !self.intersects(ScriptFlags::ALLOW_OOM.union(ScriptFlags::NO_WRITES)));
        flags.set(Flags::WRITE, !self.contains(ScriptFlags::NO_WRITES));
        flags.set(Flags::STALE, self.contains(ScriptFlags::ALLOW_STALE));
        flags
    }
}

/// The words of a first line that begins with `#!`: the first word, and the others.
///
/// # Errors
/// `endless` if no line end follows, `unreadable` if its quotes do not match.
pub(super) fn first_line(
    text: &[u8],
    endless: &'static str,
    unreadable: &'static str,
) -> Result<(Bytes, Vec<Bytes>), Error> {
    let error = |why: &str| Error::Message(format!("ERR {why}"));
    // Redis reads a C string: a zero byte ends the text.
    let c_string = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let end = c_string.iter().position(|byte| *byte == b'\n').ok_or_else(|| error(endless))?;
    let mut words = split(c_string.get(..end).unwrap_or_default()).map_err(|_| error(unreadable))?;
    if words.is_empty() {
        return Err(error(unreadable));
    }
    let engine = words.remove(0);
    Ok((engine, words))
}

/// `ERR why: what`
fn refused(why: &str, what: &[u8]) -> Error {
    Error::Message(format!("ERR {why}: {}", clipped(what, usize::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_says_what_a_script_may_do() {
        let check = |text: &str, expected: Result<ScriptFlags, &str>| {
            let flags = ScriptFlags::of_script(text.as_bytes()).map_err(|error| error.to_string());
            assert_eq!(flags, expected.map_err(str::to_owned), "{text}");
        };
        check("return 1", Ok(ScriptFlags::COMPATIBLE));
        check("#!lua\nreturn 1", Ok(ScriptFlags::empty()));
        check("#!lua flags=\n", Ok(ScriptFlags::empty()));
        check("#!lua flags=no-writes,allow-oom\n", Ok(ScriptFlags::NO_WRITES | ScriptFlags::ALLOW_OOM));
        check("#!lua", Err("ERR Invalid script shebang"));
        check("#!lua \"\n", Err("ERR Invalid engine in script shebang"));
        check("#!lua flags=no-writes,\n", Err("ERR Unexpected flag in script shebang: "));
        check("#!python\n", Err("ERR Unexpected engine in script shebang: #!python"));
        check("#!lua name=x\n", Err("ERR Unknown lua shebang option: name=x"));
    }

    #[test]
    fn flags_of_a_script_replace_those_of_its_command() {
        let command = Flags::MAY_REPLICATE.union(Flags::NOSCRIPT).union(Flags::STALE);
        assert_eq!(ScriptFlags::COMPATIBLE.of_command(command), command);
        assert_eq!(ScriptFlags::NO_WRITES.of_command(command), Flags::NOSCRIPT);
        assert_eq!(ScriptFlags::empty().of_command(command), Flags::NOSCRIPT.union(Flags::WRITE).union(Flags::DENYOOM));
        assert_eq!(ScriptFlags::ALLOW_OOM.of_command(command), Flags::NOSCRIPT.union(Flags::WRITE));
    }
}
