//! A key by its full name: node, database and name.
use bytes::Bytes;
use redis_model::{Db, Entry};
use world::{ClientIndex, Event, EventKind, KeyState, NodeIndex, World};

/// A database of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Database {
    /// The node.
    pub node: NodeIndex,
    /// Its number on the node.
    pub db: usize,
}

impl Database {
    /// The database that a client's next command goes to; without a connection, the first database of its node. `None` if there is no such
    /// client.
    pub fn of_client(world: &World, client: ClientIndex) -> Option<Database> {
        let node = world.client(client)?.node;
        Some(Database { node, db: world.connection(client).map_or(0, |connection| connection.db) })
    }

    /// The content of the database.
    pub fn find(self, world: &World) -> Option<&Db> {
        world.server(self.node)?.db(self.db)
    }

    /// A key in this database.
    pub fn key(self, key: Bytes) -> KeyName {
        KeyName { database: self, key }
    }
}

/// The full name of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName {
    /// Its database.
    pub database: Database,
    /// Its name.
    pub key: Bytes,
}

impl KeyName {
    /// The key that was created, changed or deleted in an event.
    pub fn of_event(event: &Event) -> Option<KeyName> {
        changed(event).map(|(database, key)| database.key(key.clone()))
    }

    /// Whether the event created, changed or deleted this key.
    pub fn is_in(&self, event: &Event) -> bool {
        changed(event).is_some_and(|(database, key)| database == self.database && *key == self.key)
    }

    /// The key's state before these events of a step, if they changed it; the first change has it.
    pub fn before<'a>(&self, events: &'a [Event]) -> Option<&'a KeyState> {
        match &events.iter().find(|event| self.is_in(event))?.kind {
            EventKind::KeyChanged { before, .. }
            | EventKind::KeyExpired { before, .. }
            | EventKind::KeyEvicted { before, .. } => Some(before),
            _ => None,
        }
    }

    /// The key's entry in a world.
    pub fn entry<'a>(&self, world: &'a World) -> Option<&'a Entry> {
        self.database.find(world)?.entry(&self.key)
    }
}

/// The key that was created, changed or deleted in an event, and its database.
fn changed(event: &Event) -> Option<(Database, &Bytes)> {
    match &event.kind {
        EventKind::KeyChanged { key: (db, key), .. }
        | EventKind::KeyExpired { key: (db, key), .. }
        | EventKind::KeyEvicted { key: (db, key), .. } => Some((Database { node: event.node?, db: *db }, key)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use world::{Input, NodeIndex, Settings, World};

    use super::{Database, KeyName};

    /// A world with a client, and the events of the last of these lines.
    fn world_after(lines: &[&str]) -> (World, Vec<world::Event>) {
        let mut world = World::new(Settings::default());
        let mut events = world.step(&Input::Connect { client: 0, name: "c1".into() }).unwrap();
        for line in lines {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            events = world.step(&Input::Command { client: 0, argv }).unwrap();
        }
        (world, events)
    }

    #[test]
    fn same_key_name_on_another_node_is_another_key() {
        let (world, events) = world_after(&["SET k v"]);
        let key = events.iter().find_map(KeyName::of_event).unwrap();
        assert_eq!(key, Database { node: NodeIndex::FIRST, db: 0 }.key("k".into()));
        assert!(key.entry(&world).is_some());
        let elsewhere = Database { node: "1".parse().unwrap(), db: 0 }.key("k".into());
        assert_ne!(key, elsewhere);
        assert_eq!(elsewhere.entry(&world), None);
        assert!(events.iter().any(|event| key.is_in(event)));
        assert!(!events.iter().any(|event| elsewhere.is_in(event)));
    }

    #[test]
    fn client_names_its_selected_database() {
        let (mut world, _) = world_after(&["SELECT 3"]);
        let of_client = |world: &World| Database::of_client(world, 0);
        assert_eq!(of_client(&world), Some(Database { node: NodeIndex::FIRST, db: 3 }));
        world.step(&Input::Command { client: 0, argv: vec!["QUIT".into()] }).unwrap();
        assert_eq!(of_client(&world), Some(Database { node: NodeIndex::FIRST, db: 0 }));
        assert_eq!(Database::of_client(&world, 1), None);
    }
}
