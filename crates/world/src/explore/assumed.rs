//! What a search takes for granted so that its space is small, and whether each step keeps to it. A search that meets a step which does not
//! begins anew and assumes less: so what it says holds without any assumption.
//!
//! ```text
//!   assumed                                   until
//!   worlds at different times are alike       somebody reads a clock: now(), TIME, XADD *, EXPIREAT …
//!   fresh clients of one program are alike    somebody drew a uuid(), and texts are put in an order, cut, or taken apart; or somebody
//!                                             asks which connection it is
//! ```
//! This is enough: as long as no step of a search breaks an assumption, what was left out for its sake goes on like what was looked at,
//! and breaks it no earlier.
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::blind;
use crate::{ClientIndex, Event, EventKind, Happening, World};

/// What a search takes for granted.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumed {
    /// Clients that read clocks: while one of them goes on, worlds at different times differ.
    clocks: BTreeSet<ClientIndex>,
    /// May fresh clients of one program differ after all?
    is_distinct: bool,
    /// Whether the texts of programs are known to treat all texts alike.
    texts: BTreeMap<Bytes, bool>,
}

impl Assumed {
    /// Are fresh clients of one program alike?
    pub(super) fn is_symmetric(&self) -> bool {
        !self.is_distinct
    }

    /// Does the time matter in this world?
    pub(super) fn knows_time(&self, world: &World) -> bool {
        let goes_on = |client: &ClientIndex| world.process(*client).is_some_and(|process| !process.is_over());
        self.clocks.iter().any(goes_on)
    }

    /// Takes note of a step that led to this world; does it break what was assumed?
    pub(super) fn is_broken_by(&mut self, world: &World, events: &[Event]) -> bool {
        let mut is_broken = false;
        let sent = events.iter().filter_map(|event| match &event.kind {
            EventKind::Program { client, what: Happening::Sent { argv }, .. } => Some((*client, argv.as_slice())),
            _ => None,
        });
        let mut has_drawn = false;
        for (client, found) in world.clients() {
            let Some(process) = found.program.as_deref() else { continue };
            if process.has_read_clock() {
                is_broken |= self.clocks.insert(client);
            }
            has_drawn |= process.has_drawn_text();
        }
        for (client, argv) in sent.clone() {
            if blind::reads_time(argv) {
                is_broken |= self.clocks.insert(client);
            }
        }
        if !self.is_distinct && sent.clone().any(|(_, argv)| blind::tells_clients_apart(argv)) {
            (self.is_distinct, is_broken) = (true, true);
        }
        if has_drawn && !self.is_distinct {
            let is_blind = sent.clone().all(|(_, argv)| blind::treats_texts_alike(argv))
                && world.clients().all(|(_, found)| match found.program.as_deref() {
                    Some(process) => {
                        let text = process.text();
                        *self.texts.entry(text.clone()).or_insert_with(|| blind::is_blind(text))
                    }
                    None => true,
                });
            self.is_distinct = !is_blind;
            is_broken |= self.is_distinct;
        }
        is_broken
    }
}
