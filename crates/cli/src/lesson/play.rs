//! A lesson in the world: its opening, its inputs one after the other, and searches within a budget.
use lesson::{Budget, Lesson};
use lua_machine::{LuaMachine, LuaPlayer};
use resp::{cli, split};
use world::explore::{Explorer, Limits, Outcome, Progress};
use world::timeline::{TextError, inputs_to_text};
use world::{Engines, EventKind, Faults, ProgramEvent, Property, Step, Timeline, World};

/// Worlds that a search looks at.
const STATES_MAX: usize = 2_000_000;

/// A lesson that was played.
pub struct Played(Timeline);

/// Plays a lesson's opening and these inputs.
///
/// # Errors
/// What is wrong with the opening (`None`) or with one of the inputs.
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

/// What runs the scripts and plays the programs of a lesson.
pub fn engines() -> Engines {
    Engines::new(LuaMachine::new(), LuaPlayer::new())
}

impl Played {
    /// What a timeline has come to.
    pub fn of(timeline: Timeline) -> Played {
        Played(timeline)
    }

    /// The world that it has come to.
    pub fn world(&self) -> &World {
        self.0.world()
    }

    /// The steps that came after a lesson's opening.
    pub fn steps(&self, lesson: &Lesson) -> impl Iterator<Item = &Step> {
        self.0.steps_from(lesson.opening().len()).map(|(_, step)| step.as_ref())
    }

    /// What redis-cli would print for the last reply of the last input.
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

    /// Is the property with this number broken? A dead lock is no event: whether somebody can still get on is looked at here.
    pub fn is_broken(&self, property: usize) -> bool {
        self.world().watch().verdicts().nth(property).is_some_and(|(property, breach)| match property {
            Property::NoDeadlock => self.world().is_stuck(),
            Property::EveryoneGetsOn => self.world().starved().is_some(),
            _ => breach.is_some(),
        })
    }

    /// What is wrong with a client's program: it does not compile, or it broke off.
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

/// Is this a property?
pub fn is_property(text: &str) -> bool {
    split::split(text.as_bytes()).ok().and_then(|words| Property::from_words(&words)).is_some()
}

/// What a search found.
pub struct Found {
    /// Where it began.
    pub start: World,
    /// How it came out.
    pub outcome: Outcome,
    /// How much was looked at.
    pub progress: Progress,
}

impl Found {
    /// The steps of the shortest schedule.
    pub fn steps(&self) -> Option<usize> {
        match &self.outcome {
            Outcome::Broken { schedule, .. } => Some(schedule.len()),
            Outcome::Nothing { .. } => None,
        }
    }

    /// The schedule and the breach, one line an input.
    pub fn schedule(&self) -> String {
        let Outcome::Broken { schedule, breach, .. } = &self.outcome else { return String::new() };
        let lines = inputs_to_text(&self.start, schedule);
        let indented: String = lines.lines().map(|line| format!("    {line}\n")).collect();
        format!("{indented}  {breach:?}")
    }
}

/// The bounds of a search within a budget.
pub fn limits(budget: &Budget) -> Limits {
    Limits { faults: faults(budget), depth: budget.depth, states: STATES_MAX, ..Limits::default() }
}

/// What may go wrong within a budget.
pub fn faults(budget: &Budget) -> Faults {
    Faults::counted(budget.faults.counts())
}

/// Searches for a breach of the property with this number.
///
/// # Errors
/// When the lesson cannot be opened.
pub fn search(lesson: &Lesson, budget: &Budget, property: usize) -> Result<Found, String> {
    let lesson = lesson.with_clients_of(budget);
    let played = play(&lesson, &[]).map_err(|(_, why)| why)?;
    let start = played.world().clone();
    let (outcome, progress) = Explorer::new(start.clone(), Some(property), limits(budget)).finish();
    Ok(Found { start, outcome, progress })
}
