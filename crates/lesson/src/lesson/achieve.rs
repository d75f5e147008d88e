//! Reaching a state: what has to hold where the learner stands, and ways that look right and are not.
//!
//! Conditions are lists of claims, which stand here as text; `world::claim` reads them and says what each means.
use super::Html;

/// A state to reach. It is reached when all checks hold and no wrong way is recognised, whatever the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Achieve {
    /// What has to hold.
    pub checks: Vec<Check>,
    /// What is known to go wrong.
    pub wrong: Vec<WrongWay>,
}

/// Something that has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// What it says, for the learner.
    pub html: Html,
    /// What it says, for the world.
    pub claim: String,
}

/// A way that looks right and is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrongWay {
    /// Its heading, plain text.
    pub title: String,
    /// Why it is not.
    pub html: Html,
    /// By which it is recognised: all of them hold.
    pub claims: Vec<String>,
}
