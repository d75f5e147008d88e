//! `Engines`: the script engine, the program player and the prepared table that a world is given.
use redis_model::ScriptEngine;
use script::Engine;
use script::program::{Player, Programs};

use crate::traffic::items::Items;

/// Runs the scripts of Redis servers and plays the programs of clients. A world gets it when it is created. Clones share the engines.
///
/// All values are equal and have the same hash, because the engines' results depend only on their inputs. So a world stays a plain value
/// with any engines.
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
    /// Runs scripts.
    pub scripts: ScriptEngine,
    /// Plays programs.
    pub programs: Programs,
    /// The table of traffic's items, if it is filled before traffic begins.
    pub items: Items,
}

impl Engines {
    /// Engines from a machine that runs scripts and a player of programs.
    pub fn new(machine: impl Engine + 'static, player: impl Player + 'static) -> Engines {
        Engines { scripts: ScriptEngine::new(machine), programs: Programs::new(player), items: Items::default() }
    }

    /// Replaces the installed machine and player, for every clone.
    pub fn install(&self, machine: Box<dyn Engine>, player: Box<dyn Player>) {
        self.scripts.install(machine);
        self.programs.install(player);
    }

    /// Are both installed and idle?
    pub fn are_installed(&self) -> bool {
        self.scripts.is_installed() && self.programs.is_installed()
    }
}
