//! The link from a lesson to the next one. It is in a chunk that is loaded later, because the first step does not need the list of lessons.
use yew::prelude::*;

use crate::hooks::course::{Fetched, use_index, use_lesson};
use crate::hooks::use_lang;
use crate::i18n::{late, unmarked};
use crate::state::address::{COURSE, LessonName};
use crate::ui::{Picture, html, icon};

/// Properties of [`Onward`].
#[derive(Clone, PartialEq, Properties)]
pub struct OnwardProps {
    /// Whether everything else in the lesson is done.
    pub is_next: bool,
}

/// The link to the next lesson, possibly the first one of the next track.
#[component]
pub fn Onward(props: &OnwardProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let (index, _) = use_index();
    let Fetched::Here(index) = index else { return Html::default() };
    let mut all = index.tracks.iter().flat_map(|track| {
        track.lessons.iter().map(|entry| (LessonName { track: track.id.clone(), id: entry.id.clone() }, entry))
    });
    let next = all.by_ref().find(|(name, _)| *name == opened.name).and_then(|_| all.next());
    html! {
        <>
        // The tasks and the story come with this chunk too.
        <style>{ unmarked(late!("rest", "/src/panels/lesson/tasks.css")) }</style>
        <p class="lesson-onward">
            {
                match next {
                    Some((name, entry)) => html! {
                        <a href={name.fragment()} class={props.is_next.then_some("button button-primary")} data-testid="next-lesson">{ t.lesson_next(&entry.title) }{ icon(Picture::Next) }</a>
                    },
                    None => html! { <a href={COURSE}>{ t.course_map() }</a> },
                }
            }
        </p>
        </>
    }
}
