//! The servers that traffic meets, and a new session with them.
use std::rc::Rc;

use world::traffic::TrafficAct;
use world::traffic::settings::TrafficSettings;
use world::{Durability, Engines, Input, NodeKind, NodeSettings, Settings, Timeline};

use super::notation::DAY_MS;

/// What a session has from its beginning: other servers need another session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The database.
    pub database: table::Settings,
    /// The memory limit of the Redis server, in bytes; 0: none.
    pub maxmemory: u64,
    /// The time of day at which the clock starts, in ms since midnight.
    pub clock_ms: u64,
}

impl Stage {
    /// The stage of a session with this database.
    pub fn of(settings: &Settings, database: &table::Settings) -> Stage {
        Stage { database: database.clone(), maxmemory: settings.maxmemory, clock_ms: settings.start_ms % DAY_MS }
    }

    /// The settings of a session whose clock starts at the time of day, on the usual day.
    pub fn settings(&self) -> Settings {
        let usual = Settings::default();
        let midnight_ms = usual.start_ms.saturating_sub(usual.start_ms % DAY_MS);
        Settings { start_ms: midnight_ms.saturating_add(self.clock_ms), maxmemory: self.maxmemory, ..usual }
    }

    /// A new session in which traffic begins, with one terminal at a Redis server and one at the database.
    pub fn session(&self, traffic: TrafficSettings, engines: &Engines) -> Option<Timeline> {
        let nodes = vec![
            NodeSettings::redis("redis", Durability::None),
            NodeSettings { name: "db".to_owned(), kind: NodeKind::Table(self.database.clone()) },
        ];
        let mut timeline = Timeline::with_engines(Settings { nodes, ..self.settings() }, engines);
        for (client, name) in (0..).zip(["c1", "sql"]) {
            timeline.push(Input::Connect { client, name: name.to_owned() }).ok()?;
        }
        let node = timeline.world().traffic_nodes().1?;
        timeline.push(Input::SwitchNode { client: 1, node }).ok()?;
        timeline.push(Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(traffic) } }).ok()?;
        Some(timeline)
    }
}

impl Default for Stage {
    fn default() -> Stage {
        let database = table::Settings { workers: 4, service_ms: 20, ..table::Settings::default() };
        Stage::of(&Settings::default(), &database)
    }
}
