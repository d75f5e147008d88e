//! The initial inputs of a lesson, and whole sessions, in the world's text form.
use super::{Budget, Lesson};
use std::fmt::Write as _;

/// The client that sends the setup commands.
const SETUP: &str = "setup";

/// 1 January 2026, 00:00 UTC, in Unix time in ms: the day on which every session starts.
const NEW_YEAR_MS: u64 = 1_767_225_600_000;

/// The default clients: two terminals.
pub const TERMINALS: [&str; 2] = ["c1", "c2"];

impl Lesson {
    /// The initial inputs of the lesson, as lines of the world's text form: the setup commands, the watched properties,
    /// the clients with their programs, and traffic. A lesson without clients gets two terminals.
    ///
    /// ```
    /// use lesson::{ClientGroup, Lesson, Program, Property};
    /// let lesson = Lesson {
    ///     programs: vec![Program { name: "buyer".into(), text: "redis.call('GET', 'stock')\n".into() }],
    ///     clients: vec![ClientGroup { name: "c".into(), program: "buyer".into(), count: 1 }],
    ///     setup: vec!["SET stock 5".into()],
    ///     properties: vec![Property { text: "checks".into(), ..Property::default() }],
    ///     ..Lesson::default()
    /// };
    /// let lines = ["+ setup 0", "setup> SET stock 5", "- setup", "@watch checks", "+ c1 1", r#"c1< load "redis.call('GET', 'stock')\n""#];
    /// assert_eq!(lesson.opening(), lines);
    /// ```
    pub fn opening(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.setup.is_empty() {
            lines.push(format!("+ {SETUP} 0"));
            self.add_setup(&mut lines);
            lines.push(format!("- {SETUP}"));
        }
        lines.extend(self.properties.iter().map(|property| format!("@watch {}", property.text)));
        if self.clients.is_empty() {
            lines.extend(TERMINALS.iter().zip(1_u32..).map(|(name, number)| format!("+ {name} {number}")));
        }
        for ((name, program), number) in self.clients().zip(1_u32..) {
            lines.push(format!("+ {name} {number}"));
            if !program.is_empty() {
                let text = self.program(program).map_or("", |program| &program.text);
                lines.push(format!("{name}< load {}", quoted(text)));
            }
        }
        if !self.traffic.is_empty() {
            lines.push(format!("@traffic begin {}", self.traffic));
        }
        lines
    }

    /// Appends the setup commands. A command with a prefix such as `@db ` goes to the node of that name; a database takes the rest as one
    /// statement.
    fn add_setup(&self, lines: &mut Vec<String>) {
        let mut at = 0;
        for command in &self.setup {
            let named = command.strip_prefix('@').and_then(|rest| rest.split_once(' '));
            let found = named.and_then(|(name, command)| {
                let mut nodes = self.nodes.iter().map(|words| words.split(' ')).enumerate();
                let (place, mut words) = nodes.find(|(_, words)| words.clone().next() == Some(name))?;
                Some((place, words.nth(1) == Some("table"), command))
            });
            let (place, is_statement, command) = found.unwrap_or((0, false, command));
            if place != at {
                lines.push(format!("{SETUP}@ {place}"));
                at = place;
            }
            lines.push(format!("{SETUP}> {}", if is_statement { quoted(command) } else { command.to_owned() }));
        }
    }

    /// Where the clock of the stage starts, Unix time in ms; `None`: as in any session.
    pub fn start_ms(&self) -> Option<u64> {
        self.clock.map(|minutes| NEW_YEAR_MS.saturating_add(u64::from(minutes).saturating_mul(60_000)))
    }

    /// A whole session in the world's text form: the opening, then these inputs.
    pub fn session(&self, inputs: &[String]) -> String {
        self.session_of(0, inputs)
    }

    /// A whole session with this random seed; 0: the world's default seed.
    pub fn session_of(&self, seed: u64, inputs: &[String]) -> String {
        let version = if self.nodes.is_empty() { 1 } else { 2 };
        let mut text = format!("lockstep {version}\nscript-rate 100000\nscript-bound 10000000\n");
        // Writing to a string cannot fail.
        if seed > 0 {
            let _ = writeln!(text, "seed {seed}");
        }
        if let Some(start_ms) = self.start_ms() {
            let _ = writeln!(text, "start {start_ms}");
        }
        for node in &self.nodes {
            let _ = writeln!(text, "node {node}");
        }
        text.push('\n');
        let mut steps = 0_usize;
        for line in self.opening().iter().chain(inputs) {
            text.push_str(line);
            text.push('\n');
            steps = steps.saturating_add(1);
        }
        let _ = writeln!(text, "end {steps} at {steps} of {steps}");
        text
    }

    /// The lesson with one program's text replaced.
    pub fn with_program(&self, name: &str, text: &str) -> Lesson {
        let mut lesson = self.clone();
        for program in lesson.programs.iter_mut().filter(|program| program.name == name) {
            program.text = text.to_owned();
        }
        lesson
    }

    /// The lesson with the number of clients for a search.
    pub fn with_clients_of(&self, budget: &Budget) -> Lesson {
        let mut lesson = self.clone();
        for clients in lesson.clients.iter_mut().filter(|clients| budget.clients > 0 && clients.count > budget.clients)
        {
            clients.count = budget.clients;
        }
        lesson
    }
}

/// A text quoted as one word of the world's text form.
pub fn quoted(text: &str) -> String {
    let mut word = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => word.push_str("\\n"),
            '\r' => word.push_str("\\r"),
            '\t' => word.push_str("\\t"),
            '"' | '\\' => word.extend(['\\', c]),
            c => word.push(c),
        }
    }
    word.push('"');
    word
}
