//! Link acts as lines of a session: `c1@ 2 cut`, `c1@ 2 mend`, `c1@ 2 +60ms`.
use super::LinkAct;
use crate::{ClientIndex, Input, NodeIndex};

/// The words after the client's name.
// Separate functions, so that they can be part of a chunk: most sessions have none of these lines.
#[inline(never)]
pub(crate) fn words(node: NodeIndex, act: LinkAct) -> String {
    match act {
        LinkAct::Cut => format!("{node} cut"),
        LinkAct::Mend => format!("{node} mend"),
        LinkAct::Delay { ms } => format!("{node} +{ms}ms"),
    }
}

/// Parses such words; without an act the client switches to the node. `None`: invalid.
#[inline(never)]
pub(crate) fn input(client: ClientIndex, words: &str) -> Option<Input> {
    let Some((node, act)) = words.split_once(' ') else {
        return Some(Input::SwitchNode { client, node: words.parse().ok()? });
    };
    let act = match act {
        "cut" => LinkAct::Cut,
        "mend" => LinkAct::Mend,
        delay => LinkAct::Delay { ms: delay.strip_prefix('+')?.strip_suffix("ms")?.parse().ok()? },
    };
    Some(Input::Link { client, node: node.parse().ok()?, act })
}
