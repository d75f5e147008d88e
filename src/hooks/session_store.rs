//! Sessions in the browser's storage: reading, saving, listing and setting aside. `state::session_store` defines the names of their records.
use std::rc::Rc;

use world::timeline::{StoredText, with_tail};
use world::{Input, Timeline};

use super::assets::Chunk;
use super::lock::{self, Hold};
use super::storage::{self, StorageFault, Store};
use crate::state::session::Session;
use crate::state::session_store::{self, ABOUT, ASIDE, About, LATEST, Opening, SESSION, TAB, TAIL};

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

/// A session whose text is stored. What happens next to the same session can be stored as its tail.
pub struct Stored {
    id: String,
    text: StoredText,
}

/// Result of saving. A session of a single step has no tail.
pub enum Saved {
    /// The session is stored.
    Kept(Option<Stored>),
    /// Another tab owns the record: from now on the session is stored at this new location.
    Forked(SessionSlot, Option<Stored>),
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
            let (text, was_running) = read(&prefix, &id).await;
            OpenedSession { place: SessionSlot { prefix, id, me, _hold: hold }, text, was_running }
        }
        Opening::Copy(id) => {
            let (text, was_running) = read(&prefix, &id).await;
            OpenedSession { place: new_place(prefix, me).await, text, was_running }
        }
        Opening::Fresh => OpenedSession { place: new_place(prefix, me).await, text: None, was_running: true },
    }
}

/// The text of a session, and whether its clock was running.
async fn read(prefix: &str, id: &str) -> (Option<String>, bool) {
    if storage::read(Store::Browser, &key(prefix, TAIL, id)).is_some() {
        // What puts text and tail together.
        Chunk::Rest.ready().await;
    }
    (whole_text(prefix, id), read_about(prefix, id).is_running)
}

/// The text of a session with its tail.
fn whole_text(prefix: &str, id: &str) -> Option<String> {
    let text = storage::read(Store::Browser, &key(prefix, SESSION, id))?;
    let tail = storage::read(Store::Browser, &key(prefix, TAIL, id));
    Some(tail.and_then(|tail| with_tail(&text, &tail)).unwrap_or(text))
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
    let stored = match write_session(&place, session, is_running) {
        Ok(stored) => stored,
        Err(fault) => return Saved::Failed(fault),
    };
    if is_forked {
        let _ = open_next(&place.prefix, &place.id);
        Saved::Forked(place, stored)
    } else {
        Saved::Kept(stored)
    }
}

/// Result of storing the tail of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TailSaved {
    /// The last step is stored.
    Kept,
    /// The tail has become long: store the session soon.
    Long,
    /// It is not stored: store the session.
    No,
}

/// Longest tail that is written with each step, in bytes.
const TAIL_BYTES_MAX: usize = 64 * 1024;

/// Stores what has happened to a stored session since. Unlike the whole text, these lines stay few in a long session.
pub fn save_tail(place: &SessionSlot, session: &Session, stored: &Stored) -> TailSaved {
    if stored.id == place.id && Chunk::Rest.is_here() { write_tail(place, session, stored) } else { TailSaved::No }
}

// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
fn write_tail(place: &SessionSlot, session: &Session, stored: &Stored) -> TailSaved {
    if !session_store::may_save(&read_about(&place.prefix, &place.id).owner, &place.me) {
        return TailSaved::No;
    }
    let Some(tail) = session.timeline().text_since(&stored.text) else { return TailSaved::No };
    if storage::write(Store::Browser, &key(&place.prefix, TAIL, &place.id), &tail).is_err() {
        return TailSaved::No;
    }
    if tail.len() > TAIL_BYTES_MAX { TailSaved::Long } else { TailSaved::Kept }
}

fn write_session(place: &SessionSlot, session: &Session, is_running: bool) -> Result<Option<Stored>, StorageFault> {
    let about = About {
        id: place.id.clone(),
        saved_ms: js_sys::Date::now() as u64,
        steps: session.stops().len() as u64,
        owner: place.me.to_string(),
        title: title_of(session.timeline()),
        is_running,
    };
    let write = |name: &str, id: &str, text: &str| storage::write(Store::Browser, &key(&place.prefix, name, id), text);
    let (text, stored) = session.timeline().to_stored_text();
    write(SESSION, &place.id, &text)?;
    storage::remove(Store::Browser, &key(&place.prefix, TAIL, &place.id));
    write(ABOUT, &place.id, &about.to_text())?;
    write(LATEST, "", &place.id)?;
    Ok(stored.map(|text| Stored { id: place.id.clone(), text }))
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
    for prefix in [SESSION, TAIL, ABOUT] {
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
    if kept.is_aside {
        return storage::read(Store::Browser, &key(&kept.prefix, ASIDE, &kept.about.id));
    }
    whole_text(&kept.prefix, &kept.about.id)
}

/// Deletes an entry permanently, at the reader's request.
pub fn remove(kept: &StoredSession) {
    for prefix in if kept.is_aside { &[ASIDE][..] } else { &[SESSION, TAIL, ABOUT] } {
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
