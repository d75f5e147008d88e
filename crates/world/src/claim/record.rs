//! What of a path concerns a list of claims, noted step by step, and whether they hold at a position of it.
use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use redis_model::{Output, Server};
use resp::{Protocol, Value};

use super::{Claim, Reason};
use crate::traffic::settings::Handler;
use crate::{ClientIndex, EventKind, Happening, Input, NodeIndex, Step, World};

/// What clients have sent and heard on a path, typed or by their programs, as far as a list of claims asks for it. It must be given the
/// same claims again each time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Of each claim.
    tallies: Vec<Tally>,
    /// Where a client was first renamed, or left. From there on a name does not say who has done something.
    recast: Option<usize>,
}

/// What concerns one claim, by client, in the order of the path.
type Tally = SortedMap<ClientIndex, Vec<Note>>;

/// One client did something at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    /// Steps up to and with this one.
    position: usize,
    /// Of a reply: does it print what the claim says? A command, which ends what was heard before, does not.
    fits: bool,
}

impl Record {
    /// What concerns these claims in these steps, which are those at the positions 1, 2, 3 …
    pub fn of<'a>(claims: &[Claim], steps: impl IntoIterator<Item = &'a Step>) -> Record {
        let mut record = Record::default();
        for (before, step) in steps.into_iter().enumerate() {
            record.take(claims, before.saturating_add(1), step);
        }
        record
    }

    /// Takes the step that leads to this position, which is further on than all before.
    pub fn take(&mut self, claims: &[Claim], position: usize, step: &Step) {
        if matches!(step.input, Input::Rename { .. } | Input::Disconnect { .. }) {
            self.recast.get_or_insert(position);
        }
        self.tallies.resize_with(claims.len(), Tally::default);
        for event in &step.events {
            for (claim, tally) in claims.iter().zip(&mut self.tallies) {
                if let Some((client, fits)) = claim.note(&event.kind) {
                    tally.entry(client, Vec::new).push(Note { position, fits });
                }
            }
        }
    }

    /// Forgets what happened after this position.
    pub fn go_back(&mut self, position: usize) {
        self.recast = self.recast.filter(|at| *at <= position);
        for notes in self.tallies.iter_mut().flat_map(Tally::values_mut) {
            notes.truncate(until(notes, position).len());
        }
    }

    /// Of each claim: does it hold in this world, to which the path leads at this position? What names a client does not once clients
    /// were renamed or have left.
    pub fn holds(&self, claims: &[Claim], world: &World, position: usize) -> Vec<bool> {
        let is_recast = self.recast.is_some_and(|at| at <= position);
        let none = Tally::default();
        let tallies = self.tallies.iter().chain(std::iter::repeat(&none));
        claims
            .iter()
            .zip(tallies)
            .map(|(claim, tally)| !(is_recast && claim.client().is_some()) && claim.holds(world, tally, position))
            .collect()
    }
}

impl Claim {
    /// What an event says about it: who did something, and whether that was a reply that fits.
    fn note(&self, event: &EventKind) -> Option<(ClientIndex, bool)> {
        match (self, event) {
            (Claim::Reply { .. }, EventKind::Command { client, .. }) => Some((*client, false)),
            (Claim::Reply { prints, .. }, EventKind::Reply { client, value, protocol }) => {
                Some((*client, prints.is(value, *protocol)))
            }
            (Claim::Reply { prints, .. }, EventKind::Program { client, what: Happening::Delivered { value }, .. }) => {
                Some((*client, prints.is(value, Protocol::Resp2)))
            }
            (Claim::Closed { reasons, .. }, event) => {
                let (client, reason) = match event {
                    EventKind::Disconnected { client, reason } => (*client, *reason),
                    EventKind::Program { client, what: Happening::Deafened { reason }, .. } => (*client, Some(*reason)),
                    _ => return None,
                };
                reasons.contains(&Reason::of(reason)?).then_some((client, true))
            }
            (_, EventKind::Command { client, argv, .. }) => self.concerns(argv).then_some((*client, true)),
            _ => None,
        }
    }

