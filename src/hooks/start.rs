//! What the page starts with: a link, this tab's session, or a fresh one. Whatever goes wrong, something opens.
use std::rc::Rc;

use world::timeline::TextError;
use world::{Settings, StepError, Timeline};

use super::link::{self, LinkFault};
use super::read::read;
use super::shelf::{self, Place};
use super::{assets, machine};
use crate::i18n::Lang;
use crate::state::notices::{NoticeKind, Said, Words};
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

/// What is said of a link that was cut or changed on its way.
const BROKEN_LINK: Said = Said::Words(NoticeKind::Warning, Words(Lang::notice_link_broken));

/// Opens what there is to open: in the sandbox, or on the stage of a lesson (its shelf, and how it begins).
pub async fn start(shelf: &str, stage: Option<&Session>) -> Start {
    let found = shelf::find(shelf).await;
    let mut start = match link::text_in_address().await {
        Some(linked) => {
            let opened = match linked {
                Ok(text) => {
                    open(&text).await.map_err(|said| if said == Said::NotASession { BROKEN_LINK } else { said })
                }
                Err(LinkFault::Unreadable) => Err(BROKEN_LINK),
                Err(fault) => Err(said_of_link(fault)),
            };
            if !matches!(opened, Err(Said::NoMachine)) {
                // Otherwise a reload tries again.
                link::clear_rest();
            }
            match opened {
                // It never replaces what this tab had: it gets a place of its own.
                Ok(session) => {
                    let steps = session.moments().len() as u64;
                    let place = found.place.another().await;
                    Start {
                        place,
                        session: Rc::new(session),
                        is_running: false,
                        said: Some(Said::SessionOpened(steps)),
                    }
                }
                Err(said) => Start { said: Some(said), ..from_shelf(found, stage).await },
            }
        }
        None => from_shelf(found, stage).await,
    };
    if let Some(stage) = stage {
        start.session = Rc::new(Session::clone(&start.session).on_stage_of(stage));
    }
    if !start.session.timeline().is_at_end() {
        // Somebody was looking at the past: it stays still.
        start.is_running = false;
    }
    if start.said != Some(Said::NoMachine) {
        // Otherwise this tab still means the session that cannot be played now, and a reload opens it.
        shelf::claim(&start.place);
    }
    start
}

async fn from_shelf(found: shelf::Found, stage: Option<&Session>) -> Start {
    // In a lesson nothing happens by itself: the learner says what is next.
    let fresh = |place, said| {
        let session = stage.cloned().unwrap_or_else(|| Session::fresh(Settings::default(), &machine::engines()));
        Start { place, session: Rc::new(session), is_running: stage.is_none(), said }
    };
    let Some(text) = found.text else { return fresh(found.place, None) };
    match open(&text).await {
        Ok(session) => {
            Start { place: found.place, session: Rc::new(session), is_running: found.was_running, said: None }
        }
        // Its scripts cannot be replayed now. It stays where it is and can be opened when they can.
        Err(Said::NoMachine) => fresh(found.place.another().await, Some(Said::NoMachine)),
        Err(_) => {
            // The fresh session gets another place: whatever happens, the unreadable text is not written over.
            let said = if shelf::set_aside(&found.place, &text).is_ok() { Said::SetAside } else { Said::NotStored };
            fresh(found.place.another().await, Some(said))
        }
    }
}

/// A session from text of any origin, or what to tell the reader.
///
/// # Errors
/// What the reader has to know.
pub async fn open(text: &str) -> Result<Session, Said> {
    // A session may hold anything.
    assets::whole().await;
    if Timeline::text_needs_machine(text) && machine::ready().await.is_err() {
        return Err(Said::NoMachine);
    }
    let opened = read(text).await;
    opened.map(Session::of).map_err(|error| match error {
        TextError::BadStep { why: why @ (StepError::NoPlayer | StepError::NoMachine), .. } => Said::Refused(why),
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
