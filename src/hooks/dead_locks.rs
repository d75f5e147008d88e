//! Whether the world at the cursor is a deadlock. The explorer is asked once the cursor rests, because an answer may require a search of
//! many thousands of worlds.
use gloo_timers::callback::Timeout;
use world::explore::Report;
use yew::prelude::*;

use super::explorer::WORKER;
use super::worker::{Heard, WorkerHandle, use_worker};
use super::{SessionHandle, SessionPart, use_session_for};
use crate::state::explorer::dead_lock_request;
use crate::state::session::SessionAction;

/// The cursor rests once it has not moved for this long, in ms.
const REST_MS: u32 = 120;

/// Asks for each new position of the cursor.
#[component]
pub fn DeadLocks() -> Html {
    let session = use_session_for(&[SessionPart::Steps]);
    let worker = use_worker();
    use_effect_with(session.revision(), move |revision| {
        let revision = *revision;
        let asking = {
            let worker = worker.clone();
            Timeout::new(REST_MS, move || ask(&session, worker, revision))
        };
        move || {
            drop(asking);
            worker.end();
        }
    });
    Html::default()
}

fn ask(session: &SessionHandle, worker: WorkerHandle, revision: u64) {
    let Some(request) = dead_lock_request(session.timeline()) else { return };
    let session = session.clone();
    let onheard = {
        let worker = worker.clone();
        Callback::from(move |heard: Heard| {
            let Heard::Text(text) = heard else { return };
            match Report::from_text(&text) {
                Some(Report::Progress(_)) => return,
                Some(Report::Broken { .. }) => session.dispatch(SessionAction::DeadLock(revision)),
                _ => {}
            }
            worker.end();
        })
    };
    worker.begin(&WORKER, request.to_text(), onheard);
}
