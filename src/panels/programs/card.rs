//! The card of one client: its status, its source with the current lines of its threads, and the actions on it.
use std::rc::Rc;

use script::program::{Request, Thread};
use world::{Act, ClientIndex, Condition, Input, Phase, Process};
use yew::prelude::*;

use super::edit::{Edit, EditProps};
use super::explained::explained;
use super::menu::{ItemsProps, menu};
use super::source::{Source, SourceProps};
use crate::hooks::assets::Chunk;
use crate::hooks::draft::use_draft;
use crate::hooks::{SessionHandle, SessionPart, use_kept_focus, use_lang, use_session_for};
use crate::i18n::messages::{FaultLine, ThreadComes, ThreadGoes, ThreadQueued};
use crate::i18n::{Lang, code, rich};
use crate::panels::client::slot_of;
use crate::panels::lanes::words;
use crate::state::lab::description::jump;
use crate::state::lab::lanes::label;
use crate::state::lab::run::Goal;
use crate::state::lab::status::{self, ClientStatus, ProgramError, ThreadStatus};
use crate::ui::{Button, ButtonLook, Picture, client_mark, html, later, part};

/// Properties of [`Card`].
#[derive(Clone, PartialEq, Properties)]
pub struct CardProps {
    /// The client of the card.
    pub client: ClientIndex,
    /// Whether sending, execution and delivery of a request are separate steps.
    pub is_fine: bool,
    /// Runs all programs until the goal.
    pub onrun: Callback<Goal>,
}

/// The card of one client.
#[component]
pub fn Card(props: &CardProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let draft = use_draft(&format!("{}-{}", session.place().id, props.client));
    let card = use_node_ref();
    use_kept_focus(&card);
    let client = props.client;
    let world = session.world();
    let (Some(process), Some(status)) = (world.process(client), status::client_status(world, client)) else {
        return Html::default();
    };
    let name = session.name_of(client);
    let text: Rc<str> = String::from_utf8_lossy(process.text()).into();
    let fault = status::fault(process);
    let edit = {
        let (draft, text) = (draft.clone(), Rc::clone(&text));
        Callback::from(move |_: MouseEvent| draft.open(&text))
    };
    let onedited = {
        let (session, draft) = (session.clone(), draft.clone());
        Callback::from(move |text: Option<Rc<str>>| {
            draft.close();
            if let Some(text) = text {
                let args = session.world().process(client).map(|process| process.args().to_vec()).unwrap_or_default();
                let act = Act::Load { text: bytes::Bytes::copy_from_slice(text.as_bytes()), args };
                session.push(Input::Program { client, act });
            }
        })
    };
    let sections: Vec<String> = process.inside().iter().map(|(section, _)| label::word(section)).collect();
    // The name of the critical section already says this.
    let is_said = status == ClientStatus::Inside && !sections.is_empty();
    let shift = process.clock_shift_ms();
    html! {
        <article class="program" data-client={slot_of(client).to_string()} data-status={words::status_tag(status)} aria-label={t.programs_of(&name)}
            data-testid={format!("program-{client}")} ref={card} tabindex="-1">
            <header class="program-head">
                { client_mark(slot_of(client)) }
                <h3>{ &name }</h3>
                if !is_said { <span class="lane-status" data-status={words::status_tag(status)}>{ words::status(t, status) }</span> }
                { for sections.iter().map(|section| html! { <span class="chip">{ rich(&t.programs_section(&code(section))) }</span> }) }
                if shift != 0 { <span class="chip">{ t.programs_clock_ahead(&jump(t, shift)) }</span> }
                if process.delay_ms() != 0 { <span class="chip">{ t.lanes_delay(process.delay_ms()) }</span> }
                <span class="spacer" />
                { Button::icon(Picture::Pencil, t.programs_edit_of(&name)).testid("edit").on(edit) }
                { menu(t, ItemsProps { client, name: name.clone().into(), onrun: props.onrun.clone() }) }
            </header>
            { threads(t, &session, props, process, &name) }
            if let Some((fault, line)) = &fault {
                <p class="program-fault">{ fault_words(t, fault, *line) }</p>
                { { let fault = fault.clone(); later(Chunk::Rest, move || explained(t, &fault)) } }
            }
            if draft.is_open() {
                { {
                    let (label, hint) = (t.programs_edit_of(&name), t.programs_use_hint(&name));
                    let fault = fault_mark(t, fault.as_ref());
                    let edit = EditProps { label, hint, text, draft, fault, ondone: onedited, check: None };
                    later(Chunk::Rest, move || part::<Edit>(edit.clone()))
                } }
            } else {
                { part::<Source>(SourceProps { text, lines: status::lines(process), fault: fault.and_then(|(_, line)| line) }) }
                { locals(t, process) }
            }
        </article>
    }
}

