//! Scripts and functions: what the server stores of them, and running them.
//!
//! ```text
//!   EVAL, EVALSHA ── cache: SHA-1 → text ──┐
//!                                          ├─ Task ── run.rs ── Job ──▶ the installed script VM
//!   FCALL ── libraries: name → text ───────┘            ▲                     │ redis.call
//!                                                       └── host.rs ◀─────────┘
//!                                                              │ the rules of scripts, then the command's handler
//!   a script that takes time ── busy.rs: the server is busy from now on, until its end or SCRIPT KILL
//!   one that takes long in real time ── rehearsal.rs: where nothing may block, it runs ahead in slices
//! ```
//!
//! The server stays a value: cache and libraries are texts, and the VM that runs them is shared (`engine.rs`). A run is a function of
//! its text, its arguments and the server, so the same input has the same outputs wherever and however often it runs.
//!
//! Two things differ from Redis because of that:
//! - Each call of a function finds its library as if it had just been loaded. Upvalues of functions are lost after the call; in Redis
//!   they live until the library is replaced. (The VM reloads a library only if its functions store something.)
//! - A script takes the time that its instructions take (`time.rs`), in whole milliseconds; one that has spent its budget of
//!   instructions counts as one that never ends. `TIME` stands still in a script; in Redis 7.0 it advances.
mod busy;
mod dump;
pub mod engine;
mod flags;
mod host;
mod library;
mod outcome;
pub mod rehearsal;
mod run;
mod time;

use std::{collections::BTreeMap, rc::Rc};

use bytes::Bytes;
use sha1::{Digest, Sha1};

pub use busy::Busy;
pub(crate) use busy::{RestOfQueue, busy_with};
pub(crate) use dump::{from_payload, to_payload};
pub(crate) use flags::ScriptFlags;
pub(crate) use host::holds_error;
pub(crate) use library::LibraryHead;
pub use library::{Function, Library};
pub(crate) use run::Task;
pub use time::{INSTRUCTIONS_MAX, INSTRUCTIONS_PER_MS, ScriptTime};

use crate::{Error, Server};

/// Maximum total size of the cached scripts in bytes. Redis has no such limit, but a page needs one.
const CACHE_BYTES_MAX: usize = 64 << 20;

/// Hexadecimal digits of a SHA-1.
pub(crate) const SHA_LEN: usize = 40;

/// The SHA-1 of a script's text in hexadecimal digits, its name in the cache.
pub(crate) fn sha_of(text: &[u8]) -> Bytes {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    let mut hex = [0; 40];
    for (pair, byte) in hex.as_chunks_mut().0.iter_mut().zip(Sha1::digest(text)) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    Bytes::copy_from_slice(&hex)
}

/// A script in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Script {
    /// Its SHA-1, in lower case.
    pub sha: Bytes,
    pub text: Bytes,
    pub flags: ScriptFlags,
}

/// Scripts and libraries of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Scripts {
    /// Cached scripts by SHA-1, in lower case.
    cache: BTreeMap<Bytes, Rc<Script>>,
    /// Cached scripts by text: comparing texts costs less than a SHA-1, and every `EVAL` looks up its text.
    by_text: BTreeMap<Bytes, Rc<Script>>,
    /// Bytes of the texts in the cache.
    cached_bytes: usize,
    libraries: BTreeMap<Bytes, Rc<Library>>,
    /// Maps each function's name, in lower case, to the name of its library.
    functions: BTreeMap<Bytes, Bytes>,
}

impl Scripts {
    /// A cached script by SHA-1, case-insensitive.
    pub fn cached(&self, sha: &[u8]) -> Option<&Rc<Script>> {
        let mut lower: [u8; SHA_LEN] = sha.try_into().ok()?;
        lower.make_ascii_lowercase();
        self.cache.get(lower.as_slice())
    }

    /// A cached script by its text.
    pub fn cached_text(&self, text: &[u8]) -> Option<&Rc<Script>> {
        self.by_text.get(text)
    }

    /// Number of scripts in the cache.
    pub fn cached_len(&self) -> usize {
        self.cache.len()
    }

    /// Bytes of the cached scripts with their names.
    pub const fn cached_bytes(&self) -> usize {
        self.cached_bytes
    }

    /// Caches a script, which must compile.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the cache is full.
    pub fn cache(&mut self, script: Script) -> Result<Rc<Script>, Error> {
        let bytes = self.cached_bytes.saturating_add(script.text.len()).saturating_add(SHA_LEN);
        if bytes > CACHE_BYTES_MAX {
            return Err(Error::OutOfMemory);
        }
        let script = Rc::new(script);
        self.by_text.insert(script.text.clone(), Rc::clone(&script));
        if self.cache.insert(script.sha.clone(), Rc::clone(&script)).is_none() {
            self.cached_bytes = bytes;
        }
        Ok(script)
    }

