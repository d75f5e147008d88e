//! The stage of a lesson: its text to the left, what happens in the middle, what is in the server to the right, time at the
//! foot. On a phone one of them at a time.
//!
//! ```text
//!   ┌ Text ───┐┌ Above ─────────────┐┌ Side ─────┐
//!   │ lesson  ││ lanes, queue       ││ keyspace  │
//!   │         │├ Below ─────────────┤├ Inner ────┤
//!   │ verdict ││ programs, terminals││ inside    │
//!   └─────────┘└────────────────────┘└───────────┘
//! ```
//! A panel is one row of [`slot`]: where it stands, its picture and name, and how it is drawn. A region with several panels
//! shows one of them under tabs, at first the one that the lesson names first; a region without any takes no room.
use std::cmp::Reverse;

use lesson::{Lesson, Panel};
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::course::{use_lesson, use_title};
use crate::hooks::storage::Store;
use crate::hooks::{guard, use_dropping, use_hotkeys, use_kept, use_lang, use_preferences, use_refusals, use_session};
use crate::i18n::Lang;
use crate::panels::client::Clients;
use crate::panels::dialogs::{Overlay, dialog};
use crate::panels::eventloop::EventLoop;
use crate::panels::explorer::Explorer;
use crate::panels::header::{openers, places, switches, wordmark};
use crate::panels::inside::Inside;
use crate::panels::keyspace::Keyspace;
use crate::panels::lanes::Lanes;
use crate::panels::lesson::LessonPanel;
use crate::panels::programs::Programs;
use crate::panels::timeline::{TimelinePanel, TimelinePanelProps};
use crate::panels::verdict::Verdict;
use crate::state::preferences::Prefer;
use crate::state::shelf;
use crate::ui::{Direction, Picture, Splitter, SplitterProps, html, icon, later, part, part_of};

/// A place on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    /// Under the text of the lesson.
    Text,
    /// The upper half of the middle.
    Above,
    /// The lower half of the middle.
    Below,
    /// The upper half of the right column.
    Side,
    /// The lower half of the right column.
    Inner,
}

impl Region {
    fn word(self) -> &'static str {
        match self {
            Region::Text => "text",
            Region::Above => "above",
            Region::Below => "below",
            Region::Side => "side",
            Region::Inner => "inner",
        }
    }
}

/// How a panel is put onto the stage.
struct Slot {
    region: Region,
    picture: Picture,
    title: &'static str,
    draw: fn() -> Html,
}

/// The panels that there are. A new one is added here, and its style sheet in `src/course.rs`.
fn slot(t: Lang, panel: Panel) -> Slot {
    let (region, picture, title, draw): (_, _, _, fn() -> Html) = match panel {
        Panel::Terminals => (Region::Below, Picture::Terminal, t.tab_terminals(), || part::<Clients>(())),
        Panel::Keyspace => (Region::Side, Picture::Key, t.tab_keys(), || part::<Keyspace>(())),
        Panel::Inside => (Region::Inner, Picture::Eye, t.tab_inside(), || part::<Inside>(())),
        Panel::Lanes => (Region::Above, Picture::List, t.lanes_title(), || part::<Lanes>(())),
        Panel::Queue => (Region::Above, Picture::Branch, t.loop_title(), || part::<EventLoop>(())),
        Panel::Programs => (Region::Below, Picture::Script, t.programs_title(), || part::<Programs>(())),
        Panel::Verdict => (Region::Text, Picture::Check, t.verdict_title(), findings),
    };
    Slot { region, picture, title, draw }
}

/// What holds, and the search for a schedule in which it does not.
fn findings() -> Html {
    html! { <div class="findings">{ part::<Verdict>(()) }{ part::<Explorer>(()) }</div> }
}

/// Is this panel of any use in a lesson?
fn is_wanted(lesson: &Lesson, panel: Panel) -> bool {
    match panel {
        Panel::Lanes | Panel::Queue | Panel::Programs => !lesson.cast.is_empty(),
        Panel::Verdict => !lesson.properties.is_empty(),
        Panel::Terminals | Panel::Keyspace | Panel::Inside => true,
    }
}

