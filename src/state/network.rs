//! The network between clients and nodes, as the nodes panel draws it: messages in flight, clients waiting at each node, and which clients
//! are shown if not all fit.
//!
//! [`on_the_way`] is the only place in the page that knows where a world keeps its network messages.
use script::program::{Reply, Request};
use world::{ClientIndex, Direction, Durability, NodeIndex, Process, RequestStage, World};

use super::lab::lanes::label;
use crate::i18n::Lang;

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// In flight on the link.
    Travels {
        /// Time until it arrives, in ms; 0: it may arrive at any moment.
        left_ms: u64,
        /// How much of its way is behind it, in percent.
        done: u8,
    },
    /// In flight; it arrives when the scheduler delivers it.
    HeldUp,
    /// At the node, which has not replied yet.
    Waits,
}

/// A message between a client and a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnTheWay {
    /// The client that sent the request or gets the reply.
    pub client: ClientIndex,
    /// The node at the other end.
    pub node: NodeIndex,
    /// Its direction.
    pub direction: Direction,
    /// Its position.
    pub how: How,
    /// The command or reply in short; empty for a terminal that waits at its node.
    pub words: String,
}

/// All messages in a world's network, by client: those of its threads first, then delayed ones, then those of its terminal.
pub fn on_the_way(world: &World) -> Vec<OnTheWay> {
    let mut found = Vec::new();
    for (client, each) in world.clients() {
        if let Some(process) = &each.program {
            of_threads(world, client, process, &mut found);
        }
        found.extend(world.held_up(client).map(|message| OnTheWay {
            client,
            node: message.node,
            direction: if message.reply.is_some() { Direction::Reply } else { Direction::Request },
            how: How::HeldUp,
            words: message.reply.as_ref().map_or_else(|| label::command(&message.argv), answer),
        }));
        let is_under_way = of_terminal(world, client, &mut found);
        if each.program.is_none() && !is_under_way && world.is_waiting(client) {
            let (node, how) = (each.node, How::Waits);
            found.push(OnTheWay { client, node, direction: Direction::Request, how, words: String::new() });
        }
    }
    found
}

fn of_threads(world: &World, client: ClientIndex, process: &Process, found: &mut Vec<OnTheWay>) {
    for (thread, request) in world.requests_of(client) {
        let Some(Request::Call { argv, .. }) = process.request(thread) else { continue };
        let node = request.node;
        let whole_ms = process.delay_ms().saturating_add(world.link(client, node).delay_ms);
        let (direction, how, words) = match &request.stage {
            RequestStage::ToNode { at_ms } => {
                (Direction::Request, travels(world, *at_ms, whole_ms), label::command(argv))
            }
            RequestStage::Queued | RequestStage::AtNode => (Direction::Request, How::Waits, label::command(argv)),
            RequestStage::ToClient { at_ms, reply } => {
                (Direction::Reply, travels(world, *at_ms, whole_ms), answer(reply))
            }
        };
        found.push(OnTheWay { client, node, direction, how, words });
    }
}

/// Adds the messages in flight between a terminal or a subscriber and the nodes. Returns whether there are any.
fn of_terminal(world: &World, client: ClientIndex, found: &mut Vec<OnTheWay>) -> bool {
    let before = found.len();
    for typed in world.typed().iter().filter(|typed| typed.client == client) {
        let how = travels(world, typed.at_ms, world.link(client, typed.node).delay_ms);
        let words = label::command(&typed.argv);
        found.push(OnTheWay { client, node: typed.node, direction: Direction::Request, how, words });
    }
    for said in world.said().iter().filter(|said| said.client == client) {
        let how = travels(world, said.at_ms, world.link(client, said.node).delay_ms);
        let words = label::reply(&said.value);
        found.push(OnTheWay { client, node: said.node, direction: Direction::Reply, how, words });
    }
    found.len() > before
}

/// The position of a message that takes `whole_ms` and arrives at `at_ms`. A message without a delay is drawn halfway.
fn travels(world: &World, at_ms: u64, whole_ms: u64) -> How {
    let left_ms = at_ms.saturating_sub(world.now_ms());
    let done = if whole_ms == 0 { 50 } else { percent(whole_ms.saturating_sub(left_ms), whole_ms) };
    How::Travels { left_ms, done }
}

fn answer(reply: &Reply) -> String {
    if let Reply::Value(value) = reply { label::reply(value) } else { String::new() }
}

fn percent(part: u64, whole: u64) -> u8 {
    let percent = part.saturating_mul(100).checked_div(whole).unwrap_or(100);
    u8::try_from(percent.min(100)).unwrap_or(100)
}

/// Clients that wait for a reply of this node: those in its queue, in order, then those whose requests it has started.
pub fn waiting(world: &World, messages: &[OnTheWay], node: NodeIndex) -> Vec<ClientIndex> {
    let queued: Vec<ClientIndex> = world.queue(node).iter().map(|queued| queued.client).collect();
    let waits = |message: &&OnTheWay| message.node == node && message.how == How::Waits;
    let mut begun: Vec<ClientIndex> = messages.iter().filter(waits).map(|message| message.client).collect();
    for client in &queued {
        if let Some(at) = begun.iter().position(|other| other == client) {
            begun.remove(at);
        }
    }
    queued.into_iter().chain(begun).collect()
}

