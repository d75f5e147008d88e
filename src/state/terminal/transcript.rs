//! The content of a terminal: the commands of one client and everything it received, up to the cursor.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{CloseReason, Wait};
use resp::{Protocol, Value, cli};
use world::{ClientIndex, Event, EventKind, Input, NodeIndex, ProgramEvent, Step, StepId, Timeline, World};

use super::statement;
use crate::state::followed::{Derive, Followed};
use crate::state::sql;

/// One item in a terminal.
#[derive(Debug, PartialEq)]
pub struct Entry {
    /// The step that it belongs to.
    pub step: StepId,
    /// Unix time in ms.
    pub at_ms: u64,
    /// The node where it happened; `None` if it concerns only the client.
    pub node: Option<NodeIndex>,
    /// The content.
    pub what: ItemContent,
}

/// The content of a terminal item.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemContent {
    /// A command after its prompt.
    Command {
        /// Selected database and open transaction, for the prompt.
        db: usize,
        /// Whether a transaction was open.
        is_in_multi: bool,
        /// Its words.
        argv: Rc<[Bytes]>,
    },
    /// A reply.
    Reply {
        /// The value of the reply.
        value: Value,
        /// The protocol version that it is shown in.
        protocol: Protocol,
        /// The command that it replies to.
        argv: Rc<[Bytes]>,
    },
    /// A statement after the prompt of a database.
    Statement {
        /// The statement, with its parameters filled in.
        text: Rc<str>,
        /// Whether a transaction was open.
        is_in_transaction: bool,
    },
    /// An answer of a database.
    Result {
        /// As the `mysql` client prints it.
        text: Rc<str>,
        /// The error number, if it is an error.
        code: Option<u16>,
    },
    /// The client waits for a row that others have locked.
    RowWait {
        /// The table.
        table: Bytes,
        /// The row's primary key, as it is printed.
        key: Bytes,
        /// The clients that hold the lock.
        holders: Vec<ClientIndex>,
    },
    /// The database refuses further connections.
    TooManyConnections,
    /// A message that is not the reply to a command.
    Push {
        /// The message.
        value: Value,
        /// The protocol version that it is shown in.
        protocol: Protocol,
    },
    /// The command above is in flight on a slow link.
    UnderWay {
        /// The time until it arrives, in ms.
        ms: u64,
        /// Its words.
        argv: Rc<[Bytes]>,
    },
    /// The client is blocked.
    Blocked {
        /// What it waits for, and until when.
        wait: Wait,
        /// The clock of its node, Unix time in ms.
        clock_ms: u64,
    },
    /// The client was interrupted.
    Interrupted,
    /// The client is paused and reads nothing.
    Paused,
    /// The client was resumed.
    Resumed,
    /// The client's node is down.
    Refused,
    /// The client's link to its node is cut.
    Unreachable,
    /// The connection was closed.
    Disconnected(Option<CloseReason>),
    /// The client reconnected, or connected to another node. The first connection of a terminal is no entry.
    Connected,
}

/// Everything in one client's terminal up to the cursor, oldest first.
///
/// It follows the timeline: one more step costs only what that step added, and going back costs nothing, however long the session is. A
/// step is read again only if the path itself changes.
#[derive(Debug, Default)]
pub struct Transcript {
    log: Followed<Log>,
    /// How many of its entries are before the cursor.
    shown: usize,
}

impl Transcript {
    /// Brings the transcript up to date with the timeline.
    pub fn follow(&mut self, timeline: &Timeline, client: ClientIndex) {
        let tables = timeline.world().settings().tables().collect();
        self.log.follow(timeline, TerminalOwner { client, tables });
        let cursor = timeline.cursor();
        // Steps are numbered in order of creation, so the numbers increase along every path.
        self.shown = self.log.entries.partition_point(|entry| entry.step <= cursor);
    }

    /// Everything in the terminal at the cursor, oldest first.
    pub fn entries(&self) -> &[Rc<Entry>] {
        self.log.entries.get(..self.shown).unwrap_or_default()
    }
}

/// Identifies a terminal: its client, and which nodes are databases.
#[derive(Clone, Debug, PartialEq)]
struct TerminalOwner {
    client: ClientIndex,
    /// The nodes that are databases.
    tables: Vec<NodeIndex>,
}

/// What the steps read so far brought to one client, including steps after the cursor.
#[derive(Debug, Default)]
struct Log {
    entries: Vec<Rc<Entry>>,
}

impl Derive for Log {
    type Context = TerminalOwner;
    /// The number of entries.
    type Checkpoint = usize;

    fn needed(timeline: &Timeline) -> usize {
        timeline.position()
    }

