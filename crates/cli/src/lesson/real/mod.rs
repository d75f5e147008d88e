//! Terminal tasks on a real Redis: setups, solutions, other ways, wrong ways, predictions and stories are played there, and the verdicts
//! must be those of the model. [`stage`] plays one way; here the ways of all lessons are collected, played and judged.
//!
//! Encodings, times, sizes and replies come from the server. Of the model, only which reply belongs to which step is used, and the values
//! with which those of the server are compared.
mod moments;
mod server;
mod stage;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use conformance::target::TargetError;
use lesson::source::{Mistake, Source};
use lesson::{Achieve, Check, Lesson, Task, TaskKind};
use resp::{Protocol, Value, cli};
use world::claim::{Claim, Record, Scene};
use world::traffic::Traffic;
use world::{ClientIndex, EventKind, Step, World};

use super::play::{self, Played};
use crate::output::say;
use server::Server;
use stage::{Stage, Stop};

/// Servers that run side by side, so that waits do not add up.
const SERVERS: usize = 12;

/// How often a way is played before a difference counts. Replies depend on real time, and a busy machine can delay either process.
const TRIES: usize = 3;

/// What a way must do.
enum Goal<'a> {
    /// The replies are the model's.
    Replies,
    /// The last reply is this.
    Shows(&'a str),
    /// The claims hold or fail as on the model; a right way reaches the state, the wrong way with this number is recognised.
    Reaches(&'a Achieve, Way),
    /// The claims of a script's case hold or fail as on the model.
    Holds(&'a [Check]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    None,
    Right,
    Wrong(usize),
}

/// A way to play.
struct Play<'a> {
    source: &'a Source,
    /// `story`, or the id of a task.
    what: &'a str,
    /// The stage, if it is not the lesson's own.
    stage: Option<Lesson>,
    inputs: Vec<String>,
    goal: Goal<'a>,
}

impl Play<'_> {
    /// At most so much time passes, in ms.
    fn wait_ms(&self) -> u64 {
        let times = self.inputs.iter().filter_map(|input| input.strip_prefix("@+")?.strip_suffix("ms")?.parse().ok());
        times.fold(0, |sum, ms: u64| sum.saturating_add(ms))
    }
}

/// What came of a way.
#[derive(Default)]
struct Outcome {
    /// Why it was not played, or not to its end.
    unplayable: Option<String>,
    /// Was a part of it played? That makes sense of a story only.
    is_part: bool,
    faults: Vec<String>,
    commands: usize,
    tries: usize,
}

/// Plays the terminal tasks on a server at this address, or on servers that it starts. Returns the mistakes.
///
/// # Errors
/// If there is no server.
pub fn check(lessons: &[Source], at: Option<SocketAddr>) -> Result<(Vec<Mistake>, String), TargetError> {
    let mut first = match at {
        Some(addr) => Server::at(addr)?,
        None => Server::start()?,
    };
    let version = first.version()?;
    let mut plays = Vec::new();
    let mut reasons = BTreeMap::new();
    for source in lessons {
        collect(source, &mut plays, &mut reasons);
    }
    let outcomes = play_all(&plays, first)?;
    Ok(report(lessons, &plays, outcomes, reasons, &version))
}

/// The parts of a lesson without any way, by its place among the lessons and in the lesson, with the reason.
type Reasons<'a> = BTreeMap<(&'a std::path::Path, &'a str), &'static str>;

/// The place of a lesson's story in reports.
const STORY: &str = "story";

fn collect<'a>(source: &'a Source, plays: &mut Vec<Play<'a>>, reasons: &mut Reasons<'a>) {
    let [lesson, _] = &source.lessons;
    let inputs = lesson.story.iter().flat_map(|step| step.inputs.iter().cloned()).collect();
    match of_world(lesson) {
        Some(why) => _ = reasons.insert((&source.folder, STORY), why),
        None => plays.push(Play { source, what: STORY, stage: None, inputs, goal: Goal::Replies }),
    }
    for task in &lesson.tasks {
        match of_world(lesson).map_or_else(|| ways(source, task), Err) {
            Ok(ways) => plays.extend(ways),
            Err(why) => _ = reasons.insert((&source.folder, &task.id), why),
        }
    }
}

/// Why nothing of a lesson can be played on a real server.
fn of_world(lesson: &Lesson) -> Option<&'static str> {
    if lesson.has_tables() {
        Some("one of the nodes is a database")
    } else if lesson.nodes.len() > 1 {
        Some("there are several nodes")
    } else if !lesson.traffic.is_empty() {
        Some("traffic runs")
    } else if lesson.has_programs() {
        Some("clients run programs, which the world schedules")
    } else {
        None
    }
}

