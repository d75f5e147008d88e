//! What is done to nodes as lines of a session, and how nodes are set up as lines of its head.
use super::{Durability, NODES_MAX, NodeAct, NodeSettings};
use crate::{Input, Settings, input::is_good_name};

/// The line of what is done to a node; of anything else, an empty one.
// Functions of their own, so that they can be part of a chunk: most sessions have none of these lines.
#[inline(never)]
pub(crate) fn line(input: &Input) -> String {
    match input {
        Input::Node { node, act: NodeAct::Crash } => format!("@crash {node}"),
        Input::Node { node, act: NodeAct::Restart } => format!("@restart {node}"),
        Input::Node { node, act: NodeAct::ShiftClock { ms } } => format!("@clock {node} +{ms}ms"),
        _ => String::new(),
    }
}

/// What such a line does; `None` when it means nothing.
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
    nodes.iter().map(|node| format!("node {} {}\n", node.name, node.durability.word())).collect()
}

/// Takes what stands behind `node ` in a head; `None` when it means nothing.
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
    /// Name and durability, as in `r1 none`; `None` when they mean nothing.
    #[inline(never)]
    pub fn from_words(words: &str) -> Option<NodeSettings> {
        let (name, durability) = words.split_once(' ').filter(|(name, _)| is_good_name(name))?;
        Some(NodeSettings { name: name.to_owned(), durability: Durability::named(durability.trim())? })
    }
}
