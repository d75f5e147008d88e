//! A player in another module: the two ends of the bytes.
//!
//! ```text
//!   Remote                                       Served
//!     (text, history) ── Whole ────────────────▶   plays, and remembers both
//!     …, one answer more ── Next(names, answer) ▶   knows what the names are of, plays
//!     ◀─────────────────────────── the scene ──
//! ```
//!
//! So going on costs the same however long the history is. A name that is no longer known is answered so, and the whole is sent.
use super::{Answer, History, Player, Scene, Unplayable};
use crate::codec::Wire;
use crate::fingerprint;
use bytes::Bytes;
use std::collections::BTreeMap;

/// Texts and histories of one generation that the far end remembers; there are two.
const REMEMBERED: usize = 2_048;

/// What the far end is asked to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// This text after this history.
    Whole(Bytes, History),
    /// The text and the history of these fingerprints and one answer more.
    Next {
        /// The fingerprint of the text.
        text: u128,
        /// The fingerprint of the history before the answer.
        before: u128,
        /// The answer.
        answer: Answer,
    },
}

/// What the far end reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It has played.
    Played(Result<Scene, Unplayable>),
    /// It no longer knows text or history: send the whole.
    Forgotten,
}

/// A player in another module, or in another thread that is waited for, reached by a function from an order to a report, both in
/// bytes. `None` from it: the other module broke down (and the author of the function has a new one in its place).
pub struct Remote<F> {
    send: F,
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Remote<F> {
    /// Speaks through this function.
    pub fn new(send: F) -> Remote<F> {
        Remote { send }
    }

    fn ask(&mut self, order: &Order) -> Report {
        let report = (self.send)(&order.encode()).and_then(|report| Report::decode(&report).ok());
        report.unwrap_or(Report::Played(Err(Unplayable::Broken)))
    }
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Player for Remote<F> {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        if let (Some(before), Some(answer)) = (history.parent(), history.newest()) {
            let (text, before) = (fingerprint(text).0, before.fingerprint());
            if let Report::Played(played) = self.ask(&Order::Next { text, before, answer: answer.clone() }) {
                return played;
            }
        }
        match self.ask(&Order::Whole(text.clone(), history.clone())) {
            Report::Played(played) => played,
            Report::Forgotten => Err(Unplayable::Broken),
        }
    }
}

/// The other end: a player that is here, and what it has played lately.
#[derive(Debug, Default)]
pub struct Served<P> {
    player: P,
    texts: Remembered<Bytes>,
    histories: Remembered<History>,
}

impl<P: Player> Served<P> {
    /// Lets this player carry out orders.
    pub fn new(player: P) -> Served<P> {
        Served { player, texts: Remembered::default(), histories: Remembered::default() }
    }

    /// Plays what an order says and returns the report. An order that is none gives an empty report.
    pub fn serve(&mut self, order: &[u8]) -> Vec<u8> {
        let (text, history) = match Order::decode(order) {
            Ok(Order::Whole(text, history)) => (text, history),
            Ok(Order::Next { text, before, answer }) => {
                // The beginning needs no name.
                let start = if before == 0 { Some(History::default()) } else { self.histories.recall(before) };
                let (Some(text), Some(before)) = (self.texts.recall(text), start) else {
                    return Report::Forgotten.encode();
                };
                (text, before.push(answer))
            }
            Err(_) => return Vec::new(),
        };
        self.texts.keep(fingerprint(&text).0, text.clone());
        self.histories.keep(history.fingerprint(), history.clone());
        Report::Played(self.player.play(&text, &history)).encode()
    }
}

/// Values by their fingerprints. When there are many young ones they become the old ones, and those are forgotten.
#[derive(Debug)]
struct Remembered<T> {
    young: BTreeMap<u128, T>,
    old: BTreeMap<u128, T>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Remembered<T> {
        Remembered { young: BTreeMap::new(), old: BTreeMap::new() }
    }
}

impl<T: Clone> Remembered<T> {
    fn recall(&self, name: u128) -> Option<T> {
        self.young.get(&name).or_else(|| self.old.get(&name)).cloned()
    }

    fn keep(&mut self, name: u128, value: T) {
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(name, value);
    }
}
