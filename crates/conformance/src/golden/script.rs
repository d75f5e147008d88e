//! Golden scripts as text: parsing, and writing back with new expectations.
use std::fmt;

use bytes::Bytes;
use resp::Protocol;
use resp::split::{Repeat, SplitError, split};

/// A parsed script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// `! config` lines of the head: name, value.
    pub config: Vec<(String, String)>,
    /// `! resp` lines of the head: client (`None` for all), protocol.
    pub protocols: Vec<(Option<String>, Protocol)>,
    /// The target to which the whole script is limited, and why.
    pub only: Option<Only>,
    /// Steps and the lines between them, in order.
    pub items: Vec<Item>,
}

/// A part of a script.
#[derive(Clone, Debug)]
pub enum Item {
    /// A comment, directive or empty line, kept unchanged.
    Text(String),
    /// An input and the expected output of all clients.
    Step(Box<Step>),
}

/// An input with its expectation.
#[derive(Clone, Debug)]
pub struct Step {
    /// Number of its line, from 1.
    pub line: usize,
    /// The line as written.
    pub text: String,
    /// The action of the step.
    pub action: Action,
    /// How the reply of the sender is sorted before it is compared.
    pub order: ReplyOrder,
    /// The target to which the step is limited.
    pub only: Option<Only>,
    /// The expected lines, escapes removed.
    pub expected: Vec<Expected>,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `a> INCR x`, possibly repeated.
    Command {
        /// The client that sends it.
        client: String,
        /// The split line, repeat count removed.
        argv: Vec<Bytes>,
        /// The number of repetitions.
        times: u64,
    },
    /// `@+1500ms`
    Advance {
        /// The duration in ms.
        by_ms: u64,
    },
    /// `! disconnect b`
    Disconnect {
        /// The client to disconnect.
        client: String,
    },
}

/// One expected line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Exactly this.
    Text(String),
    /// `~ …`: a pattern.
    Pattern(String),
}

/// `! unordered …`: the part of a reply that has no defined order in Redis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyOrder {
    /// The whole reply is ordered.
    #[default]
    Kept,
    /// Its elements are unordered.
    Items,
    /// Its elements form pairs, which are unordered.
    Pairs,
    /// As `Items`, of the array behind a cursor.
    ScanItems,
    /// As `Pairs`, of the array behind a cursor.
    ScanPairs,
    /// All arrays in it are unordered.
    Deep,
}

/// The only target on which a script or step may run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// `! model-only reason`
    Model(String),
    /// `! real-only reason`
    Real(String),
}

/// An error in the text of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The kind of error.
    pub kind: ScriptErrorKind,
}

/// The kinds of errors in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptErrorKind {
    /// Output before any input.
    OutputWithoutStep,
    /// A directive that is unknown or malformed.
    BadDirective,
    /// A directive of the head after the first step.
    LateDirective,
    /// `@+` without a number and a unit.
    BadTime,
    /// A command line with unbalanced quotes.
    BadQuotes(SplitError),
    /// A client's line without a command, or with a bad repeat count.
    NoCommand,
    /// `! unordered` or `! …-only` without a following step.
    DanglingDirective,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.kind {
            ScriptErrorKind::OutputWithoutStep => "output before any command",
            ScriptErrorKind::BadDirective => "unknown directive",
            ScriptErrorKind::LateDirective => "this directive belongs before the first command",
            ScriptErrorKind::BadTime => "a time is written as @+1500ms or @+2s",
            ScriptErrorKind::NoCommand => "no command, or a bad repeat count",
            ScriptErrorKind::DanglingDirective => "the directive has no command behind it",
            ScriptErrorKind::BadQuotes(error) => return write!(f, "line {}: {error}", self.line),
        };
        write!(f, "line {}: {text}", self.line)
    }
}

