//! The text form of a timeline: for links, files and the browser's storage.
//!
//! ```text
//! lockstep 1
//! seed 7
//! start 1767268800000
//! maxmemory 67108864
//! proto-max-bulk-len 16777216
//! node r1 none         version 2: the nodes and their durability, unless there is only one node without a disk
//! node r2 always
//!
//! + a 0                client 0 appears, named a
//! + b 1
//! a> SET lock t1 NX PX 3000
//! @+3001ms             time passes
//! ^ 3                  the next step follows step 3, not the last one
//! b> GET lock
//! b!                   Ctrl-C
//! b= bob               b is renamed to bob
//! b< load "sleep(5)"   b gets a program; other acts on it, `step 0`, `crash` …, look the same
//! @serve 0             the event loop executes a request
//! @watch checks        the world watches a property
//! - bob                bob leaves
//! a@ 1                 version 2: a switches to node 1
//! @crash 1             version 2: node 1 crashes
//! @restart 1           version 2: it restarts with the data on its disk
//! @clock 1 +5000ms     version 2: its clock jumps ahead
//! @traffic begin items 500       version 2: traffic begins; `@traffic step` runs its next event, `@traffic crash 3` and
//!                                `@traffic restart` are for its machines
//! end 8 at 5 of 8      number of steps, position of the cursor, and length of its path
//! ```
//!
//! The lines of clients look as in golden scripts, with words quoted as in redis-cli. A line uses the client's name at that point of its
//! path. The last line proves that the text is complete. Version 2 is written only if version 1 cannot express the session.
use std::{fmt, fmt::Write as _};

use resp::split;

use super::lines::Names;
use super::stretch::Stretch;
use super::{STEPS_MAX, StepId, Timeline};
use crate::traffic::TrafficAct;
use crate::{Engines, Input, NodeSettings, Settings, StepError, World, node};

/// The newest supported version.
pub const TEXT_VERSION: u32 = 2;
/// Maximum length of a text, in bytes.
pub const TEXT_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Why a text is not a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// Not a Lockstep session.
    Foreign,
    /// Written by a newer version.
    NewerVersion {
        /// Its version.
        version: u32,
    },
    /// The last line is missing or does not match the rest.
    Truncated,
    /// Longer than [`TEXT_BYTES_MAX`], or with more steps than a timeline can hold.
    TooLarge,
    /// An invalid line.
    BadLine {
        /// Its number, from 1.
        line: usize,
    },
    /// A step that the world rejects.
    BadStep {
        /// The number of its line, from 1.
        line: usize,
        /// The reason.
        why: StepError,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Foreign => f.write_str("this is not a Lockstep session"),
            TextError::NewerVersion { version } => {
                write!(f, "this session was written by a later Lockstep (format {version}, known up to {TEXT_VERSION})")
            }
            TextError::Truncated => f.write_str("the end of this session is missing"),
            TextError::TooLarge => f.write_str("this session is too large"),
            TextError::BadLine { line } => write!(f, "line {line} is not understood"),
            TextError::BadStep { line, why } => write!(f, "line {line}: {why}"),
        }
    }
}

impl std::error::Error for TextError {}

impl Timeline {
    /// The text form: the steps of all branches, and the cursor's position.
    pub fn to_text(&self) -> String {
        self.to_stored_text().0
    }

    /// The version that the steps after `after` need.
    pub(super) fn version_since(&self, after: StepId) -> u32 {
        let mut steps = (after.saturating_add(1)..=self.tree.newest()).filter_map(|id| self.step(id));
        if steps.any(|step| step.input.is_of_version_2()) { 2 } else { 1 }
    }

