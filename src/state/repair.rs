//! Checking a program that should repair a lesson: the stage with this program, and a search for each property that has to hold.
use ::lesson::{Budget, Lesson, Task, TaskKind};
use script::program::{Failed, State, Unplayable};
use world::explore::{Cut, Limits, Order};
use world::{Faults, Timeline, World};

use super::explorer::{Beginning, Finding};

/// Worlds that a search in the page looks at.
const STATES_MAX: usize = 300_000;

/// A program that is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The stage with this program, before the first step.
    stage: Timeline,
    limits: Limits,
    /// Numbers of the properties that have to hold, in the order in which they are looked for.
    goals: Vec<usize>,
}

/// Why a program is not searched at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no Lua, or breaks off before its first request: the words of the machine.
    Wrong(String),
    /// The lesson does not open with it.
    Broken,
}

/// How a search for one property came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was found, and nothing left out but schedules longer than the task asks for.
    Holds,
    /// A schedule breaks it.
    Broken,
    /// The search gave up.
    Undecided,
}

/// The verdict of a finding; `None` where there was no search.
pub fn verdict(finding: &Finding) -> Option<Verdict> {
    match finding {
        Finding::Nothing { cut: None | Some(Cut::Depth) } => Some(Verdict::Holds),
        Finding::Nothing { cut: Some(_) } => Some(Verdict::Undecided),
        Finding::Broken { .. } => Some(Verdict::Broken),
        Finding::BrokeDown(_) | Finding::Unreachable => None,
    }
}

impl Check {
    /// The check of this text in a task of the kind *repair it*.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn new(lesson: &Lesson, task: &Task, text: &str) -> Result<Check, Refused> {
        let TaskKind::Repair { program, properties, budget, .. } = &task.kind else { return Err(Refused::Broken) };
        let lesson = lesson.with_program(program, text).with_clients_of(budget);
        let stage = Timeline::from_text(&lesson.session(&[])).map_err(|_| Refused::Broken)?;
        if let Some(why) = wrong(stage.world()) {
            return Err(Refused::Wrong(why));
        }
        let number = |id: &String| lesson.properties.iter().position(|property| property.id == *id);
        let goals = properties.iter().filter_map(number).collect();
        let Budget { crashes, pauses, losses, depth, .. } = *budget;
        let faults = Faults { crashes, pauses, losses };
        Ok(Check { stage, limits: Limits { faults, depth, states: STATES_MAX, ..Limits::default() }, goals })
    }

    /// The property that is looked for in the `nth` search, by its number in the lesson; `None` when there are no more.
    pub fn goal(&self, nth: usize) -> Option<usize> {
        self.goals.get(nth).copied()
    }

    /// How many searches there are.
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Nothing to search?
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// Where its searches begin.
    pub fn beginning(&self) -> Beginning {
        Beginning { after: self.stage.cursor(), first: Vec::new(), world: self.stage.world().clone() }
    }

    /// What the explorer is asked in the `nth` search.
    pub fn order(&self, nth: usize) -> Order {
        Order { goal: self.goal(nth), limits: self.limits, session: self.stage.to_text() }
    }

    /// The stage with this program; with a schedule that was found, laid out to be gone through.
    pub fn stage(&self, finding: Option<&Finding>) -> Timeline {
        let mut stage = self.stage.clone();
        if let Some(Finding::Broken { schedule, .. }) = finding {
            // What was found here can be laid here.
            let _ = stage.lay(stage.cursor(), schedule, 0);
        }
        stage
    }
}

/// What is wrong with a program of this world before its first request.
fn wrong(world: &World) -> Option<String> {
    let text = |why: &[u8]| String::from_utf8_lossy(why).into_owned();
    world.clients().find_map(|(_, found)| match found.program.as_deref()?.scene() {
        Err(Unplayable::DoesNotCompile(why)) => Some(text(why)),
        Err(other) => Some(format!("{other:?}")),
        Ok(scene) => scene.threads.iter().find_map(|stand| match &stand.state {
            State::Failed(Failed::Error(why)) => Some(text(why)),
            _ => None,
        }),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use ::lesson::source;
    use world::explore::{Explorer, Outcome};

    use super::{Check, Refused, TaskKind};

    /// All searches of a text, each natively.
    fn holds(check: &Check) -> Vec<bool> {
        let search = |nth| {
            let order = check.order(nth);
            let (outcome, _) = Explorer::new(check.beginning().world, order.goal, order.limits).finish();
            matches!(outcome, Outcome::Nothing { .. })
        };
        (0..check.len()).map(search).collect()
    }

    #[test]
    fn what_repairs_a_lesson_passes_and_what_does_not_fails() {
        script::install(Box::new(lua_machine::LuaMachine::new()));
        script::program::install(Box::new(lua_machine::LuaPlayer::new()));
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons/locks/oversell");
        let [lesson, _] = source::read_lesson(&folder).unwrap().lessons;
        let task = lesson.tasks.iter().find(|task| matches!(task.kind, TaskKind::Repair { .. })).unwrap();
        let TaskKind::Repair { start, solution, wrong, .. } = &task.kind else { return };
        assert!(holds(&Check::new(&lesson, task, solution).unwrap()).into_iter().all(|holds| holds));
        for text in wrong.iter().map(|wrong| &wrong.text).chain([start]) {
            let found = holds(&Check::new(&lesson, task, text).unwrap());
            assert!(found.contains(&false), "{text}");
        }
        let refused = Check::new(&lesson, task, "local = 1").map(|_| ());
        assert!(matches!(refused, Err(Refused::Wrong(why)) if why.contains("program:1:")));
        let refused = Check::new(&lesson, task, "nothing()").map(|_| ());
        assert!(matches!(refused, Err(Refused::Wrong(why)) if why.contains("nothing")));
    }
}
