//! The other application: the course. Contexts around its pages, and which of them the address names.
use yew::prelude::*;

use crate::hooks::course::use_lesson_name;
use crate::hooks::{
    NoticesProvider, NoticesProviderProps, PreferencesProvider, PreferencesProviderProps, ProgressProvider,
    ProgressProviderProps,
};
use crate::pages::{CourseMap, LessonPage, LessonPageProps};
use crate::ui::{html, part, part_of};

/// Style sheets of the course. They come with its program, so that the sandbox does not carry them; what both need stands
/// in `index.html`.
const STYLES: [&str; 9] = [
    include_str!("pages/course.css"),
    include_str!("pages/lab.css"),
    include_str!("panels/lesson/lesson.css"),
    include_str!("panels/lanes/lanes.css"),
    include_str!("panels/lanes/crowd.css"),
    include_str!("panels/programs/programs.css"),
    include_str!("panels/eventloop/eventloop.css"),
    include_str!("panels/verdict/verdict.css"),
    include_str!("panels/explorer/explorer.css"),
];

/// Everything on the screen.
#[component]
pub fn Course() -> Html {
    let children = part::<Pages>(());
    let children = part::<ProgressProvider>(ProgressProviderProps { children });
    let children = part::<NoticesProvider>(NoticesProviderProps { children });
    html! {
        <>
            <style>{ STYLES.concat() }</style>
            { part::<PreferencesProvider>(PreferencesProviderProps { children }) }
        </>
    }
}

#[component]
fn Pages() -> Html {
    match use_lesson_name() {
        None => part::<CourseMap>(()),
        // Another lesson is another page: nothing of one is carried into the next.
        Some(name) => part_of::<LessonPage>(&name.fragment(), LessonPageProps { name }),
    }
}
