//! What a terminal shows: the commands of one client and everything it received, up to the cursor.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{CloseReason, Wait};
use resp::{Protocol, Value, cli};
use world::{ClientIndex, EventKind, StepId, Timeline};

/// One thing that stands in a terminal.
#[derive(Debug, PartialEq)]
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
        argv: Rc<[Bytes]>,
    },
    /// An answer.
    Reply {
        /// The answer.
        value: Value,
        /// The dialect it is shown in.
        protocol: Protocol,
        /// The command that it answers.
        argv: Rc<[Bytes]>,
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
    /// It connected, for the first time or again.
    Connected,
}

/// Everything that stands in one client's terminal up to the cursor, oldest first.
///
/// It follows the timeline: a step more costs what that step brought, and going back costs nothing, however long
/// the session is. What was read once stays read until the path itself changes.
#[derive(Debug, Default)]
pub struct Transcript {
    /// The timeline as it was when it was last followed; clones share everything.
    followed: Option<Timeline>,
    /// How many steps of its path have been read.
    read: usize,
    /// What they brought, also beyond the cursor.
    entries: Vec<Rc<Entry>>,
    /// How many of the entries stand before the cursor.
    shown: usize,
}

impl Transcript {
    /// Catches up with the timeline.
    pub fn follow(&mut self, timeline: &Timeline, client: ClientIndex) {
        let most = self.read.min(timeline.len());
        let shared = self.followed.as_ref().map_or(0, |followed| shared_steps(followed, timeline, most));
        if shared < self.read {
            self.read = shared;
            let kept = self.entries_up_to(shared.checked_sub(1).and_then(|i| timeline.id_at(i)).unwrap_or(0));
            self.entries.truncate(kept);
        }
        let new = timeline.position().saturating_sub(self.read);
        for (id, step) in timeline.steps_from(self.read).take(new) {
            for event in &step.events {
                if event.kind.client() == Some(client)
                    && let Some(what) = self.what(&event.kind)
                {
                    self.entries.push(Rc::new(Entry { step: id, at_ms: event.at_ms, what }));
                }
            }
        }
        self.read = self.read.max(timeline.position());
        self.shown = self.entries_up_to(timeline.cursor());
        self.followed = Some(timeline.clone());
    }

    /// How many entries belong to steps up to this one. Steps are numbered in the order in which they were made, so
    /// numbers grow along every path.
    fn entries_up_to(&self, last: StepId) -> usize {
        self.entries.partition_point(|entry| entry.step <= last)
    }

    /// Everything in the terminal at the cursor, oldest first.
    pub fn entries(&self) -> &[Rc<Entry>] {
        self.entries.get(..self.shown).unwrap_or_default()
    }

    fn what(&self, kind: &EventKind) -> Option<What> {
        Some(match kind {
            EventKind::Connected { .. } => What::Connected,
            EventKind::Command { argv, db, is_in_multi, .. } => {
                What::Command { db: *db, is_in_multi: *is_in_multi, argv: argv.as_slice().into() }
            }
            EventKind::Reply { value, protocol, .. } => {
                What::Reply { value: value.clone(), protocol: *protocol, argv: self.last_command() }
            }
            EventKind::Push { value, protocol, .. } => What::Push { value: value.clone(), protocol: *protocol },
            EventKind::Blocked { wait, .. } => What::Blocked(wait.clone()),
            EventKind::Interrupted { .. } => What::Interrupted,
            EventKind::Disconnected { reason, .. } => What::Disconnected(*reason),
            _ => return None,
        })
    }

    /// The words that an answer belongs to.
    fn last_command(&self) -> Rc<[Bytes]> {
        let command = self.entries.iter().rev().find_map(|entry| match &entry.what {
            What::Command { argv, .. } => Some(Rc::clone(argv)),
            _ => None,
        });
        command.unwrap_or_else(|| Rc::from([]))
    }
}

/// How many of the first `most` steps of the path are the same in both. On a path, a step stands for all before it.
fn shared_steps(before: &Timeline, now: &Timeline, most: usize) -> usize {
    // A branch leaves the path at one place: left of it all are the same, right of it none.
    let (mut same, mut different) = (0usize, most.saturating_add(1));
    while different.saturating_sub(same) > 1 {
        let middle = same.midpoint(different);
        let i = middle.saturating_sub(1);
        if is_same_step(before, now, i) { same = middle } else { different = middle }
    }
    same
}

/// Numbers tell steps of one session apart; what they hold tells apart the sessions that a page opens one after the other.
fn is_same_step(before: &Timeline, now: &Timeline, i: usize) -> bool {
    before.id_at(i) == now.id_at(i)
        && match (before.step_at(i), now.step_at(i)) {
            // The last quiet time grows in its place: there is nothing in it to show.
            (Some(a), Some(b)) => std::rc::Rc::ptr_eq(a, b) || (Timeline::is_quiet(a) && Timeline::is_quiet(b)),
            _ => false,
        }
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
    use std::rc::Rc;

    use world::{Input, Settings, Timeline};

    use super::{Entry, Transcript, What, prompt, readable};

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
        let mut transcript = Transcript::default();
        transcript.follow(&timeline, 0);
        assert_eq!(transcript.entries().len(), 5);
        assert!(matches!(&transcript.entries()[3].what, What::Command { is_in_multi: true, .. }));
        assert_eq!(whole(&timeline, 1).len(), 1);
        timeline.back();
        transcript.follow(&timeline, 0);
        assert_eq!(transcript.entries().len(), 3);
    }

    fn whole(timeline: &Timeline, client: u32) -> Vec<Rc<Entry>> {
        let mut transcript = Transcript::default();
        transcript.follow(timeline, client);
        transcript.entries().to_vec()
    }

    #[test]
    fn following_gives_what_reading_anew_gives() {
        let mut timeline = timeline(&["PING", "MULTI", "PING", "EXEC", "SET k v PX 5"]);
        let mut transcript = Transcript::default();
        let mut check = |timeline: &Timeline| {
            transcript.follow(timeline, 0);
            assert_eq!(transcript.entries(), whole(timeline, 0));
        };
        check(&timeline);
        for position in [3, 7, 0, 5, 2] {
            timeline.seek(position);
            check(&timeline);
        }
        // A branch, time on it, and back to the other line.
        for input in [Input::Interrupt { client: 0 }, Input::Advance { ms: 1 }, Input::Advance { ms: 9 }] {
            let _ = timeline.push(input);
            check(&timeline);
        }
        timeline.push(Input::Command { client: 0, argv: vec!["PING".into(), "branch".into()] }).unwrap();
        check(&timeline);
        let first = timeline.branches()[0].head;
        timeline.switch_to(first);
        check(&timeline);
        // Another session altogether, with the same numbers.
        check(&super::tests::timeline(&["ECHO other", "ECHO session", "PING"]));
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
