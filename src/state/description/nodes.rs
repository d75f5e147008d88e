//! Sentences about nodes and links.
use world::{Event, EventKind, Input, LinkAct, NodeAct, NodeIndex};

use super::{Describer, arrives, short};
use crate::i18n::code;
use crate::i18n::messages::{
    StepArrives, StepKeyOnNode, StepLinkCut, StepLinkDelay, StepLinkMended, StepNodeClock, StepOnNode, StepRowDeleted,
    StepRowInserted, StepRowUpdated, StepRowWaits, StepSwitches,
};
use crate::state::sql;

/// How many rows of a step are described.
const ROWS_DESCRIBED_MAX: usize = 4;

/// The start of the sentence: which node a client switches to, or what happens to a node or link.
// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
pub(super) fn head(describer: &Describer, input: &Input) -> String {
    let t = describer.t;
    let name = |node: NodeIndex| code(describer.settings.name_of_node(node));
    match input {
        Input::SwitchNode { client, node } => t.say(StepSwitches { who: &describer.name(*client), node: &name(*node) }),
        Input::Node { node, act: NodeAct::Crash } => t.step_node_crashes(&name(*node)),
        Input::Node { node, act: NodeAct::Restart } => t.step_node_restarts(&name(*node)),
        Input::Node { node, act: NodeAct::ShiftClock { ms } } => t.say(StepNodeClock { node: &name(*node), ms: *ms }),
        Input::Link { client, node, act } => link(describer, &describer.name(*client), &name(*node), *act),
        _ => String::new(),
    }
}

fn link(describer: &Describer, who: &str, node: &str, act: LinkAct) -> String {
    match act {
        LinkAct::Cut => describer.t.say(StepLinkCut { who, node }),
        LinkAct::Mend => describer.t.say(StepLinkMended { who, node }),
        LinkAct::Delay { ms } => describer.t.say(StepLinkDelay { who, node, ms }),
    }
}

/// What happened to rows; if a step changed many, only the first ones.
#[inline(never)]
pub(super) fn rows(describer: &Describer, events: &[Event]) -> Vec<String> {
    let changes = events.iter().filter_map(|event| {
        let EventKind::RowChanged { table, key, before, after, .. } = &event.kind else { return None };
        let (t, table, row) =
            (describer.t, &code(&String::from_utf8_lossy(table)), &code(&String::from_utf8_lossy(key)));
        Some(match (before, after) {
            (None, _) => t.say(StepRowInserted { table, row }),
            (Some(_), None) => t.say(StepRowDeleted { table, row }),
            (Some(_), Some(after)) => t.say(StepRowUpdated { table, row, value: &code(&sql::row(after)) }),
        })
    });
    changes.take(ROWS_DESCRIBED_MAX).collect()
}

/// A client that cannot connect to a database, or waits for a row.
#[inline(never)]
pub(super) fn of_table(describer: &Describer, event: &Event) -> String {
    let EventKind::RowWait { table, key, holders, .. } = &event.kind else {
        return describer.t.step_too_many_connections().to_owned();
    };
    let holders: Vec<String> = holders.iter().map(|holder| describer.name(*holder)).collect();
    describer.t.say(StepRowWaits {
        row: &code(&String::from_utf8_lossy(key)),
        table: &code(&String::from_utf8_lossy(table)),
        holders: &holders.join(describer.t.step_comma()),
    })
}

/// Commands and replies that arrived because time passed or a link was restored.
pub(super) fn arrivals(describer: &Describer, events: &[Event]) -> Vec<String> {
    let arrival = |event: &Event| match &event.kind {
        EventKind::Command { client, argv, .. } => {
            let command = if event.node.is_some_and(|node| describer.settings.is_table(node)) {
                sql::whole(argv)
            } else {
                resp::split::quote_command(argv)
            };
            let command = with_node(describer, short(&command), event.node);
            Some(describer.t.say(StepArrives { who: &describer.name(*client), command: &command }))
        }
        EventKind::Reply { client, .. } => Some(describer.t.step_is_answered(&describer.name(*client))),
        _ => None,
    };
    events.iter().filter(|event| arrives(event, events)).filter_map(arrival).collect()
}

/// A command with its target node, if there are several nodes.
pub fn with_node(describer: &Describer, command: String, node: Option<NodeIndex>) -> String {
    match name_of(describer, node) {
        Some(node) => describer.t.say(StepOnNode { command: &command, node: &node }),
        None => command,
    }
}

/// A key with its node, if there are several nodes.
pub(super) fn key_of_node(describer: &Describer, key: String, node: Option<NodeIndex>) -> String {
    match name_of(describer, node) {
        Some(node) => describer.t.say(StepKeyOnNode { key: &key, node: &node }),
        None => key,
    }
}

/// The name of a node; `None` if there is only one.
pub fn name_of(describer: &Describer, node: Option<NodeIndex>) -> Option<String> {
    describer.settings.shown_name_of_node(node?).map(code)
}

#[cfg(test)]
mod tests {
    use world::{Durability, Input, LinkAct, NodeAct, NodeIndex, NodeSettings, Settings, Timeline};

