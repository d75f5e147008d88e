//! What tells two worlds apart for whoever acts in them: times relative to now, nothing that only counts.
use std::hash::Hash;

use redis_model::ClientId;
use script::Fingerprinter;

use super::assumed::Assumed;
use crate::programs::Line;
use crate::{Faults, NodeIndex, World};

impl World {
    /// A fingerprint of what can still come of this world, with these faults left: worlds of the same fingerprint behave alike, as far as
    /// this is assumed.
    pub(super) fn essence(&self, faults: Faults, assumed: &Assumed) -> u128 {
        self.hashed(|world, state| {
            faults.hash(state);
            assumed.knows_time(world).then(|| world.now_ms()).hash(state);
            for (client, found) in world.clients() {
                if let Some(process) = found.program.as_deref() {
                    client.hash(state);
                    process.hash_essence(world.now_ms(), state);
                }
            }
        })
    }

    fn hashed(&self, programs: impl FnOnce(&World, &mut Fingerprinter)) -> u128 {
        let mut state = Fingerprinter::default();
        programs(self, &mut state);
        self.watch().hash_essence(&mut state);
        let who = |node: NodeIndex, connection: ClientId| match self.lines.get(&(node, connection)) {
            Some(line) => self.line_number(*line),
            None => u64::MAX,
        };
        for (node, server) in self.nodes() {
            server.hash_essence(&|connection| who(node, connection), &mut state);
            for queued in self.queue(node) {
                (queued.client, queued.thread, &queued.argv).hash(&mut state);
            }
        }
        let mut lines: Vec<(u64, NodeIndex, ClientId)> =
            self.lines.iter().map(|((node, connection), line)| (self.line_number(*line), *node, *connection)).collect();
        lines.sort_unstable();
        for (number, node, connection) in lines {
            number.hash(&mut state);
            if let Some(client) = self.server(node).and_then(|server| server.client(connection)) {
                client.hash_essence(self.now_ms(), &mut state);
            }
        }
        state.finish128()
    }

    /// A number for a connection that follows from whose it is.
    fn line_number(&self, line: Line) -> u64 {
        let (client, part) = match line {
            Line::Own(client) => (client, 0),
            Line::Subscription(client) => (client, 1),
            Line::Thread(client, thread) => (client, u64::from(thread).saturating_add(1)),
        };
        u64::from(client) << 32 | part
    }
}
