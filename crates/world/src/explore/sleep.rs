//! Steps that commute need not be tried in both orders: sleep sets, as in Godefroid, "Partial-Order Methods for the Verification of
//! Concurrent Systems" (1996), chapters 5 and 6.
//!
//! ```text
//!        ●                 a and b touch different things: a b leads where b a leads.
//!     a╱   ╲b              Once a was tried here, it sleeps behind b: the dotted step is left out.
//!     ●     ●              It wakes as soon as something happens that it does not commute with.
//!     b╲   ⋰a
//!        ●
//! ```
//! No world is lost by that, and none is found later, so neither the verdict nor the shortest length changes: only steps are
//! spared. A world that is reached again with fewer sleepers is gone on from with those that have slept so far.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::command::{Flags, Group, KeyFlags, find, keys_of};
use script::program::{Request, Thread};

use crate::{Act, ClientIndex, Event, EventKind, Happening, Input, Phase, World};

/// Threads that can sleep; those beyond never do.
const THREADS_MAX: usize = 64;

/// A set of threads, a bit each.
pub(super) type Threads = u64;

/// What a step touches that others can notice.
#[derive(Debug)]
pub(super) struct Footprint {
    /// Anything at all.
    is_anything: bool,
    /// It entered or left a section.
    is_in_section: bool,
    /// It told of a message: who is first decides what is in order.
    is_in_ledger: bool,
    /// Its client is in a section, and leaves it when its thread ends.
    is_inside: bool,
    /// Keys, and whether they may change.
    keys: Vec<(Bytes, bool)>,
}

impl Footprint {
    /// Do two steps of different clients lead to the same in either order?
    fn commutes(&self, other: &Footprint) -> bool {
        let meets = |one: &(Bytes, bool)| self.keys.iter().any(|key| key.0 == one.0 && (key.1 || one.1));
        let is_in_the_way = self.is_anything
            || other.is_anything
            || (self.is_in_section && other.is_in_section)
            || (self.is_in_ledger && other.is_in_ledger)
            || other.keys.iter().any(meets);
        !is_in_the_way
    }
}

/// A thread whose step need not be tried.
#[derive(Clone, Debug)]
pub(super) struct Sleeper {
    client: ClientIndex,
    bit: Threads,
    footprint: Rc<Footprint>,
}

impl Sleeper {
    /// Is it one of these?
    pub(super) fn is_among(&self, threads: Threads) -> bool {
        self.bit & threads != 0
    }
}

/// Those who sleep in a world.
pub(super) type Sleepers = Vec<Sleeper>;

/// Which of them.
pub(super) fn threads(sleepers: &[Sleeper]) -> Threads {
    sleepers.iter().fold(0, |all, sleeper| all | sleeper.bit)
}

/// The ways on from one world: who has been tried, and who sleeps behind whom.
pub(super) struct Dormitory<'a> {
    known: &'a mut Vec<(ClientIndex, Thread)>,
    sleepers: Sleepers,
}

