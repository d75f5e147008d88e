//! The log of a terminal: everything up to the cursor, newest at the bottom.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::Bytes;
use redis_model::sorting;
use web_sys::{Element, HtmlElement};
use world::{ClientIndex, StepId};
use yew::prelude::*;

use super::drawn::{DRAWN, Drawn, Entries, EntryRef, in_hand};
use super::entry::{self, Answer, AnswerProps, Asked, AskedProps, WORDS_DRAWN, happened, said};
use super::explained::misread;
use super::help::{self, Help, HelpProps};
use super::printed::{Printed, PrintedProps, waits_for_row};
use crate::hooks::assets::Chunk;
use crate::hooks::{SessionHandle, Size, use_derived, use_in_view, use_lang, use_sizes};
use crate::i18n::messages::{TerminalTextAfterQuote, TerminalUnclosed};
use crate::i18n::{Lang, code};
use crate::state::key::{Database, KeyName};
use crate::state::terminal::eval;
use crate::state::terminal::notes::{Note, Notes, REPEATS_MAX};
use crate::state::terminal::transcript::{self, Entry, ItemContent, Transcript};
use crate::ui::{html, later, part, part_of};

/// Properties of [`Log`].
#[derive(Clone, Properties)]
pub struct LogProps {
    /// The client of the log.
    pub client: ClientIndex,
    /// Its accessible name.
    pub label: String,
    /// The notes of the terminal.
    pub notes: Notes,
    /// The current session.
    pub session: Rc<RefCell<SessionHandle>>,
    /// Revision of the session: the log is rendered again only when it changes.
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
    // The rendered entries, and the number of additional ones that the reader has requested.
    let drawn = use_mut_ref(Drawn::default);
    let children = use_mut_ref(Vec::<Option<EntryRef>>::new);
    let asked = use_state_eq(|| 0_usize);
    let (node, list) = (use_node_ref(), use_node_ref());
    let session = props.session.borrow().clone();
    let transcript = use_derived::<Transcript>(|| format!("transcript-{}", props.client));
    transcript.borrow_mut().follow(session.timeline(), props.client);
    let transcript = transcript.borrow();
    let length = transcript.entries().len();
    let step = |place: usize| transcript.entries().get(place).map(|entry| entry.step);
    let held = || list.cast::<Element>().map(|list| in_hand(&list, &children.borrow())).unwrap_or_default();
    let probe = use_node_ref();
    let lines = use_lines(&node, &probe);
    let places = {
        let rows = |place: usize| transcript.entries().get(place).map_or(1, |entry| entry::rows(entry));
        let log = Entries { length, lines, asked: *asked, rows: &rows };
        drawn.borrow_mut().places(&log, session.timeline().len(), step, held)
    };
    let hidden = length.saturating_sub(places.len());
    let entries: Vec<(usize, &Rc<Entry>)> =
        places.into_iter().filter_map(|place| Some((place, transcript.entries().get(place)?))).collect();
    let end = (length, entries.last().map(|(_, entry)| entry.step), props.notes.clone());
    let onscroll = {
        let asked = asked.clone();
        use_end_in_view(
            &node,
            end,
            Callback::from(move |is_back: bool| asked.set(if is_back { (*asked).max(DRAWN) } else { 0 })),
        )
    };
    // The timeline announces steps to screen readers; the log announces only notes of the terminal.
    let noted = use_mut_ref(|| (props.notes.clone(), props.revision));
    if noted.borrow().0 != props.notes {
        noted.replace((props.notes.clone(), props.revision));
    }
    let is_step = noted.borrow().1 != props.revision;
    let sources = use_mut_ref(BTreeMap::new);
    let select = {
        let session = Rc::clone(&props.session);
        use_callback((), move |key: KeyName, ()| session.borrow().select(key))
    };
    let run = {
        let session = Rc::clone(&props.session);
        use_callback(props.client, move |line: String, client| {
            if let Ok(argv) = resp::split::split(line.as_bytes()) {
                session.borrow().run(*client, argv);
            }
        })
    };
    let more = {
        let asked = asked.clone();
        Callback::from(move |_: MouseEvent| asked.set(asked.saturating_add(DRAWN)))
    };
    let cursor = session.timeline().cursor();
    let draw = Draw {
        t,
        name: session.name_of(props.client),
        session: Rc::clone(&props.session),
        select,
        run,
        sources: sources.take(),
    };
    let (of, shown): (Vec<Option<EntryRef>>, Vec<Html>) = draw.all(&entries, &props.notes, cursor).into_iter().unzip();
    children.replace(of);
    sources.replace(draw.sources_of(&entries));
    html! {
        <div class="terminal-log" ref={node} role="log" aria-live={if is_step { "off" } else { "polite" }} tabindex="0"
            aria-label={props.label.clone()} {onscroll}>
            <div>
                <div>
                    if hidden > 0 && props.notes.cleared() == 0 {
                        <button type="button" class="terminal-more" onclick={more}>{ t.terminal_earlier(hidden as u64) }</button>
                    }
                </div>
                // A separate list in which each child has a key, so that existing entries keep their elements.
                <div class="terminal-entries" data-testid="terminal-entries" ref={list}>{ for shown }</div>
                <div class="probe" ref={probe} aria-hidden="true" />
            </div>
        </div>
    }
}

