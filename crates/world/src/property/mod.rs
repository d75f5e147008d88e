//! Properties that a world watches, and the first step that breaks each.
pub(crate) mod formula;
mod ledger;
mod tested;
mod words;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{Entry, sorted_map::SortedMap, sorting, value::Value};
use script::program::Thread;

pub use formula::{Atom, Bound, Formula, Looked, Operand, Sum, Term};
pub use ledger::{Disorder, KeySums, Ledger, Message};

use crate::{ClientIndex, Event, EventKind, NodeIndex, Process, ProgramEvent, RequestStage, World};

/// Maximum number of properties that a world watches.
pub const PROPERTIES_MAX: usize = 32;

/// A condition that must hold at every step, or at the end, when all programs have ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// At most one thread is in a critical section.
    MutualExclusion,
    /// At most this many threads are in a section.
    AtMost {
        /// The maximum, 1 or more.
        most: u32,
        /// The section.
        section: Bytes,
    },
    /// Only the client that created a lock, its owner, may delete it, replace it or shorten its TTL; otherwise the lock must expire.
    OnlyOwnerReleases {
        /// The lock's key, in database 0.
        key: Bytes,
    },
    /// A sum equals a number, or stays within a bound.
    Sum {
        /// The terms.
        terms: Sum,
        /// The bound.
        bound: Bound,
        /// When it is checked.
        when: When,
    },
    /// If the premise is true, the claim is true.
    Claim {
        /// When it is checked.
        when: When,
        /// The premise; `None`: always true.
        premise: Option<Formula>,
        /// The claim.
        claim: Formula,
    },
    /// At the end, every client that has not crashed has been in a section.
    EveryoneGetsIn {
        /// The section.
        section: Bytes,
        /// The names of the clients in question; empty: all clients.
        clients: Vec<Bytes>,
    },
    /// No program ends normally without having been in a section. Crashes and errors do not count as ends.
    NoClientGivesUp {
        /// The section.
        section: Bytes,
    },
    /// Some client can always make progress: the explorer searches for states from which no client can.
    NoDeadlock,
    /// Every client that has not crashed can always make progress itself, no matter which clients must run first.
    EveryoneGetsOn,
    /// All conditions that programs `check` hold.
    Checks,
    /// No program fails with an error.
    NoErrors,
    /// At the end, every produced message has been processed at least once.
    NothingLost,
    /// No message is processed twice.
    ProcessedOnce,
    /// Messages are first processed in the order in which they were produced.
    InOrder,
    /// The same among messages with the same key; messages without a key are ignored.
    InOrderByKey,
}

impl Property {
    /// The node whose keys properties are about: property texts name no node.
    pub const NODE: NodeIndex = NodeIndex::FIRST;

    /// Does only a search decide whether it is broken? Events do not show what can still happen in a world.
    pub fn is_by_search(&self) -> bool {
        matches!(self, Property::NoDeadlock | Property::EveryoneGetsOn)
    }

    /// Does it name this client?
    fn names(&self, client: &str) -> bool {
        matches!(self, Property::EveryoneGetsIn { clients, .. } if is_among(client, clients))
    }
}

fn is_among(client: &str, names: &[Bytes]) -> bool {
    names.iter().any(|name| name.as_ref() == client.as_bytes())
}

/// When a sum or a claim is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// After every step.
    Always,
    /// When all programs have ended.
    End,
}

/// A thread of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientThread {
    /// The client.
    pub client: ClientIndex,
    /// Its thread.
    pub thread: Thread,
}