/// The ways of a task.
///
/// # Errors
/// Why it cannot be played on a real server.
fn ways<'a>(source: &'a Source, task: &'a Task) -> Result<Vec<Play<'a>>, &'static str> {
    let play = |inputs: Vec<String>, goal| Play { source, what: &task.id, stage: None, inputs, goal };
    match &task.kind {
        TaskKind::Predict { after, then, .. } => {
            let prediction = source.predictions.iter().find(|prediction| prediction.task == task.id);
            let shows = prediction.and_then(|prediction| prediction.shows.as_deref());
            let shows = shows.ok_or("it asks for a property or figure of the world")?;
            Ok(vec![play(after.iter().chain(then).cloned().collect(), Goal::Shows(shows))])
        }
        TaskKind::Achieve(achieve) => {
            let ways = source.ways.iter().find(|ways| ways.task == task.id).ok_or("it has no ways")?;
            let right = ways.right.iter().map(|way| (way, Way::Right));
            let wrong = ways.wrong.iter().enumerate().map(|(nth, way)| (way, Way::Wrong(nth)));
            let none = Vec::new();
            let all = std::iter::once((&none, Way::None)).chain(right).chain(wrong);
            Ok(all.map(|(way, kind)| play(way.clone(), Goal::Reaches(achieve, kind))).collect())
        }
        TaskKind::Script(scripting) => {
            let proofs = source.proofs.iter().find(|proofs| proofs.task == task.id).ok_or("it has no scripts")?;
            let right = proofs.passing.iter().chain(proofs.cheats.iter().map(|cheat| &cheat.functions));
            let scripts = right.map(|script| &script.text).chain(scripting.wrong.iter().map(|wrong| &wrong.text));
            let [lesson, _] = &source.lessons;
            let play = &play;
            let plays = scripts.flat_map(|script| {
                scripting.cases.iter().map(move |case| Play {
                    stage: Some(case.stage(lesson)),
                    ..play(case.inputs_with(script), Goal::Holds(&case.checks))
                })
            });
            Ok(plays.collect())
        }
        _ => Err("it is no task for terminals"),
    }
}

/// Plays all ways, on several servers if they are our own.
fn play_all(plays: &[Play<'_>], first: Server) -> Result<Vec<Outcome>, TargetError> {
    let workers = if first.is_own() { SERVERS.min(plays.len()).max(1) } else { 1 };
    // Those that wait longest come first, so that no server is left with one of them at the end.
    let mut order: Vec<usize> = (0..plays.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(plays.get(*at).map_or(0, Play::wait_ms)));
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let failure = Mutex::new(None);
    let first = Mutex::new(Some(first));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut worker = Worker { server: first.lock().unwrap_or_else(|e| e.into_inner()).take() };
                loop {
                    let is_over = failure.lock().unwrap_or_else(|e| e.into_inner()).is_some();
                    let at = order.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !is_over).copied();
                    let Some((at, way)) = at.and_then(|at| Some((at, plays.get(at)?))) else { break };
                    match worker.play(way) {
                        Ok(outcome) => _ = done.lock().unwrap_or_else(|e| e.into_inner()).insert(at, outcome),
                        Err(error) => {
                            failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
                            break;
                        }
                    }
                }
                worker.end();
            });
        }
    });
    match failure.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(error) => Err(error),
        None => Ok(done.into_inner().unwrap_or_else(|e| e.into_inner()).into_values().collect()),
    }
}

/// One thread with its server.
struct Worker {
    server: Option<Server>,
}

impl Worker {
    fn play(&mut self, way: &Play<'_>) -> Result<Outcome, TargetError> {
        let mut outcome = Outcome::default();
        for tries in 1..=TRIES {
            outcome = Outcome { tries, ..self.play_once(way)? };
            if outcome.faults.is_empty() {
                break;
            }
        }
        Ok(outcome)
    }

    fn play_once(&mut self, way: &Play<'_>) -> Result<Outcome, TargetError> {
        let mut server = match self.server.take() {
            Some(server) => server,
            None => Server::start()?,
        };
        let (outcome, left) = play_on(&mut server, way)?;
        // A script that still runs ends with its server, and so does the memory of evictions.
        let is_fit = match left {
            Left::Nothing => true,
            Left::Script if !server.is_own() => {
                server.stop_script()?;
                true
            }
            Left::Script | Left::Limit => false,
        };
        self.server = is_fit.then_some(server);
        Ok(outcome)
    }

    /// Leaves someone else's server as it was found.
    fn end(self) {
        if let Some(mut server) = self.server.filter(|server| !server.is_own()) {
            // A failure here has no one to be told to: the ways have been played.
            let _ = server.clear();
        }
    }
}

/// What a way leaves behind on a server that no reset takes away.
enum Left {
    Nothing,
    /// A script that still runs.
    Script,
    /// Candidates for eviction.
    Limit,
}

