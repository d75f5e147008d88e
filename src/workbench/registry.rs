//! The list of all panels. A new panel is a folder in `src/panels/` and a row here.
use lesson::Lesson;
use world::NodeIndex;
use yew::prelude::*;

use super::Page;
use crate::hooks::assets::Chunk;
use crate::i18n::{Lang, late};
use crate::pages::CourseMap;
use crate::panels::NodeProps;
use crate::panels::client::Clients;
use crate::panels::eventloop::EventLoop;
use crate::panels::inside::Inside;
use crate::panels::keyspace::Keyspace;
use crate::panels::lanes::Lanes;
use crate::panels::lesson::LessonPanel;
use crate::panels::nodes::Nodes;
use crate::panels::programs::Programs;
use crate::panels::river::River;
use crate::panels::scripts::Scripts;
use crate::panels::tables::Tables;
use crate::panels::traffic::{Traffic, lanes as lines_of_traffic};
use crate::panels::verdict::Findings;
use crate::state::layout::PanelRef;
use crate::state::preferences::Preferences;
use crate::ui::{Picture, part};

/// A style sheet of `src`, without comments and indentation (`build.rs`), as data of the chunk that is named first.
macro_rules! style {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/src/", $path))
    };
    ($chunk:literal $path:literal) => {
        late!($chunk, concat!("/src/", $path))
    };
}

/// What a panel depends on, and how it is rendered.
#[derive(Clone, Copy)]
pub enum Scope {
    /// The page: it is shown without a session too.
    Page(fn() -> Html),
    /// The whole world.
    World(fn() -> Html),
    /// One node, named by a [`PanelRef`].
    Node(fn(NodeProps) -> Html),
}

/// The facts that decide which panels are open.
pub struct Situation<'a> {
    /// The kind of page.
    pub page: Page,
    /// The open lesson.
    pub lesson: Option<&'a Lesson>,
    /// The reader's preferences.
    pub preferences: &'a Preferences,
    /// Whether a client of the session has a program.
    pub has_programs: bool,
    /// Whether any step has used a stream, or a list that a client waited for.
    pub has_flow: bool,
    /// Whether the session has several nodes.
    pub has_nodes: bool,
    /// Whether one of its nodes is a database.
    pub has_tables: bool,
    /// Whether one of its nodes is a Redis server.
    pub has_redis: bool,
    /// The group that a phone shows.
    pub on_phone: &'a str,
}

impl Situation<'_> {
    /// Whether the lesson is about traffic.
    fn names_traffic(&self) -> bool {
        self.lesson.is_some_and(|lesson| lesson.panels.contains(&lesson::Panel::Traffic))
    }

    /// Whether the panel of traffic is open in a session that can have traffic: its requests can be seen in the lanes.
    fn has_traffic(&self) -> bool {
        self.names_traffic() || is_tool(self, self.has_tables && self.preferences.traffic_open)
    }

    /// Whether the lanes are open only because of traffic: then its panel comes first.
    pub fn has_lanes_of_traffic(&self) -> bool {
        self.has_traffic() && !has_cast(self) && !(self.preferences.lanes_open || self.has_programs)
    }
}

/// A kind of panel.
pub struct PanelDef {
    /// Name in layouts, in `lesson.toml` and in tests.
    pub id: &'static str,
    /// Its title.
    pub title: fn(Lang) -> &'static str,
    /// Icon on its tab.
    pub icon: Picture,
    /// The groups that contain it, at most one per layout (`src/state/layout.rs`).
    pub groups: &'static [&'static str],
    /// Its style sheets.
    pub styles: &'static [&'static str],
    /// What it depends on, and how it is rendered.
    pub scope: Scope,
    /// The chunk of the program that contains it.
    pub chunk: Option<Chunk>,
    /// Whether the panel is open.
    pub opens_when: fn(&Situation) -> bool,
}

impl PanelDef {
    /// Renders it in its group. A panel about a node shows the node of the active client.
    pub fn draw(&self, place: PanelRef, active: Option<NodeIndex>) -> Html {
        let node = active.unwrap_or(place.node);
        match self.scope {
            Scope::Page(draw) | Scope::World(draw) => draw(),
            Scope::Node(draw) => draw(NodeProps { node }),
        }
    }
}

fn always(_: &Situation) -> bool {
    true
}

