//! Keyboard shortcuts. One rule for the reader: a single key works where no text is being typed, the same key with Alt works everywhere.
//! Single keys can be switched off, and keys changed (WCAG 2.1.4).
//!
//! Letters and punctuation are identified by their position on the keyboard (`KeyboardEvent.code`): Alt turns them into other characters on
//! some systems, and a Chinese input method consumes the character entirely.

/// An action that has a shortcut.
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
    /// Start or stop the clock.
    PlayPause,
    /// A slower clock.
    Slower,
    /// A faster clock.
    Faster,
    /// Advance the clock by one second.
    Second,
    /// Advance the clock to the next deadline.
    Deadline,
    /// Switch to the next branch.
    NextBranch,
    /// Add a client.
    NewClient,
    /// The terminal of the previous client.
    PreviousClient,
    /// The terminal of the next client.
    NextClient,
    /// The terminal in this place, from 1.
    Client(u8),
    /// A panel, by its name in the registry: to the front, or folded.
    Panel(&'static str),
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
    /// Switch the language.
    Language,
    /// Projector mode.
    Projector,
    /// Focus mode.
    Focus,
    /// Show the list of shortcuts.
    Help,
    /// Leave the text field.
    Leave,
}

/// A key press, without browser types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyPress<'a> {
    /// Position on the keyboard, e.g. `Comma`.
    pub code: &'a str,
    /// The character it would type, e.g. `?`.
    pub key: &'a str,
    /// Alt is down.
    pub alt: bool,
    /// Control or Command is down.
    pub ctrl: bool,
    /// Shift is down.
    pub shift: bool,
    /// The focus is in a text field.
    pub is_typing: bool,
    /// An input method is composing.
    pub is_composing: bool,
}

/// A key by its position on the keyboard, with or without Shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// Its position, one of [`CODES`].
    code: &'static str,
    /// Shift is down.
    shift: bool,
}

/// Positions that a shortcut may use, with the characters printed there on an English keyboard.
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
    /// The chord of a key, if a shortcut may use it.
    pub fn of(code: &str, shift: bool) -> Option<Chord> {
        CODES.iter().find(|(other, _)| *other == code).map(|(code, _)| Chord { code, shift })
    }

    /// The label shown to the reader.
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

/// Shortcuts whose key can be changed, each with its name in the stored preferences and its default key.
const DEFAULTS: [(Shortcut, &str, &str, bool); 31] = [
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
    (Shortcut::Panel("terminals"), "panel-terminals", "KeyC", false),
    (Shortcut::Panel("programs"), "panel-programs", "KeyG", false),
    (Shortcut::Panel("lesson"), "panel-lesson", "KeyD", false),
    (Shortcut::Panel("verdict"), "panel-verdict", "KeyH", false),
    (Shortcut::Panel("queue"), "panel-queue", "KeyQ", false),
    (Shortcut::Panel("keyspace"), "panel-keyspace", "KeyY", false),
    (Shortcut::Panel("inside"), "panel-inside", "KeyI", false),
    (Shortcut::Panel("nodes"), "panel-nodes", "KeyO", false),
    (Shortcut::Panel("tables"), "panel-tables", "KeyM", false),
    (Shortcut::Panel("traffic"), "panel-traffic", "KeyX", false),
];

/// The key of each shortcut, and whether single keys work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Whether keys work without Alt while no text is being typed.
    pub is_single: bool,
    /// In the order of `DEFAULTS`.
    chords: [Chord; DEFAULTS.len()],
}

impl Default for Keys {
    fn default() -> Keys {
        Keys { is_single: true, chords: DEFAULTS.map(|(_, _, code, shift)| Chord { code, shift }) }
    }
}

impl Keys {
    /// Shortcuts whose key can be changed, each with its current key.
    pub fn all(&self) -> impl Iterator<Item = (Shortcut, Chord)> + '_ {
        DEFAULTS.iter().zip(self.chords).map(|((shortcut, ..), chord)| (*shortcut, chord))
    }

    /// A copy with another key for a shortcut.
    ///
    /// # Errors
    /// The shortcut that already has this key.
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

    /// A copy with the default keys.
    pub fn reset(&self) -> Keys {
        Keys { is_single: self.is_single, ..Keys::default() }
    }

    /// The stored form: one line for each changed key.
    pub fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![format!("keys {}", if self.is_single { "on" } else { "off" })];
        for ((_, name, code, shift), chord) in DEFAULTS.iter().zip(self.chords) {
            if (*code, *shift) != (chord.code, chord.shift) {
                lines.push(format!("key-{name} {}{}", if chord.shift { "Shift+" } else { "" }, chord.code));
            }
        }
        lines
    }

    /// Parses a stored line: the shortcut and its key.
    pub fn read_line(name: &str, value: &str) -> Option<(Shortcut, Chord)> {
        let name = name.strip_prefix("key-")?;
        let (shortcut, ..) = DEFAULTS.iter().find(|(_, other, ..)| *other == name)?;
        let (code, shift) = value.strip_prefix("Shift+").map_or((value, false), |code| (code, true));
        Some((*shortcut, Chord::of(code, shift)?))
    }

    /// The shortcut of `press`, if any.
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
            // Arrows without Alt, and only where no text is typed and nothing scrolls with them.
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
    fn single_key_works_only_where_no_text_is_typed() {
        assert_eq!(shortcut(press("Comma", ",")), Some(Shortcut::StepBack));
        assert_eq!(shortcut(KeyPress { is_typing: true, ..press("Comma", ",") }), None);
        assert_eq!(shortcut(KeyPress { is_typing: true, alt: true, ..press("Comma", "≤") }), Some(Shortcut::StepBack));
        assert_eq!(shortcut(KeyPress { is_typing: true, ..press("Slash", "?") }), None);
        assert_eq!(shortcut(KeyPress { shift: true, ..press("Slash", "?") }), Some(Shortcut::Help));
    }

    #[test]
    fn browser_and_input_method_keep_their_keys() {
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
    fn alt_and_arrows_still_work_without_single_keys() {
        let keys = Keys { is_single: false, ..Keys::default() };
        for off in [press("KeyP", "p"), press("Comma", ","), press("Digit1", "1"), press("Slash", "?")] {
            assert_eq!(keys.shortcut(off), None, "{off:?}");
        }
        assert_eq!(keys.shortcut(KeyPress { alt: true, ..press("KeyP", "π") }), Some(Shortcut::PlayPause));
        assert_eq!(keys.shortcut(press("ArrowRight", "ArrowRight")), Some(Shortcut::StepForward));
        assert_eq!(keys.shortcut(press("F1", "F1")), Some(Shortcut::Help));
    }

    #[test]
    fn free_key_can_be_given_to_another_shortcut() {
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
    fn stored_keys_are_restored() {
        let chord = Chord::of("KeyQ", true).unwrap();
        let keys = Keys { is_single: false, ..Keys::default().with(Shortcut::Lanes, chord).unwrap() };
        assert_eq!(keys.to_lines(), ["keys off", "key-lanes Shift+KeyQ"]);
        assert_eq!(Keys::read_line("key-lanes", "Shift+KeyQ"), Some((Shortcut::Lanes, chord)));
        for (name, value) in [("key-lanes", "Tab"), ("key-else", "KeyQ"), ("lanes", "KeyQ"), ("key-lanes", "")] {
            assert_eq!(Keys::read_line(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn default_keys_are_distinct() {
        let all: Vec<_> = Keys::default().all().collect();
        for (at, (_, chord)) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|(_, other)| other != chord), "{chord:?}");
        }
    }
}
