//! When and how a key leaves: its time to live against the time that was set, and its place among the keys that eviction would take next.
use bytes::Bytes;
use redis_model::Policy;
use world::EventKind;

use super::Look;
use crate::state::key::KeyName;
use crate::state::session::Session;

/// How many steps are searched for the one that set the deadline.
const LOOKED_BACK_MAX: usize = 500;
/// How many keys are listed.
const VICTIMS_MAX: usize = 8;

/// The deadline of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// When it expires, Unix time in ms.
    pub expires_ms: u64,
    /// When this was set; `None` if that was too long ago to be searched for.
    pub since_ms: Option<u64>,
}

/// Why a key is the next to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time to live ends first: what is left of it, in ms.
    Left(u64),
    /// It was not used for so long, in ms.
    Idle(u64),
    /// The policy does not show its reason: chance, or a counter of uses.
    Hidden,
}

/// A key that eviction would take.
#[derive(Clone, Debug, PartialEq)]
pub struct Victim {
    /// Its database.
    pub db: usize,
    /// The key.
    pub key: Bytes,
    /// Why.
    pub reason: Reason,
}

/// What happens if memory runs out.
#[derive(Clone, Debug, PartialEq)]
pub struct Eviction {
    /// The policy.
    pub policy: Policy,
    /// The keys in the order in which they would be evicted.
    pub victims: Vec<Victim>,
}

/// How the key of a look can leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaving {
    /// Its deadline, if it has one.
    pub deadline: Option<Deadline>,
    /// Whether the last step took its deadline away.
    pub is_deadline_lost: bool,
    /// What is evicted, if the session has set a limit of memory or a policy.
    pub eviction: Option<Eviction>,
}

/// How the key of a look can leave.
pub fn leaving(session: &Session, look: &Look) -> Leaving {
    let Some(entry) = &look.now else { return Leaving::default() };
    let deadline =
        entry.expires_ms.map(|expires_ms| Deadline { expires_ms, since_ms: since(session, &look.key, expires_ms) });
    let had_deadline = look.before.iter().flatten().any(|before| before.expires_ms.is_some());
    Leaving { deadline, is_deadline_lost: deadline.is_none() && had_deadline, eviction: eviction(session, look) }
}

/// When the deadline of a key was set: the time of the last step that changed it to this one.
fn since(session: &Session, key: &KeyName, expires_ms: u64) -> Option<u64> {
    session.timeline().taken().rev().take(LOOKED_BACK_MAX).find_map(|(_, step)| {
        let is_set = step.events.iter().any(|event| match &event.kind {
            EventKind::KeyChanged { before, after, .. } if key.is_in(event) => {
                let deadline = |state: &world::KeyState| state.as_ref().and_then(|entry| entry.expires_ms);
                deadline(after) == Some(expires_ms) && deadline(before) != Some(expires_ms)
            }
            _ => false,
        });
        is_set.then_some(step.now_ms)
    })
}

fn eviction(session: &Session, look: &Look) -> Option<Eviction> {
    let world = session.world();
    let server = world.server(look.key.database.node)?;
    let (config, now_ms) = (server.config(), server.now_ms());
    let policy = config.maxmemory_policy;
    let is_set =
        config.maxmemory > 0 && (config.maxmemory != world.settings().maxmemory || policy != Policy::Noeviction);
    if !is_set {
        return None;
    }
    let victim = |(db, key): (usize, Bytes)| {
        let entry = server.db(db).and_then(|db| db.entry(&key));
        let reason = match entry {
            Some(entry) if policy.is_lru() => Reason::Idle(u64::from(entry.access.idle_s(now_ms)).saturating_mul(1000)),
            Some(entry) if policy == Policy::VolatileTtl => {
                Reason::Left(entry.expires_ms.unwrap_or(now_ms).saturating_sub(now_ms))
            }
            _ => Reason::Hidden,
        };
        Victim { db, key, reason }
    };
    Some(Eviction { policy, victims: server.next_victims(VICTIMS_MAX).into_iter().map(victim).collect() })
}

#[cfg(test)]
mod tests {
    use super::super::tests::look_after;
    use super::{Deadline, Leaving, Reason};

    fn after(lines: &[&str]) -> Leaving {
        look_after(lines).leaving
    }

    /// The whole time that was set, and how long ago.
    fn whole(lines: &[&str]) -> Option<(u64, u64)> {
        let now_ms = after(&["SET now 1 PX 1"]).deadline?.expires_ms - 1;
        let passed: u64 = lines.iter().filter_map(|line| line.parse::<u64>().ok()).sum();
        let Deadline { expires_ms, since_ms } = after(lines).deadline?;
        Some((expires_ms - since_ms?, now_ms + passed - since_ms?))
    }

    #[test]
    fn a_deadline_counts_from_when_it_was_set() {
        assert_eq!(whole(&["SET k 1 EX 60", "20000", "INCR k"]), Some((60_000, 20_000)));
        assert_eq!(whole(&["SET k 1", "5000", "EXPIRE k 30", "1000", "APPEND k x"]), Some((30_000, 1_000)));
        assert_eq!(whole(&["SET k 1 EX 60", "1000", "SET k 2 KEEPTTL"]), Some((60_000, 1_000)));
        assert_eq!(whole(&["SET k 1 EX 60", "SET k 1"]), None);
    }

    #[test]
    fn a_write_that_takes_the_deadline_is_seen() {
        for (line, is_lost) in [("SET k 2", true), ("SET k 2 KEEPTTL", false), ("PERSIST k", true), ("DEL k", false)] {
            assert_eq!(after(&["SET k 1 EX 60", line]).is_deadline_lost, is_lost, "{line}");
        }
    }

    #[test]
    fn keys_are_listed_in_the_order_of_their_eviction() {
        let keys = ["SET a 1 EX 90", "1000", "SET b 1 EX 30", "1000", "SET c 1"];
        assert_eq!(after(&keys).eviction, None);
        let of = |policy: &str| {
            let set = [format!("CONFIG SET maxmemory-policy {policy} maxmemory-samples 20"), "SET c 2".to_owned()];
            let lines: Vec<&str> = keys.into_iter().chain(set.iter().map(String::as_str)).collect();
            let victims = after(&lines).eviction.map(|eviction| eviction.victims).unwrap_or_default();
            victims
                .into_iter()
                .map(|victim| (String::from_utf8_lossy(&victim.key).into_owned(), victim.reason))
                .collect::<Vec<_>>()
        };
        let named =
            |all: &[(&str, Reason)]| all.iter().map(|(key, reason)| ((*key).to_owned(), *reason)).collect::<Vec<_>>();
        assert_eq!(of("volatile-ttl"), named(&[("b", Reason::Left(29_000)), ("a", Reason::Left(88_000))]));
        let lru = [("a", Reason::Idle(2_000)), ("b", Reason::Idle(1_000)), ("c", Reason::Idle(0))];
        assert_eq!(of("allkeys-lru"), named(&lru));
        assert_eq!(of("allkeys-random").len(), 3);
        assert_eq!(of("noeviction"), []);
        let limited = after(&["CONFIG SET maxmemory 4mb", "SET a 1"]).eviction;
        assert!(limited.is_some_and(|eviction| eviction.victims.is_empty()));
    }
}