fn has_cast(now: &Situation) -> bool {
    now.lesson.is_some_and(lesson::Lesson::has_programs)
}

/// Rule for tools below the terminals: open if the reader has opened them; on a phone each has a tab of its own.
fn is_tool(now: &Situation, is_wanted: bool) -> bool {
    now.page == Page::Sandbox && (is_wanted || now.on_phone == TOOLS)
}

/// The group of the sandbox whose panels the reader opens and closes.
pub const TOOLS: &str = "tools";

/// All panels; the order within a group is that of this list.
pub static PANELS: &[PanelDef] = &[
    PanelDef {
        id: "scripts",
        title: Lang::tab_scripts,
        icon: Picture::Script,
        groups: &["tools", "focus-side"],
        styles: &[style!("rest" "panels/scripts/scripts.css")],
        scope: Scope::Node(part::<Scripts>),
        chunk: Some(Chunk::Rest),
        opens_when: |now| is_tool(now, now.preferences.scripts_open),
    },
    PanelDef {
        id: "lanes",
        title: Lang::lanes_title,
        icon: Picture::List,
        groups: &["tools", "above", "focus-stage"],
        styles: &[style!("lab" "panels/lanes/lanes.css"), style!("lab" "panels/lanes/bars.css")],
        scope: Scope::World(|| part::<Lanes>(())),
        chunk: Some(Chunk::Lab),
        opens_when: |now| {
            has_cast(now) || now.has_traffic() || is_tool(now, now.preferences.lanes_open || now.has_programs)
        },
    },
    PanelDef {
        id: "river",
        title: Lang::river_title,
        icon: Picture::River,
        groups: &["tools", "above", "focus-stage"],
        styles: &[style!("rest" "panels/river/river.css")],
        scope: Scope::Node(part::<River>),
        chunk: Some(Chunk::Rest),
        opens_when: |now| {
            let is_named = now.lesson.is_some_and(|lesson| lesson.panels.contains(&lesson::Panel::River));
            is_tool(now, now.preferences.shows_river(now.has_flow))
                || is_named
                || (now.page == Page::Lesson && now.has_flow)
        },
    },
    PanelDef {
        id: "traffic",
        title: Lang::traffic_title,
        icon: Picture::Chart,
        groups: &["tools", "above", "focus-stage"],
        styles: &[
            style!("traffic" "panels/traffic/traffic.css"),
            style!("traffic" "panels/traffic/flow.css"),
            lines_of_traffic::STYLE,
        ],
        scope: Scope::World(|| part::<Traffic>(())),
        chunk: Some(Chunk::Traffic),
        opens_when: |now| is_tool(now, now.preferences.traffic_open) || now.names_traffic(),
    },
    PanelDef {
        id: "terminals",
        title: Lang::tab_terminals,
        icon: Picture::Terminal,
        groups: &["terminals", "below", "focus-stage"],
        styles: &[style!("panels/terminal/terminal.css")],
        scope: Scope::World(|| part::<Clients>(())),
        chunk: None,
        opens_when: always,
    },
    PanelDef {
        id: "queue",
        title: Lang::loop_title,
        icon: Picture::Branch,
        groups: &["above", "focus-stage"],
        styles: &[style!("rest" "panels/eventloop/eventloop.css")],
        scope: Scope::Node(part::<EventLoop>),
        chunk: Some(Chunk::Rest),
        opens_when: has_cast,
    },
    PanelDef {
        id: "programs",
        title: Lang::programs_title,
        icon: Picture::Play,
        groups: &["tools", "below", "focus-side"],
        styles: &[style!("lab" "panels/programs/programs.css")],
        scope: Scope::World(|| part::<Programs>(())),
        chunk: Some(Chunk::Lab),
        opens_when: |now| has_cast(now) || (now.page == Page::Sandbox && now.has_programs),
    },
    PanelDef {
        id: "nodes",
        title: Lang::nodes_title,
        icon: Picture::Server,
        groups: &["tools", "below", "focus-side"],
        styles: &[style!("network" "panels/nodes/nodes.css")],
        scope: Scope::World(|| part::<Nodes>(())),
        chunk: Some(Chunk::Network),
        opens_when: |now| now.has_nodes && (now.page == Page::Lesson || is_tool(now, true)),
    },
    PanelDef {
        id: "lesson",
        title: Lang::lesson_text,
        icon: Picture::Course,
        groups: &["text", "focus-side"],
        styles: &[style!("course" "panels/lesson/lesson.css")],
        scope: Scope::Page(|| part::<LessonPanel>(())),
        chunk: Some(Chunk::Course),
        opens_when: |now| now.lesson.is_some(),
    },
    PanelDef {
        id: "verdict",
        title: Lang::verdict_title,
        icon: Picture::Check,
        groups: &["verdict", "focus-side"],
        styles: &[style!("rest" "panels/verdict/verdict.css"), style!("rest" "panels/explorer/explorer.css")],
        scope: Scope::World(|| part::<Findings>(())),
        chunk: Some(Chunk::Rest),
        opens_when: |now| now.lesson.is_some_and(|lesson| !lesson.properties.is_empty()),
    },
    PanelDef {
        id: "keyspace",
        title: Lang::tab_keys,
        icon: Picture::Key,
        groups: &["keys", "side", "focus-side"],
        styles: &[style!("panels/keyspace/keyspace.css")],
        scope: Scope::Node(part::<Keyspace>),
        chunk: None,
        opens_when: |now| now.has_redis,
    },
    PanelDef {
        id: "tables",
        title: Lang::tables_title,
        icon: Picture::Table,
        groups: &["inside", "inner", "focus-side"],
        styles: &[style!("table" "panels/tables/tables.css")],
        scope: Scope::World(|| part::<Tables>(())),
        chunk: Some(Chunk::Table),
        opens_when: |now| now.has_tables,
    },
    PanelDef {
        id: "inside",
        title: Lang::tab_inside,
        icon: Picture::Eye,
        groups: &["inside", "inner", "focus-side"],
        styles: &[
            style!("rest" "panels/inside/inside.css"),
            style!("rest" "panels/inside/pictures.css"),
            style!("rest" "panels/inside/records.css"),
        ],
        scope: Scope::Node(part::<Inside>),
        chunk: Some(Chunk::Rest),
        opens_when: |now| now.has_redis,
    },
    PanelDef {
        id: "course",
        title: Lang::course_title,
        icon: Picture::Course,
        groups: &["course"],
        styles: &[style!("map" "pages/course.css")],
        scope: Scope::Page(|| part::<CourseMap>(())),
        chunk: Some(Chunk::Map),
        opens_when: always,
    },
];

