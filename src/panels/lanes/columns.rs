//! Where each lane stands: half of the clients before the server, half behind it, so that arrows are short.
use world::ClientIndex;

use crate::state::lab::lanes::{Bar, BarKind, Picture};

/// Bars that stand beside each other; more would leave no room for words.
const TRACKS_MAX: u8 = 4;

/// The columns of the grid, from 1; the first one is for the time.
pub struct Columns {
    lanes: Vec<ClientIndex>,
    /// The server's.
    pub server: usize,
    tracks: u8,
    server_tracks: u8,
}

impl Columns {
    /// The columns of these clients.
    pub fn of(picture: &Picture, open: &[ClientIndex]) -> Columns {
        let most = |client: Option<ClientIndex>| {
            let bars = picture.lane(client).map(|lane| lane.bars.iter()).into_iter().flatten();
            bars.filter(|bar| stands_beside(bar)).map(|bar| bar.track.saturating_add(1)).max().unwrap_or(0)
        };
        let tracks = open.iter().map(|client| most(Some(*client))).max().unwrap_or(0).min(TRACKS_MAX);
        let before = open.len().div_ceil(2);
        Columns {
            lanes: open.to_vec(),
            server: before.saturating_add(2),
            tracks,
            server_tracks: most(None).min(TRACKS_MAX),
        }
    }

    /// The style that makes the grid.
    pub fn style(&self) -> String {
        let before = self.server.saturating_sub(2);
        let behind = self.lanes.len().saturating_sub(before);
        let lanes = |count: usize| match count {
            0 => String::new(),
            count => format!("repeat({count}, minmax(var(--lane-min), 1fr))"),
        };
        format!(
            "--lane-columns: var(--lane-gutter) {} minmax(var(--lane-min), 1fr) {}; --lane-count: {}; --tracks: {}; --server-tracks: {}",
            lanes(before),
            lanes(behind),
            self.lanes.len().saturating_add(1),
            self.tracks,
            self.server_tracks,
        )
    }

    /// Clients with their columns.
    pub fn clients(&self) -> impl Iterator<Item = (ClientIndex, usize)> + '_ {
        let column = |(at, client): (usize, &ClientIndex)| {
            let column = at.saturating_add(2);
            (*client, if column >= self.server { column.saturating_add(1) } else { column })
        };
        self.lanes.iter().enumerate().map(column)
    }

    /// The column of a client that has one.
    pub fn column(&self, client: ClientIndex) -> Option<usize> {
        self.clients().find(|(other, _)| *other == client).map(|(_, column)| column)
    }
}

/// Does it stand beside the words, and not behind them?
pub fn stands_beside(bar: &Bar) -> bool {
    !matches!(bar.kind, BarKind::Over { .. } | BarKind::Crashed | BarKind::Paused)
}
