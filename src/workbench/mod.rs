//! The frame of every page: a header, panels in a layout, the timeline, tabs on a phone, and dialogs.
//!
//! [`crate::state::layout`] defines which panels belong where, [`registry`] what a panel is, and [`group`] renders a group with its tabs.
//! The browser stores which panel is selected, where the splitters are and what is open.
mod group;
pub mod registry;
mod session_frame;

use world::NodeIndex;
use yew::prelude::*;

use crate::hooks::storage::Store;
use crate::hooks::{
    PreferencesHandle, SessionPart, guard, use_has_flow, use_lang, use_persisted, use_preferences, use_session_if_any,
};
use crate::i18n::Lang;
use crate::panels::dialogs::Overlay;
use crate::panels::header::{HeaderOf, header};
use crate::panels::timeline::{GROUP as TIMELINE, TimelinePanel, TimelinePanelProps};
use crate::state::layout::{Fronts, Group, Layout, PanelRef, SplitId};
use crate::state::lesson::Opened;
use crate::state::preferences::Prefer;
use crate::state::session_store::{self, SANDBOX};
use crate::ui::{Picture, Splitter, SplitterProps, Tab, TabList, TabListProps, html, part, part_of};
pub use group::group_id;
use group::{GroupBox, GroupBoxProps};
use registry::{Scope, Situation, panel};
use session_frame::{SessionFrame, SessionFrameProps};

/// The kinds of pages that use the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The sandbox.
    Sandbox,
    /// The map of the course.
    Course,
    /// A lesson.
    Lesson,
}

impl Page {
    fn word(self) -> &'static str {
        match self {
            Page::Sandbox => "sandbox",
            Page::Course => "course",
            Page::Lesson => "lesson",
        }
    }
}

/// Properties of [`Workbench`].
#[derive(Clone, PartialEq, Properties)]
pub struct WorkbenchProps {
    /// The kind of page.
    pub page: Page,
}

