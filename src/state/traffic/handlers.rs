//! Handlers to begin with.
use crate::i18n::Lang;

/// A handler in Lua.
#[derive(Clone, Copy)]
pub struct Starter {
    name: fn(Lang) -> &'static str,
    /// With marks around it where it is data of the chunk (`src/i18n/late.rs`).
    marked: &'static str,
}

impl Starter {
    /// What it is called.
    pub fn name(&self, t: Lang) -> &'static str {
        (self.name)(t)
    }

    /// Its text.
    pub fn text(&self) -> &'static str {
        self.marked.split('\0').nth(1).unwrap_or(self.marked)
    }
}

/// All of them, the plainest first.
pub static HANDLERS: &[Starter] =
    &[Starter { name: Lang::traffic_handler_cache_aside, marked: world::traffic::handler::CACHE_ASIDE }];
