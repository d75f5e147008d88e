//! The menu of a client: further actions on it.
use script::program::Request;
use world::{Act, ClientIndex, Condition, Direction, Input};
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::ProgramsSlowHint;
use crate::state::lab::description::jump;
use crate::state::lab::lanes::label;
use crate::state::lab::run::Goal;
use crate::ui::{Button, Menu, MenuProps, Picture, html, icon, later, part};

/// Size of a jump of a client's clock, in ms.
const JUMP_MS: i64 = 60_000;

/// Delay of a message over a slow network, in ms.
const SLOW_MS: u64 = 500;

/// Properties of [`Items`].
#[derive(Clone, PartialEq, Properties)]
pub struct ItemsProps {
    /// The client of the menu.
    pub client: ClientIndex,
    /// Name of the client.
    pub name: AttrValue,
    /// Runs all programs until the goal.
    pub onrun: Callback<Goal>,
}

/// The button and its menu.
pub fn menu(t: Lang, props: ItemsProps) -> Html {
    let label = AttrValue::from(t.programs_more(&props.name));
    let id = format!("menu-program-{}", props.client);
    let draw = Callback::from(move |()| {
        let props = props.clone();
        later(Chunk::Rest, move || part::<Items>(props.clone()))
    });
    html! {
        <span data-testid="program-more">
            <button type="button" class="button button-quiet button-icon" title={label.clone()} aria-label={label.clone()}
                popovertarget={id.clone()} data-testid="program-menu">{ icon(Picture::Dots) }</button>
            { part::<Menu>(MenuProps { id, label, testid: "program-acts", draw }) }
        </span>
    }
}

#[component]
fn Items(props: &ItemsProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let ItemsProps { client, ref name, .. } = *props;
    let world = session.world();
    let Some(process) = world.process(client) else { return Html::default() };
    let act = |act: Act| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(Input::Program { client, act: act.clone() }))
    };
    let is_over = process.is_over();
    let is_paused = process.condition() == Condition::Paused;
    let losing = process.phases().find_map(|(thread, _)| {
        let directions =
            [Direction::Request, Direction::Reply].map(|direction| world.can_lose(client, thread, direction));
        (directions != [false; 2] && matches!(process.request(thread), Some(Request::Call { .. })))
            .then_some((thread, directions))
    });
    let holding = |direction: Direction| {
        let mut threads = process.phases().map(|(thread, _)| thread);
        threads.find(|thread| world.can_hold_up(client, *thread, direction))
    };
    let late = (0..).zip(world.held_up(client)).filter(|(_, found)| world.can_arrive(found));
    let (slow_ms, slow) = if process.delay_ms() == 0 { (SLOW_MS, t.programs_slow()) } else { (0, t.programs_fast()) };
    let run_to = props.onrun.reform(move |_: MouseEvent| Goal::Request(client));
    html! {
        <>
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
                        { Button::words(t.programs_lose_request()).picture(Picture::Stop).on(act(Act::Lose { thread, direction: Direction::Request })) }
                    }
                    if reply {
                        { Button::words(t.programs_lose_reply()).picture(Picture::Stop).on(act(Act::Lose { thread, direction: Direction::Reply })) }
                    }
                }
                if let Some(thread) = holding(Direction::Request) {
                    { Button::words(t.programs_hold_up()).picture(Picture::Pause).title(t.programs_hold_up_hint(name)).testid("hold-up")
                        .on(act(Act::HoldUp { thread, direction: Direction::Request })) }
                }
                if let Some(thread) = holding(Direction::Reply) {
                    { Button::words(t.programs_hold_up_reply()).picture(Picture::Pause).title(t.programs_hold_up_reply_hint(name))
                        .testid("hold-up-reply").on(act(Act::HoldUp { thread, direction: Direction::Reply })) }
                }
                { Button::words(slow).picture(Picture::Clock).title(t.say(ProgramsSlowHint { name, ms: slow_ms })).on(act(Act::Delay { ms: slow_ms })) }
                { Button::words(t.lanes_clock(&jump(t, JUMP_MS))).picture(Picture::Clock).on(act(Act::ShiftClock { ms: JUMP_MS })) }
                { Button::words(t.programs_crash()).picture(Picture::Close).title(t.programs_crash_hint(name)).on(act(Act::Crash)) }
            }
        </>
    }
}
