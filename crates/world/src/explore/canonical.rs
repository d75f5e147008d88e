//! The canonical hash of a world, by which the explorer tells worlds apart: times are relative to now, and counters without effect are left
//! out.
use std::hash::{Hash, Hasher};

use redis_model::ClientId;
use script::GatheringFingerprinter;

use super::assumed::Assumed;
use crate::network::Owner;
use crate::{ClientIndex, Faults, NodeIndex, VirtualClient, World};

/// Hash of the canonical state: worlds with equal hashes have the same future under the remaining `faults`, as far as `assumed` says.
pub(super) fn canonical_hash(world: &World, faults: Faults, assumed: &Assumed) -> u128 {
    let mut state = GatheringFingerprinter::default();
    let now_ms = world.now_ms();
    hash_faults(faults, &mut state);
    assumed.knows_time(world, faults).then_some(now_ms).hash(&mut state);
    world.clients.len().hash(&mut state);
    for (client, part) in world.clients.iter() {
        client.hash(&mut state);
        // A client without a program does nothing.
        let process = |found: &VirtualClient, state: &mut GatheringFingerprinter| {
            found.program.as_ref().inspect(|process| process.hash_canonical(state));
        };
        part.digest(0, |found| digest(|state| process(found, state))).hash(&mut state);
        part.program.as_ref().inspect(|process| process.hash_times(now_ms, &mut state));
        hash_connections(world, *client, part, &mut state);
        // No node has this number, so it separates the clients.
        u8::MAX.hash(&mut state);
    }
    world.watch.digest(0, |watch| digest(|state| watch.hash_canonical(state))).hash(&mut state);
    let who = |node: NodeIndex, connection: ClientId| match world.owners.get(&(node, connection)) {
        Some(owner) => owner_number(*owner),
        None => u64::MAX,
    };
    for node in world.nodes() {
        if let Some(server) = world.server(node) {
            server.hash_canonical(&|connection| who(node, connection), &mut state);
        } else if let Some(database) = world.table(node) {
            database.hash_canonical(world.clock_ms(node), &|connection| who(node, connection.0), &mut state);
        }
        if let Some(found) = world.nodes.get(node.0) {
            found.hash_canonical(now_ms, faults, &mut state);
        }
    }
    world.network.hash_canonical(world, &mut state);
    world.traffic.hash(&mut state);
    if assumed.sees_connections() {
        let mut open: Vec<(NodeIndex, u64, ClientId)> =
            world.owners.iter().map(|((node, connection), owner)| (*node, owner_number(*owner), *connection)).collect();
        open.sort_unstable();
        open.hash(&mut state);
        for node in &world.nodes {
            let at_redis = node.server().map(|server| server.next_connection());
            let at_table = || Some(node.table()?.next_connection().0);
            at_redis.or_else(at_table).hash(&mut state);
        }
    }
    state.finish128()
}

/// Hashes all counts at once: nearly always each of them fits into a byte.
fn hash_faults(faults: Faults, state: &mut GatheringFingerprinter) {
    let counts = faults.counts();
    let bytes = counts.map(|count| u8::try_from(count).unwrap_or(u8::MAX));
    state.write(&bytes);
    if bytes.contains(&u8::MAX) {
        counts.hash(state);
    }
}

/// Hashes the connections of a client in an order independent of when they were opened.
fn hash_connections(world: &World, client: ClientIndex, found: &VirtualClient, state: &mut GatheringFingerprinter) {
    let mut hash = |node: NodeIndex, owner: Owner, connection: ClientId| {
        (node, part_of_owner(owner)).hash(state);
        world.hash_connection(node, connection, state);
    };
    if let Some(connection) = found.connection {
        hash(found.node, Owner::Client(client), connection);
    }
    let Some(process) = found.program.as_ref() else { return };
    if let Some(connection) = process.subscription {
        hash(found.node, Owner::Subscription(client), connection);
    }
    if process.connections.is_empty() {
        return;
    }
    let mut open = process.connections.clone();
    open.sort_unstable();
    open.into_iter().for_each(|open| hash(open.node, Owner::Thread(client, open.thread), open.connection));
}

/// A number for a connection, derived from its owner.
fn owner_number(owner: Owner) -> u64 {
    u64::from(owner.client()) << 32 | u64::from(part_of_owner(owner))
}

/// A number for the connection among those of its client.
fn part_of_owner(owner: Owner) -> u32 {
    match owner {
        Owner::Client(_) => 0,
        Owner::Subscription(_) => 1,
        Owner::Thread(_, thread) => thread.saturating_add(2),
    }
}

fn digest(hash: impl FnOnce(&mut GatheringFingerprinter)) -> u128 {
    let mut state = GatheringFingerprinter::default();
    hash(&mut state);
    state.finish128()
}
