//! Sessions in the browser's storage: reading, saving, listing and setting aside. `state::session_store` defines the names of their records.
use std::rc::Rc;

use world::{Input, Timeline};

use super::lock::{self, Hold};
use super::storage::{self, StorageFault, Store};
use crate::state::session::Session;
use crate::state::session_store::{self, ABOUT, ASIDE, About, LATEST, Opening, SESSION, TAB};

/// How many times a reloaded tab tries to acquire a lock that the previous page may still hold.
const LOCK_TRIES: u32 = 4;
const LOCK_PAUSE_MS: u32 = 40;

/// The storage location of this tab's session. Clones share the lock.
#[derive(Clone, Debug)]
pub struct SessionSlot {
    /// Prefix of the names of all its records.
    pub prefix: Rc<str>,
    /// Id of the session, unique in the browser.
    pub id: String,
    /// Id of this tab, stored as the owner of its session.
    pub me: Rc<str>,
    /// Never read: it holds the lock until it is dropped.
    _hold: Hold,
}

impl PartialEq for SessionSlot {
    fn eq(&self, other: &SessionSlot) -> bool {
        self.id == other.id && self.prefix == other.prefix
    }
}

/// Result of saving.
#[derive(Clone, Debug, PartialEq)]
pub enum Saved {
    /// The session is stored.
    Kept,
    /// Another tab owns the record: from now on the session is stored at this new location.
    Forked(SessionSlot),
    /// The storage is full or not available.
    Failed(StorageFault),
}

/// The stored session that a tab opens.
#[derive(Clone, Debug)]
pub struct OpenedSession {
    /// Where the session will be stored.
    pub place: SessionSlot,
    /// The stored text; `None` for a new session.
    pub text: Option<String>,
    /// Whether the clock was running when the session was saved.
    pub was_running: bool,
}

/// Finds this tab's session in a store and acquires its lock.
pub async fn find(prefix: &str) -> OpenedSession {
    let me: Rc<str> = random_id().into();
    let prefix: Rc<str> = prefix.into();
    let tab = storage::read(Store::Tab, &key(&prefix, TAB, ""));
    let latest = storage::read(Store::Browser, &key(&prefix, LATEST, ""));
    let wanted = match tab.as_deref() {
        Some(id) if id != session_store::NEW => Some(id.to_owned()),
        Some(_) => None,
        None => latest.clone(),
    };
    let tries = if tab.is_some() { LOCK_TRIES } else { 1 };
    let hold = match &wanted {
        Some(id) => hold_patiently(id, tries).await,
        None => Hold::Unknown,
    };
    let is_held = |_: &str| matches!(hold, Hold::Taken);
    match session_store::opening(tab.as_deref(), latest.as_deref(), is_held) {
        Opening::Resume(id) => {
            let (text, was_running) = read(&prefix, &id);
            OpenedSession { place: SessionSlot { prefix, id, me, _hold: hold }, text, was_running }
        }
        Opening::Copy(id) => {
            let (text, was_running) = read(&prefix, &id);
            OpenedSession { place: new_place(prefix, me).await, text, was_running }
        }
        Opening::Fresh => OpenedSession { place: new_place(prefix, me).await, text: None, was_running: true },
    }
}

/// The text of a session, and whether its clock was running.
fn read(prefix: &str, id: &str) -> (Option<String>, bool) {
    (storage::read(Store::Browser, &key(prefix, SESSION, id)), read_about(prefix, id).is_running)
}

async fn hold_patiently(id: &str, tries: u32) -> Hold {
    let mut hold = lock::hold(id).await;
    for _ in 1..tries {
        if !matches!(hold, Hold::Taken) {
            break;
        }
        gloo_timers::future::TimeoutFuture::new(LOCK_PAUSE_MS).await;
        hold = lock::hold(id).await;
    }
    hold
}

impl SessionSlot {
    /// A new, unused location in the same store.
    pub async fn another(&self) -> SessionSlot {
        new_place(Rc::clone(&self.prefix), Rc::clone(&self.me)).await
    }
}

async fn new_place(prefix: Rc<str>, me: Rc<str>) -> SessionSlot {
    let id = random_id();
    let hold = lock::hold(&id).await;
    SessionSlot { prefix, id, me, _hold: hold }
}

/// Marks `place` as the session of this tab, and this tab as its owner.
pub fn claim(place: &SessionSlot) {
    // Without storage this fails, and saving will report it.
    let _ = open_next(&place.prefix, &place.id);
    let name = key(&place.prefix, ABOUT, &place.id);
    if storage::read(Store::Browser, &name).is_some() {
        let about = About { owner: place.me.to_string(), ..read_about(&place.prefix, &place.id) };
        let _ = storage::write(Store::Browser, &name, &about.to_text());
    }
}

