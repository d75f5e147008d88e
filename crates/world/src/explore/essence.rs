//! What tells two worlds apart for whoever acts in them: times relative to now, nothing that only counts.
use std::hash::Hash;

use redis_model::ClientId;
use script::GatheringFingerprinter;

use super::assumed::Assumed;
use crate::programs::Line;
use crate::{Faults, NodeIndex, VirtualClient, World};

impl World {
    /// A fingerprint of what can still come of this world, with these faults left: worlds of the same fingerprint behave alike, as far as
    /// this is assumed.
    pub(super) fn essence(&self, faults: Faults, assumed: &Assumed) -> u128 {
        let mut state = GatheringFingerprinter::default();
        let now_ms = self.now_ms();
        faults.hash(&mut state);
        assumed.knows_time(self, faults).then_some(now_ms).hash(&mut state);
        for (client, part) in self.clients.iter() {
            client.hash(&mut state);
            // Who has no program does nothing.
            let process = |found: &VirtualClient, state: &mut GatheringFingerprinter| {
                found.program.as_ref().inspect(|process| process.hash_essence(now_ms, state));
            };
            part.digest(now_ms, |found| digest(|state| process(found, state))).hash(&mut state);
        }
        self.watch.digest(0, |watch| digest(|state| watch.hash_essence(state))).hash(&mut state);
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
        // What is held up will be executed on its connection, which is no line where nobody waits for the answer.
        for (client, node, late) in self.late() {
            let is_awaited = self.lines.contains_key(&(node, late.connection));
            (u64::MAX, client, late.thread, &late.argv, is_awaited).hash(&mut state);
            if let Some(server) = self.server(node) {
                server.hash_connection(late.connection, &mut state);
            }
        }
        let mut lines: Vec<(u64, NodeIndex, ClientId)> =
            self.lines.iter().map(|((node, connection), line)| (self.line_number(*line), *node, *connection)).collect();
        lines.sort_unstable();
        if assumed.sees_connections() {
            let numbers = lines.iter().map(|(.., connection)| connection).copied();
            let next = self.nodes().map(|(_, server)| server.next_connection());
            numbers.chain(next).for_each(|number| number.hash(&mut state));
        }
        for (number, node, connection) in lines {
            number.hash(&mut state);
            if let Some(server) = self.server(node) {
                server.hash_connection(connection, &mut state);
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

fn digest(hash: impl FnOnce(&mut GatheringFingerprinter)) -> u128 {
    let mut state = GatheringFingerprinter::default();
    hash(&mut state);
    state.finish128()
}
