//! One page per route: the sandbox, which is the landing page, the map of the course, and its lessons.
mod course;
mod lesson;
mod lobby;
mod progress;
mod sandbox;

use yew::prelude::*;

use crate::hooks::{ProgressProvider, ProgressProviderProps};
use crate::state::address::LessonName;
use crate::ui::{part, part_of};
use crate::workbench::{Page, Workbench, WorkbenchProps};
pub use course::CourseMap;
pub use lobby::lobby;
pub use sandbox::SandboxPage;

/// A page of the course: a lesson, or the map. Each lesson is a page of its own: no component state is carried over to the next.
pub fn course_page(name: Option<LessonName>) -> Html {
    let children = match name {
        None => part::<Workbench>(WorkbenchProps { page: Page::Course }),
        Some(name) => part_of::<lesson::LessonPage>(&name.fragment(), lesson::LessonPageProps { name }),
    };
    part::<ProgressProvider>(ProgressProviderProps { children })
}
