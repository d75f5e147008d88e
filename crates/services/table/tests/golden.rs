//! Golden scripts: transcripts of several sessions in `tests/golden/*.txt`, one rule per file, named by its first comment.
//!
//! - `a> SELECT 1`: session `a` (connected at its first line) sends a statement. The answer follows, as the client prints it, or
//!   `waits`. If other sessions continue because of it, `b<` and the answer of `b` follow, sorted by name.
//! - `@+5000ms`: time passes. `@restart`: the process crashes and restarts. `@disconnect a`.
//! - `@model service_ms=10 workers=1 connections_max=2`, in the first lines: a script only for the model, with these settings, and with
//!   times.
//!
//! `TABLE_GOLDEN=write cargo test -p table` writes the model's answers as the new expectations. `TABLE_RECORD=/path/to/mysql.sock` uses a
//! real server (MariaDB 10.11, `--transaction-isolation=READ-COMMITTED`, an empty schema `lockstep`, root without password): its answers
//! are the expectations, and with both variables they are written.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod real;

use real::{Real, in_words_of_mysql};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use table::{Answer, ConnectionId, Database, Output, Settings};

/// A server that runs a script.
trait Side {
    /// Sends a statement; returns the events sorted by session name: session, and answer or `None` for a wait.
    fn send(&mut self, session: &str, statement: &str, answers: &mut Vec<(String, Option<String>)>);
    fn directive(&mut self, words: &str, answers: &mut Vec<(String, Option<String>)>);
}

struct Model {
    database: Database,
    now_ms: u64,
    sessions: BTreeMap<String, ConnectionId>,
    started_ms: BTreeMap<String, u64>,
    with_times: bool,
}

impl Model {
    fn new() -> Model {
        let database = Database::new(Settings::default());
        Model {
            database,
            now_ms: 1_700_000_000_000,
            sessions: BTreeMap::new(),
            started_ms: BTreeMap::new(),
            with_times: false,
        }
    }

    fn answered(&mut self, outputs: Vec<Output>, at_ms: u64, answers: &mut Vec<(String, Option<String>)>) {
        let name = |id: ConnectionId| self.sessions.iter().find(|(_, other)| **other == id).unwrap().0.clone();
        for output in outputs {
            match output {
                Output::Answered { connection, answer } => {
                    assert_eq!(Answer::from_value(&answer.to_value()).as_ref(), Some(&answer));
                    let name = name(connection);
                    let elapsed_ms = if self.with_times { at_ms - self.started_ms[&name] } else { 0 };
                    answers.push((name, Some(answer.print(elapsed_ms))));
                }
                Output::Waits { connection, .. } => answers.push((name(connection), None)),
                Output::GoesOn { .. } | Output::RowChanged { .. } => {}
                Output::Closed { connection } => {
                    let name = name(connection);
                    self.sessions.remove(&name);
                    answers.push((name, Some("closed\n".into())));
                    return;
                }
            }
        }
    }
}

impl Side for Model {
    fn send(&mut self, session: &str, statement: &str, answers: &mut Vec<(String, Option<String>)>) {
        let id = match self.sessions.get(session) {
            Some(id) => *id,
            None => match self.database.connect(self.now_ms) {
                Ok(id) => id,
                Err(failure) => return answers.push((session.into(), Some(failure.print()))),
            },
        };
        self.sessions.insert(session.into(), id);
        self.started_ms.insert(session.into(), self.now_ms);
        let outputs = self.database.handle(self.now_ms, id, statement.as_bytes());
        self.answered(outputs, self.now_ms, answers);
    }

    fn directive(&mut self, words: &str, answers: &mut Vec<(String, Option<String>)>) {
        if let Some(time) = words.strip_prefix('+') {
            let until_ms = self.now_ms + time.strip_suffix("ms").unwrap().parse::<u64>().unwrap();
            while let Some(at_ms) = self.database.next_deadline_ms().filter(|at_ms| *at_ms <= until_ms) {
                let outputs = self.database.advance(at_ms);
                self.answered(outputs, at_ms, answers);
            }
            self.now_ms = until_ms;
        } else if words == "restart" {
            self.database = self.database.restarted();
            self.sessions.clear();
        } else if let Some(session) = words.strip_prefix("disconnect ") {
            let id = self.sessions.remove(session).unwrap();
            let outputs = self.database.disconnect(self.now_ms, id);
            self.answered(outputs, self.now_ms, answers);
        } else if let Some(settings) = words.strip_prefix("model") {
            self.with_times = true;
            let mut new = Settings::default();
            for (name, value) in settings.split_whitespace().map(|word| word.split_once('=').unwrap()) {
                let value: u64 = value.parse().unwrap();
                match name {
                    "service_ms" => new.service_ms = value,
                    "workers" => new.workers = value as u32,
                    "connections_max" => new.connections_max = value as u32,
                    "lock_wait_ms" => new.lock_wait_ms = value,
                    _ => panic!("{name}"),
                }
            }
            self.database = Database::new(new);
        } else {
            panic!("@{words}");
        }
    }
}

