//! The session for the whole page: its state, the actions on it, and saving it after each step.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bytes::Bytes;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use redis_model::sorted_map::SortedMap;
use world::{ClientIndex, Input, StepId, Timeline};
use yew::prelude::*;

use super::assets::Chunk;
use super::long_script::{Backlog, BusyAction, BusySession, Long, LongRun, Outlets};
use super::needs::Needs;
use super::session_store::{self, Saved, SessionSlot, Stored, TailSaved};
use super::start::Start;
use super::watching::{SessionPart, Watched, use_session_for};
use super::{NoticesHandle, use_lang, use_notices};
use crate::i18n::messages::TrafficIsRunning;
use crate::state::clock::Ahead;
use crate::state::key::KeyName;
use crate::state::notices::NoticeText;
use crate::state::session::{DecisivePairs, Session, SessionAction};
use crate::state::session_store::SANDBOX;
use crate::state::terminal::notes::Note;
use crate::state::traffic::flow::TrafficSnapshot;
use crate::ui::{Button, later, part};

/// From this many steps on, or with this many bytes of keys, the session is saved once no step has followed for `SAVE_PAUSE_MS`.
const SAVE_AT_ONCE_STEPS: usize = 1_500;
const SAVE_AT_ONCE_BYTES: usize = 512 * 1024;
const SAVE_PAUSE_MS: u32 = 400;
/// Delay of saving, so that a step is shown before the whole session is saved.
const SAVE_AFTER_FRAME_MS: u32 = 20;

/// The session and all actions on it.
#[derive(Clone)]
pub struct SessionHandle {
    state: Rc<Session>,
    dispatcher: UseReducerDispatcher<BusySession>,
    ahead: Rc<Cell<Ahead>>,
    /// The value when this handle was created. A Yew state handle would always read the newest value, so two handles would never differ.
    is_running: bool,
    set_is_running: UseStateSetter<bool>,
    place: Rc<RefCell<SessionSlot>>,
    notices: NoticesHandle,
    backlog: Rc<Backlog>,
    /// The half-typed line of each client.
    drafts: Rc<RefCell<SortedMap<ClientIndex, String>>>,
    /// Whether the clock runs now, no matter when this handle was created.
    runs_now: Rc<Cell<bool>>,
}

impl PartialEq for SessionHandle {
    fn eq(&self, other: &SessionHandle) -> bool {
        Rc::ptr_eq(&self.state, &other.state) && self.is_running == other.is_running
    }
}

impl std::ops::Deref for SessionHandle {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.state
    }
}

impl SessionHandle {
    /// The state itself, for cheap comparison.
    pub fn state(&self) -> &Rc<Session> {
        &self.state
    }

    /// The session after the last action, rendered or not.
    pub fn newest(&self) -> Rc<Session> {
        self.backlog.newest().unwrap_or_else(|| Rc::clone(&self.state))
    }

    /// Whether it is a session of the sandbox, and not of a lesson.
    pub fn is_of_sandbox(&self) -> bool {
        &*self.place.borrow().prefix == SANDBOX
    }

    /// The storage location of this session.
    pub fn place(&self) -> SessionSlot {
        self.place.borrow().clone()
    }

    /// Whether the clock runs.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Sends a command. While its client is blocked, the command waits, as in redis-cli; while code is being loaded, all actions wait.
    pub fn run(&self, client: ClientIndex, argv: Vec<Bytes>) {
        self.push(Input::Command { client, argv });
    }

    /// The database that a client is connected to.
    pub fn database_of(&self, client: ClientIndex) -> Option<&table::Database> {
        let world = self.state.world();
        world.table(world.client(client)?.node)
    }

    /// Loads the machine that plays programs; false, with a notice, if it cannot be fetched.
    pub async fn fetch_machine(&self) -> bool {
        let fetched = Needs::MACHINE.fetch().await;
        fetched.map_err(|said| self.notices.say(said)).is_ok()
    }

    /// Applies an input to the world, after the time that has passed on the screen.
    pub fn push(&self, input: Input) {
        self.dispatch(SessionAction::Push { input, ahead_ms: self.take_ahead() });
    }

    /// Applies an input of a lesson's story.
    pub fn play_story(&self, input: Input) {
        self.dispatch(SessionAction::Story(input));
    }

    /// Presses Ctrl-C for a client.
    pub fn interrupt(&self, client: ClientIndex) {
        self.push(Input::Interrupt { client });
    }

