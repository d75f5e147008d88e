//! Columns of the lanes: half of the clients and machines to the left of the nodes, half to the right, so that arrows are short.
use world::{ClientIndex, NodeIndex, World};

use crate::state::lab::lanes::{Lane, LaneKey, Picture};

/// Maximum number of bars side by side; more would leave no room for text.
const TRACKS_MAX: u8 = 4;

/// The columns of the grid, from 1; column 1 shows the time.
#[derive(PartialEq, Eq)]
pub struct Columns {
    /// Machines of traffic, from 0, each with a lane; `None`: a lane for all others. They are to the left of the clients.
    machines: Vec<Option<u32>>,
    lanes: Vec<ClientIndex>,
    nodes: Vec<NodeIndex>,
    /// The column of the first node.
    middle: usize,
    tracks: u8,
    node_tracks: u8,
}

impl Columns {
    /// The columns of these clients, of these machines of traffic, and of the nodes of the world.
    pub fn of(world: &World, picture: &Picture, open: &[ClientIndex], machines: Vec<Option<u32>>) -> Columns {
        let most = |key: LaneKey| picture.lane(key).map_or(0, Lane::beside);
        let nodes: Vec<NodeIndex> = world.nodes().collect();
        let tracks = open.iter().map(|client| most(LaneKey::Client(*client))).max().unwrap_or(0);
        let node_tracks = nodes.iter().map(|node| most(LaneKey::Node(*node))).max().unwrap_or(0);
        let before = open.len().saturating_add(machines.len()).div_ceil(2);
        Columns {
            machines,
            lanes: open.to_vec(),
            nodes,
            middle: before.saturating_add(2),
            tracks: tracks.min(TRACKS_MAX),
            node_tracks: node_tracks.min(TRACKS_MAX),
        }
    }

    /// The column of the first node.
    pub fn middle(&self) -> usize {
        self.middle
    }

    /// How many lanes there are, without those of machines.
    pub fn lanes(&self) -> usize {
        self.lanes.len().saturating_add(self.nodes.len())
    }

    /// How many lanes there are.
    fn count(&self) -> usize {
        self.lanes().saturating_add(self.machines.len())
    }

    /// CSS variables that define the grid.
    pub fn style(&self) -> String {
        let before = self.middle.saturating_sub(2);
        let behind = self.count().saturating_sub(self.nodes.len()).saturating_sub(before);
        let lanes = |count: usize| match count {
            0 => String::new(),
            count => format!("repeat({count}, minmax(var(--lane-min), 1fr))"),
        };
        format!(
            "--lane-columns: var(--lane-gutter) {} {} {}; --lane-count: {}; --tracks: {}; --server-tracks: {}",
            lanes(before),
            lanes(self.nodes.len()),
            lanes(behind),
            self.count(),
            self.tracks,
            self.node_tracks,
        )
    }

    /// Clients with their columns.
    pub fn clients(&self) -> impl Iterator<Item = (ClientIndex, usize)> + '_ {
        let before = self.machines.len();
        self.lanes.iter().zip(before..).map(|(client, at)| (*client, self.at(at)))
    }

    /// Machines of traffic with their columns.
    pub fn machines(&self) -> impl Iterator<Item = (Option<u32>, usize)> + '_ {
        self.machines.iter().enumerate().map(|(at, machine)| (*machine, self.at(at)))
    }

    /// The column of the lane with this index.
    fn at(&self, at: usize) -> usize {
        let column = at.saturating_add(2);
        if self.is_before(column) { column } else { column.saturating_add(self.nodes.len()) }
    }

    /// Nodes with their columns.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeIndex, usize)> + '_ {
        self.nodes.iter().copied().zip(self.middle..)
    }

    /// The column of a node.
    pub fn node(&self, node: NodeIndex) -> Option<usize> {
        self.nodes().find(|(other, _)| *other == node).map(|(_, column)| column)
    }

    /// Whether a column is to the left of those of the nodes.
    pub fn is_before(&self, column: usize) -> bool {
        column < self.middle
    }

    /// The column of a client; `None` if its lane is not open.
    pub fn column(&self, client: ClientIndex) -> Option<usize> {
        self.clients().find(|(other, _)| *other == client).map(|(_, column)| column)
    }

    /// The column of a machine; `None` if its lane is not open.
    pub fn machine(&self, machine: Option<u32>) -> Option<usize> {
        self.machines().find(|(other, _)| *other == machine).map(|(_, column)| column)
    }
}
