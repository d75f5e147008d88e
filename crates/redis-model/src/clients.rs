//! `Clients`: the connections of a server.
use std::ops::{Deref, DerefMut};

use crate::Part;
use crate::client::{Client, ClientId};

/// Connections by ascending id. Every command looks up its own connection more than once, so a lookup costs one comparison when no
/// connection between it and the first or the last one was removed, and O(log n) otherwise. Adding costs O(1), removing O(n).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Clients {
    list: Vec<Part<Client>>,
}

impl Clients {
    /// Number of connections.
    pub(crate) const fn len(&self) -> usize {
        self.list.len()
    }

    /// All connections, oldest first.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Client> {
        self.list.iter().map(Deref::deref)
    }

    /// All connections with their digests, oldest first.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part<Client>> {
        self.list.iter()
    }

    fn place(&self, id: ClientId) -> Option<usize> {
        let at = id.wrapping_sub(self.list.first()?.id) as usize;
        let is_there = self.list.get(at).is_some_and(|client| client.id == id);
        if is_there { Some(at) } else { self.place_from_back(id) }
    }

    #[cold]
    fn place_from_back(&self, id: ClientId) -> Option<usize> {
        let steps = self.list.last()?.id.checked_sub(id).and_then(|steps| usize::try_from(steps).ok());
        let at = steps.and_then(|steps| (self.list.len() - 1).checked_sub(steps));
        let is_there = |at: &usize| self.list.get(*at).is_some_and(|client| client.id == id);
        at.filter(is_there).or_else(|| self.seek(id).ok())
    }

    fn seek(&self, id: ClientId) -> Result<usize, usize> {
        self.list.binary_search_by(|client| client.id.cmp(&id))
    }

    /// The connection with this id.
    pub(crate) fn get(&self, id: &ClientId) -> Option<&Client> {
        self.part(id).map(Deref::deref)
    }

    /// The connection with this id, and its digest.
    pub(crate) fn part(&self, id: &ClientId) -> Option<&Part<Client>> {
        self.list.get(self.place(*id)?)
    }

    /// The connection with this id, mutable.
    pub(crate) fn get_mut(&mut self, id: &ClientId) -> Option<&mut Client> {
        let at = self.place(*id)?;
        self.list.get_mut(at).map(DerefMut::deref_mut)
    }

    /// Adds a connection; its id must not be in use.
    pub(crate) fn insert(&mut self, client: Client) {
        let at = self.seek(client.id).unwrap_or_else(|at| at);
        self.list.insert(at, Part::new(client));
    }

    /// The connection with this id, mutable; `fresh` creates it if it is missing.
    #[expect(clippy::indexing_slicing, reason = "the place was just found or filled")]
    pub(crate) fn entry(&mut self, id: ClientId, fresh: impl FnOnce() -> Client) -> &mut Client {
        let at = self.place(id).unwrap_or_else(|| {
            let at = self.seek(id).unwrap_or_else(|at| at);
            self.list.insert(at, Part::new(fresh()));
            at
        });
        &mut self.list[at]
    }

    /// Removes a connection and returns it, if there was one.
    pub(crate) fn remove(&mut self, id: &ClientId) -> Option<Part<Client>> {
        self.place(*id).map(|at| self.list.remove(at))
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
                prop_assert_eq!(clients.remove(id).map(|client| client.id), Some(*id));
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