    use crate::i18n::{Lang, plain};
    use crate::state::description::Describer;
    use crate::state::terminal::transcript::{ItemContent, Transcript, at_node};

    fn node(number: u32) -> NodeIndex {
        number.to_string().parse().unwrap()
    }

    fn two_nodes() -> Timeline {
        let named = |name: &str| NodeSettings::redis(name, Durability::Always);
        let mut timeline = Timeline::new(Settings { nodes: vec![named("r1"), named("r2")], ..Settings::default() });
        timeline.push(Input::Connect { client: 0, name: "c1".into() }).unwrap();
        timeline
    }

    fn description(timeline: &Timeline) -> [String; 2] {
        let step = timeline.step_at(timeline.len() - 1).unwrap();
        let name_of = |client: u32| format!("c{}", client + 1);
        let settings = timeline.settings();
        [Lang::En, Lang::ZhCn]
            .map(|t| plain(&Describer { t, name_of: &name_of, settings }.step(&step.input, &step.events)))
    }

    #[test]
    fn steps_of_nodes_are_described_with_their_names() {
        let mut timeline = two_nodes();
        let get = || Input::Command { client: 0, argv: vec!["GET".into(), "k".into()] };
        let link = |act| Input::Link { client: 0, node: node(1), act };
        let act = |act| Input::Node { node: node(1), act };
        for (input, en, zh) in [
            (Input::SwitchNode { client: 0, node: node(1) }, "c1 switches to r2.", "c1 改连 r2。"),
            (act(NodeAct::Crash), "r2 crashes: the connection of c1 breaks.", "r2 宕机：c1 的连接断开。"),
            (
                get(),
                "c1 runs GET k on r2: the connection is refused, the node is down.",
                "c1 执行 GET k（r2）：连接被拒绝，节点已宕机。",
            ),
            (act(NodeAct::Restart), "r2 restarts.", "r2 重新启动。"),
            (
                act(NodeAct::ShiftClock { ms: 60_000 }),
                "the clock of r2 jumps ahead by 1 min.",
                "r2 的时钟向前跳了 1 分钟。",
            ),
            (link(LinkAct::Cut), "the link between c1 and r2 is cut.", "c1 与 r2 之间的链路断开。"),
            (get(), "c1 runs GET k on r2: no answer, the link is cut.", "c1 执行 GET k（r2）：没有回复，链路已断开。"),
            (link(LinkAct::Mend), "the link between c1 and r2 works again.", "c1 与 r2 之间的链路恢复。"),
            (
                link(LinkAct::Delay { ms: 60 }),
                "each message between c1 and r2 now takes 60 ms.",
                "c1 与 r2 之间的每条消息现在需要 60 毫秒。",
            ),
        ] {
            timeline.push(input).unwrap();
            assert_eq!(description(&timeline), [en, zh]);
        }
    }

    #[test]
    fn deadlines_are_described_by_the_clock_of_their_node() {
        let mut timeline = two_nodes();
        timeline.push(Input::Node { node: node(0), act: NodeAct::ShiftClock { ms: 60_000 } }).unwrap();
        for (line, en, zh) in [
            ("SET k 1", "c1 runs SET k 1 on r1: creates the string k.", "c1 执行 SET k 1（r1）：新建字符串 k。"),
            (
                "EXPIRE k 9",
                "c1 runs EXPIRE k 9 on r1: k will expire in 9 s.",
                "c1 执行 EXPIRE k 9（r1）：k 将在 9 秒后过期。",
            ),
            (
                "BLPOP l 9",
                "c1 runs BLPOP l 9 on r1: waits for l, at most 9 s.",
                "c1 执行 BLPOP l 9（r1）：等待 l，最多等 9 秒。",
            ),
        ] {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            timeline.push(Input::Command { client: 0, argv }).unwrap();
            assert_eq!(description(&timeline), [en, zh], "{line}");
        }
        timeline.push(Input::Advance { ms: 60_000 }).unwrap();
        let [en, zh] = description(&timeline);
        assert!(en.contains("k on r1 has expired") && zh.contains("r1 上的 k 过期了"), "{en} {zh}");
    }

    #[test]
    fn refused_commands_are_shown_in_the_terminal() {
        let mut timeline = two_nodes();
        timeline.push(Input::Node { node: node(0), act: NodeAct::Crash }).unwrap();
        timeline.push(Input::Command { client: 0, argv: vec!["GET".into(), "k".into()] }).unwrap();
        let mut transcript = Transcript::default();
        transcript.follow(&timeline, 0);
        let whats: Vec<&ItemContent> = transcript.entries().iter().map(|entry| &entry.what).collect();
        assert!(
            matches!(
                whats.as_slice(),
                [ItemContent::Disconnected(Some(_)), ItemContent::Command { .. }, ItemContent::Refused]
            ),
            "{whats:?}"
        );
        assert_eq!(at_node("c1", timeline.world(), Some(node(1))), "c1@r2");
        let lone = Timeline::new(Settings::default());
        assert_eq!(at_node("c1", lone.world(), Some(node(0))), "c1", "a single node is not named");
    }
}
