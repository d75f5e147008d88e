//! What an action needs before it can be performed: chunks of the program, the machine that runs scripts, and a table that takes long to
//! fill.
use bytes::Bytes;
use redis_model::command;
use world::{ClientIndex, Input, World};

use super::assets::{self, Chunk};
use super::{items, machine};
use crate::state::notices::NoticeText;
use crate::state::session::{Session, SessionAction};

/// What an action needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The machine that runs scripts.
    machine: bool,
    /// Rarely used commands.
    commands: bool,
    /// Databases.
    table: bool,
    /// What lets time pass in traffic.
    stretch: bool,
    /// The table of traffic with this number of items.
    items: Option<u32>,
}

impl Needs {
    /// What scripts and programs need. They can call any command. A session with databases or several nodes has their chunks.
    pub const MACHINE: Needs = Needs { machine: true, commands: true, table: false, stretch: false, items: None };

    /// What this action needs in this session.
    pub fn of(session: &Session, action: &SessionAction) -> Needs {
        let needs = Needs::of_input(session, action);
        // Any action in a session with traffic can let its time pass.
        Needs { stretch: needs.stretch || session.world().traffic().is_some(), ..needs }
    }

    fn of_input(session: &Session, action: &SessionAction) -> Needs {
        match action {
            SessionAction::Push { input: Input::Command { client, argv }, .. } => {
                Needs::of_command(session.world(), *client, argv)
            }
            SessionAction::Push { input: input @ Input::Traffic { .. }, .. }
            | SessionAction::Story(input @ Input::Traffic { .. }) => {
                // A handler can call any command.
                Needs { commands: true, stretch: true, items: session.world().items_to_fill(input), ..Needs::default() }
            }
            _ => Needs::default(),
        }
    }

    /// What a command or statement needs. A transaction can call any command.
    fn of_command(world: &World, client: ClientIndex, argv: &[Bytes]) -> Needs {
        if world.needs_machine(client, argv) {
            return Needs::MACHINE;
        }
        let is_statement = || world.client(client).is_some_and(|client| world.table(client.node).is_some());
        let is_in_multi = || world.connection(client).is_some_and(|connection| connection.multi.is_some());
        let is_deferred = || {
            let address = command::find(argv).ok().and_then(|row| row.run.address());
            address.and_then(assets::missing_chunk).is_some()
        };
        Needs { commands: is_in_multi() || is_deferred(), table: is_statement(), ..Needs::default() }
    }

    /// The chunks needed. What is shown while a script runs is in [`Chunk::Rest`].
    fn chunks(self) -> impl Iterator<Item = Chunk> + Clone {
        let commands = self.commands.then_some(Chunk::COMMANDS);
        let rest = self.machine.then_some(Chunk::Rest);
        let others = [(self.table, Chunk::Table), (self.stretch, Chunk::Stretch)];
        let others = others.into_iter().filter_map(|(is_needed, chunk)| is_needed.then_some(chunk));
        commands.into_iter().flatten().chain(rest).chain(others)
    }

    /// Whether everything needed is there.
    pub fn are_here(self) -> bool {
        self.chunks().all(Chunk::is_here) && (!self.machine || machine::is_here()) && self.items.is_none()
    }

    /// Loads everything needed, and fills the table. If the network fails, the page shows it and tries again.
    ///
    /// # Errors
    /// The notice that the machine cannot be fetched.
    pub async fn fetch(self) -> Result<(), NoticeText> {
        assets::ready(self.chunks()).await;
        if self.machine && machine::ready().await.is_err() {
            return Err(NoticeText::NoMachine);
        }
        if let Some(items) = self.items {
            items::fill(items).await;
        }
        Ok(())
    }
}