    /// Removes all cached scripts.
    pub fn flush_cache(&mut self) {
        self.cache.clear();
        self.by_text.clear();
        self.cached_bytes = 0;
    }

    /// The libraries, by name.
    pub fn libraries(&self) -> impl ExactSizeIterator<Item = &Rc<Library>> {
        self.libraries.values()
    }

    /// A library by name, case-sensitive.
    pub fn library(&self, name: &[u8]) -> Option<&Rc<Library>> {
        self.libraries.get(name)
    }

    /// Number of functions of all libraries.
    pub fn functions_len(&self) -> usize {
        self.libraries.values().map(|library| library.functions.len()).sum()
    }

    /// The library with a function of this name, case-insensitive.
    pub fn library_of(&self, function: &[u8]) -> Option<&Rc<Library>> {
        let library = if function.iter().any(u8::is_ascii_uppercase) {
            self.functions.get(function.to_ascii_lowercase().as_slice())
        } else {
            self.functions.get(function)
        };
        self.libraries.get(library?)
    }

    /// Adds a library, replacing one of the same name.
    ///
    /// # Errors
    /// Another library has a function of the same name; then nothing has changed.
    pub fn add_library(&mut self, library: Rc<Library>) -> Result<(), Error> {
        let key = |name: &Bytes| Bytes::from(name.to_ascii_lowercase());
        for function in &library.functions {
            if self.functions.get(&key(&function.name)).is_some_and(|owner| *owner != library.name) {
                let name = String::from_utf8_lossy(&function.name);
                return Err(Error::Message(format!("ERR Function {name} already exists")));
            }
        }
        self.delete_library(&library.name);
        for function in &library.functions {
            self.functions.insert(key(&function.name), library.name.clone());
        }
        self.libraries.insert(library.name.clone(), library);
        Ok(())
    }

    /// Deletes a library; false if there is none of that name.
    pub fn delete_library(&mut self, name: &[u8]) -> bool {
        self.functions.retain(|_, owner| owner != name);
        self.libraries.remove(name).is_some()
    }

    /// Deletes all libraries.
    pub fn flush_libraries(&mut self) {
        self.libraries.clear();
        self.functions.clear();
    }

    /// Verifies the redundant indexes and counts.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        let counted: usize = self.cache.values().map(|script| script.text.len().saturating_add(SHA_LEN)).sum();
        if counted != self.cached_bytes {
            return Err(format!("the script cache knows {} bytes and has {counted}", self.cached_bytes));
        }
        if let Some((sha, _)) =
            self.cache.iter().find(|(sha, script)| **sha != sha_of(&script.text) || **sha != script.sha)
        {
            return Err(format!("the script {sha:?} has another SHA-1"));
        }
        let by_text = self.cache.values().map(|script| (script.text.clone(), Rc::clone(script)));
        if by_text.collect::<BTreeMap<_, _>>() != self.by_text {
            return Err("the index of texts is not that of the cached scripts".to_owned());
        }
        let of_libraries = self.libraries.values().flat_map(|library| {
            library.functions.iter().map(|f| (Bytes::from(f.name.to_ascii_lowercase()), library.name.clone()))
        });
        if of_libraries.collect::<BTreeMap<_, _>>() != self.functions {
            return Err("the index of functions is not that of the libraries".to_owned());
        }
        Ok(())
    }
}

/// The SHA-1 under which a server caches a script, in hexadecimal digits.
pub fn script_sha(text: &[u8]) -> Bytes {
    sha_of(text)
}

impl Server {
    /// The cached scripts in order of their SHA-1, as (SHA-1, text).
    pub fn cached_scripts(&self) -> impl ExactSizeIterator<Item = (&Bytes, &Bytes)> {
        self.scripts.cache.iter().map(|(sha, script)| (sha, &script.text))
    }

    /// The libraries of functions, by name.
    pub fn function_libraries(&self) -> impl ExactSizeIterator<Item = &Library> {
        self.scripts.libraries().map(AsRef::as_ref)
    }

    /// Scripts and libraries, mutable.
    pub(crate) fn scripts_mut(&mut self) -> &mut Scripts {
        &mut self.scripts
    }

    /// The script that keeps the server busy, if any.
    pub fn busy(&self) -> Option<&Busy> {
        self.busy.as_deref()
    }
}
