//! The reader's preferences: language, theme, projector mode, speed, positions of the dividers.
//!
//! Stored as one `name value` pair per line. Unknown names and values are skipped, so an older page can read what a newer one wrote, and a
//! damaged line costs only that one preference.
use std::fmt::Write as _;
use std::rc::Rc;

use yew::Reducible;

use super::keyspace::Arrangement;
use super::layout::SplitId;
use super::shortcuts::{Chord, Keys, Shortcut};
use crate::i18n::Lang;

/// The colour theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Follow the system.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// The word in the stored form and in `data-theme`.
    pub fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn from_word(word: &str) -> Option<Theme> {
        [Theme::System, Theme::Light, Theme::Dark].into_iter().find(|theme| theme.word() == word)
    }

    /// The next theme when the button is clicked.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// Speeds of the clock, in thousandths of real time, slowest first.
pub const SPEEDS: [u32; 9] = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000];

/// The speed of real time.
pub const SPEED_NORMAL: u32 = 1_000;

/// The reader's choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Language of the interface.
    pub lang: Lang,
    /// Colour theme.
    pub theme: Theme,
    /// Large type and fewer controls, for a lecture room.
    pub projector: bool,
    /// Focus mode: what happens fills the page, in type for the last row of a hall.
    pub focus: bool,
    /// Speed of the running clock, in thousandths of real time; one of [`SPEEDS`].
    pub speed_permille: u32,
    /// Positions of the dividers of layouts, in percent, in the order of [`SplitId::ALL`].
    splits: [u8; SplitId::ALL.len()],
    /// Whether the list of steps is unfolded above the track.
    pub steps_open: bool,
    /// Whether the script editor is open below the terminals.
    pub scripts_open: bool,
    /// Whether the lanes are open below the terminals.
    pub lanes_open: bool,
    /// Whether the river is open below the terminals; `None`: it opens once there is a stream.
    pub river_open: Option<bool>,
    /// Whether traffic is open below the terminals.
    pub traffic_open: bool,
    /// Whether the documentation of the command being typed is open in the active terminal.
    pub documentation_open: bool,
    /// How the keyspace lists keys.
    pub keyspace: Arrangement,
    /// The keyboard shortcuts.
    pub keys: Keys,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            lang: Lang::En,
            theme: Theme::System,
            projector: false,
            focus: false,
            speed_permille: SPEED_NORMAL,
            splits: SplitId::ALL.map(|(_, _, percent, _)| percent),
            steps_open: false,
            scripts_open: false,
            lanes_open: false,
            river_open: None,
            traffic_open: false,
            documentation_open: false,
            keyspace: Arrangement::default(),
            keys: Keys::default(),
        }
    }
}

/// A change of one preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// Use this language.
    Lang(Lang),
    /// Use these colours.
    Theme(Theme),
    /// Projector mode on or off.
    Projector(bool),
    /// Focus mode on or off.
    Focus(bool),
    /// Set the clock speed, in thousandths of real time; values outside [`SPEEDS`] are ignored.
    Speed(u32),
    /// The next faster (`true`) or slower speed.
    SpeedStep(bool),
    /// Move a divider of a layout, in percent.
    Split(SplitId, u8),
    /// Fold or unfold the list of steps.
    StepsOpen(bool),
    /// Open or close the script editor.
    ScriptsOpen(bool),
    /// Open or close the lanes of the sandbox.
    LanesOpen(bool),
    /// Open or close the river of the sandbox; `None`: it opens once there is a stream.
    RiverOpen(Option<bool>),
    /// Open or close traffic.
    TrafficOpen(bool),
    /// Open or close the documentation of the command being typed.
    DocumentationOpen(bool),
    /// List the keys of the keyspace like this.
    Keyspace(Arrangement),
    /// Allow shortcuts without Alt, or not.
    SingleKeys(bool),
    /// Set the key of a shortcut; a key that another shortcut has is ignored.
    Key(Shortcut, Chord),
    /// Reset the keys of all shortcuts.
    DefaultKeys,
}

impl Preferences {
    /// The preferences after `change`.
    pub fn with(&self, change: Prefer) -> Preferences {
        let mut next = self.clone();
        match change {
            Prefer::Lang(lang) => next.lang = lang,
            Prefer::Theme(theme) => next.theme = theme,
            Prefer::Projector(on) => next.projector = on,
            Prefer::Focus(on) => next.focus = on,
            Prefer::Speed(permille) if SPEEDS.contains(&permille) => next.speed_permille = permille,
            Prefer::Speed(_) => {}
            Prefer::SpeedStep(faster) => next.speed_permille = stepped(self.speed_permille, faster),
            Prefer::Split(at, percent) => {
                if let Some(split) = next.splits.get_mut(at.index()) {
                    *split = at.clamp(percent);
                }
            }
            Prefer::StepsOpen(open) => next.steps_open = open,
            Prefer::ScriptsOpen(open) => next.scripts_open = open,
            Prefer::LanesOpen(open) => next.lanes_open = open,
            Prefer::RiverOpen(open) => next.river_open = open,
            Prefer::TrafficOpen(open) => next.traffic_open = open,
            Prefer::DocumentationOpen(open) => next.documentation_open = open,
            Prefer::Keyspace(arrangement) => next.keyspace = arrangement,
            Prefer::SingleKeys(on) => next.keys.is_single = on,
            Prefer::Key(shortcut, chord) => {
                if let Ok(keys) = self.keys.with(shortcut, chord) {
                    next.keys = keys;
                }
            }
            Prefer::DefaultKeys => next.keys = self.keys.reset(),
        }
        next
    }