struct Server {
    socket: String,
    sessions: BTreeMap<String, (Real, String)>,
}

impl Server {
    fn new(socket: &str) -> Server {
        let mut real = Real::connect(socket);
        let mut ask = |statement: &str| {
            real.start(statement.as_bytes());
            real.answer(Duration::from_secs(20)).unwrap()
        };
        if let Answer::Rows(rows) = ask("SHOW TABLES") {
            for row in rows.rows {
                ask(&format!("DROP TABLE `{}`", String::from_utf8_lossy(&row[0].to_text())));
            }
        }
        Server { socket: socket.into(), sessions: BTreeMap::new() }
    }

    fn collect(&mut self, patience_ms: u64, answers: &mut Vec<(String, Option<String>)>) {
        for (name, (real, statement)) in &mut self.sessions {
            if real.is_busy
                && let Some(answer) = real.answer(Duration::from_millis(patience_ms))
            {
                answers.push((name.clone(), Some(in_words_of_mysql(statement.as_bytes(), answer).print(0))));
            }
        }
    }
}

impl Side for Server {
    fn send(&mut self, session: &str, statement: &str, answers: &mut Vec<(String, Option<String>)>) {
        let socket = &self.socket;
        let entry = self.sessions.entry(session.into()).or_insert_with(|| (Real::connect(socket), String::new()));
        let (real, text) = entry;
        assert!(!real.is_busy, "{session} still waits");
        *text = statement.into();
        real.start(statement.as_bytes());
        let answer = real.answer(Duration::from_millis(120));
        answers.push((session.into(), answer.map(|answer| in_words_of_mysql(text.as_bytes(), answer).print(0))));
        self.collect(40, answers);
    }

    fn directive(&mut self, words: &str, answers: &mut Vec<(String, Option<String>)>) {
        if let Some(time) = words.strip_prefix('+') {
            let ms: u64 = time.strip_suffix("ms").unwrap().parse().unwrap();
            assert!(ms <= 5000, "a real server takes real time: mark the file by @model");
            std::thread::sleep(Duration::from_millis(ms));
            self.collect(40, answers);
        } else if let Some(session) = words.strip_prefix("disconnect ") {
            self.sessions.remove(session).unwrap();
            std::thread::sleep(Duration::from_millis(50));
            self.collect(40, answers);
        } else {
            panic!("@{words}");
        }
    }
}

fn play(script: &str, side: &mut dyn Side) -> String {
    let mut text = String::new();
    for line in script.lines() {
        let mut answers = Vec::new();
        let mut own = None;
        if line.starts_with('#') || line.starts_with('@') {
            writeln!(text, "{line}").unwrap();
        }
        if let Some(directive) = line.strip_prefix('@') {
            side.directive(directive, &mut answers);
        } else if let Some((session, statement)) = line
            .split_once("> ")
            .filter(|(session, _)| session.len() == 1 && session.as_bytes()[0].is_ascii_lowercase())
        {
            writeln!(text, "{line}").unwrap();
            side.send(session, statement, &mut answers);
            own = Some(session);
        }
        // Its own answer first, then those of sessions that were deadlock victims.
        answers.sort_by_key(|(name, _)| (Some(name.as_str()) != own, name.clone()));
        let answered = answers.iter().any(|(name, answer)| Some(name.as_str()) == own && answer.is_some());
        for (name, answer) in answers {
            if Some(name.as_str()) != own {
                writeln!(text, "{name}<").unwrap();
            } else if answer.is_none() && answered {
                continue;
            }
            text.push_str(answer.as_deref().unwrap_or("waits\n"));
        }
    }
    text
}

#[test]
fn scripts_are_answered_as_recorded() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let writes = std::env::var("TABLE_GOLDEN").is_ok_and(|value| value == "write");
    let socket = std::env::var("TABLE_RECORD").ok();
    let only = std::env::var("TABLE_ONLY").unwrap_or_default();
    let mut paths: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 10);
    let mut failures = String::new();
    for path in paths {
        if !path.to_string_lossy().contains(&only) {
            continue;
        }
        let script = std::fs::read_to_string(&path).unwrap();
        let is_model = script.lines().any(|line| line.starts_with("@model") || line == "@restart");
        let played = match &socket {
            Some(socket) if !is_model => play(&script, &mut Server::new(socket)),
            _ => play(&script, &mut Model::new()),
        };
        if writes {
            std::fs::write(&path, &played).unwrap();
        } else if played != script {
            let line = played.lines().zip(script.lines()).position(|(a, b)| a != b).unwrap_or(0);
            let at = |text: &str| text.lines().skip(line.saturating_sub(4)).take(14).collect::<Vec<_>>().join("\n");
            writeln!(failures, "== {}\n-- expected\n{}\n-- answered\n{}", path.display(), at(&script), at(&played))
                .unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
