//! `Programs`: what plays programs, and the scenes that it has played lately.
use super::{Failed, History, Player, Request, Scene, State, Unplayable};
use crate::{Alike, fingerprint};
use bytes::Bytes;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What scenes of one generation may take in memory, in bytes; there are two.
const GENERATION_BYTES_MAX: usize = 8 << 20;

/// Texts whose fingerprints are remembered: more than different programs run in one world.
const TEXTS_MAX: usize = 8;

/// What plays programs, shared by the worlds that it is given to: a player, once there is one, and its memory.
///
/// A world with a player is still a value: a scene follows from text and history, not from the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Programs(Alike<Inner>);

#[derive(Default)]
struct Inner {
    player: RefCell<Option<Box<dyn Player>>>,
    memory: RefCell<Memory>,
}

impl Programs {
    /// With this player.
    pub fn new(player: impl Player + 'static) -> Programs {
        let programs = Programs::default();
        programs.install(Box::new(player));
        programs
    }

    /// Puts a player in place of the one before, for all who share this.
    pub fn install(&self, player: Box<dyn Player>) {
        self.0.player.replace(Some(player));
        self.0.memory.replace(Memory::default());
    }

    /// Is there a player, and is it idle?
    pub fn is_installed(&self) -> bool {
        self.0.player.try_borrow().is_ok_and(|player| player.is_some())
    }

    /// What a program looks like after a history. What was asked lately is remembered.
    ///
    /// # Errors
    /// [`Unplayable`]; [`Unplayable::NoPlayer`] where there is none, and where it is asked while it plays.
    pub fn scene(&self, text: &Bytes, history: &History) -> Result<Arc<Scene>, Unplayable> {
        let (key, known) = {
            let mut memory = self.0.memory.borrow_mut();
            let key = (memory.of_text(text), history.fingerprint());
            (key, memory.recall(key))
        };
        if let Some(played) = known {
            return played;
        }
        // A player that reached this again would find none instead of a locked cell.
        let Ok(mut player) = self.0.player.try_borrow_mut() else { return Err(Unplayable::NoPlayer) };
        let Some(player) = player.as_mut() else { return Err(Unplayable::NoPlayer) };
        let played = player.play(text, history).map(Arc::new);
        // A machine that breaks down may be in its place again the next time.
        if !matches!(played, Err(Unplayable::Broken | Unplayable::NoPlayer)) {
            self.0.memory.borrow_mut().keep(key, played.clone());
        }
        played
    }
}

/// Fingerprints of a text and of a history.
type Key = (u128, u128);

type Played = Result<Arc<Scene>, Unplayable>;

/// Scenes by what they follow from, in two generations: when the younger one is full it becomes the older one, and what was in
/// that is forgotten. Whatever is asked again in time is young again.
#[derive(Default)]
struct Memory {
    /// Texts that were asked for lately, with their fingerprints: to compare one costs less than to hash it.
    texts: Vec<(Bytes, u128)>,
    young: BTreeMap<Key, Played>,
    old: BTreeMap<Key, Played>,
    /// What the young ones take.
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

/// What it takes in memory, roughly, in bytes.
fn weight(played: &Played) -> usize {
    played.as_ref().map_or(300, |scene| scene.bytes())
}

impl Scene {
    /// What it takes in memory, roughly, in bytes.
    pub fn bytes(&self) -> usize {
        let threads = self.threads.iter().map(|stand| {
            let frames = stand.frames.iter().map(|frame| {
                let locals = frame.locals.iter().map(|local| 100 + local.name.len() + local.shown.len());
                100 + locals.sum::<usize>()
            });
            200 + said(&stand.state) + frames.sum::<usize>()
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
    use crate::program::{Answer, Reply, Stand};
    use std::cell::Cell;
    use std::rc::Rc;

    /// Notes the text of the program at each history, and counts how often it plays.
    struct Noting {
        played: Rc<Cell<u32>>,
        /// Those that it belongs to.
        programs: Programs,
    }

    impl Player for Noting {
        fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
            assert!(!self.programs.is_installed(), "it plays already");
            assert_eq!(self.programs.scene(text, history), Err(Unplayable::NoPlayer));
            self.played.set(self.played.get() + 1);
            match text.as_ref() {
                b"broken" => Err(Unplayable::Broken),
                b"diverged" => Err(Unplayable::Diverged { at: history.len() }),
                _ => {
                    let state = State::Requests(Request::Note { text: text.clone() });
                    Ok(Scene { threads: vec![Stand { state, frames: Vec::new() }], live: None })
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
    fn without_a_player_there_is_no_scene() {
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
    fn what_was_played_lately_is_remembered_and_breakdowns_are_not() {
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
    fn the_memory_is_bounded_and_keeps_what_is_asked_again() {
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