/// The frame of a page.
#[component]
pub fn Workbench(props: &WorkbenchProps) -> Html {
    let page = props.page;
    let t = use_lang();
    let preferences = use_preferences();
    let opened = use_context::<Opened>();
    let session = use_session_if_any(&[SessionPart::Steps, SessionPart::Active]);
    let prefix = opened
        .as_ref()
        .map_or_else(|| SANDBOX.to_owned(), |opened| session_store::of_lesson(&opened.name.track, &opened.name.id));
    let first = if page == Page::Lesson { "text" } else { "terminals" };
    let (on_phone, set_on_phone) = use_phone_group(page, format!("{prefix}region"), first);
    let (kept_fronts, keep_fronts) = use_persisted(Store::Tab, format!("{prefix}fronts"), "");
    let fronts = Fronts::from_text(&kept_fronts);
    let onfronts = Callback::from(move |fronts: Fronts| keep_fronts.emit(fronts.to_text()));
    use_opened_tool_in_front(&preferences, &fronts, &onfronts);
    let overlay = use_state_eq(|| None::<Overlay>);
    let open = {
        let overlay = overlay.clone();
        Callback::from(move |which| overlay.set(Some(which)))
    };
    let close = {
        let overlay = overlay.clone();
        Callback::from(move |()| overlay.set(None))
    };
    // A lesson whose stage is being set up can be read, but not used.
    let is_waiting = page == Page::Lesson && session.is_none();
    use_effect_with(is_waiting, |is_waiting| if *is_waiting { guard::started() } else { guard::settled() });
    let has_flow = use_has_flow();
    let layout = {
        let has_programs = session
            .as_ref()
            .is_some_and(|session| session.world().clients().any(|(_, client)| client.program.is_some()));
        let has_nodes = session.as_ref().is_some_and(|session| session.world().settings().has_several_nodes());
        let has_tables = session.as_ref().is_some_and(|session| session.world().settings().tables().next().is_some());
        let has_redis = session.as_ref().is_none_or(|session| session.world().servers().next().is_some());
        let lesson = opened.as_ref().map(|opened| &*opened.lesson);
        let preferred = preferences.now();
        let now = Situation {
            page,
            lesson,
            preferences: preferred,
            has_programs,
            has_flow,
            has_nodes,
            has_tables,
            has_redis,
            on_phone: &on_phone,
        };
        let is_open = |each: PanelRef| panel(each.id).is_some_and(|panel| (panel.opens_when)(&now));
        let all = match page {
            Page::Course => Layout::course(),
            Page::Sandbox | Page::Lesson if preferred.focus => Layout::focus(),
            Page::Sandbox => Layout::sandbox(),
            Page::Lesson => Layout::lesson(),
        };
        // In focus mode the lanes come first, no matter which panel a lesson names first.
        let lesson = lesson.filter(|_| !preferred.focus);
        let named = lesson.map(|lesson| lesson.panels.as_slice()).unwrap_or_default();
        // On a phone all tools have tabs; tools that are also open in a wide window come first.
        let wide = Situation { on_phone: "", ..now };
        let rank = |each: PanelRef| {
            let place = named.iter().position(|panel| panel.name() == each.id).unwrap_or(named.len());
            let is_extra = !panel(each.id).is_some_and(|panel| (panel.opens_when)(&wide))
                || (each.id == "lanes" && wide.has_lanes_of_traffic());
            place.saturating_mul(2).saturating_add(usize::from(is_extra))
        };
        all.with_panels(&registry::panels_of).ranked(&rank).keep(&is_open)
    };
    // A phone shows one group; the remembered group may not exist in this layout.
    let groups: Vec<&'static str> = layout.iter().flat_map(Layout::groups).map(|group| group.id).collect();
    let has_group = on_phone == TIMELINE || groups.iter().any(|group| *group == on_phone);
    let on_phone = if has_group { on_phone } else { groups.first().map_or(on_phone, |group| (*group).to_owned()) };
    // The node of the active client. If that is a database, panels of Redis show the first Redis server.
    let active_node = session.as_ref().and_then(|session| {
        let (world, active) = (session.world(), session.world().client(session.active())?);
        let first = world.servers().map(|(node, _)| node).next();
        Some(if world.server(active.node).is_some() { active.node } else { first.unwrap_or(active.node) })
    });
    let onpanel = {
        let (layout, fronts, onfronts) = (layout.clone(), fronts.clone(), onfronts.clone());
        Callback::from(move |id: &'static str| {
            let mut groups = layout.iter().flat_map(Layout::groups);
            if let Some(group) = groups.find(|group| group.panels.iter().any(|panel| panel.id == id)) {
                onfronts.emit(fronts.clone().toggled(group, id));
            }
        })
    };
    let drawing = Drawing {
        t,
        active_node,
        first: groups.first().copied(),
        preferences: &preferences,
        on_phone: &on_phone,
        fronts: &fronts,
        onfronts: &onfronts,
        is_waiting,
    };
    let lesson_title = opened.as_ref().map(|opened| opened.lesson.title.clone());
    let of = match page {
        Page::Sandbox => HeaderOf::Sandbox,
        Page::Course => HeaderOf::Course,
        Page::Lesson => HeaderOf::Lesson(lesson_title.as_deref().unwrap_or_default()),
    };
    html! {
        <div class="app workbench" data-page={page.word()} data-waiting={is_waiting.then_some("")} data-tab={(page != Page::Course).then(|| on_phone.clone())}>
            { header(t, &preferences, of, has_flow, session.is_some().then_some(&open)) }
            <main class="stage">
                { for layout.iter().map(|layout| drawing.draw(layout)) }
            </main>
            if session.is_some() {
                { part::<TimelinePanel>(TimelinePanelProps { is_tab: on_phone == TIMELINE }) }
                { for layout.iter().map(|layout| tabs(t, layout, &fronts, &on_phone, &set_on_phone)) }
                { part::<SessionFrame>(SessionFrameProps { page, overlay: *overlay, onopen: open, onclose: close, onpanel, onlook: set_on_phone.clone() }) }
            }
        </div>
    }
}

struct Drawing<'a> {
    t: Lang,
    /// The node of the active client.
    active_node: Option<NodeIndex>,
    /// The group that is rendered before the others.
    first: Option<&'static str>,
    preferences: &'a PreferencesHandle,
    on_phone: &'a str,
    fronts: &'a Fronts,
    onfronts: &'a Callback<Fronts>,
    /// Whether only panels that need no session can be shown.
    is_waiting: bool,
}

