//! Layouts: which groups of panels stand where. A layout is a value; the sandbox, a lesson, focus mode and the course have one each, and a
//! phone shows the groups of any of them one at a time. Each panel says in which groups it stands (`src/workbench/registry.rs`).
//!
//! ```text
//!  sandbox   terminals │ keyspace      lesson   text    │ lanes, queue        │ keyspace
//!            ──────────┼─────────               ────────│ ───────────────────── ────────
//!            tools     │ inside                 verdict │ programs, terminals │ inside
//!
//!  focus     lanes, terminals, queue │ programs, lesson, verdict, keyspace, inside
//! ```
use world::NodeIndex;

/// Which way the line between two parts runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// An upright line between left and right.
    Vertical,
    /// A level line between upper and lower.
    Horizontal,
}

impl Direction {
    /// For styles.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Vertical => "vertical",
            Direction::Horizontal => "horizontal",
        }
    }
}

/// A panel of a layout, by its name in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelRef {
    /// Its name.
    pub id: &'static str,
    /// The node that it shows, where it shows one.
    pub node: NodeIndex,
}

impl PanelRef {
    /// What it is called among the panels of a layout, where the same panel may show several nodes. Of the first node it is the panel's
    /// name alone, as it has always been kept.
    pub fn name(self) -> String {
        match self.node {
            NodeIndex::FIRST => self.id.to_owned(),
            node => format!("{}@{node}", self.id),
        }
    }
}

/// A place that shows one of its panels, under tabs where there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, for styles and for what is kept of it.
    pub id: &'static str,
    /// Its panels, the one that is at first in front first.
    pub panels: Vec<PanelRef>,
}

/// A line between two parts that the reader can move. Where it stands is a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitId {
    /// Between the terminals and the right column of the sandbox.
    Main,
    /// Between the terminals and the tools below them.
    Tools,
    /// Between keyspace and inside.
    Side,
    /// Between the text of a lesson and the rest.
    Text,
    /// Between the middle of a lesson and its right column.
    Right,
    /// Between the upper and the lower half of the middle.
    Above,
    /// Between what happens and what it is about, in focus mode.
    Focus,
}

impl SplitId {
    /// All of them, each with its name in the stored preferences, where it stands at first and how far it can be moved, in percent of
    /// the box that it divides.
    pub const ALL: [(SplitId, &'static str, u8, (u8, u8)); 7] = [
        (SplitId::Main, "main", 60, (20, 80)),
        (SplitId::Tools, "scripts", 42, (20, 80)),
        (SplitId::Side, "side", 46, (20, 80)),
        (SplitId::Text, "text", 27, (18, 45)),
        (SplitId::Right, "right", 64, (30, 85)),
        (SplitId::Above, "above", 55, (20, 80)),
        (SplitId::Focus, "focus", 62, (30, 85)),
    ];

    /// Its place among all.
    pub fn index(self) -> usize {
        SplitId::ALL.iter().position(|(id, ..)| *id == self).unwrap_or(0)
    }

    /// A position that it can have.
    pub fn clamp(self, percent: u8) -> u8 {
        let bounds = SplitId::ALL.get(self.index()).map_or((20, 80), |(.., bounds)| *bounds);
        percent.clamp(bounds.0, bounds.1)
    }
}

/// Which panel of each group the reader has brought to the front, in a line of text: `above=queue below=programs`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fronts(Vec<(String, String)>);

impl Fronts {
    /// Reads a line; what cannot be read is skipped.
    pub fn from_text(text: &str) -> Fronts {
        let pair = |word: &str| word.split_once('=').map(|(group, panel)| (group.to_owned(), panel.to_owned()));
        Fronts(text.split_whitespace().filter_map(pair).collect())
    }

    /// The line.
    pub fn to_text(&self) -> String {
        self.0.iter().map(|(group, panel)| format!("{group}={panel}")).collect::<Vec<_>>().join(" ")
    }

