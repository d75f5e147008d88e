//! `Programs`: the shared player of programs, and a cache of program states.
use super::{Failed, History, Player, ProgramState, Request, State, Unplayable};
use crate::{Alike, fingerprint};
use bytes::Bytes;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Most memory of one cache generation, in bytes; there are two.
const GENERATION_BYTES_MAX: usize = 8 << 20;

/// Texts with cached fingerprints: more than the number of different programs in one world.
const TEXTS_MAX: usize = 8;

/// The player, once installed, and its cache. All clones share them, so worlds can share one player.
///
/// A world with a player is still a value: a program state depends on text and history, not on the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Programs(Alike<Inner>);

#[derive(Default)]
struct Inner {
    player: RefCell<Option<Box<dyn Player>>>,
    memory: RefCell<Memory>,
}

impl Programs {
    /// Creates it with this player.
    pub fn new(player: impl Player + 'static) -> Programs {
        let programs = Programs::default();
        programs.install(Box::new(player));
        programs
    }

    /// Replaces the player for all clones, and clears the cache.
    pub fn install(&self, player: Box<dyn Player>) {
        self.0.player.replace(Some(player));
        self.0.memory.replace(Memory::default());
    }

    /// Whether a player is installed and idle.
    pub fn is_installed(&self) -> bool {
        self.0.player.try_borrow().is_ok_and(|player| player.is_some())
    }

    /// The state of a program after a history, from the cache if possible.
    ///
    /// # Errors
    /// [`Unplayable`]; [`Unplayable::NoPlayer`] if no player is installed, or if it is already playing.
    pub fn scene(&self, text: &Bytes, history: &History) -> Result<Arc<ProgramState>, Unplayable> {
        let (key, known) = {
            let mut memory = self.0.memory.borrow_mut();
            let key = (memory.of_text(text), history.fingerprint());
            (key, memory.recall(key))
        };
        if let Some(played) = known {
            return played;
        }
        // A reentrant call gets `NoPlayer` instead of a panic.
        let Ok(mut player) = self.0.player.try_borrow_mut() else { return Err(Unplayable::NoPlayer) };
        let Some(player) = player.as_mut() else { return Err(Unplayable::NoPlayer) };
        let played = player.play(text, history).map(Arc::new);
        // A crash is not cached: the next attempt may use a new machine.
        if !matches!(played, Err(Unplayable::Broken | Unplayable::NoPlayer)) {
            self.0.memory.borrow_mut().keep(key, played.clone());
        }
        played
    }
}

/// Fingerprints of a text and of a history.
type Key = (u128, u128);

type Played = Result<Arc<ProgramState>, Unplayable>;

/// Cache of program states in two generations: when the young one is full, it replaces the old one, whose entries are
/// evicted. A hit in the old generation moves the entry to the young one.
#[derive(Default)]
struct Memory {
    /// Recently used texts with their fingerprints: comparing a text costs less than hashing it.
    texts: Vec<(Bytes, u128)>,
    young: FxHashMap<Key, Played>,
    old: FxHashMap<Key, Played>,
    /// Memory of the young generation, in bytes.
    bytes: usize,
}

impl Memory {
    /// The fingerprint of a text.
    fn of_text(&mut self, text: &Bytes) -> u128 {
        if let Some((_, known)) = self.texts.iter().find(|(other, _)| other == text) {
            return *known;
        }
        let fresh = fingerprint(text).0;
        if self.texts.len() >= TEXTS_MAX {
            self.texts.remove(0);
        }
        self.texts.push((text.clone(), fresh));
        fresh
    }

    fn recall(&mut self, key: Key) -> Option<Played> {
        if let Some(played) = self.young.get(&key) {
            return Some(played.clone());
        }
        let played = self.old.remove(&key)?;
        self.keep(key, played.clone());
        Some(played)
    }

    fn keep(&mut self, key: Key, played: Played) {
        self.bytes = self.bytes.saturating_add(weight(&played));
        if self.bytes > GENERATION_BYTES_MAX {
            self.old = std::mem::take(&mut self.young);
            self.bytes = weight(&played);
        }
        self.young.insert(key, played);
    }
}

/// Approximate memory of a result, in bytes.
fn weight(played: &Played) -> usize {
    played.as_ref().map_or(300, |scene| scene.bytes())
}

impl ProgramState {
    /// Approximate memory of the state, in bytes.
    pub fn bytes(&self) -> usize {
        let threads = self.threads.iter().map(|thread| {
            let frames = thread.frames.iter().map(|frame| {
                let locals = frame.locals.iter().map(|local| 100 + local.name.len() + local.shown.len());
                100 + locals.sum::<usize>()
            });
            200 + said(&thread.state) + frames.sum::<usize>()
        });
        200 + threads.sum::<usize>()
    }
}