/// The clients to draw when `most` fit: the active one, those with programs, then the first ones. Also returns how many are left out.
// Not sorted: sorting code would be larger than the rest of this module.
pub fn shown(world: &World, active: ClientIndex, most: usize) -> (Vec<ClientIndex>, usize) {
    let all = || world.clients().map(|(client, _)| client);
    let rank = |client: ClientIndex| match world.process(client) {
        _ if client == active => 0,
        Some(_) => 1,
        None => 2,
    };
    let by_rank = (0..3).flat_map(|wanted| all().filter(move |client| rank(*client) == wanted));
    let chosen: Vec<ClientIndex> = by_rank.take(most).collect();
    let hidden = all().count().saturating_sub(chosen.len());
    (all().filter(|client| chosen.contains(client)).collect(), hidden)
}

/// What a Redis server finds after a restart, in the words of its settings.
pub fn persistence(t: Lang, durability: Durability) -> String {
    match durability {
        Durability::None => t.nodes_no_disk().to_owned(),
        Durability::EverySecond | Durability::Always => format!("appendfsync {}", durability.word()),
    }
}

#[cfg(test)]
mod tests {
    use world::{Act, Direction, Input, LinkAct, NodeIndex};

    use super::super::lab::fixture::Fixture;
    use super::{How, OnTheWay, on_the_way, shown, waiting};

    fn first() -> NodeIndex {
        "0".parse().unwrap()
    }

    fn message(client: u32, direction: Direction, how: How, words: &str) -> OnTheWay {
        OnTheWay { client, node: first(), direction, how, words: words.to_owned() }
    }

    #[test]
    fn messages_are_found_on_the_way_to_a_node_and_back() {
        let mut stage = Fixture::new(["redis.call('GET', 'k')"]);
        assert_eq!(on_the_way(stage.world()), []);
        stage.push(Input::Link { client: 0, node: first(), act: LinkAct::Delay { ms: 200 } });
        stage.program(0, Act::Send { thread: 0 });
        let travels = |left_ms, done| How::Travels { left_ms, done };
        assert_eq!(on_the_way(stage.world()), [message(0, Direction::Request, travels(200, 0), "GET k")]);
        stage.pass(150);
        assert_eq!(on_the_way(stage.world()), [message(0, Direction::Request, travels(50, 75), "GET k")]);
        stage.pass(50);
        stage.program(0, Act::Send { thread: 0 });
        let messages = on_the_way(stage.world());
        assert_eq!(messages, [message(0, Direction::Request, How::Waits, "GET k")]);
        assert_eq!(waiting(stage.world(), &messages, first()), [0]);
        stage.push(Input::Serve { node: first() });
        assert_eq!(on_the_way(stage.world()), [message(0, Direction::Reply, travels(200, 0), "nil")]);
    }

    #[test]
    fn undelayed_replies_and_held_up_requests_are_on_the_link() {
        let mut stage = Fixture::new(["redis.pcall('SET', 'k', 1)", "redis.call('BLPOP', 'l', 0)"]);
        stage.program(0, Act::HoldUp { thread: 0, direction: Direction::Request });
        stage.step(1);
        let held = message(0, Direction::Request, How::HeldUp, "SET k 1");
        let messages = on_the_way(stage.world());
        assert_eq!(messages, [held.clone(), message(1, Direction::Request, How::Waits, "BLPOP l 0")]);
        assert_eq!(waiting(stage.world(), &messages, first()), [1]);
        stage.push(Input::Connect { client: 2, name: "c3".into() });
        stage.push(Input::Command { client: 2, argv: vec!["RPUSH".into(), "l".into(), "x".into()] });
        let Some(OnTheWay { direction: Direction::Reply, how: How::Travels { left_ms: 0, .. }, .. }) =
            on_the_way(stage.world()).into_iter().nth(1)
        else {
            panic!("{:?}", on_the_way(stage.world()))
        };
        // A blocked terminal waits at its node, with any command.
        stage.push(Input::Command { client: 2, argv: vec!["BLPOP".into(), "m".into(), "0".into()] });
        assert!(on_the_way(stage.world()).contains(&message(2, Direction::Request, How::Waits, "")));
    }

    #[test]
    fn typed_commands_and_replies_on_a_slow_link_are_on_the_link() {
        let mut stage = Fixture::new([]);
        stage.push(Input::Connect { client: 0, name: "c1".into() });
        stage.push(Input::Link { client: 0, node: first(), act: LinkAct::Delay { ms: 200 } });
        stage.push(Input::Command { client: 0, argv: vec!["GET".into(), "k".into()] });
        let travels = |left_ms, done| How::Travels { left_ms, done };
        stage.pass(50);
        assert_eq!(on_the_way(stage.world()), [message(0, Direction::Request, travels(150, 25), "GET k")]);
        stage.pass(250);
        assert_eq!(on_the_way(stage.world()), [message(0, Direction::Reply, travels(100, 50), "nil")]);
        stage.pass(100);
        assert_eq!(on_the_way(stage.world()), []);
    }

    #[test]
    fn active_client_and_those_with_programs_are_shown_first() {
        let mut stage = Fixture::new(["redis.call('PING')"]);
        for client in 1..6 {
            stage.push(Input::Connect { client, name: format!("c{}", client + 1) });
        }
        stage.program(3, Act::load("redis.call('PING')".into()));
        assert_eq!(shown(stage.world(), 5, 8), (vec![0, 1, 2, 3, 4, 5], 0));
        assert_eq!(shown(stage.world(), 5, 3), (vec![0, 3, 5], 3));
        assert_eq!(shown(stage.world(), 5, 1), (vec![5], 5));
        assert_eq!(shown(stage.world(), 4, 4), (vec![0, 1, 3, 4], 2));
    }
}
