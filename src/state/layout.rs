//! Layouts: where each group of panels is placed. A layout is a value; the sandbox, a lesson, focus mode and the course have one each, and
//! a phone shows the groups of any of them one at a time. Each panel names its groups (`src/workbench/registry.rs`).
//!
//! ```text
//!  sandbox   terminals │ keyspace      lesson   text    │ lanes, queue        │ keyspace
//!            ──────────┼─────────               ────────│ ───────────────────── ────────
//!            tools     │ inside                 verdict │ programs, terminals │ inside
//!
//!  focus     lanes, terminals, queue │ programs, lesson, verdict, keyspace, inside
//! ```
use redis_model::sorting;
use world::NodeIndex;

/// The direction of the divider between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// A vertical divider, between left and right.
    Vertical,
    /// A horizontal divider, between upper and lower.
    Horizontal,
}

impl Orientation {
    /// A word for style sheets.
    pub fn word(self) -> &'static str {
        match self {
            Orientation::Vertical => "vertical",
            Orientation::Horizontal => "horizontal",
        }
    }
}

/// A panel of a layout, by its name in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelRef {
    /// Its name.
    pub id: &'static str,
    /// The node that it shows; the first node if it shows none in particular.
    pub node: NodeIndex,
}

impl PanelRef {
    /// Its name among the panels of a layout, where the same panel may show several nodes. For the first node it is the panel's name alone,
    /// as older versions stored it.
    pub fn name(self) -> String {
        match self.node {
            NodeIndex::FIRST => self.id.to_owned(),
            node => format!("{}@{node}", self.id),
        }
    }
}

/// A group of panels; one is shown, with tabs if there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, for styles and stored preferences.
    pub id: &'static str,
    /// Its panels; by default the first one is in front.
    pub panels: Vec<PanelRef>,
}

/// A divider between two parts that the reader can move. Its position is a preference.
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
    /// Between what happens and its context, in focus mode.
    Focus,
}

impl SplitId {
    /// All dividers, each with its name in the stored preferences, its default position and its range, in percent of the box that it
    /// divides.
    pub const ALL: [(SplitId, &'static str, u8, (u8, u8)); 7] = [
        (SplitId::Main, "main", 60, (20, 80)),
        (SplitId::Tools, "scripts", 42, (20, 80)),
        (SplitId::Side, "side", 46, (20, 80)),
        (SplitId::Text, "text", 27, (18, 45)),
        (SplitId::Right, "right", 64, (30, 85)),
        (SplitId::Above, "above", 55, (20, 80)),
        (SplitId::Focus, "focus", 62, (30, 85)),
    ];

    /// Its index in [`SplitId::ALL`].
    pub fn index(self) -> usize {
        SplitId::ALL.iter().position(|(id, ..)| *id == self).unwrap_or(0)
    }

    /// The allowed position closest to `percent`.
    pub fn clamp(self, percent: u8) -> u8 {
        let bounds = SplitId::ALL.get(self.index()).map_or((20, 80), |(.., bounds)| *bounds);
        percent.clamp(bounds.0, bounds.1)
    }
}

/// The group that can be folded: the context of focus mode.
pub const FOLDABLE: &str = "focus-side";

/// The mark of a folded group, where otherwise the name of its panel in front is.
const FOLDED: &str = "-";

/// Which panel of each group is in front, as a line of text: `above=queue below=programs`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fronts(Vec<(String, String)>);

impl Fronts {
    /// Reads a line; parts that cannot be read are skipped.
    pub fn from_text(text: &str) -> Fronts {
        let pair = |word: &str| word.split_once('=').map(|(group, panel)| (group.to_owned(), panel.to_owned()));
        Fronts(text.split_whitespace().filter_map(pair).collect())
    }

    /// Writes the line.
    pub fn to_text(&self) -> String {
        self.0.iter().map(|(group, panel)| format!("{group}={panel}")).collect::<Vec<_>>().join(" ")
    }

    /// Whether the reader has folded this group.
    pub fn is_folded(&self, group: &str) -> bool {
        self.0.iter().any(|(name, panel)| name == group && panel == FOLDED)
    }

    /// A copy in which a group is folded, or open with its last panel in front.
    pub fn folded(mut self, group: &str, is_folded: bool) -> Fronts {
        self.0.retain(|(name, panel)| name != group || panel != FOLDED);
        if is_folded {
            self.0.push((group.to_owned(), FOLDED.to_owned()));
        }
        self
    }

    /// A copy after the key or the tab of a panel was pressed: the panel comes to the front, and if it is there already, its group folds.
    pub fn toggled(self, group: &Group, panel: &str) -> Fronts {
        let is_in_front = self.of(group).is_some_and(|front| front.name() == panel) && !self.is_folded(group.id);
        if is_in_front && group.id == FOLDABLE { self.folded(group.id, true) } else { self.with(group.id, panel) }
    }

