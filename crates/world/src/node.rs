//! Which node of a world: what carries it says at which server something happened, waits or is looked up.
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Number of a node: its place among the nodes of a world, kept for life. [`crate::World::nodes`] lists them; whatever is
/// about a node carries its number, so that nobody has to write one down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub(crate) usize);

impl NodeIndex {
    /// The node that every world has. What the text form of a session says without naming a node, it says of this one: where
    /// a client connects, and whose keys a property is about.
    pub const FIRST: NodeIndex = NodeIndex(0);
}

/// The number, as in the line `@serve 0`.
impl fmt::Display for NodeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for NodeIndex {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<NodeIndex, ParseIntError> {
        text.parse().map(NodeIndex)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use redis_model::{Config, Server};

    use super::NodeIndex;
    use crate::{Event, EventKind, Input, Property, Settings, World, fingerprint};

    /// A world with a second node, to which the second of its two clients talks.
    fn two_nodes() -> World {
        let mut world = World::new(Settings::default());
        world.servers.push(Rc::new(Server::new(Config::default(), world.now_ms)));
        world.queues.push(Vec::new());
        for client in 0..2 {
            world.step(&Input::Connect { client, name: format!("c{client}") }).unwrap();
        }
        command(&mut world, 1, "QUIT");
        world.client_mut(1).unwrap().node = NodeIndex(1);
        world
    }

    fn command(world: &mut World, client: u32, line: &str) -> Vec<Event> {
        world.step(&Input::Command { client, argv: resp::split::split(line.as_bytes()).unwrap() }).unwrap()
    }

    #[test]
    fn events_name_the_node_of_their_client_and_keys_stay_at_theirs() {
        let mut world = two_nodes();
        for (client, node) in [(0, NodeIndex::FIRST), (1, NodeIndex(1))] {
            let events = command(&mut world, client, "SET k v PX 10");
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::Command { .. })));
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::Reply { .. })));
            assert!(events.iter().any(|event| matches!(event.kind, EventKind::KeyChanged { .. })));
            assert!(events.iter().all(|event| event.node == Some(node)), "{events:?}");
        }
        command(&mut world, 0, "DEL k");
        let keys: Vec<usize> = world.nodes().map(|(_, server)| server.databases()[0].len()).collect();
        assert_eq!(keys, [0, 1]);
        let events = world.step(&Input::Advance { ms: 1_000 }).unwrap();
        let expired = events.iter().find(|event| matches!(event.kind, EventKind::KeyExpired { .. })).unwrap();
        assert_eq!(expired.node, Some(NodeIndex(1)));
    }

    #[test]
    fn what_concerns_a_client_alone_happens_at_no_node() {
        let mut world = two_nodes();
        let events = world.step(&Input::Rename { client: 1, name: "other".into() }).unwrap();
        assert_eq!(events.iter().map(|event| event.node).collect::<Vec<_>>(), [None]);
        command(&mut world, 1, "BLPOP q 0");
        let events = world.step(&Input::Interrupt { client: 1 }).unwrap();
        for event in &events {
            let is_own = matches!(event.kind, EventKind::Interrupted { .. });
            assert_eq!(event.node, if is_own { None } else { Some(NodeIndex(1)) }, "{event:?}");
        }
    }

    #[test]
    fn a_property_is_about_keys_of_the_first_node() {
        let mut world = two_nodes();
        world.step(&Input::Watch { property: Property::OnlyOwnerReleases { key: "lock".into() } }).unwrap();
        command(&mut world, 1, "SET lock v");
        assert_eq!(world.watch().owner(b"lock"), None);
        command(&mut world, 0, "SET lock v");
        command(&mut world, 1, "DEL lock");
        assert_eq!((world.watch().owner(b"lock"), world.watch().first_broken()), (Some(0), None));
    }

    #[test]
    fn a_node_is_written_read_and_hashed_as_its_number() {
        for number in [0, 1, 12] {
            let node = NodeIndex(number);
            assert_eq!(node.to_string(), number.to_string());
            assert_eq!(node.to_string().parse(), Ok(node));
            // Fingerprints of worlds stay what they were before nodes had a type of their own.
            assert_eq!(fingerprint(&node), fingerprint(&number));
        }
        assert!("".parse::<NodeIndex>().is_err() && "first".parse::<NodeIndex>().is_err());
        assert_eq!(NodeIndex::FIRST, NodeIndex(0));
    }
}
