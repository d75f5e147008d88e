//! What a restart of a server can keep: its keys with their deadlines.
use crate::{Config, Entry, Part, Server, db::Db};

/// The keys of all databases at one moment. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dataset(pub(crate) Vec<Part<Db>>);

impl Dataset {
    /// The entry of a key.
    pub fn entry(&self, db: usize, key: &[u8]) -> Option<&Entry> {
        self.0.get(db)?.entry(key)
    }
}

impl Server {
    /// A snapshot of the server's keys.
    pub fn dataset(&self) -> Dataset {
        Dataset(self.used_databases().to_vec())
    }

    /// A server that has just started and loaded these keys. Connections, scripts, counters and `CONFIG SET` changes are lost.
    pub fn started_with(config: Config, now_ms: u64, dataset: &Dataset) -> Server {
        let mut server = Server::new(config, now_ms);
        for (place, (own, loaded)) in server.databases.iter_mut().zip(&dataset.0).enumerate() {
            if !loaded.is_empty() {
                *own = Part::new(loaded.without_clients());
                server.used_databases = place.saturating_add(1);
            }
        }
        server
    }
}