/// The position of each thread, with the button that steps it.
fn threads(t: Lang, session: &SessionHandle, props: &CardProps, process: &Process, name: &str) -> Html {
    let is_one = process.thread_count() <= 1;
    let is_dead = process.condition() == Condition::Crashed;
    let shown = process.phases().filter(|(_, phase)| is_one || **phase != Phase::Over);
    html! {
        <ul class="program-threads" data-testid="threads">
            { for shown.filter_map(|(thread, _)| {
                let stand = status::thread_status(session.world(), props.client, thread)?;
                let label = if is_one { t.programs_step_of(name) } else { t.programs_step_thread(&thread.to_string()) };
                Some(html! {
                    <li key={thread} class="program-thread">
                        if !is_one { <span class="chip">{ t.lanes_thread(&thread.to_string()) }</span> }
                        <span class="program-status">{ if is_dead { t.status_crashed().into() } else { rich(&thread_words(t, &stand)) } }</span>
                        { go_on(t, session, props, process, thread, &stand, label) }
                    </li>
                })
            }) }
        </ul>
    }
}

/// The button for the next step of a thread.
fn go_on(
    t: Lang,
    session: &SessionHandle,
    props: &CardProps,
    process: &Process,
    thread: Thread,
    stand: &ThreadStatus,
    label: String,
) -> Html {
    let client = props.client;
    let push = |input: Input| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.push(input.clone()))
    };
    let act = |act: Act| push(Input::Program { client, act });
    let runs = process.condition() == Condition::Runs;
    let is_call = matches!(process.request(thread), Some(Request::Call { .. }));
    let fine = match stand {
        ThreadStatus::Ready(_) if is_call => Some((t.programs_send(), Act::Send { thread })),
        ThreadStatus::Answered(_) | ThreadStatus::Travels { is_reply: true, left_ms: 0, .. } => {
            Some((t.programs_deliver(), Act::Deliver { thread }))
        }
        ThreadStatus::Travels { left_ms: 0, .. } => Some((t.programs_arrive(), Act::Send { thread })),
        _ => None,
    };
    if props.is_fine && runs {
        if let Some((words, what)) = fine {
            return Button::words(words).look(ButtonLook::Tool).testid("step").on(act(what));
        }
        if let (ThreadStatus::Queued(..), Some(node)) = (stand, session.world().node_of_request(client, thread)) {
            let serve = push(Input::Serve { node });
            return Button::words(t.programs_serve()).title(t.loop_serve_hint()).on(serve);
        }
    }
    if session.world().can_go_on(client, thread) {
        return Button::words(t.programs_step())
            .title(label)
            .look(ButtonLook::Tool)
            .testid("step")
            .on(act(Act::Step { thread }));
    }
    let left_ms = match stand {
        ThreadStatus::Rests { left_ms, .. }
        | ThreadStatus::TimesOut { left_ms }
        | ThreadStatus::Travels { left_ms, .. } => Some(*left_ms),
        ThreadStatus::Listens { left_ms, .. } => *left_ms,
        _ => None,
    };
    match left_ms.filter(|ms| *ms > 0 && runs) {
        Some(ms) => {
            let session = session.clone();
            let pass = Callback::from(move |_: MouseEvent| session.advance(ms));
            Button::words(t.programs_pass(ms)).picture(Picture::Clock).on(pass)
        }
        None => Html::default(),
    }
}

