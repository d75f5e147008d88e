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
//! What goes wrong for one client commutes with the steps of others too: a pause, a crash that no one notices, a reply that gets lost.
//! It also commutes with what goes wrong for others, unless that is of the same kind: of each kind so much is left, counted for itself.
//! No world is lost by that, and none is found later, so neither the verdict nor the shortest length changes: only steps are
//! spared. A world that is reached again with fewer sleepers is gone on from with those that have slept so far.
use std::rc::Rc;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use redis_model::command::{Flags, Group, KeyFlags, find, keys_of};
use script::program::{Request, Thread};
use table::{ConnectionId, Database};

use crate::network::Stage;
use crate::node::Node;
use crate::programs::Leg;
use crate::{Act, ClientIndex, Event, EventKind, Fault, Happening, Input, NodeIndex, Phase, Process, World, node};

/// Deeds that can sleep; those beyond never do.
const DEEDS_MAX: usize = 64;

/// A set of deeds, a bit each.
pub(super) type Deeds = u64;

/// What a scheduler does to a client, apart from the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Deed {
    Step(Thread),
    Pause,
    Resume,
    Crash,
    Lose(Thread, Leg),
}

impl Deed {
    fn of(act: &Act) -> Option<Deed> {
        match act {
            Act::Step { thread } => Some(Deed::Step(*thread)),
            Act::Pause => Some(Deed::Pause),
            Act::Resume => Some(Deed::Resume),
            Act::Crash => Some(Deed::Crash),
            Act::Lose { thread, leg } => Some(Deed::Lose(*thread, *leg)),
            _ => None,
        }
    }
}

/// A key at a node, and whether it may change.
type Touched = (NodeIndex, Bytes, bool);

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
    /// What it takes from what may still go wrong.
    fault: Option<Fault>,
    /// Its client's connection closes, which no one else notices.
    closes_connection: bool,
    /// Keys of nodes, and whether they may change.
    keys: Vec<Touched>,
}

impl Footprint {
    /// Do two steps of different clients lead to the same in either order?
    fn commutes(&self, other: &Footprint) -> bool {
        let meets = |one: &Touched| self.keys.iter().any(|key| (key.0, &key.1) == (one.0, &one.1) && (key.2 || one.2));
        let is_in_the_way = self.is_anything
            || other.is_anything
            || (self.is_in_section && other.is_in_section)
            || (self.is_in_ledger && other.is_in_ledger)
            || (self.fault.is_some() && self.fault == other.fault)
            || other.keys.iter().any(meets);
        !is_in_the_way
    }
}

/// A deed that need not be tried.
#[derive(Clone, Debug)]
pub(super) struct Sleeper {
    client: ClientIndex,
    bit: Deeds,
    footprint: Rc<Footprint>,
}

impl Sleeper {
    /// Is it one of these?
    pub(super) fn is_among(&self, deeds: Deeds) -> bool {
        self.bit & deeds != 0
    }
}

/// Those who sleep in a world.
pub(super) type Sleepers = Vec<Sleeper>;

/// Which of them.
pub(super) fn deeds(sleepers: &[Sleeper]) -> Deeds {
    sleepers.iter().fold(0, |all, sleeper| all | sleeper.bit)
}

/// The bits of the deeds of a search, in the order in which they were met.
pub(super) type Bits = FxHashMap<(ClientIndex, Deed), Deeds>;

/// The ways on from one world: who has been tried, and who sleeps behind whom.
pub(super) struct SleepSet<'a> {
    known: &'a mut Bits,
    sleepers: Sleepers,
    /// Who was tried last: sleeps behind the next, if there is one.
    last: Option<(ClientIndex, Deeds, Footprint)>,
}

impl<'a> SleepSet<'a> {
    /// Of a world in which these sleep. `known` has the bits of the whole search.
    pub(super) fn new(known: &'a mut Bits, sleepers: Sleepers) -> SleepSet<'a> {
        SleepSet { known, sleepers, last: None }
    }

    /// The bit of what this input does; 0 when it never sleeps.
    pub(super) fn bit(&mut self, input: &Input) -> Deeds {
        let Input::Program { client, act } = input else { return 0 };
        let Some(deed) = Deed::of(act) else { return 0 };
        let next = if self.known.len() < DEEDS_MAX { 1 << self.known.len() } else { 0 };
        *self.known.entry((*client, deed)).or_insert(next)
    }

    /// Who sleeps in the world behind an input that touches this. It sleeps itself behind those that are tried later.
    pub(super) fn behind(&mut self, input: &Input, bit: Deeds, footprint: Option<Footprint>) -> Sleepers {
        let (Some(client), Some(footprint)) = (input.client().filter(|_| bit != 0), footprint) else {
            return Vec::new();
        };
        if let Some((client, bit, footprint)) = self.last.take() {
            self.sleepers.push(Sleeper { client, bit, footprint: Rc::new(footprint) });
        }
        let stays = |other: &&Sleeper| other.client != client && other.footprint.commutes(&footprint);
        let behind = self.sleepers.iter().filter(stays).cloned().collect();
        if !footprint.is_anything {
            self.last = Some((client, bit, footprint));
        }
        behind
    }
}

impl World {
    /// What the keys and sections are that this input will touch; `None` when it never sleeps. What became of it completes this:
    /// [`Footprint::after`]. `is_plain`: see [`World::is_plain`].
    pub(super) fn footprint(&self, input: &Input, is_plain: bool) -> Option<Footprint> {
        let Input::Program { client, act } = input else { return None };
        let (process, deed) = (self.process(*client)?, Deed::of(act)?);
        let keys = self.keys_touched(*client, process, deed, is_plain, |thread, argv| {
            let node = self.node_of_request(*client, thread)?;
            let touched = match self.table(node) {
                Some(database) => rows(database, argv)?,
                None => keys(argv)?,
            };
            Some((node, touched))
        });
        let is_inside = !process.inside().is_empty();
        Some(Footprint {
            is_anything: keys.is_none(),
            // A client that crashes leaves.
            is_in_section: is_inside && deed == Deed::Crash,
            is_in_ledger: false,
            is_inside,
            fault: Fault::of(input),
            closes_connection: matches!(deed, Deed::Crash | Deed::Lose(..)),
            keys: keys.unwrap_or_default(),
        })
    }