/// Bytes of the texts in it.
fn said(state: &State) -> usize {
    let list = |texts: &[Bytes]| texts.iter().map(|text| 50 + text.len()).sum();
    match state {
        State::Failed(Failed::Error(text))
        | State::Requests(
            Request::Enter { section: text }
            | Request::Leave { section: text }
            | Request::Note { text }
            | Request::Tally { name: text, .. }
            | Request::Check { text, .. }
            | Request::Processed { id: text }
            | Request::Connect { node: text },
        ) => text.len(),
        State::Requests(Request::Answer { value }) => value.as_ref().map_or(0, Bytes::len),
        State::Requests(Request::Produced { id, key }) => id.len() + key.as_ref().map_or(0, Bytes::len),
        State::Requests(Request::Memory { region, command, .. }) => region.len() + command.bytes(),
        State::Requests(Request::Call { argv: texts, .. } | Request::Subscribe { channels: texts }) => list(texts),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Answer, Reply, ThreadSnapshot};
    use std::cell::Cell;
    use std::rc::Rc;

    /// Returns a program state that notes the program's text, and counts the calls.
    struct Noting {
        played: Rc<Cell<u32>>,
        /// Those that it belongs to.
        programs: Programs,
    }

    impl Player for Noting {
        fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
            assert!(!self.programs.is_installed(), "it plays already");
            assert_eq!(self.programs.scene(text, history), Err(Unplayable::NoPlayer));
            self.played.set(self.played.get() + 1);
            match text.as_ref() {
                b"broken" => Err(Unplayable::Broken),
                b"diverged" => Err(Unplayable::Diverged { at: history.len() }),
                _ => {
                    let state = State::Requests(Request::Note { text: text.clone() });
                    Ok(ProgramState { threads: vec![ThreadSnapshot { state, frames: Vec::new() }], live: None })
                }
            }
        }
    }

    fn noting() -> (Programs, Rc<Cell<u32>>) {
        let programs = Programs::default();
        let played = install_noting(&programs);
        (programs, played)
    }

    fn install_noting(programs: &Programs) -> Rc<Cell<u32>> {
        let played = Rc::new(Cell::new(0));
        programs.install(Box::new(Noting { played: Rc::clone(&played), programs: programs.clone() }));
        played
    }

    fn history(n: i64) -> History {
        History::default().push(Answer { thread: 0, reply: Reply::Integer(n) })
    }

    #[test]
    fn without_a_player_nothing_is_played() {
        let programs = Programs::default();
        assert!(!programs.is_installed());
        assert_eq!(programs.scene(&Bytes::new(), &History::default()), Err(Unplayable::NoPlayer));
        let played = install_noting(&programs);
        assert!(programs.is_installed());
        assert!(programs.scene(&Bytes::new(), &History::default()).is_ok(), "that there was none is not remembered");
        assert!(programs.is_installed());
        assert_eq!(played.get(), 1);
    }

    #[test]
    fn recent_states_are_cached_but_crashes_are_not() {
        let (programs, played) = noting();
        let scene = |text: &Bytes, history: &History| programs.scene(text, history);
        let text = Bytes::from_static(b"a");
        let first = scene(&text, &history(1));
        assert_eq!(scene(&text, &history(1)), first);
        assert_eq!(played.get(), 1);
        assert_eq!(scene(&text, &history(2)), first);
        assert_ne!(scene(&Bytes::from_static(b"b"), &history(1)), first);
        assert_eq!(played.get(), 3);
        for _ in 0..2 {
            assert_eq!(scene(&Bytes::from_static(b"diverged"), &history(1)), Err(Unplayable::Diverged { at: 1 }));
        }
        assert_eq!(played.get(), 4);
        for _ in 0..2 {
            assert_eq!(scene(&Bytes::from_static(b"broken"), &history(1)), Err(Unplayable::Broken));
        }
        assert_eq!(played.get(), 6);
        let played = install_noting(&programs);
        assert_eq!(scene(&text, &history(1)), first);
        assert_eq!(played.get(), 1, "another player begins with an empty memory");
    }

    #[test]
    fn cache_is_bounded_and_keeps_entries_in_use() {
        let (programs, played) = noting();
        let scene = |text: &Bytes, history: &History| programs.scene(text, history);
        let text = Bytes::from(vec![b'x'; 1 << 20]);
        for n in 0..100 {
            assert!(scene(&text, &history(n)).is_ok());
            assert!(scene(&text, &history(0)).is_ok());
        }
        assert_eq!(played.get(), 100, "the first one was asked all the time");
        assert!(scene(&text, &history(1)).is_ok());
        assert_eq!(played.get(), 101, "the second one is forgotten");
        let memory = programs.0.memory.borrow();
        let bytes = memory.young.values().chain(memory.old.values()).map(weight).sum::<usize>();
        assert!(bytes <= 2 * GENERATION_BYTES_MAX, "{bytes}");
    }
}