    /// The panel in front of a group; by default the first.
    pub fn of(&self, group: &Group) -> Option<PanelRef> {
        let kept =
            self.0.iter().find(|(name, panel)| name == group.id && panel != FOLDED).map(|(_, panel)| panel.as_str());
        let found = group.panels.iter().find(|panel| kept.is_some_and(|kept| panel.name() == kept));
        found.or_else(|| group.panels.first()).copied()
    }

    /// A copy with another panel in front of a group, which is open then.
    pub fn with(mut self, group: &str, panel: &str) -> Fronts {
        self.0.retain(|(name, _)| name != group);
        self.0.push((group.to_owned(), panel.to_owned()));
        self
    }
}

/// An arrangement of panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Two parts with a divider between them. A part without open panels is missing, and the other one takes its room; its place in the
    /// layout stays the same, so the page keeps its elements, and with them what is typed there.
    Split(SplitId, Orientation, Box<[Option<Layout>; 2]>),
    /// A part, and below it one that takes only the room that it needs. Each may be missing, as in a split.
    Stack(Box<[Option<Layout>; 2]>),
    /// A group of panels.
    Group(Group),
}

/// A group without panels yet.
fn group(id: &'static str) -> Layout {
    Layout::Group(Group { id, panels: Vec::new() })
}

fn split(at: SplitId, orientation: Orientation, first: Layout, second: Layout) -> Layout {
    Layout::Split(at, orientation, Box::new([Some(first), Some(second)]))
}

impl Layout {
    /// The sandbox: terminals, and below them the tools that the reader opens; keyspace and inside on the right.
    pub fn sandbox() -> Layout {
        let work = split(SplitId::Tools, Orientation::Horizontal, group("terminals"), group("tools"));
        let side = split(SplitId::Side, Orientation::Horizontal, group("keys"), group("inside"));
        split(SplitId::Main, Orientation::Vertical, work, side)
    }

    /// A lesson: its text, what happens, and the state of the server.
    pub fn lesson() -> Layout {
        let text = Layout::Stack(Box::new([Some(group("text")), Some(group("verdict"))]));
        let work = split(SplitId::Above, Orientation::Horizontal, group("above"), group("below"));
        let side = split(SplitId::Side, Orientation::Horizontal, group("side"), group("inner"));
        let rest = split(SplitId::Right, Orientation::Vertical, work, side);
        split(SplitId::Text, Orientation::Vertical, text, rest)
    }

    /// Focus mode: what happens takes most of the page, its context stands beside it. It has groups of its own, so the reader's other
    /// layouts stay unchanged.
    pub fn focus() -> Layout {
        let stage = group("focus-stage");
        let beside = group(FOLDABLE);
        split(SplitId::Focus, Orientation::Vertical, stage, beside)
    }

    /// The map of the course.
    pub fn course() -> Layout {
        group("course")
    }

