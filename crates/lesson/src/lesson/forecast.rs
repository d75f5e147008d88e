//! *Forecast*: the effect of one script with faults on the messages of each key.
use serde::{Deserialize, Serialize};

use super::Html;

/// The possible fates of messages, in the order of the columns: produced but not processed when the script is over; processed more than
/// once; processed in an order other than that of production.
pub const FATES: [&str; 3] = ["lost", "repeated", "disordered"];

/// Messages with the same key: a row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Row {
    /// The key that programs pass to `produced`.
    pub key: String,
    /// The title for the learner.
    pub title: Html,
    /// For each of [`FATES`], whether it happens to any message of the key.
    pub expect: [bool; FATES.len()],
}

impl Row {
    /// Whether any of its messages is lost.
    pub fn is_lost(&self) -> bool {
        let [is_lost, ..] = self.expect;
        is_lost
    }
}
