//! The learner's progress in the whole course: read at start, stored after each change, shared by all tabs.
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
use crate::state::notices::{FixedText, NoticeKind, NoticeText};
use crate::state::progress::{Did, NoProgress, Progress, ProgressAction};

/// Name of the downloaded file.
const FILE_NAME: &str = "lockstep-progress.txt";

/// The progress and functions that change it.
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
    /// Records what the learner did in a lesson.
    pub fn note(&self, name: &LessonName, did: Did) {
        self.state.dispatch(ProgressAction::Did(name.clone(), did));
    }

    /// Deletes all progress, in all tabs.
    pub fn forget(&self) {
        storage::remove(Store::Browser, PROGRESS);
        self.state.dispatch(ProgressAction::Forget);
    }

    /// Downloads the progress as a file.
    pub fn save(&self) {
        // If the browser refuses the download, it says so itself.
        let _ = files::download(FILE_NAME, &self.state.to_text());
    }
}

/// A callback that merges the progress in a file into the current one and shows a notice with the result.
#[hook]
pub fn use_progress_file() -> Callback<File> {
    let progress = use_progress();
    let notices = use_notices();
    Callback::from(move |file: File| {
        let (progress, notices) = (progress.clone(), notices.clone());
        spawn_local(async move {
            let read = files::read(&file).await.ok().and_then(|text| Progress::from_text(&text).ok());
            notices.say(if read.is_some() {
                NoticeText::FixedText(NoticeKind::Done, FixedText(Lang::notice_progress_loaded))
            } else {
                NoticeText::FixedText(NoticeKind::Refused, FixedText(Lang::notice_not_progress))
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

/// Provides the progress to its children and stores it.
#[component]
pub fn ProgressProvider(props: &ProgressProviderProps) -> Html {
    let notices = use_notices();
    let state = use_reducer_eq(|| stored_progress().unwrap_or_default());
    {
        let notices = notices.clone();
        use_effect_with((), move |()| {
            if let Err((NoProgress, text)) = stored_progress() {
                // Do not overwrite unreadable progress before it has been copied.
                let is_aside = storage::write(Store::Browser, PROGRESS_ASIDE, &text).is_ok();
                if is_aside {
                    storage::remove(Store::Browser, PROGRESS);
                }
                let said = NoticeText::FixedText(NoticeKind::Warning, FixedText(Lang::notice_progress_aside));
                notices.say(if is_aside { said } else { NoticeText::NotStored });
            }
        });
    }
    let latest = use_mut_ref(Progress::default);
    latest.replace((*state).clone());
    {
        let dispatcher = state.dispatcher();
        use_effect_with((), move |()| {
            // Another tab has stored progress. If it did not know what this one has stored just before, it has overwritten that.
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "storage", move |event| {
                    let Some(event) = event.dyn_ref::<StorageEvent>() else { return };
                    if event.key().as_deref() != Some(PROGRESS) {
                        return;
                    }
                    let stored = event.new_value().and_then(|_| storage::read(Store::Browser, PROGRESS));
                    dispatcher.dispatch(match stored {
                        Some(text) => {
                            // A failure was reported when this tab stored it first.
                            let _ = is_kept(&latest.borrow());
                            ProgressAction::Add(Progress::from_text(&text).unwrap_or_default())
                        }
                        None => ProgressAction::Forget,
                    });
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((*state).clone(), move |progress| {
        if !progress.is_empty() && !is_kept(progress) {
            notices.say(NoticeText::NotStored);
        }
    });
    html! {
        <ContextProvider<ProgressHandle> context={ProgressHandle { state }}>
            { props.children.clone() }
        </ContextProvider<ProgressHandle>>
    }
}

/// Adds this progress to what is stored, if something is new; whether nothing is lost. Progress that cannot be read is left as it is.
fn is_kept(progress: &Progress) -> bool {
    let Ok(kept) = stored_progress() else { return true };
    let sum = progress.and(&kept);
    sum == kept || storage::write(Store::Browser, PROGRESS, &sum.to_text()).is_ok()
}

/// The stored progress, or its text if it cannot be read.
pub fn stored_progress() -> Result<Progress, (NoProgress, String)> {
    match storage::read(Store::Browser, PROGRESS) {
        Some(text) => Progress::from_text(&text).map_err(|why| (why, text)),
        None => Ok(Progress::default()),
    }
}

/// The progress; a component that calls this is rendered again when the progress changes.
#[hook]
pub fn use_progress() -> ProgressHandle {
    use_context::<ProgressHandle>().unwrap_or_else(|| missing("ProgressProvider"))
}
