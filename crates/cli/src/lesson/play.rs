//! A lesson in the world: its opening, its inputs one after the other, and searches within a budget.
use lesson::{Budget, Lesson};
use lua_machine::{LuaMachine, LuaPlayer};
use resp::{cli, split};
use world::explore::{self, Explorer, Limits, Progress, SearchOutcome};
use world::timeline::{TextError, inputs_to_text};
use world::{Engines, EventKind, Faults, ProgramEvent, Property, Step, Timeline, World};

/// Maximum number of worlds of a search.
const STATES_MAX: usize = 2_000_000;

/// A played lesson.
pub struct Played(Timeline);

/// Plays the opening of a lesson and these inputs.
///
/// # Errors
/// The error of the opening (`None`) or of one of the inputs.
pub fn play(lesson: &Lesson, inputs: &[String]) -> Result<Played, (Option<usize>, String)> {
    // Settings, an empty line, and the opening.
    let settings = lesson.session(&[]).lines().take_while(|line| !line.is_empty()).count();
    let before = lesson.opening().len().saturating_add(settings).saturating_add(1);
    let place = |line: usize| line.checked_sub(before.saturating_add(1)).filter(|at| *at < inputs.len());
    Timeline::from_text(&lesson.session(inputs), &engines()).map(Played).map_err(|error| match error {
        TextError::BadLine { line } => (place(line), "this is no input of the world".to_owned()),
        TextError::BadStep { line, why } => (place(line), why.to_string()),
        other => (None, other.to_string()),
    })
}

/// The engines that run the scripts and play the programs of a lesson.
pub fn engines() -> Engines {
    Engines::new(LuaMachine::new(), LuaPlayer::new())
}

impl Played {
    /// The state at the cursor of a timeline.
    pub fn of(timeline: Timeline) -> Played {
        Played(timeline)
    }

    /// The current world.
    pub fn world(&self) -> &World {
        self.0.world()
    }

    /// All steps, those of the opening first.
    pub fn taken(&self) -> impl Iterator<Item = &Step> {
        self.0.taken().map(|(_, step)| step.as_ref())
    }

    /// The steps after the opening of the lesson.
    pub fn steps(&self, lesson: &Lesson) -> impl Iterator<Item = &Step> {
        self.0.steps_from(lesson.opening().len()).map(|(_, step)| step.as_ref())
    }

    /// The last reply of the last input, as redis-cli prints it.
    pub fn last_reply(&self) -> Option<String> {
        let step = self.0.step(self.0.cursor())?;
        step.events.iter().rev().find_map(|event| match &event.kind {
            EventKind::Reply { value, protocol, .. } => {
                let is_of_table = event.node.is_some_and(|node| self.world().settings().is_table(node));
                let answer = table::Answer::from_value(value).filter(|_| is_of_table);
                let text = answer.map_or_else(|| cli::text(value, *protocol), |answer| answer.print(0));
                Some(text.trim_end().to_owned())
            }
            _ => None,
        })
    }

    /// Is the property with this number broken? A deadlock is not an event, so progress is checked here.
    pub fn is_broken(&self, property: usize) -> bool {
        self.world().watch().verdicts().nth(property).is_some_and(|(property, breach)| match property {
            Property::NoDeadlock => explore::is_stuck(self.world()),
            Property::EveryoneGetsOn => explore::starved(self.world()).is_some(),
            _ => breach.is_some(),
        })
    }

    /// The error of a client's program: it does not compile, or it stopped with an error.
    pub fn failed(&self) -> Option<String> {
        let events = self.0.taken().flat_map(|(_, step)| &step.events);
        events.into_iter().find_map(|event| match &event.kind {
            EventKind::Program { what: ProgramEvent::Unplayable(why), .. } => Some(format!("{why:?}")),
            EventKind::Program { what: ProgramEvent::Failed(why), .. } => Some(format!("{why:?}")),
            EventKind::Program { what: ProgramEvent::RanAway, .. } => Some("it never asks for anything".to_owned()),
            _ => None,
        })
    }
}

/// Checks the syntax of a property.
pub fn is_property(text: &str) -> bool {
    split::split(text.as_bytes()).ok().and_then(|words| Property::from_words(&words)).is_some()
}

/// The result of a search.
pub struct SearchResult {
    /// The initial world.
    pub start: World,
    /// The outcome.
    pub outcome: SearchOutcome,
    /// The size of the search.
    pub progress: Progress,
}

impl SearchResult {
    /// The steps of the shortest schedule.
    pub fn steps(&self) -> Option<usize> {
        match &self.outcome {
            SearchOutcome::Broken { schedule, .. } => Some(schedule.len()),
            SearchOutcome::Nothing { .. } => None,
        }
    }

    /// The schedule and the violation, one line per input.
    pub fn schedule(&self) -> String {
        let SearchOutcome::Broken { schedule, breach, .. } = &self.outcome else { return String::new() };
        let lines = inputs_to_text(&self.start, schedule);
        let indented: String = lines.lines().map(|line| format!("    {line}\n")).collect();
        format!("{indented}  {breach:?}")
    }
}

/// The limits of a search from a budget.
pub fn limits(budget: &Budget) -> Limits {
    Limits { faults: faults(budget), depth: budget.depth, states: STATES_MAX, ..Limits::default() }
}

/// The faults allowed by a budget.
pub fn faults(budget: &Budget) -> Faults {
    Faults::counted(budget.faults.counts())
}

/// Searches for a violation of the property with this number.
///
/// # Errors
/// If the lesson cannot be opened.
pub fn search(lesson: &Lesson, budget: &Budget, property: usize) -> Result<SearchResult, String> {
    let lesson = lesson.with_clients_of(budget);
    let played = play(&lesson, &[]).map_err(|(_, why)| why)?;
    let start = played.world().clone();
    let (outcome, progress) = Explorer::new(start.clone(), Some(property), limits(budget)).finish();
    Ok(SearchResult { start, outcome, progress })
}
