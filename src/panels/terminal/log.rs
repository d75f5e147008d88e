//! The log of a terminal: everything up to the cursor, newest at the bottom.
use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use web_sys::HtmlElement;
use world::{ClientIndex, StepId};
use yew::prelude::*;

use super::entry::{Answer, AnswerProps, Asked, AskedProps, WORDS_DRAWN, said};
use super::help::{self, Help, HelpProps};
use super::notes::{Note, Notes};
use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, use_lang};
use crate::i18n::Lang;
use crate::i18n::messages::{TerminalTextAfterQuote, TerminalUnclosed};
use crate::state::session::KeyName;
use crate::state::terminal::eval;
use crate::state::terminal::transcript::{self, Entry, Transcript, What};
use crate::ui::{html, later, part, part_of};

/// Entries that are drawn at once, and how many more each time the reader asks.
const DRAWN: usize = 100;

/// Properties of [`Log`].
#[derive(Clone, Properties)]
pub struct LogProps {
    /// Whose log.
    pub client: ClientIndex,
    /// Its accessible name.
    pub label: String,
    /// What the terminal itself said.
    pub notes: Notes,
    /// The session as it is now.
    pub session: Rc<RefCell<SessionHandle>>,
    /// Its revision: the log is drawn anew when it changes, and only then.
    pub revision: u64,
}

impl PartialEq for LogProps {
    fn eq(&self, other: &LogProps) -> bool {
        self.client == other.client
            && self.label == other.label
            && self.notes == other.notes
            && self.revision == other.revision
    }
}

/// The log.
#[component]
pub fn Log(props: &LogProps) -> Html {
    let t = use_lang();
    let drawn = use_state_eq(|| DRAWN);
    let node = use_node_ref();
    let session = props.session.borrow().clone();
    let transcript = use_mut_ref(Transcript::default);
    transcript.borrow_mut().follow(session.timeline(), props.client);
    let transcript = transcript.borrow();
    let hidden = transcript.entries().len().saturating_sub(*drawn);
    let entries = transcript.entries().get(hidden..).unwrap_or_default();
    {
        let node = node.clone();
        use_effect_with((props.revision, props.notes.clone()), move |_| {
            if let Some(log) = node.cast::<HtmlElement>() {
                log.set_scroll_top(log.scroll_height());
            }
        });
    }
    let select = {
        let session = Rc::clone(&props.session);
        use_callback((), move |key: KeyName, ()| session.borrow().select(key))
    };
    let run = {
        let session = Rc::clone(&props.session);
        use_callback(props.client, move |line: String, client| {
            if let Ok(argv) = resp::split::split(line.as_bytes()) {
                session.borrow().run_when_ready(*client, argv);
            }
        })
    };
    let more = {
        let drawn = drawn.clone();
        Callback::from(move |_: MouseEvent| drawn.set(drawn.saturating_add(DRAWN)))
    };
    let cursor = session.timeline().cursor();
    let draw = Draw { t, name: session.name_of(props.client), session: Rc::clone(&props.session), select, run };
    html! {
        <div class="terminal-log" ref={node} role="log" tabindex="0" aria-label={props.label.clone()}>
            if hidden > 0 && props.notes.cleared() == 0 {
                <button type="button" class="terminal-more" onclick={more}>{ t.terminal_earlier(hidden as u64) }</button>
            }
            { for draw.all(entries, hidden, &props.notes, cursor) }
        </div>
    }
}

/// What drawing the entries needs.
struct Draw {
    t: Lang,
    name: String,
    session: Rc<RefCell<SessionHandle>>,
    select: Callback<KeyName>,
    run: Callback<String>,
}

