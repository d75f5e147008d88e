//! `Site`: traffic with its own Redis server and database.
use redis_model::{Config, Server};
use table::{Database, Settings};

use super::settings::{OutOfRange, TrafficSettings};
use super::{Around, CrashTarget, Scripts, Traffic, items};
use crate::Engines;

/// Traffic with the servers that it uses. The database has a table `item` with all items.
///
/// ```
/// use world::traffic::{Site, settings::TrafficSettings};
///
/// let mut site = Site::begin(TrafficSettings::default(), table::Settings::default(), 0, &world::Engines::default())?;
/// site.run(60_000);
/// let total = site.traffic().series().total();
/// assert_eq!(total.arrived, total.answered + site.traffic().unfinished().0 as u64);
/// # Ok::<(), world::traffic::settings::OutOfRange>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    traffic: Traffic,
    redis: Server,
    database: Database,
    engines: Engines,
    is_redis_up: bool,
}

impl Site {
    /// A site with an empty cache. `maxmemory` is that of the Redis server, in bytes; 0: no limit.
    ///
    /// # Errors
    /// [`OutOfRange`]
    pub fn begin(
        settings: TrafficSettings,
        database: Settings,
        maxmemory: u64,
        engines: &Engines,
    ) -> Result<Site, OutOfRange> {
        let start_ms = crate::Settings::default().start_ms;
        let config = Config { seed: settings.seed, maxmemory, ..Config::default() };
        let redis = Server::new(config, start_ms).with_engine(engines.scripts.clone());
        let mut database = Database::new(database);
        items::fill(&mut database, settings.items, start_ms, &engines.items);
        let traffic = Traffic::begin(settings, start_ms)?;
        Ok(Site { traffic, redis, database, engines: engines.clone(), is_redis_up: true })
    }

    /// The traffic.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// From now on handlers run Lua again for histories that were seen before.
    #[cfg(test)]
    pub(super) fn forget_scenes(&mut self) {
        self.traffic.memo = script::Alike::default();
    }

    /// The Redis server.
    pub fn redis(&self) -> &Server {
        &self.redis
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Lets a machine crash; returns whether there is such a machine and it ran.
    pub fn crash(&mut self, target: CrashTarget) -> bool {
        let victim = self.traffic.crash_victim(target, Some(&self.database));
        victim.map(|machine| self.traffic.crash(machine)).is_some()
    }

    /// Starts all crashed machines again.
    pub fn restart(&mut self) {
        let down = self.traffic.startable();
        down.into_iter().for_each(|machine| self.traffic.restart(machine));
    }

    /// Runs traffic until this many ms after its start.
    pub fn run(&mut self, until_ms: u64) {
        while !self.run_slice(until_ms, u64::MAX) {}
    }

    /// The same for at most `events_max` events, or until a server sends something to others; returns whether the time is reached.
    pub fn run_slice(&mut self, until_ms: u64, events_max: u64) -> bool {
        let mut around = Around {
            redis: self.is_redis_up.then_some(&mut self.redis),
            database: Some(&mut self.database),
            programs: &self.engines.programs,
            redis_ahead_ms: 0,
            database_ahead_ms: 0,
            said: Vec::new(),
            said_by_database: Vec::new(),
            scripts: Scripts::Whole,
        };
        let mut left = events_max;
        self.traffic.run(&mut around, until_ms.saturating_mul(super::MS), &mut left)
    }
}