    /// The panel in front of a group; at first the one that stands first.
    pub fn of(&self, group: &Group) -> Option<PanelRef> {
        let kept = self.0.iter().find(|(name, _)| name == group.id).map(|(_, panel)| panel.as_str());
        let found = group.panels.iter().find(|panel| kept.is_some_and(|kept| panel.name() == kept));
        found.or_else(|| group.panels.first()).copied()
    }

    /// With another panel in front of a group.
    pub fn with(mut self, group: &str, panel: &str) -> Fronts {
        self.0.retain(|(name, _)| name != group);
        self.0.push((group.to_owned(), panel.to_owned()));
        self
    }
}

/// Panels in their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Two parts with a line between them.
    Split(SplitId, Direction, Box<[Layout; 2]>),
    /// A part, and below it one that takes only the room that it needs.
    Stack(Box<[Layout; 2]>),
    /// A group of panels.
    Group(Group),
}

/// A group whose panels are not known yet.
fn group(id: &'static str) -> Layout {
    Layout::Group(Group { id, panels: Vec::new() })
}

fn split(at: SplitId, direction: Direction, first: Layout, second: Layout) -> Layout {
    Layout::Split(at, direction, Box::new([first, second]))
}

impl Layout {
    /// The sandbox: terminals, below them what the reader opens; keyspace and inside to the right.
    pub fn sandbox() -> Layout {
        let work = split(SplitId::Tools, Direction::Horizontal, group("terminals"), group("tools"));
        let side = split(SplitId::Side, Direction::Horizontal, group("keys"), group("inside"));
        split(SplitId::Main, Direction::Vertical, work, side)
    }

    /// A lesson: its text, what happens, and what is in the server.
    pub fn lesson() -> Layout {
        let text = Layout::Stack(Box::new([group("text"), group("verdict")]));
        let work = split(SplitId::Above, Direction::Horizontal, group("above"), group("below"));
        let side = split(SplitId::Side, Direction::Horizontal, group("side"), group("inner"));
        let rest = split(SplitId::Right, Direction::Vertical, work, side);
        split(SplitId::Text, Direction::Vertical, text, rest)
    }

    /// Focus mode: what happens has most of the page, and what it is about stands beside it. Its groups are its own: the reader's other
    /// layouts stay as they are.
    pub fn focus() -> Layout {
        let stage = group("focus-stage");
        let beside = group("focus-side");
        split(SplitId::Focus, Direction::Vertical, stage, beside)
    }

    /// The map of the course.
    pub fn course() -> Layout {
        group("course")
    }