    /// Advances virtual time by `ms`.
    pub fn advance(&self, ms: u64) {
        if self.state.timeline().is_at_end() {
            let ms = ms.saturating_add(self.take_ahead());
            self.dispatch(SessionAction::Push { input: Input::Advance { ms }, ahead_ms: 0 });
        } else {
            self.push(Input::Advance { ms });
        }
    }

    /// Advances virtual time to the next timed event; does nothing if there is none.
    pub fn advance_to_deadline(&self) {
        if self.is_held() {
            return;
        }
        let now_ms = self.state.world().now_ms();
        if let Some(deadline_ms) = self.state.world().next_event_ms() {
            // The time that has passed on the screen is part of this advance.
            self.take_ahead();
            let ms = deadline_ms.saturating_sub(now_ms);
            self.dispatch(SessionAction::Push { input: Input::Advance { ms }, ahead_ms: 0 });
        }
    }

    /// Adds a client.
    pub fn add_client(&self) {
        self.dispatch(SessionAction::AddClient { ahead_ms: self.take_ahead() });
    }

    /// Adds a note to a client's terminal.
    pub fn note(&self, client: ClientIndex, note: Note) {
        self.dispatch(SessionAction::Note(client, note));
    }

    /// The half-typed line of a client.
    pub fn draft(&self, client: ClientIndex) -> String {
        self.drafts.borrow().get(&client).cloned().unwrap_or_default()
    }

    /// Keeps a half-typed line for the time when its terminal is not on the page.
    pub fn keep_draft(&self, client: ClientIndex, line: &str) {
        self.drafts.borrow_mut().insert(client, line.to_owned());
    }

    /// Makes this client the active one.
    pub fn activate(&self, client: ClientIndex) {
        self.dispatch(SessionAction::Activate(client));
    }

    /// Selects this key for inspection and pins it.
    pub fn select(&self, key: KeyName) {
        self.dispatch(SessionAction::Select(key));
    }

    /// Unpins the key: the key that changed last is inspected again.
    pub fn follow(&self) {
        self.dispatch(SessionAction::Follow);
    }

    /// Moves the cursor and stops the clock.
    pub fn travel(&self, action: SessionAction) {
        self.set_running(false);
        self.dispatch(action);
    }

    /// Puts the cursor after this many steps of the active path.
    pub fn seek(&self, position: usize) {
        self.travel(SessionAction::Seek(position));
    }

    /// Makes the branch that ends in `head` the active path.
    pub fn switch(&self, head: StepId) {
        self.travel(SessionAction::Switch(head));
    }

    /// Starts or stops the clock.
    pub fn set_running(&self, is_running: bool) {
        if self.runs_now.replace(is_running) != is_running {
            self.dispatch(SessionAction::Settle { ahead_ms: self.take_ahead() });
            self.set_is_running.set(is_running);
        }
    }

    /// Continues with another timeline in a new storage location; the current session stays stored.
    pub fn replace(&self, timeline: Timeline) {
        self.replace_and_mark(timeline, None);
    }

    /// Like [`SessionHandle::replace`], with a counterexample after the cursor and, if known, the order of steps that decides it.
    pub fn replace_and_mark(&self, timeline: Timeline, order: Option<DecisivePairs>) {
        self.replace_and_go_on(timeline, order, Callback::noop());
    }

    /// Like [`SessionHandle::replace_and_mark`]; calls `then` afterwards.
    pub fn replace_and_go_on(&self, timeline: Timeline, order: Option<DecisivePairs>, then: Callback<()>) {
        let (handle, timeline) = (self.clone(), Box::new(timeline));
        wasm_bindgen_futures::spawn_local(async move {
            while handle.is_held() {
                TimeoutFuture::new(20).await;
            }
            let place = handle.place();
            // The last step may not be saved yet; save it with the old session.
            if let Some(newest) = handle.backlog.newest().filter(|newest| !newest.is_untouched())
                && matches!(session_store::save(&place, &newest, false), Saved::Failed(_))
            {
                handle.notices.say(NoticeText::NotStored);
            }
            let place = place.another().await;
            session_store::claim(&place);
            handle.place.replace(place);
            handle.halt();
            handle.dispatch(SessionAction::Replace(timeline, order));
            then.emit(());
        });
    }

