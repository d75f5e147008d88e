//! A player in another module: the two ends of the bytes. A text and a history go there, a scene comes back.
use super::{History, Player, Scene, Unplayable};
use crate::codec::Wire;
use bytes::Bytes;

/// A player in another module, or in another thread that is waited for, reached by a function from an order to a report, both in
/// bytes. `None` from it: the other module broke down (and whoever wrote the function has a new one in its place).
pub struct Remote<F> {
    send: F,
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Remote<F> {
    /// Speaks through this function.
    pub fn new(send: F) -> Remote<F> {
        Remote { send }
    }
}

impl<F: FnMut(&[u8]) -> Option<Vec<u8>>> Player for Remote<F> {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        let order = (text.clone(), history.clone()).encode();
        let report = (self.send)(&order).map(|report| Wire::decode(&report));
        if let Some(Ok(played)) = report { played } else { Err(Unplayable::Broken) }
    }
}

/// The other end: plays what an order says with the player that is here, and returns the report. An order that is none gives an empty
/// report.
pub fn serve(player: &mut dyn Player, order: &[u8]) -> Vec<u8> {
    match <(Bytes, History)>::decode(order) {
        Ok((text, history)) => player.play(&text, &history).encode(),
        Err(_) => Vec::new(),
    }
}
