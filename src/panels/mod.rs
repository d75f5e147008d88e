//! The panels. A panel reads the session through hooks and sends actions back; it holds no state of the session itself.
pub mod client;
pub mod dialogs;
pub mod eventloop;
pub mod explorer;
pub mod header;
pub mod inside;
pub mod keyspace;
pub mod lanes;
pub mod lesson;
pub mod loading;
pub mod nodes;
pub mod programs;
pub mod river;
pub mod scripts;
pub mod tables;
pub mod terminal;
pub mod timeline;
pub mod traffic;
pub mod verdict;

use world::NodeIndex;
use yew::Properties;

/// Properties of a panel that shows one node.
#[derive(Clone, Copy, PartialEq, Eq, Properties)]
pub struct NodeProps {
    /// The node that the panel shows.
    pub node: NodeIndex,
}
