//! Function libraries: their first line and the functions they register.
use bytes::Bytes;

use super::flags::{FLAG_NAMES, ScriptFlags, first_line};
use crate::{Error, error::clipped};

/// A library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Library {
    /// From its first line; case-sensitive.
    pub name: Bytes,
    /// Its source as loaded.
    pub text: Bytes,
    /// Its functions, in order of registration.
    pub functions: Vec<Function>,
}

/// A function of a library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// As registered; lookup ignores case.
    pub name: Bytes,
    /// Its description, if it registered one.
    pub description: Option<Bytes>,
    pub(crate) flags: ScriptFlags,
}

impl Function {
    /// The names of its flags, in the order of `FUNCTION LIST`.
    pub fn flag_names(&self) -> impl Iterator<Item = &'static str> {
        FLAG_NAMES.iter().filter(|(_, flag)| self.flags.contains(*flag)).map(|(name, _)| *name)
    }
}

impl Library {
    /// A function by name, case-insensitive.
    pub fn function(&self, name: &[u8]) -> Option<&Function> {
        self.functions.iter().find(|function| function.name.eq_ignore_ascii_case(name))
    }

    /// Approximate memory in bytes, for `used_memory_functions` in `INFO`.
    pub fn bytes(&self) -> usize {
        let of_functions = |f: &Function| f.name.len().saturating_add(f.description.as_ref().map_or(0, Bytes::len));
        let functions: usize = self.functions.iter().map(of_functions).sum();
        self.name.len().saturating_add(self.text.len()).saturating_add(functions)
    }
}

impl From<::script::Function> for Function {
    fn from(function: ::script::Function) -> Function {
        let flags = function.flags.iter().filter_map(|name| ScriptFlags::named(name)).collect();
        Function { name: function.name, description: function.description, flags }
    }
}

/// The parsed first line of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LibraryHead {
    /// The library's name.
    pub name: Bytes,
}

impl LibraryHead {
    /// Parses the first line of a library (`#!lua name=mylib`).
    ///
    /// # Errors
    /// Redis' error for a first line that it refuses.
    pub fn of(text: &[u8]) -> Result<LibraryHead, Error> {
        if !text.starts_with(b"#!") {
            return Err(Error::Text("ERR Missing library metadata"));
        }
        let (engine, options) = first_line(text, "Invalid library metadata", "Invalid library metadata")?;
        let mut name = None;
        for option in options {
            let value = option.split_at_checked(5).filter(|(key, _)| key.eq_ignore_ascii_case(b"name="));
            let Some((_, value)) = value else {
                let option = clipped(&option, usize::MAX);
                return Err(Error::Message(format!("ERR Invalid metadata value given: {option}")));
            };
            if name.replace(Bytes::copy_from_slice(value)).is_some() {
                return Err(Error::Text("ERR Invalid metadata value, name argument was given multiple times"));
            }
        }
        let name = name.ok_or(Error::Text("ERR Library name was not given"))?;
        let is_good = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if name.is_empty() || !name.iter().all(is_good) {
            return Err(Error::Text(
                "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long",
            ));
        }
        let engine = engine.strip_prefix(b"#!").unwrap_or_default();
        if !engine.eq_ignore_ascii_case(b"lua") {
            return Err(Error::Message(format!("ERR Engine '{}' not found", clipped(engine, usize::MAX))));
        }
        Ok(LibraryHead { name })
    }
}