/// Number of lines of a log in view; 0 while the log itself is out of view.
#[hook]
fn use_lines(log: &NodeRef, probe: &NodeRef) -> usize {
    let lines = use_state_eq(|| 0_usize);
    let set = lines.setter();
    let measured = Callback::from(move |[log, line]: [Size; 2]| {
        // A hidden log has no size.
        if line.height > 1.0 && log.height > 1.0 {
            set.set((log.height / line.height) as usize);
        }
    });
    use_sizes(log, probe, measured);
    if use_in_view(log) { *lines } else { 0 }
}

/// Keeps the end of the log in view, and reports whether the reader has scrolled away from the end. The log grows upwards from its end
/// (terminal.css), so nothing has to be measured. If the reader has scrolled back, a new entry of this log scrolls to the end again;
/// entries of other clients do not.
#[hook]
fn use_end_in_view<D: PartialEq + 'static>(node: &NodeRef, new: D, onback: Callback<bool>) -> Callback<Event> {
    let is_back = use_mut_ref(|| false);
    {
        let (node, is_back) = (node.clone(), Rc::clone(&is_back));
        use_effect_with(new, move |_| {
            if is_back.replace(false)
                && let Some(log) = node.cast::<HtmlElement>()
            {
                log.set_scroll_top(0);
            }
        });
    }
    let node = node.clone();
    Callback::from(move |_: Event| {
        let top = node.cast::<HtmlElement>().map_or(0, |log| log.scroll_top());
        is_back.replace(top != 0);
        onback.emit(top != 0);
    })
}

/// Words of replies that may be keys, by step and index of the reply.
type Sources = BTreeMap<(StepId, usize), Rc<[Bytes]>>;

/// The data needed to render entries.
struct Draw {
    t: Lang,
    name: String,
    session: Rc<RefCell<SessionHandle>>,
    select: Callback<KeyName>,
    run: Callback<String>,
    /// Words of the replies that were rendered before.
    sources: Sources,
}

impl Draw {
    /// Renders entries and notes in order; where entries are omitted, a line says how many. Each element is returned with its entry.
    fn all(&self, entries: &[(usize, &Rc<Entry>)], notes: &Notes, cursor: StepId) -> Vec<(Option<EntryRef>, Html)> {
        let mut shown = Vec::new();
        let mut from: StepId = 0;
        let mut next = None;
        for (place, entry) in entries {
            let left_out = next.map_or(0, |next| place.saturating_sub(next));
            if left_out > 0 && !shown.is_empty() {
                let said = html! { <span class="soft">{ self.t.terminal_left_out(left_out as u64) }</span> };
                shown.push((None, keyed(format!("before-{place}"), said)));
            } else {
                self.notes(notes, from, entry.step, &mut shown);
            }
            next = Some(place.saturating_add(1));
            from = from.max(entry.step);
            if entry.step > notes.cleared()
                && let Some(drawn) = self.entry(entry, *place, notes)
            {
                shown.push((Some((*place, entry.step)), drawn));
            }
        }
        self.notes(notes, from, cursor.saturating_add(1), &mut shown);
        shown
    }

    fn notes(&self, notes: &Notes, from: StepId, until: StepId, shown: &mut Vec<(Option<EntryRef>, Html)>) {
        for (nth, (after, note)) in notes.between(from, until).enumerate() {
            let key = format!("note-{after}-{nth}");
            shown.extend(self.note(note).map(|drawn| (None, keyed(key, drawn))));
        }
    }

    /// The words of these replies that may be keys; computed only once per reply.
    fn sources_of(&self, entries: &[(usize, &Rc<Entry>)]) -> Sources {
        sorting::inserted(entries.iter().map(|(place, entry)| ((entry.step, *place), self.sources(entry, *place))))
    }

    fn sources(&self, entry: &Entry, place: usize) -> Rc<[Bytes]> {
        self.sources.get(&(entry.step, place)).cloned().unwrap_or_else(|| entry::sources(entry))
    }

