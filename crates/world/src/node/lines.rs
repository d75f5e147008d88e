//! Node acts as lines of a session, and node settings as lines of its head.
use super::{Durability, NODES_MAX, NodeAct, NodeKind, NodeSettings};
use crate::{Input, Settings, is_good_name};

/// The line of a node act; empty for any other input.
// Separate functions, so that they can be part of a chunk: most sessions have none of these lines.
#[inline(never)]
pub(crate) fn line(input: &Input) -> String {
    match input {
        Input::Node { node, act: NodeAct::Crash } => format!("@crash {node}"),
        Input::Node { node, act: NodeAct::Restart } => format!("@restart {node}"),
        Input::Node { node, act: NodeAct::ShiftClock { ms } } => format!("@clock {node} +{ms}ms"),
        _ => String::new(),
    }
}

/// Parses such a line; `None` if it is invalid.
#[inline(never)]
pub(crate) fn input(line: &str) -> Option<Input> {
    let (word, rest) = line.split_once(' ')?;
    let (node, act) = match word {
        "@crash" => (rest, NodeAct::Crash),
        "@restart" => (rest, NodeAct::Restart),
        "@clock" => {
            let (node, ms) = rest.split_once(" +")?;
            (node, NodeAct::ShiftClock { ms: ms.strip_suffix("ms")?.parse().ok()? })
        }
        _ => return None,
    };
    Some(Input::Node { node: node.parse().ok()?, act })
}

/// The lines of nodes in the head of a session.
#[inline(never)]
pub(crate) fn head(nodes: &[NodeSettings]) -> String {
    let kind = |node: &NodeSettings| match &node.kind {
        NodeKind::Redis(durability) => durability.word().to_owned(),
        NodeKind::Table(settings) => table_words(settings),
    };
    nodes.iter().map(|node| format!("node {} {}\n", node.name, kind(node))).collect()
}

/// Parses the words after `node ` in a head; `None` if they are invalid.
#[inline(never)]
pub(crate) fn take(settings: &mut Settings, words: &str) -> Option<()> {
    let node = NodeSettings::from_words(words)?;
    let is_taken = settings.nodes.iter().any(|other| other.name == node.name);
    if is_taken || settings.nodes.len() >= NODES_MAX {
        return None;
    }
    settings.nodes.push(node);
    Some(())
}

impl NodeSettings {
    /// Parses the name and durability of a Redis server, as in `r1 none`, or a database with its non-default settings, as in `db table
    /// workers 2 service 5`; `None` if the words are invalid.
    #[inline(never)]
    pub fn from_words(words: &str) -> Option<NodeSettings> {
        let (name, kind) = words.split_once(' ').filter(|(name, _)| is_good_name(name))?;
        let mut words = kind.split_ascii_whitespace();
        let first = words.next()?;
        let kind = match first {
            "table" => NodeKind::Table(table_settings(words)?),
            _ if words.next().is_some() => return None,
            durability => NodeKind::Redis(Durability::named(durability)?),
        };
        Some(NodeSettings { name: name.to_owned(), kind })
    }
}

/// The non-default settings, in pairs: `workers 2` statements at a time, `service 5` ms per statement, at most `connections 10`, and at
/// most `lock-wait 1000` ms of waiting for a lock.
fn table_words(settings: &table::Settings) -> String {
    let default = table::Settings::default();
    let mut words = "table".to_owned();
    let mut add = |word: &str, value: u64, default: u64| {
        if value != default {
            words.push_str(&format!(" {word} {value}"));
        }
    };
    add("service", settings.service_ms, default.service_ms);
    add("workers", settings.workers.into(), default.workers.into());
    add("connections", settings.connections_max.into(), default.connections_max.into());
    add("lock-wait", settings.lock_wait_ms, default.lock_wait_ms);
    words
}

/// Upper bound of each setting of a database.
const TABLE_SETTING_MAX: u64 = 1_000_000_000;

fn table_settings<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<table::Settings> {
    let mut settings = table::Settings::default();
    while let Some(word) = words.next() {
        let value: u64 = words.next()?.parse().ok().filter(|value| *value <= TABLE_SETTING_MAX)?;
        let count = u32::try_from(value).ok()?;
        match word {
            "service" => settings.service_ms = value,
            "workers" => settings.workers = count,
            "connections" => settings.connections_max = count,
            "lock-wait" => settings.lock_wait_ms = value,
            _ => return None,
        }
    }
    Some(settings)
}
