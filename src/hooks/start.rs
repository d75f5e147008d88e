//! What the page starts with: a link, this tab's session, or a fresh one. Whatever goes wrong, something opens.
use std::rc::Rc;

use world::timeline::TextError;
use world::{Settings, Timeline};

use super::link::{self, LinkFault};
use super::machine;
use super::shelf::{self, Place};
use crate::state::notices::Said;
use crate::state::session::Session;

/// Everything that the application needs to start.
#[derive(Clone, Debug)]
pub struct Start {
    /// Where the session is kept.
    pub place: Place,
    /// The session.
    pub session: Rc<Session>,
    /// Whether the clock runs.
    pub is_running: bool,
    /// What the reader has to know.
    pub said: Option<Said>,
}

impl PartialEq for Start {
    fn eq(&self, other: &Start) -> bool {
        Rc::ptr_eq(&self.session, &other.session)
    }
}

/// Opens what there is to open.
pub async fn start() -> Start {
    let found = shelf::find().await;
    let mut start = match link::text_of(&link::current_fragment()).await {
        Some(linked) => {
            // A link never replaces what this tab had: it gets a place of its own.
            link::clear_fragment();
            let opened = match linked {
                Ok(text) => open(&text).await,
                Err(fault) => Err(said_of_link(fault)),
            };
            match opened {
                Ok(session) => {
                    let place = shelf::new_place(Rc::clone(&found.place.me)).await;
                    let steps = session.moments().len() as u64;
                    Start {
                        place,
                        session: Rc::new(session),
                        is_running: false,
                        said: Some(Said::SessionOpened(steps)),
                    }
                }
                Err(said) => Start { said: Some(said), ..from_shelf(found).await },
            }
        }
        None => from_shelf(found).await,
    };
    if !start.session.timeline().is_at_end() {
        // Somebody was looking at the past: it stays still.
        start.is_running = false;
    }
    shelf::claim(&start.place);
    start
}

async fn from_shelf(found: shelf::Found) -> Start {
    let fresh = || Rc::new(Session::fresh(Settings::default()));
    let Some(text) = found.text else {
        return Start { place: found.place, session: fresh(), is_running: true, said: None };
    };
    match open(&text).await {
        Ok(session) => {
            Start { place: found.place, session: Rc::new(session), is_running: found.was_running, said: None }
        }
        Err(Said::NoMachine) => {
            // Its scripts cannot be replayed now. It stays where it is and can be opened when they can.
            let place = shelf::new_place(Rc::clone(&found.place.me)).await;
            Start { place, session: fresh(), is_running: true, said: Some(Said::NoMachine) }
        }
        Err(_) => {
            // The fresh session gets another place: whatever happens, the unreadable text is not written over.
            let said = if shelf::set_aside(&found.place, &text).is_ok() { Said::SetAside } else { Said::NotStored };
            let place = shelf::new_place(Rc::clone(&found.place.me)).await;
            Start { place, session: fresh(), is_running: true, said: Some(said) }
        }
    }
}

/// A session from text of any origin, or what to tell the reader.
///
/// # Errors
/// What the reader has to know.
pub async fn open(text: &str) -> Result<Session, Said> {
    if Timeline::text_needs_machine(text) && machine::ready().await.is_err() {
        return Err(Said::NoMachine);
    }
    shelf::read_text(text).map(Session::of).map_err(|error| match error {
        TextError::FromTheFuture { .. } => Said::FromTheFuture,
        TextError::TooLarge => Said::TooLarge,
        TextError::Foreign | TextError::Truncated | TextError::BadLine { .. } | TextError::BadStep { .. } => {
            Said::NotASession
        }
    })
}

/// What to tell about a link.
pub fn said_of_link(fault: LinkFault) -> Said {
    match fault {
        LinkFault::Unreadable => Said::NotASession,
        LinkFault::TooLarge => Said::TooLarge,
    }
}
