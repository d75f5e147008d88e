//! `ScriptEngine`: what runs the scripts of the servers that it is given to.
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use ::script::Engine;

use super::rehearsal::Made;
use crate::Error;

/// What runs scripts, shared by the servers that it is given to: a machine, once there is one.
///
/// All are equal and hash alike: a run is a function of its job and of what the server answers, whichever machine runs it. So a server
/// with an engine is still a value.
///
/// ```
/// use redis_model::{Config, ScriptEngine, Server};
///
/// let engine = ScriptEngine::default();
/// let server = Server::new(Config::default(), 0).with_engine(engine.clone());
/// assert!(!engine.is_installed(), "until there is a machine, EVAL answers an error");
/// assert_eq!(server, Server::new(Config::default(), 0));
/// ```
#[derive(Clone, Default)]
pub struct ScriptEngine(Rc<Inner>);

#[derive(Default)]
struct Inner {
    machine: RefCell<Option<Box<dyn Engine>>>,
    /// The attempt that is being made; see [`super::rehearsal`].
    attempt: RefCell<Option<Made>>,
}

impl PartialEq for ScriptEngine {
    fn eq(&self, _: &ScriptEngine) -> bool {
        true
    }
}

impl Eq for ScriptEngine {}

impl Hash for ScriptEngine {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for ScriptEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_installed() { "ScriptEngine(installed)" } else { "ScriptEngine(none)" })
    }
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
