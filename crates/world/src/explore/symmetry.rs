//! Clients that run the same program and have not begun are interchangeable: only the first of them has to begin.
use bytes::Bytes;

use crate::{ClientIndex, Process, World};

/// Whose programs may be alike.
pub(super) struct Symmetry {
    /// The programs in which two fresh clients do the same.
    texts: Vec<Bytes>,
}

impl Symmetry {
    /// Of a search that begins in this world: programs stay what they are.
    ///
    /// Two fresh clients differ in their number, and in the random numbers and texts that they draw. Texts (`uuid`) are only ever equal or
    /// different; a program that draws numbers is left out.
    pub(super) fn of(start: &World) -> Symmetry {
        let mut texts: Vec<Bytes> =
            start.clients().filter_map(|(_, found)| Some(found.program.as_ref()?.text().clone())).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.retain(|text| !draws_numbers(text));
        Symmetry { texts }
    }

    /// Clients that need not begin in a world, because another one that is just like them can. Nor is a client like another that a
    /// property calls by its name, that was given something else, or that was told its number.
    pub(super) fn needless(&self, world: &World) -> Vec<ClientIndex> {
        let mut seen: Vec<(ClientIndex, &Process)> = Vec::new();
        let mut needless = Vec::new();
        for (client, found) in world.clients() {
            let Some(process) = found.program.as_ref().filter(|process| process.is_fresh()) else { continue };
            if world.watch().names(&found.name) {
                continue;
            }
            // What it has sent before it was loaded again may still arrive.
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