    /// Appends the lines of the steps after `after`, up to `to`.
    pub(super) fn write_steps(&self, out: &mut String, names: &mut Names, after: StepId, to: StepId) {
        let mut previous = after;
        for id in after.saturating_add(1)..=to {
            let Some(step) = self.step(id) else { break };
            if step.parent != previous {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "^ {}", step.parent);
            }
            let _ = writeln!(out, "{}", names.line(step.parent, id, &step.input));
            previous = id;
        }
    }

    pub(super) fn last_line(&self) -> String {
        end(self.step_count(), self.cursor(), self.path.last().copied().unwrap_or(0))
    }

    /// Does a replay of this text need a machine that runs scripts? If so, install it before [`Timeline::from_text`]. Text that is not a
    /// session needs none.
    ///
    /// ```
    /// use world::Timeline;
    /// assert!(!Timeline::text_needs_machine("lockstep 1\n\n+ a 0\na> PING\nend 2 at 2 of 2\n"));
    /// assert!(Timeline::text_needs_machine("lockstep 1\n\n+ a 0\na> EVAL \"return 1\" 0\nend 2 at 2 of 2\n"));
    /// ```
    pub fn text_needs_machine(text: &str) -> bool {
        let needs_machine = |line: &str| {
            let argv = |words: &str| split::split(words.as_bytes()).ok();
            let is_script = |(_, words)| argv(words).is_some_and(|argv| redis_model::command::needs_machine(&argv));
            let is_program = |(name, act): (&str, &str)| !name.contains(['>', '=']) && act.starts_with("load ");
            let is_traffic = || line.starts_with("@traffic begin") && line.contains(" lua ");
            is_traffic()
                || line.split_once("> ").is_some_and(is_script)
                || line.split_once("< ").is_some_and(is_program)
        };
        text.lines().any(needs_machine)
    }

    /// Parses the text form and replays it in one go.
    ///
    /// # Errors
    /// [`TextError`]
    pub fn from_text(text: &str, engines: &Engines) -> Result<Timeline, TextError> {
        let mut reading = Reading::begin(text, engines)?;
        loop {
            if let Some(timeline) = reading.take_line()? {
                return Ok(timeline);
            }
        }
    }
}

/// Reads a session's text one line at a time, so that the caller can pause between lines.
/// Use [`Timeline::from_text`] to read it in one go.
///
/// ```
/// use world::{Engines, Input, Settings, Timeline, timeline::Reading};
/// let mut timeline = Timeline::new(Settings::default());
/// timeline.push(Input::Connect { client: 0, name: "a".into() })?;
/// let text = timeline.to_text();
/// let mut reading = Reading::begin(&text, &Engines::default())?;
/// assert_eq!(reading.take_line()?, None);
/// assert_eq!(reading.take_line()?, Some(timeline));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Reading<'a> {
    version: u32,
    lines: std::str::Lines<'a>,
    /// The number of the last line read, from 1.
    line: usize,
    timeline: Timeline,
    names: Names,
    /// The parent of the next step.
    parent: StepId,
    /// The running stretch of traffic.
    stretch: Option<Stretch>,
}

/// The first word of lines about traffic.
const TRAFFIC: &str = "@traffic";

/// Maximum number of traffic events in one call of [`Reading::take_line`].
const EVENTS_AT_ONCE: u64 = 5_000;

