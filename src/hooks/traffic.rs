//! The traffic of the session: its runs with their figures, and the actions on it.
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use world::traffic::settings::Handler;
use world::traffic::{CrashTarget, TrafficAct};
use world::{Input, NodeIndex, Settings, StepId, Timeline, World};
use yew::prelude::*;

use super::{SessionHandle, SessionPart, items, machine, use_session_for};
use crate::i18n::Lang;
use crate::state::session::SessionAction;
use crate::state::traffic::draft::Plan;
use crate::state::traffic::flow::{Flow, Places, Presence, TrafficSnapshot};
use crate::state::traffic::notation::DAY_MS;
use crate::state::traffic::queue::{RedisQueue, is_by_event, queue};
use crate::state::traffic::runs::{Known, Run, begun, moment, runs, shown};
use crate::state::traffic::scenarios::Scenario;
use crate::state::traffic::stage::Stage;
use crate::state::traffic::{RunShown, capacity_milli};

/// A run to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRun {
    /// A run of this session: its last step.
    Here(StepId),
    /// A run of a session with other servers: its place in the order of leaving.
    Earlier(usize),
}

/// How many runs of earlier sessions are kept.
const EARLIER_MAX: usize = 4;

/// The traffic of the session and the actions on it.
#[derive(Clone)]
pub struct TrafficHandle {
    session: SessionHandle,
    /// No run, the run at the cursor, or that run and the one that it is compared with.
    pub shown: Vec<RunShown>,
    /// Capacity of the database, in thousandths of a statement per second.
    pub capacity_milli: Option<u64>,
    /// The time of day at which the shown run began, in ms since midnight, in a session whose clock was set.
    pub clock: Option<u64>,
    /// Other runs that this one can be compared with, and the name of each.
    pub others: Vec<(OtherRun, Rc<str>)>,
    /// The run that it is compared with.
    pub compared: Option<OtherRun>,
    /// Selects the run to compare with.
    pub compare: Callback<Option<OtherRun>>,
    /// Runs of sessions that were open before the servers changed.
    earlier: UseStateHandle<Vec<RunShown>>,
    /// Whether traffic stops when its handler fails.
    pub stops_at_fault: bool,
    /// Sets `stops_at_fault`.
    pub stop_at_fault: Callback<bool>,
    /// The current figures while traffic runs in slices.
    live: Option<TrafficSnapshot>,
    /// The run at the cursor.
    run: Option<Run>,
    /// Number of steps of the active path up to and including the beginning of this run; 0 without traffic.
    begun: usize,
}

/// The traffic of the session.
#[hook]
pub fn use_traffic(t: Lang) -> TrafficHandle {
    let session = use_session_for(&[SessionPart::Steps]);
    // While traffic runs in slices, its figures arrive before its step; they belong to the revision at which it began to run.
    let live = use_state(|| None::<(u64, TrafficSnapshot)>);
    {
        let (handle, live) = (session.clone(), live.setter());
        use_effect_with(session.revision(), move |revision| {
            let revision = *revision;
            let watcher = Callback::from(move |moment| live.set(Some((revision, moment))));
            handle.watch_traffic(Some(watcher));
            move || handle.watch_traffic(None)
        });
    }
    let stops_at_fault = use_state_eq(|| false);
    {
        let handle = session.clone();
        use_effect_with(*stops_at_fault, move |stops| {
            handle.stop_at_fault(*stops);
            move || handle.stop_at_fault(false)
        });
    }
    let known = use_mut_ref(Known::default);
    let compared = use_state_eq(|| None::<Option<OtherRun>>);
    let earlier = use_state(Vec::<RunShown>::new);
    let timeline = session.timeline();
    let here = begun(timeline);
    let mut all = here.map(|_| runs(timeline)).unwrap_or_default();
    let run = here.and_then(|(_, begun)| shown(timeline, &all, begun));
    // The stage of a lesson contains the beginning of traffic, a run without any figures.
    all.retain(|other| other.ms() > 0 || run.as_ref().is_some_and(|run| run.end == other.end));
    let name =
        |nth: usize| Rc::<str>::from(t.traffic_run_number(u64::try_from(nth).unwrap_or_default().saturating_add(1)));
    let mut others: Vec<(OtherRun, Rc<str>)> =
        earlier.iter().enumerate().map(|(nth, run)| (OtherRun::Earlier(nth), Rc::clone(&run.name))).collect();
    let mut own = name(0);
    for (nth, other) in all.iter().enumerate() {
        if run.as_ref().is_some_and(|run| run.end == other.end) {
            own = name(nth);
        } else {
            others.push((OtherRun::Here(other.end), name(nth)));
        }
    }
    // By default the run is compared with the one before it.
    let chosen = compared.unwrap_or_else(|| others.last().map(|(end, _)| *end));
    let chosen = chosen.filter(|end| others.iter().any(|(other, _)| other == end));
    let mut shown_runs = Vec::new();
    let live = live.as_ref().filter(|(revision, _)| *revision == session.revision()).map(|(_, moment)| moment.clone());
    if let Some(run) = &run {
        let series = match &live {
            Some(moment) => Some(Rc::clone(&moment.series)),
            None => known.borrow_mut().series(timeline, run),
        };
        shown_runs.extend(series.map(|series| RunShown { name: own, series }));
        let named = |other: OtherRun| others.iter().find(|(known, _)| *known == other).map(|(_, name)| Rc::clone(name));
        match chosen {
            Some(OtherRun::Here(end)) => {
                let other = all.iter().find(|run| run.end == end);
                let series = other.and_then(|other| known.borrow_mut().series(timeline, other));
                let name = named(OtherRun::Here(end));
                shown_runs.extend(series.zip(name).map(|(series, name)| RunShown { name, series }));
            }
            Some(OtherRun::Earlier(nth)) => shown_runs.extend(earlier.get(nth).cloned()),
            None => {}
        }
    }
    let compare = {
        let compared = compared.setter();
        Callback::from(move |end| compared.set(Some(end)))
    };
    let database = database_of(session.world()).cloned();
    TrafficHandle {
        capacity_milli: database.and_then(|database| capacity_milli(database.workers, database.service_ms)),
        clock: run.as_ref().and_then(|run| time_of_day(timeline, run)),
        earlier: earlier.clone(),
        shown: shown_runs,
        others,
        compared: chosen,
        compare,
        stops_at_fault: *stops_at_fault,
        stop_at_fault: {
            let stops_at_fault = stops_at_fault.setter();
            Callback::from(move |stops| stops_at_fault.set(stops))
        },
        live,
        run,
        begun: here.map_or(0, |(position, _)| position),
        session,
    }
}

