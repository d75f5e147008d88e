//! Which key does what. One rule for the reader: a single key where nothing is being typed, the same key with Alt anywhere. Single keys
//! can be switched off, and keys changed (WCAG 2.1.4).
//!
//! Letters and punctuation go by their place on the keyboard (`KeyboardEvent.code`), because Alt turns them into
//! other characters on some systems and a Chinese input method swallows the character altogether.

/// What a key can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// One step back.
    StepBack,
    /// One step forward.
    StepForward,
    /// To the beginning.
    First,
    /// To the end of this branch.
    Last,
    /// Let the clock run, or stop it.
    PlayPause,
    /// A slower clock.
    Slower,
    /// A faster clock.
    Faster,
    /// One second passes.
    Second,
    /// Time passes until the next deadline.
    Deadline,
    /// Another branch.
    NextBranch,
    /// One more client.
    NewClient,
    /// The terminal of the client before.
    PreviousClient,
    /// The terminal of the client after.
    NextClient,
    /// The terminal in this place, from 1.
    Client(u8),
    /// The filter of the keyspace.
    FilterKeys,
    /// Fold or unfold the list of steps.
    Steps,
    /// Open or close the script editor.
    Scripts,
    /// Open or close the lanes of the sandbox.
    Lanes,
    /// Open or close the river of the sandbox.
    River,
    /// The other language.
    Language,
    /// Projector mode.
    Projector,
    /// Focus mode.
    Focus,
    /// The overlay with these keys.
    Help,
    /// Leave the field that is being typed in.
    Leave,
}

/// A key press, free of browser types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyPress<'a> {
    /// Place on the keyboard, e.g. `Comma`.
    pub code: &'a str,
    /// What it would write, e.g. `?`.
    pub key: &'a str,
    /// Alt is down.
    pub alt: bool,
    /// Control or Command is down.
    pub ctrl: bool,
    /// Shift is down.
    pub shift: bool,
    /// The focus is in a field.
    pub is_typing: bool,
    /// An input method is composing.
    pub is_composing: bool,
}

/// A key by its place on the keyboard, with or without Shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// Its place, one of [`CODES`].
    code: &'static str,
    /// Shift is down.
    shift: bool,
}

/// Places of keys that may be given to a shortcut, with what is printed on them where an English keyboard has them.
const CODES: [(&str, &str); 37] = [
    ("KeyA", "A"),
    ("KeyB", "B"),
    ("KeyC", "C"),
    ("KeyD", "D"),
    ("KeyE", "E"),
    ("KeyF", "F"),
    ("KeyG", "G"),
    ("KeyH", "H"),
    ("KeyI", "I"),
    ("KeyJ", "J"),
    ("KeyK", "K"),
    ("KeyL", "L"),
    ("KeyM", "M"),
    ("KeyN", "N"),
    ("KeyO", "O"),
    ("KeyP", "P"),
    ("KeyQ", "Q"),
    ("KeyR", "R"),
    ("KeyS", "S"),
    ("KeyT", "T"),
    ("KeyU", "U"),
    ("KeyV", "V"),
    ("KeyW", "W"),
    ("KeyX", "X"),
    ("KeyY", "Y"),
    ("KeyZ", "Z"),
    ("Comma", ","),
    ("Period", "."),
    ("Minus", "-"),
    ("Equal", "="),
    ("BracketLeft", "["),
    ("BracketRight", "]"),
    ("Semicolon", ";"),
    ("Quote", "'"),
    ("Backquote", "`"),
    ("Backslash", "\\"),
    ("IntlBackslash", "<>"),
];

impl Chord {
    /// The chord of a key that may be given to a shortcut.
    pub fn of(code: &str, shift: bool) -> Option<Chord> {
        CODES.iter().find(|(other, _)| *other == code).map(|(code, _)| Chord { code, shift })
    }

    /// As it is shown.
    pub fn label(self) -> String {
        let key = CODES.iter().find(|(code, _)| *code == self.code).map_or(self.code, |(_, label)| label);
        match (self.code, self.shift) {
            ("Comma", true) => "<".to_owned(),
            ("Period", true) => ">".to_owned(),
            (_, true) => format!("Shift {key}"),
            (_, false) => key.to_owned(),
        }
    }
}