    fn entry(&self, entry: &Rc<Entry>, place: usize, notes: &Notes) -> Option<Html> {
        // Step and index in the whole transcript, so that an entry keeps its key while others are added or removed.
        let key = format!("{}-{place}", entry.step);
        Some(match &entry.what {
            ItemContent::Command { db, is_in_multi, argv } => {
                let speaker = transcript::at_node(&self.name, self.session.borrow().world(), entry.node);
                let prompt = transcript::prompt(&speaker, *db, *is_in_multi);
                if let Some((_, line)) = notes.evaluated().find(|(words, _)| *words == argv.as_ref()) {
                    return Some(html! { <div key={key} class="terminal-command"><b>{ prompt }</b>{ line }</div> });
                }
                let database = entry.node.map(|node| Database { node, db: *db });
                let mut links = self.links(database, argv.get(..WORDS_DRAWN).unwrap_or(argv));
                // The name of the command is not a key.
                if let Some(name) = links.first_mut() {
                    *name = false;
                }
                part_of::<Asked>(
                    &key,
                    AskedProps { prompt, argv: Rc::clone(argv), database, links, onselect: self.select.clone() },
                )
            }
            ItemContent::Statement { text, is_in_transaction } => {
                let speaker = transcript::at_node(&self.name, self.session.borrow().world(), entry.node);
                let prompt = transcript::statement_prompt(&speaker, *is_in_transaction);
                html! { <div key={key} class="terminal-command"><b>{ prompt }</b>{ entry::clipped(text, entry::CHARS_MAX) }</div> }
            }
            ItemContent::Result { .. } => part_of::<Printed>(&key, PrintedProps { entry: Rc::clone(entry) }),
            ItemContent::RowWait { table, key: row, holders } => {
                let names: Vec<String> =
                    holders.iter().map(|holder| code(&self.session.borrow().name_of(*holder))).collect();
                keyed(key, happened(&waits_for_row(self.t, table, row, &names), entry.at_ms))
            }
            ItemContent::Reply { .. } | ItemContent::Push { .. } => {
                let (session, onselect, onrun) = (Rc::clone(&self.session), self.select.clone(), self.run.clone());
                let database = entry::database_of(&self.session.borrow(), entry);
                let links = self.links(database, &self.sources(entry, place));
                part_of::<Answer>(&key, AnswerProps { entry: Rc::clone(entry), links, session, onselect, onrun })
            }
            other => keyed(key, said(self.t, other, entry.at_ms)?),
        })
    }

    /// For each word: whether it is an existing key.
    fn links(&self, database: Option<Database>, words: &[Bytes]) -> Vec<bool> {
        let session = self.session.borrow();
        let db = database.and_then(|database| database.find(session.world()));
        words.iter().map(|word| db.is_some_and(|db| db.entry(word).is_some())).collect()
    }

    fn note(&self, note: &Note) -> Option<Html> {
        let t = self.t;
        let typed =
            |line: &str| html! { <div class="terminal-command"><b>{ format!("{}> ", self.name) }</b>{ line }</div> };
        Some(match note {
            Note::Clear | Note::Evaluated { .. } => return None,
            Note::Help { line, topic } => {
                let (topic, onrun) = (topic.clone(), self.run.clone());
                let help = move || part::<Help>(HelpProps { topic: topic.clone(), onrun: onrun.clone() });
                html! { <>{ typed(line) }{ later(Chunk::Rest, help) }</> }
            }
            Note::Statements { line } => {
                html! { <>{ typed(line) }{ later(Chunk::Rest, move || help::statements(t)) }</> }
            }
            Note::Unbalanced { line, why } => {
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
                let (meant, run) = (line.clone(), self.run.clone());
                let meant = later(Chunk::Rest, move || misread(t, &meant, &run));
                html! { <>{ typed(line) }<div class="said-error">{ "Invalid argument(s)" }</div><p class="terminal-explains">{ text }</p>{ meant }</> }
            }
            Note::BadRepeat { line } => html! {
                <>{ typed(line) }<div class="said-error">{ resp::split::Repeat::INVALID_TEXT }</div></>
            },
            Note::NoFile { line, name } => {
                let error = name.as_ref().map_or_else(|| eval::NO_FILE.to_owned(), |name| eval::missing(name));
                html! { <>{ typed(line) }<div class="said-error">{ error }</div>{ later(Chunk::Rest, move || help::eval(t)) }</> }
            }
            Note::TooManyRepeats => html! {
                <p class="terminal-explains">{ t.terminal_too_many_repeats(REPEATS_MAX) }</p>
            },
        })
    }
}

/// A child of the list with its key, always wrapped in a single element.
fn keyed(key: String, drawn: Html) -> Html {
    html! { <div key={key} class="terminal-note">{ drawn }</div> }
}
