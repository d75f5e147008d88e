//! The form of a search: the property to break, the start, the faults, and the limits.
use world::{Fault, Property, World};
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::messages::ExploreLimits;
use crate::state::explorer::{CLIENTS, DEPTHS, FAULTS_MAX, Outset, STATES, Wish};
use crate::ui::{self, html};

/// Field for the property to break.
pub fn goal(t: Lang, world: &World, wish: &Wish, set: &Callback<Wish>, called: &dyn Fn(&Property) -> String) -> Html {
    let goals: Vec<Option<Property>> =
        [None].into_iter().chain(world.watch().verdicts().map(|(property, _)| Some(property.clone()))).collect();
    let shown = |goal: &Option<Property>| goal.as_ref().map_or_else(|| t.explore_goal_any().to_owned(), called);
    choice(t.explore_goal(), "explore-goal", &goals, &wish.goal, shown, {
        let (wish, set) = (wish.clone(), set.clone());
        move |goal| set.emit(Wish { goal, ..wish.clone() })
    })
}

/// The label of a field.
type Label = fn(Lang) -> &'static str;

/// The faults. Those named in the summary line come first.
const FAULTS: [(Fault, Label, &str); 11] = [
    (Fault::Crash, Lang::explore_crashes, "explore-crashes"),
    (Fault::Pause, Lang::explore_pauses, "explore-pauses"),
    (Fault::Loss, Lang::explore_losses, "explore-losses"),
    (Fault::Restart, Lang::explore_restarts, "explore-restarts"),
    (Fault::Delay, Lang::explore_delays, "explore-delays"),
    (Fault::ReplyDelay, Lang::explore_reply_delays, "explore-reply-delays"),
    (Fault::ClockJump, Lang::explore_clock_jumps, "explore-clock-jumps"),
    (Fault::NodeCrash, Lang::explore_node_crashes, "explore-node-crashes"),
    (Fault::NodeRestart, Lang::explore_node_restarts, "explore-node-restarts"),
    (Fault::NodeClockJump, Lang::explore_node_clock_jumps, "explore-node-clock-jumps"),
    (Fault::Cut, Lang::explore_cuts, "explore-cuts"),
];

/// All other fields, collapsed at first; the summary line shows their values.
pub fn limits(t: Lang, wish: &Wish, set: &Callback<Wish>) -> Html {
    let faults = wish.faults;
    let number = |n: usize| t.explore_number(u64::try_from(n).unwrap_or(u64::MAX));
    let depth = u64::from(wish.depth);
    let states = u64::try_from(wish.states).unwrap_or(u64::MAX);
    let summary = t.say(ExploreLimits {
        crashes: u64::from(faults.crashes),
        pauses: u64::from(faults.pauses),
        losses: u64::from(faults.losses),
        others: FAULTS.iter().skip(3).map(|(fault, ..)| u64::from(faults.of(*fault))).sum(),
        depth,
        states,
    });
    let with = |change: fn(&mut Wish, u32)| {
        let (wish, set) = (wish.clone(), set.clone());
        move |n: u32| {
            let mut wish = wish.clone();
            change(&mut wish, n);
            set.emit(wish);
        }
    };
    let counts: Vec<u32> = (0..=FAULTS_MAX).collect();
    let count = |n: &u32| t.explore_number(u64::from(*n));
    // The value set by a lesson may be missing from the list.
    let mut depths = DEPTHS.to_vec();
    depths.push(wish.depth);
    depths.sort_unstable();
    depths.dedup();
    let mut clients = CLIENTS.to_vec();
    clients.push(wish.clients);
    clients.sort_unstable();
    clients.dedup();
    let part = |n: &u32| if *n == 0 { t.explore_clients_all().to_owned() } else { count(n) };
    let from = |from: &Outset| match from {
        Outset::Beginning => t.explore_from_beginning().to_owned(),
        Outset::Here => t.explore_from_here().to_owned(),
    };
    html! {
        <details class="explorer-limits" data-testid="explorer-limits">
            <summary>{ summary }</summary>
            <div class="explorer-choices">
                { choice(t.explore_from(), "explore-from", &[Outset::Beginning, Outset::Here], &wish.from, from, {
                    let (wish, set) = (wish.clone(), set.clone());
                    move |from| set.emit(Wish { from, ..wish.clone() })
                }) }
                { choice(t.explore_clients(), "explore-clients", &clients, &wish.clients, part, with(|wish, n| wish.clients = n)) }
                { for FAULTS.iter().map(|(fault, label, testid)| {
                    let (wish, set) = (wish.clone(), set.clone());
                    choice(label(t), testid, &counts, &faults.of(*fault), count, move |n| {
                        let mut wish = wish.clone();
                        *wish.faults.of_mut(*fault) = n;
                        set.emit(wish);
                    })
                }) }
                { choice(t.explore_depth(), "explore-depth", &depths, &wish.depth, count, with(|wish, n| wish.depth = n)) }
                { choice(t.explore_states(), "explore-states", &STATES, &wish.states, |n: &usize| number(*n), {
                    let (wish, set) = (wish.clone(), set.clone());
                    move |states| set.emit(Wish { states, ..wish.clone() })
                }) }
            </div>
        </details>
    }
}

/// A field for choosing one of several values.
fn choice<T: Clone + PartialEq + 'static>(
    label: &'static str,
    testid: &'static str,
    among: &[T],
    chosen: &T,
    shown: impl Fn(&T) -> String,
    onchoose: impl Fn(T) + 'static,
) -> Html {
    html! {
        <label class="explorer-choice">
            <span>{ label }</span>
            { ui::choice(None, testid, among, chosen, shown, onchoose) }
        </label>
    }
}