    /// Takes and resets the time that has passed on the screen, in ms.
    fn take_ahead(&self) -> u64 {
        self.ahead.take().ms()
    }

    /// The time by which the clock on the screen is ahead of the world.
    pub(super) fn ahead(&self) -> &Cell<Ahead> {
        &self.ahead
    }

    /// Dispatches an action unchanged.
    pub(super) fn dispatch(&self, action: SessionAction) {
        self.dispatcher.dispatch(BusyAction::Act(action));
    }

    /// Whether all actions are queued: a script or traffic runs in slices, or code is being loaded. The next state is unknown until it ends.
    pub fn is_held(&self) -> bool {
        self.backlog.is_taken()
    }

    /// Sets the callback that receives the figures of traffic running in slices.
    pub fn watch_traffic(&self, watcher: Option<Callback<TrafficSnapshot>>) {
        self.backlog.watch_traffic(watcher);
    }

    /// Sets whether traffic stops when its handler fails.
    pub fn stop_at_fault(&self, is_wanted: bool) {
        self.backlog.stop_at_fault(is_wanted);
    }

    /// Stops the clock without adding a step: playback has ended.
    pub(super) fn halt(&self) {
        self.ahead.take();
        self.runs_now.set(false);
        self.set_is_running.set(false);
    }
}

/// Properties of [`SessionProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct SessionProviderProps {
    /// The initial session and its storage location.
    pub start: Start,
    /// The page.
    pub children: Html,
}

/// Provides the session to its children and saves it.
#[component]
pub fn SessionProvider(props: &SessionProviderProps) -> Html {
    let start = &props.start;
    let backlog = use_mut_ref(Rc::<Backlog>::default).borrow().clone();
    let long_run = use_state_eq(|| None::<LongRun>);
    let state = {
        let session = Rc::clone(&start.session);
        let backlog = Rc::clone(&backlog);
        use_reducer(move || BusySession::new(session, backlog))
    };
    let is_running = {
        let is_running = start.is_running;
        use_state_eq(move || is_running)
    };
    let place = {
        let place = start.place.clone();
        use_mut_ref(move || place)
    };
    let ahead = use_mut_ref(|| Rc::new(Cell::new(Ahead::default()))).borrow().clone();
    let (is_running, set_is_running) = (*is_running, is_running.setter());
    let runs_now = use_mut_ref(|| Rc::new(Cell::new(false))).borrow().clone();
    runs_now.set(is_running);
    let watched = use_mut_ref(Rc::<Watched>::default).borrow().clone();
    let handle = SessionHandle {
        state: Rc::clone(&state.session),
        dispatcher: state.dispatcher(),
        ahead,
        is_running,
        set_is_running,
        place,
        notices: use_notices(),
        backlog: Rc::clone(&backlog),
        drafts: use_mut_ref(Rc::<RefCell<SortedMap<ClientIndex, String>>>::default).borrow().clone(),
        runs_now,
    };
    watched.put(handle.clone());
    {
        let (watched, handle) = (Rc::clone(&watched), handle.clone());
        use_effect_with(handle, move |_| watched.notify());
    }
    {
        let notices = handle.notices.clone();
        backlog.set_outlets(Outlets {
            dispatcher: state.dispatcher(),
            show: long_run.setter(),
            say: Callback::from(move |said| notices.say(said)),
        });
    }
    use_saving(&handle);
    use_start_notice(start.said.clone());
    html! {
        <ContextProvider<Rc<Watched>> context={watched}>
            { props.children.clone() }
            if let Some(what) = *long_run {
                { {
                    let onstop = Callback::from(move |_: MouseEvent| backlog.stop());
                    // Traffic can run before this chunk is here.
                    later(Chunk::Rest, move || part::<LongRunCard>(LongRunCardProps { what, onstop: onstop.clone() }))
                } }
            }
        </ContextProvider<Rc<Watched>>>
    }
}

#[hook]
fn use_start_notice(said: Option<NoticeText>) {
    let notices = use_notices();
    use_effect_with((), move |()| {
        if let Some(said) = said {
            notices.say(said);
        }
    });
}

/// Properties of [`LongRunCard`].
#[derive(Clone, PartialEq, Properties)]
struct LongRunCardProps {
    what: LongRun,
    onstop: Callback<MouseEvent>,
}