/// Local variables of each function on the call stack of a thread, innermost first.
fn locals(t: Lang, process: &Process) -> Html {
    let Ok(scene) = process.scene() else { return Html::default() };
    let frames = scene.threads.iter().flat_map(|thread| &thread.frames).flat_map(|frame| &frame.locals);
    let locals: Vec<_> = frames.collect();
    if locals.is_empty() {
        return Html::default();
    }
    html! {
        <dl class="program-locals" aria-label={t.programs_locals()}>
            { for locals.into_iter().map(|local| {
                let shown = String::from_utf8_lossy(&local.shown).into_owned();
                html! {
                    <div title={shown.clone()}><dt>{ String::from_utf8_lossy(&local.name).into_owned() }</dt><dd>{ shown }</dd></div>
                }
            }) }
        </dl>
    }
}

fn thread_words(t: Lang, stand: &ThreadStatus) -> String {
    match stand {
        ThreadStatus::Ready(words) => t.thread_ready(&code(words)),
        ThreadStatus::Queued(place, words) => t.say(ThreadQueued { n: *place as u64, command: &code(words) }),
        ThreadStatus::Blocked(words) => t.thread_blocked(&code(words)),
        ThreadStatus::Answered(words) | ThreadStatus::Travels { is_reply: true, words, left_ms: 0 } => {
            t.thread_answered(&code(words))
        }
        ThreadStatus::Travels { is_reply: true, words, left_ms } => {
            t.say(ThreadComes { value: &code(words), ms: *left_ms })
        }
        ThreadStatus::Travels { words, left_ms, .. } => t.say(ThreadGoes { command: &code(words), ms: *left_ms }),
        ThreadStatus::Rests { is_busy: true, left_ms: 0 } => t.thread_worked().to_owned(),
        ThreadStatus::Rests { is_busy: false, left_ms: 0 } => t.thread_rested().to_owned(),
        ThreadStatus::Rests { is_busy: true, left_ms } => t.thread_works(*left_ms),
        ThreadStatus::Rests { is_busy: false, left_ms } => t.thread_sleeps(*left_ms),
        ThreadStatus::TimesOut { left_ms: 0 } => t.thread_timed_out().to_owned(),
        ThreadStatus::TimesOut { left_ms } => t.thread_times_out(*left_ms),
        ThreadStatus::Listens { messages: 1.., .. } => t.thread_has_message().to_owned(),
        ThreadStatus::Listens { left_ms: Some(ms), .. } => t.thread_listens(*ms),
        ThreadStatus::Listens { left_ms: None, .. } => t.thread_listens_ever().to_owned(),
        ThreadStatus::Done => t.thread_done().to_owned(),
        ThreadStatus::Cancelled => t.thread_cancelled().to_owned(),
        ThreadStatus::Failed(_) => t.status_failed().to_owned(),
    }
}

fn what_is_wrong(t: Lang, fault: &ProgramError) -> String {
    match fault {
        ProgramError::DoesNotCompile(text) => t.fault_no_lua(text),
        ProgramError::Error(text) => t.fault_error(text),
        ProgramError::Endless => t.fault_endless().to_owned(),
        ProgramError::OutOfMemory => t.fault_memory().to_owned(),
        ProgramError::RanAway => t.fault_ran_away().to_owned(),
        ProgramError::Broken => t.fault_broken().to_owned(),
    }
}

/// The error of a program, and its line.
pub fn fault_words(t: Lang, fault: &ProgramError, line: Option<u32>) -> String {
    let what = what_is_wrong(t, fault);
    match line {
        Some(line) => t.say(FaultLine { n: &line.to_string(), what: &what }),
        None => what,
    }
}

/// The error of a program as a mark in the editor.
pub fn fault_mark(
    t: Lang,
    fault: Option<&(ProgramError, Option<u32>)>,
) -> Option<crate::state::scripts::outcome::LineError> {
    let (fault, line) = fault?;
    Some(crate::state::scripts::outcome::LineError { line: (*line)?, text: what_is_wrong(t, fault) })
}
