//! The clients that wait for a key, in the order in which they will be served.
use redis_model::Blocked;
use world::{ClientIndex, World};

use crate::state::key::KeyName;

/// The start and the timeout of a client's wait, Unix time of the world in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// When the wait began.
    pub since_ms: u64,
    /// When it times out; `None`: never.
    pub until_ms: Option<u64>,
}

/// The clients that wait for this key, each with its blocked command.
pub fn waiting_for<'a>(world: &'a World, key: &KeyName) -> impl Iterator<Item = (ClientIndex, &'a Blocked, Waits)> {
    let node = key.database.node;
    let line = key.database.find(world).map_or(&[][..], |db| db.waiting(&key.key));
    line.iter().filter_map(move |id| {
        let client = world.client_of_connection(node, *id)?;
        let blocked = world.connection(client)?.blocked.as_ref()?;
        let world_ms = |clock_ms| world.world_ms(node, clock_ms);
        let until_ms = blocked.wait.deadline_ms.map(world_ms);
        Some((client, blocked, Waits { since_ms: world_ms(blocked.since_ms), until_ms }))
    })
}
