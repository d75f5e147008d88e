//! The map of the course: its tracks, their lessons in order, and the reader's progress.
use lesson::{Entry, Index, Track};
use yew::prelude::*;

use super::progress::ProgressBox;
use crate::hooks::assets::Chunk;
use crate::hooks::course::{FetchError, Fetched, use_index};
use crate::hooks::{ProgressHandle, use_lang, use_progress, use_title};
use crate::i18n::Lang;
use crate::i18n::messages::{CourseDone, CourseFirst, CourseTasks};
use crate::state::address::LessonName;
use crate::state::notices::FixedText;
use crate::state::progress::{LessonState, lessons};
use crate::ui::{Button, Picture, html, icon, later, part};

/// All tracks of the course, in order; tracks without a lesson are marked as planned.
const TRACKS: [(&str, FixedText); 8] = [
    ("types", FixedText(Lang::track_types)),
    ("messaging", FixedText(Lang::track_messaging)),
    ("streams", FixedText(Lang::track_streams)),
    ("transactions", FixedText(Lang::track_transactions)),
    ("lua", FixedText(Lang::track_lua)),
    ("locks", FixedText(Lang::track_locks)),
    ("cache", FixedText(Lang::track_cache)),
    ("operations", FixedText(Lang::track_operations)),
];

/// The page with the map of the course.
#[component]
pub fn CourseMap() -> Html {
    let t = use_lang();
    let progress = use_progress();
    let (index, again) = use_index();
    use_title(format!("{} · {}", t.course_title(), t.app_title()));
    html! {
        <div class="course">
            <div class="course-page">
                {
                    match &index {
                        Fetched::Waiting => html! { <p class="course-wait" role="status" aria-label={t.course_title()}></p> },
                        Fetched::Failed(fault) => trouble(t, *fault, again),
                        Fetched::Here(index) => html! {
                            <>
                                { introduction(t, index, &progress) }
                                { for index.tracks.iter().filter(|track| !track.lessons.is_empty())
                                    .map(|track| section(t, track, &progress, progress.next(index).map(|(name, _)| name).as_ref())) }
                                { to_come(t, index) }
                                { later(Chunk::Rest, || part::<ProgressBox>(())) }
                            </>
                        },
                    }
                }
            </div>
        </div>
    }
}

/// Message for a page that could not be loaded, with the possible actions.
pub fn trouble(t: Lang, fault: FetchError, again: Callback<()>) -> Html {
    let words = match fault {
        FetchError::Unreachable => t.course_unreachable(),
        FetchError::Unreadable => t.course_outdated(),
        FetchError::Missing => t.course_none(),
        FetchError::Stuck => t.course_stuck(),
    };
    html! {
        <div class="trouble" role="alert" data-testid="trouble">
            <p>{ words }</p>
            { Button::words(t.course_again()).on(again.reform(|_: MouseEvent| ())) }
        </div>
    }
}

fn introduction(t: Lang, index: &Index, progress: &ProgressHandle) -> Html {
    let all: Vec<(LessonName, &Entry)> = lessons(index).collect();
    let states = all.iter().map(|(name, entry)| progress.state(name, entry));
    let done = states.filter(|state| *state == LessonState::Done).count() as u64;
    let next = progress.next(index);
    html! {
        <div class="course-intro">
            <h2>{ t.course_title() }</h2>
            <p>{ t.course_what() }</p>
            <div class="course-go">
                if let Some((name, entry)) = next {
                    <a class="button button-primary" href={name.fragment()} data-testid="continue">
                        { icon(Picture::Play) }
                        <span>
                            { if progress.is_empty() { t.course_begin(&entry.title) } else { t.course_continue(&entry.title) } }
                        </span>
                    </a>
                }
                <span class="soft tabular" data-testid="course-done">{ t.say(CourseDone { done, all: all.len() as u64 }) }</span>
            </div>
            <div class="course-bar" aria-hidden="true" style={format!("--all: {}; --done: {done}", all.len())} />
        </div>
    }
}

fn section(t: Lang, track: &Track, progress: &ProgressHandle, next: Option<&LessonName>) -> Html {
    let heading = format!("track-{}", track.id);
    html! {
        <section class="course-track" aria-labelledby={heading.clone()} data-testid={heading.clone()}>
            <div class="course-track-head">
                <h3 id={heading}>{ &track.title }</h3>
                <p class="soft">{ &track.summary }</p>
            </div>
            <ol class="lessons">
                { for track.lessons.iter().enumerate().map(|(nth, entry)| {
                    let name = LessonName { track: track.id.clone(), id: entry.id.clone() };
                    card(t, nth, &name, entry, progress, next == Some(&name))
                }) }
            </ol>
        </section>
    }
}

fn card(t: Lang, nth: usize, name: &LessonName, entry: &Entry, progress: &ProgressHandle, is_next: bool) -> Html {
    let (word, state, picture) = match progress.state(name, entry) {
        LessonState::New if is_next => ("new", t.course_state_next(), None),
        LessonState::New => ("new", t.course_state_new(), None),
        LessonState::Begun => ("begun", t.course_state_begun(), Some(Picture::Dots)),
        LessonState::Done => ("done", t.course_state_done(), Some(Picture::Check)),
    };
    let tasks = entry.tasks.len() as u64;
    let (right, firsts) = progress.firsts(name, entry);
    let [alone, hints, solution] = progress.ways(name, entry).map(|count| count as u64);
    let ways = [
        (alone, t.course_alone(alone)),
        (hints, t.course_with_hints(hints)),
        (solution, t.course_after_solution(solution)),
    ];
    let done = progress.done_count(name, entry) as u64;
    html! {
        <li class="lesson-card" data-state={word} data-next={is_next.then_some("")} data-testid={format!("lesson-{}-{}", name.track, name.id)}>
            <span class="lesson-number" aria-hidden="true">
                {
                    match picture {
                        Some(picture) => icon(picture),
                        None => html! { { nth.saturating_add(1).to_string() } },
                    }
                }
            </span>
            <div class="lesson-words">
                <h4><a href={name.fragment()}>{ &entry.title }</a></h4>
                <p>{ &entry.summary }</p>
                <p class="lesson-state">
                    <span class="chip">{ state }</span>
                    if tasks > 0 { <span class="soft small tabular">{ t.say(CourseTasks { done, all: tasks }) }</span> }
                </p>
                if firsts > 0 || alone > 0 || hints > 0 || solution > 0 {
                    <p class="lesson-how soft small tabular" data-testid="how">
                        if firsts > 0 { <span>{ t.say(CourseFirst { right: right as u64, all: firsts as u64 }) }</span> }
                        { for ways.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| html! { <span>{ words }</span> }) }
                    </p>
                }
            </div>
        </li>
    }
}

/// The tracks that have no lesson yet, without links.
fn to_come(t: Lang, index: &Index) -> Html {
    let exists = |id: &str| index.tracks.iter().any(|track| track.id == id && !track.lessons.is_empty());
    let missing: Vec<_> = TRACKS.iter().filter(|(id, _)| !exists(id)).collect();
    if missing.is_empty() {
        return Html::default();
    }
    html! {
        <section class="course-later" aria-labelledby="later" data-testid="later">
            <h3 id="later">{ t.course_later() }</h3>
            <p class="soft">{ t.course_later_what() }</p>
            <ul>{ for missing.iter().map(|(_, title)| html! { <li>{ title.0(t) }</li> }) }</ul>
        </section>
    }
}