/// Progress of a script or traffic that runs in slices, with a button that stops it.
#[component]
fn LongRunCard(props: &LongRunCardProps) -> Html {
    let t = use_lang();
    let LongRun { what, is_stopping } = props.what;
    let words = match what {
        Long::Script { commands } => t.script_is_running(commands),
        Long::Traffic { requests, percent } => t.say(TrafficIsRunning { requests, percent }),
    };
    html! {
        <div class="notice long-script" role="status" data-testid="long-script">
            <span>{ words }</span>
            { Button::words(t.script_stop()).disabled(is_stopping).testid("long-script-stop").on(props.onstop.clone()) }
        </div>
    }
}

/// Saves what each step adds before it is seen, the whole session after it, and once more when the page is closed.
#[hook]
fn use_saving(handle: &SessionHandle) {
    let notices = use_notices();
    let latest = use_mut_ref(|| None::<(Rc<Session>, bool)>);
    let pending = use_mut_ref(|| None::<Timeout>);
    let stored = use_mut_ref(|| None::<Stored>);
    // While the storage refuses the session, it is not asked with each step, and the browser asks before it closes the page.
    let guard = use_mut_ref(|| None::<EventListener>);
    let save = {
        let (latest, place, pending) = (Rc::clone(&latest), Rc::clone(&handle.place), Rc::clone(&pending));
        let (stored, guard) = (Rc::clone(&stored), Rc::clone(&guard));
        move || {
            pending.take();
            let Some((session, is_running)) = latest.borrow_mut().take() else { return };
            let saved = session_store::save(&place.borrow(), &session, is_running);
            guard.replace(matches!(saved, Saved::Failed(_)).then(ask_before_closing).flatten());
            match saved {
                Saved::Kept(now) => _ = stored.replace(now),
                Saved::Forked(forked, now) => {
                    place.replace(forked);
                    stored.replace(now);
                    notices.say(NoticeText::Forked);
                }
                Saved::Failed(_) => {
                    // Some of its records may be new: a tail of the old text would not fit.
                    stored.take();
                    notices.say(NoticeText::NotStored);
                }
            }
        }
    };
    {
        let (save, latest, pending) = (save.clone(), Rc::clone(&latest), Rc::clone(&pending));
        let (place, stored, guard) = (Rc::clone(&handle.place), Rc::clone(&stored), Rc::clone(&guard));
        let (session, is_running) = (Rc::clone(&handle.state), handle.is_running());
        use_effect_with((session.revision(), is_running), move |_| {
            if session.is_untouched() {
                // Untouched sessions would only fill the list of sessions.
                return;
            }
            let keys_bytes = session.world().servers().map(|(_, server)| server.used_memory()).sum::<usize>();
            let is_large = session.timeline().step_count() > SAVE_AT_ONCE_STEPS || keys_bytes > SAVE_AT_ONCE_BYTES;
            let tail = stored
                .borrow()
                .as_ref()
                .map_or(TailSaved::No, |stored| session_store::save_tail(&place.borrow(), &session, stored));
            latest.replace(Some((session, is_running)));
            match tail {
                // A tab that is killed must not lose a step that was seen.
                TailSaved::No if guard.borrow().is_none() => save(),
                TailSaved::No | TailSaved::Kept if is_large => {
                    _ = pending.replace(Some(Timeout::new(SAVE_PAUSE_MS, save)))
                }
                // A pending save will include this step.
                TailSaved::No | TailSaved::Kept | TailSaved::Long => {
                    pending.borrow_mut().get_or_insert_with(|| Timeout::new(SAVE_AFTER_FRAME_MS, save));
                }
            }
        });
    }
    use_effect_with((), move |()| {
        let at_end = save.clone();
        let listener = web_sys::window().map(|window| EventListener::new(&window, "pagehide", move |_| save()));
        move || {
            drop(listener);
            // The last step may not be saved yet.
            at_end();
        }
    });
}

/// The browser asks the user before it closes or reloads the page, until this is dropped.
fn ask_before_closing() -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    let window = web_sys::window()?;
    Some(EventListener::new_with_options(&window, "beforeunload", options, |event| event.prevent_default()))
}

/// Shows a notice when the world refuses an input, no matter which component sent it.
#[hook]
pub fn use_refusals() {
    let session = use_session_for(&[SessionPart::Waiting]);
    let notices = use_notices();
    use_effect_with(session.refusal().copied(), move |refusal| {
        if let Some((_, why)) = refusal {
            notices.say(NoticeText::Refused(*why));
        }
    });
}
