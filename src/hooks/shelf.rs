//! The shelf in the browser's storage: reading, saving, listing and setting aside sessions. See `state::shelf` for the names.
use std::rc::Rc;

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
    /// The shelf that it stands on.
    pub shelf: Rc<str>,
    /// Id of the session.
    pub id: String,
    /// Name of this tab as an owner.
    pub me: Rc<str>,
    /// Never read: holding it is its purpose.
    _hold: Hold,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.id == other.id && self.shelf == other.shelf
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

/// Finds this tab's session on a shelf and takes hold of it.
pub async fn find(shelf: &str) -> Found {
    let me: Rc<str> = random_id().into();
    let shelf: Rc<str> = shelf.into();
    let tab = storage::read(Store::Tab, &key(&shelf, TAB, ""));
    let latest = storage::read(Store::Browser, &key(&shelf, LATEST, ""));
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
            let (text, was_running) = read(&shelf, &id);
            Found { place: Place { shelf, id, me, _hold: hold }, text, was_running }
        }
        Opening::Copy(id) => {
            let (text, was_running) = read(&shelf, &id);
            Found { place: new_place(shelf, me).await, text, was_running }
        }
        Opening::Fresh => Found { place: new_place(shelf, me).await, text: None, was_running: true },
    }
}

/// The text of a session, and whether its clock was running.
fn read(shelf: &str, id: &str) -> (Option<String>, bool) {
    (storage::read(Store::Browser, &key(shelf, SESSION, id)), read_about(shelf, id).is_running)
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

impl Place {
    /// Another place on the same shelf, which no session has yet.
    pub async fn another(&self) -> Place {
        new_place(Rc::clone(&self.shelf), Rc::clone(&self.me)).await
    }
}

async fn new_place(shelf: Rc<str>, me: Rc<str>) -> Place {
    let id = random_id();
    let hold = lock::hold(&id).await;
    Place { shelf, id, me, _hold: hold }
}

/// Marks `place` as the session of this tab, and this tab as its owner.
pub fn claim(place: &Place) {
    // Without storage there is nothing to claim; saving will say so.
    let _ = open_next(&place.shelf, &place.id);
    let name = key(&place.shelf, ABOUT, &place.id);
    if storage::read(Store::Browser, &name).is_some() {
        let about = About { owner: place.me.to_string(), ..read_about(&place.shelf, &place.id) };
        let _ = storage::write(Store::Browser, &name, &about.to_text());
    }
}

/// Keeps the session in its place, or in a new one when another tab has taken the place over.
pub fn save(place: &Place, session: &Session, is_running: bool) -> Saved {
    let (place, is_forked) = if shelf::may_save(&read_about(&place.shelf, &place.id).owner, &place.me) {
        (place.clone(), false)
    } else {
        (Place { id: random_id(), _hold: Hold::Unknown, ..place.clone() }, true)
    };
    if let Err(fault) = write_session(&place, session, is_running) {
        return Saved::Failed(fault);
    }
    if is_forked {
        let _ = open_next(&place.shelf, &place.id);
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
    let write = |name: &str, id: &str, text: &str| storage::write(Store::Browser, &key(&place.shelf, name, id), text);
    write(SESSION, &place.id, &session.timeline().to_text())?;
    write(ABOUT, &place.id, &about.to_text())?;
    write(LATEST, "", &place.id)
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
    storage::write(Store::Browser, &key(&place.shelf, ASIDE, &place.id), text)?;
    for prefix in [SESSION, ABOUT] {
        storage::remove(Store::Browser, &key(&place.shelf, prefix, &place.id));
    }
    Ok(())
}

/// A session or an unreadable text on the shelf.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The shelf that it stands on.
    pub shelf: Rc<str>,
    /// What is known of it.
    pub about: About,
    /// It could not be read.
    pub is_aside: bool,
}

/// Everything on a shelf, newest first, what was set aside last.
pub fn list(shelf: &Rc<str>) -> Vec<Kept> {
    let mut kept: Vec<Kept> = storage::keys(Store::Browser)
        .iter()
        .filter_map(|name| {
            let name = name.strip_prefix(&**shelf)?;
            let aside = name.strip_prefix(ASIDE).map(|id| (About { id: id.to_owned(), ..About::default() }, true));
            let session = name.strip_prefix(SESSION).map(|id| (read_about(shelf, id), false));
            let (about, is_aside) = aside.or(session)?;
            Some(Kept { shelf: Rc::clone(shelf), about, is_aside })
        })
        .collect();
    redis_model::sorting::sort_by(&mut kept, |a, b| {
        (a.is_aside, b.about.saved_ms, &a.about.id).cmp(&(b.is_aside, a.about.saved_ms, &b.about.id))
    });
    kept
}

/// The text of something on the shelf.
pub fn text_of(kept: &Kept) -> Option<String> {
    storage::read(Store::Browser, &key(&kept.shelf, if kept.is_aside { ASIDE } else { SESSION }, &kept.about.id))
}

/// Takes something off the shelf for good; the reader asked for it.
pub fn remove(kept: &Kept) {
    for prefix in if kept.is_aside { &[ASIDE][..] } else { &[SESSION, ABOUT] } {
        storage::remove(Store::Browser, &key(&kept.shelf, prefix, &kept.about.id));
    }
}

/// Makes the next start of this tab open session `id` of a shelf (or a fresh one, for `NEW`).
pub fn open_next(shelf: &str, id: &str) -> Result<(), StorageFault> {
    storage::write(Store::Tab, &key(shelf, TAB, ""), id)
}

fn read_about(shelf: &str, id: &str) -> About {
    About::from_text(id, &storage::read(Store::Browser, &key(shelf, ABOUT, id)).unwrap_or_default())
}

fn key(shelf: &str, name: &str, id: &str) -> String {
    [shelf, name, id].concat()
}

/// Ids come from the browser's randomness: two tabs must not agree on one. (The world's own randomness is seeded.)
fn random_id() -> String {
    let mut bytes = [0; 8];
    for byte in &mut bytes {
        *byte = (js_sys::Math::random() * 256.0) as u8;
    }
    shelf::id_from(bytes)
}
