//! The page of a lesson: fetches the lesson, shows its text, sets up its session and hands it to the workbench. Lessons store their sessions apart from
//! those of the sandbox, so a reload keeps everything.
use std::cell::Cell;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::command;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::course::trouble;
use super::lobby;
use crate::hooks::assets::Chunk;
use crate::hooks::course::{FetchError, Fetched, LessonProvider, LessonProviderProps, use_lesson_text};
use crate::hooks::read::read;
use crate::hooks::start::{self, Start};
use crate::hooks::{
    ClockProvider, ClockProviderProps, SessionProvider, SessionProviderProps, assets, machine, use_lang, use_progress,
    use_title,
};
use crate::i18n::Lang;
use crate::state::address::LessonName;
use crate::state::lesson::{self, Opened, Story};
use crate::state::notices::{FixedText, NoticeKind, NoticeText};
use crate::state::progress::Did;
use crate::state::session_store;
use crate::ui::part;
use crate::workbench::{Page, Workbench, WorkbenchProps};

/// Properties of [`LessonPage`].
#[derive(Clone, PartialEq, Properties)]
pub struct LessonPageProps {
    /// Track and id of the lesson.
    pub name: LessonName,
}

/// The page of one lesson.
#[component]
pub fn LessonPage(props: &LessonPageProps) -> Html {
    let t = use_lang();
    let (text, again) = use_lesson_text(&props.name);
    let stage = use_stage(&props.name, &text);
    let scrolled_px = use_memo((), |()| Cell::default());
    match (&text, &*stage) {
        (Fetched::Here(lesson), stage @ (None | Some(Ok(_)))) => {
            let title = format!("{} · {}", lesson.title, t.app_title());
            let children = part::<Titled>(TitledProps { title });
            // The text can be read while the stage is being set up.
            let (story, children) = match stage {
                Some(Ok((start, story))) => {
                    let children = part::<ClockProvider>(ClockProviderProps { children });
                    let start = start.clone();
                    (Rc::clone(story), part::<SessionProvider>(SessionProviderProps { start, children }))
                }
                _ => (Rc::default(), children),
            };
            let opened = Opened { name: props.name.clone(), lesson: Rc::clone(lesson), story, scrolled_px };
            part::<LessonProvider>(LessonProviderProps { opened, children })
        }
        (Fetched::Failed(fault), _) | (_, Some(Err(fault))) => lobby(Some(trouble(t, *fault, again))),
        _ => lobby(None),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TitledProps {
    title: String,
}

/// The workbench of a lesson, under its title.
#[component]
fn Titled(props: &TitledProps) -> Html {
    use_title(props.title.clone());
    part::<Workbench>(WorkbenchProps { page: Page::Lesson })
}

/// Notice that the machine for programs could not be loaded.
const NO_PROGRAMS: NoticeText = NoticeText::FixedText(NoticeKind::Warning, FixedText(Lang::lesson_no_programs));

/// The session and the story of a lesson, or why they could not be set up.
type LessonSetup = Result<(Start, Rc<Story>), FetchError>;

/// The initial session and the story. They are set up once, when the lesson is first loaded: they do not depend on the language.
#[hook]
fn use_stage(name: &LessonName, text: &Fetched<::lesson::Lesson>) -> UseStateHandle<Option<LessonSetup>> {
    let stage = use_state(|| None::<LessonSetup>);
    let progress = use_progress();
    let lesson = match text {
        Fetched::Here(lesson) => Some(Rc::clone(lesson)),
        _ => None,
    };
    {
        let (stage, name) = (stage.clone(), name.clone());
        use_effect_with(lesson.is_some(), move |_| {
            let Some(lesson) = lesson else { return };
            progress.note(&name, Did::Begin);
            spawn_local(async move {
                // The commands of the lesson have to be loaded now: a step cannot wait for code.
                let missing = |words: &Vec<Bytes>| {
                    let row = command::find(words).ok();
                    row.and_then(|row| row.run.address()).and_then(assets::missing_chunk)
                };
                let commands: Vec<Chunk> = lesson::commands(&lesson).iter().filter_map(missing).collect();
                let needed = Chunk::COMMANDS.map(|chunk| (commands.contains(&chunk), chunk));
                let others = [
                    (lesson.has_programs() || !lesson.properties.is_empty(), Chunk::Lab),
                    (!lesson.nodes.is_empty(), Chunk::Nodes),
                    (lesson.has_tables(), Chunk::Table),
                    (!lesson.traffic.is_empty(), Chunk::Traffic),
                ];
                let needed = needed.into_iter().chain(others);
                let needed: Vec<Chunk> = needed.filter_map(|(is_needed, chunk)| is_needed.then_some(chunk)).collect();
                needed.iter().copied().for_each(Chunk::request);
                let lacks_machine = lesson::needs_machine(&lesson) && machine::ready_for_lessons().await.is_err();
                assets::ready(needed).await;
                let can_play = machine::engines().programs.is_installed();
                let begin = read(&lesson::stage_text(&lesson, can_play)).await;
                let opened = match begin.and_then(|begin| lesson::staged(&lesson, begin)) {
                    Err(_) => Err(FetchError::Stuck),
                    Ok((begin, story)) => {
                        let prefix = session_store::of_lesson(&name.track, &name.id);
                        let start = start::start(&prefix, Some(&begin)).await;
                        let said = if lacks_machine { Some(NO_PROGRAMS) } else { start.said.clone() };
                        Ok((Start { said, ..start }, Rc::new(story)))
                    }
                };
                stage.set(Some(opened));
            });
        });
    }
    stage
}