/// The panels of a region, the one that the lesson thinks most of first.
fn panels(t: Lang, lesson: &Lesson, region: Region) -> Vec<(Panel, Slot)> {
    let here = Panel::ALL.iter().filter(|(_, panel)| is_wanted(lesson, *panel));
    let all = here.map(|(_, panel)| (*panel, slot(t, *panel)));
    let mut found: Vec<(Panel, Slot)> = all.filter(|(_, slot)| slot.region == region).collect();
    let place = |panel: Panel| lesson.panels.iter().position(|other| *other == panel);
    // Few, and in the order of the stage where the lesson says nothing.
    found.sort_by_key(|(panel, _)| Reverse(place(*panel).map(Reverse)));
    found
}

/// The page of an open lesson.
#[component]
pub fn Lab() -> Html {
    let t = use_lang();
    let session = use_session();
    let preferences = use_preferences();
    let opened = use_lesson();
    let shelf = shelf::of_lesson(&opened.name.track, &opened.name.id);
    let (tab, set_tab) = use_kept(Store::Tab, format!("{shelf}region"), Region::Text.word());
    let overlay = use_state_eq(|| None::<Overlay>);
    let open = {
        let overlay = overlay.clone();
        Callback::from(move |which| overlay.set(Some(which)))
    };
    let close = {
        let overlay = overlay.clone();
        Callback::from(move |()| overlay.set(None))
    };
    use_hotkeys(open.reform(|()| Overlay::Help));
    use_refusals();
    {
        // On a phone, choosing a key turns to its inside; in a wide window both are in view anyway.
        let set_tab = set_tab.clone();
        use_effect_with(session.choices(), move |choices| {
            if *choices > 0 {
                set_tab.emit(Region::Inner.word().to_owned());
            }
        });
    }
    use_effect_with((), |()| guard::started());
    use_title(format!("{} · {}", opened.lesson.title, t.app_title()));
    let is_dropping = use_dropping();
    let (text_percent, set_text) = use_percent("text", "27", (18, 45));
    let (side_percent, set_side) = use_percent("side", "74", (50, 85));
    let (above_percent, set_above) = use_percent("above", "55", (20, 80));
    let now = preferences.now();
    let split_side = {
        let preferences = preferences.clone();
        Callback::from(move |percent| preferences.prefer(Prefer::SplitSide(percent)))
    };
    let splits = format!(
        "--split-text: {text_percent}%; --split-right: {side_percent}%; --split-above: {above_percent}%; --split-side: {}%",
        now.split_side
    );
    let region = |region: Region| part_of::<RegionBox>(&region.word(), RegionBoxProps { region, shelf: shelf.clone() });
    let has = |region: Region| !panels(t, &opened.lesson, region).is_empty();
    html! {
        <div class="app lab" data-tab={tab.clone()} style={splits}>
            <header class="header">
                { wordmark(t) }
                { places(t, Some(&opened.lesson.title)) }
                <span class="spacer" />
                { switches(t, &preferences) }
                { openers(t, &open) }
            </header>
            <main class="stage">
                <div class="lab-text">
                    { part::<LessonPanel>(()) }
                    if has(Region::Text) { { region(Region::Text) } }
                </div>
                { split(Direction::Vertical, text_percent, t.splitter_text(), set_text) }
                <div class="lab-work">
                    if has(Region::Above) {
                        { region(Region::Above) }
                        { split(Direction::Horizontal, above_percent, t.splitter_above(), set_above) }
                    }
                    { region(Region::Below) }
                </div>
                { split(Direction::Vertical, side_percent, t.splitter_main(), set_side) }
                <div class="side">
                    { region(Region::Side) }
                    { split(Direction::Horizontal, now.split_side, t.splitter_side(), split_side) }
                    { region(Region::Inner) }
                </div>
            </main>
            { part::<TimelinePanel>(TimelinePanelProps { is_tab: tab == TIMELINE }) }
            { part::<Tabs>(TabsProps { tab, onchoose: set_tab }) }
            if let Some(overlay) = *overlay {
                { later(Chunk::Rest, move || dialog(t, overlay, close.clone())) }
            }
            if is_dropping { <div class="drop" aria-hidden="true">{ t.drop_here() }</div> }
        </div>
    }
}