    /// With these panels in its groups, each with a name. What they show is the first node; nowhere else does the page say of a node
    /// which it is.
    pub fn with_panels(mut self, panels_of: &dyn Fn(&str) -> Vec<&'static str>) -> Layout {
        match &mut self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => {
                for part in parts.iter_mut() {
                    *part = part.clone().with_panels(panels_of);
                }
            }
            Layout::Group(group) => {
                let placed = |id| PanelRef { id, node: NodeIndex::FIRST };
                group.panels = panels_of(group.id).into_iter().map(placed).collect();
            }
        }
        self
    }

    /// Without the panels that are not open; nothing when none is. What has one part left is that part.
    pub fn keep(self, is_open: &dyn Fn(PanelRef) -> bool) -> Option<Layout> {
        let both = |parts: Box<[Layout; 2]>, join: &dyn Fn(Box<[Layout; 2]>) -> Layout| {
            let [first, second] = *parts;
            match (first.keep(is_open), second.keep(is_open)) {
                (Some(first), Some(second)) => Some(join(Box::new([first, second]))),
                (first, second) => first.or(second),
            }
        };
        match self {
            Layout::Split(at, direction, parts) => both(parts, &|parts| Layout::Split(at, direction, parts)),
            Layout::Stack(parts) => both(parts, &Layout::Stack),
            Layout::Group(Group { id, panels }) => {
                let panels: Vec<PanelRef> = panels.into_iter().filter(|panel| is_open(*panel)).collect();
                (!panels.is_empty()).then_some(Layout::Group(Group { id, panels }))
            }
        }
    }

    /// With the panels of each group in another order: those come first that have the lowest rank.
    pub fn ranked(mut self, rank: &dyn Fn(PanelRef) -> usize) -> Layout {
        match &mut self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => {
                for part in parts.iter_mut() {
                    *part = part.clone().ranked(rank);
                }
            }
            Layout::Group(group) => group.panels.sort_by_key(|panel| rank(*panel)),
        }
        self
    }

    /// Its groups, from the upper left to the lower right: what a phone shows one at a time.
    pub fn groups(&self) -> Vec<&Group> {
        match self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => parts.iter().flat_map(Layout::groups).collect(),
            Layout::Group(group) => vec![group],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fronts, Group, Layout, NodeIndex, PanelRef};

    fn names(layout: &Layout) -> Vec<(&'static str, Vec<&'static str>)> {
        let panels = |panels: &[PanelRef]| panels.iter().map(|panel| panel.id).collect();
        layout.groups().into_iter().map(|group| (group.id, panels(&group.panels))).collect()
    }

    /// With panels as the registry has them, or nearly.
    fn filled(layout: Layout) -> Layout {
        layout.with_panels(&|group| match group {
            "tools" => vec!["scripts", "lanes", "programs"],
            "keys" | "side" => vec!["keyspace"],
            "inside" | "inner" => vec!["inside"],
            "above" => vec!["lanes", "queue"],
            "below" => vec!["terminals", "programs"],
            _ => vec!["terminals"],
        })
    }

    #[test]
    fn a_closed_panel_takes_no_room() {
        let open =
            filled(Layout::sandbox()).keep(&|panel| !matches!(panel.id, "scripts" | "lanes" | "programs")).unwrap();
        assert_eq!(
            names(&open),
            [("terminals", vec!["terminals"]), ("keys", vec!["keyspace"]), ("inside", vec!["inside"])]
        );
        // The line between terminals and tools has gone with the tools.
        let Layout::Split(_, _, parts) = open else { panic!("no split") };
        assert!(matches!(&parts[0], Layout::Group(group) if group.id == "terminals"));
        assert_eq!(Layout::lesson().keep(&|_| false), None);
    }

    #[test]
    fn all_open_is_the_layout_itself() {
        for layout in [Layout::sandbox(), Layout::lesson(), Layout::focus(), Layout::course()].map(filled) {
            assert_eq!(layout.clone().keep(&|_| true), Some(layout));
        }
    }

    #[test]
    fn a_lesson_says_which_panel_comes_first() {
        let ranked = filled(Layout::lesson()).ranked(&|panel| usize::from(panel.id != "programs"));
        assert!(names(&ranked).contains(&("below", vec!["programs", "terminals"])));
        assert!(names(&ranked).contains(&("above", vec!["lanes", "queue"])));
    }

    #[test]
    fn the_same_panel_of_two_nodes_has_two_names() {
        let keys = |node| PanelRef { id: "keyspace", node };
        let second: NodeIndex = "1".parse().unwrap();
        assert_eq!([keys(NodeIndex::FIRST).name(), keys(second).name()], ["keyspace", "keyspace@1"]);
        let group = Group { id: "keys", panels: vec![keys(NodeIndex::FIRST), keys(second)] };
        let fronts = Fronts::from_text("keys=keyspace@1");
        assert_eq!(fronts.of(&group), Some(keys(second)));
        // What an older page kept means the first node.
        assert_eq!(Fronts::from_text("keys=keyspace").of(&group), Some(keys(NodeIndex::FIRST)));
    }

    #[test]
    fn a_front_is_kept_unless_its_panel_has_gone() {
        let panel = |id| PanelRef { id, node: NodeIndex::FIRST };
        let group = Group { id: "above", panels: ["lanes", "queue"].map(panel).to_vec() };
        let fronts = Fronts::from_text("below=programs nonsense above=lanes").with("above", "queue");
        assert_eq!(Fronts::from_text(&fronts.to_text()), fronts);
        assert_eq!(fronts.of(&group).map(|panel| panel.id), Some("queue"));
        assert_eq!(fronts.with("above", "gone").of(&group).map(|panel| panel.id), Some("lanes"));
        assert_eq!(Fronts::default().of(&Group { id: "none", panels: Vec::new() }), None);
    }
}
