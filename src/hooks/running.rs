//! Runs programs a few inputs at a time, so that the page renders in between and the reader can intervene.
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use wasm_bindgen_futures::spawn_local;
use world::Input;
use yew::prelude::*;

use super::assets::Chunk;
use super::long_script::run_in_slices;
use super::{SessionHandle, SessionPart, use_preferences, use_session_for};
use crate::state::lab::run::{Goal, Runner, Stop};

/// Inputs between two renders.
const AT_ONCE: usize = 24;
/// Longest pause of a timed run between two checks for a stop request, in ms.
const REST_MS: u32 = 100;

/// Functions that run programs, and the result of the last run.
pub struct Running {
    /// Starts a run and ends the one in progress.
    pub start: Callback<Goal>,
    /// Ends the timed run in progress; `None` if there is none.
    pub stop: Option<Callback<()>>,
    /// Why the last run ended; `None` once the session has changed since.
    pub stopped: Option<Stop>,
}

/// Functions that run programs. A timed run takes as long as its virtual time at the speed of the clock, with pauses between events.
#[hook]
pub fn use_running() -> Running {
    let session = use_session_for(&[SessionPart::Steps]);
    let permille = use_mut_ref(|| 0_u32);
    permille.replace(use_preferences().now().speed_permille.max(1));
    // The number of the run in progress, and the same number if it is a timed run.
    let number = use_mut_ref(|| 0_u64);
    let timed = use_state_eq(|| None::<u64>);
    // A run needs the newest session: the rendered one may be older.
    let latest = use_mut_ref(|| session.clone());
    latest.replace(session.clone());
    // The revision after which the last run ended, and why.
    let ended = use_state_eq(|| None::<(u64, Stop)>);
    let start = {
        let (latest, ended, timed) = (Rc::clone(&latest), ended.setter(), timed.setter());
        let (number, permille) = (Rc::clone(&number), Rc::clone(&permille));
        Callback::from(move |goal: Goal| {
            let own = number.borrow().wrapping_add(1);
            number.replace(own);
            timed.set(matches!(goal, Goal::Time(_)).then_some(own));
            let run = Run {
                latest: Rc::clone(&latest),
                number: Rc::clone(&number),
                own,
                permille: Rc::clone(&permille),
                timed: timed.clone(),
            };
            let ended = ended.clone();
            spawn_local(async move {
                // A running clock would add steps in between.
                run.latest.borrow().set_running(false);
                TimeoutFuture::new(0).await;
                // The run and the runner are part of this chunk.
                Chunk::Rest.ready().await;
                let stop = run.until(goal).await;
                if *run.number.borrow() == run.own {
                    run.timed.set(None);
                }
                if stop.is_some() {
                    ended.set(stop);
                }
            });
        })
    };
    let stopped = ended.filter(|(revision, _)| *revision == session.revision()).map(|(_, stop)| stop);
    let stop = timed.map(|_| {
        Callback::from(move |()| {
            let next = number.borrow().wrapping_add(1);
            number.replace(next);
            timed.set(None);
        })
    });
    Running { start, stop, stopped }
}

/// The revision after the end of a run, and why it ended; `None` if the reader acted in the meantime.
type RunEnd = Option<(u64, Stop)>;

/// A run in progress.
struct Run {
    /// The newest session.
    latest: Rc<RefCell<SessionHandle>>,
    /// The number of the newest run.
    number: Rc<RefCell<u64>>,
    /// The number of this run.
    own: u64,
    /// The speed of the clock.
    permille: Rc<RefCell<u32>>,
    /// The number of the timed run in progress.
    timed: UseStateSetter<Option<u64>>,
}

impl Run {
    fn is_current(&self) -> bool {
        *self.number.borrow() == self.own
    }

    /// Runs the programs.
    #[inline(never)]
    fn until(&self, goal: Goal) -> Pin<Box<dyn Future<Output = RunEnd> + '_>> {
        Box::pin(async move {
            let mut runner = Runner::new(self.latest.borrow().newest().world(), goal);
            let mut expected = self.latest.borrow().newest().revision();
            loop {
                let session = self.latest.borrow().clone();
                if session.newest().revision() != expected {
                    return None;
                }
                let (next, inputs, stop) = run_in_slices(|| {
                    let mut next = runner.clone();
                    let (inputs, stop) = next.take(AT_ONCE);
                    (next, inputs, stop)
                })
                .await;
                runner = next;
                for input in inputs {
                    if let (Goal::Time(_), Input::Advance { ms }) = (goal, &input) {
                        // Wait for the real time that this takes at the speed of the clock, which may change meanwhile.
                        let mut left_us = ms.saturating_mul(1_000);
                        while left_us > 0 && self.is_current() {
                            let per_ms = u64::from(*self.permille.borrow()).max(1);
                            let rest_ms = left_us.div_ceil(per_ms).min(u64::from(REST_MS));
                            TimeoutFuture::new(u32::try_from(rest_ms).unwrap_or(REST_MS)).await;
                            left_us = left_us.saturating_sub(rest_ms.saturating_mul(per_ms));
                        }
                        if session.newest().revision() != expected {
                            return None;
                        }
                    }
                    if !self.is_current() {
                        return None;
                    }
                    session.push(input);
                    expected = expected.wrapping_add(1);
                    if session.is_held() {
                        while session.is_held() {
                            TimeoutFuture::new(20).await;
                        }
                        if session.newest().revision() != expected {
                            // The reader stopped the script.
                            return None;
                        }
                    }
                }
                if let Some(stop) = stop {
                    return Some((expected, stop));
                }
                TimeoutFuture::new(0).await;
            }
        })
    }
}
