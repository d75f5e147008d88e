//! One page a route: the sandbox, where everybody lands, the map of the course, and its lessons.
mod course;
mod lab;
mod lesson;
mod lobby;
mod sandbox;

use yew::prelude::*;

use crate::hooks::{ProgressProvider, ProgressProviderProps};
use crate::state::address::LessonName;
use crate::ui::{html, part, part_of};
pub use lobby::lobby;
pub use sandbox::SandboxPage;

/// Style sheets of the course. They come with its pages, so that the sandbox does not wait for them.
const COURSE_STYLES: [&str; 9] = [
    include_str!("course.css"),
    include_str!("lab.css"),
    include_str!("../panels/lesson/lesson.css"),
    include_str!("../panels/lanes/lanes.css"),
    include_str!("../panels/lanes/crowd.css"),
    include_str!("../panels/programs/programs.css"),
    include_str!("../panels/eventloop/eventloop.css"),
    include_str!("../panels/verdict/verdict.css"),
    include_str!("../panels/explorer/explorer.css"),
];

/// A page of the course: a lesson, or the map. Another lesson is another page: nothing of one is carried into the next.
pub fn course_page(name: Option<LessonName>) -> Html {
    let children = match name {
        None => part::<course::CourseMap>(()),
        Some(name) => part_of::<lesson::LessonPage>(&name.fragment(), lesson::LessonPageProps { name }),
    };
    html! {
        <>
            <style>{ COURSE_STYLES.concat() }</style>
            { part::<ProgressProvider>(ProgressProviderProps { children }) }
        </>
    }
}
