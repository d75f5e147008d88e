//! The text of a lesson: what it explains, its story step by step, its tasks.
mod repair;
mod story;
mod tasks;

use yew::prelude::*;

use crate::hooks::course::{Fetched, use_index, use_lesson};
use crate::hooks::storage::Store;
use crate::hooks::{use_kept, use_lang, use_session};
use crate::i18n::Lang;
use crate::state::address::LessonName;
use crate::state::lesson::{self, Opened};
use crate::state::shelf;
use crate::ui::{Button, ButtonLook, Picture, html, icon, part};

/// The parts of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Read,
    Story,
    Tasks,
}

impl Part {
    const ALL: [Part; 3] = [Part::Read, Part::Story, Part::Tasks];

    fn word(self) -> &'static str {
        match self {
            Part::Read => "read",
            Part::Story => "story",
            Part::Tasks => "tasks",
        }
    }

    fn title(self, t: Lang) -> &'static str {
        match self {
            Part::Read => t.lesson_read(),
            Part::Story => t.lesson_story(),
            Part::Tasks => t.lesson_tasks(),
        }
    }

    /// Is there anything in it?
    fn is_in(self, opened: &Opened) -> bool {
        match self {
            Part::Read => true,
            Part::Story => !opened.lesson.story.is_empty(),
            Part::Tasks => !opened.lesson.tasks.is_empty(),
        }
    }
}

/// HTML that was made from Markdown when the page was built; raw HTML is refused there (`crates/lesson`). Code may be wider
/// than the column: it scrolls, by keyboard too.
fn prose(html: &str) -> Html {
    let html = html.replace("<pre>", "<pre tabindex=\"0\">");
    html! { <div class="prose">{ Html::from_html_unchecked(AttrValue::from(html)) }</div> }
}

/// The panel.
#[component]
pub fn LessonPanel() -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let shelf = shelf::of_lesson(&opened.name.track, &opened.name.id);
    let (word, set_part) = use_kept(Store::Tab, format!("{shelf}part"), Part::Read.word());
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| part.is_in(&opened)).collect();
    let shown = parts.iter().copied().find(|part| part.word() == word).unwrap_or(Part::Read);
    let session = use_session();
    let restart = {
        let (session, lesson) = (session.clone(), opened.lesson.clone());
        Callback::from(move |_: MouseEvent| {
            // What was done stays in the list of sessions.
            if let Ok(timeline) = lesson::after(&lesson, &[], script::program::installed()) {
                session.replace(timeline);
            }
        })
    };
    let choose = |part: Part| set_part.reform(move |_: MouseEvent| part.word().to_owned());
    let to_tasks = Part::Tasks.is_in(&opened).then(|| choose(Part::Tasks));
    html! {
        <article class="panel lesson" aria-labelledby="lesson-title" data-testid="lesson">
            <div class="lesson-head">
                <div class="lesson-title">
                    <h2 id="lesson-title">{ &opened.lesson.title }</h2>
                    if !session.is_untouched() {
                        { Button::icon(Picture::Undo, t.lesson_restart()).testid("restart").on(restart) }
                    }
                </div>
                if parts.len() > 1 {
                    <div class="lesson-parts" role="tablist" aria-label={t.lesson_parts()}>
                        { for parts.iter().map(|part| html! {
                            <button type="button" class="region-tab" role="tab" data-testid={format!("part-{}", part.word())}
                                aria-selected={if *part == shown { "true" } else { "false" }} onclick={choose(*part)}>
                                { part.title(t) }
                            </button>
                        }) }
                    </div>
                }
            </div>
            <div key={shown.word()} class="panel-body lesson-body" tabindex="0" role="region" aria-label={shown.title(t)}>
                {
                    match shown {
                        Part::Read => read(&opened, parts.get(1).map(|next| (next.title(t), choose(*next)))),
                        Part::Story => part::<story::StoryPart>(story::StoryPartProps { to_tasks }),
                        Part::Tasks => part::<tasks::TasksPart>(()),
                    }
                }
                if shown == *parts.last().unwrap_or(&Part::Read) { { part::<Onward>(()) } }
            </div>
        </article>
    }
}

/// The explanation, and the way to the part behind it.
fn read(opened: &Opened, next: Option<(&'static str, Callback<MouseEvent>)>) -> Html {
    html! {
        <div class="lesson-read">
            <p class="lesson-summary">{ &opened.lesson.summary }</p>
            { for opened.lesson.sections.iter().map(|section| html! {
                <section>
                    <h3>{ &section.title }</h3>
                    { prose(&section.html) }
                </section>
            }) }
            if let Some((title, go)) = next {
                <div class="row">
                    { Button::words(title).picture(Picture::Next).look(ButtonLook::Primary).testid("read-next").on(go) }
                </div>
            }
        </div>
    }
}

/// The way to the next lesson, which may be the first of the next track.
#[component]
fn Onward() -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let (index, _) = use_index();
    let Fetched::Here(index) = index else { return Html::default() };
    let mut all = index.tracks.iter().flat_map(|track| {
        track.lessons.iter().map(|entry| (LessonName { track: track.id.clone(), id: entry.id.clone() }, entry))
    });
    let next = all.by_ref().find(|(name, _)| *name == opened.name).and_then(|_| all.next());
    html! {
        <p class="lesson-onward">
            {
                match next {
                    Some((name, entry)) => html! {
                        <a href={name.fragment()} data-testid="next-lesson">{ t.lesson_next(&entry.title) }{ icon(Picture::Next) }</a>
                    },
                    None => html! { <a href={crate::state::address::COURSE}>{ t.course_map() }</a> },
                }
            }
        </p>
    }
}
