//! Steps that commute need not be tried in both orders: sleep sets, as in Godefroid, "Partial-Order Methods for the Verification of
//! Concurrent Systems" (1996), chapters 5 and 6.
//!
//! ```text
//!        ●                 a and b touch different things: a b and b a lead to the same world.
//!     a╱   ╲b              Once a was tried here, it sleeps after b: the dotted step is left out.
//!     ●     ●              It wakes as soon as a step occurs that does not commute with it.
//!     b╲   ⋰a
//!        ●
//! ```
//! Faults of one client commute with the steps of others too: a pause, a crash that no other client notices, a lost reply. They also
//! commute with other clients' faults, unless those are of the same kind: the budget of each kind is counted separately. No world is
//! lost or found later, so neither the verdict nor the shortest length changes: only steps are saved. A world that is reached again
//! with fewer sleeping transitions is expanded again with the transitions that have woken.
use std::rc::Rc;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use redis_model::command::{Flags, Group, KeyFlags, find, keys_of};
use script::program::{Request, Thread};
use table::{ConnectionId, Database};

use crate::network::RequestStage;
use crate::node::Node;
use crate::programs::Direction;
use crate::{Act, ClientIndex, Event, EventKind, Fault, Input, NodeIndex, Phase, Process, ProgramEvent, World, node};

/// Maximum number of transitions that can sleep; further transitions never sleep.
const TRANSITIONS_MAX: usize = 64;

/// A set of transitions, one bit each.
pub(super) type TransitionSet = u64;

/// A scheduler's action on a client, independent of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Transition {
    Step(Thread),
    Pause,
    Resume,
    Crash,
    Lose(Thread, Direction),
}

impl Transition {
    fn of(act: &Act) -> Option<Transition> {
        match act {
            Act::Step { thread } => Some(Transition::Step(*thread)),
            Act::Pause => Some(Transition::Pause),
            Act::Resume => Some(Transition::Resume),
            Act::Crash => Some(Transition::Crash),
            Act::Lose { thread, direction } => Some(Transition::Lose(*thread, *direction)),
            _ => None,
        }
    }
}

/// Key, and whether it may change.
type Touched = (Bytes, bool);

/// The data that a step touches.
#[derive(Clone, Debug)]
enum Reach {
    Nothing,
    /// Keys of a node.
    Keys(NodeIndex, Rc<[Touched]>),
    Anything,
}

impl Reach {
    /// Could one see what the other changes?
    fn meets(&self, other: &Reach) -> bool {
        match (self, other) {
            (Reach::Anything, _) | (_, Reach::Anything) => true,
            (Reach::Keys(node, own), Reach::Keys(at, others)) if node == at => {
                own.iter().any(|one| others.iter().any(|key| key.0 == one.0 && (key.1 || one.1)))
            }
            _ => false,
        }
    }
}

/// What a step touches that other clients can notice.
#[derive(Debug)]
pub(super) struct Footprint {
    reach: Reach,
    /// It entered or left a critical section.
    is_in_section: bool,
    /// It reported a message: the order of the reports matters.
    is_in_ledger: bool,
    /// Its client is in a critical section, and leaves it when its thread ends.
    is_inside: bool,
    /// The fault that it takes from the budget.
    fault: Option<Fault>,
    /// It closes its client's connection, which no other client notices.
    closes_connection: bool,
}

impl Footprint {
    /// Do two steps of different clients give the same world in either order?
    fn commutes(&self, other: &Footprint) -> bool {
        let is_in_the_way = self.reach.meets(&other.reach)
            || (self.is_in_section && other.is_in_section)
            || (self.is_in_ledger && other.is_in_ledger)
            || (self.fault.is_some() && self.fault == other.fault);
        !is_in_the_way
    }
}

/// A transition that need not be tried.
#[derive(Clone, Debug)]
pub(super) struct SleepingTransition {
    client: ClientIndex,
    bit: TransitionSet,
    footprint: Rc<Footprint>,
}

impl SleepingTransition {
    /// Is its transition in this set?
    pub(super) fn is_among(&self, transitions: TransitionSet) -> bool {
        self.bit & transitions != 0
    }
}

/// The sleep set of a world.
pub(super) type SleepSet = Vec<SleepingTransition>;

/// The transitions in a sleep set.
pub(super) fn transitions(sleep_set: &[SleepingTransition]) -> TransitionSet {
    sleep_set.iter().fold(0, |all, sleeping| all | sleeping.bit)
}

/// The bit of each transition of a search, in the order in which the search met them.
pub(super) type Bits = FxHashMap<(ClientIndex, Transition), TransitionSet>;

/// Builds the sleep sets of a world's successors from the transitions already tried.
pub(super) struct Siblings<'a> {
    known: &'a mut Bits,
    sleep_set: SleepSet,
    /// The transition tried last: it sleeps after the next one.
    last: Option<(ClientIndex, TransitionSet, Footprint)>,
}

