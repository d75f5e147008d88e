//! The session store: which sessions the browser keeps, under which keys, and which one a tab opens.
//!
//! ```text
//! lockstep.session.<id>   the text of a session
//! lockstep.tail.<id>      the lines that it has got since, written with each step (crates/world/src/timeline/tail.rs)
//! lockstep.about.<id>     when it was saved, by which tab, how many steps: shown in the list of sessions
//! lockstep.latest         the session saved last, by any tab
//! lockstep.aside.<id>     text that could not be read, kept unchanged
//! lockstep.tab            (in the tab's own store) the session it shows, or `new`
//! ```
//!
//! Each lesson has a store of its own with the same keys: `lockstep.locks/setnx.session.<id>` and so on.
//!
//! Two mechanisms keep two tabs from overwriting each other. A tab holds a browser lock on its session as long as the tab lives; a second
//! tab that finds the lock taken starts a session of its own (or, if it was duplicated, continues with a copy). Where the browser has no
//! locks, the record names its owner: a tab that is about to save and finds another owner leaves that record alone and saves its own state
//! under a new id.
use std::fmt::Write as _;

/// The store of the sandbox: the prefix of all its keys. The guard (`static/guard.js`) knows them too.
pub const SANDBOX: &str = "lockstep.";
/// The texts of sessions.
pub const SESSION: &str = "session.";
/// The lines that a text has got since it was stored.
pub const TAIL: &str = "tail.";
/// The records about sessions.
pub const ABOUT: &str = "about.";
/// Texts that could not be read.
pub const ASIDE: &str = "aside.";
/// The session saved last.
pub const LATEST: &str = "latest";
/// The session of this tab, in the tab's own store.
pub const TAB: &str = "tab";
/// The value of [`TAB`] that asks for a fresh session.
pub const NEW: &str = "new";

/// The metadata of a stored session, available without reading it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its id.
    pub id: String,
    /// When it was saved, Unix time in ms by the reader's clock.
    pub saved_ms: u64,
    /// How many of its steps are stops.
    pub steps: u64,
    /// The tab that owns it.
    pub owner: String,
    /// The start of its text, as a title in the list.
    pub title: String,
    /// Whether its clock was running.
    pub is_running: bool,
}

/// The store of a lesson.
pub fn of_lesson(track: &str, lesson: &str) -> String {
    format!("{SANDBOX}{track}/{lesson}.")
}

/// Longest stored title, in characters.
const TITLE_CHARS_MAX: usize = 80;

impl About {
    /// The stored form, one `name value` a line.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let title: String =
            self.title.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TITLE_CHARS_MAX).collect();
        let clock = if self.is_running { "running" } else { "stopped" };
        let _ = writeln!(text, "saved {}\nsteps {}\nclock {clock}", self.saved_ms, self.steps);
        let _ = writeln!(text, "owner {}\ntitle {title}", self.owner);
        text
    }

    /// The record of session `id`; missing or damaged values are left empty.
    pub fn from_text(id: &str, text: &str) -> About {
        let mut about = About { id: id.to_owned(), ..About::default() };
        for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            match name {
                "saved" => about.saved_ms = value.parse().unwrap_or(0),
                "steps" => about.steps = value.parse().unwrap_or(0),
                "owner" => value.clone_into(&mut about.owner),
                "clock" => about.is_running = value == "running",
                "title" => value.clone_into(&mut about.title),
                _ => {}
            }
        }
        about
    }
}

/// What a tab does when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Continue this session, which no other tab holds.
    Resume(String),
    /// Continue with a copy of this session under a new id: another tab holds it.
    Copy(String),
    /// Start a fresh session.
    Fresh,
}

/// Decides what to open from the session that this tab remembers (`tab`), the session saved last (`latest`), and whether another tab holds
/// a session.
pub fn opening(tab: Option<&str>, latest: Option<&str>, is_held: impl Fn(&str) -> bool) -> Opening {
    match tab {
        Some(NEW) => Opening::Fresh,
        // A tab that remembers a session was reloaded, restored or duplicated.
        Some(id) if is_held(id) => Opening::Copy(id.to_owned()),
        Some(id) => Opening::Resume(id.to_owned()),
        None => match latest {
            Some(id) if !is_held(id) => Opening::Resume(id.to_owned()),
            _ => Opening::Fresh,
        },
    }
}

/// Whether the tab `me` may overwrite a record with this owner; an empty owner means no one.
pub fn may_save(owner: &str, me: &str) -> bool {
    owner.is_empty() || owner == me
}

/// An id from random bytes: short, without meaningful order, safe in a storage key and a file name.
pub fn id_from(random: [u8; 8]) -> String {
    random.iter().fold(String::new(), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}

#[cfg(test)]
mod tests {
    use super::{About, NEW, Opening, id_from, may_save, opening};

    #[test]
    fn tab_opens_a_session_that_no_other_tab_holds() {
        let held = |id: &str| id == "held";
        for (tab, latest, expected) in [
            (None, None, Opening::Fresh),
            (None, Some("a"), Opening::Resume("a".into())),
            (None, Some("held"), Opening::Fresh),
            (Some("b"), Some("a"), Opening::Resume("b".into())),
            (Some("held"), Some("a"), Opening::Copy("held".into())),
            (Some(NEW), Some("a"), Opening::Fresh),
        ] {
            assert_eq!(opening(tab, latest, held), expected, "{tab:?} {latest:?}");
        }
    }

    #[test]
    fn no_tab_saves_over_the_record_of_another() {
        assert!(may_save("", "me"));
        assert!(may_save("me", "me"));
        assert!(!may_save("you", "me"));
    }

    #[test]
    fn records_survive_storage_and_damage() {
        let about = About {
            id: id_from([0, 1, 2, 3, 4, 5, 254, 255]),
            saved_ms: 1_700_000_000_000,
            steps: 12,
            owner: "t1".into(),
            is_running: true,
            title: "SET 锁 1\nowner thief".into(),
        };
        let read = About::from_text(&about.id, &about.to_text());
        assert_eq!(read, About { title: "SET 锁 1 owner thief".into(), ..about });
        assert_eq!(About::from_text("x", "saved\nsteps many"), About { id: "x".into(), ..About::default() });
    }
}