    /// Whether the river is open, given whether messages flow.
    pub fn shows_river(&self, has_flow: bool) -> bool {
        self.river_open.unwrap_or(has_flow)
    }

    /// The river preference after the reader toggles it: `None` if the new state is also the default one.
    pub fn river_toggled(&self, has_flow: bool) -> Option<bool> {
        let is_open = !self.shows_river(has_flow);
        (is_open != has_flow).then_some(is_open)
    }

    /// Position of a divider of a layout, in percent.
    pub fn split(&self, at: SplitId) -> u8 {
        self.splits.get(at.index()).copied().unwrap_or(50)
    }

    /// Reads the dividers of lessons from where an older page stored them, each under its own name: `text`, `side` and `above`, all in
    /// percent of the whole stage.
    pub fn with_lab_splits(&self, read: impl Fn(&str) -> Option<String>) -> Preferences {
        let percent =
            |name: &str| read(name).and_then(|text| text.trim().parse::<u8>().ok()).filter(|percent| *percent <= 100);
        let mut next = self.clone();
        for (at, name) in [(SplitId::Text, "text"), (SplitId::Above, "above")] {
            if let Some(percent) = percent(name) {
                next = next.with(Prefer::Split(at, percent));
            }
        }
        let text = next.split(SplitId::Text);
        if let Some(right) = percent("side").and_then(|side| side.checked_sub(text)) {
            let share = u32::from(right).saturating_mul(100).checked_div(u32::from(100_u8.saturating_sub(text)));
            next = next.with(Prefer::Split(SplitId::Right, u8::try_from(share.unwrap_or(50)).unwrap_or(u8::MAX)));
        }
        next
    }

    /// The stored form.
    pub fn to_text(&self) -> String {
        let on = |flag: bool| if flag { "on" } else { "off" };
        let mut text = String::new();
        let _ = writeln!(text, "lang {}", self.lang.tag());
        let _ = writeln!(text, "theme {}", self.theme.word());
        let _ = writeln!(text, "projector {}", on(self.projector));
        let _ = writeln!(text, "focus {}", on(self.focus));
        let _ = writeln!(text, "speed {}", self.speed_permille);
        for ((_, name, ..), percent) in SplitId::ALL.iter().zip(self.splits) {
            let _ = writeln!(text, "split-{name} {percent}");
        }
        let _ = writeln!(text, "steps {}", on(self.steps_open));
        let _ = writeln!(text, "scripts {}", on(self.scripts_open));
        let _ = writeln!(text, "lanes {}", on(self.lanes_open));
        if let Some(is_open) = self.river_open {
            let _ = writeln!(text, "river {}", on(is_open));
        }
        let _ = writeln!(text, "traffic {}", on(self.traffic_open));
        let _ = writeln!(text, "documentation {}", on(self.documentation_open));
        let _ = writeln!(text, "keyspace {}", self.keyspace.to_words());
        for line in self.keys.to_lines() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Reads preferences from the stored text (empty if there is none) and from the languages that the browser prefers, best first.
    pub fn from_text<'a>(text: &str, browser: impl IntoIterator<Item = &'a str>) -> Preferences {
        let mut preferences = Preferences { lang: Lang::preferred(browser), ..Preferences::default() };
        for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let Some(change) = read_line(name, value.trim()) {
                preferences = preferences.with(change);
            }
        }
        preferences
    }
}

fn read_line(name: &str, value: &str) -> Option<Prefer> {
    let flag = || match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    };
    match name {
        "lang" => Lang::from_tag(value).map(Prefer::Lang),
        "theme" => Theme::from_word(value).map(Prefer::Theme),
        "projector" => flag().map(Prefer::Projector),
        "focus" => flag().map(Prefer::Focus),
        "speed" => value.parse().ok().map(Prefer::Speed),
        "steps" => flag().map(Prefer::StepsOpen),
        "scripts" => flag().map(Prefer::ScriptsOpen),
        "lanes" => flag().map(Prefer::LanesOpen),
        "river" => flag().map(|is_open| Prefer::RiverOpen(Some(is_open))),
        "traffic" => flag().map(Prefer::TrafficOpen),
        "documentation" => flag().map(Prefer::DocumentationOpen),
        "keyspace" => Arrangement::from_words(value).map(Prefer::Keyspace),
        "keys" => flag().map(Prefer::SingleKeys),
        _ => {
            if let Some((shortcut, chord)) = Keys::read_line(name, value) {
                return Some(Prefer::Key(shortcut, chord));
            }
            let name = name.strip_prefix("split-")?;
            let (at, ..) = SplitId::ALL.iter().find(|(_, other, ..)| *other == name)?;
            value.parse().ok().map(|percent| Prefer::Split(*at, percent))
        }
    }
}

