//! `ScriptEngine`: the script VM that one or more servers share.
use std::cell::RefCell;

use ::script::{Alike, Engine};

use super::rehearsal::Made;
use crate::Error;

/// Runs the scripts of all servers that share it, once a script VM is installed.
///
/// A server with an engine is still a value: a run depends on its job and on the server's replies, not on the VM.
///
/// ```
/// use redis_model::{Config, ScriptEngine, Server};
///
/// let engine = ScriptEngine::default();
/// let server = Server::new(Config::default(), 0).with_engine(engine.clone());
/// assert!(!engine.is_installed(), "until there is a machine, EVAL answers an error");
/// assert_eq!(server, Server::new(Config::default(), 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScriptEngine(Alike<Inner>);

#[derive(Default)]
struct Inner {
    machine: RefCell<Option<Box<dyn Engine>>>,
    /// The current attempt; see [`super::rehearsal`].
    attempt: RefCell<Option<Made>>,
}

impl ScriptEngine {
    /// An engine with this VM.
    pub fn new(machine: impl Engine + 'static) -> ScriptEngine {
        let engine = ScriptEngine::default();
        engine.install(Box::new(machine));
        engine
    }

    /// Installs a VM in place of the previous one, for all servers that share this engine.
    pub fn install(&self, machine: Box<dyn Engine>) {
        self.0.machine.replace(Some(machine));
    }

    /// Is a VM installed and idle?
    pub fn is_installed(&self) -> bool {
        self.0.machine.try_borrow().is_ok_and(|machine| machine.is_some())
    }

    /// Calls `act` with the VM.
    ///
    /// # Errors
    /// [`Error::NoMachine`] if no VM is installed or it is already in use.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut dyn Engine) -> R) -> Result<R, Error> {
        let mut machine = self.0.machine.try_borrow_mut().map_err(|_| Error::NoMachine)?;
        machine.as_mut().map(|machine| act(machine.as_mut())).ok_or(Error::NoMachine)
    }

    /// The current attempt.
    pub(super) fn attempt_in_progress(&self) -> &RefCell<Option<Made>> {
        &self.0.attempt
    }
}
