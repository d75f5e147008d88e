//! Which key does what. One rule for the reader: a single key where nothing is being typed, the same key with Alt anywhere.
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
    /// The other language.
    Language,
    /// Projector mode.
    Projector,
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

/// What the overlay lists: the key as printed on it, and what it does.
pub const SHOWN: [(&str, Shortcut); 21] = [
    (",", Shortcut::StepBack),
    (".", Shortcut::StepForward),
    ("<", Shortcut::First),
    (">", Shortcut::Last),
    ("P", Shortcut::PlayPause),
    ("-", Shortcut::Slower),
    ("=", Shortcut::Faster),
    ("S", Shortcut::Second),
    ("J", Shortcut::Deadline),
    ("B", Shortcut::NextBranch),
    ("N", Shortcut::NewClient),
    ("[", Shortcut::PreviousClient),
    ("]", Shortcut::NextClient),
    ("1–8", Shortcut::Client(1)),
    ("K", Shortcut::FilterKeys),
    ("T", Shortcut::Steps),
    ("E", Shortcut::Scripts),
    ("A", Shortcut::Lanes),
    ("L", Shortcut::Language),
    ("V", Shortcut::Projector),
    ("?", Shortcut::Help),
];

/// What `press` asks for, if anything.
pub fn shortcut(press: KeyPress<'_>) -> Option<Shortcut> {
    if press.is_composing || press.ctrl {
        return None;
    }
    if press.key == "Escape" {
        return press.is_typing.then_some(Shortcut::Leave);
    }
    if press.key == "F1" {
        return Some(Shortcut::Help);
    }
    if press.is_typing && !press.alt {
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
    by_place(press)
}

fn by_place(press: KeyPress<'_>) -> Option<Shortcut> {
    Some(match (press.code, press.shift) {
        ("Comma", false) => Shortcut::StepBack,
        ("Period", false) => Shortcut::StepForward,
        ("Comma", true) => Shortcut::First,
        ("Period", true) => Shortcut::Last,
        // Arrows only where nothing is typed and nothing scrolls by them with Alt.
        ("ArrowLeft", false) if !press.alt => Shortcut::StepBack,
        ("ArrowRight", false) if !press.alt => Shortcut::StepForward,
        ("KeyP", false) => Shortcut::PlayPause,
        ("Minus", false) => Shortcut::Slower,
        ("Equal", false) => Shortcut::Faster,
        ("KeyS", false) => Shortcut::Second,
        ("KeyJ", false) => Shortcut::Deadline,
        ("KeyB", false) => Shortcut::NextBranch,
        ("KeyN", false) => Shortcut::NewClient,
        ("BracketLeft", false) => Shortcut::PreviousClient,
        ("BracketRight", false) => Shortcut::NextClient,
        ("KeyK", false) => Shortcut::FilterKeys,
        ("KeyT", false) => Shortcut::Steps,
        ("KeyE", false) => Shortcut::Scripts,
        ("KeyA", false) => Shortcut::Lanes,
        ("KeyL", false) => Shortcut::Language,
        ("KeyV", false) => Shortcut::Projector,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{KeyPress, Shortcut, shortcut};

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
}