/// What a key can be given to, with its name in the stored preferences and the key that it has at first.
const DEFAULTS: [(Shortcut, &str, &str, bool); 21] = [
    (Shortcut::StepBack, "back", "Comma", false),
    (Shortcut::StepForward, "forward", "Period", false),
    (Shortcut::First, "first", "Comma", true),
    (Shortcut::Last, "last", "Period", true),
    (Shortcut::PlayPause, "run", "KeyP", false),
    (Shortcut::Slower, "slower", "Minus", false),
    (Shortcut::Faster, "faster", "Equal", false),
    (Shortcut::Second, "second", "KeyS", false),
    (Shortcut::Deadline, "deadline", "KeyJ", false),
    (Shortcut::NextBranch, "branch", "KeyB", false),
    (Shortcut::NewClient, "client", "KeyN", false),
    (Shortcut::PreviousClient, "client-before", "BracketLeft", false),
    (Shortcut::NextClient, "client-after", "BracketRight", false),
    (Shortcut::FilterKeys, "filter", "KeyK", false),
    (Shortcut::Steps, "steps", "KeyT", false),
    (Shortcut::Scripts, "scripts", "KeyE", false),
    (Shortcut::Lanes, "lanes", "KeyA", false),
    (Shortcut::River, "river", "KeyR", false),
    (Shortcut::Language, "language", "KeyL", false),
    (Shortcut::Projector, "projector", "KeyV", false),
    (Shortcut::Focus, "focus", "KeyF", false),
];

/// Which key does what, and whether single keys do anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Whether keys work without Alt, where nothing is typed.
    pub is_single: bool,
    /// In the order of the defaults.
    chords: [Chord; DEFAULTS.len()],
}

impl Default for Keys {
    fn default() -> Keys {
        Keys { is_single: true, chords: DEFAULTS.map(|(_, _, code, shift)| Chord { code, shift }) }
    }
}

