//! The learner's progress for the whole course: read at the start, kept after each change, shared by all tabs.
use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, StorageEvent};
use yew::prelude::*;

use super::preferences::missing;
use super::storage::{self, PROGRESS, PROGRESS_ASIDE, Store};
use super::{files, use_notices};
use crate::i18n::Lang;
use crate::state::address::LessonName;
use crate::state::notices::{NoticeKind, Said, Words};
use crate::state::progress::{Did, NoProgress, Progress, ProgressAction};

/// The name under which progress is saved.
const FILE_NAME: &str = "lockstep-progress.txt";

/// The progress and what can be done to it.
#[derive(Clone, PartialEq)]
pub struct ProgressHandle {
    state: UseReducerHandle<Progress>,
}

impl std::ops::Deref for ProgressHandle {
    type Target = Progress;

    fn deref(&self) -> &Progress {
        &self.state
    }
}

impl ProgressHandle {
    /// Notes what the learner did in a lesson.
    pub fn note(&self, name: &LessonName, did: Did) {
        self.state.dispatch(ProgressAction::Did(name.clone(), did));
    }

    /// Forgets everything, in all tabs.
    pub fn forget(&self) {
        storage::remove(Store::Browser, PROGRESS);
        self.state.dispatch(ProgressAction::Forget);
    }

    /// Offers it as a file.
    pub fn save(&self) {
        // A refusal is the browser's own, and it shows it itself.
        let _ = files::download(FILE_NAME, &self.state.to_text());
    }
}

/// A callback that adds the progress of a file to what is here and says how that went.
#[hook]
pub fn use_progress_file() -> Callback<File> {
    let progress = use_progress();
    let notices = use_notices();
    Callback::from(move |file: File| {
        let (progress, notices) = (progress.clone(), notices.clone());
        spawn_local(async move {
            let read = files::read(&file).await.ok().and_then(|text| Progress::from_text(&text).ok());
            notices.say(if read.is_some() {
                Said::Words(NoticeKind::Done, Words(Lang::notice_progress_loaded))
            } else {
                Said::Words(NoticeKind::Refused, Words(Lang::notice_not_progress))
            });
            if let Some(read) = read {
                progress.state.dispatch(ProgressAction::Add(read));
            }
        });
    })
}

/// Properties of [`ProgressProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct ProgressProviderProps {
    /// The course.
    pub children: Html,
}

/// Holds the progress for everything inside and keeps it in storage.
#[component]
pub fn ProgressProvider(props: &ProgressProviderProps) -> Html {
    let notices = use_notices();
    let state = use_reducer_eq(|| stored().unwrap_or_default());
    {
        let notices = notices.clone();
        use_effect_with((), move |()| {
            if let Err((NoProgress, text)) = stored() {
                // It is not written over before it stands somewhere else.
                let is_aside = storage::write(Store::Browser, PROGRESS_ASIDE, &text).is_ok();
                if is_aside {
                    storage::remove(Store::Browser, PROGRESS);
                }
                let said = Said::Words(NoticeKind::Warning, Words(Lang::notice_progress_aside));
                notices.say(if is_aside { said } else { Said::NotStored });
            }
        });
    }
    {
        let dispatcher = state.dispatcher();
        use_effect_with((), move |()| {
            // Another tab has learnt something.
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "storage", move |event| {
                    let key = event.dyn_ref::<StorageEvent>().and_then(StorageEvent::key);
                    if key.as_deref() != Some(PROGRESS) {
                        return;
                    }
                    dispatcher.dispatch(match storage::read(Store::Browser, PROGRESS) {
                        Some(text) => ProgressAction::Add(Progress::from_text(&text).unwrap_or_default()),
                        None => ProgressAction::Forget,
                    });
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((*state).clone(), move |progress| {
        if progress.is_empty() {
            return;
        }
        if let Ok(kept) = stored() {
            let sum = progress.and(&kept);
            if sum != kept && storage::write(Store::Browser, PROGRESS, &sum.to_text()).is_err() {
                notices.say(Said::NotStored);
            }
        }
    });
    html! {
        <ContextProvider<ProgressHandle> context={ProgressHandle { state }}>
            { props.children.clone() }
        </ContextProvider<ProgressHandle>>
    }
}

/// What is kept; the text itself where it cannot be read.
fn stored() -> Result<Progress, (NoProgress, String)> {
    match storage::read(Store::Browser, PROGRESS) {
        Some(text) => Progress::from_text(&text).map_err(|why| (why, text)),
        None => Ok(Progress::default()),
    }
}

/// The progress; a component that calls this is rendered again when it grows.
#[hook]
pub fn use_progress() -> ProgressHandle {
    use_context::<ProgressHandle>().unwrap_or_else(|| missing("ProgressProvider"))
}
