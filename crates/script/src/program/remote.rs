//! A player in another module: the client and the server of the byte protocol.
//!
//! ```text
//!   Remote                                       Served
//!     (text, history) ── Whole ────────────────▶   plays, and caches both
//!     …, one answer more ── Next(hashes, answer) ▶  looks the hashes up, plays
//!     ◀─────────────────── the program state ──
//! ```
//!
//! So one more step costs the same for any length of the history. If a fingerprint is no longer cached, the server says so, and the client
//! sends the whole history.
use super::{Answer, History, Player, ProgramState, Unplayable};
use crate::codec::Wire;
use crate::fingerprint;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts and histories per cache generation on the server side; there are two generations.
const REMEMBERED: usize = 2_048;

/// A request to the server side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlayRequest {
    /// Play this text with this history.
    Whole(Bytes, History),
    /// Play a cached text and a cached history plus one answer.
    Next {
        /// The fingerprint of the text.
        text: u128,
        /// The fingerprint of the history before the answer.
        before: u128,
        /// The additional answer.
        answer: Answer,
    },
}

/// The server side's reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// The result of playing.
    Played(Result<ProgramState, Unplayable>),
    /// Text or history is no longer cached: the client must send [`PlayRequest::Whole`].
    Forgotten,
}

/// A player in another module or in another thread, behind a blocking function from an encoded order to an encoded report.
/// `None`: the other module crashed (and the function has replaced it).
pub struct Remote<F> {
    send: F,
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Remote<F> {
    /// A player that sends its orders through this function.
    pub fn new(send: F) -> Remote<F> {
        Remote { send }
    }

    fn ask(&mut self, order: &PlayRequest) -> Report {
        let report = (self.send)(&order.encode()).and_then(|report| Report::decode(&report).ok());
        report.unwrap_or(Report::Played(Err(Unplayable::Broken)))
    }
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Player for Remote<F> {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
        if let (Some(before), Some(answer)) = (history.parent(), history.newest()) {
            let (text, before) = (fingerprint(text).0, before.fingerprint());
            if let Report::Played(played) = self.ask(&PlayRequest::Next { text, before, answer: answer.clone() }) {
                return played;
            }
        }
        match self.ask(&PlayRequest::Whole(text.clone(), history.clone())) {
            Report::Played(played) => played,
            Report::Forgotten => Err(Unplayable::Broken),
        }
    }
}

/// The server side: a local player with a cache of recent texts and histories.
#[derive(Debug, Default)]
pub struct Served<P> {
    player: P,
    texts: Remembered<Bytes>,
    histories: Remembered<History>,
}

impl<P: Player> Served<P> {
    /// A server that runs orders with this player.
    pub fn new(player: P) -> Served<P> {
        Served { player, texts: Remembered::default(), histories: Remembered::default() }
    }

    /// Runs an encoded order and returns the encoded report. A malformed order gives an empty report.
    pub fn serve(&mut self, order: &[u8]) -> Vec<u8> {
        let (text, history) = match PlayRequest::decode(order) {
            Ok(PlayRequest::Whole(text, history)) => (text, history),
            Ok(PlayRequest::Next { text, before, answer }) => {
                // The empty history needs no cache entry.
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

/// Cache of values by fingerprint, in two generations: when the young one is full, it replaces the old one.
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
