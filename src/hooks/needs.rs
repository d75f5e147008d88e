//! The code that an action needs before it can be performed: chunks of the program, and the machine that runs scripts.
use bytes::Bytes;
use redis_model::command;
use world::{ClientIndex, Input, World};

use super::{assets, machine};
use crate::state::notices::NoticeText;
use crate::state::session::{Session, SessionAction};

/// What an action needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The machine that runs scripts.
    machine: bool,
    /// All chunks of the program.
    whole: bool,
}

impl Needs {
    /// What scripts and programs need. They can call commands of any chunk.
    pub const MACHINE: Needs = Needs { machine: true, whole: true };

    /// What this action needs in this session.
    pub fn of(session: &Session, action: &SessionAction) -> Needs {
        match action {
            SessionAction::Push { input: Input::Command { client, argv }, .. } => {
                Needs::of_command(session.world(), *client, argv)
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
        Needs { machine: false, whole: is_statement() || is_in_multi() || is_deferred() }
    }

    /// Whether everything needed is loaded.
    pub fn are_here(self) -> bool {
        (!self.whole || assets::is_whole()) && (!self.machine || machine::is_here())
    }

    /// Loads everything needed. If the network fails, the page shows it and tries again.
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
        Ok(())
    }
}
