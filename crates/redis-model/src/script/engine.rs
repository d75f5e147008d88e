//! `ScriptEngine`: what runs the scripts of the servers that it is given to.
use std::cell::RefCell;

use ::script::{Alike, Engine};

use super::rehearsal::Made;
use crate::Error;

/// What runs scripts, shared by the servers that it is given to: a machine, once there is one.
///
/// A server with an engine is still a value: a run follows from its job and from what the server answers, not from the machine.
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
    /// The attempt that is being made; see [`super::rehearsal`].
    attempt: RefCell<Option<Made>>,
}

impl ScriptEngine {
    /// With this machine.
    pub fn new(machine: impl Engine + 'static) -> ScriptEngine {
        let engine = ScriptEngine::default();
        engine.install(Box::new(machine));
        engine
    }

    /// Puts a machine in place of the one before, for all who share this.
    pub fn install(&self, machine: Box<dyn Engine>) {
        self.0.machine.replace(Some(machine));
    }

    /// Is there a machine, and is it idle?
    pub fn is_installed(&self) -> bool {
        self.0.machine.try_borrow().is_ok_and(|machine| machine.is_some())
    }

    /// Lets the machine do something.
    ///
    /// # Errors
    /// [`Error::NoMachine`] where there is none, and where it does something already.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut dyn Engine) -> R) -> Result<R, Error> {
        let mut machine = self.0.machine.try_borrow_mut().map_err(|_| Error::NoMachine)?;
        machine.as_mut().map(|machine| act(machine.as_mut())).ok_or(Error::NoMachine)
    }

    /// The attempt that is being made.
    pub(super) fn attempt_in_progress(&self) -> &RefCell<Option<Made>> {
        &self.0.attempt
    }
}