/// How a property was broken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Breach {
    /// A thread entered a section while another was inside.
    BothInside {
        /// The section.
        section: Bytes,
        /// The thread inside.
        first: ClientThread,
        /// The thread that entered.
        second: ClientThread,
    },
    /// A thread entered a section that already held the maximum number of threads.
    Crowd {
        /// The section.
        section: Bytes,
        /// The thread that entered.
        last: ClientThread,
        /// Number of threads inside now.
        inside: u32,
    },
    /// A client deleted, replaced or shortened another client's lock.
    ReleasedByOther {
        /// The lock's key.
        key: Bytes,
        /// The client that created the lock.
        owner: ClientIndex,
        /// The client that changed it.
        by: ClientIndex,
    },
    /// The sum is out of its bound.
    Sum {
        /// The sum.
        is: i128,
    },
    /// The claim was not true.
    Untrue,
    /// A client never entered the section.
    NeverIn {
        /// The client.
        client: ClientIndex,
    },
    /// A program ended without having entered the section.
    GaveUp {
        /// The client.
        client: ClientIndex,
    },
    /// From here on no client can make progress.
    Stuck,
    /// From here on a client never makes progress, whatever the others do.
    Starved {
        /// The client.
        client: ClientIndex,
    },
    /// A checked condition did not hold.
    Check {
        /// The client that checked it.
        client: ClientIndex,
        /// The condition's text.
        text: Bytes,
    },
    /// A program failed with an error.
    Error {
        /// The client.
        client: ClientIndex,
    },
    /// Messages were never processed.
    Lost {
        /// The first of them.
        id: Bytes,
        /// Number of unprocessed messages.
        count: u64,
    },
    /// A message was processed again.
    Repeated {
        /// The message.
        id: Bytes,
        /// The client that processed it again.
        client: ClientIndex,
    },
    /// A message was processed after one that was produced later.
    OutOfOrder {
        /// The message that was produced first.
        late: Bytes,
        /// The message that was processed first.
        early: Bytes,
    },
}

/// The watched properties and the state that they need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Watch {
    properties: Rc<Vec<Property>>,
    /// The first breach of each property.
    breaches: Vec<Option<Breach>>,
    /// The owners of the existing locks.
    owners: SortedMap<Bytes, ClientIndex>,
    tallies: SortedMap<Bytes, i64>,
    /// The state of all messages.
    pub(crate) ledger: Ledger,
}

impl Watch {
    /// The properties, each with its first breach.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Property, Option<&Breach>)> {
        self.properties.iter().zip(self.breaches.iter().map(Option::as_ref))
    }

    /// The first property that no event can break: code that shows a world must search the world for it.
    pub fn by_search(&self) -> Option<&Property> {
        self.properties.iter().find(|property| property.is_by_search())
    }

    /// Number of properties.
    pub fn len(&self) -> usize {
        self.properties.len()
    }

    /// Is no property watched?
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// The number of the first property that is broken.
    pub fn first_broken(&self) -> Option<usize> {
        self.breaches.iter().position(Option::is_some)
    }

    /// The owner of the lock at this key.
    pub fn owner(&self, key: &[u8]) -> Option<ClientIndex> {
        self.owners.get(key).copied()
    }

    /// The counters of all programs, by name.
    pub fn tallies(&self) -> impl Iterator<Item = (&Bytes, i64)> {
        self.tallies.iter().map(|(name, n)| (name, *n))
    }

    /// The total of a counter; 0 if programs never counted it.
    pub fn tally(&self, name: &[u8]) -> i64 {
        self.tallies.get(name).copied().unwrap_or(0)
    }

    /// The messages that programs have reported.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The keys of the watched locks.
    pub(crate) fn locks(&self) -> impl Iterator<Item = &Bytes> {
        self.properties.iter().filter_map(|property| match property {
            Property::OnlyOwnerReleases { key } => Some(key),
            _ => None,
        })
    }

    /// Hashes the state that programs have changed; the watched properties do not change.
    pub(crate) fn hash_canonical<H: Hasher>(&self, state: &mut H) {
        self.breaches.hash(state);
        self.owners.hash(state);
        self.tallies.hash(state);
        let is_order = |property: &Property| matches!(property, Property::InOrder | Property::InOrderByKey);
        self.ledger.hash_canonical(self.holding(is_order).next().is_some(), state);
    }

    pub(crate) fn add(&mut self, name: &Bytes, n: i64) -> i64 {
        let total = self.tally(name).saturating_add(n);
        self.tallies.insert(name.clone(), total);
        total
    }

    pub(crate) fn watch(&mut self, property: Property) {
        Rc::make_mut(&mut self.properties).push(property);
        self.breaches.push(None);
    }

    /// Does a watched property name this client?
    pub(crate) fn names(&self, client: &str) -> bool {
        self.properties.iter().any(|property| property.names(client))
    }

    pub(crate) fn contains(&self, property: &Property) -> bool {
        self.properties.contains(property)
    }

    /// The numbers of the unbroken properties of a kind.
    fn holding<'a>(&'a self, is_kind: impl Fn(&Property) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        let kinds = self.properties.iter().zip(&self.breaches).enumerate();
        kinds.filter(move |(_, (property, breach))| breach.is_none() && is_kind(property)).map(|(number, _)| number)
    }
}

