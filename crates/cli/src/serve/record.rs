//! `--record`: writes the session while it runs, in the text form of a timeline.
//!
//! The file is complete after each flush: its last line, which marks a complete session, is written each time and overwritten by the next
//! lines.
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use redis_model::{ClientId, Config, ScriptTime};
use rustc_hash::{FxHashMap, FxHashSet};
use world::timeline::{STEPS_MAX, TEXT_BYTES_MAX, TextLog};
use world::{ARGUMENTS_MAX, CLIENTS_MAX, ClientIndex, Input, Settings, is_good_name};

use super::Failure;

/// Maximum length of the marks of a line plus the last line of the file, in bytes.
const MARKS_BYTES_MAX: usize = 256;
/// Pending lines are written when they reach this length in bytes.
const PENDING_BYTES: usize = 64 * 1024;
/// Why a recording ends at one of the limits of a timeline.
const FULL: &str = "it holds as much as one session of the page can hold";

/// A connected client.
struct Recorded {
    index: ClientIndex,
    /// Its name in the recording.
    name: String,
    /// The name of its connection, empty at first.
    given: Bytes,
}

/// Records inputs until it is full.
pub struct Recorder {
    file: File,
    path: PathBuf,
    log: TextLog,
    script_time: ScriptTime,
    /// Up to when time has been written, in ms.
    now_ms: u64,
    /// Connected clients, by the id in the model.
    clients: FxHashMap<ClientId, Recorded>,
    /// Their names in the recording, which differ.
    names: FxHashSet<String>,
    next_client: ClientIndex,
    largest_command: u64,
    /// Lines not in the file yet.
    pending: String,
    /// Bytes in the file, without its last line.
    written: usize,
    /// Why the recording has ended, if it has.
    ended: Option<String>,
}

