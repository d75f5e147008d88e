//! `Engines`: what a world cannot do by itself.
use redis_model::ScriptEngine;
use script::Engine;
use script::program::{Player, Programs};

/// What runs scripts of Redis servers and plays programs of clients, given to a world when it begins. Clones share the engines.
///
/// All are equal and hash alike, since what they do follows from what they are given. So a world is a value with any engines.
///
/// ```
/// use world::{Engines, Settings, World};
///
/// let engines = Engines::default();
/// let world = World::with_engines(Settings::default(), &engines);
/// assert!(!engines.programs.is_installed(), "what needs one is refused until there is one");
/// assert_eq!(world, World::new(Settings::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Engines {
    /// What runs scripts.
    pub scripts: ScriptEngine,
    /// What plays programs.
    pub programs: Programs,
}

impl Engines {
    /// Of a machine that runs scripts and a player of programs.
    pub fn new(machine: impl Engine + 'static, player: impl Player + 'static) -> Engines {
        Engines { scripts: ScriptEngine::new(machine), programs: Programs::new(player) }
    }

    /// Puts them in place of those before, for all who share these.
    pub fn install(&self, machine: Box<dyn Engine>, player: Box<dyn Player>) {
        self.scripts.install(machine);
        self.programs.install(player);
    }

    /// Are both there, and idle?
    pub fn are_installed(&self) -> bool {
        self.scripts.is_installed() && self.programs.is_installed()
    }
}
