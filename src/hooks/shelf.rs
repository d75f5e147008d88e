//! The shelf in the browser's storage: reading, saving, listing and setting aside sessions. See `state::shelf` for the names.
use std::rc::Rc;

use world::timeline::TextError;
use world::{Input, Timeline};

use super::lock::{self, Hold};
use super::storage::{self, StorageFault, Store};
use crate::state::session::Session;
use crate::state::shelf::{self, ABOUT, ASIDE, About, LATEST, Opening, SESSION, TAB};

/// How often a tab that was just reloaded asks again for a lock that its former self may still hold.
const LOCK_TRIES: u32 = 4;
const LOCK_PAUSE_MS: u32 = 40;

/// Where this tab keeps its session. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Id of the session.
    pub id: String,
    /// Name of this tab as an owner.
    pub me: Rc<str>,
    /// Never read: holding it is its purpose.
    _hold: Hold,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.id == other.id
    }
}

/// What came of saving.
#[derive(Clone, Debug, PartialEq)]
pub enum Saved {
    /// It is kept.
    Kept,
    /// Another tab owns the record: it is kept under this new place from now on.
    Forked(Place),
    /// There is no room or no storage.
    Failed(StorageFault),
}

/// What a tab starts with.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where it will be kept.
    pub place: Place,
    /// What was kept there; nothing for a fresh session.
    pub text: Option<String>,
    /// Whether the clock was running when it was kept.
    pub was_running: bool,
}

/// Finds this tab's session and takes hold of it.
pub async fn find() -> Found {
    let me: Rc<str> = random_id().into();
    let tab = storage::read(Store::Tab, TAB);
    let latest = storage::read(Store::Browser, LATEST);
    let wanted = match tab.as_deref() {
        Some(id) if id != shelf::NEW => Some(id.to_owned()),
        Some(_) => None,
        None => latest.clone(),
    };
    let tries = if tab.is_some() { LOCK_TRIES } else { 1 };
    let hold = match &wanted {
        Some(id) => hold_patiently(id, tries).await,
        None => Hold::Unknown,
    };
    let is_held = |_: &str| matches!(hold, Hold::Taken);
    match shelf::opening(tab.as_deref(), latest.as_deref(), is_held) {
        Opening::Resume(id) => {
            let about = read_about(&id);
            let text = storage::read(Store::Browser, &key(SESSION, &id));
            Found { place: Place { id, me, _hold: hold }, text, was_running: about.is_running }
        }
        Opening::Copy(id) => {
            let text = storage::read(Store::Browser, &key(SESSION, &id));
            Found { place: new_place(me).await, text, was_running: read_about(&id).is_running }
        }
        Opening::Fresh => Found { place: new_place(me).await, text: None, was_running: true },
    }
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

/// A place that no session has yet.
pub async fn new_place(me: Rc<str>) -> Place {
    let id = random_id();
    let hold = lock::hold(&id).await;
    Place { id, me, _hold: hold }
}

/// Marks `place` as the session of this tab, and this tab as its owner.
pub fn claim(place: &Place) {
    // Without storage there is nothing to claim; saving will say so.
    let _ = storage::write(Store::Tab, TAB, &place.id);
    if storage::read(Store::Browser, &key(ABOUT, &place.id)).is_some() {
        let about = About { owner: place.me.to_string(), ..read_about(&place.id) };
        let _ = storage::write(Store::Browser, &key(ABOUT, &place.id), &about.to_text());
    }
}

/// Keeps the session in its place, or in a new one when another tab has taken the place over.
pub fn save(place: &Place, session: &Session, is_running: bool) -> Saved {
    let (place, is_forked) = if shelf::may_save(&read_about(&place.id).owner, &place.me) {
        (place.clone(), false)
    } else {
        (Place { id: random_id(), me: Rc::clone(&place.me), _hold: Hold::Unknown }, true)
    };
    if let Err(fault) = write_session(&place, session, is_running) {
        return Saved::Failed(fault);
    }
    if is_forked {
        let _ = storage::write(Store::Tab, TAB, &place.id);
        Saved::Forked(place)
    } else {
        Saved::Kept
    }
}

fn write_session(place: &Place, session: &Session, is_running: bool) -> Result<(), StorageFault> {
    let about = About {
        id: place.id.clone(),
        saved_ms: js_sys::Date::now() as u64,
        steps: session.moments().len() as u64,
        owner: place.me.to_string(),
        title: title_of(session.timeline()),
        is_running,
    };
    storage::write(Store::Browser, &key(SESSION, &place.id), &session.timeline().to_text())?;
    storage::write(Store::Browser, &key(ABOUT, &place.id), &about.to_text())?;
    storage::write(Store::Browser, LATEST, &place.id)
}

/// The first commands: what a reader recognises a session by.
fn title_of(timeline: &Timeline) -> String {
    let commands = timeline.steps_from(0).filter_map(|(_, step)| match &step.input {
        Input::Command { argv, .. } => Some(resp::split::quote_command(argv)),
        _ => None,
    });
    commands.take(3).collect::<Vec<_>>().join(" · ")
}

/// Moves a text that could not be read, untouched, to where the list of sessions offers it for download.
///
/// # Errors
/// When there is no room for a moment: then it stays where it is.
pub fn set_aside(place: &Place, text: &str) -> Result<(), StorageFault> {
    storage::write(Store::Browser, &key(ASIDE, &place.id), text)?;
    storage::remove(Store::Browser, &key(SESSION, &place.id));
    storage::remove(Store::Browser, &key(ABOUT, &place.id));
    Ok(())
}

/// A session or an unreadable text on the shelf.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What is known of it.
    pub about: About,
    /// It could not be read.
    pub is_aside: bool,
}

