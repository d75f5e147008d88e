//! Clients that run the same program and have not begun are interchangeable: only the first of them has to begin.
use crate::{ClientIndex, Input, Process, World};

/// Clients that need not begin, because another one that is just like them can.
pub(super) struct Symmetry {
    needless: Vec<ClientIndex>,
}

impl Symmetry {
    /// Who is interchangeable with whom in this world.
    ///
    /// Two fresh clients differ in their number, and in the random numbers and texts that they draw. Texts (`uuid`) are only ever equal or
    /// different; a program that draws numbers is left out. Nor is a client like another that a property calls by its name, that was given
    /// something else, or that was told its number.
    pub(super) fn of(world: &World) -> Symmetry {
        let mut seen: Vec<&Process> = Vec::new();
        let mut needless = Vec::new();
        for (client, found) in world.clients() {
            let Some(process) = found.program.as_ref().filter(|process| process.is_fresh()) else { continue };
            if world.watch().names(&found.name) {
                continue;
            }
            if seen.iter().any(|other| other.is_like(process)) {
                needless.push(client);
            } else if draws_no_numbers(process) {
                seen.push(process);
            }
        }
        Symmetry { needless }
    }

    /// Does another input of the same world lead to the same, but for the names of clients?
    pub(super) fn makes_needless(&self, input: &Input) -> bool {
        input.client().is_some_and(|client| self.needless.contains(&client))
    }
}

fn draws_no_numbers(process: &Process) -> bool {
    !process.text().windows(6).any(|part| part == b"random")
}
