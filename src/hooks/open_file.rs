//! Opening a session from a file that the reader selects or drops on the page; a file of commands becomes a session that has run them.
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DragEvent, File};
use world::{Input, Settings};
use yew::prelude::*;

use super::{SessionHandle, assets, files, machine, start, use_notices, use_preferences, use_session_for};
use crate::state::commands::{self, FileCommand};
use crate::state::notices::NoticeText;
use crate::state::preferences::Prefer;
use crate::state::session::{FRESH_CLIENTS, Session, default_name};
use crate::state::terminal::paste::RUN_AT_ONCE;

/// A callback that opens a file as a new session and shows a notice with the result.
#[hook]
pub fn use_open_file() -> Callback<File> {
    let session = use_session_for(&[]);
    let notices = use_notices();
    let preferences = use_preferences();
    Callback::from(move |file: File| {
        let (session, notices, preferences) = (session.clone(), notices.clone(), preferences.clone());
        spawn_local(async move {
            let opened = match files::read(&file).await {
                Ok(text) => match run_file(&session, &text).await {
                    Some(count) => return notices.say(NoticeText::SessionOpened(count)),
                    None => start::open(&text).await,
                },
                Err(fault) => Err(start::said_of_link(fault)),
            };
            match opened {
                Ok(found) => {
                    notices.say(NoticeText::SessionOpened(found.stops().len() as u64));
                    let mut timeline = found.timeline().clone();
                    // A recording: its clients have left, and at its end there is nothing to see.
                    let has_clients = timeline.world().clients().next().is_some();
                    if let Some(first) = found.stops().first().filter(|_| !has_clients) {
                        timeline.seek(*first);
                        preferences.prefer(Prefer::LanesOpen(true));
                    }
                    session.replace(timeline);
                }
                Err(said) => notices.say(said),
            }
        });
    })
}

/// In the sandbox, if this is a file of commands: begins a session and runs them in it. Returns their number.
async fn run_file(session: &SessionHandle, text: &str) -> Option<u64> {
    assets::whole().await;
    let commands = commands::of_file(text).filter(|_| session.is_of_sandbox())?;
    let count = commands.len() as u64;
    run_anew(session, commands);
    Some(count)
}

/// Begins a session and runs commands in it, each as its own client.
#[inline(never)]
pub fn run_anew(session: &SessionHandle, commands: Vec<FileCommand>) {
    let fresh = Session::fresh(Settings::default(), &machine::engines());
    let clients = commands.iter().map(|command| command.client).max().unwrap_or_default();
    let handle = session.clone();
    let then = Callback::from(move |()| {
        for client in FRESH_CLIENTS..=clients {
            handle.push(Input::Connect { client, name: default_name(client) });
        }
        run_all(&handle, commands.clone());
    });
    session.replace_and_go_on(fresh.timeline().clone(), None, then);
}

/// Runs commands in order, some at once and the rest in later tasks.
#[inline(never)]
pub fn run_all(session: &SessionHandle, commands: Vec<FileCommand>) {
    let session = session.clone();
    spawn_local(async move {
        for some in commands.chunks(RUN_AT_ONCE) {
            for command in some {
                session.run(command.client, command.argv.clone());
            }
            TimeoutFuture::new(0).await;
        }
    });
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
