//! States to reach: conditions on the learner's current world, and plausible but wrong ways.
//!
//! Conditions are lists of claims, stored here as text; `world::claim` parses and documents them.
use serde::{Deserialize, Serialize};

use super::Html;

/// A state to reach. It is reached when all checks hold and no wrong way is recognised; otherwise the way does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Achieve {
    /// The conditions.
    pub checks: Vec<Check>,
    /// The known wrong ways.
    pub wrong: Vec<WrongWay>,
}

/// A condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Check {
    /// Its text for the learner.
    pub html: Html,
    /// The claim for the world.
    pub claim: String,
}

/// A plausible but wrong way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct WrongWay {
    /// Its heading, plain text.
    pub title: String,
    /// Why it is wrong.
    pub html: Html,
    /// The claims that identify it: all of them must hold.
    pub claims: Vec<String>,
}
