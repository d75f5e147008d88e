//! What a first visitor finds in the first terminal: what this is, examples that run on a click, and the way to the course.
use world::ClientIndex;
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::course::{Fetched, use_index};
use crate::hooks::storage::{self, PROGRESS, Store};
use crate::hooks::{SessionHandle, SessionPart, stored_progress, use_lang, use_session_for};
use crate::i18n::{Lang, late, unmarked};
use crate::state::session::FRESH_CLIENTS;
use crate::ui::{Button, html, part};

/// Commands to begin with. Each leaves a session in which the visitor can go on, or back.
#[derive(Clone, Copy)]
enum Example {
    Counter,
    Blocked,
    Lease,
    Group,
    Board,
}

impl Example {
    const ALL: [Example; 5] = [Example::Counter, Example::Blocked, Example::Lease, Example::Group, Example::Board];

    // A `match` and no table: its texts come with this chunk.
    fn title(self, t: Lang) -> &'static str {
        match self {
            Example::Counter => t.welcome_counter(),
            Example::Blocked => t.welcome_blocked(),
            Example::Lease => t.welcome_lease(),
            Example::Group => t.welcome_group(),
            Example::Board => t.welcome_board(),
        }
    }

    /// Its name in tests.
    fn id(self) -> &'static str {
        match self {
            Example::Counter => "example-counter",
            Example::Blocked => "example-blocked",
            Example::Lease => "example-lease",
            Example::Group => "example-group",
            Example::Board => "example-board",
        }
    }

    /// Its commands, each with its client: 0 for the first one, 1 for the second.
    fn lines(self) -> &'static [(usize, &'static str)] {
        match self {
            Example::Counter => {
                &[(0, "INCR page:views"), (0, "INCR page:views"), (1, "INCR page:views"), (0, "GET page:views")]
            }
            Example::Blocked => &[(0, "BLPOP jobs 0"), (1, "RPUSH jobs mail:1")],
            Example::Lease => &[(0, "SET lock c1 NX EX 10"), (1, "SET lock c2 NX EX 10"), (1, "TTL lock")],
            Example::Group => &[
                (0, "XADD orders * item tea"),
                (0, "XADD orders * item coffee"),
                (0, "XGROUP CREATE orders shop 0"),
                (0, "XREADGROUP GROUP shop ann COUNT 1 STREAMS orders >"),
                (1, "XREADGROUP GROUP shop bob COUNT 1 STREAMS orders >"),
                (0, "XPENDING orders shop"),
            ],
            Example::Board => &[
                (0, "ZADD board 120 ann 95 bob 150 carol"),
                (1, "ZINCRBY board 60 bob"),
                (0, "ZRANGE board 0 -1 REV WITHSCORES"),
            ],
        }
    }
}

/// Whether this terminal welcomes the visitor: the first one of a sandbox in which nothing was done yet.
pub fn is_welcome(session: &SessionHandle, client: ClientIndex) -> bool {
    let is_first = session.world().clients().next().is_some_and(|(first, _)| first == client);
    let is_fresh = u32::try_from(session.timeline().step_count()).is_ok_and(|steps| steps <= FRESH_CLIENTS);
    is_first && is_fresh && session.is_of_sandbox()
}

/// The welcome.
#[component]
pub fn Welcome() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let example = |example: Example| {
        let session = session.clone();
        let run = Callback::from(move |event: MouseEvent| {
            // A click into the terminal would move the focus to the line, and open the keyboard of a phone.
            event.stop_propagation();
            let clients: Vec<ClientIndex> = session.world().clients().map(|(client, _)| client).collect();
            for (nth, line) in example.lines() {
                let client = clients.get(*nth).or(clients.first());
                if let (Some(client), Ok(argv)) = (client, resp::split::split(line.as_bytes())) {
                    session.run(*client, argv);
                }
            }
        });
        Button::words(example.title(t)).testid(example.id()).on(run)
    };
    let is_known = storage::read(Store::Browser, PROGRESS).is_some();
    let has_course = use_chunk(is_known.then_some(Chunk::Course));
    html! {
        <div class="welcome" data-testid="welcome">
            <style>{ unmarked(late!("rest", "/src/panels/terminal/welcome.css")) }</style>
            <p>{ t.welcome_what() }</p>
            <div class="welcome-examples" role="group" aria-label={t.welcome_try()}>
                { for Example::ALL.into_iter().map(example) }
            </div>
            if is_known && has_course {
                { part::<Continue>(()) }
            } else {
                { to_course(if is_known { t.welcome_continue() } else { t.welcome_course() }.to_owned(), "#learn".to_owned()) }
            }
        </div>
    }
}

/// For a learner who has progress: the way to the lesson that the map of the course offers too.
#[component]
fn Continue() -> Html {
    let t = use_lang();
    let (index, _) = use_index();
    let progress = use_memo((), |()| stored_progress().unwrap_or_default());
    let map = || "#learn".to_owned();
    match index {
        _ if progress.is_empty() => to_course(t.welcome_course().to_owned(), map()),
        Fetched::Waiting | Fetched::Failed(_) => to_course(t.welcome_continue().to_owned(), map()),
        Fetched::Here(index) => match progress.next(&index) {
            Some((name, entry)) => to_course(t.course_continue(&entry.title), name.fragment()),
            None => to_course(t.welcome_done().to_owned(), map()),
        },
    }
}

/// The link to the course, or to one of its lessons.
fn to_course(words: String, href: String) -> Html {
    html! { <p><a {href} data-testid="welcome-course">{ words }</a></p> }
}

#[cfg(test)]
mod tests {
    use redis_model::{Config, Server};

    use super::Example;

    #[test]
    fn no_command_of_an_example_is_an_error() {
        for example in Example::ALL {
            let mut server = Server::new(Config::default(), 1);
            let clients = [server.connect(1), server.connect(1)];
            for (nth, line) in example.lines() {
                let argv = resp::split::split(line.as_bytes()).unwrap();
                let outputs = server.handle(1, clients[*nth], argv);
                let text = format!("{outputs:?}");
                assert!(!text.contains("Error("), "{}: {line}: {text}", example.id());
            }
        }
    }
}
