//! Locks as bars on the lane of their node: holder, deadline, renewals and end.
use bytes::Bytes;
use redis_model::value::Value as Held;
use redis_model::{Dataset, Entry};
use world::{ClientIndex, Event, KeyState, NodeIndex};

use super::{AtServer, Bar, BarKind, Diagram, Lane, LaneKey, Lease, LeaseEnd, Row, label};

/// Whether a key that this command created is a lock: a second client would not get it (`SET … NX`, `SETNX`), or a script or a transaction
/// created it with a TTL (a reentrant lock is a hash that a script creates).
pub(super) fn is_taken(argv: &[Bytes], after: &KeyState) -> bool {
    let is = |word: &Bytes, name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let Some((name, rest)) = argv.split_first() else { return false };
    let has_lease = after.as_ref().is_some_and(|entry| entry.expires_ms.is_some());
    is(name, "SETNX")
        || is(name, "SET") && rest.iter().skip(2).any(|word| is(word, "NX"))
        || has_lease && (label::is_script(argv) || is(name, "EXEC"))
}

fn is_lease(key: &Bytes) -> impl Fn(&Bar) -> bool + '_ {
    move |bar| matches!(&bar.kind, BarKind::Lease(lease) if lease.key == *key)
}

/// The deadline of an entry of an event, Unix time of the world in ms.
fn until_ms(entry: &Entry, event: &Event) -> Option<u64> {
    entry.expires_ms.map(|clock_ms| clock_ms.saturating_sub(event.clock_ahead_ms))
}

impl Lane {
    fn lease(&mut self, key: &Bytes) -> Option<&mut Lease> {
        match &mut self.open_bar(is_lease(key))?.kind {
            BarKind::Lease(lease) => Some(lease),
            _ => None,
        }
    }

    /// Changes all open leases.
    fn open_leases(&mut self, mut change: impl FnMut(&mut Lease)) {
        for at in &self.open {
            if let Some(Bar { kind: BarKind::Lease(lease), .. }) = self.bars.get_mut(*at) {
                change(lease);
            }
        }
    }

    /// The keys of open leases that have expired.
    fn over(&self, now_ms: u64) -> impl Iterator<Item = &Bytes> {
        self.open.iter().filter_map(move |at| match &self.bars.get(*at)?.kind {
            BarKind::Lease(lease) if lease.until_ms.is_some_and(|until_ms| until_ms < now_ms) => Some(&lease.key),
            _ => None,
        })
    }
}

impl Diagram {
    /// A command created, changed or deleted a lock's key.
    pub(super) fn lock_changes(
        &mut self,
        node: NodeIndex,
        key: &Bytes,
        before: &KeyState,
        after: &KeyState,
        by: Option<ClientIndex>,
        event: &Event,
    ) -> Option<AtServer> {
        let at = self.at();
        let until_ms = after.as_ref().and_then(|entry| until_ms(entry, event));
        let name = label::word(key);
        let lane = self.lanes.entry(LaneKey::Node(node), Lane::default);
        let held = lane.lease(key);
        let is_another = match (before.as_ref().map(|entry| &entry.value), after.as_ref().map(|entry| &entry.value)) {
            (Some(Held::String(before)), Some(Held::String(after))) => before != after,
            _ => false,
        };
        let ms = until_ms.map(|until_ms| until_ms.saturating_sub(event.at_ms));
        match (held, after) {
            (Some(lease), Some(_)) if !is_another => {
                if lease.until_ms == until_ms {
                    return None;
                }
                lease.until_ms = until_ms;
                lease.renewals.push(at);
                Some(AtServer::Renewed { key: name, ms })
            }
            (held, Some(_)) => {
                if let Some(lease) = held {
                    lease.end = Some(LeaseEnd::Replaced);
                }
                lane.end(at, is_lease(key));
                let lease = Lease { key: key.clone(), holder: by, until_ms, renewals: Vec::new(), end: None };
                lane.begin(at, 0, BarKind::Lease(lease));
                Some(AtServer::Locked { key: name, holder: by, ms })
            }
            (Some(lease), None) => {
                let is_owner = by.is_none() || lease.holder == by;
                lease.end = Some(if is_owner { LeaseEnd::Released } else { LeaseEnd::Taken });
                lane.end(at, is_lease(key));
                Some(AtServer::Released { key: name, by, is_owner })
            }
            (None, None) => None,
        }
    }

    /// A node noticed that a lock has expired.
    pub(super) fn lock_lapses(&mut self, node: NodeIndex, key: &Bytes) -> Option<AtServer> {
        let at = self.at();
        let lane = self.lanes.entry(LaneKey::Node(node), Lane::default);
        lane.lease(key)?.end = Some(LeaseEnd::Expired);
        lane.end(at, is_lease(key));
        Some(AtServer::Expired { key: label::word(key) })
    }

    /// A node crashed: no lock is held there any longer.
    pub(super) fn node_crashes(&mut self, node: NodeIndex) {
        let at = self.at();
        let lane = self.lanes.entry(LaneKey::Node(node), Lane::default);
        lane.open_leases(|lease| lease.end = Some(LeaseEnd::Lost));
        lane.end(at, |bar| matches!(bar.kind, BarKind::Lease(_)));
        lane.begin(at, 0, BarKind::Crashed);
    }

    /// A node restarted: the locks that it found on its disk are held as before the crash.
    pub(super) fn node_restarts(&mut self, node: NodeIndex, loaded: &Dataset, event: &Event) -> Vec<AtServer> {
        let at = self.at();
        let lane = self.lanes.entry(LaneKey::Node(node), Lane::default);
        lane.end(at, |bar| bar.kind == BarKind::Crashed);
        let own = self.locks.iter().filter(|(whose, _)| *whose == node);
        let mut found = Vec::new();
        for (key, entry) in own.filter_map(|(_, key)| Some((key, loaded.entry(0, key)?))) {
            let held = lane.bars.iter().rev().find_map(|bar| match &bar.kind {
                BarKind::Lease(lease) if lease.key == *key => Some(lease.holder),
                _ => None,
            });
            let (holder, until_ms) = (held.flatten(), until_ms(entry, event));
            let lease = Lease { key: key.clone(), holder, until_ms, renewals: Vec::new(), end: None };
            lane.begin(at, 0, BarKind::Lease(lease));
            found.push(AtServer::Found { key: label::word(key) });
        }
        found
    }

    /// The clock of a node jumped ahead: its locks expire earlier.
    pub(super) fn node_clock_shifts(&mut self, node: NodeIndex, ms: u64) {
        let lane = self.lanes.entry(LaneKey::Node(node), Lane::default);
        lane.open_leases(|lease| lease.until_ms = lease.until_ms.map(|until_ms| until_ms.saturating_sub(ms)));
    }

    /// Closes the leases that have expired. Clients do not find such a key even before its node deletes it. In the millisecond of its
    /// deadline a key still exists.
    pub(super) fn expire(&mut self, now_ms: u64, row: &mut Row) {
        // Lanes of nodes come first.
        let lanes = self.lanes.iter().map_while(|(key, lane)| match key {
            LaneKey::Node(node) => Some((*node, lane)),
            LaneKey::Client(_) => None,
        });
        let over = lanes.flat_map(|(node, lane)| lane.over(now_ms).map(move |key| (node, key.clone())));
        for (node, key) in over.collect::<Vec<_>>() {
            let at_server = self.lock_lapses(node, &key);
            row.at_node(node, at_server);
        }
    }
}
