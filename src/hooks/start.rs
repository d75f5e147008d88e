//! The session that the page starts with: that of a link, this tab's, or a new one. If one cannot be opened, the next is.
use std::rc::Rc;

use world::timeline::TextError;
use world::{Settings, StepError, Timeline};

use super::link::{self, LinkFault};
use super::read::read;
use super::session_store::{self, SessionSlot};
use super::{assets, machine};
use crate::i18n::Lang;
use crate::state::notices::{FixedText, NoticeKind, NoticeText};
use crate::state::session::Session;

/// The session that the application starts with.
#[derive(Clone, Debug)]
pub struct Start {
    /// The storage location of the session.
    pub place: SessionSlot,
    /// The session to show.
    pub session: Rc<Session>,
    /// Whether the clock runs at start.
    pub is_running: bool,
    /// Notice for the reader, if any.
    pub said: Option<NoticeText>,
}

impl PartialEq for Start {
    fn eq(&self, other: &Start) -> bool {
        Rc::ptr_eq(&self.session, &other.session)
    }
}

/// Notice for a link that was truncated or changed in transit.
const BROKEN_LINK: NoticeText = NoticeText::FixedText(NoticeKind::Warning, FixedText(Lang::notice_link_broken));

/// Opens a session in the sandbox, or in a lesson (with the store and initial session of the lesson).
pub async fn start(prefix: &str, stage: Option<&Session>) -> Start {
    let found = session_store::find(prefix).await;
    let mut start = match link::text_in_address().await {
        Some(linked) => {
            let opened = match linked {
                Ok(text) => {
                    open(&text).await.map_err(|said| if said == NoticeText::NotASession { BROKEN_LINK } else { said })
                }
                Err(LinkFault::Unreadable) => Err(BROKEN_LINK),
                Err(fault) => Err(said_of_link(fault)),
            };
            if !matches!(opened, Err(NoticeText::NoMachine)) {
                // Without the machine the link stays, so that a reload tries again.
                link::clear_rest();
            }
            match opened {
                // The linked session never replaces this tab's session: it gets a new location.
                Ok(session) => {
                    let steps = session.stops().len() as u64;
                    let place = found.place.another().await;
                    Start {
                        place,
                        session: Rc::new(session),
                        is_running: false,
                        said: Some(NoticeText::SessionOpened(steps)),
                    }
                }
                Err(said) => Start { said: Some(said), ..from_store(found, stage).await },
            }
        }
        None => from_store(found, stage).await,
    };
    if let Some(stage) = stage {
        start.session = Rc::new(Session::clone(&start.session).on_stage_of(stage));
    }
    if !start.session.timeline().is_at_end() {
        // The cursor was in the past, so the clock stays stopped.
        start.is_running = false;
    }
    if start.said != Some(NoticeText::NoMachine) {
        // Without the machine this tab keeps its claim on the session that cannot be replayed now, so that a reload opens it.
        session_store::claim(&start.place);
    }
    start
}

async fn from_store(found: session_store::OpenedSession, stage: Option<&Session>) -> Start {
    // In a lesson the clock does not run by itself: the learner decides each step.
    let fresh = |place, said| {
        let session = stage.cloned().unwrap_or_else(|| Session::fresh(Settings::default(), &machine::engines()));
        Start { place, session: Rc::new(session), is_running: stage.is_none(), said }
    };
    let Some(text) = found.text else { return fresh(found.place, None) };
    match open(&text).await {
        Ok(session) => {
            Start { place: found.place, session: Rc::new(session), is_running: found.was_running, said: None }
        }
        // Its scripts cannot be replayed without the machine. It stays stored and can be opened later.
        Err(NoticeText::NoMachine) => fresh(found.place.another().await, Some(NoticeText::NoMachine)),
        Err(_) => {
            // The new session gets another location, so that the unreadable text is never overwritten.
            let said = if session_store::set_aside(&found.place, &text).is_ok() {
                NoticeText::SetAside
            } else {
                NoticeText::NotStored
            };
            fresh(found.place.another().await, Some(said))
        }
    }
}

/// Reads a session from untrusted text.
///
/// # Errors
/// The notice for the reader: why the text cannot be opened.
pub async fn open(text: &str) -> Result<Session, NoticeText> {
    // A session may use any chunk of the program.
    assets::whole().await;
    if Timeline::text_needs_machine(text) && machine::ready().await.is_err() {
        return Err(NoticeText::NoMachine);
    }
    let opened = read(text).await;
    opened.map(Session::of).map_err(|error| match error {
        TextError::BadStep { why: why @ (StepError::NoPlayer | StepError::NoMachine), .. } => NoticeText::Refused(why),
        TextError::NewerVersion { .. } => NoticeText::NewerVersion,
        TextError::TooLarge => NoticeText::TooLarge,
        TextError::Foreign | TextError::Truncated | TextError::BadLine { .. } | TextError::BadStep { .. } => {
            NoticeText::NotASession
        }
    })
}

/// The notice for a faulty link.
pub fn said_of_link(fault: LinkFault) -> NoticeText {
    match fault {
        LinkFault::Unreadable => NoticeText::NotASession,
        LinkFault::TooLarge => NoticeText::TooLarge,
    }
}
