//! How this reader likes the page: language, theme, projector mode, speed, where the splitters stand.
//!
//! The stored form is one `name value` a line. Unknown names and values are skipped, so that an older page can
//! read what a newer one wrote, and a damaged line costs one preference and not all of them.
use std::fmt::Write as _;
use std::rc::Rc;

use yew::Reducible;

use super::layout::SplitId;
use super::shortcuts::{Chord, Keys, Shortcut};
use crate::i18n::Lang;

/// Light, dark, or whatever the system says.
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

    /// The next one in the order in which the button cycles.
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

/// Real time.
pub const SPEED_NORMAL: u32 = 1_000;

/// What the reader has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Language of the interface.
    pub lang: Lang,
    /// Colours.
    pub theme: Theme,
    /// Large type and less chrome, for the last row of the room.
    pub projector: bool,
    /// What happens takes the whole page, in letters for the last row of a hall.
    pub focus: bool,
    /// Speed of the running clock, in thousandths of real time; one of [`SPEEDS`].
    pub speed_permille: u32,
    /// Where the lines between parts of a layout stand, in percent, in the order of [`SplitId::ALL`].
    splits: [u8; SplitId::ALL.len()],
    /// Whether the list of steps is unfolded above the track.
    pub steps_open: bool,
    /// Whether the script editor is open below the terminals.
    pub scripts_open: bool,
    /// Whether the lanes are open below the terminals.
    pub lanes_open: bool,
    /// Whether the river is open below the terminals; nothing: once there is a stream.
    pub river_open: Option<bool>,
    /// Whether traffic is open below the terminals.
    pub traffic_open: bool,
    /// Which key does what.
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
            keys: Keys::default(),
        }
    }
}

/// A change of one preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// Speak this language.
    Lang(Lang),
    /// Use these colours.
    Theme(Theme),
    /// Projector mode on or off.
    Projector(bool),
    /// Focus mode on or off.
    Focus(bool),
    /// Speed of the clock, in thousandths of real time; anything but one of [`SPEEDS`] is ignored.
    Speed(u32),
    /// The next faster (`true`) or slower speed.
    SpeedStep(bool),
    /// Move a line between two parts of a layout, in percent.
    Split(SplitId, u8),
    /// Fold or unfold the list of steps.
    StepsOpen(bool),
    /// Open or close the script editor.
    ScriptsOpen(bool),
    /// Open or close the lanes of the sandbox.
    LanesOpen(bool),
    /// Open or close the river of the sandbox, or leave it to what happens there.
    RiverOpen(Option<bool>),
    /// Open or close traffic.
    TrafficOpen(bool),
    /// Let keys work without Alt, or not.
    SingleKeys(bool),
    /// Give a key to a shortcut; one that another has is ignored.
    Key(Shortcut, Chord),
    /// Give every shortcut the key that it had at first.
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

    /// Whether the river is open when messages flow, or when they do not.
    pub fn shows_river(&self, has_flow: bool) -> bool {
        self.river_open.unwrap_or(has_flow)
    }

    /// What is preferred of the river after it was opened or closed by hand: nothing, where it is then as it would be by itself.
    pub fn river_toggled(&self, has_flow: bool) -> Option<bool> {
        let is_open = !self.shows_river(has_flow);
        (is_open != has_flow).then_some(is_open)
    }

    /// Where a line between two parts of a layout stands, in percent.
    pub fn split(&self, at: SplitId) -> u8 {
        self.splits.get(at.index()).copied().unwrap_or(50)
    }

    /// With the lines of lessons where an older page kept them, each under a name of its own: `text`, `side` and `above`, all in percent
    /// of the whole stage.
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
        for line in self.keys.to_lines() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Preferences from what is stored (nothing stored: empty text) and from the languages that the browser
    /// prefers, best first.
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

    use super::{Chord, Prefer, Preferences, SPEEDS, Shortcut, SplitId, Theme};
    use crate::i18n::Lang;

    #[test]
    fn what_is_stored_comes_back() {
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
            Prefer::SingleKeys(false),
            Prefer::Key(Shortcut::Steps, Chord::of("KeyZ", true).unwrap()),
        ]
        .into_iter()
        .fold(Preferences::default(), |preferences, change| preferences.with(change));
        assert_eq!(Preferences::from_text(&chosen.to_text(), ["en"]), chosen);
    }

    #[test]
    fn what_an_older_page_kept_of_lessons_holds() {
        let old = [("text", "30"), ("side", "79"), ("above", "40"), ("else", "1")];
        let preferences = Preferences::default().with_lab_splits(|name| {
            old.iter().find(|(other, _)| *other == name).map(|(_, percent)| (*percent).to_owned())
        });
        let at = |at| preferences.split(at);
        // The right column began at 79 % of the stage, which is 70 % of what is right of the text.
        assert_eq!((at(SplitId::Text), at(SplitId::Right), at(SplitId::Above)), (30, 70, 40));
        assert_eq!(Preferences::default().with_lab_splits(|_| None), Preferences::default());
        assert_eq!(Preferences::default().with_lab_splits(|_| Some("x".into())), Preferences::default());
    }

    #[test]
    fn damage_costs_one_line() {
        let text = "lang xx\ntheme\nprojector maybe\nspeed -1\nsplit-main 900\nfuture thing\n\u{0}\ntheme dark";
        let preferences = Preferences::from_text(text, ["zh-CN"]);
        assert_eq!(preferences, Preferences { lang: Lang::ZhCn, theme: Theme::Dark, ..Preferences::default() });
    }

    #[test]
    fn a_stored_language_beats_the_browsers() {
        assert_eq!(Preferences::from_text("lang en", ["zh-CN"]).lang, Lang::En);
        assert_eq!(Preferences::from_text("", ["zh-CN"]).lang, Lang::ZhCn);
    }

    #[test]
    fn a_change_to_the_same_returns_the_same() {
        let start = Rc::new(Preferences::default());
        for change in
            [Prefer::Lang(Lang::En), Prefer::Speed(7), Prefer::Split(SplitId::Main, 60), Prefer::StepsOpen(false)]
        {
            assert!(Rc::ptr_eq(&start, &Rc::clone(&start).reduce(change)), "{change:?}");
        }
        assert!(!Rc::ptr_eq(&start, &Rc::clone(&start).reduce(Prefer::Projector(true))));
    }

    #[test]
    fn speed_steps_stay_on_the_ladder() {
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
    fn splitters_stay_inside_their_box() {
        let moved = |at, percent| Preferences::default().with(Prefer::Split(at, percent)).split(at);
        assert_eq!((moved(SplitId::Main, 0), moved(SplitId::Side, 255), moved(SplitId::Text, 90)), (20, 80, 45));
    }
}
