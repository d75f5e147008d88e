//! The text of a lesson: its sections and tasks in order, and its story step by step.
mod achieve;
mod attempt;
mod choose;
mod findings;
mod forecast;
mod functions;
mod handling;
mod judging;
mod onward;
mod predict;
mod repair;
mod scripting;
mod story;
mod tasks;

use ::lesson::{Lesson, Section, Task};
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{
    ProgressHandle, SessionHandle, SessionPart, machine, use_kept_focus, use_kept_scroll, use_lang, use_persisted,
    use_progress, use_session_if_any,
};
use crate::i18n::Lang;
use crate::state::flow::{Item, items};
use crate::state::lesson::{self, Opened};
use crate::state::progress::Did;
use crate::state::session_store;
use crate::ui::{Button, ButtonLook, Picture, Tab, TabList, TabListProps, html, later, part, part_of};
use onward::{Onward, OnwardProps};
use story::{StoryPart, StoryPartProps};

/// The parts of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Flow,
    Story,
}

impl Part {
    const ALL: [Part; 2] = [Part::Flow, Part::Story];

    fn word(self) -> &'static str {
        match self {
            Part::Flow => "flow",
            Part::Story => "story",
        }
    }

    fn title(self, t: Lang) -> &'static str {
        match self {
            Part::Flow => t.lesson_text(),
            Part::Story => t.lesson_story(),
        }
    }

    /// The id of its element.
    fn id(self) -> String {
        format!("lesson-{}", self.word())
    }

    /// The ARIA role of its element: a tab panel if there are several parts.
    fn role(self, parts: &[Part]) -> &'static str {
        if parts.len() > 1 { "tabpanel" } else { "region" }
    }

    fn tab(self, t: Lang) -> Tab {
        let word = self.word();
        Tab {
            word: word.to_owned(),
            picture: None,
            title: self.title(t),
            id: format!("part-{word}"),
            controls: self.id(),
            testid: format!("part-{word}"),
        }
    }

    /// Whether the part has content in this lesson.
    fn is_in(self, opened: &Opened) -> bool {
        match self {
            Part::Flow => true,
            Part::Story => !opened.lesson.story.is_empty(),
        }
    }
}

/// HTML that was generated from Markdown at build time; raw HTML in the Markdown is refused (`crates/lesson`). Code can be wider than the
/// column, so it scrolls and can have the focus.
fn prose(html: &str) -> Html {
    let html = html.replace("<pre>", "<pre tabindex=\"0\">");
    html! { <div class="prose" data-testid="prose">{ Html::from_html_unchecked(AttrValue::from(html)) }</div> }
}

/// Replaces the session with the lesson's initial one after these inputs. The old session stays in the list of sessions.
fn put_on_stage(session: &SessionHandle, lesson: &Lesson, after: &[String]) {
    if !lesson.traffic.is_empty() {
        return handling::put_on_stage(session, lesson, after);
    }
    if let Ok(timeline) = lesson::after(lesson, after, &machine::engines()) {
        session.replace(timeline);
    }
}

