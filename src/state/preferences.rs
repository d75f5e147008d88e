//! How this reader likes the page: language, theme, projector mode, speed, where the splitters stand.
//!
//! The stored form is one `name value` a line. Unknown names and values are skipped, so that an older page can
//! read what a newer one wrote, and a damaged line costs one preference and not all of them.
use std::fmt::Write as _;
use std::rc::Rc;

use yew::Reducible;

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
pub const SPEEDS: [u32; 8] = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 100_000];

/// Real time.
pub const SPEED_NORMAL: u32 = 1_000;

/// A splitter's position in percent of its box.
const SPLIT_RANGE: (u8, u8) = (20, 80);

/// What the reader has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Language of the interface.
    pub lang: Lang,
    /// Colours.
    pub theme: Theme,
    /// Large type and less chrome, for the last row of the room.
    pub projector: bool,
    /// Speed of the running clock, in thousandths of real time; one of [`SPEEDS`].
    pub speed_permille: u32,
    /// Width of the terminals, in percent.
    pub split_main: u8,
    /// Height of the keyspace within the right column, in percent.
    pub split_side: u8,
    /// Whether the list of steps is unfolded above the track.
    pub steps_open: bool,
    /// Whether the script editor is open below the terminals.
    pub scripts_open: bool,
    /// Height of the terminals above the script editor, in percent.
    pub split_scripts: u8,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            lang: Lang::En,
            theme: Theme::System,
            projector: false,
            speed_permille: SPEED_NORMAL,
            split_main: 60,
            split_side: 46,
            steps_open: false,
            scripts_open: false,
            split_scripts: 42,
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
    /// Speed of the clock, in thousandths of real time; anything but one of [`SPEEDS`] is ignored.
    Speed(u32),
    /// The next faster (`true`) or slower speed.
    SpeedStep(bool),
    /// Move the splitter between terminals and the right column, in percent.
    SplitMain(u8),
    /// Move the splitter between keyspace and inside, in percent.
    SplitSide(u8),
    /// Fold or unfold the list of steps.
    StepsOpen(bool),
    /// Open or close the script editor.
    ScriptsOpen(bool),
    /// Move the splitter between terminals and script editor, in percent.
    SplitScripts(u8),
}

impl Preferences {
    /// The preferences after `change`.
    pub fn with(&self, change: Prefer) -> Preferences {
        let mut next = self.clone();
        let clamp = |percent: u8| percent.clamp(SPLIT_RANGE.0, SPLIT_RANGE.1);
        match change {
            Prefer::Lang(lang) => next.lang = lang,
            Prefer::Theme(theme) => next.theme = theme,
            Prefer::Projector(on) => next.projector = on,
            Prefer::Speed(permille) if SPEEDS.contains(&permille) => next.speed_permille = permille,
            Prefer::Speed(_) => {}
            Prefer::SpeedStep(faster) => next.speed_permille = stepped(self.speed_permille, faster),
            Prefer::SplitMain(percent) => next.split_main = clamp(percent),
            Prefer::SplitSide(percent) => next.split_side = clamp(percent),
            Prefer::StepsOpen(open) => next.steps_open = open,
            Prefer::ScriptsOpen(open) => next.scripts_open = open,
            Prefer::SplitScripts(percent) => next.split_scripts = clamp(percent),
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
        let _ = writeln!(text, "speed {}", self.speed_permille);
        let _ = writeln!(text, "split-main {}", self.split_main);
        let _ = writeln!(text, "split-side {}", self.split_side);
        let _ = writeln!(text, "steps {}", on(self.steps_open));
        let _ = writeln!(text, "scripts {}", on(self.scripts_open));
        let _ = writeln!(text, "split-scripts {}", self.split_scripts);
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
        "speed" => value.parse().ok().map(Prefer::Speed),
        "split-main" => value.parse().ok().map(Prefer::SplitMain),
        "split-side" => value.parse().ok().map(Prefer::SplitSide),
        "steps" => flag().map(Prefer::StepsOpen),
        "scripts" => flag().map(Prefer::ScriptsOpen),
        "split-scripts" => value.parse().ok().map(Prefer::SplitScripts),
        _ => None,
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

    use super::{Prefer, Preferences, SPEEDS, Theme};
    use crate::i18n::Lang;

    #[test]
    fn what_is_stored_comes_back() {
        let chosen = [
            Prefer::Lang(Lang::ZhCn),
            Prefer::Theme(Theme::Dark),
            Prefer::Projector(true),
            Prefer::Speed(100),
            Prefer::SplitMain(33),
            Prefer::SplitSide(70),
            Prefer::StepsOpen(true),
            Prefer::ScriptsOpen(true),
            Prefer::SplitScripts(30),
        ]
        .into_iter()
        .fold(Preferences::default(), |preferences, change| preferences.with(change));
        assert_eq!(Preferences::from_text(&chosen.to_text(), ["en"]), chosen);
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
        for change in [Prefer::Lang(Lang::En), Prefer::Speed(7), Prefer::SplitMain(60), Prefer::StepsOpen(false)] {
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
        assert_eq!(preferences.speed_permille, 100_000);
        for _ in 0..20 {
            preferences = preferences.with(Prefer::SpeedStep(false));
        }
        assert_eq!(preferences.speed_permille, 100);
    }

    #[test]
    fn splitters_stay_inside_their_box() {
        assert_eq!(Preferences::default().with(Prefer::SplitMain(0)).split_main, 20);
        assert_eq!(Preferences::default().with(Prefer::SplitSide(255)).split_side, 80);
    }
}
