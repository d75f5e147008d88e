//! What an action needs before it can be performed: chunks of the program, the machine that runs scripts, and a table that takes long to
//! fill.
use bytes::Bytes;
use redis_model::command;
use world::{ClientIndex, Input, World};

use super::{assets, items, machine};
use crate::state::notices::NoticeText;
use crate::state::session::{Session, SessionAction};

/// What an action needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The machine that runs scripts.
    machine: bool,
    /// All chunks of the program.
    whole: bool,
    /// The table of traffic with this number of items.
    items: Option<u32>,
}

impl Needs {
    /// What scripts and programs need. They can call commands of any chunk.
    pub const MACHINE: Needs = Needs { machine: true, whole: true, items: None };

    /// What this action needs in this session.
    pub fn of(session: &Session, action: &SessionAction) -> Needs {
        match action {
            SessionAction::Push { input: Input::Command { client, argv }, .. } => {
                Needs::of_command(session.world(), *client, argv)
            }
            SessionAction::Push { input: input @ Input::Traffic { .. }, .. }
            | SessionAction::Story(input @ Input::Traffic { .. }) => {
                Needs { items: session.world().items_to_fill(input), ..Needs::default() }
            }
            _ => Needs::default(),
        }
    }

    /// What a command or statement needs. A transaction can call commands of any chunk.
    fn of_command(world: &World, client: ClientIndex, argv: &[Bytes]) -> Needs {
        if world.needs_machine(client, argv) {
            return Needs::MACHINE;
        }
        let is_statement = || world.client(client).is_some_and(|client| world.table(client.node).is_some());
        let is_in_multi = || world.connection(client).is_some_and(|connection| connection.multi.is_some());
        let is_deferred = || {
            let address = command::find(argv).ok().and_then(|row| row.run.address());
            address.is_some_and(assets::is_deferred)
        };
        Needs { whole: is_statement() || is_in_multi() || is_deferred(), ..Needs::default() }
    }

    /// Whether everything needed is there.
    pub fn are_here(self) -> bool {
        (!self.whole || assets::is_whole()) && (!self.machine || machine::is_here()) && self.items.is_none()
    }

    /// Loads everything needed, and fills the table. If the network fails, the page shows it and tries again.
    ///
    /// # Errors
    /// The notice that the machine cannot be fetched.
    pub async fn fetch(self) -> Result<(), NoticeText> {
        if self.whole {
            assets::whole().await;
        }
        if self.machine && machine::ready().await.is_err() {
            return Err(NoticeText::NoMachine);
        }
        if let Some(items) = self.items {
            items::fill(items).await;
        }
        Ok(())
    }
}