impl Keys {
    /// What keys can be given to, each with the key that it has.
    pub fn all(&self) -> impl Iterator<Item = (Shortcut, Chord)> + '_ {
        DEFAULTS.iter().zip(self.chords).map(|((shortcut, ..), chord)| (*shortcut, chord))
    }

    /// With another key for a shortcut.
    ///
    /// # Errors
    /// The shortcut that has this key.
    pub fn with(&self, shortcut: Shortcut, chord: Chord) -> Result<Keys, Shortcut> {
        if let Some((other, _)) = self.all().find(|(other, its)| *its == chord && *other != shortcut) {
            return Err(other);
        }
        let mut next = self.clone();
        let at = DEFAULTS.iter().position(|(other, ..)| *other == shortcut);
        if let Some(place) = at.and_then(|at| next.chords.get_mut(at)) {
            *place = chord;
        }
        Ok(next)
    }

    /// With the keys that shortcuts have at first.
    pub fn reset(&self) -> Keys {
        Keys { is_single: self.is_single, ..Keys::default() }
    }

    /// The stored form: a line for each key that was changed.
    pub fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![format!("keys {}", if self.is_single { "on" } else { "off" })];
        for ((_, name, code, shift), chord) in DEFAULTS.iter().zip(self.chords) {
            if (*code, *shift) != (chord.code, chord.shift) {
                lines.push(format!("key-{name} {}{}", if chord.shift { "Shift+" } else { "" }, chord.code));
            }
        }
        lines
    }

    /// The change that a stored line says: shortcut and key.
    pub fn read_line(name: &str, value: &str) -> Option<(Shortcut, Chord)> {
        let name = name.strip_prefix("key-")?;
        let (shortcut, ..) = DEFAULTS.iter().find(|(_, other, ..)| *other == name)?;
        let (code, shift) = value.strip_prefix("Shift+").map_or((value, false), |code| (code, true));
        Some((*shortcut, Chord::of(code, shift)?))
    }

    /// What `press` asks for, if anything.
    pub fn shortcut(&self, press: KeyPress<'_>) -> Option<Shortcut> {
        if press.is_composing || press.ctrl {
            return None;
        }
        if press.key == "Escape" {
            return press.is_typing.then_some(Shortcut::Leave);
        }
        if press.key == "F1" {
            return Some(Shortcut::Help);
        }
        if !press.alt && (press.is_typing || !self.is_single && press.key.chars().count() == 1) {
            return None;
        }
        if press.key == "?" || (press.code == "Slash" && press.shift) {
            return Some(Shortcut::Help);
        }
        if let Some(digit) = press.code.strip_prefix("Digit").and_then(|digit| digit.parse().ok())
            && !press.shift
            && (1..=8).contains(&digit)
        {
            return Some(Shortcut::Client(digit));
        }
        match (press.code, press.shift) {
            // Arrows only where nothing is typed and nothing scrolls by them with Alt.
            ("ArrowLeft", false) if !press.alt => Some(Shortcut::StepBack),
            ("ArrowRight", false) if !press.alt => Some(Shortcut::StepForward),
            (code, shift) => {
                let mut all = self.all();
                all.find(|(_, chord)| (chord.code, chord.shift) == (code, shift)).map(|(shortcut, _)| shortcut)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chord, KeyPress, Keys, Shortcut};

    fn shortcut(press: KeyPress<'_>) -> Option<Shortcut> {
        Keys::default().shortcut(press)
    }

    fn press(code: &'static str, key: &'static str) -> KeyPress<'static> {
        KeyPress { code, key, ..KeyPress::default() }
    }

    #[test]
    fn a_single_key_works_only_where_nothing_is_typed() {
        assert_eq!(shortcut(press("Comma", ",")), Some(Shortcut::StepBack));
        assert_eq!(shortcut(KeyPress { is_typing: true, ..press("Comma", ",") }), None);
        assert_eq!(shortcut(KeyPress { is_typing: true, alt: true, ..press("Comma", "≤") }), Some(Shortcut::StepBack));
        assert_eq!(shortcut(KeyPress { is_typing: true, ..press("Slash", "?") }), None);
        assert_eq!(shortcut(KeyPress { shift: true, ..press("Slash", "?") }), Some(Shortcut::Help));
    }

    #[test]
    fn the_browser_and_the_input_method_keep_their_keys() {
        assert_eq!(shortcut(KeyPress { ctrl: true, ..press("KeyS", "s") }), None);
        assert_eq!(shortcut(KeyPress { alt: true, ctrl: true, ..press("KeyL", "ł") }), None, "AltGr writes");
        assert_eq!(shortcut(KeyPress { alt: true, ..press("ArrowLeft", "ArrowLeft") }), None, "browser history");
        assert_eq!(shortcut(KeyPress { is_composing: true, is_typing: true, alt: true, ..press("KeyP", "p") }), None);
        assert_eq!(shortcut(press("Tab", "Tab")), None);
    }

    #[test]
    fn escape_leaves_a_field_and_digits_choose_a_client() {
        assert_eq!(shortcut(KeyPress { is_typing: true, ..press("Escape", "Escape") }), Some(Shortcut::Leave));
        assert_eq!(shortcut(press("Escape", "Escape")), None);
        assert_eq!(shortcut(press("Digit8", "8")), Some(Shortcut::Client(8)));
        assert_eq!(shortcut(press("Digit9", "9")), None);
        assert_eq!(shortcut(press("Digit0", "0")), None);
    }

    #[test]
    fn single_keys_can_be_switched_off_and_alt_and_arrows_still_work() {
        let keys = Keys { is_single: false, ..Keys::default() };
        for off in [press("KeyP", "p"), press("Comma", ","), press("Digit1", "1"), press("Slash", "?")] {
            assert_eq!(keys.shortcut(off), None, "{off:?}");
        }
        assert_eq!(keys.shortcut(KeyPress { alt: true, ..press("KeyP", "π") }), Some(Shortcut::PlayPause));
        assert_eq!(keys.shortcut(press("ArrowRight", "ArrowRight")), Some(Shortcut::StepForward));
        assert_eq!(keys.shortcut(press("F1", "F1")), Some(Shortcut::Help));
    }

    #[test]
    fn a_key_can_be_given_to_another_shortcut_unless_one_has_it() {
        let keys = Keys::default();
        let free = Chord::of("KeyZ", false).unwrap();
        let changed = keys.with(Shortcut::PlayPause, free).unwrap();
        assert_eq!(changed.shortcut(press("KeyZ", "z")), Some(Shortcut::PlayPause));
        assert_eq!(changed.shortcut(press("KeyP", "p")), None);
        assert_eq!(keys.with(Shortcut::PlayPause, Chord::of("KeyS", false).unwrap()), Err(Shortcut::Second));
        assert_eq!(keys.with(Shortcut::Second, Chord::of("KeyS", false).unwrap()), Ok(keys.clone()));
        assert_eq!((Chord::of("Tab", false), Chord::of("ArrowLeft", false)), (None, None));
    }

    #[test]
    fn what_is_stored_of_keys_comes_back() {
        let chord = Chord::of("KeyQ", true).unwrap();
        let keys = Keys { is_single: false, ..Keys::default().with(Shortcut::Lanes, chord).unwrap() };
        assert_eq!(keys.to_lines(), ["keys off", "key-lanes Shift+KeyQ"]);
        assert_eq!(Keys::read_line("key-lanes", "Shift+KeyQ"), Some((Shortcut::Lanes, chord)));
        for (name, value) in [("key-lanes", "Tab"), ("key-else", "KeyQ"), ("lanes", "KeyQ"), ("key-lanes", "")] {
            assert_eq!(Keys::read_line(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn no_two_shortcuts_begin_with_the_same_key() {
        let all: Vec<_> = Keys::default().all().collect();
        for (at, (_, chord)) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|(_, other)| other != chord), "{chord:?}");
        }
    }
}
