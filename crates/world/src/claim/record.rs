//! `Record`: what is relevant to a list of claims on a path, noted step by step, and whether the claims hold at a position.
use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use redis_model::{Output, Server};
use resp::{Protocol, Value};

use super::{Claim, Reason};
use crate::traffic::Traffic;
use crate::traffic::settings::Handler;
use crate::{ClientIndex, EventKind, Input, NodeIndex, ProgramEvent, Step, World};

/// What clients sent and received on a path, typed or by their programs, as far as a list of claims needs it. Every call must pass the same
/// claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// One tally per claim.
    tallies: Vec<Tally>,
    /// Position at which a client was first renamed or left. After it, a name no longer identifies who did something.
    recast: Option<usize>,
}

/// The notes of one claim, by client, in path order.
type Tally = SortedMap<ClientIndex, Vec<Note>>;

/// One client did something at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    /// Number of steps up to and including this one.
    position: usize,
    /// For a reply: does it print what the claim says? `false` for a command, which ends the previous reply.
    fits: bool,
}

impl Record {
    /// The record of these steps, which are at positions 1, 2, 3 …
    pub fn of<'a>(claims: &[Claim], steps: impl IntoIterator<Item = &'a Step>) -> Record {
        let mut record = Record::default();
        for (before, step) in steps.into_iter().enumerate() {
            record.take(claims, before.saturating_add(1), step);
        }
        record
    }

    /// Takes the step that leads to this position, which must be greater than all before.
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

    /// For each claim: does it hold in this scene, usually a world, which the path reaches at this position? A claim that names a client
    /// fails once any client was renamed or has left.
    pub fn holds(&self, claims: &[Claim], scene: &dyn Scene, position: usize) -> Vec<bool> {
        let is_recast = self.recast.is_some_and(|at| at <= position);
        let none = Tally::default();
        let tallies = self.tallies.iter().chain(std::iter::repeat(&none));
        claims
            .iter()
            .zip(tallies)
            .map(|(claim, tally)| !(is_recast && claim.client().is_some()) && claim.holds(scene, tally, position))
            .collect()
    }
}

impl Claim {
    /// What an event adds to the claim: the client, and whether it was a matching reply.
    fn note(&self, event: &EventKind) -> Option<(ClientIndex, bool)> {
        match (self, event) {
            (Claim::Reply { .. }, EventKind::Command { client, .. }) => Some((*client, false)),
            (Claim::Reply { prints, .. }, EventKind::Reply { client, value, protocol }) => {
                Some((*client, prints.is(value, *protocol)))
            }
            (
                Claim::Reply { prints, .. },
                EventKind::Program { client, what: ProgramEvent::Delivered { value }, .. },
            ) => Some((*client, prints.is(value, Protocol::Resp2))),
            (Claim::Closed { reasons, .. }, event) => {
                let (client, reason) = match event {
                    EventKind::Disconnected { client, reason } => (*client, *reason),
                    EventKind::Program { client, what: ProgramEvent::Deafened { reason }, .. } => {
                        (*client, Some(*reason))
                    }
                    _ => return None,
                };
                reasons.contains(&Reason::of(reason)?).then_some((client, true))
            }
            (_, EventKind::Command { client, argv, .. }) => self.concerns(argv).then_some((*client, true)),
            _ => None,
        }
    }

    /// Does the claim concern this command?
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

    fn holds(&self, scene: &dyn Scene, tally: &Tally, position: usize) -> bool {
        let found = || found(scene, tally, self.client(), position);
        match self {
            Claim::Ask { command, prints } => {
                scene.ask(command).is_some_and(|value| prints.is(&value, Protocol::Resp2))
            }
            Claim::Reply { client, .. } => scene
                .client(client)
                .and_then(|client| until(tally.get(&client)?, position).last())
                .is_some_and(|last| last.fits),
            Claim::Count { is_most: true, commands, .. } => found() <= *commands,
            Claim::Count { is_most: false, commands, .. } => found() >= *commands,
            Claim::Without { .. } | Claim::Closed { is_closed: false, .. } => found() == 0,
            Claim::Sent { .. } | Claim::Closed { is_closed: true, .. } => found() > 0,
            Claim::Traffic(bound) => scene.traffic().is_some_and(|traffic| bound.holds(traffic)),
            Claim::Handler(text) => scene.traffic().is_some_and(|traffic| match &traffic.settings().handler {
                Handler::Lua(lua) => is_same_program(lua, text.as_bytes()),
                Handler::CacheAside { .. } => false,
            }),
        }
    }
}

/// How many relevant things one client, or all clients, did up to this position.
fn found(scene: &dyn Scene, tally: &Tally, by: Option<&str>, position: usize) -> usize {
    match by {
        Some(name) => {
            scene.client(name).and_then(|client| tally.get(&client)).map_or(0, |notes| until(notes, position).len())
        }
        None => tally.values().fold(0, |sum, notes| sum.saturating_add(until(notes, position).len())),
    }
}

/// The notes up to this position.
fn until(notes: &[Note], position: usize) -> &[Note] {
    notes.get(..notes.partition_point(|note| note.position <= position)).unwrap_or_default()
}

/// What claims are evaluated on: a world, or a real server behind the same commands.
pub trait Scene {
    /// The reply to a command that only reads, on a new connection in RESP2; `None` if the server does not reply at once.
    fn ask(&self, command: &[Bytes]) -> Option<Value>;

    /// The client of this name.
    fn client(&self, name: &str) -> Option<ClientIndex>;

    /// The running traffic.
    fn traffic(&self) -> Option<&Traffic>;
}

impl Scene for World {
    fn ask(&self, command: &[Bytes]) -> Option<Value> {
        let server = self.server(NodeIndex::FIRST).filter(|_| self.is_up(NodeIndex::FIRST))?;
        ask(server, self.clock_ms(NodeIndex::FIRST), command)
    }

    fn client(&self, name: &str) -> Option<ClientIndex> {
        self.clients().find(|(_, client)| *client.name == *name).map(|(index, _)| index)
    }

    fn traffic(&self) -> Option<&Traffic> {
        World::traffic(self)
    }
}

/// What a copy of the server replies on a new connection; `None` if it does not reply at once.
fn ask(server: &Server, now_ms: u64, command: &[Bytes]) -> Option<Value> {
    let mut copy = server.clone();
    let asker = copy.connect(now_ms);
    copy.handle(now_ms, asker, command.to_vec()).into_iter().find_map(|output| match output {
        Output::Reply { client, value } if client == asker => Some(value),
        _ => None,
    })
}

/// Are the lines the same, ignoring comments (which may be in another language) and space around lines?
fn is_same_program(one: &[u8], other: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty() && !line.starts_with(b"--"))
    }
    lines(one).eq(lines(other))
}

/// Does the command begin with these words, in any case?
fn begins_with(argv: &[Bytes], head: &[Bytes]) -> bool {
    argv.len() >= head.len() && argv.iter().zip(head).all(|(word, other)| word.eq_ignore_ascii_case(other))
}
