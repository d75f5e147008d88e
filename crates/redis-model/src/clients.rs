//! `Clients`: the connections of a server.
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use crate::Part;
use crate::client::{Client, ClientId};
use crate::command::{Command, CommandId};

/// Connections by ascending id. Every command looks up its own connection more than once, so a lookup costs one comparison when no
/// connection between it and the first or the last one was removed, and O(log n) otherwise. Adding costs O(1), removing O(n). Clones share
/// the list until one of them changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Clients {
    list: Part<Vec<Connected>>,
}

/// A connection and its last command. Every command changes the latter, so it lies beside the connection, which stays shared with clones
/// of the server. The id lies here too: no connection is looked at to find another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Connected {
    id: ClientId,
    client: Part<Client>,
    last: LastCommand,
}

/// When a connection last sent a command, and which.
#[derive(Clone, Copy, Debug)]
pub struct LastCommand {
    /// In ms of the server's clock; before the first command, when it connected.
    pub at_ms: u64,
    row: Option<&'static Command>,
}

impl LastCommand {
    /// The command; `None` if there was none, or if it is unknown.
    pub fn id(&self) -> Option<CommandId> {
        self.row.map(Command::id)
    }
}

impl PartialEq for LastCommand {
    fn eq(&self, other: &LastCommand) -> bool {
        (self.at_ms, self.id()) == (other.at_ms, other.id())
    }
}

impl Eq for LastCommand {}

impl Hash for LastCommand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at_ms, self.id()).hash(state);
    }
}

impl Connected {
    fn new(client: Client) -> Connected {
        let last = LastCommand { at_ms: client.connected_ms, row: None };
        Connected { id: client.id, client: Part::new(client), last }
    }
}

impl Clients {
    /// Number of connections.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All connections, oldest first.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Client> {
        self.list.iter().map(|found| found.client.deref())
    }

    /// Are all connections in the state of a new one?
    pub(crate) fn are_like_fresh(&self) -> bool {
        self.list.digest(0, |list| u128::from(list.iter().all(|found| found.client.is_like_fresh()))) == 1
    }

    /// Is there a connection with this id?
    pub(crate) fn contains(&self, id: ClientId) -> bool {
        self.place(id).is_some()
    }

    fn place(&self, id: ClientId) -> Option<usize> {
        let at = id.wrapping_sub(self.list.first()?.id) as usize;
        let is_there = self.list.get(at).is_some_and(|found| found.id == id);
        if is_there { Some(at) } else { self.place_from_back(id) }
    }

    #[cold]
    fn place_from_back(&self, id: ClientId) -> Option<usize> {
        let steps = self.list.last()?.id.checked_sub(id).and_then(|steps| usize::try_from(steps).ok());
        let at = steps.and_then(|steps| (self.list.len() - 1).checked_sub(steps));
        let is_there = |at: &usize| self.list.get(*at).is_some_and(|found| found.id == id);
        at.filter(is_there).or_else(|| self.seek(id).ok())
    }

    fn seek(&self, id: ClientId) -> Result<usize, usize> {
        self.list.binary_search_by(|found| found.id.cmp(&id))
    }

    /// The connection with this id.
    pub(crate) fn get(&self, id: &ClientId) -> Option<&Client> {
        self.part(id).map(Deref::deref)
    }

    /// The connection with this id, and its digest.
    pub(crate) fn part(&self, id: &ClientId) -> Option<&Part<Client>> {
        self.list.get(self.place(*id)?).map(|found| &found.client)
    }

    /// The last command of the connection with this id.
    pub(crate) fn last_command(&self, id: ClientId) -> Option<LastCommand> {
        self.list.get(self.place(id)?).map(|found| found.last)
    }

    /// Notes the last command of the connection with this id.
    pub(crate) fn note_command(&mut self, id: ClientId, at_ms: u64, row: Option<&'static Command>) {
        let Some(at) = self.place(id) else { return };
        if let Some(found) = self.list.get_mut(at) {
            found.last = LastCommand { at_ms, row };
        }
    }

    /// The connection with this id, mutable.
    pub(crate) fn get_mut(&mut self, id: &ClientId) -> Option<&mut Client> {
        let at = self.place(*id)?;
        self.list.get_mut(at).map(|found| found.client.deref_mut())
    }

    /// Adds a connection; its id must not be in use.
    pub(crate) fn insert(&mut self, client: Client) {
        let at = self.seek(client.id).unwrap_or_else(|at| at);
        self.list.insert(at, Connected::new(client));
    }

    /// The connection with this id, mutable; `fresh` creates it if it is missing.
    #[expect(clippy::indexing_slicing, reason = "the place was just found or filled")]
    pub(crate) fn entry(&mut self, id: ClientId, fresh: impl FnOnce() -> Client) -> &mut Client {
        let at = self.place(id).unwrap_or_else(|| {
            let at = self.seek(id).unwrap_or_else(|at| at);
            self.list.insert(at, Connected::new(fresh()));
            at
        });
        &mut self.list[at].client
    }

    /// Removes a connection; false if there was none.
    pub(crate) fn remove(&mut self, id: &ClientId) -> bool {
        let Some(at) = self.place(*id) else { return false };
        self.list.remove(at);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lookup_finds_clients_after_others_were_removed(gone in prop::collection::btree_set(1u64..30, 0..30)) {
            let mut clients = Clients::default();
            for id in 1..30 {
                clients.insert(Client::new(id, String::new(), 0));
            }
            for id in &gone {
                prop_assert!(clients.remove(id) && !clients.remove(id));
            }
            for id in 0..32 {
                let expected = (1..30).contains(&id) && !gone.contains(&id);
                prop_assert_eq!(clients.get(&id).map(|client| client.id), expected.then_some(id));
                prop_assert_eq!(clients.get_mut(&id).is_some(), expected);
            }
            prop_assert_eq!(clients.len(), clients.iter().count());
            prop_assert!(clients.iter().is_sorted_by_key(|client| client.id));
        }
    }
}
