//! Lets an application machine crash while traffic runs, and starts crashed machines again.
use world::traffic::CrashTarget;
use yew::prelude::*;

use crate::hooks::{TrafficHandle, use_lang};
use crate::ui::{Button, choice, html, part};

/// Properties of [`Crash`].
#[derive(Clone, PartialEq, Properties)]
pub struct CrashProps {
    /// The machines that run, from 0.
    running: Vec<u32>,
    /// Number of machines that can be started again.
    startable: u64,
    oncrash: Callback<CrashTarget>,
    onrestart: Callback<()>,
}

/// The buttons, if there is traffic.
pub fn crash(traffic: &TrafficHandle) -> Html {
    let Some((running, startable)) = traffic.machines() else { return html! { <></> } };
    let (crashing, restarting) = (traffic.clone(), traffic.clone());
    let props = CrashProps {
        running,
        startable: startable.len() as u64,
        oncrash: Callback::from(move |target| crashing.crash(target)),
        onrestart: Callback::from(move |()| restarting.restart()),
    };
    part::<Crash>(props)
}

/// Selects a machine and lets it crash.
#[component]
pub fn Crash(props: &CrashProps) -> Html {
    let t = use_lang();
    let selected = use_state(|| CrashTarget::Loader);
    let machines = props.running.iter().copied().map(CrashTarget::Machine);
    let among: Vec<CrashTarget> = [CrashTarget::Loader].into_iter().chain(machines).collect();
    // The selected machine may have crashed.
    let target = Some(*selected).filter(|target| among.contains(target)).unwrap_or(CrashTarget::Loader);
    let shown = |target: &CrashTarget| match target {
        CrashTarget::Loader => t.traffic_crash_loader().to_owned(),
        CrashTarget::Machine(machine) => t.traffic_lane_machine(u64::from(*machine).saturating_add(1)),
    };
    let oncrash = {
        let emit = props.oncrash.clone();
        Callback::from(move |_: MouseEvent| emit.emit(target))
    };
    let onrestart = {
        let emit = props.onrestart.clone();
        Callback::from(move |_: MouseEvent| emit.emit(()))
    };
    html! {
        <div class="traffic-acts traffic-crash">
            <label class="traffic-preset">
                <span>{ t.traffic_crash_which() }</span>
                { choice(None, "traffic-crash-which", &among, &target, shown, move |target| selected.set(target)) }
            </label>
            { Button::words(t.traffic_crash()).disabled(props.running.is_empty()).title(t.traffic_crash_hint()).testid("traffic-crash").on(oncrash) }
            if props.startable > 0 {
                { Button::words(t.traffic_restart(props.startable)).testid("traffic-restart").on(onrestart) }
            }
        </div>
    }
}