/// The panel of the open lesson.
#[component]
pub fn LessonPanel() -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let prefix = session_store::of_lesson(&opened.name.track, &opened.name.id);
    let (word, set_part) = use_persisted(Store::Tab, format!("{prefix}part"), Part::Flow.word());
    let session = use_session_if_any(&[SessionPart::Steps]);
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| part.is_in(&opened)).collect();
    let shown = parts.iter().copied().find(|part| part.word() == word).unwrap_or(Part::Flow);
    let (body, onscroll) = use_kept_scroll(&opened.scrolled_px);
    let restart = session.as_ref().filter(|session| !session.is_untouched()).map(|session| {
        let (session, lesson) = (session.clone(), opened.lesson.clone());
        Callback::from(move |_: MouseEvent| put_on_stage(&session, &lesson, &[]))
    });
    // With all tasks done, the next lesson is what to do next.
    let is_over = shown == Part::Flow && !opened.lesson.tasks.is_empty() && next_task(&opened, &progress).is_none();
    let choose = |part: Part| set_part.reform(move |_: MouseEvent| part.word().to_owned());
    html! {
        <article class="panel lesson" lang={opened.lesson.language.clone()} aria-labelledby="lesson-title" data-testid={if session.is_some() { "lesson" } else { "lesson-text" }}>
            <div class="lesson-head">
                <div class="lesson-title">
                    <h2 id="lesson-title">{ &opened.lesson.title }</h2>
                    if let Some(restart) = restart {
                        { Button::icon(Picture::Undo, t.lesson_restart()).testid("restart").on(restart) }
                    }
                </div>
                if parts.len() > 1 {
                    { part::<TabList>(TabListProps {
                        class: "lesson-parts",
                        label: t.lesson_parts(),
                        tabs: parts.iter().map(|part| part.tab(t)).collect(),
                        chosen: shown.word().to_owned(),
                        onchoose: set_part.clone(),
                    }) }
                }
            </div>
            <div key={shown.word()} id={shown.id()} class="panel-body lesson-body" ref={body} {onscroll} tabindex="0" role={shown.role(&parts)} aria-label={shown.title(t)}>
                {
                    match shown {
                        Part::Flow => {
                            let to_story = Part::Story.is_in(&opened).then(|| choose(Part::Story));
                            part::<Flow>(FlowProps { to_story: to_story.filter(|_| session.is_some()), is_waiting: session.is_none() })
                        }
                        Part::Story if session.is_none() => html! { <div class="later" aria-busy="true" /> },
                        Part::Story => {
                            let story = StoryPartProps { to_lesson: choose(Part::Flow) };
                            later(Chunk::Rest, move || part::<StoryPart>(story.clone()))
                        }
                    }
                }
                if session.is_some() { { later(Chunk::Rest, move || part::<Onward>(OnwardProps { is_next: is_over })) } }
            </div>
        </article>
    }
}

/// The first task that is not done.
fn next_task<'a>(opened: &'a Opened, progress: &ProgressHandle) -> Option<&'a Task> {
    opened.lesson.tasks.iter().find(|task| !progress.is_done(&opened.name, &task.id))
}

#[derive(Clone, PartialEq, Properties)]
struct FlowProps {
    /// Opens the story, if there is one.
    to_story: Option<Callback<MouseEvent>>,
    /// Whether the stage is still being set up: tasks can be read, but not done.
    is_waiting: bool,
}

/// Sections and tasks, in order.
#[component]
fn Flow(props: &FlowProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let next = next_task(&opened, &progress);
    html! {
        <div class="lesson-flow">
            <p class="lesson-summary">{ &opened.lesson.summary }</p>
            { for items(&opened.lesson, &opened.name, &progress).into_iter().map(|item| match item {
                Item::Section(section, behind) => {
                    part_of::<Piece>(&section.id, PieceProps { section: section.clone(), behind: behind.cloned() })
                }
                Item::Task(task) if props.is_waiting => tasks::announced(t, task),
                Item::Task(task) => {
                    let is_next = next.is_some_and(|next| next.id == task.id);
                    part_of::<tasks::TaskCard>(&task.id, tasks::TaskCardProps { task: task.clone(), is_next })
                }
            }) }
            if let Some(to_story) = &props.to_story {
                <div class="row">
                    { Button::words(t.lesson_to_story()).picture(Picture::Next).look(ButtonLook::Quiet).testid("to-story").on(to_story.clone()) }
                </div>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PieceProps {
    section: Section,
    /// The task that unlocks this section; `None` if the section is open.
    behind: Option<Task>,
}

/// A section. One that explains a task first shows only its heading; it opens after the task was tried or when the learner opens it.
#[component]
fn Piece(props: &PieceProps) -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let progress = use_progress();
    let piece = use_node_ref();
    use_kept_focus(&piece);
    let PieceProps { section, behind } = props;
    let open = {
        let (name, id) = (opened.name.clone(), section.id.clone());
        Callback::from(move |_: MouseEvent| progress.note(&name, Did::OpenSection(id.clone())))
    };
    html! {
        <section class="lesson-section" data-closed={behind.is_some().then_some("")} data-testid={format!("section-{}", section.id)}
            ref={piece} tabindex="-1">
            <h3>{ &section.title }</h3>
            {
                match behind {
                    None => prose(&section.html),
                    Some(task) => html! {
                        <div class="section-closed">
                            <p class="soft small">{ t.section_closed(&task.title) }</p>
                            { Button::words(t.section_open()).picture(Picture::Eye).look(ButtonLook::Quiet).testid("open-section").on(open) }
                        </div>
                    },
                }
            }
        </section>
    }
}
