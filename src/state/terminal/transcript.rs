//! What a terminal shows: the commands of one client and everything it received, up to the cursor.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{CloseReason, Wait};
use resp::{Protocol, Value, cli};
use world::{ClientIndex, EventKind, StepId, Timeline};

/// One thing that stands in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The step it belongs to.
    pub step: StepId,
    /// Unix time in ms.
    pub at_ms: u64,
    /// What it is.
    pub what: What,
}

/// What stands in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A command behind its prompt.
    Command {
        /// Selected database and open transaction, for the prompt.
        db: usize,
        /// Was a transaction open?
        is_in_multi: bool,
        /// Its words.
        argv: Vec<Bytes>,
    },
    /// An answer.
    Reply {
        /// The answer.
        value: Value,
        /// The dialect it is shown in.
        protocol: Protocol,
        /// The command that it answers.
        argv: Vec<Bytes>,
    },
    /// Something it had not just asked for.
    Push {
        /// What.
        value: Value,
        /// The dialect it is shown in.
        protocol: Protocol,
    },
    /// It began to wait.
    Blocked(Wait),
    /// It was interrupted.
    Interrupted,
    /// Its connection ended.
    Disconnected(Option<CloseReason>),
    /// It connected again.
    Reconnected,
}

/// The newest `most` entries of a client's terminal, and how many stand before them.
pub fn of(timeline: &Timeline, client: ClientIndex, most: usize) -> (Rc<[Entry]>, usize) {
    let mut entries = Vec::new();
    let mut argv: Vec<Bytes> = Vec::new();
    let mut connections = 0usize;
    for (step, event) in timeline.events() {
        if event.kind.client() != Some(client) {
            continue;
        }
        let what = match &event.kind {
            EventKind::Connected { .. } => {
                connections = connections.saturating_add(1);
                (connections > 1).then_some(What::Reconnected)
            }
            EventKind::Command { argv: words, db, is_in_multi, .. } => {
                argv.clone_from(words);
                Some(What::Command { db: *db, is_in_multi: *is_in_multi, argv: words.clone() })
            }
            EventKind::Reply { value, protocol, .. } => {
                Some(What::Reply { value: value.clone(), protocol: *protocol, argv: argv.clone() })
            }
            EventKind::Push { value, protocol, .. } => Some(What::Push { value: value.clone(), protocol: *protocol }),
            EventKind::Blocked { wait, .. } => Some(What::Blocked(wait.clone())),
            EventKind::Interrupted { .. } => Some(What::Interrupted),
            EventKind::Disconnected { reason, .. } => Some(What::Disconnected(*reason)),
            _ => None,
        };
        entries.extend(what.map(|what| Entry { step, at_ms: event.at_ms, what }));
    }
    let hidden = entries.len().saturating_sub(most);
    (entries.split_off(hidden).into(), hidden)
}

/// `c1[2](TX)> `, as redis-cli writes its prompt, with the client's name for the address.
pub fn prompt(name: &str, db: usize, is_in_multi: bool) -> String {
    let db = if db == 0 { String::new() } else { format!("[{db}]") };
    let multi = if is_in_multi { "(TX)" } else { "" };
    format!("{name}{db}{multi}> ")
}

/// The lines of an answer: as redis-cli shows it on a terminal, raw for the commands that it shows raw.
pub fn reply_lines(value: &Value, protocol: Protocol, argv: &[Bytes]) -> Vec<cli::Line> {
    if let (true, Value::Bulk(text) | Value::Verbatim(_, text)) = (cli::prints_raw(argv), value) {
        let text = String::from_utf8_lossy(text).into_owned();
        let line = |text: &str| cli::Line {
            spans: vec![cli::Span { kind: cli::SpanKind::Text, text: text.to_owned(), source: None }],
        };
        return text.lines().map(line).collect();
    }
    cli::lines(value, protocol)
}

/// Text in another script inside a string that redis-cli shows as escapes: `库存` for `"\xe5\xba\x93\xe5\xad\x98"`.
pub fn readable(source: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(source).ok()?;
    let has_script = !text.is_ascii();
    let is_clean = text.chars().all(|c| !c.is_control());
    (has_script && is_clean && text.chars().count() <= 200).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use world::{Input, Settings, Timeline};

    use super::{What, of, prompt, readable};

    fn timeline(lines: &[&str]) -> Timeline {
        let mut timeline = Timeline::new(Settings::default());
        for client in 0..2 {
            timeline.push(Input::Connect { client, name: format!("c{}", client + 1) }).unwrap();
        }
        for line in lines {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            timeline.push(Input::Command { client: 0, argv }).unwrap();
        }
        timeline
    }

    #[test]
    fn a_terminal_shows_its_own_commands_and_replies_up_to_the_cursor() {
        let mut timeline = timeline(&["MULTI", "NOSUCH"]);
        let (entries, hidden) = of(&timeline, 0, 100);
        assert_eq!((entries.len(), hidden), (4, 0));
        assert!(matches!(&entries[2].what, What::Command { is_in_multi: true, .. }));
        assert_eq!(of(&timeline, 1, 100).0.len(), 0);
        timeline.back();
        assert_eq!(of(&timeline, 0, 100).0.len(), 2);
    }

    #[test]
    fn a_long_transcript_shows_its_end() {
        let (entries, hidden) = of(&timeline(&["MULTI"; 10]), 0, 6);
        assert_eq!((entries.len(), hidden), (6, 14));
    }

    #[test]
    fn prompts_are_those_of_redis_cli() {
        assert_eq!(prompt("c1", 0, false), "c1> ");
        assert_eq!(prompt("c1", 3, true), "c1[3](TX)> ");
    }

    #[test]
    fn other_scripts_are_readable_beside_their_escapes() {
        assert_eq!(readable("库存".as_bytes()).as_deref(), Some("库存"));
        assert_eq!(readable(b"plain"), None);
        assert_eq!(readable(b"\xff\xfe"), None);
    }
}