impl Draw {
    /// Entries and notes in the order in which they came.
    fn all(&self, entries: &[Rc<Entry>], first: usize, notes: &Notes, cursor: StepId) -> Vec<Html> {
        let mut shown = Vec::new();
        let mut from: StepId = 0;
        for (i, entry) in entries.iter().enumerate() {
            shown.extend(notes.between(from, entry.step).map(|note| self.note(note)));
            from = from.max(entry.step);
            if entry.step > notes.cleared() {
                shown.push(self.entry(entry, first.saturating_add(i), notes));
            }
        }
        shown.extend(notes.between(from, cursor.saturating_add(1)).map(|note| self.note(note)));
        shown
    }

    fn entry(&self, entry: &Rc<Entry>, place: usize, notes: &Notes) -> Html {
        // Step and place in the whole transcript: an entry keeps its key while others come and go.
        let key = format!("{}-{place}", entry.step);
        match &entry.what {
            What::Command { db, is_in_multi, argv } => {
                let prompt = transcript::prompt(&self.name, *db, *is_in_multi);
                if let Some((_, line)) = notes.evaluated().find(|(words, _)| *words == argv.as_ref()) {
                    return html! { <div key={key} class="terminal-command"><b>{ prompt }</b>{ line }</div> };
                }
                let links = self.links(*db, argv);
                part_of::<Asked>(
                    &key,
                    AskedProps { prompt, argv: Rc::clone(argv), db: *db, links, onselect: self.select.clone() },
                )
            }
            What::Reply { .. } | What::Push { .. } => {
                let (session, onselect, onrun) = (Rc::clone(&self.session), self.select.clone(), self.run.clone());
                part_of::<Answer>(&key, AnswerProps { entry: Rc::clone(entry), session, onselect, onrun })
            }
            What::Connected if place == 0 => Html::default(),
            other => said(self.t, other, entry.at_ms),
        }
    }

    /// Which words, the name aside, are keys that exist now.
    fn links(&self, db: usize, argv: &[Bytes]) -> Vec<bool> {
        let session = self.session.borrow();
        let db = session.world().server(0).and_then(|server| server.db(db));
        let is_key = |word: &Bytes| db.is_some_and(|db| db.entry(word).is_some());
        argv.iter().take(WORDS_DRAWN).enumerate().map(|(i, word)| i > 0 && is_key(word)).collect()
    }

    fn note(&self, note: &Note) -> Html {
        let t = self.t;
        let typed =
            |line: &str| html! { <div class="terminal-command"><b>{ format!("{}> ", self.name) }</b>{ line }</div> };
        match note {
            Note::Clear { .. } | Note::Evaluated { .. } => Html::default(),
            Note::Help { line, topic, .. } => {
                let topic = topic.clone();
                let help = move || part::<Help>(HelpProps { topic: topic.clone() });
                html! { <>{ typed(line) }{ later(Chunk::Rest, help) }</> }
            }
            Note::Unbalanced { line, why, .. } => {
                let text = match why {
                    resp::split::SplitError::Unclosed { quote, opened_at } => t.say(TerminalUnclosed {
                        quote: &quote.as_char().to_string(),
                        at: &opened_at.saturating_add(1).to_string(),
                    }),
                    resp::split::SplitError::TextAfterQuote { quote, closed_at, .. } => t.say(TerminalTextAfterQuote {
                        quote: &quote.as_char().to_string(),
                        at: &closed_at.saturating_add(1).to_string(),
                    }),
                };
                html! { <>{ typed(line) }<div class="said-error">{ "Invalid argument(s)" }</div><p class="terminal-explains">{ text }</p></> }
            }
            Note::BadRepeat { line, .. } => html! {
                <>{ typed(line) }<div class="said-error">{ resp::split::Repeat::INVALID_TEXT }</div></>
            },
            Note::NoFile { line, name, .. } => {
                let error = name.as_ref().map_or_else(|| eval::NO_FILE.to_owned(), |name| eval::missing(name));
                html! { <>{ typed(line) }<div class="said-error">{ error }</div>{ help::eval(t) }</> }
            }
            Note::TooManyRepeats { .. } => html! {
                <p class="terminal-explains">{ t.terminal_too_many_repeats(super::notes::REPEATS_MAX) }</p>
            },
        }
    }
}