    /// Do commands touch their keys and nothing else? Not in transactions, nor while somebody listens or requests queue.
    pub(super) fn is_plain(&self) -> bool {
        let are_tables_quiet =
            self.nodes.iter().filter_map(Node::table).all(|database| node::table::is_quiet(database));
        are_tables_quiet
            && self.nodes().all(|node| self.queue(node).is_empty())
            && self.servers().all(|(_, server)| {
                let is_plain = |client: &redis_model::Client| {
                    client.multi.is_none() && client.watched.is_empty() && !client.is_subscriber() && !client.is_monitor
                };
                // The first question is answered by digests that are there already.
                let are_plain = server.is_quiet() || server.clients().all(is_plain);
                are_plain && has_room(self, server)
            })
    }
}

impl World {
    /// The keys that this touches and whether it may change them; `None` when it may touch more.
    fn keys_touched(
        &self,
        client: ClientIndex,
        process: &Process,
        deed: Deed,
        is_plain: bool,
        keys_of: impl Fn(Thread, &[Bytes]) -> Option<(NodeIndex, Vec<(Bytes, bool)>)>,
    ) -> Option<Vec<Touched>> {
        let of_request = |thread: Thread| match process.request(thread) {
            Some(Request::Call { argv, .. }) if is_plain => {
                let (node, keys) = keys_of(thread, argv)?;
                Some(keys.into_iter().map(|(key, may_change)| (node, key, may_change)).collect())
            }
            _ => None,
        };
        let nothing = || is_plain.then(Vec::new);
        let is_ready = |thread| process.phase(thread) == Some(&Phase::Ready);
        match deed {
            Deed::Step(thread) => match self.stage_of(client, thread) {
                Some(Stage::ToNode { .. } | Stage::Queued) => of_request(thread),
                None if is_ready(thread) => of_request(thread),
                _ => Some(Vec::new()),
            },
            Deed::Pause | Deed::Resume => nothing(),
            // What is under way arrives, and who waits for a key goes.
            Deed::Crash => {
                let is_answered = |stage: &Stage| matches!(stage, Stage::ToClient { .. });
                if self.requests_of(client).all(|(_, found)| is_answered(&found.stage)) { nothing() } else { None }
            }
            Deed::Lose(thread, leg) => match (self.stage_of(client, thread), leg) {
                (None, Leg::Request) if is_ready(thread) => nothing(),
                (None, Leg::Reply) if is_ready(thread) => of_request(thread),
                (Some(Stage::ToClient { .. }), Leg::Reply) => nothing(),
                _ => None,
            },
        }
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
                EventKind::Disconnected { .. } if self.closes_connection => {}
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

/// What a statement to a database touches; `None` when that is more than some rows, and where statements take time or connections are few:
/// then it matters who is served first, and who is refused.
///
/// ```text
///   one row          reads `rows`, and reads or writes itself         different rows commute
///   all rows, read   reads `rows`, writes `looks`                     with neither of the others but what only reads one row
///   a row is written reads `looks` too
///   all rows, written: writes `rows`
/// ```
fn rows(database: &Database, argv: &[Bytes]) -> Option<Vec<(Bytes, bool)>> {
    let settings = database.settings();
    let room = (settings.connections_max as usize).saturating_sub(database.connections().count());
    let statement = node::table::bound(argv)?;
    if settings.service_ms > 0 || room <= CONNECTIONS_FREE || table::tells_connections_apart(&statement) {
        return None;
    }
    let mut touched = Vec::new();
    for touch in database.footprint(ConnectionId(0), &statement).touches {
        let table = touch.table.as_ref()?;
        let name = |part: &[u8]| Bytes::from([table.as_ref(), b"\0", part].concat());
        match &touch.key {
            Some(key) => {
                touched.push((name(b"rows"), false));
                touched.push((name(&[b"=".as_slice(), key].concat()), touch.writes));
                if touch.writes {
                    touched.push((name(b"looks"), false));
                }
            }
            None if touch.writes => touched.push((name(b"rows"), true)),
            None => {
                touched.push((name(b"rows"), false));
                touched.push((name(b"looks"), true));
            }
        }
    }
    Some(touched)
}

/// More connections than the programs of a search open.
const CONNECTIONS_FREE: usize = 64;

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