    /// Is it about this command that was sent?
    fn concerns(&self, argv: &[Bytes]) -> bool {
        let is_one_of = |commands: &[Vec<Bytes>]| commands.iter().any(|head| begins_with(argv, head));
        match self {
            Claim::Ask { .. } | Claim::Reply { .. } | Claim::Closed { .. } | Claim::Traffic(_) | Claim::Handler(_) => {
                false
            }
            Claim::Count { .. } => true,
            Claim::Without { commands, .. } => is_one_of(commands),
            Claim::Sent { commands, lacks, .. } => {
                let lacks = |word: &Bytes| lacks.iter().any(|other| word.eq_ignore_ascii_case(other));
                is_one_of(commands) && !argv.iter().skip(1).any(lacks)
            }
        }
    }

    fn holds(&self, world: &World, tally: &Tally, position: usize) -> bool {
        let found = || found(world, tally, self.client(), position);
        match self {
            Claim::Ask { command, prints } => world
                .server(NodeIndex::FIRST)
                .filter(|_| world.is_up(NodeIndex::FIRST))
                .and_then(|server| ask(server, world.clock_ms(NodeIndex::FIRST), command))
                .is_some_and(|value| prints.is(&value, Protocol::Resp2)),
            Claim::Reply { client, .. } => client_of(world, client)
                .and_then(|client| until(tally.get(&client)?, position).last())
                .is_some_and(|last| last.fits),
            Claim::Count { is_most: true, commands, .. } => found() <= *commands,
            Claim::Count { is_most: false, commands, .. } => found() >= *commands,
            Claim::Without { .. } | Claim::Closed { is_closed: false, .. } => found() == 0,
            Claim::Sent { .. } | Claim::Closed { is_closed: true, .. } => found() > 0,
            Claim::Traffic(bound) => world.traffic().is_some_and(|traffic| bound.holds(traffic)),
            Claim::Handler(text) => world.traffic().is_some_and(|traffic| match &traffic.settings().handler {
                Handler::Lua(lua) => is_same_program(lua, text.as_bytes()),
                Handler::CacheAside { .. } => false,
            }),
        }
    }
}

/// How much that concerns a claim was done up to this position, by one client or by all.
fn found(world: &World, tally: &Tally, by: Option<&str>, position: usize) -> usize {
    match by {
        Some(name) => {
            client_of(world, name).and_then(|client| tally.get(&client)).map_or(0, |notes| until(notes, position).len())
        }
        None => tally.values().fold(0, |sum, notes| sum.saturating_add(until(notes, position).len())),
    }
}

/// Those up to this position.
fn until(notes: &[Note], position: usize) -> &[Note] {
    notes.get(..notes.partition_point(|note| note.position <= position)).unwrap_or_default()
}

fn client_of(world: &World, name: &str) -> Option<ClientIndex> {
    world.clients().find(|(_, client)| client.name == name).map(|(index, _)| index)
}

/// What a copy of the server answers to a connection of its own; nothing where it does not answer at once.
fn ask(server: &Server, now_ms: u64, command: &[Bytes]) -> Option<Value> {
    let mut copy = server.clone();
    let asker = copy.connect(now_ms);
    copy.handle(now_ms, asker, command.to_vec()).into_iter().find_map(|output| match output {
        Output::Reply { client, value } if client == asker => Some(value),
        _ => None,
    })
}

/// Are these the same lines, but for comments, which may be in another language, and for space around them?
fn is_same_program(one: &[u8], other: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty() && !line.starts_with(b"--"))
    }
    lines(one).eq(lines(other))
}

/// Are these its first words, in any case?
fn begins_with(argv: &[Bytes], head: &[Bytes]) -> bool {
    argv.len() >= head.len() && argv.iter().zip(head).all(|(word, other)| word.eq_ignore_ascii_case(other))
}
