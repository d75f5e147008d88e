//! What else can be done to a client: a menu that is drawn while it is open, and otherwise costs a step nothing.
use script::program::Request;
use web_sys::Element;
use world::{Act, ClientIndex, Condition, Input, Leg};
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::{Side, use_lang, use_session_for};
use crate::i18n::messages::ProgramsSlowHint;
use crate::state::lab::lanes::label;
use crate::state::lab::run::Goal;
use crate::state::lab::told::jump;
use crate::ui::{Button, Picture, html, icon, later, part};

/// A jump of a client's clock.
const JUMP_MS: i64 = 60_000;

/// How long a message takes over a slow network.
const SLOW_MS: u64 = 500;

/// Properties of [`Menu`].
#[derive(Clone, PartialEq, Properties)]
pub struct MenuProps {
    /// Whose.
    pub client: ClientIndex,
    /// What the client is called.
    pub name: AttrValue,
    /// Everybody goes on until this.
    pub onrun: Callback<Goal>,
}

/// The button, and what it opens.
#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let t = use_lang();
    let is_open = use_state_eq(|| false);
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: Event| {
            let menu = event.target_dyn_into::<Element>();
            is_open.set(menu.is_some_and(|menu| menu.has_attribute("open")));
        })
    };
    let label = t.programs_more(&props.name);
    html! {
        <details class="program-more" {ontoggle} data-testid="program-more">
            <summary class="button button-quiet button-icon" title={label.clone()} aria-label={label}>{ icon(Picture::Dots) }</summary>
            if *is_open { { {
                let props = props.clone();
                later(Chunk::Rest, move || part::<Items>(props.clone()))
            } } }
        </details>
    }
}

#[component]
fn Items(props: &MenuProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[Side::Steps]);
    let MenuProps { client, ref name, .. } = *props;
    let world = session.world();
    let Some(process) = world.process(client) else { return Html::default() };
    let act = |act: Act| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Program { client, act: act.clone() }))
    };
    let is_over = process.is_over();
    let is_paused = process.condition() == Condition::Paused;
    let losing = process.phases().find_map(|(thread, _)| {
        let legs = [Leg::Request, Leg::Reply].map(|leg| world.can_lose(client, thread, leg));
        (legs != [false; 2] && matches!(process.request(thread), Some(Request::Call { .. }))).then_some((thread, legs))
    });
    let holding = |leg: Leg| {
        let mut threads = process.phases().map(|(thread, _)| thread);
        threads.find(|thread| world.can_hold_up(client, *thread, leg))
    };
    let late = (0..).zip(world.held_up(client)).filter(|(_, found)| world.can_arrive(found));
    let (slow_ms, slow) = if process.delay_ms() == 0 { (SLOW_MS, t.programs_slow()) } else { (0, t.programs_fast()) };
    let run_to = props.onrun.reform(move |_: MouseEvent| Goal::Request(client));
    html! {
        <div class="program-menu" onclick={Callback::from(close_menu)}>
            { for late.map(|(late, found)| {
                let command = label::command(&found.argv);
                let words = match found.reply {
                    Some(_) => t.programs_late_reply_arrives(&command),
                    None => t.programs_late_arrives(&command),
                };
                Button::words(words).picture(Picture::Next).testid("arrive").on(act(Act::Arrive { late }))
            }) }
            if is_over {
                { Button::words(t.programs_restart()).picture(Picture::Undo).on(act(Act::Restart)) }
            } else {
                { Button::words(t.programs_run_to()).picture(Picture::StepForward).title(t.programs_run_to_hint(name)).on(run_to) }
                if is_paused {
                    { Button::words(t.programs_resume()).picture(Picture::Next).on(act(Act::Resume)) }
                } else {
                    { Button::words(t.programs_pause()).picture(Picture::Pause).title(t.programs_pause_hint(name)).on(act(Act::Pause)) }
                }
                if let Some((thread, [request, reply])) = losing {
                    if request {
                        { Button::words(t.programs_lose_request()).picture(Picture::Stop).on(act(Act::Lose { thread, leg: Leg::Request })) }
                    }
                    if reply {
                        { Button::words(t.programs_lose_reply()).picture(Picture::Stop).on(act(Act::Lose { thread, leg: Leg::Reply })) }
                    }
                }
                if let Some(thread) = holding(Leg::Request) {
                    { Button::words(t.programs_hold_up()).picture(Picture::Pause).title(t.programs_hold_up_hint(name)).testid("hold-up")
                        .on(act(Act::HoldUp { thread, leg: Leg::Request })) }
                }
                if let Some(thread) = holding(Leg::Reply) {
                    { Button::words(t.programs_hold_up_reply()).picture(Picture::Pause).title(t.programs_hold_up_reply_hint(name))
                        .testid("hold-up-reply").on(act(Act::HoldUp { thread, leg: Leg::Reply })) }
                }
                { Button::words(slow).picture(Picture::Clock).title(t.say(ProgramsSlowHint { name, ms: slow_ms })).on(act(Act::Delay { ms: slow_ms })) }
                { Button::words(t.lanes_clock(&jump(t, JUMP_MS))).picture(Picture::Clock).on(act(Act::ShiftClock { ms: JUMP_MS })) }
                { Button::words(t.programs_crash()).picture(Picture::Close).title(t.programs_crash_hint(name)).on(act(Act::Crash)) }
            }
        </div>
    }
}

/// A menu from which something was chosen closes.
fn close_menu(event: MouseEvent) {
    let menu = event.target_dyn_into::<Element>().and_then(|chosen| chosen.closest("details").ok().flatten());
    if let Some(menu) = menu {
        let _ = menu.remove_attribute("open");
    }
}