/// Stores the session at its location, or at a new one if another tab has claimed that location.
pub fn save(place: &SessionSlot, session: &Session, is_running: bool) -> Saved {
    let (place, is_forked) = if session_store::may_save(&read_about(&place.prefix, &place.id).owner, &place.me) {
        (place.clone(), false)
    } else {
        (SessionSlot { id: random_id(), _hold: Hold::Unknown, ..place.clone() }, true)
    };
    if let Err(fault) = write_session(&place, session, is_running) {
        return Saved::Failed(fault);
    }
    if is_forked {
        let _ = open_next(&place.prefix, &place.id);
        Saved::Forked(place)
    } else {
        Saved::Kept
    }
}

fn write_session(place: &SessionSlot, session: &Session, is_running: bool) -> Result<(), StorageFault> {
    let about = About {
        id: place.id.clone(),
        saved_ms: js_sys::Date::now() as u64,
        steps: session.stops().len() as u64,
        owner: place.me.to_string(),
        title: title_of(session.timeline()),
        is_running,
    };
    let write = |name: &str, id: &str, text: &str| storage::write(Store::Browser, &key(&place.prefix, name, id), text);
    write(SESSION, &place.id, &session.timeline().to_text())?;
    write(ABOUT, &place.id, &about.to_text())?;
    write(LATEST, "", &place.id)
}

/// The first three commands, by which a reader recognises a session.
fn title_of(timeline: &Timeline) -> String {
    let commands = timeline.steps_from(0).filter_map(|(_, step)| match &step.input {
        Input::Command { argv, .. } => Some(resp::split::quote_command(argv)),
        _ => None,
    });
    commands.take(3).collect::<Vec<_>>().join(" · ")
}

/// Moves an unreadable text, unchanged, to a record that the list of sessions offers for download.
///
/// # Errors
/// When the storage cannot hold both copies for a moment: then the text stays where it is.
pub fn set_aside(place: &SessionSlot, text: &str) -> Result<(), StorageFault> {
    storage::write(Store::Browser, &key(&place.prefix, ASIDE, &place.id), text)?;
    for prefix in [SESSION, ABOUT] {
        storage::remove(Store::Browser, &key(&place.prefix, prefix, &place.id));
    }
    Ok(())
}

/// A session or an unreadable text in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// Prefix of the names of all its records.
    pub prefix: Rc<str>,
    /// Its metadata.
    pub about: About,
    /// Whether it is an unreadable text that was set aside.
    pub is_aside: bool,
}

/// All entries of a store, newest first; unreadable texts come last.
pub fn list(prefix: &Rc<str>) -> Vec<StoredSession> {
    let mut kept: Vec<StoredSession> = storage::keys(Store::Browser)
        .iter()
        .filter_map(|name| {
            let name = name.strip_prefix(&**prefix)?;
            let aside = name.strip_prefix(ASIDE).map(|id| (About { id: id.to_owned(), ..About::default() }, true));
            let session = name.strip_prefix(SESSION).map(|id| (read_about(prefix, id), false));
            let (about, is_aside) = aside.or(session)?;
            Some(StoredSession { prefix: Rc::clone(prefix), about, is_aside })
        })
        .collect();
    redis_model::sorting::sort_by(&mut kept, |a, b| {
        (a.is_aside, b.about.saved_ms, &a.about.id).cmp(&(b.is_aside, a.about.saved_ms, &b.about.id))
    });
    kept
}

/// The text of an entry.
pub fn text_of(kept: &StoredSession) -> Option<String> {
    storage::read(Store::Browser, &key(&kept.prefix, if kept.is_aside { ASIDE } else { SESSION }, &kept.about.id))
}

/// Deletes an entry permanently, at the reader's request.
pub fn remove(kept: &StoredSession) {
    for prefix in if kept.is_aside { &[ASIDE][..] } else { &[SESSION, ABOUT] } {
        storage::remove(Store::Browser, &key(&kept.prefix, prefix, &kept.about.id));
    }
}

/// Makes the next start of this tab open session `id` of a store (or a new one, for `NEW`).
pub fn open_next(prefix: &str, id: &str) -> Result<(), StorageFault> {
    storage::write(Store::Tab, &key(prefix, TAB, ""), id)
}

fn read_about(prefix: &str, id: &str) -> About {
    About::from_text(id, &storage::read(Store::Browser, &key(prefix, ABOUT, id)).unwrap_or_default())
}

fn key(prefix: &str, name: &str, id: &str) -> String {
    [prefix, name, id].concat()
}

/// A random id from the browser's generator, so that two tabs never get the same one. (The world's own generator is seeded.)
fn random_id() -> String {
    let mut bytes = [0; 8];
    for byte in &mut bytes {
        *byte = (js_sys::Math::random() * 256.0) as u8;
    }
    session_store::id_from(bytes)
}