    fn take(&mut self, _: usize, id: StepId, step: &Step, place: &TerminalOwner) {
        for event in &step.events {
            if event.kind.client() != Some(place.client) || self.stands_there(event) {
                continue;
            }
            let is_at_table = event.node.is_some_and(|node| place.tables.contains(&node));
            let typed = |argv: &[Bytes], db: usize, is_open: bool| match is_at_table {
                true => ItemContent::Statement { text: sql::whole(argv).into(), is_in_transaction: is_open },
                false => ItemContent::Command { db, is_in_multi: is_open, argv: argv.into() },
            };
            let command = match (&event.kind, &step.input) {
                (
                    EventKind::Command { argv, db, is_in_multi, .. } | EventKind::Typed { argv, db, is_in_multi, .. },
                    _,
                ) => Some(typed(argv, *db, *is_in_multi)),
                // The command never reached the node, but is shown all the same.
                (
                    EventKind::Refused { .. } | EventKind::Unreachable { .. } | EventKind::TooManyConnections { .. },
                    Input::Command { argv, .. },
                ) => Some(typed(argv, 0, false)),
                _ => None,
            };
            let what = if is_at_table { self.at_table(event) } else { self.what(event) };
            for what in command.into_iter().chain(what) {
                self.entries.push(Rc::new(Entry { step: id, at_ms: event.at_ms, node: event.node, what }));
            }
        }
    }

    fn checkpoint(&self) -> usize {
        self.entries.len()
    }

    fn go_back(&mut self, len: &usize) {
        self.entries.truncate(*len);
    }
}

impl Log {
    fn what(&self, event: &Event) -> Option<ItemContent> {
        Some(match &event.kind {
            EventKind::Connected { .. } if self.is_new() => return None,
            EventKind::Connected { .. } => ItemContent::Connected,
            EventKind::Typed { argv, until_ms, .. } => {
                ItemContent::UnderWay { ms: until_ms.saturating_sub(event.at_ms), argv: argv.as_slice().into() }
            }
            EventKind::Reply { value, protocol, .. } => {
                ItemContent::Reply { value: value.clone(), protocol: *protocol, argv: self.last_command() }
            }
            EventKind::Push { value, protocol, .. } => ItemContent::Push { value: value.clone(), protocol: *protocol },
            EventKind::Blocked { wait, .. } => ItemContent::Blocked { wait: wait.clone(), clock_ms: event.clock_ms() },
            EventKind::Interrupted { .. } => ItemContent::Interrupted,
            EventKind::Program { what: ProgramEvent::Paused, .. } => ItemContent::Paused,
            EventKind::Program { what: ProgramEvent::Resumed, .. } => ItemContent::Resumed,
            EventKind::Disconnected { reason, .. } => ItemContent::Disconnected(*reason),
            EventKind::Refused { .. } => ItemContent::Refused,
            EventKind::Unreachable { .. } => ItemContent::Unreachable,
            _ => return None,
        })
    }

    /// The entry for an event at a database.
    fn at_table(&self, event: &Event) -> Option<ItemContent> {
        Some(match &event.kind {
            EventKind::Reply { value, .. } => {
                let asked = self.entries.iter().rev().find(|entry| matches!(entry.what, ItemContent::Statement { .. }));
                statement::result(value, asked.map_or(0, |entry| event.at_ms.saturating_sub(entry.at_ms)))
            }
            EventKind::RowWait { table, key, holders, .. } => {
                ItemContent::RowWait { table: table.clone(), key: key.clone(), holders: holders.clone() }
            }
            EventKind::TooManyConnections { .. } => ItemContent::TooManyConnections,
            _ => return self.what(event),
        })
    }

    /// Whether the terminal has only been connected so far, possibly to one node after another.
    fn is_new(&self) -> bool {
        self.entries.iter().all(|entry| matches!(entry.what, ItemContent::Disconnected(None)))
    }

    /// Whether the arriving command is already shown as in flight, with no reply after it.
    fn stands_there(&self, event: &Event) -> bool {
        let EventKind::Command { argv, .. } = &event.kind else { return false };
        let is_since = |entry: &&Rc<Entry>| {
            !matches!(entry.what, ItemContent::Reply { .. } | ItemContent::Result { .. } | ItemContent::Push { .. })
        };
        let mut recent = self.entries.iter().rev().take_while(is_since);
        recent.any(|entry| matches!(&entry.what, ItemContent::UnderWay { argv: typed, .. } if **typed == **argv))
    }

    /// The command that a reply belongs to.
    fn last_command(&self) -> Rc<[Bytes]> {
        let command = self.entries.iter().rev().find_map(|entry| match &entry.what {
            ItemContent::Command { argv, .. } => Some(Rc::clone(argv)),
            _ => None,
        });
        command.unwrap_or_else(|| Rc::from([]))
    }
}

/// The client's name, with its node if there are several: `c1@r2`.
pub fn at_node(name: &str, world: &World, node: Option<NodeIndex>) -> String {
    match node.and_then(|node| world.settings().shown_name_of_node(node)) {
        Some(node) => format!("{name}@{node}"),
        None => name.to_owned(),
    }
}

/// `c1[2](TX)> `, redis-cli's prompt with the client's name in place of the address.
pub fn prompt(name: &str, db: usize, is_in_multi: bool) -> String {
    let db = if db == 0 { String::new() } else { format!("[{db}]") };
    let multi = if is_in_multi { "(TX)" } else { "" };
    format!("{name}{db}{multi}> ")
}