impl<'a> Reading<'a> {
    /// Reads the header: the version and the settings.
    ///
    /// # Errors
    /// [`TextError`]
    pub fn begin(text: &'a str, engines: &Engines) -> Result<Reading<'a>, TextError> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(TextError::TooLarge);
        }
        let (mut lines, mut line) = (text.lines(), 1_usize);
        let first = lines.next().ok_or(TextError::Foreign)?;
        let version: u32 =
            first.strip_prefix("lockstep ").and_then(|v| v.trim().parse().ok()).ok_or(TextError::Foreign)?;
        if version > TEXT_VERSION {
            return Err(TextError::NewerVersion { version });
        }
        let mut settings = Settings { script_rate: 0, nodes: Vec::new(), ..Settings::default() };
        for text in lines.by_ref() {
            line = line.saturating_add(1);
            if text.is_empty() {
                break;
            }
            read_setting(&mut settings, version, text).ok_or(TextError::BadLine { line })?;
        }
        Ok(Reading {
            version,
            lines,
            line,
            timeline: Timeline::with_engines(settings, engines),
            names: Names::default(),
            parent: 0,
            stretch: None,
        })
    }

    /// Reads one line and applies its step; a long stretch of traffic takes several calls. Returns the timeline after the last line,
    /// otherwise `None`.
    ///
    /// # Errors
    /// [`TextError`]
    pub fn take_line(&mut self) -> Result<Option<Timeline>, TextError> {
        self.take_some(EVENTS_AT_ONCE)
    }

    /// Like [`Reading::take_line`], with this maximum number of traffic events.
    ///
    /// # Errors
    /// [`TextError`]
    pub fn take_some(&mut self, events_max: u64) -> Result<Option<Timeline>, TextError> {
        if let Some(stretch) = &mut self.stretch {
            if stretch.run(events_max) {
                self.end_stretch()?;
            }
            return Ok(None);
        }
        // A rehearsal that must be repeated discards its result: stop early.
        let next = self.lines.next().filter(|_| !self.timeline.world().engines().scripts.is_void());
        let text = next.ok_or(TextError::Truncated)?;
        self.line = self.line.saturating_add(1);
        if let Some(rest) = text.strip_prefix("end ") {
            let read = std::mem::replace(&mut self.timeline, Timeline::new(Settings::default()));
            return finish(read, rest).ok_or(TextError::Truncated).map(Some);
        }
        if !text.is_empty() && !text.starts_with('#') {
            self.take(text)?;
        }
        Ok(None)
    }

    fn take(&mut self, text: &str) -> Result<(), TextError> {
        let line = self.line;
        if let Some(parent) = text.strip_prefix("^ ") {
            let parent = parent.trim().parse().ok().filter(|id| *id == 0 || self.timeline.step(*id).is_some());
            self.parent = parent.ok_or(TextError::BadLine { line })?;
            return Ok(());
        }
        let input = self.names.input(self.parent, text).filter(|input| self.version >= 2 || !input.is_of_version_2());
        let input = input.ok_or(TextError::BadLine { line })?;
        if self.timeline.step_count() >= STEPS_MAX {
            return Err(TextError::TooLarge);
        }
        let parent = self.parent;
        if self.timeline.cursor() != parent {
            self.timeline.go_to(parent);
        }
        let stretch = match input {
            Input::Advance { ms } if self.timeline.world().traffic().is_some() => Some(self.timeline.stretch(ms)),
            Input::Traffic { act: TrafficAct::Step } => Some(self.timeline.stretch_of_event()),
            _ => None,
        };
        if let Some(stretch) = stretch {
            self.stretch = Some(stretch.map_err(|why| TextError::BadStep { line, why })?);
            return Ok(());
        }
        let id = self.timeline.push_exactly(input).map_err(|why| TextError::BadStep { line, why })?;
        if let Some(step) = self.timeline.step(id) {
            self.names.note(parent, id, &step.input);
        }
        self.parent = id;
        Ok(())
    }

    /// Adds a finished stretch as the step of its line.
    fn end_stretch(&mut self) -> Result<(), TextError> {
        let line = self.line;
        if let Some(stretch) = self.stretch.take() {
            let id = self.timeline.append_stretch(stretch).ok_or(TextError::BadLine { line })?;
            self.parent = id.map_err(|why| TextError::BadStep { line, why })?;
            if let Some(step) = self.timeline.step(self.parent) {
                self.names.note(step.parent, self.parent, &step.input);
            }
        }
        Ok(())
    }

    /// The number of items that the next line puts into the table of a database, if they are many and the table is not prepared yet.
    pub fn items_to_fill(&self) -> Option<u32> {
        let text = self.lines.clone().next().filter(|text| self.stretch.is_none() && text.starts_with(TRAFFIC))?;
        self.timeline.world().items_to_fill(&self.names.input(self.parent, text)?)
    }

    /// The stretch of traffic in progress.
    pub fn stretch(&self) -> Option<&Stretch> {
        self.stretch.as_ref()
    }
}

/// Writes a session while it runs, one line per input: the text form of a timeline without branches.
///
/// ```
/// use world::{Engines, Input, Settings, Timeline, timeline::TextLog};
/// let mut log = TextLog::default();
/// let mut text = TextLog::head(&Settings::default());
/// text += &log.line(&Input::Connect { client: 0, name: "a".into() });
/// text += &log.line(&Input::Command { client: 0, argv: vec!["SET".into(), "k".into(), "two words".into()] });
/// text += &log.end();
/// let timeline = Timeline::from_text(&text, &Engines::default())?;
/// assert_eq!(timeline.to_text(), text);
/// # Ok::<(), world::timeline::TextError>(())
/// ```
#[derive(Default)]
pub struct TextLog {
    names: Names,
    steps: StepId,
}