fn stepped(current: u32, faster: bool) -> u32 {
    let found = if faster {
        SPEEDS.iter().find(|speed| **speed > current)
    } else {
        SPEEDS.iter().rev().find(|speed| **speed < current)
    };
    found.copied().unwrap_or(current)
}

impl Reducible for Preferences {
    type Action = Prefer;

    fn reduce(self: Rc<Self>, change: Prefer) -> Rc<Self> {
        let next = self.with(change);
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use yew::Reducible;

    use super::{Arrangement, Chord, Prefer, Preferences, SPEEDS, Shortcut, SplitId, Theme};
    use crate::i18n::Lang;
    use crate::state::keyspace::Order;

    #[test]
    fn stored_preferences_are_restored() {
        let chosen = [
            Prefer::Lang(Lang::ZhCn),
            Prefer::Theme(Theme::Dark),
            Prefer::Projector(true),
            Prefer::Speed(100),
            Prefer::Split(SplitId::Main, 33),
            Prefer::Split(SplitId::Above, 70),
            Prefer::StepsOpen(true),
            Prefer::ScriptsOpen(true),
            Prefer::LanesOpen(true),
            Prefer::RiverOpen(Some(false)),
            Prefer::TrafficOpen(true),
            Prefer::DocumentationOpen(true),
            Prefer::Keyspace(Arrangement { is_tree: true, order: Order::Expiry }),
            Prefer::SingleKeys(false),
            Prefer::Key(Shortcut::Steps, Chord::of("KeyZ", true).unwrap()),
        ]
        .into_iter()
        .fold(Preferences::default(), |preferences, change| preferences.with(change));
        assert_eq!(Preferences::from_text(&chosen.to_text(), ["en"]), chosen);
    }

    #[test]
    fn dividers_stored_by_an_older_page_are_read() {
        let old = [("text", "30"), ("side", "79"), ("above", "40"), ("else", "1")];
        let preferences = Preferences::default().with_lab_splits(|name| {
            old.iter().find(|(other, _)| *other == name).map(|(_, percent)| (*percent).to_owned())
        });
        let at = |at| preferences.split(at);
        // The right column started at 79 % of the stage, which is 70 % of the part to the right of the text.
        assert_eq!((at(SplitId::Text), at(SplitId::Right), at(SplitId::Above)), (30, 70, 40));
        assert_eq!(Preferences::default().with_lab_splits(|_| None), Preferences::default());
        assert_eq!(Preferences::default().with_lab_splits(|_| Some("x".into())), Preferences::default());
    }

    #[test]
    fn damage_costs_one_line() {
        let text = "lang xx\ntheme\nprojector maybe\nspeed -1\nsplit-main 900\nkeyspace bush name\nfuture thing\n\u{0}\ntheme dark";
        let preferences = Preferences::from_text(text, ["zh-CN"]);
        assert_eq!(preferences, Preferences { lang: Lang::ZhCn, theme: Theme::Dark, ..Preferences::default() });
    }

    #[test]
    fn stored_language_overrides_the_browser() {
        assert_eq!(Preferences::from_text("lang en", ["zh-CN"]).lang, Lang::En);
        assert_eq!(Preferences::from_text("", ["zh-CN"]).lang, Lang::ZhCn);
    }

    #[test]
    fn change_to_the_same_value_returns_the_same() {
        let start = Rc::new(Preferences::default());
        for change in
            [Prefer::Lang(Lang::En), Prefer::Speed(7), Prefer::Split(SplitId::Main, 60), Prefer::StepsOpen(false)]
        {
            assert!(Rc::ptr_eq(&start, &Rc::clone(&start).reduce(change)), "{change:?}");
        }
        assert!(!Rc::ptr_eq(&start, &Rc::clone(&start).reduce(Prefer::Projector(true))));
    }

    #[test]
    fn speed_steps_stay_within_the_list() {
        let mut preferences = Preferences::default();
        for _ in 0..20 {
            preferences = preferences.with(Prefer::SpeedStep(true));
            assert!(SPEEDS.contains(&preferences.speed_permille));
        }
        assert_eq!(preferences.speed_permille, 1_000_000);
        for _ in 0..20 {
            preferences = preferences.with(Prefer::SpeedStep(false));
        }
        assert_eq!(preferences.speed_permille, 100);
    }

    #[test]
    fn dividers_stay_within_their_range() {
        let moved = |at, percent| Preferences::default().with(Prefer::Split(at, percent)).split(at);
        assert_eq!((moved(SplitId::Main, 0), moved(SplitId::Side, 255), moved(SplitId::Text, 90)), (20, 80, 45));
    }
}