/// The time of day at which a run began, in ms since midnight, if the session's clock does not start as usual.
fn time_of_day(timeline: &Timeline, run: &Run) -> Option<u64> {
    let is_set = timeline.settings().start_ms != Settings::default().start_ms;
    timeline.step(run.begun).filter(|_| is_set).map(|step| step.now_ms % DAY_MS)
}

/// Scrolls an element to its top whenever `begun` changes, because the beginning of a run is shown there.
#[hook]
pub fn use_top_after(node: &NodeRef, begun: Option<StepId>) {
    let node = node.clone();
    use_effect_with(begun, move |_| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            element.set_scroll_top(0);
        }
    });
}

/// Settings of the database that serves the traffic.
fn database_of(world: &World) -> Option<&table::Settings> {
    let node = world.traffic_nodes().1?;
    world.table(node).map(table::Database::settings)
}

impl TrafficHandle {
    /// Settings of the traffic at the cursor.
    pub fn plan(&self) -> Plan {
        let world = self.session.world();
        let run = self.run.as_ref();
        let ms = run.map(Run::ms).filter(|ms| *ms > 0);
        let standard = Plan::default();
        let plan = Plan {
            traffic: world.traffic().map_or(standard.traffic, |traffic| traffic.settings().clone()),
            stage: self.stage().unwrap_or(standard.stage),
            ms: ms.unwrap_or(standard.ms),
        };
        // Traffic that has not run yet runs for as long as its scenario does.
        let usual_ms = ms.is_none().then(|| Scenario::of(&plan)).flatten().map(|scenario| scenario.plan().ms);
        Plan { ms: usual_ms.unwrap_or(plan.ms), ..plan }
    }

    /// Whether time has passed in the traffic at the cursor.
    pub fn has_figures(&self) -> bool {
        self.live.is_some() || self.run.as_ref().is_some_and(|run| run.ms() > 0)
    }

    /// The step in which the traffic at the cursor began, if there is traffic.
    pub fn begun(&self) -> Option<StepId> {
        self.run.as_ref().map(|run| run.begun)
    }

    /// Where the requests are and how many pass between the places, at the cursor or, while traffic runs in slices, at its latest event.
    pub fn flow(&self) -> Option<Flow> {
        let world = self.session.world();
        let traffic = world.traffic()?;
        let moment = self.live.clone().unwrap_or_else(|| TrafficSnapshot::of(traffic));
        let (redis, database) = world.traffic_nodes();
        let presence = |node: Option<NodeIndex>| match node {
            None => Presence::Absent,
            Some(node) if world.is_up(node) => Presence::Up,
            Some(_) => Presence::Down,
        };
        let database_workers = database_of(world).map_or(0, |database| database.workers.into());
        let places = Places {
            redis: presence(redis),
            database: presence(database),
            database_workers,
            capacity_milli: self.capacity_milli.filter(|_| database_workers > 0),
        };
        Some(Flow::of(&moment, traffic.settings(), places))
    }

