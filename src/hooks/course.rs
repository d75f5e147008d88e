//! Fetches the course: the list of lessons, and single lessons.
use std::rc::Rc;

use lesson::{Index, Lesson, Unreadable};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::assets::{self, NoFile};
use super::preferences::missing;
use super::use_lang;
use crate::state::address::LessonName;
use crate::state::lesson::Opened;

/// A file that is being fetched.
#[derive(Debug)]
pub enum Fetched<T> {
    /// It has not arrived yet.
    Waiting,
    /// It has been fetched and read.
    Here(Rc<T>),
    /// It could not be fetched or read.
    Failed(FetchError),
}

impl<T> Clone for Fetched<T> {
    fn clone(&self) -> Fetched<T> {
        match self {
            Fetched::Waiting => Fetched::Waiting,
            Fetched::Here(found) => Fetched::Here(Rc::clone(found)),
            Fetched::Failed(fault) => Fetched::Failed(*fault),
        }
    }
}

impl<T> PartialEq for Fetched<T> {
    fn eq(&self, other: &Fetched<T>) -> bool {
        match (self, other) {
            (Fetched::Waiting, Fetched::Waiting) => true,
            (Fetched::Here(one), Fetched::Here(other)) => Rc::ptr_eq(one, other),
            (Fetched::Failed(one), Fetched::Failed(other)) => one == other,
            _ => false,
        }
    }
}

/// Why a file could not be fetched or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// The request failed.
    Unreachable,
    /// This page cannot read its format.
    Unreadable,
    /// There is no file of that name.
    Missing,
    /// The world rejects its setup.
    Stuck,
}

/// The list of lessons in the reader's language, and a callback that requests it again. While the list in another language is being
/// fetched, the old one stays.
#[hook]
pub fn use_index() -> (Fetched<Index>, Callback<()>) {
    let lang = use_lang();
    use_fetched(Index::path(lang.tag()), Index::read)
}

/// A lesson in the reader's language, and a callback that requests it again.
#[hook]
pub fn use_lesson_text(name: &LessonName) -> (Fetched<Lesson>, Callback<()>) {
    let lang = use_lang();
    use_fetched(Lesson::path(&name.track, &name.id, lang.tag()), Lesson::read)
}

#[hook]
fn use_fetched<T: 'static>(path: String, read: fn(&[u8]) -> Result<T, Unreadable>) -> (Fetched<T>, Callback<()>) {
    let fetched = use_state_eq(|| Fetched::Waiting);
    let tries = use_state_eq(|| 0_u32);
    let wanted = use_mut_ref(|| None::<String>);
    {
        let (fetched, path) = (fetched.clone(), path.clone());
        use_effect_with((path, *tries), move |(path, _)| {
            let path = path.clone();
            wanted.replace(Some(path.clone()));
            spawn_local(async move {
                let file = assets::bytes(&path).await;
                // Another file may have been requested in the meantime.
                if wanted.borrow().as_ref() != Some(&path) {
                    return;
                }
                fetched.set(match file {
                    Err(NoFile::Missing) => Fetched::Failed(FetchError::Missing),
                    Err(NoFile::Unreachable) => Fetched::Failed(FetchError::Unreachable),
                    Ok(file) => match read(&file) {
                        Ok(found) => Fetched::Here(Rc::new(found)),
                        Err(_) => {
                            // The next attempt may get the right file.
                            assets::forget(&path);
                            Fetched::Failed(FetchError::Unreadable)
                        }
                    },
                });
            });
        });
    }
    let again = {
        let fetched = fetched.clone();
        Callback::from(move |()| {
            // The prefetched copy may be as broken as the first one.
            assets::forget(&path);
            fetched.set(Fetched::Waiting);
            tries.set(tries.wrapping_add(1));
        })
    };
    ((*fetched).clone(), again)
}

/// Properties of [`LessonProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct LessonProviderProps {
    /// The open lesson.
    pub opened: Opened,
    /// Children that use the lesson.
    pub children: Html,
}

/// Provides the open lesson to its children.
#[component]
pub fn LessonProvider(props: &LessonProviderProps) -> Html {
    html! {
        <ContextProvider<Opened> context={props.opened.clone()}>{ props.children.clone() }</ContextProvider<Opened>>
    }
}

/// The open lesson.
#[hook]
pub fn use_lesson() -> Opened {
    use_context::<Opened>().unwrap_or_else(|| missing("LessonProvider"))
}
