//! Clients that run the same program and have not begun are interchangeable: only the first of them needs to begin.
use bytes::Bytes;

use crate::{ClientIndex, Process, World};

/// The programs with interchangeable clients.
pub(super) struct Symmetry {
    /// The programs in which two fresh clients do the same.
    texts: Vec<Bytes>,
}

impl Symmetry {
    /// For a search from this world: programs do not change.
    ///
    /// Two fresh clients differ in their number and in the random numbers and texts that they draw. Texts (`uuid`) are only compared for
    /// equality; a program that draws numbers is left out.
    pub(super) fn of(start: &World) -> Symmetry {
        let mut texts: Vec<Bytes> =
            start.clients().filter_map(|(_, found)| Some(found.program.as_ref()?.text().clone())).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.retain(|text| !draws_numbers(text));
        Symmetry { texts }
    }

    /// Clients that need not begin in a world, because an identical client can. A client is not identical if a property names it, if its
    /// arguments differ, or if its program was told its number.
    pub(super) fn needless(&self, world: &World) -> Vec<ClientIndex> {
        let mut seen: Vec<(ClientIndex, &Process)> = Vec::new();
        let mut needless = Vec::new();
        for (client, found) in world.clients() {
            let Some(process) = found.program.as_ref().filter(|process| process.is_fresh()) else { continue };
            if world.watch().names(&found.name) {
                continue;
            }
            // A request that it sent before it was reloaded may still arrive.
            if world.has_held_up(client) {
                continue;
            }
            if seen.iter().any(|(other, like)| like.is_like(process) && world.has_same_links(*other, client)) {
                needless.push(client);
            } else if self.texts.contains(process.text()) {
                seen.push((client, process));
            }
        }
        needless
    }
}

fn draws_numbers(text: &Bytes) -> bool {
    text.windows(6).any(|part| part == b"random")
}