impl std::error::Error for ScriptError {}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// [`ScriptError`] with the number of the line that does not parse.
    pub fn parse(text: &str) -> Result<Script, ScriptError> {
        let mut parser = Parser::default();
        for (nth, line) in text.lines().enumerate() {
            let number = nth.saturating_add(1);
            parser.line(number, line).map_err(|kind| ScriptError { line: number, kind })?;
        }
        if parser.order != ReplyOrder::Kept || parser.only.is_some() {
            let kind = ScriptErrorKind::DanglingDirective;
            return Err(ScriptError { line: text.lines().count(), kind });
        }
        Ok(parser.script)
    }

    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.items.iter().filter_map(|item| match item {
            Item::Step(step) => Some(step.as_ref()),
            Item::Text(_) => None,
        })
    }

    /// The initial protocol of a client.
    pub fn protocol(&self, client: &str) -> Protocol {
        let of = |wanted: Option<&str>| {
            self.protocols.iter().rev().find(|(name, _)| name.as_deref() == wanted).map(|(_, protocol)| *protocol)
        };
        of(Some(client)).or_else(|| of(None)).unwrap_or_default()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            match item {
                Item::Text(line) => writeln!(f, "{line}")?,
                Item::Step(step) => {
                    writeln!(f, "{}", step.text)?;
                    for expected in &step.expected {
                        writeln!(f, "{expected}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Pattern(pattern) => write!(f, "~ {pattern}"),
            // Output that would parse as another kind of line is escaped by a backslash.
            Expected::Text(text) if needs_escape(text) => write!(f, "\\{text}"),
            Expected::Text(text) => f.write_str(text),
        }
    }
}

fn needs_escape(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with(['\\', '#', '!', '@', '~']) || command_line(line).is_some()
}

#[derive(Default)]
struct Parser {
    script: Script,
    order: ReplyOrder,
    only: Option<Only>,
    has_steps: bool,
    /// Does output belong to the last step? Not after an empty line.
    is_open: bool,
}

impl Parser {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ScriptErrorKind> {
        if let Some(output) = line.strip_prefix('\\') {
            return self.output(Expected::Text(output.to_owned()));
        }
        if let Some(pattern) = line.strip_prefix("~ ") {
            return self.output(Expected::Pattern(pattern.to_owned()));
        }
        if line.trim().is_empty() || line.starts_with('#') {
            self.text(line);
            return Ok(());
        }
        if let Some(directive) = line.strip_prefix("! ") {
            return self.directive(number, line, directive.trim());
        }
        if let Some(time) = line.strip_prefix('@') {
            let by_ms = duration_ms(time).ok_or(ScriptErrorKind::BadTime)?;
            self.step(number, line, Action::Advance { by_ms });
            return Ok(());
        }
        if let Some((client, command)) = command_line(line) {
            let action = command_action(client, command)?;
            self.step(number, line, action);
            return Ok(());
        }
        self.output(Expected::Text(line.to_owned()))
    }

    fn text(&mut self, line: &str) {
        self.script.items.push(Item::Text(line.to_owned()));
        self.is_open = false;
    }

    fn output(&mut self, expected: Expected) -> Result<(), ScriptErrorKind> {
        match self.script.items.last_mut() {
            Some(Item::Step(step)) if self.is_open => {
                step.expected.push(expected);
                Ok(())
            }
            _ => Err(ScriptErrorKind::OutputWithoutStep),
        }
    }

    fn step(&mut self, line: usize, text: &str, action: Action) {
        let (order, only) = (std::mem::take(&mut self.order), self.only.take());
        let step = Step { line, text: text.to_owned(), action, order, only, expected: Vec::new() };
        self.script.items.push(Item::Step(Box::new(step)));
        self.has_steps = true;
        self.is_open = true;
    }

    fn directive(&mut self, number: usize, line: &str, directive: &str) -> Result<(), ScriptErrorKind> {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        let rest = rest.trim();
        match word {
            "disconnect" if is_client_name(rest) => {
                self.step(number, line, Action::Disconnect { client: rest.to_owned() });
                return Ok(());
            }
            "unordered" => self.order = order(rest).ok_or(ScriptErrorKind::BadDirective)?,
            "model-only" | "real-only" if rest.is_empty() => return Err(ScriptErrorKind::BadDirective),
            "model-only" => self.only(Only::Model(rest.to_owned())),
            "real-only" => self.only(Only::Real(rest.to_owned())),
            "config" | "resp" if self.has_steps => return Err(ScriptErrorKind::LateDirective),
            "config" => {
                let (name, value) = rest.split_once(' ').ok_or(ScriptErrorKind::BadDirective)?;
                let value = split(value.as_bytes()).map_err(ScriptErrorKind::BadQuotes)?;
                let [value] = value.as_slice() else { return Err(ScriptErrorKind::BadDirective) };
                self.script.config.push((name.to_owned(), String::from_utf8_lossy(value).into_owned()));
            }
            "resp" => {
                let (client, version) = match rest.split_once(' ') {
                    Some((client, version)) if is_client_name(client) => (Some(client.to_owned()), version.trim()),
                    Some(_) => return Err(ScriptErrorKind::BadDirective),
                    None => (None, rest),
                };
                let protocol = match version {
                    "2" => Protocol::Resp2,
                    "3" => Protocol::Resp3,
                    _ => return Err(ScriptErrorKind::BadDirective),
                };
                self.script.protocols.push((client, protocol));
            }
            _ => return Err(ScriptErrorKind::BadDirective),
        }
        self.text(line);
        Ok(())
    }

    fn only(&mut self, only: Only) {
        if self.has_steps {
            self.only = Some(only);
        } else {
            self.script.only = Some(only);
        }
    }
}

fn order(word: &str) -> Option<ReplyOrder> {
    Some(match word {
        "" => ReplyOrder::Items,
        "pairs" => ReplyOrder::Pairs,
        "scan" => ReplyOrder::ScanItems,
        "scan-pairs" => ReplyOrder::ScanPairs,
        "deep" => ReplyOrder::Deep,
        _ => return None,
    })
}

fn command_action(client: &str, command: &str) -> Result<Action, ScriptErrorKind> {
    let mut argv = split(command.as_bytes()).map_err(ScriptErrorKind::BadQuotes)?;
    let times = match Repeat::of(&argv) {
        Repeat::Once => 1,
        Repeat::Times(times) => {
            argv.remove(0);
            times
        }
        Repeat::Invalid => return Err(ScriptErrorKind::NoCommand),
    };
    if argv.is_empty() {
        return Err(ScriptErrorKind::NoCommand);
    }
    Ok(Action::Command { client: client.to_owned(), argv, times })
}

/// `a> GET k`: the client's name and the rest.
fn command_line(line: &str) -> Option<(&str, &str)> {
    let (client, command) = line.split_once('>')?;
    let command = command.strip_prefix(' ')?;
    is_client_name(client).then_some((client, command))
}

fn is_client_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// `+1500ms`, `+2s`
fn duration_ms(text: &str) -> Option<u64> {
    let text = text.trim().strip_prefix('+')?;
    if let Some(ms) = text.strip_suffix("ms") {
        return ms.parse().ok();
    }
    text.strip_suffix('s')?.parse::<u64>().ok()?.checked_mul(1000)
}
