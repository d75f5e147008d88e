//! Icons as inline SVG on a 24 × 24 grid: strokes in the colour of the text, no files to download.
use yew::prelude::*;

use super::html;

/// All icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says what is drawn")]
pub enum Picture {
    Logo,
    Add,
    Branch,
    /// A curve over an axis.
    Chart,
    Check,
    Clock,
    Close,
    Course,
    Dots,
    Download,
    Eye,
    First,
    Folder,
    Help,
    Key,
    Last,
    List,
    Moon,
    Next,
    Pause,
    Pencil,
    Play,
    Previous,
    Projector,
    /// Two waves.
    River,
    /// Corners around a rectangle.
    Focus,
    Script,
    Search,
    Server,
    Share,
    /// A rectangle with a divider.
    Side,
    StepBack,
    StepForward,
    Stop,
    Sun,
    SunMoon,
    /// Rows and columns.
    Table,
    Terminal,
    Trash,
    Undo,
    Upload,
    ToDeadline,
}

impl Picture {
    /// Path data of the strokes, and of the filled parts.
    fn paths(self) -> (&'static str, &'static str) {
        match self {
            Picture::Side => ("M4 5h16v14H4zM14.500 5v14", ""),
            Picture::Table => ("M4 5h16v14H4zM4 10h16M10 10v9", ""),
            Picture::Logo => ("M3 19h6v-5.500h6v-5h4.500", "M19.500 3.200a2.100 2.100 0 1 0 .01 0z"),
            Picture::Add => ("M12 5v14M5 12h14", ""),
            Picture::Branch => (
                "M6 8.500v7M8.500 6H12a4 4 0 0 1 4 4v.500M6 3.500a2.500 2.500 0 1 0 .01 0zM6 15.500a2.500 2.500 0 1 0 .01 0zM16 10.500a2.500 2.500 0 1 0 .01 0z",
                "",
            ),
            Picture::Chart => ("M4 4v15.500h16M7.500 15l4-5 3 3 5-7", ""),
            Picture::Check => ("M5 12.500l4.500 4.500L19 7", ""),
            Picture::Clock => ("M12 4a8 8 0 1 0 .01 0zM12 8v4.500l3 2", ""),
            Picture::Close => ("M6 6l12 12M18 6L6 18", ""),
            Picture::Course => (
                "M12 6.500C10 5 7 4.500 3.500 4.500v14c3.500 0 6.500.500 8.500 2 2-1.500 5-2 8.500-2v-14c-3.500 0-6.500.500-8.500 2zv14",
                "",
            ),
            Picture::Dots => (
                "",
                "M12 4.500a1.500 1.500 0 1 0 .01 0zM12 10.500a1.500 1.500 0 1 0 .01 0zM12 16.500a1.500 1.500 0 1 0 .01 0z",
            ),
            Picture::Download => ("M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 19.500h14", ""),
            Picture::Eye => (
                "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 0 .01 0z",
                "",
            ),
            Picture::First => ("M4.500 6v12", "M20 6v12l-6.500-6zM13.500 6v12L7 12z"),
            Picture::Folder => ("M3.500 18.500v-12h6l2 2.500h9v9.500z", ""),
            Picture::Help => (
                "M9 9.200a3 3 0 1 1 4.600 2.600c-1 .6-1.600 1.200-1.600 2.400M12 3a9 9 0 1 0 .01 0z",
                "M12 16.200a1.100 1.100 0 1 0 .01 0z",
            ),
            Picture::Key => {
                ("M15.500 4a4.500 4.500 0 1 0 .01 0zM12.200 11.800L4 20v.500h3.500V18H10v-2.500l2.500-2.500", "")
            }
            Picture::Last => ("M19.500 6v12", "M4 6v12l6.500-6zM10.500 6v12l6.500-6z"),
            Picture::List => (
                "M9 6.500h11M9 12h11M9 17.500h11",
                "M4.500 5.300a1.200 1.200 0 1 0 .01 0zM4.500 10.800a1.200 1.200 0 1 0 .01 0zM4.500 16.300a1.200 1.200 0 1 0 .01 0z",
            ),
            Picture::Moon => ("M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z", ""),
            Picture::Next => ("", "M8 5v14l10-7z"),
            Picture::Pause => ("", "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z"),
            Picture::Pencil => ("M4.500 19.500l1-4L16 5l3 3L8.500 18.500z", ""),
            Picture::Play => ("M12 3a9 9 0 1 0 .01 0z", "M10 8v8l6.200-4z"),
            Picture::Previous => ("", "M16 5v14L6 12z"),
            Picture::Focus => ("M4 9V4.500h5M20 9V4.500h-5M4 15v4.500h5M20 15v4.500h-5M9.500 10h5v4h-5z", ""),
            Picture::Projector => ("M3.500 5h17M5 5v10.500h14V5M12 15.500v4M8.500 20.500l3.500-3 3.500 3", ""),
            Picture::River => (
                "M3 8c2-2.500 4-2.500 6 0s4 2.500 6 0 4-2.500 6 0M3 15.500c2-2.500 4-2.500 6 0s4 2.500 6 0 4-2.500 6 0",
                "",
            ),
            Picture::Script => ("M8.500 7l-5 5 5 5M15.500 7l5 5-5 5M13.500 4.500l-3 15", ""),
            Picture::Search => ("M10.500 4.500a6 6 0 1 0 .01 0zM15 15l5 5", ""),
            Picture::Server => ("M5 4.500h14v6H5zM5 13.500h14v6H5zM8 7.500h2.500M8 16.500h2.500", ""),
            Picture::Share => ("M12 14.500V3.500M8 7l4-3.500L16 7M6.500 11H5v9.500h14V11h-1.500", ""),
            Picture::StepBack => ("M7 6v12", "M18 6v12l-8-6z"),
            Picture::StepForward => ("M17 6v12", "M6 6v12l8-6z"),
            Picture::Stop => ("M12 3a9 9 0 1 0 .01 0zM9 9l6 6M15 9l-6 6", ""),
            Picture::Sun => (
                "M12 8a4 4 0 1 0 .01 0zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
                "",
            ),
            Picture::SunMoon => ("M12 3.500a8.500 8.500 0 1 0 .01 0z", "M12 3.500a8.500 8.500 0 0 1 0 17z"),
            Picture::Terminal => ("M5 7l5 5-5 5M12.500 17.500H19", ""),
            Picture::Trash => ("M4.500 6.500h15M9 6.500v-2h6v2M6.500 6.500l1 13h9l1-13M10 10v6M14 10v6", ""),
            Picture::Undo => ("M8.500 5L4.500 9l4 4M5 9h9a5 5 0 0 1 0 10h-4", ""),
            Picture::Upload => ("M12 15.500V4.500M7.500 8.500L12 4l4.500 4.500M5 19.500h14", ""),
            Picture::ToDeadline => ("M4 12h9M10 8.500l3.500 3.500-3.500 3.500M17 5v14M20 5v14", ""),
        }
    }
}

/// An icon as decoration: its meaning is given by the text next to it or by the button's label.
pub fn icon(picture: Picture) -> Html {
    let (strokes, solid) = picture.paths();
    html! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            if !strokes.is_empty() { <path d={strokes} /> }
            if !solid.is_empty() { <path class="solid" d={solid} /> }
        </svg>
    }
}
