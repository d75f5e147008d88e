//! The link from a lesson to the next one. It is in a chunk that is loaded later, because the first step does not need the list of lessons.
use ::lesson::Index;
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
    let link = |index: &Index| {
        let mut all = index.tracks.iter().flat_map(|track| {
            track.lessons.iter().map(|entry| (LessonName { track: track.id.clone(), id: entry.id.clone() }, entry))
        });
        match all.by_ref().find(|(name, _)| *name == opened.name).and_then(|_| all.next()) {
            Some((name, entry)) => html! {
                <a href={name.fragment()} class={props.is_next.then_some("button button-primary")} data-testid="next-lesson">{ t.lesson_next(&entry.title) }{ icon(Picture::Next) }</a>
            },
            None => html! { <a href={COURSE}>{ t.course_map() }</a> },
        }
    };
    html! {
        <>
        // The tasks and the story come with this chunk too, before the list of lessons.
        <style>{ unmarked(late!("rest", "/src/panels/lesson/tasks.css")) }</style>
        if let Fetched::Here(index) = &index { <p class="lesson-onward">{ link(index) }</p> }
        </>
    }
}