impl Left {
    fn on(stage: &Stage<'_>) -> Left {
        match (stage.is_busy(), stage.has_limit) {
            (true, _) => Left::Script,
            (false, true) => Left::Limit,
            (false, false) => Left::Nothing,
        }
    }
}

/// Plays a way.
fn play_on(server: &mut Server, way: &Play<'_>) -> Result<(Outcome, Left), TargetError> {
    let [own, _] = &way.source.lessons;
    let lesson = way.stage.as_ref().unwrap_or(own);
    let mut outcome = Outcome::default();
    let Ok(played) = play::play(lesson, &way.inputs) else {
        outcome.faults.push(format!("the model does not play {:?}", way.inputs));
        return Ok((outcome, Left::Nothing));
    };
    let opening = lesson.opening();
    let is_story = matches!(way.goal, Goal::Replies);
    let hindrance = played.taken().find_map(|step| stage::of_world(&step.input));
    if let Some(why) = hindrance.filter(|_| !is_story) {
        outcome.unplayable = Some(why.to_owned());
        return Ok((outcome, Left::Nothing));
    }
    let mut stage = Stage::new(server, played.world().settings().start_ms, played.taken())?;
    let mut steps = Vec::new();
    for (step, line) in played.taken().zip(opening.iter().chain(&way.inputs)) {
        match stage.take(step, line) {
            Ok(step) => steps.push(step),
            Err(Stop::Unplayable(why)) => {
                outcome.unplayable = Some(if is_story { format!("from `{line}` on: {why}") } else { why });
                outcome.is_part = is_story && steps.len() > opening.len();
                break;
            }
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    if outcome.unplayable.is_some() && !is_story {
        return Ok((outcome, Left::on(&stage)));
    }
    let steps = steps.get(opening.len()..).unwrap_or_default();
    outcome.faults = std::mem::take(&mut stage.differences);
    outcome.commands = stage.commands;
    match &way.goal {
        Goal::Replies => {}
        Goal::Shows(shows) => {
            let last = last_reply(steps);
            if last.as_deref() != Some(*shows) {
                let last = last.unwrap_or_default();
                outcome.faults.push(format!("the last reply of a real Redis is {last}, not {shows}"));
            }
        }
        Goal::Reaches(achieve, kind) => {
            let judge = Judge { lesson, played: &played, stage: &stage, steps };
            outcome.faults.extend(judge.faults(achieve, *kind));
        }
        Goal::Holds(checks) => {
            let judge = Judge { lesson, played: &played, stage: &stage, steps };
            let claims: Vec<Claim> = checks.iter().filter_map(|check| Claim::from_text(&check.claim)).collect();
            judge.held(&claims, &mut outcome.faults);
        }
    }
    if !is_story && !way.inputs.is_empty() {
        outcome.faults = outcome.faults.iter().map(|fault| format!("{}: {fault}", way.inputs.join("; "))).collect();
    }
    Ok((outcome, Left::on(&stage)))
}

/// The last reply of the last step, as redis-cli prints it.
fn last_reply(steps: &[Step]) -> Option<String> {
    steps.last()?.events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Reply { value, protocol, .. } => Some(cli::text(value, *protocol).trim_end().to_owned()),
        _ => None,
    })
}

/// Judges a played way by its claims.
struct Judge<'a> {
    lesson: &'a Lesson,
    played: &'a Played,
    stage: &'a Stage<'a>,
    /// The steps after the opening, with the replies of the server.
    steps: &'a [Step],
}

