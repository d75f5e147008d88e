//! What a search assumes to keep its state space small, and whether each step respects it. When a step breaks an assumption, the search
//! restarts without it, so its verdict holds without any assumption.
//!
//! ```text
//!   assumed                                   until
//!   worlds at different times are alike       a program reads a clock: now(), TIME, XADD *, EXPIREAT …
//!   fresh clients of one program are alike    a program drew a uuid(), and texts are sorted, cut or taken apart; or a program
//!                                             asks for the number of its connection
//!   numbers of connections do not matter      the same
//! ```
//! This is enough: as long as no step of a search breaks an assumption, the states that were left out for it behave like those that were
//! visited, and break it no earlier.
use std::collections::BTreeSet;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::blind;
use crate::{ClientIndex, Condition, Event, EventKind, Faults, NodeIndex, Process, ProgramEvent, World, node};

/// Commands for which the traits are cached. Most searches send a few dozen.
const COMMANDS_MAX: usize = 10_000;

/// The traits of a command that an assumption may depend on.
#[derive(Clone, Copy, Debug)]
struct Traits {
    reads_time: bool,
    tells_clients_apart: bool,
    treats_texts_alike: bool,
}

/// The traits of a statement to a database, which sorts rows by their keys.
fn of_statement(world: &World, at: NodeIndex, argv: &[Bytes]) -> Traits {
    let statement = node::table::bound(argv).unwrap_or_default();
    Traits {
        reads_time: world.table(at).is_some_and(|database| database.tells_time(&statement)),
        tells_clients_apart: table::tells_connections_apart(&statement),
        treats_texts_alike: false,
    }
}

/// What a search assumes.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    /// Clients that read clocks: while one of them can run, worlds at different times differ.
    clocks: BTreeSet<ClientIndex>,
    /// May fresh clients of one program differ after all?
    is_distinct: bool,
    /// Has a program asked for the number of its connection? Then the order and number of opened connections matter.
    sees_connections: bool,
    /// Has a program drawn a unique text?
    has_drawn: bool,
    /// Do all programs treat all texts alike?
    is_blind: bool,
    /// The traits of each command sent so far, so that each is parsed once.
    commands: FxHashMap<Vec<Bytes>, Traits>,
}

impl Assumed {
    /// What is assumed about all successors of this world.
    pub(super) fn of(world: &World) -> Assumed {
        let mut texts: Vec<&Bytes> =
            world.clients().filter_map(|(_, found)| Some(found.program.as_ref()?.text())).collect();
        texts.dedup();
        let is_blind = texts.into_iter().all(|text| blind::is_blind(text));
        let mut assumed = Assumed {
            clocks: BTreeSet::new(),
            is_distinct: false,
            sees_connections: false,
            has_drawn: false,
            is_blind,
            commands: FxHashMap::default(),
        };
        for (client, _) in world.clients() {
            assumed.is_broken_by(world, Some(client), &[]);
        }
        assumed
    }

    /// Are fresh clients of one program alike?
    pub(super) fn is_symmetric(&self) -> bool {
        !self.is_distinct
    }

    /// Do the numbers of connections matter?
    pub(super) fn sees_connections(&self) -> bool {
        self.sees_connections
    }

    /// Could a program notice in which order threads and `connect` open their connections? (A program can tell when its client opens its
    /// own.)
    pub(super) fn tells_orders_of_connections(&self, world: &World) -> bool {
        let may_open = |process: &Process| process.thread_count() > 1 || process.may_connect();
        self.sees_connections && world.clients().any(|(_, found)| found.program.as_ref().is_some_and(may_open))
    }

    /// Does the time matter in this world with these faults left? A crashed client may be restarted, and a message in flight may read the
    /// time when it arrives.
    pub(super) fn knows_time(&self, world: &World, faults: Faults) -> bool {
        let starts_again = |process: &Process| faults.restarts > 0 && process.condition() == Condition::Crashed;
        let goes_on = |client: &ClientIndex| {
            let is_left = |process: &Process| !process.is_over() || starts_again(process);
            world.process(*client).is_some_and(is_left) || world.has_held_up(*client)
        };
        self.clocks.iter().any(goes_on)
    }

    /// Notes what a client's step did that led to this world. Returns whether it broke an assumption.
    pub(super) fn is_broken_by(&mut self, world: &World, by: Option<ClientIndex>, events: &[Event]) -> bool {
        let mut is_broken = false;
        if let Some((client, process)) = by.and_then(|client| Some((client, world.process(client)?))) {
            is_broken |= process.has_read_clock() && self.clocks.insert(client);
            self.has_drawn |= process.has_drawn_text();
        }
        let sent = events.iter().filter_map(|event| match &event.kind {
            EventKind::Program { client, what: ProgramEvent::Sent { argv }, .. } => {
                Some((*client, event.node, argv.as_slice()))
            }
            _ => None,
        });
        for (client, node, argv) in sent {
            let traits = match node.filter(|node| world.table(*node).is_some()) {
                Some(node) => of_statement(world, node, argv),
                None => self.traits(argv),
            };
            is_broken |= traits.reads_time && self.clocks.insert(client);
            let is_seen = self.has_drawn && !traits.treats_texts_alike;
            let tells_apart = traits.tells_clients_apart;
            if !self.is_distinct && (is_seen || tells_apart) || !self.sees_connections && tells_apart {
                is_broken = true;
                self.is_distinct = true;
                self.sees_connections |= tells_apart;
            }
        }
        if self.has_drawn && !self.is_blind && !self.is_distinct {
            (self.is_distinct, is_broken) = (true, true);
        }
        is_broken
    }

    fn traits(&mut self, argv: &[Bytes]) -> Traits {
        if let Some(known) = self.commands.get(argv) {
            return *known;
        }
        let traits = Traits {
            reads_time: blind::reads_time(argv),
            tells_clients_apart: blind::tells_clients_apart(argv),
            treats_texts_alike: blind::treats_texts_alike(argv),
        };
        if self.commands.len() >= COMMANDS_MAX {
            self.commands.clear();
        }
        self.commands.insert(argv.to_vec(), traits);
        traits
    }
}
