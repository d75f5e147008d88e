//! The clients of a session: names, the order of their panes, and room for another one.
use world::{ClientIndex, Input};

use super::{CLIENTS_MAX, Session};

impl Session {
    /// The client whose pane is after (or before) the active one's, cyclically.
    pub fn neighbour(&self, is_after: bool) -> ClientIndex {
        let clients: Vec<ClientIndex> = self.world().clients().map(|(client, _)| client).collect();
        let count = clients.len().max(1);
        let at = clients.iter().position(|client| *client == self.active).unwrap_or(0);
        let to = if is_after { at.saturating_add(1) } else { at.saturating_add(count).saturating_sub(1) } % count;
        clients.get(to).copied().unwrap_or(self.active)
    }

    /// The client whose pane is in this place, from 1.
    pub fn client_in_place(&self, place: u8) -> Option<ClientIndex> {
        self.world().clients().nth(usize::from(place).checked_sub(1)?).map(|(client, _)| client)
    }

    /// The name of a client at the cursor.
    pub fn name_of(&self, client: ClientIndex) -> String {
        if let Some(found) = self.world().client(client) {
            return found.name.to_string();
        }
        // A client that has disconnected keeps its name.
        let named = |input: &Input| match input {
            Input::Connect { client: other, name } | Input::Rename { client: other, name } if *other == client => {
                Some(name.clone())
            }
            _ => None,
        };
        self.timeline.taken().rev().find_map(|(_, step)| named(&step.input)).unwrap_or_else(|| default_name(client))
    }

    /// The lowest free client number, if another client fits.
    pub(super) fn free_client(&self) -> Option<ClientIndex> {
        let most = ClientIndex::try_from(CLIENTS_MAX).unwrap_or(ClientIndex::MAX);
        (0..most).find(|client| self.world().client(*client).is_none())
    }

    /// The default name, or the next free one of its kind: on a lesson's stage other clients may have it.
    pub(super) fn free_name(&self, client: ClientIndex) -> String {
        let is_free = |name: &String| self.world().clients().all(|(_, other)| *other.name != **name);
        // Among more names than clients, one is free.
        (client..).map(default_name).find(is_free).unwrap_or_default()
    }
}

/// The name of a client until it is renamed.
pub fn default_name(client: ClientIndex) -> String {
    format!("c{}", client.saturating_add(1))
}
