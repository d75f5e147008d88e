//! What tells two worlds apart for whoever acts in them: times relative to now, nothing that only counts.
use std::hash::Hash;

use redis_model::ClientId;
use script::GatheringFingerprinter;

use super::assumed::Assumed;
use crate::network::Line;
use crate::{ClientIndex, Faults, NodeIndex, VirtualClient, World};

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
            self.hash_connections(*client, part, &mut state);
            // No connection has this number, so what follows is the next client.
            u32::MAX.hash(&mut state);
        }
        self.watch.digest(0, |watch| digest(|state| watch.hash_essence(state))).hash(&mut state);
        let who = |node: NodeIndex, connection: ClientId| match self.lines.get(&(node, connection)) {
            Some(line) => line_number(*line),
            None => u64::MAX,
        };
        for node in self.nodes() {
            if let Some(server) = self.server(node) {
                server.hash_essence(&|connection| who(node, connection), &mut state);
            } else if let Some(database) = self.table(node) {
                database.hash_canonical(self.clock_ms(node), &|connection| who(node, connection.0), &mut state);
            }
            if let Some(found) = self.nodes.get(node.0) {
                found.hash_essence(now_ms, faults, &mut state);
            }
        }
        self.network.hash_canonical(self, &mut state);
        if assumed.sees_connections() {
            let mut lines: Vec<(NodeIndex, u64, ClientId)> =
                self.lines.iter().map(|((node, connection), line)| (*node, line_number(*line), *connection)).collect();
            lines.sort_unstable();
            lines.hash(&mut state);
            for node in &self.nodes {
                let at_redis = node.server().map(|server| server.next_connection());
                let at_table = || Some(node.table()?.next_connection().0);
                at_redis.or_else(at_table).hash(&mut state);
            }
        }
        state.finish128()
    }

    /// Hashes the connections of a client, in an order that does not depend on when they came.
    fn hash_connections(&self, client: ClientIndex, found: &VirtualClient, state: &mut GatheringFingerprinter) {
        let mut hash = |node: NodeIndex, line: Line, connection: ClientId| {
            (node, part_of_line(line)).hash(state);
            self.hash_connection(node, connection, state);
        };
        if let Some(connection) = found.connection {
            hash(found.node, Line::Own(client), connection);
        }
        let Some(process) = found.program.as_ref() else { return };
        if let Some(connection) = process.subscription {
            hash(found.node, Line::Subscription(client), connection);
        }
        let mut lines = process.lines.clone();
        lines.sort_unstable();
        lines.into_iter().for_each(|line| hash(line.node, Line::Thread(client, line.thread), line.connection));
    }
}

/// A number for a connection that follows from whose it is.
fn line_number(line: Line) -> u64 {
    u64::from(line.client()) << 32 | u64::from(part_of_line(line))
}

/// A number for it among the connections of its client.
fn part_of_line(line: Line) -> u32 {
    match line {
        Line::Own(_) => 0,
        Line::Subscription(_) => 1,
        Line::Thread(_, thread) => thread.saturating_add(2),
    }
}

fn digest(hash: impl FnOnce(&mut GatheringFingerprinter)) -> u128 {
    let mut state = GatheringFingerprinter::default();
    hash(&mut state);
    state.finish128()
}
