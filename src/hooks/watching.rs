//! Subscriptions to parts of the session: a component is rendered again only when a part that it shows has changed.
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use yew::prelude::*;

use super::SessionHandle;
use super::derived::Derived;
use super::preferences::missing;

/// A part of the session that changes independently of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionPart {
    /// The steps, the position of the cursor, whether it is known to be a deadlock, and which order of steps decides.
    Steps,
    /// The active client.
    Active,
    /// The inspected key.
    Look,
    /// Whether the clock runs.
    Running,
    /// Commands typed ahead for blocked clients, and refused inputs.
    Waiting,
    /// The notes of the terminals.
    Notes,
}

impl SessionPart {
    /// All parts.
    pub const ALL: &'static [SessionPart] = &[
        SessionPart::Steps,
        SessionPart::Active,
        SessionPart::Look,
        SessionPart::Running,
        SessionPart::Waiting,
        SessionPart::Notes,
    ];

    /// Whether this part differs between two handles.
    fn has_changed(self, before: &SessionHandle, now: &SessionHandle) -> bool {
        match self {
            SessionPart::Steps => {
                before.revision() != now.revision()
                    || before.is_dead_lock() != now.is_dead_lock()
                    || before.decisive() != now.decisive()
            }
            SessionPart::Active => before.active() != now.active(),
            SessionPart::Look => {
                before.choices() != now.choices()
                    || before.is_pinned() != now.is_pinned()
                    || before.selected() != now.selected()
            }
            SessionPart::Running => before.is_running() != now.is_running(),
            SessionPart::Notes => !before.has_same_notes(now),
            SessionPart::Waiting => before.refusal() != now.refusal() || !before.has_same_typed_ahead(now),
        }
    }
}

/// The newest session of a provider and its subscribers. The same value lasts as long as the provider is mounted.
#[derive(Default)]
pub struct Watched {
    newest: RefCell<Option<SessionHandle>>,
    watchers: RefCell<Vec<Weak<Watcher>>>,
    derived: Derived,
}

impl PartialEq for Watched {
    fn eq(&self, other: &Watched) -> bool {
        std::ptr::eq(self, other)
    }
}

struct Watcher {
    sides: &'static [SessionPart],
    /// The session of the last render.
    drawn: RefCell<SessionHandle>,
    update: UseForceUpdateHandle,
}

impl Watched {
    /// Data that panels have derived from the session.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Sets the newest session.
    pub fn put(&self, handle: SessionHandle) {
        self.newest.replace(Some(handle));
    }

    /// The newest session.
    pub fn newest(&self) -> Option<SessionHandle> {
        self.newest.borrow().clone()
    }

    /// Renders all components again that show a changed part.
    pub fn notify(&self) {
        let Some(newest) = self.newest() else { return };
        let watchers: Vec<Rc<Watcher>> = {
            let mut watchers = self.watchers.borrow_mut();
            watchers.retain(|watcher| watcher.strong_count() > 0);
            watchers.iter().filter_map(Weak::upgrade).collect()
        };
        for watcher in watchers {
            let has_changed = {
                let drawn = watcher.drawn.borrow();
                watcher.sides.iter().any(|side| side.has_changed(&drawn, &newest))
            };
            if has_changed {
                watcher.update.force_update();
            }
        }
    }
}

/// The session; the component is rendered again when one of these parts changes.
#[hook]
pub fn use_session_for(sides: &'static [SessionPart]) -> SessionHandle {
    use_session_if_any(sides).unwrap_or_else(|| missing("SessionProvider"))
}

/// The session; the component is rendered again whenever any part changes.
#[hook]
pub fn use_session() -> SessionHandle {
    use_session_for(SessionPart::ALL)
}

/// Like [`use_session_for`], for pages that may have no session: the map of the course has none.
#[hook]
pub fn use_session_if_any(sides: &'static [SessionPart]) -> Option<SessionHandle> {
    let watched = use_context::<Rc<Watched>>();
    let newest = watched.as_ref().and_then(|watched| watched.newest());
    let update = use_force_update();
    let watcher = use_mut_ref(|| None::<Rc<Watcher>>);
    if let (Some(watched), Some(newest)) = (&watched, &newest) {
        let mut watcher = watcher.borrow_mut();
        match &*watcher {
            Some(watcher) => {
                watcher.drawn.replace(newest.clone());
            }
            None => {
                let fresh = Rc::new(Watcher { sides, drawn: RefCell::new(newest.clone()), update });
                watched.watchers.borrow_mut().push(Rc::downgrade(&fresh));
                *watcher = Some(fresh);
            }
        }
    }
    newest
}