impl Drawing<'_> {
    fn draw(&self, layout: &Layout) -> Html {
        match layout {
            Layout::Split(at, orientation, parts) => {
                let [first, second] = &**parts;
                let is_folded = matches!(second, Some(Layout::Group(group)) if self.fronts.is_folded(group.id));
                let is_divided = first.is_some() && second.is_some();
                let percent = self.preferences.now().split(*at);
                let (preferences, at) = (self.preferences.clone(), *at);
                let onmove = Callback::from(move |percent| preferences.prefer(Prefer::Split(at, percent)));
                let label = self.label(at);
                let bounds = SplitId::ALL.get(at.index()).map_or((0, 100), |(.., bounds)| *bounds);
                html! {
                    <div key={at.index().to_string()} class="split" data-orientation={is_divided.then(|| orientation.word())} data-folded={is_folded.then_some("")} style={format!("--at: {percent}%")}>
                        { for first.iter().map(|part| self.draw(part)) }
                        if is_divided && !is_folded {
                            { part::<Splitter>(SplitterProps { orientation: *orientation, percent, bounds, label, onmove }) }
                        }
                        { for second.iter().map(|part| self.draw(part)) }
                    </div>
                }
            }
            Layout::Stack(parts) => {
                html! { <div key="stack" class="stack">{ for parts.iter().flatten().map(|part| self.draw(part)) }</div> }
            }
            Layout::Group(group) => {
                let Some(front) = self.fronts.of(group) else { return Html::default() };
                if self.is_waiting && !panel(front.id).is_some_and(|panel| matches!(panel.scope, Scope::Page(_))) {
                    return html! {
                        <div key={group.id} class="group" data-group={group.id} data-phone={(group.id == self.on_phone).then_some("")} aria-busy="true" />
                    };
                }
                part_of::<GroupBox>(
                    &group.id,
                    GroupBoxProps {
                        group: group.clone(),
                        front,
                        active_node: self.active_node,
                        is_first: self.first == Some(group.id),
                        is_on_phone: group.id == self.on_phone,
                        fronts: self.fronts.clone(),
                        onfronts: self.onfronts.clone(),
                    },
                )
            }
        }
    }

    fn label(&self, at: SplitId) -> &'static str {
        let t = self.t;
        match at {
            SplitId::Main | SplitId::Right => t.splitter_main(),
            SplitId::Tools => t.splitter_scripts(),
            SplitId::Side => t.splitter_side(),
            SplitId::Text => t.splitter_text(),
            SplitId::Above => t.splitter_above(),
            SplitId::Focus => t.splitter_focus(),
        }
    }
}

/// The tabs of a phone, which shows one group at a time: the groups, and the timeline.
fn tabs(t: Lang, layout: &Layout, fronts: &Fronts, on_phone: &str, onchoose: &Callback<String>) -> Html {
    let tab = |word: &'static str, picture: Picture, title: &'static str| Tab {
        word: word.to_owned(),
        picture: Some(picture),
        title,
        id: format!("phone-{word}"),
        controls: group_id(word),
        testid: format!("tab-{word}"),
    };
    // A tab is named after the panel that it shows. All tools exist once their tab has been opened.
    let sandbox = Layout::sandbox().with_panels(&registry::panels_of);
    let tools = sandbox.groups().into_iter().find(|group| group.id == registry::TOOLS);
    let group_tab = |group: &Group| {
        let more = tools.filter(|tools| tools.id == group.id).into_iter().flat_map(|tools| &tools.panels);
        let panels = group.panels.iter().chain(more).copied().collect();
        let panel = panel(fronts.of(&Group { id: group.id, panels })?.id)?;
        Some(tab(group.id, panel.icon, (panel.title)(t)))
    };
    let mut all: Vec<Tab> = layout.groups().into_iter().filter_map(group_tab).collect();
    let is_sandbox = all.iter().any(|tab| tab.word == "terminals");
    if is_sandbox && all.iter().all(|tab| tab.word != registry::TOOLS) {
        // Closed in a wide window, but on a phone it has a tab.
        all.extend(group_tab(&Group { id: registry::TOOLS, panels: Vec::new() }));
    }
    all.push(tab(TIMELINE, Picture::Clock, t.tab_timeline()));
    html! {
        <nav class="tabs" aria-label={t.tabs_label()}>
            { part::<TabList>(TabListProps {
                class: "tab-list",
                label: t.tabs_label(),
                tabs: all,
                chosen: on_phone.to_owned(),
                onchoose: onchoose.clone(),
            }) }
        </nav>
    }
}

/// The group that a phone shows. A lesson reopens with the last group; the sandbox starts with its terminals.
#[hook]
fn use_phone_group(page: Page, name: String, first: &'static str) -> (String, Callback<String>) {
    let kept = use_persisted(Store::Tab, name, first);
    let passing = use_state_eq(|| first.to_owned());
    if page == Page::Lesson {
        return kept;
    }
    let set = passing.setter();
    ((*passing).clone(), Callback::from(move |group| set.set(group)))
}

/// Selects a tool's panel when the tool is opened.
#[hook]
fn use_opened_tool_in_front(preferences: &PreferencesHandle, fronts: &Fronts, onfronts: &Callback<Fronts>) {
    let is_first = use_mut_ref(|| true);
    let now = preferences.now();
    let bring = |panel: &'static str| {
        let (is_first, fronts, onfronts) = (is_first.clone(), fronts.clone(), onfronts.clone());
        move |is_open: &bool| {
            if *is_open && !*is_first.borrow() {
                onfronts.emit(fronts.with(registry::TOOLS, panel));
            }
        }
    };
    use_effect_with(now.scripts_open, bring("scripts"));
    use_effect_with(now.lanes_open, bring("lanes"));
    use_effect_with(now.river_open == Some(true), bring("river"));
    use_effect_with(now.traffic_open, bring("traffic"));
    use_effect_with((), move |()| *is_first.borrow_mut() = false);
}
