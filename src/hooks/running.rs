//! Running programs on: a few inputs at a time, so that the page draws between them and the reader can step in.
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::long_script::patiently;
use super::{Side, use_session_for};
use crate::state::lab::run::{Goal, Runner, Stop};

/// Inputs between two drawings.
const AT_ONCE: usize = 24;

/// Starts a run, and says why the last one ended while nothing has happened since.
#[hook]
pub fn use_running() -> (Callback<Goal>, Option<Stop>) {
    let session = use_session_for(&[Side::Steps]);
    let latest = use_mut_ref(|| session.clone());
    latest.replace(session.clone());
    // As of which revision it ended, and why.
    let ended = use_state_eq(|| None::<(u64, Stop)>);
    let start = {
        let (latest, ended) = (Rc::clone(&latest), ended.setter());
        Callback::from(move |goal: Goal| {
            let (latest, ended) = (Rc::clone(&latest), ended.clone());
            spawn_local(async move {
                // A clock that runs would come between the steps.
                latest.borrow().set_running(false);
                TimeoutFuture::new(0).await;
                let mut runner = Runner::new(latest.borrow().world(), goal);
                let mut expected = latest.borrow().revision();
                loop {
                    let session = latest.borrow().clone();
                    if session.revision() != expected {
                        // Somebody else has done something in the meantime: what was planned no longer fits.
                        return;
                    }
                    let (next, inputs, stop) = patiently(|| {
                        let mut next = runner.clone();
                        let (inputs, stop) = next.take(AT_ONCE);
                        (next, inputs, stop)
                    })
                    .await;
                    runner = next;
                    for input in inputs {
                        session.push(input);
                        expected = expected.wrapping_add(1);
                        if session.is_held() {
                            while session.is_held() {
                                TimeoutFuture::new(20).await;
                            }
                            if latest.borrow().revision() != expected {
                                // The script was stopped.
                                return;
                            }
                        }
                    }
                    if let Some(stop) = stop {
                        return ended.set(Some((expected, stop)));
                    }
                    TimeoutFuture::new(0).await;
                }
            });
        })
    };
    let told = ended.filter(|(revision, _)| *revision == session.revision()).map(|(_, stop)| stop);
    (start, told)
}