impl World {
    /// The watched properties and their state.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    fn breaks(&mut self, number: usize, breach: Breach, events: &mut Vec<Event>) {
        if self.watch.breaches.get(number) == Some(&None)
            && let Some(place) = self.watch.breaches.get_mut(number)
        {
            *place = Some(breach.clone());
            self.emit(events, None, EventKind::Broken { property: number, breach });
        }
    }

    fn break_all(&mut self, is_kind: impl Fn(&Property) -> bool, breach: &Breach, events: &mut Vec<Event>) {
        let numbers: Vec<usize> = self.watch.holding(is_kind).collect();
        numbers.into_iter().for_each(|number| self.breaks(number, breach.clone(), events));
    }

    /// A thread has entered a section: checks for other threads inside.
    pub(crate) fn watch_entering(&mut self, section: &Bytes, last: ClientThread, events: &mut Vec<Event>) {
        let mut others: Vec<ClientThread> = Vec::new();
        for (client, found) in self.clients() {
            let Some(process) = found.program.as_ref() else { continue };
            let threads = process.inside().iter().filter(|(name, _)| name == section);
            others.extend(
                threads.map(|(_, thread)| ClientThread { client, thread: *thread }).filter(|place| *place != last),
            );
        }
        let Some(first) = others.first().copied() else { return };
        // A thread that has entered twice counts once.
        sorting::sort(&mut others);
        others.dedup();
        let breach = Breach::BothInside { section: section.clone(), first, second: last };
        self.break_all(|property| *property == Property::MutualExclusion, &breach, events);
        let inside = u32::try_from(others.len()).unwrap_or(u32::MAX).saturating_add(1);
        let is_crowd = |property: &Property| matches!(property, Property::AtMost { most, section: of } if of == section && *most < inside);
        let breach = Breach::Crowd { section: section.clone(), last, inside };
        self.break_all(is_crowd, &breach, events);
    }

    pub(crate) fn watch_failed_check(&mut self, client: ClientIndex, text: &Bytes, events: &mut Vec<Event>) {
        let breach = Breach::Check { client, text: text.clone() };
        self.break_all(|property| *property == Property::Checks, &breach, events);
    }

    /// A program reports a produced message.
    pub(crate) fn note_produced(&mut self, id: &Bytes, key: Option<&Bytes>, events: &mut Vec<Event>) {
        let disorders = self.watch.ledger.produce(id, key);
        self.watch_order(&disorders, events);
    }

    /// A program has processed a message, `times` times by now.
    pub(crate) fn watch_processed(
        &mut self,
        client: ClientIndex,
        id: &Bytes,
        times: u64,
        disorders: &[Disorder],
        events: &mut Vec<Event>,
    ) {
        if times > 1 {
            let breach = Breach::Repeated { id: id.clone(), client };
            self.break_all(|property| *property == Property::ProcessedOnce, &breach, events);
        }
        self.watch_order(disorders, events);
    }

    fn watch_order(&mut self, disorders: &[Disorder], events: &mut Vec<Event>) {
        for Disorder { late, early, is_of_key } in disorders {
            let breach = Breach::OutOfOrder { late: late.clone(), early: early.clone() };
            let broken = if *is_of_key { Property::InOrderByKey } else { Property::InOrder };
            self.break_all(|property| *property == broken, &breach, events);
        }
    }

    /// Follows the locks in a node's events since `from`: the client that creates a lock owns it.
    pub(crate) fn watch_keys(
        &mut self,
        node: NodeIndex,
        from: usize,
        by: Option<ClientIndex>,
        events: &mut Vec<Event>,
    ) {
        if node != Property::NODE || self.watch.locks().next().is_none() {
            return;
        }
        let changes: Vec<(Bytes, Fate)> =
            events.get(from..).unwrap_or_default().iter().flat_map(|event| self.fates(event)).collect();
        for (key, fate) in changes {
            let owner = self.watch.owner(&key);
            match (fate, by) {
                (Fate::Made | Fate::Replaced, Some(by)) => {
                    self.watch.owners.insert(key.clone(), by);
                }
                (Fate::Kept | Fate::Shortened, _) => {}
                _ if owner.is_some() => {
                    self.watch.owners.remove(&key);
                }
                _ => {}
            }
            if let (Fate::Replaced | Fate::Removed | Fate::Shortened, Some(owner), Some(by)) = (fate, owner, by)
                && owner != by
            {
                let breach = Breach::ReleasedByOther { key: key.clone(), owner, by };
                let lock = Property::OnlyOwnerReleases { key };
                self.break_all(|property| *property == lock, &breach, events);
            }
        }
    }

    /// What an event does to the watched locks.
    fn fates(&self, event: &Event) -> Vec<(Bytes, Fate)> {
        match &event.kind {
            EventKind::KeyChanged { key: (0, key), before, after } if self.is_lock(key) => {
                vec![(key.clone(), fate(before.as_ref(), after.as_ref(), event.clock_ms()))]
            }
            EventKind::KeyExpired { key: (0, key), .. } | EventKind::KeyEvicted { key: (0, key), .. }
                if self.is_lock(key) =>
            {
                vec![(key.clone(), Fate::Lapsed)]
            }
            // All locks are deleted at once.
            EventKind::Flushed { db: 0, .. }
            | EventKind::Swapped { first: 0, .. }
            | EventKind::Swapped { second: 0, .. } => {
                let there = self.watch.locks().filter(|lock| self.watch.owner(lock).is_some());
                there.map(|lock| (lock.clone(), Fate::Removed)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_lock(&self, key: &Bytes) -> bool {
        self.watch.locks().any(|lock| lock == key)
    }

    /// Checks all properties that can be checked after a step.
    pub(crate) fn watch_step(&mut self, events: &mut Vec<Event>) {
        if self.watch.is_empty() {
            return;
        }
        let failed = events.iter().find_map(|event| match &event.kind {
            EventKind::Program { client, what: ProgramEvent::Failed(_) | ProgramEvent::RanAway, .. } => Some(*client),
            EventKind::Program { client, what: ProgramEvent::Unplayable(_), .. } => Some(*client),
            _ => None,
        });
        if let Some(client) = failed {
            self.break_all(|property| *property == Property::NoErrors, &Breach::Error { client }, events);
        }
        let properties = Rc::clone(&self.watch.properties);
        for (number, property) in properties.iter().enumerate() {
            if self.watch.breaches.get(number).is_none_or(Option::is_some) {
                continue;
            }
            let breach = match property {
                // A client counts its work only after the reply has arrived.
                Property::Sum { when: When::Always, .. } | Property::Claim { when: When::Always, .. }
                    if property.is_mixed() && self.is_answering() && !self.is_end() =>
                {
                    None
                }
                Property::Sum { terms, bound, when } if *when == When::Always || self.is_end() => {
                    let is = self.sum(terms);
                    (!bound.holds(is)).then_some(Breach::Sum { is })
                }
                Property::Claim { when, premise, claim } if *when == When::Always || self.is_end() => {
                    let is_looked_at = premise.as_ref().is_none_or(|premise| formula::is_true(self, premise));
                    (is_looked_at && !formula::is_true(self, claim)).then_some(Breach::Untrue)
                }
                Property::EveryoneGetsIn { section, clients } if self.is_end() => {
                    let mut asked = self.asked(clients);
                    let missing = asked.find(|(_, process)| !process.has_been_in(section));
                    missing.map(|(client, _)| Breach::NeverIn { client })
                }
                Property::NoClientGivesUp { section } => {
                    let mut asked = self.asked(&[]);
                    let gave_up = asked.find(|(_, process)| process.is_done() && !process.has_been_in(section));
                    gave_up.map(|(client, _)| Breach::GaveUp { client })
                }
                Property::NothingLost if self.is_end() => {
                    let ledger = &self.watch.ledger;
                    ledger.first_open().map(|id| Breach::Lost { id, count: ledger.open() })
                }
                _ => None,
            };
            if let Some(breach) = breach {
                self.breaks(number, breach, events);
            }
        }
    }

    /// Is a reply in flight to any client?
    fn is_answering(&self) -> bool {
        self.network.requests.values().any(|found| matches!(found.stage, RequestStage::ToClient { .. }))
    }

    /// Have all programs ended, at least one, with no held-up message of theirs in flight?
    pub fn is_end(&self) -> bool {
        let mut programs =
            self.clients().filter_map(|(client, found)| Some((client, found.program.as_ref()?))).peekable();
        programs.peek().is_some() && programs.all(|(client, process)| process.is_over() && !self.has_held_up(client))
    }

    /// Clients with a program that have not crashed: those with these names, or all if there are no names.
    fn asked<'a>(&'a self, names: &'a [Bytes]) -> impl Iterator<Item = (ClientIndex, &'a Process)> {
        self.clients().filter_map(|(client, found)| {
            let process = found.program.as_ref()?;
            let is_asked = names.is_empty() || is_among(&found.name, names);
            (is_asked && process.condition() != crate::Condition::Crashed).then_some((client, process))
        })
    }
}

/// What happened to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It was created.
    Made,
    /// Another lock replaced it: another token, or none of its fields is left.
    Replaced,
    /// It is still the same lock.
    Kept,
    /// It is still the same lock, but expires sooner than before.
    Shortened,
    /// A command deleted it.
    Removed,
    /// It expired.
    Lapsed,
}

fn fate(before: Option<&Entry>, after: Option<&Entry>, clock_ms: u64) -> Fate {
    let before = before.filter(|entry| entry.expires_ms.is_none_or(|at_ms| at_ms >= clock_ms));
    match (before, after) {
        (None, None) => Fate::Lapsed,
        (Some(_), None) => Fate::Removed,
        (None, Some(_)) => Fate::Made,
        (Some(before), Some(after)) if !is_same_lock(&before.value, &after.value) => Fate::Replaced,
        (Some(before), Some(after)) => {
            let ends_ms = |entry: &Entry| entry.expires_ms.unwrap_or(u64::MAX);
            if ends_ms(after) < ends_ms(before) { Fate::Shortened } else { Fate::Kept }
        }
    }
}

/// A string is the same lock while it holds the same token; a hash is the same lock while one of its fields (its holders) is left.
fn is_same_lock(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::String(one), Value::String(other)) => one == other,
        (Value::Hash(one), Value::Hash(other)) => one.iter().any(|(field, _)| other.get(field).is_some()),
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