/// The panels of a group.
pub fn panels_of(group: &str) -> Vec<&'static str> {
    PANELS.iter().filter(|panel| panel.groups.contains(&group)).map(|panel| panel.id).collect()
}

/// The panel of this name.
pub fn panel(id: &str) -> Option<&'static PanelDef> {
    PANELS.iter().find(|panel| panel.id == id)
}

#[cfg(test)]
mod tests {
    use super::{PANELS, panel, panels_of};
    use crate::state::layout::Layout;

    fn layouts() -> [Layout; 4] {
        [Layout::sandbox(), Layout::lesson(), Layout::focus(), Layout::course()]
            .map(|layout| layout.with_panels(&panels_of))
    }

    #[test]
    fn a_panel_is_in_at_most_one_group_of_a_layout() {
        for layout in layouts() {
            let mut all: Vec<&str> =
                layout.groups().into_iter().flat_map(|group| &group.panels).map(|panel| panel.id).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn panels_name_existing_groups_and_no_group_is_empty() {
        let layouts = layouts();
        let groups: Vec<_> = layouts.iter().flat_map(Layout::groups).collect();
        for panel in PANELS {
            assert!(!panel.groups.is_empty(), "{}", panel.id);
            assert!(panel.groups.iter().all(|id| groups.iter().any(|group| group.id == *id)), "{}", panel.id);
        }
        assert!(groups.iter().all(|group| !group.panels.is_empty()));
    }

    #[test]
    fn in_focus_mode_the_lanes_come_first_and_beside_them_the_programs() {
        let focus = Layout::focus().with_panels(&panels_of);
        let open = focus.keep(&|panel| panel.id != "scripts");
        let first = |layout: &Layout| layout.groups().into_iter().map(|group| group.panels[0].id).collect::<Vec<_>>();
        assert_eq!(open.as_ref().map(first), Some(vec!["lanes", "programs"]));
    }

    #[test]
    fn lessons_name_only_panels_of_the_registry() {
        for (name, _) in lesson::Panel::ALL {
            assert!(panel(name).is_some(), "{name}");
        }
    }
}
