//! The player of this thread, and the scenes that it has played lately.
use super::{Failed, History, Player, Request, Scene, State, Unplayable};
use crate::fingerprint;
use bytes::Bytes;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What scenes of one generation may take in memory, in bytes; there are two.
const GENERATION_BYTES_MAX: usize = 8 << 20;

/// Texts whose fingerprints are remembered: more than different programs run in one world.
const TEXTS_MAX: usize = 8;

thread_local! {
    static PLAYER: RefCell<Option<Box<dyn Player>>> = const { RefCell::new(None) };
    static MEMORY: RefCell<Memory> = const { RefCell::new(Memory::EMPTY) };
}

/// Makes a player the one of this thread, in place of the one before.
pub fn install(player: Box<dyn Player>) {
    PLAYER.set(Some(player));
    MEMORY.set(Memory::EMPTY);
}

/// Is there a player on this thread, and is it idle?
pub fn installed() -> bool {
    PLAYER.with_borrow(Option::is_some)
}

/// What a program looks like after a history, by this thread's player. What was asked lately is remembered.
///
/// # Errors
/// [`Unplayable`]; [`Unplayable::NoPlayer`] where none is installed.
pub fn scene(text: &Bytes, history: &History) -> Result<Arc<Scene>, Unplayable> {
    let (key, known) = MEMORY.with_borrow_mut(|memory| {
        let key = (memory.of_text(text), history.fingerprint());
        (key, memory.recall(key))
    });
    if let Some(played) = known {
        return played;
    }
    // Taken out meanwhile, so that a player which reached this again would find none instead of a locked cell.
    let Some(mut player) = PLAYER.take() else { return Err(Unplayable::NoPlayer) };
    let played = player.play(text, history).map(Arc::new);
    PLAYER.with_borrow_mut(|place| {
        if place.is_none() {
            *place = Some(player);
        }
    });
    // A machine that breaks down may be in its place again the next time.
    if !matches!(played, Err(Unplayable::Broken | Unplayable::NoPlayer)) {
        MEMORY.with_borrow_mut(|memory| memory.keep(key, played.clone()));
    }
    played
}

/// Fingerprints of a text and of a history.
type Key = (u128, u128);

type Played = Result<Arc<Scene>, Unplayable>;

/// Scenes by what they follow from, in two generations: when the younger one is full it becomes the older one, and what was in
/// that is forgotten. Whatever is asked again in time is young again.
struct Memory {
    /// Texts that were asked for lately, with their fingerprints: to compare one costs less than to hash it.
    texts: Vec<(Bytes, u128)>,
    young: BTreeMap<Key, Played>,
    old: BTreeMap<Key, Played>,
    /// What the young ones take.
    bytes: usize,
}

impl Memory {
    const EMPTY: Memory = Memory { texts: Vec::new(), young: BTreeMap::new(), old: BTreeMap::new(), bytes: 0 };

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
    let Ok(scene) = played else { return 300 };
    let threads = scene.threads.iter().map(|stand| {
        let frames = stand.frames.iter().map(|frame| {
            let locals = frame.locals.iter().map(|local| 100 + local.name.len() + local.shown.len());
            100 + locals.sum::<usize>()
        });
        200 + said(&stand.state) + frames.sum::<usize>()
    });
    200 + threads.sum::<usize>()
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
        State::Requests(Request::Produced { id, key }) => id.len() + key.as_ref().map_or(0, Bytes::len),
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
    struct Noting(Rc<Cell<u32>>);

    impl Player for Noting {
        fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
            assert!(!installed(), "it is lent meanwhile");
            assert_eq!(scene(text, history), Err(Unplayable::NoPlayer));
            self.0.set(self.0.get() + 1);
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

    fn install_noting() -> Rc<Cell<u32>> {
        let played = Rc::new(Cell::new(0));
        install(Box::new(Noting(Rc::clone(&played))));
        played
    }

    fn history(n: i64) -> History {
        History::default().push(Answer { thread: 0, reply: Reply::Integer(n) })
    }

    #[test]
    fn without_a_player_there_is_no_scene() {
        assert!(!installed());
        assert_eq!(scene(&Bytes::new(), &History::default()), Err(Unplayable::NoPlayer));
        let played = install_noting();
        assert!(installed());
        assert!(scene(&Bytes::new(), &History::default()).is_ok(), "that there was none is not remembered");
        assert!(installed());
        assert_eq!(played.get(), 1);
    }

    #[test]
    fn what_was_played_lately_is_remembered_and_breakdowns_are_not() {
        let played = install_noting();
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
        let played = install_noting();
        assert_eq!(scene(&text, &history(1)), first);
        assert_eq!(played.get(), 1, "another player begins with an empty memory");
    }

    #[test]
    fn the_memory_is_bounded_and_keeps_what_is_asked_again() {
        let played = install_noting();
        let text = Bytes::from(vec![b'x'; 1 << 20]);
        for n in 0..100 {
            assert!(scene(&text, &history(n)).is_ok());
            assert!(scene(&text, &history(0)).is_ok());
        }
        assert_eq!(played.get(), 100, "the first one was asked all the time");
        assert!(scene(&text, &history(1)).is_ok());
        assert_eq!(played.get(), 101, "the second one is forgotten");
        let bytes =
            MEMORY.with_borrow(|memory| memory.young.values().chain(memory.old.values()).map(weight).sum::<usize>());
        assert!(bytes <= 2 * GENERATION_BYTES_MAX, "{bytes}");
    }
}
