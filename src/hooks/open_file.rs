//! Opening a session from a file that the reader selects or drops on the page.
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DragEvent, File};
use yew::prelude::*;

use super::{files, start, use_notices, use_session_for};
use crate::state::notices::NoticeText;

/// A callback that opens a file as a new session and shows a notice with the result.
#[hook]
pub fn use_open_file() -> Callback<File> {
    let session = use_session_for(&[]);
    let notices = use_notices();
    Callback::from(move |file: File| {
        let (session, notices) = (session.clone(), notices.clone());
        spawn_local(async move {
            let opened = match files::read(&file).await {
                Ok(text) => start::open(&text).await,
                Err(fault) => Err(start::said_of_link(fault)),
            };
            match opened {
                Ok(found) => {
                    notices.say(NoticeText::SessionOpened(found.stops().len() as u64));
                    session.replace(found.timeline().clone());
                }
                Err(said) => notices.say(said),
            }
        });
    })
}

/// Accepts a file dropped anywhere on the page; true while a file is dragged over it.
#[hook]
pub fn use_dropping() -> bool {
    let open = use_open_file();
    let is_over = use_state_eq(|| false);
    let latest = use_mut_ref(|| open.clone());
    latest.replace(open);
    {
        let is_over = is_over.clone();
        use_effect_with((), move |()| {
            let listeners = web_sys::window().map(|window| {
                let options = EventListenerOptions::enable_prevent_default();
                let set = |name: &'static str, value: bool| {
                    let is_over = is_over.clone();
                    EventListener::new_with_options(&window, name, options, move |event| {
                        if carries_file(event) {
                            event.prevent_default();
                            is_over.set(value);
                        }
                    })
                };
                let over = set("dragover", true);
                let leave = {
                    let is_over = is_over.clone();
                    EventListener::new(&window, "dragleave", move |event| {
                        // Moving to another element of the page does not count as leaving it.
                        let is_outside =
                            event.dyn_ref::<DragEvent>().is_some_and(|event| event.related_target().is_none());
                        if is_outside {
                            is_over.set(false);
                        }
                    })
                };
                let drop = {
                    let is_over = is_over.clone();
                    EventListener::new_with_options(&window, "drop", options, move |event| {
                        if !carries_file(event) {
                            return;
                        }
                        event.prevent_default();
                        is_over.set(false);
                        let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
                        if let Some(file) =
                            transfer.and_then(|transfer| transfer.files()).and_then(|files| files.get(0))
                        {
                            latest.borrow().emit(file);
                        }
                    })
                };
                [over, leave, drop]
            });
            move || drop(listeners)
        });
    }
    *is_over
}

/// Text dragged from one terminal to another is left to the browser.
fn carries_file(event: &web_sys::Event) -> bool {
    let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    transfer.is_some_and(|transfer| transfer.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files")))
}

/// Reloads the page; it opens the session that storage names.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // Fails only if the page may not navigate.
        let _ = window.location().reload();
    }
}
