//! Locks as bars on the server's lane: who holds them, until when, renewed when, ended how.
use bytes::Bytes;
use redis_model::value::Value as Held;
use world::{ClientIndex, KeyState};

use super::{AtServer, Bar, BarKind, Diagram, Lane, Lease, LeaseEnd, label};

/// Is a key that this command has made a lock? It is when whoever comes second would not get it (`SET … NX`, `SETNX`), or when a
/// script or a transaction has made it for a time: a lock with a depth is a hash that a script makes.
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

impl Lane {
    fn lease(&mut self, key: &Bytes) -> Option<&mut Lease> {
        match &mut self.open_bar(is_lease(key))?.kind {
            BarKind::Lease(lease) => Some(lease),
            _ => None,
        }
    }
}

impl Diagram {
    /// A lock key came, changed or went, by a command.
    pub(super) fn lock_changes(
        &mut self,
        key: &Bytes,
        before: &KeyState,
        after: &KeyState,
        by: Option<ClientIndex>,
        now_ms: u64,
        told: &mut Vec<AtServer>,
    ) {
        let at = self.at();
        let name = label::word(key);
        let server = self.lanes.entry(None, Lane::default);
        let held = server.lease(key);
        let is_another = match (before.as_ref().map(|entry| &entry.value), after.as_ref().map(|entry| &entry.value)) {
            (Some(Held::String(before)), Some(Held::String(after))) => before != after,
            _ => false,
        };
        let left = |until_ms: Option<u64>| until_ms.map(|until_ms| until_ms.saturating_sub(now_ms));
        match (held, after) {
            (Some(lease), Some(after)) if !is_another => {
                if lease.until_ms != after.expires_ms {
                    lease.until_ms = after.expires_ms;
                    lease.renewals.push(at);
                    told.push(AtServer::Renewed { key: name, ms: left(after.expires_ms) });
                }
            }
            (held, Some(after)) => {
                if let Some(lease) = held {
                    lease.end = Some(LeaseEnd::Replaced);
                }
                server.end(at, is_lease(key));
                let until_ms = after.expires_ms;
                let lease = Lease { key: key.clone(), holder: by, until_ms, renewals: Vec::new(), end: None };
                server.begin(at, 0, BarKind::Lease(lease));
                told.push(AtServer::Locked { key: name, holder: by, ms: left(until_ms) });
            }
            (Some(lease), None) => {
                let is_owner = by.is_none() || lease.holder == by;
                lease.end = Some(if is_owner { LeaseEnd::Released } else { LeaseEnd::Taken });
                server.end(at, is_lease(key));
                told.push(AtServer::Released { key: name, by, is_owner });
            }
            (None, None) => {}
        }
    }

    /// The server noticed that a lock's time is over.
    pub(super) fn lock_lapses(&mut self, key: &Bytes, told: &mut Vec<AtServer>) {
        let at = self.at();
        let server = self.lanes.entry(None, Lane::default);
        if let Some(lease) = server.lease(key) {
            lease.end = Some(LeaseEnd::Expired);
            server.end(at, is_lease(key));
            told.push(AtServer::Expired { key: label::word(key) });
        }
    }

    /// Locks whose time is over: whoever asks does not find them, though the server takes them away later. A key is there in the
    /// millisecond of its deadline still.
    pub(super) fn expire(&mut self, now_ms: u64, told: &mut Vec<AtServer>) {
        let Some(server) = self.lanes.get(&None) else { return };
        let over: Vec<Bytes> = server
            .open
            .iter()
            .filter_map(|at| match &server.bars.get(*at)?.kind {
                BarKind::Lease(lease) if lease.until_ms.is_some_and(|until_ms| until_ms < now_ms) => {
                    Some(lease.key.clone())
                }
                _ => None,
            })
            .collect();
        for key in over {
            self.lock_lapses(&key, told);
        }
    }
}
