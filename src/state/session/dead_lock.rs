//! What only a search can tell of the world at the cursor: whether somebody still gets on.
use world::Property;

use super::Session;

impl Session {
    /// Is the world at the cursor a dead lock, as far as is known?
    pub fn is_dead_lock(&self) -> bool {
        self.dead_lock == Some(self.revision)
    }

    /// Should it be known whether the world at the cursor is a dead lock?
    pub fn watches_dead_locks(&self) -> bool {
        self.world().watch().by_search().is_some()
    }

    /// Is this the property that is searched for at the cursor?
    pub fn searches_for(&self, property: &Property) -> bool {
        self.world().watch().by_search() == Some(property)
    }
}