impl<'a> Dormitory<'a> {
    /// Of a world in which these sleep. `known` numbers the threads of the whole search.
    pub(super) fn new(known: &'a mut Vec<(ClientIndex, Thread)>, sleepers: Sleepers) -> Dormitory<'a> {
        Dormitory { known, sleepers }
    }

    /// The bit of the thread that this input lets go on; 0 when it is something else.
    pub(super) fn bit(&mut self, input: &Input) -> Threads {
        let Input::Program { client, act: Act::Step { thread } } = input else { return 0 };
        let place = self.known.iter().position(|known| *known == (*client, *thread)).unwrap_or_else(|| {
            self.known.push((*client, *thread));
            self.known.len().saturating_sub(1)
        });
        if place < THREADS_MAX { 1 << place } else { 0 }
    }

    /// Who sleeps in the world behind an input that touches this. The thread itself sleeps behind those that are tried later.
    pub(super) fn behind(&mut self, input: &Input, bit: Threads, footprint: Option<Footprint>) -> Sleepers {
        let (Some(client), Some(footprint)) = (input.client().filter(|_| bit != 0), footprint) else {
            return Vec::new();
        };
        let stays = |other: &&Sleeper| other.client != client && other.footprint.commutes(&footprint);
        let behind = self.sleepers.iter().filter(stays).cloned().collect();
        if !footprint.is_anything {
            self.sleepers.push(Sleeper { client, bit, footprint: Rc::new(footprint) });
        }
        behind
    }
}

impl World {
    /// What the keys and sections are that this input will touch; `None` when it is no step of a thread. What became of it completes
    /// this: [`Footprint::after`].
    pub(super) fn footprint(&self, input: &Input) -> Option<Footprint> {
        let Input::Program { client, act: Act::Step { thread } } = input else { return None };
        let process = self.process(*client)?;
        let is_inside = !process.inside().is_empty();
        let mut footprint =
            Footprint { is_anything: false, is_in_section: false, is_in_ledger: false, is_inside, keys: Vec::new() };
        if matches!(process.phase(*thread), Some(Phase::Ready | Phase::RequestTravels { .. } | Phase::Queued)) {
            match process.request(*thread) {
                Some(Request::Call { argv }) if self.is_plain() => match keys(argv) {
                    Some(keys) => footprint.keys = keys,
                    None => footprint.is_anything = true,
                },
                _ => footprint.is_anything = true,
            }
        }
        Some(footprint)
    }

    /// Do commands touch their keys and nothing else? Not in transactions, nor while somebody listens or requests queue.
    fn is_plain(&self) -> bool {
        self.nodes().all(|(node, server)| {
            let is_plain = |client: &redis_model::Client| {
                client.multi.is_none() && client.watched.is_empty() && !client.is_subscriber() && !client.is_monitor
            };
            self.queue(node).is_empty() && server.clients().all(is_plain) && has_room(self, server)
        })
    }
}

/// A server with little room throws keys away.
fn has_room(world: &World, server: &redis_model::Server) -> bool {
    let most = world.settings().maxmemory;
    let used = u64::try_from(server.used_memory()).unwrap_or(u64::MAX);
    most == 0 || used < most / 2
}

impl Footprint {
    /// The same, after what happened in the step.
    #[must_use]
    pub(super) fn after(mut self, events: &[Event]) -> Footprint {
        for event in events {
            match &event.kind {
                EventKind::Program { what: Happening::Entered { .. } | Happening::Left { .. }, .. } => {
                    self.is_in_section = true;
                }
                EventKind::Program { what: Happening::Produced { .. } | Happening::Processed { .. }, .. } => {
                    self.is_in_ledger = true;
                }
                EventKind::Program { what: Happening::Ended | Happening::Cancelled | Happening::Failed(_), .. } => {
                    self.is_in_section |= self.is_inside;
                }
                EventKind::Broken { .. }
                | EventKind::Connected { .. }
                | EventKind::Disconnected { .. }
                | EventKind::KeyExpired { .. }
                | EventKind::KeyEvicted { .. }
                | EventKind::Unblocked { .. } => self.is_anything = true,
                _ => {}
            }
        }
        self
    }
}

/// The keys of a command, and whether it may change them; `None` when it may touch more than them.
fn keys(argv: &[Bytes]) -> Option<Vec<(Bytes, bool)>> {
    let row = find(argv).ok()?;
    if matches!(row.name, "ping" | "echo") {
        return Some(Vec::new());
    }
    let is_special = row.flags.intersects(Flags::BLOCKING.union(Flags::PUBSUB).union(Flags::ADMIN).union(Flags::NOSCRIPT))
        || matches!(row.group, Group::Scripting | Group::Transactions | Group::Server | Group::Connection)
        // These draw from the server's random numbers, or read keys that patterns name.
        || matches!(row.name, "spop" | "srandmember" | "hrandfield" | "zrandmember" | "sort" | "sort_ro");
    let keys = keys_of(argv);
    if is_special || keys.is_empty() {
        return None;
    }
    let key = |at: &redis_model::command::KeyAt| Some((argv.get(at.index)?.clone(), !at.flags.contains(KeyFlags::RO)));
    keys.iter().map(key).collect()
}