/// Everything on the shelf, newest first, what was set aside last.
pub fn list() -> Vec<Kept> {
    let mut kept: Vec<Kept> = storage::keys(Store::Browser)
        .iter()
        .filter_map(|name| {
            let aside = name.strip_prefix(ASIDE).map(|id| (About { id: id.to_owned(), ..About::default() }, true));
            let session = name.strip_prefix(SESSION).map(|id| (read_about(id), false));
            let (about, is_aside) = aside.or(session)?;
            Some(Kept { about, is_aside })
        })
        .collect();
    redis_model::sorting::sort_by(&mut kept, |a, b| {
        (a.is_aside, b.about.saved_ms, &a.about.id).cmp(&(b.is_aside, a.about.saved_ms, &b.about.id))
    });
    kept
}

/// The text of something on the shelf.
pub fn text_of(kept: &Kept) -> Option<String> {
    storage::read(Store::Browser, &key(if kept.is_aside { ASIDE } else { SESSION }, &kept.about.id))
}

/// Takes something off the shelf for good; the reader asked for it.
pub fn remove(kept: &Kept) {
    for prefix in if kept.is_aside { &[ASIDE][..] } else { &[SESSION, ABOUT] } {
        storage::remove(Store::Browser, &key(prefix, &kept.about.id));
    }
}

/// Makes the next start of this tab open session `id` (or a fresh one, for `NEW`).
pub fn open_next(id: &str) -> Result<(), StorageFault> {
    storage::write(Store::Tab, TAB, id)
}

/// A timeline from text of any origin.
///
/// # Errors
/// [`TextError`]
pub fn read_text(text: &str) -> Result<Timeline, TextError> {
    Timeline::from_text(text)
}

fn read_about(id: &str) -> About {
    About::from_text(id, &storage::read(Store::Browser, &key(ABOUT, id)).unwrap_or_default())
}

fn key(prefix: &str, id: &str) -> String {
    format!("{prefix}{id}")
}

/// Ids come from the browser's randomness: two tabs must not agree on one. (The world's own randomness is seeded.)
fn random_id() -> String {
    let mut bytes = [0; 8];
    for byte in &mut bytes {
        *byte = (js_sys::Math::random() * 256.0) as u8;
    }
    shelf::id_from(bytes)
}