impl Recorder {
    /// Starts a recording at `start_ms` (Unix time in ms) of a server with this configuration.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, config: &Config, start_ms: u64) -> Result<Recorder, Failure> {
        let cannot = |error: std::io::Error| format!("cannot record to {}: {error}", path.display());
        let file = File::create_new(path).map_err(cannot)?;
        let settings = Settings {
            seed: config.seed,
            start_ms,
            maxmemory: config.maxmemory,
            proto_max_bulk_len: config.proto_max_bulk_len,
            ..Settings::default()
        };
        let mut recorder = Recorder {
            script_time: settings.script_time(),
            file,
            path: path.to_owned(),
            log: TextLog::default(),
            now_ms: start_ms,
            clients: FxHashMap::default(),
            names: FxHashSet::default(),
            next_client: 0,
            largest_command: config.proto_max_bulk_len,
            pending: TextLog::head(&settings),
            written: 0,
            ended: None,
        };
        recorder.write_out().map_err(cannot)?;
        Ok(recorder)
    }

    /// Up to when time has been written, in ms.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// How the replay counts the time of scripts.
    pub fn script_time(&self) -> ScriptTime {
        self.script_time
    }

    /// A client connected.
    pub fn connect(&mut self, now_ms: u64, client: ClientId) {
        if self.clients.len() >= CLIENTS_MAX {
            return self.end(format!("a session of the page has at most {CLIENTS_MAX} clients at a time"));
        }
        let index = self.next_client;
        self.next_client = self.next_client.saturating_add(1);
        let name = self.free_name(&default_name(index));
        self.names.insert(name.clone());
        self.clients.insert(client, Recorded { index, name: name.clone(), given: Bytes::new() });
        self.input(now_ms, &Input::Connect { client: index, name });
    }

    /// A client disconnected.
    pub fn disconnect(&mut self, now_ms: u64, client: ClientId) {
        if let Some(client) = self.clients.remove(&client) {
            self.names.remove(&client.name);
            self.input(now_ms, &Input::Disconnect { client: client.index });
        }
    }

    /// A client sent a command.
    pub fn command(&mut self, now_ms: u64, client: ClientId, argv: &[Bytes]) {
        let Some(client) = self.clients.get(&client).map(|client| client.index) else { return };
        let bytes = argv.iter().fold(0u64, |sum, word| sum.saturating_add(word.len() as u64));
        if argv.len() > ARGUMENTS_MAX || bytes > self.largest_command {
            return self.end("a command came that is larger than the page takes".to_owned());
        }
        self.input(now_ms, &Input::Command { client, argv: argv.to_vec() });
    }

    /// The connection of a client is called this now, or has no name if it is empty.
    pub fn name(&mut self, now_ms: u64, client: ClientId, given: &Bytes) {
        let Some(known) = self.clients.get_mut(&client).filter(|known| known.given != *given) else { return };
        known.given = given.clone();
        let (index, old) = (known.index, known.name.clone());
        self.names.remove(&old);
        let wanted = if given.is_empty() { default_name(index) } else { String::from_utf8_lossy(given).into_owned() };
        // Not every name can stand in a session.
        let name = Some(self.free_name(&wanted)).filter(|name| is_good_name(name)).unwrap_or_else(|| old.clone());
        self.names.insert(name.clone());
        if name != old {
            if let Some(known) = self.clients.get_mut(&client) {
                known.name.clone_from(&name);
            }
            self.input(now_ms, &Input::Rename { client: index, name });
        }
    }

    /// This name, with a number if another client has it: those of a pool are often called the same.
    fn free_name(&self, wanted: &str) -> String {
        let numbered = (2_u32..).map(|nth| format!("{wanted}-{nth}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !self.names.contains(name)).unwrap_or_default()
    }

    /// Time passed, and the model produced outputs on its own.
    pub fn advance(&mut self, now_ms: u64) {
        let Some(ms) = now_ms.checked_sub(self.now_ms).filter(|ms| *ms > 0) else { return };
        self.now_ms = now_ms;
        self.line(&Input::Advance { ms });
    }

    /// Writes the pending lines.
    pub fn flush(&mut self) {
        if let Err(error) = self.write_out() {
            self.end(error.to_string());
        }
    }

    /// Ends the recording at `now_ms`; returns a sentence about its size.
    ///
    /// # Errors
    /// If the file could not be written.
    pub fn finish(mut self, now_ms: u64) -> Result<String, Failure> {
        self.advance(now_ms);
        let written = self.write_out();
        let path = self.path.display();
        written.map_err(|error| format!("cannot record to {path}: {error}"))?;
        let (steps, kilobytes) = (self.log.steps(), self.written.div_ceil(1024));
        let why = self.ended.as_ref().map(|why| format!(" It ends early: {why}.")).unwrap_or_default();
        Ok(format!("{path} holds {steps} steps ({kilobytes} KB).{why}"))
    }

    fn input(&mut self, now_ms: u64, input: &Input) {
        self.advance(now_ms);
        self.line(input);
    }

    fn line(&mut self, input: &Input) {
        if self.ended.is_some() {
            return;
        }
        let used = self.written.saturating_add(self.pending.len());
        if self.log.steps() >= STEPS_MAX || used.saturating_add(line_bytes_max(input)) > TEXT_BYTES_MAX {
            return self.end(FULL.to_owned());
        }
        self.pending.push_str(&self.log.line(input));
        if self.pending.len() > PENDING_BYTES {
            self.flush();
        }
    }

    /// Stops recording, and prints the reason once. The server continues.
    fn end(&mut self, why: String) {
        if self.ended.is_none() {
            eprintln!("lockstep: the recording {} ends here: {why}. The server goes on.", self.path.display());
            self.ended = Some(why);
            self.flush();
        }
    }

    fn write_out(&mut self) -> std::io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        self.file.seek(SeekFrom::Start(self.written as u64))?;
        self.file.write_all((pending.clone() + &self.log.end()).as_bytes())?;
        self.written = self.written.saturating_add(pending.len());
        self.file.flush()
    }
}

fn default_name(client: ClientIndex) -> String {
    format!("c{}", client.saturating_add(1))
}

/// Maximum length of the line of an input: quoting makes up to four characters of a byte.
fn line_bytes_max(input: &Input) -> usize {
    let words = if let Input::Command { argv, .. } = input { argv.as_slice() } else { &[] };
    let quoted = |word: &Bytes| word.len().saturating_mul(4).saturating_add(3);
    words.iter().fold(MARKS_BYTES_MAX, |sum, word| sum.saturating_add(quoted(word)))
}