impl<'a> Siblings<'a> {
    /// For a world with this sleep set. `known` has the bits of the whole search.
    pub(super) fn new(known: &'a mut Bits, sleep_set: SleepSet) -> Siblings<'a> {
        Siblings { known, sleep_set, last: None }
    }

    /// The bit of this input's transition; 0 if it never sleeps.
    pub(super) fn bit(&mut self, input: &Input) -> TransitionSet {
        let Input::Program { client, act } = input else { return 0 };
        let Some(transition) = Transition::of(act) else { return 0 };
        let next = if self.known.len() < TRANSITIONS_MAX { 1 << self.known.len() } else { 0 };
        *self.known.entry((*client, transition)).or_insert(next)
    }

    /// The sleep set of the world after an input with this footprint. The input's own transition sleeps after transitions that are tried
    /// later.
    pub(super) fn behind(&mut self, input: &Input, bit: TransitionSet, footprint: Option<Footprint>) -> SleepSet {
        let (Some(client), Some(footprint)) = (input.client().filter(|_| bit != 0), footprint) else {
            return Vec::new();
        };
        if let Some((client, bit, footprint)) = self.last.take() {
            self.sleep_set.push(SleepingTransition { client, bit, footprint: Rc::new(footprint) });
        }
        let stays = |other: &&SleepingTransition| other.client != client && other.footprint.commutes(&footprint);
        let behind = self.sleep_set.iter().filter(stays).cloned().collect();
        if !matches!(footprint.reach, Reach::Anything) {
            self.last = Some((client, bit, footprint));
        }
        behind
    }
}

/// The keys of each command met so far, so that each is parsed once; `None`: it may touch more.
pub(super) type KnownKeys = FxHashMap<Vec<Bytes>, Option<Rc<[Touched]>>>;

/// Most commands met by a search number a few dozen.
const COMMANDS_MAX: usize = 10_000;

/// The keys and sections that this input will touch; `None` if it never sleeps. [`Footprint::after`] adds what happened in the step.
/// `is_plain`: see [`is_plain`].
pub(super) fn footprint(world: &World, input: &Input, is_plain: bool, known: &mut KnownKeys) -> Option<Footprint> {
    let Input::Program { client, act } = input else { return None };
    let (process, transition) = (world.process(*client)?, Transition::of(act)?);
    let reach = reach(world, *client, process, transition, is_plain, |thread, argv| {
        let Some(node) = world.node_of_request(*client, thread) else { return Reach::Anything };
        let keys = match world.table(node) {
            Some(database) => rows(database, argv),
            None => keys(argv, known),
        };
        match keys {
            None => Reach::Anything,
            Some(keys) => Reach::Keys(node, keys),
        }
    });
    let is_inside = !process.inside().is_empty();
    Some(Footprint {
        reach,
        // A client that crashes leaves its section.
        is_in_section: is_inside && transition == Transition::Crash,
        is_in_ledger: false,
        is_inside,
        fault: Fault::of(input),
        closes_connection: matches!(transition, Transition::Crash | Transition::Lose(..)),
    })
}

/// Do commands touch only their keys? Not in transactions, and not while a client listens or requests are queued.
pub(super) fn is_plain(world: &World) -> bool {
    let are_tables_quiet = world.nodes.iter().filter_map(Node::table).all(|database| node::table::is_quiet(database));
    are_tables_quiet
        && world.nodes().all(|node| world.queue(node).is_empty())
        && world.servers().all(|(_, server)| {
            let is_plain = |client: &redis_model::Client| {
                client.multi.is_none() && client.watched.is_empty() && !client.is_subscriber() && !client.is_monitor
            };
            // The server's cached digests answer the first question.
            let are_plain = server.is_quiet() || server.clients().all(is_plain);
            are_plain && has_room(world, server)
        })
}

/// The keys that this transition touches and whether it may change them.
fn reach(
    world: &World,
    client: ClientIndex,
    process: &Process,
    transition: Transition,
    is_plain: bool,
    mut keys_of: impl FnMut(Thread, &[Bytes]) -> Reach,
) -> Reach {
    let mut of_request = |thread: Thread| match process.request(thread) {
        Some(Request::Call { argv, .. }) if is_plain => keys_of(thread, argv),
        _ => Reach::Anything,
    };
    let nothing = || if is_plain { Reach::Nothing } else { Reach::Anything };
    let is_ready = |thread| process.phase(thread) == Some(&Phase::Ready);
    match transition {
        Transition::Step(thread) => match world.stage_of(client, thread) {
            Some(RequestStage::ToNode { .. } | RequestStage::Queued) => of_request(thread),
            None if is_ready(thread) => of_request(thread),
            _ => Reach::Nothing,
        },
        Transition::Pause | Transition::Resume => nothing(),
        // Requests in flight arrive, and a client blocked on a key disconnects.
        Transition::Crash => {
            let is_answered = |stage: &RequestStage| matches!(stage, RequestStage::ToClient { .. });
            let are_answered = world.requests_of(client).all(|(_, found)| is_answered(&found.stage));
            if are_answered { nothing() } else { Reach::Anything }
        }
        Transition::Lose(thread, direction) => match (world.stage_of(client, thread), direction) {
            (None, Direction::Request) if is_ready(thread) => nothing(),
            (None, Direction::Reply) if is_ready(thread) => of_request(thread),
            (Some(RequestStage::ToClient { .. }), Direction::Reply) => nothing(),
            _ => Reach::Anything,
        },
    }
}

/// Is there enough memory? A server near `maxmemory` evicts keys.
fn has_room(world: &World, server: &redis_model::Server) -> bool {
    let most = world.settings().maxmemory;
    let used = u64::try_from(server.used_memory()).unwrap_or(u64::MAX);
    most == 0 || used < most / 2
}

impl Footprint {
    /// The footprint completed by the events of the step.
    #[must_use]
    pub(super) fn after(mut self, events: &[Event]) -> Footprint {
        for event in events {
            match &event.kind {
                EventKind::Program { what: ProgramEvent::Entered { .. } | ProgramEvent::Left { .. }, .. } => {
                    self.is_in_section = true;
                }
                EventKind::Program { what: ProgramEvent::Produced { .. } | ProgramEvent::Processed { .. }, .. } => {
                    self.is_in_ledger = true;
                }
                EventKind::Program {
                    what: ProgramEvent::Ended | ProgramEvent::Cancelled | ProgramEvent::Failed(_),
                    ..
                } => {
                    self.is_in_section |= self.is_inside;
                }
                EventKind::Disconnected { .. } if self.closes_connection => {}
                EventKind::Broken { .. }
                | EventKind::Connected { .. }
                | EventKind::Disconnected { .. }
                | EventKind::KeyExpired { .. }
                | EventKind::KeyEvicted { .. }
                | EventKind::Unblocked { .. } => self.reach = Reach::Anything,
                _ => {}
            }
        }
        self
    }
}

/// What a statement to a database touches; `None` if that is more than some rows, and if statements take time or connections are few: then
/// the order in which clients are served or refused matters.
///
/// ```text
///   one row          reads `rows`, and reads or writes the row        different rows commute
///   all rows, read   reads `rows`, writes `looks`                     commutes only with a read of one row
///   a row is written reads `looks` too
///   all rows, written: writes `rows`
/// ```
fn rows(database: &Database, argv: &[Bytes]) -> Option<Rc<[Touched]>> {
    let settings = database.settings();
    let room = (settings.connections_max as usize).saturating_sub(database.connections().count());
    let statement = node::table::bound(argv)?;
    if settings.service_ms > 0 || room <= CONNECTIONS_FREE || table::tells_connections_apart(&statement) {
        return None;
    }
    let mut touched = Vec::new();
    for touch in database.footprint(ConnectionId(0), &statement).touches {
        let table = touch.table.as_ref()?;
        let mut touch_rows = |part: &[u8], writes| {
            touched.push((Bytes::from([table.as_ref(), b"\0", part].concat()), writes));
        };
        match &touch.key {
            Some(key) => {
                touch_rows(b"rows", false);
                touch_rows(&[b"=".as_slice(), key].concat(), touch.writes);
                if touch.writes {
                    touch_rows(b"looks", false);
                }
            }
            None if touch.writes => touch_rows(b"rows", true),
            None => {
                touch_rows(b"rows", false);
                touch_rows(b"looks", true);
            }
        }
    }
    Some(touched.into())
}

/// More connections than the programs of a search open.
const CONNECTIONS_FREE: usize = 64;

/// The keys of a command, and whether it may change them; `None` if it may touch more.
fn keys(argv: &[Bytes], known: &mut KnownKeys) -> Option<Rc<[Touched]>> {
    if let Some(keys) = known.get(argv) {
        return keys.clone();
    }
    let keys = parsed_keys(argv).map(Rc::from);
    if known.len() >= COMMANDS_MAX {
        known.clear();
    }
    known.insert(argv.to_vec(), keys.clone());
    keys
}

fn parsed_keys(argv: &[Bytes]) -> Option<Vec<Touched>> {
    let row = find(argv).ok()?;
    if matches!(row.name, "ping" | "echo") {
        return Some(Vec::new());
    }
    let is_special = row.flags.intersects(Flags::BLOCKING.union(Flags::PUBSUB).union(Flags::ADMIN).union(Flags::NOSCRIPT))
        || matches!(row.group, Group::Scripting | Group::Transactions | Group::Server | Group::Connection)
        // These use the server's random numbers, or read keys named by patterns.
        || matches!(row.name, "spop" | "srandmember" | "hrandfield" | "zrandmember" | "sort" | "sort_ro");
    let keys = keys_of(argv);
    if is_special || keys.is_empty() {
        return None;
    }
    let mut touched = Vec::with_capacity(keys.len());
    for at in keys {
        touched.push((argv.get(at.index)?.clone(), !at.flags.contains(KeyFlags::RO)));
    }
    Some(touched)
}