impl TextLog {
    /// The lines before the first input.
    pub fn head(settings: &Settings) -> String {
        head(settings, 1)
    }

    /// The line of the next input, with its line feed.
    pub fn line(&mut self, input: &Input) -> String {
        let parent = self.steps;
        self.steps = self.steps.saturating_add(1);
        let mut line = self.names.line(parent, self.steps, input);
        line.push('\n');
        line
    }

    /// Number of inputs written.
    pub fn steps(&self) -> usize {
        usize::try_from(self.steps).unwrap_or(usize::MAX)
    }

    /// The last line for the current state, with its line feed.
    pub fn end(&self) -> String {
        end(self.steps(), self.steps, self.steps)
    }
}

/// `least`: the minimum version that the inputs need.
pub(super) fn head(settings: &Settings, least: u32) -> String {
    let Settings { seed, start_ms, maxmemory, proto_max_bulk_len, script_rate, script_bound, nodes } = settings;
    let scripts = match script_rate {
        0 => String::new(),
        rate => format!("script-rate {rate}\nscript-bound {script_bound}\n"),
    };
    let is_single = nodes.is_empty() || *nodes == [NodeSettings::default()];
    let version = if is_single { least } else { 2 };
    let nodes = if is_single { String::new() } else { node::lines::head(nodes) };
    format!(
        "lockstep {version}\nseed {seed}\nstart {start_ms}\nmaxmemory {maxmemory}\n\
         proto-max-bulk-len {proto_max_bulk_len}\n{scripts}{nodes}\n"
    )
}

fn end(steps: usize, cursor: StepId, end: StepId) -> String {
    format!("end {steps} at {cursor} of {end}\n")
}

fn read_setting(settings: &mut Settings, version: u32, line: &str) -> Option<()> {
    let (name, value) = line.split_once(' ')?;
    if name == "node" && version >= 2 {
        return node::lines::take(settings, value);
    }
    let value = value.trim().parse().ok()?;
    match name {
        "seed" => settings.seed = value,
        "start" => settings.start_ms = value,
        "maxmemory" => settings.maxmemory = value,
        "proto-max-bulk-len" => settings.proto_max_bulk_len = value,
        "script-rate" => settings.script_rate = value,
        "script-bound" => settings.script_bound = value,
        _ => return None,
    }
    Some(())
}

/// Moves the cursor as the last line says: `8 at 5 of 8`.
fn finish(mut timeline: Timeline, rest: &str) -> Option<Timeline> {
    let mut words = rest.split(' ');
    let count: usize = words.next()?.parse().ok()?;
    let cursor: StepId = words.nth(1)?.parse().ok()?;
    let end: StepId = words.nth(1)?.parse().ok()?;
    if count != timeline.step_count() {
        return None;
    }
    if end == 0 {
        timeline.go_to(0);
        return (cursor == 0).then_some(timeline);
    }
    if !timeline.switch_to(end) {
        return None;
    }
    let position = match cursor {
        0 => 0,
        _ => {
            let position = timeline.step(cursor)?.depth as usize;
            let is_on_path = timeline.id_at(position.checked_sub(1)?) == Some(cursor);
            is_on_path.then_some(position)?
        }
    };
    timeline.seek(position);
    Some(timeline)
}

impl Timeline {
    /// Moves the cursor after any step, where the path then ends.
    pub(super) fn go_to(&mut self, id: StepId) {
        if id == 0 {
            self.seek(0);
            self.path.truncate(0);
        } else {
            self.switch_to(id);
        }
    }

    /// Takes an input as a separate step, never merged with its neighbours.
    pub(super) fn push_exactly(&mut self, input: Input) -> Result<StepId, StepError> {
        let mut world = World::clone(&self.world);
        let events = world.step(&input)?;
        self.append(input, events, world)
    }
}