/// The prompt at a database.
pub fn statement_prompt(name: &str, is_in_transaction: bool) -> String {
    let transaction = if is_in_transaction { "(TX)" } else { "" };
    format!("{name} mysql{transaction}> ")
}

/// The lines of a reply: as redis-cli prints it on a terminal, raw for commands that it prints raw.
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

/// Non-ASCII text in a string that redis-cli prints as escapes: `库存` for `"\xe5\xba\x93\xe5\xad\x98"`.
pub fn readable(source: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(source).ok()?;
    let has_script = !text.is_ascii();
    let is_clean = text.chars().all(|c| !c.is_control());
    (has_script && is_clean && text.chars().count() <= 200).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proptest::prelude::*;
    use world::{Input, NodeSettings, Settings, Timeline};

    use super::{Entry, ItemContent, Transcript, prompt, readable};
    use crate::state::followed::tests::{Played, any_action};

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
    fn terminal_shows_its_own_commands_and_replies_up_to_the_cursor() {
        let mut timeline = timeline(&["MULTI", "NOSUCH"]);
        let mut transcript = Transcript::default();
        transcript.follow(&timeline, 0);
        assert_eq!(transcript.entries().len(), 4);
        assert!(matches!(&transcript.entries()[2].what, ItemContent::Command { is_in_multi: true, .. }));
        assert_eq!(whole(&timeline, 1).len(), 0);
        timeline.back();
        transcript.follow(&timeline, 0);
        assert_eq!(transcript.entries().len(), 2);
    }

    #[test]
    fn only_a_connection_after_something_else_is_shown() {
        let second = NodeSettings::redis("r2", world::Durability::None);
        let mut settings = Settings::default();
        settings.nodes.push(second);
        let mut timeline = Timeline::new(settings);
        let connected = |timeline: &Timeline| {
            whole(timeline, 0).iter().filter(|entry| matches!(entry.what, ItemContent::Connected)).count()
        };
        timeline.push(Input::Connect { client: 0, name: "c1".to_owned() }).unwrap();
        let node = |number: &str| number.parse().unwrap();
        for number in ["1", "0"] {
            timeline.push(Input::SwitchNode { client: 0, node: node(number) }).unwrap();
            assert_eq!(connected(&timeline), 0, "its prompt names the node");
        }
        timeline.push(Input::Command { client: 0, argv: vec!["PING".into()] }).unwrap();
        timeline.push(Input::SwitchNode { client: 0, node: node("1") }).unwrap();
        assert_eq!(connected(&timeline), 1);
    }

    fn whole(timeline: &Timeline, client: u32) -> Vec<Rc<Entry>> {
        let mut transcript = Transcript::default();
        transcript.follow(timeline, client);
        transcript.entries().to_vec()
    }

    #[test]
    fn incremental_transcript_equals_one_read_from_the_start() {
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
        // A branch with time on it, and back to the other branch.
        for input in [Input::Interrupt { client: 0 }, Input::Advance { ms: 1 }, Input::Advance { ms: 9 }] {
            let _ = timeline.push(input);
            check(&timeline);
        }
        timeline.push(Input::Command { client: 0, argv: vec!["PING".into(), "branch".into()] }).unwrap();
        check(&timeline);
        let first = timeline.branches()[0].head;
        timeline.switch_to(first);
        check(&timeline);
        // Another session with the same step numbers.
        check(&super::tests::timeline(&["ECHO other", "ECHO session", "PING"]));
    }

    fn any_input() -> impl Strategy<Value = Input> + Clone {
        let lines = [
            "PING",
            "MULTI",
            "EXEC",
            "BLPOP q 1",
            "RPUSH q v",
            "SUBSCRIBE news",
            "PUBLISH news hi",
            "SELECT 3",
            "QUIT",
        ];
        let line = prop::sample::select(lines.to_vec());
        let command = |(client, line): (u32, &str)| Input::Command {
            client,
            argv: line.split(' ').map(|word| bytes::Bytes::copy_from_slice(word.as_bytes())).collect(),
        };
        prop_oneof![
            6 => (0..2u32, line).prop_map(command),
            2 => (1..900u64).prop_map(|ms| Input::Advance { ms }),
            1 => (0..2u32).prop_map(|client| Input::Interrupt { client }),
            1 => (0..2u32).prop_map(|client| Input::Connect { client, name: format!("c{}", client + 1) }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn incremental_transcript_equals_a_fresh_one(actions in prop::collection::vec(any_action(any_input()), 1..120)) {
            let mut played = Played::new(timeline(&[]));
            let mut transcript = Transcript::default();
            for action in actions {
                played.apply(action);
                transcript.follow(&played.timeline, 0);
                let whole = whole(&played.timeline, 0);
                prop_assert_eq!(transcript.entries(), whole.as_slice());
            }
        }
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
