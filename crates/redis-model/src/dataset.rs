//! What of a server outlives its process: its keys with their deadlines, and nothing else.
use crate::{Config, Part, Server, db::Db};

/// The keys of all databases at one moment. Cloning one, or taking it from a server, shares them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dataset(Vec<Part<Db>>);

impl Dataset {
    /// How many keys there are, those included whose TTL has run out.
    pub fn len(&self) -> usize {
        self.0.iter().map(|db| db.len()).sum()
    }

    /// No keys?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Server {
    /// Its keys as they are now.
    pub fn dataset(&self) -> Dataset {
        Dataset(self.used_databases().to_vec())
    }

    /// A server that has just started and loaded these keys. Connections, scripts, counters and what was set at run time are gone, as after a
    /// restart of the real one.
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
