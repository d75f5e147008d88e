//! The terminals of clients that have left: what they sent and received can still be read.
use std::cell::RefCell;
use std::rc::Rc;

use world::ClientIndex;
use yew::prelude::*;

use super::log::{Log, LogProps};
use crate::hooks::{SessionHandle, SessionPart, use_derived, use_lang, use_session_for};
use crate::panels::client::slot_of;
use crate::state::session::departed::Departures;
use crate::ui::{client_mark, html, part, part_of};

/// Maximum number of terminals that are shown, those of the last clients that left.
const SHOWN_MAX: usize = 24;

/// A line that unfolds into the terminals of the clients that have left; nothing while there are none. It is unfolded while no client is
/// there, as at the end of a recording.
#[component]
pub fn Departed() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    // What the reader chose; `None`: nothing yet.
    let choice = use_state_eq(|| None::<bool>);
    let latest = use_mut_ref(|| session.clone());
    latest.replace(session.clone());
    let departures = use_derived::<Departures>(|| "departures".to_owned());
    departures.borrow_mut().follow(session.timeline());
    let left = departures.borrow().at_cursor(&session);
    if left.is_empty() {
        return Html::default();
    }
    let is_open = choice.unwrap_or_else(|| session.world().clients().next().is_none());
    let set = choice.setter();
    let toggle = Callback::from(move |event: MouseEvent| {
        // The page decides, because closed terminals are not drawn.
        event.prevent_default();
        set.set(Some(!is_open));
    });
    let revision = session.revision();
    let hidden = left.len().saturating_sub(SHOWN_MAX);
    html! {
        <details class="departed" open={is_open} data-testid="departed">
            <summary onclick={toggle}>{ t.departed_clients(left.len() as u64) }</summary>
            if is_open {
                <div class="departed-grid">
                    { for left.iter().take(SHOWN_MAX).map(|(client, step)| {
                        let (client, step, session) = (*client, *step, Rc::clone(&latest));
                        part_of::<Pane>(&client, PaneProps { client, step, session, revision })
                    }) }
                    if hidden > 0 { <p class="soft small">{ t.inside_more(hidden as u64) }</p> }
                </div>
            }
        </details>
    }
}

#[derive(Clone, Properties)]
struct PaneProps {
    client: ClientIndex,
    /// The step in which it left.
    step: usize,
    session: Rc<RefCell<SessionHandle>>,
    revision: u64,
}

impl PartialEq for PaneProps {
    fn eq(&self, other: &PaneProps) -> bool {
        (self.client, self.step, self.revision) == (other.client, other.step, other.revision)
    }
}

/// The terminal of one of them, without a line to type in.
#[component]
fn Pane(props: &PaneProps) -> Html {
    let t = use_lang();
    let PaneProps { client, step, session, revision } = props;
    let client = *client;
    let (name, notes) = (session.borrow().name_of(client), session.borrow().notes(client));
    let log =
        LogProps { client, label: t.terminal_log(&name), notes, session: Rc::clone(session), revision: *revision };
    html! {
        <section class="client departed-client" data-client={slot_of(client).to_string()} aria-label={t.client_pane(&name)}
            data-testid={format!("departed-{client}")}>
            <div class="client-head">
                { client_mark(slot_of(client)) }
                <h2 class="client-name">{ &name }</h2>
                <span class="soft small">{ t.departed_at(*step as u64) }</span>
            </div>
            <div class="terminal">{ part::<Log>(log) }</div>
        </section>
    }
}
