//! The terminal of one client: what it sent and received up to the cursor, and an input line.
//!
//! `log` shows the log, `line` is the input line, `entry` renders one entry of the log, `explained` says what an error means, `help` replies
//! to `HELP`, `documentation` describes a command there and above the line, `welcome` stands in the first terminal until something is
//! done, and `departed` shows the logs of clients that have left. The log is derived only from the session, so going back in time rewinds
//! it too. A half-typed line is kept while another panel is in front.
mod departed;
mod documentation;
mod drawn;
mod entry;
mod explained;
mod help;
mod line;
mod log;
mod printed;
mod welcome;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;
use gloo_timers::callback::Timeout;
use web_sys::HtmlElement;
use world::ClientIndex;
use yew::prelude::*;

use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, SessionPart, scripts, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::state::terminal::notes::{Note, REPEATS_MAX};
use crate::state::terminal::paste::RUN_AT_ONCE;
use crate::state::terminal::typed::TypedLine;
use crate::state::terminal::{eval, statement, transcript};
use crate::ui::{html, later, part};
pub use departed::Departed;
use line::{Line, LineProps};
use log::{Log, LogProps};
pub use printed::waits_for_row;

/// Properties of [`Terminal`].
#[derive(Clone, PartialEq, Properties)]
pub struct TerminalProps {
    /// The client of the terminal.
    pub client: ClientIndex,
    /// Whether it takes the focus when it is first rendered.
    #[prop_or_default]
    pub is_active: bool,
}

/// A terminal that behaves like redis-cli.
#[component]
pub fn Terminal(props: &TerminalProps) -> Html {
    let client = props.client;
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Notes]);
    let notes = session.notes(client);
    let root = use_node_ref();
    let latest = use_mut_ref(|| session.clone());
    latest.replace(session.clone());
    let submit = {
        let waiting = use_mut_ref(Waiting::default);
        let latest = Rc::clone(&latest);
        use_callback((client, t), move |lines: Vec<String>, (client, t)| {
            let is_at_table = latest.borrow().database_of(*client).is_some();
            let lines = if is_at_table { statement::statements(lines) } else { lines };
            let mut queue = waiting.borrow_mut();
            queue.t = *t;
            queue.lines.extend(lines);
            // If a run is in progress, it continues with these lines: lines of a client never overtake each other.
            if !std::mem::replace(&mut queue.is_under_way, true) {
                drop(queue);
                run_waiting(Rc::clone(&latest), *client, Rc::clone(&waiting));
            }
        })
    };
    let interrupt = {
        let latest = Rc::clone(&latest);
        use_callback(client, move |(), client| {
            let session = latest.borrow().clone();
            if session.world().is_interruptible(*client) {
                session.interrupt(*client);
            }
        })
    };
    let clear = {
        let latest = Rc::clone(&latest);
        use_callback(client, move |(), client| latest.borrow().note(*client, Note::Clear))
    };
    let focused = {
        let latest = Rc::clone(&latest);
        use_callback(client, move |(), client| latest.borrow().activate(*client))
    };
    let focus_line = {
        let root = root.clone();
        Callback::from(move |_: MouseEvent| focus_unless_selecting(&root))
    };
    let name = session.name_of(client);
    let node = session.world().client(client).map(|found| found.node);
    let (db, is_in_multi) = session.world().connection(client).map_or((0, false), |c| (c.db, c.multi.is_some()));
    let is_waiting = session.world().is_waiting(client);
    let speaker = transcript::at_node(&name, session.world(), node);
    let prompt = match session.database_of(client) {
        Some(_) => transcript::statement_prompt(&speaker, session.world().is_in_transaction(client)),
        None => transcript::prompt(&speaker, db, is_in_multi),
    };
    // The welcome stands in place of the log, so it makes way for what the terminal itself has said.
    let is_silent = notes.between(0, session.timeline().cursor().saturating_add(1)).next().is_none();
    let is_welcome = is_silent && welcome::is_welcome(&session, client);
    let log = LogProps {
        client,
        label: t.terminal_log(&name),
        notes: notes.clone(),
        session: latest,
        revision: session.revision(),
    };
    let line = LineProps {
        client,
        label: t.terminal_line(&name),
        prompt,
        is_waiting,
        is_active: props.is_active,
        notes,
        session,
        onsubmit: submit,
        oninterrupt: interrupt,
        onclear: clear,
        onfocus: focused,
    };
    html! {
        <div class="terminal" ref={root} onclick={focus_line}>
            { part::<Log>(log) }
            if is_welcome { { later(Chunk::Rest, || part::<welcome::Welcome>(())) } }
            { part::<Line>(line) }
        </div>
    }
}

/// Moves the focus to the input line after a click into the log, unless the reader selects text or follows a link.
fn focus_unless_selecting(root: &NodeRef) {
    let selected = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    if selected.is_some_and(|selection| !selection.is_collapsed()) {
        return;
    }
    let input = root.cast::<HtmlElement>().and_then(|root| root.query_selector("input.terminal-input").ok().flatten());
    if let Some(input) = input.and_then(|input| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(input).ok()) {
        let _ = input.focus();
    }
}

/// Lines that were submitted and have not run yet.
#[derive(Default)]
struct Waiting {
    lines: VecDeque<String>,
    /// The language in which they were typed.
    t: Lang,
    /// Whether a run is in progress.
    is_under_way: bool,
}

/// Runs the waiting lines in order: some at once, the rest in later tasks.
fn run_waiting(session: Rc<RefCell<SessionHandle>>, client: ClientIndex, waiting: Rc<RefCell<Waiting>>) {
    for _ in 0..RUN_AT_ONCE {
        let Some(line) = waiting.borrow_mut().lines.pop_front() else { break };
        let t = waiting.borrow().t;
        let now = session.borrow().clone();
        let typed = match now.database_of(client) {
            Some(_) => TypedLine::read_statement(&line),
            None => TypedLine::read(&line),
        };
        run_line(t, &now, client, &line, typed);
    }
    let is_more = !waiting.borrow().lines.is_empty();
    waiting.borrow_mut().is_under_way = is_more;
    if is_more {
        Timeout::new(0, move || run_waiting(session, client, waiting)).forget();
    }
}

/// Runs one line: a command or statement for a server, or a command of the terminal itself.
fn run_line(t: Lang, session: &SessionHandle, client: ClientIndex, line: &str, typed: TypedLine) {
    match typed {
        TypedLine::Blank => {}
        TypedLine::Answered(note) => session.note(client, note),
        TypedLine::Statement(text) => session.run(client, vec![text]),
        TypedLine::Eval(words) => evaluate(t, session, client, line, &words),
        TypedLine::Command { argv, times } => {
            for _ in 1..times.min(REPEATS_MAX) {
                session.run(client, argv.clone());
            }
            session.run(client, argv);
            if times > REPEATS_MAX {
                session.note(client, Note::TooManyRepeats);
            }
        }
    }
}

/// Runs `--eval`: sends a file of the script editor as an `EVAL`.
fn evaluate(t: Lang, session: &SessionHandle, client: ClientIndex, line: &str, words: &[Bytes]) {
    let line = line.trim().to_owned();
    let files = scripts::files(t);
    let name = words.first();
    let Some(file) = files.iter().find(|file| name.is_some_and(|name| name == file.name.as_bytes())) else {
        return session.note(client, Note::NoFile { line, name: name.cloned() });
    };
    let argv = eval::command(&file.text, words.get(1..).unwrap_or_default());
    session.note(client, Note::Evaluated { line, argv: argv.clone() });
    session.run(client, argv);
}
