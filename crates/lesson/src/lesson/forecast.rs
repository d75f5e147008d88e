//! *Forecast*: what does one script of faults do to the messages of each key?
use super::Html;

/// What can become of messages, in the order of the columns: produced and not processed when the script is over; processed more than
/// once; processed in another order than they were produced.
pub const FATES: [&str; 3] = ["lost", "repeated", "disordered"];

/// Messages with the same key: a row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The key, as programs tell it.
    pub key: String,
    /// What the learner reads.
    pub title: Html,
    /// Of each of [`FATES`], whether it befalls any message.
    pub expect: [bool; FATES.len()],
}

impl Row {
    /// Are any of its messages lost?
    pub fn is_lost(&self) -> bool {
        let [is_lost, ..] = self.expect;
        is_lost
    }
}