impl Judge<'_> {
    fn faults(&self, achieve: &Achieve, kind: Way) -> Vec<String> {
        let parsed = |texts: &[String]| texts.iter().filter_map(|text| Claim::from_text(text)).collect::<Vec<_>>();
        let checks: Vec<Claim> = achieve.checks.iter().filter_map(|check| Claim::from_text(&check.claim)).collect();
        let mut faults = Vec::new();
        let reached = self.held(&checks, &mut faults);
        let missing = || {
            let held = Record::of(&checks, self.steps).holds(&checks, self, usize::MAX);
            let missing = checks.iter().zip(held).filter(|(_, holds)| !holds).map(|(claim, _)| claim.to_text());
            missing.collect::<Vec<_>>().join("; ")
        };
        let wrong: Vec<bool> = achieve.wrong.iter().map(|way| self.held(&parsed(&way.claims), &mut faults)).collect();
        let wrong = wrong.iter().position(|holds| *holds);
        let title = |nth: usize| achieve.wrong.get(nth).map_or("", |way| &way.title);
        match (kind, wrong) {
            (Way::None, None) if reached => {
                faults.push("a real Redis is there before anything has happened".to_owned())
            }
            (Way::Right, Some(nth)) => {
                faults.push(format!("a real Redis takes it for the wrong way \"{}\"", title(nth)))
            }
            (Way::Right, None) if !reached => {
                faults.push(format!("on a real Redis it does not lead there, this does not hold: {}", missing()));
            }
            (Way::Wrong(nth), found) if found != Some(nth) => {
                faults.push(format!("on a real Redis the wrong way \"{}\" is not recognised", title(nth)));
            }
            _ => {}
        }
        faults
    }

    /// Do all these claims hold on the server? Reports each one that differs from the model.
    fn held(&self, claims: &[Claim], faults: &mut Vec<String>) -> bool {
        let world = self.played.world();
        let real = Record::of(claims, self.steps).holds(claims, self, usize::MAX);
        let model = Record::of(claims, self.played.steps(self.lesson)).holds(claims, world, usize::MAX);
        for (claim, (real, _)) in claims.iter().zip(real.iter().zip(&model)).filter(|(_, (real, model))| real != model)
        {
            let verdict = if *real { "holds only on a real Redis" } else { "holds only on the model" };
            let mut fault = format!("{verdict}: {}", claim.to_text());
            if let Claim::Ask { command, .. } = claim {
                let shown =
                    |value: Option<Value>| value.map_or_else(String::new, |value| cli::text(&value, Protocol::Resp2));
                let (real, model) = (shown(Scene::ask(self, command)), shown(world.ask(command)));
                fault.push_str(&format!(" (a real Redis prints {real}, the model {model})"));
            }
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        real.iter().all(|holds| *holds)
    }
}

impl Scene for Judge<'_> {
    fn ask(&self, command: &[Bytes]) -> Option<Value> {
        self.stage.ask(command, self.played.world().ask(command).as_ref())
    }

    fn client(&self, name: &str) -> Option<ClientIndex> {
        Scene::client(self.played.world(), name)
    }

    fn traffic(&self) -> Option<&Traffic> {
        World::traffic(self.played.world())
    }
}

/// Prints what was played, task by task, and what was not and why.
fn report(
    lessons: &[Source],
    plays: &[Play<'_>],
    outcomes: Vec<Outcome>,
    reasons: Reasons<'_>,
    version: &str,
) -> (Vec<Mistake>, String) {
    let mut faults = Vec::new();
    let (mut parts, mut played, mut none, mut some) = (0_usize, 0_usize, 0_usize, 0_usize);
    let commands = outcomes.iter().map(|outcome| outcome.commands).sum::<usize>();
    let again = outcomes.iter().filter(|outcome| outcome.tries > 1).count();
    let all: Vec<(&Play<'_>, Outcome)> = plays.iter().zip(outcomes).collect();
    for source in lessons {
        say(source.folder.display());
        let [lesson, _] = &source.lessons;
        for what in std::iter::once(STORY).chain(lesson.tasks.iter().map(|task| task.id.as_str())) {
            let name = if what == STORY { STORY.to_owned() } else { format!("task {what}") };
            if let Some(why) = reasons.get(&(source.folder.as_path(), what)) {
                none = none.saturating_add(1);
                say(format_args!("  {name}: not on a real Redis: {why}"));
                continue;
            }
            let of_part = |way: &&(&Play<'_>, Outcome)| std::ptr::eq(way.0.source, source) && way.0.what == what;
            let ways: Vec<&Outcome> = all.iter().filter(of_part).map(|(_, outcome)| outcome).collect();
            let not: Vec<&str> = ways.iter().filter_map(|outcome| outcome.unplayable.as_deref()).collect();
            let count = ways.iter().filter(|outcome| outcome.unplayable.is_none() || outcome.is_part).count();
            played = played.saturating_add(count);
            let left = not.first().map(|why| match (count, what) {
                (0, _) => format!("not on a real Redis: {why}"),
                (_, STORY) => format!("on a real Redis, but not {why}"),
                _ => format!("{count} ways on a real Redis, {} not: {why}", not.len()),
            });
            match (count, &left) {
                (0, _) => none = none.saturating_add(1),
                (_, Some(_)) => some = some.saturating_add(1),
                (_, None) => parts = parts.saturating_add(1),
            }
            let done = if count == 1 { "on a real Redis".to_owned() } else { format!("{count} ways on a real Redis") };
            say(format_args!("  {name}: {}", left.unwrap_or(done)));
            let place = if what == STORY { String::new() } else { format!("task.{what}") };
            for fault in ways.iter().flat_map(|outcome| &outcome.faults) {
                faults.push(source.fault(&place, fault.as_str()));
            }
        }
    }
    let again = if again == 0 { String::new() } else { format!(", {again} of them again") };
    let summary = format!(
        "{} lessons on Redis {version}: {parts} tasks and stories, {some} in part, {none} not; {played} ways{again}, {commands} commands",
        lessons.len()
    );
    (faults, summary)
}