    /// Whether time passes for the reader. It stands still while the reader steps through traffic event by event.
    pub fn is_moving(&self) -> bool {
        self.live.is_some() || !is_by_event(self.session.timeline())
    }

    /// The queue of the Redis server, if the reader steps through traffic event by event.
    pub fn redis_queue(&self) -> Option<RedisQueue> {
        if self.live.is_some() { None } else { queue(self.session.timeline()) }
    }

    /// The database of the session.
    pub fn stage(&self) -> Option<Stage> {
        let world = self.session.world();
        let database = world.traffic_nodes().0.and(database_of(world))?;
        Some(Stage::of(self.session.timeline().settings(), database))
    }

    /// The errors of handlers, each with the number of times it occurred.
    pub fn faults(&self) -> Vec<(String, u64)> {
        let faults = self.session.world().traffic().map_or(&[][..], |traffic| traffic.faults());
        faults.iter().map(|fault| (String::from_utf8_lossy(&fault.what).into_owned(), fault.count)).collect()
    }

    /// Whether a plan can run in this session: it needs a Redis server and a database with the planned settings.
    fn fits(&self, plan: &Plan) -> bool {
        self.stage().as_ref() == Some(&plan.stage)
    }

    /// Runs traffic as planned: from the beginning of the last run, at the cursor, or in a new session.
    pub fn run(&self, t: Lang, plan: Plan) {
        let (session, begun) = (self.session.clone(), self.begun);
        let fits = self.fits(&plan);
        let (earlier, left) = (self.earlier.clone(), self.left(t));
        spawn_local(async move {
            if matches!(plan.traffic.handler, Handler::Lua(_)) && !session.fetch_machine().await {
                return;
            }
            items::fill(plan.traffic.items).await;
            let pass = Input::Advance { ms: plan.ms };
            if fits {
                let begin = Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(plan.traffic) } };
                session.set_running(false);
                // In a lesson the initial session already contains the beginning of traffic: it begins again after that step.
                let before = begun.saturating_sub(1).max(begun.min(session.floor()));
                if begun > 0 {
                    session.seek(before);
                }
                session.push(begin);
                return session.push(pass);
            }
            let Some(timeline) = plan.stage.session(plan.traffic, &machine::engines()) else { return };
            earlier.set(left);
            let then = session.clone();
            session.replace_and_go_on(timeline, None, Callback::from(move |()| then.push(pass.clone())));
        });
    }

    /// The runs of earlier sessions once this one is left: the shown run is the newest of them.
    fn left(&self, t: Lang) -> Vec<RunShown> {
        let shown = self.shown.first().filter(|_| self.has_figures());
        let shown = shown.map(|run| RunShown { name: t.traffic_run_earlier(&run.name).into(), ..run.clone() });
        let all: Vec<RunShown> = self.earlier.iter().cloned().chain(shown).collect();
        all.iter().skip(all.len().saturating_sub(EARLIER_MAX)).cloned().collect()
    }

    /// Opens a point in time of the shown run in order to step through it; `at_ms` counts from the beginning of traffic.
    pub fn open(&self, at_ms: u64) {
        let Some(run) = &self.run else { return };
        let mut timeline = self.session.timeline().clone();
        if !timeline.switch_to(run.end) {
            return;
        }
        let Some((position, ms)) = moment(&timeline, self.begun, at_ms) else { return };
        self.session.travel(SessionAction::Switch(run.end));
        self.session.seek(position);
        if ms > 0 {
            self.session.push(Input::Advance { ms });
        }
        self.step();
    }

    /// Executes the next event of traffic.
    pub fn step(&self) {
        self.session.push(Input::Traffic { act: TrafficAct::Step });
    }

    /// The application machines that run and those that can be started again, from 0; `None` without traffic.
    pub fn machines(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let traffic = self.session.world().traffic()?;
        Some((traffic.running(), traffic.startable()))
    }

    /// Lets an application machine crash.
    pub fn crash(&self, target: CrashTarget) {
        self.session.push(Input::Traffic { act: TrafficAct::Crash { target } });
    }

    /// Starts all crashed machines again.
    pub fn restart(&self) {
        self.session.push(Input::Traffic { act: TrafficAct::Restart { machine: None } });
    }

    /// Advances virtual time by `ms`.
    pub fn go_on(&self, ms: u64) {
        self.session.push(Input::Advance { ms });
    }
}
