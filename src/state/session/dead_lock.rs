//! Whether the world at the cursor is a dead lock: only a search can find that.
use world::Property;

use super::Session;

impl Session {
    /// Whether a search found a dead lock at the cursor.
    pub fn is_dead_lock(&self) -> bool {
        self.dead_lock == Some(self.revision)
    }

    /// Whether the world watches a property that needs a search for dead locks.
    pub fn watches_dead_locks(&self) -> bool {
        self.world().watch().by_search().is_some()
    }

    /// Whether this is the property to search for at the cursor.
    pub fn searches_for(&self, property: &Property) -> bool {
        self.world().watch().by_search() == Some(property)
    }
}