    /// Fills each group with the panels that `panels_of` names for it. They show the first node; this is the only place that sets a default
    /// node.
    pub fn with_panels(mut self, panels_of: &dyn Fn(&str) -> Vec<&'static str>) -> Layout {
        match &mut self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => {
                for part in parts.iter_mut() {
                    *part = part.take().map(|part| part.with_panels(panels_of));
                }
            }
            Layout::Group(group) => {
                let placed = |id| PanelRef { id, node: NodeIndex::FIRST };
                group.panels = panels_of(group.id).into_iter().map(placed).collect();
            }
        }
        self
    }

    /// Drops the panels that are not open; `None` if none is left.
    pub fn keep(self, is_open: &dyn Fn(PanelRef) -> bool) -> Option<Layout> {
        let both = |parts: Box<[Option<Layout>; 2]>| {
            let parts = parts.map(|part| part.and_then(|part| part.keep(is_open)));
            parts.iter().any(Option::is_some).then(|| Box::new(parts))
        };
        match self {
            Layout::Split(at, orientation, parts) => Some(Layout::Split(at, orientation, both(parts)?)),
            Layout::Stack(parts) => Some(Layout::Stack(both(parts)?)),
            Layout::Group(Group { id, panels }) => {
                let panels: Vec<PanelRef> = panels.into_iter().filter(|panel| is_open(*panel)).collect();
                (!panels.is_empty()).then_some(Layout::Group(Group { id, panels }))
            }
        }
    }

    /// Reorders the panels of each group, lowest rank first.
    pub fn ranked(mut self, rank: &dyn Fn(PanelRef) -> usize) -> Layout {
        match &mut self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => {
                for part in parts.iter_mut() {
                    *part = part.take().map(|part| part.ranked(rank));
                }
            }
            Layout::Group(group) => sorting::sort_by(&mut group.panels, |a, b| rank(*a).cmp(&rank(*b))),
        }
        self
    }

    /// Its groups, from the upper left to the lower right: a phone shows them one at a time.
    pub fn groups(&self) -> Vec<&Group> {
        match self {
            Layout::Split(_, _, parts) | Layout::Stack(parts) => {
                parts.iter().flatten().flat_map(Layout::groups).collect()
            }
            Layout::Group(group) => vec![group],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FOLDABLE, Fronts, Group, Layout, NodeIndex, PanelRef};

    fn names(layout: &Layout) -> Vec<(&'static str, Vec<&'static str>)> {
        let panels = |panels: &[PanelRef]| panels.iter().map(|panel| panel.id).collect();
        layout.groups().into_iter().map(|group| (group.id, panels(&group.panels))).collect()
    }

    /// Filled with panels, much as the registry does it.
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
    fn key_of_a_panel_folds_only_the_side_of_focus_mode() {
        let group = |id, panels: [&'static str; 2]| Group {
            id,
            panels: panels.map(|id| PanelRef { id, node: NodeIndex::FIRST }).to_vec(),
        };
        let (side, stage) = (group(FOLDABLE, ["programs", "verdict"]), group("focus-stage", ["lanes", "terminals"]));
        let fronts = Fronts::default().toggled(&side, "verdict");
        assert_eq!((fronts.of(&side).unwrap().id, fronts.is_folded(side.id)), ("verdict", false));
        let folded = fronts.toggled(&side, "verdict");
        assert!(folded.is_folded(side.id));
        assert_eq!(Fronts::from_text(&folded.to_text()), folded, "stored");
        // What was in front is in front again.
        assert_eq!(folded.clone().folded(side.id, false).of(&side).unwrap().id, "verdict");
        assert_eq!(folded.clone().toggled(&side, "programs").of(&side).unwrap().id, "programs");
        assert!(!folded.toggled(&side, "verdict").is_folded(side.id), "the first press opens");
        let stage_twice = Fronts::default().toggled(&stage, "lanes").toggled(&stage, "lanes");
        assert!(!stage_twice.is_folded(stage.id));
    }

    #[test]
    fn closed_panel_takes_no_room() {
        let open =
            filled(Layout::sandbox()).keep(&|panel| !matches!(panel.id, "scripts" | "lanes" | "programs")).unwrap();
        assert_eq!(
            names(&open),
            [("terminals", vec!["terminals"]), ("keys", vec!["keyspace"]), ("inside", vec!["inside"])]
        );
        // The tools are gone, and the terminals are where they were.
        let Layout::Split(_, _, parts) = open else { panic!("no split") };
        let Some(Layout::Split(_, _, work)) = &parts[0] else { panic!("no split") };
        assert!(matches!(&**work, [Some(Layout::Group(group)), None] if group.id == "terminals"));
        assert_eq!(Layout::lesson().keep(&|_| false), None);
    }

    #[test]
    fn layout_with_all_panels_open_is_unchanged() {
        for layout in [Layout::sandbox(), Layout::lesson(), Layout::focus(), Layout::course()].map(filled) {
            assert_eq!(layout.clone().keep(&|_| true), Some(layout));
        }
    }

    #[test]
    fn lesson_chooses_the_first_panel() {
        let ranked = filled(Layout::lesson()).ranked(&|panel| usize::from(panel.id != "programs"));
        assert!(names(&ranked).contains(&("below", vec!["programs", "terminals"])));
        assert!(names(&ranked).contains(&("above", vec!["lanes", "queue"])));
    }

    #[test]
    fn same_panel_of_two_nodes_has_two_names() {
        let keys = |node| PanelRef { id: "keyspace", node };
        let second: NodeIndex = "1".parse().unwrap();
        assert_eq!([keys(NodeIndex::FIRST).name(), keys(second).name()], ["keyspace", "keyspace@1"]);
        let group = Group { id: "keys", panels: vec![keys(NodeIndex::FIRST), keys(second)] };
        let fronts = Fronts::from_text("keys=keyspace@1");
        assert_eq!(fronts.of(&group), Some(keys(second)));
        // A name stored by an older version means the first node.
        assert_eq!(Fronts::from_text("keys=keyspace").of(&group), Some(keys(NodeIndex::FIRST)));
    }

    #[test]
    fn front_panel_is_stored_unless_it_is_closed() {
        let panel = |id| PanelRef { id, node: NodeIndex::FIRST };
        let group = Group { id: "above", panels: ["lanes", "queue"].map(panel).to_vec() };
        let fronts = Fronts::from_text("below=programs nonsense above=lanes").with("above", "queue");
        assert_eq!(Fronts::from_text(&fronts.to_text()), fronts);
        assert_eq!(fronts.of(&group).map(|panel| panel.id), Some("queue"));
        assert_eq!(fronts.with("above", "gone").of(&group).map(|panel| panel.id), Some("lanes"));
        assert_eq!(Fronts::default().of(&Group { id: "none", panels: Vec::new() }), None);
    }
}
