//! The clock on the screen: ten times a second it converts the real time that has passed into virtual time.
use gloo_timers::callback::Interval;
use yew::prelude::*;

use super::preferences::missing;
use super::{SessionPart, use_preferences, use_session_for};
use crate::state::clock::{Due, Next};
use crate::state::session::{Session, SessionAction};
use world::Input;

/// Real time between two ticks.
const TICK_MS: u32 = 100;

/// What the clock shows. It changes ten times a second while the clock runs: use it only in components that show the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockHandle {
    /// The virtual time on the screen, Unix time in ms.
    pub now_ms: u64,
    /// How much of that time is not in the log yet, in ms.
    pub ahead_ms: u64,
    /// Whether the clock runs.
    pub is_running: bool,
}

/// Properties of [`ClockProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct ClockProviderProps {
    /// The page.
    pub children: Html,
}

/// Runs the virtual clock and provides it to its children.
#[component]
pub fn ClockProvider(props: &ClockProviderProps) -> Html {
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Running]);
    let permille = use_preferences().now().speed_permille;
    let update = use_force_update();
    let latest = use_mut_ref(|| None);
    latest.replace(Some((session.clone(), permille)));
    let is_running = session.is_running();
    {
        let latest = latest.clone();
        use_effect_with(is_running, move |is_running| {
            let interval = is_running.then(|| {
                let mut before_ms = real_ms();
                Interval::new(TICK_MS, move || {
                    let now_ms = real_ms();
                    let passed_us = ((now_ms - before_ms) * 1_000.0).max(0.0) as u64;
                    before_ms = now_ms;
                    let Some((session, permille)) = latest.borrow().clone() else { return };
                    if session.is_held() {
                        // Virtual time stands still while the reader waits for a script.
                        return;
                    }
                    let (ahead, due) = session.ahead().get().tick(passed_us, permille, next_of(&session));
                    session.ahead().set(ahead);
                    match due {
                        Some(Due::Pass(ms)) => {
                            session.dispatch(SessionAction::Push { input: Input::Advance { ms }, ahead_ms: 0 });
                        }
                        Some(Due::Step) => {
                            session.dispatch(SessionAction::PlayOn);
                            if session.timeline().position().saturating_add(1) >= session.timeline().len() {
                                session.halt();
                            }
                        }
                        None => {}
                    }
                    update.force_update();
                })
            });
            move || drop(interval)
        });
    }
    let ahead_ms = session.ahead().get().shown_ms(next_of(&session));
    let context = ClockHandle { now_ms: session.world().now_ms().saturating_add(ahead_ms), ahead_ms, is_running };
    html! {
        <ContextProvider<ClockHandle> {context}>{ props.children.clone() }</ContextProvider<ClockHandle>>
    }
}

/// What comes next at the cursor.
fn next_of(session: &Session) -> Next {
    let timeline = session.timeline();
    match timeline.step_at(timeline.position()) {
        Some(step) => Next::of(step),
        None => {
            let world = session.world();
            Next::Live(world.next_event_ms().map(|deadline_ms| deadline_ms.saturating_sub(world.now_ms())))
        }
    }
}

/// Real time in ms, monotonic.
pub fn real_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// The clock; a component that calls this is rendered again ten times a second while the clock runs.
#[hook]
pub fn use_clock() -> ClockHandle {
    use_context::<ClockHandle>().unwrap_or_else(|| missing("ClockProvider"))
}