/// The tab of the verdict on a phone; elsewhere it stands under the text.
const VERDICT: &str = "verdict";
/// The tab of the timeline on a phone.
const TIMELINE: &str = "timeline";

fn split(direction: Direction, percent: u8, label: &'static str, onmove: Callback<u8>) -> Html {
    part::<Splitter>(SplitterProps { direction, percent, label, onmove })
}

/// Where a splitter of the lab stands, in percent, kept for all lessons.
#[hook]
fn use_percent(name: &str, default: &'static str, bounds: (u8, u8)) -> (u8, Callback<u8>) {
    let (least, most) = bounds;
    let (word, set) = use_kept(Store::Browser, format!("lockstep.lab.split-{name}"), default);
    let percent = word.parse().or_else(|_| default.parse()).unwrap_or(least);
    (percent.clamp(least, most), set.reform(move |percent: u8| percent.clamp(least, most).to_string()))
}

#[derive(Clone, PartialEq, Properties)]
struct RegionBoxProps {
    region: Region,
    /// What names of kept choices begin with.
    shelf: String,
}

/// The name under which it is kept which panel of a region is in front.
fn front_name(shelf: &str, region: Region) -> String {
    format!("{shelf}front-{}", region.word())
}

/// A region: the panel in front, and tabs where there are several.
#[component]
fn RegionBox(props: &RegionBoxProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let (front, set_front) = use_kept(Store::Tab, front_name(&props.shelf, props.region), "");
    let panels = panels(t, &opened.lesson, props.region);
    let chosen = panels.iter().find(|(panel, _)| panel.name() == front).or_else(|| panels.first());
    let Some((in_front, shown)) = chosen else { return Html::default() };
    html! {
        <div class="region" data-region={props.region.word()}>
            if panels.len() > 1 {
                <div class="region-tabs" role="tablist">
                    { for panels.iter().map(|(panel, slot)| {
                        let (set_front, name) = (set_front.clone(), panel.name());
                        html! {
                            <button type="button" class="region-tab" role="tab" data-testid={format!("panel-{name}")}
                                aria-selected={if panel == in_front { "true" } else { "false" }}
                                onclick={Callback::from(move |_: MouseEvent| set_front.emit(name.to_owned()))}>
                                { icon(slot.picture) }{ slot.title }
                            </button>
                        }
                    }) }
                </div>
            }
            { (shown.draw)() }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TabsProps {
    /// The region that a phone shows.
    tab: String,
    onchoose: Callback<String>,
}

/// What a phone can show, one at a time: regions whose panels have tabs of their own.
#[component]
fn Tabs(props: &TabsProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let regions = [Region::Above, Region::Below, Region::Side, Region::Inner];
    let mut tabs = vec![(Region::Text.word(), Picture::Course, t.lesson_text())];
    tabs.extend(regions.into_iter().filter_map(|region| {
        let (_, first) = panels(t, &opened.lesson, region).into_iter().next()?;
        Some((region.word(), first.picture, first.title))
    }));
    if !opened.lesson.properties.is_empty() {
        tabs.push((VERDICT, Picture::Check, t.verdict_title()));
    }
    tabs.push((TIMELINE, Picture::Clock, t.tab_timeline()));
    html! {
        <nav class="tabs" aria-label={t.tabs_label()}>
            <div class="tab-list" role="tablist">
                { for tabs.into_iter().map(|(word, picture, title)| {
                    let onchoose = props.onchoose.clone();
                    html! {
                        <button type="button" class="tab" role="tab" data-testid={format!("tab-{word}")}
                            aria-selected={if props.tab == word { "true" } else { "false" }}
                            onclick={Callback::from(move |_: MouseEvent| onchoose.emit(word.to_owned()))}>
                            { icon(picture) }{ title }
                        </button>
                    }
                }) }
            </div>
        </nav>
    }
}
