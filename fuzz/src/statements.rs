//! Lines of three sessions → a database: `a> SELECT 1`, `@+500ms`, `!` (it crashes and starts again).
use table::{Activity, Answer, ConnectionId, Database, Output, Settings};

use crate::memory;

/// Maximum bytes that an input may allocate.
const BYTES_MAX: usize = 256 << 20;

/// Maximum number of executed lines.
const LINES_MAX: usize = 200;

/// Executes every line. Checks: nothing panics, a reply survives its encoding for programs, a clone made half way gives the same replies to
/// the rest, read-only statements change nothing, and there are no locks when all sessions are idle outside transactions.
pub fn execute(bytes: &[u8]) {
    memory::within(BYTES_MAX, || {
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().take(LINES_MAX).collect();
        let mut run = Run::new();
        let half = lines.len() / 2;
        let mut copy = None;
        for (nth, line) in lines.iter().enumerate() {
            if nth == half {
                copy = Some(run.clone());
            }
            run.line(line);
        }
        let Some(mut copy) = copy else { return };
        lines.iter().skip(half).for_each(|line| copy.line(line));
        assert_eq!(copy.outputs, run.outputs, "a copy answers the same");
        assert_eq!(copy.database, run.database, "and comes to the same");
    });
}

#[derive(Clone)]
struct Run {
    database: Database,
    sessions: Vec<ConnectionId>,
    now_ms: u64,
    outputs: Vec<Output>,
}

impl Run {
    fn new() -> Run {
        let settings = Settings { service_ms: 1, workers: 2, connections_max: 3, lock_wait_ms: 1_000 };
        let mut run = Run {
            database: Database::new(settings),
            sessions: Vec::new(),
            now_ms: 1_767_268_800_000,
            outputs: Vec::new(),
        };
        run.connect();
        run
    }

    fn connect(&mut self) {
        self.sessions = (0..3).filter_map(|_| self.database.connect(self.now_ms).ok()).collect();
        assert!(self.database.connect(self.now_ms).is_err(), "there is no room for a fourth");
    }

    fn line(&mut self, line: &str) {
        if line == "!" {
            self.database = self.database.restarted();
            return self.connect();
        }
        if let Some(ms) = line.strip_prefix("@+").and_then(|rest| rest.strip_suffix("ms")?.parse::<u64>().ok()) {
            return self.advance(ms.min(100_000));
        }
        let (number, statement) = match line.split_once("> ") {
            Some(("b", rest)) => (1, rest),
            Some(("c", rest)) => (2, rest),
            Some((_, rest)) => (0, rest),
            None => (0, line),
        };
        let Some(session) = self.sessions.get(number).copied() else { return };
        let before = table::only_reads(statement.as_bytes()).then(|| self.rows());
        let outputs = self.database.handle(self.now_ms, session, statement.as_bytes());
        self.hear(outputs);
        if let Some(before) = before {
            assert_eq!(before, self.rows(), "what only reads changes nothing: {statement}");
        }
        self.advance(1);
    }

    fn advance(&mut self, ms: u64) {
        self.now_ms += ms;
        let outputs = self.database.advance(self.now_ms);
        self.hear(outputs);
        assert!(
            self.database.next_deadline_ms().is_none_or(|due_ms| due_ms > self.now_ms),
            "what was due has happened"
        );
        let is_quiet = |(_, found): (ConnectionId, &table::Connection)| {
            *found.activity() == Activity::Idle && !found.is_in_transaction()
        };
        if self.database.connections().all(is_quiet) {
            assert_eq!(self.database.locks().count(), 0, "no one holds a lock");
            assert_eq!(self.database.uncommitted().count(), 0, "all is committed");
        }
    }

    fn rows(&self) -> Vec<Vec<table::Row>> {
        self.database.tables().map(|found| found.rows().cloned().collect()).collect()
    }

    fn hear(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            if let Output::Answered { answer, .. } = &output {
                assert_eq!(
                    Answer::from_value(&answer.to_value()).as_ref(),
                    Some(answer),
                    "an answer survives its form"
                );
                assert!(!answer.print(0).is_empty());
            }
            if let Output::Closed { connection } = &output {
                self.sessions.retain(|session| session != connection);
            }
            self.outputs.push(output);
        }
    }
}
