//! Checks that a lesson keeps its promises.
use std::collections::BTreeSet;

use lesson::source::{Mistake, Source};
use lesson::{Break, Budget, LANGUAGES, Lesson, Task, TaskKind, Verdict, repair};
use world::explore::{Cut, SearchOutcome};

use super::play::{self, Played, SearchResult};
use super::proofs::{self, Proven};
use super::ways;
use super::{forecast, handling, scripting};

/// The result of checks.
#[derive(Default)]
pub struct Report {
    /// Passed checks, one line each.
    pub lines: Vec<String>,
    /// Mistakes.
    pub faults: Vec<Mistake>,
    /// Results of searches.
    pub schedules: Vec<String>,
}

/// Plays and searches a lesson; `with_mutants`: also its mutated solutions.
pub fn check(source: &Source, with_mutants: bool) -> Report {
    let mut checker = Checker { source, with_mutants, report: Report::default(), broken: BTreeSet::new() };
    if checker.opens() {
        let [lesson, _] = &source.lessons;
        checker.story(lesson);
        checker.verdicts(lesson);
        lesson.tasks.iter().for_each(|task| checker.task(lesson, task));
        checker.properties(lesson);
    }
    checker.report
}

struct Checker<'a> {
    source: &'a Source,
    with_mutants: bool,
    report: Report,
    /// Properties, by id, that some functions of a repair break.
    broken: BTreeSet<String>,
}

impl Checker<'_> {
    fn fault(&mut self, place: &str, what: impl Into<String>) {
        self.report.faults.push(self.source.fault(place, what));
    }

    fn say(&mut self, line: String) {
        self.report.lines.push(line);
    }

    /// Can it be opened in every language?
    fn opens(&mut self) -> bool {
        let before = self.report.faults.len();
        for (lesson, language) in self.source.lessons.iter().zip(LANGUAGES) {
            for property in lesson.properties.iter().filter(|property| !play::is_property(&property.text)) {
                self.fault(
                    &format!("property.{}", property.id),
                    format!("`{}` is no property of the world", property.text),
                );
            }
            match play::play(lesson, &[]) {
                Err((_, why)) => self.fault("", format!("cannot be opened ({language}): {why}")),
                Ok(played) => {
                    if let Some(why) = played.failed() {
                        self.fault("", format!("a program fails at once ({language}): {why}"));
                    }
                    if let Some(number) = (0..lesson.properties.len()).find(|number| played.is_broken(*number)) {
                        let id = lesson.properties.get(number).map_or("", |property| &property.id);
                        self.fault(&format!("property.{id}"), "is broken before anything has happened");
                    }
                }
            }
        }
        self.report.faults.len() == before
    }

    /// Can its story be played step by step?
    fn story(&mut self, lesson: &Lesson) {
        let inputs: Vec<(&str, &String)> =
            lesson.story.iter().flat_map(|step| step.inputs.iter().map(|input| (step.id.as_str(), input))).collect();
        let lines: Vec<String> = inputs.iter().map(|(_, input)| (*input).clone()).collect();
        match play::play(lesson, &lines) {
            Err((at, why)) => {
                let (step, input) = at.and_then(|at| inputs.get(at)).map_or(("", ""), |(step, input)| (*step, input));
                self.fault(&format!("step.{step}"), format!("`{input}`: {why}"));
            }
            Ok(played) => {
                if let Some(why) = played.failed() {
                    self.fault("", format!("a program fails in the story: {why}"));
                }
                self.say(format!("story: {} steps, {} inputs", lesson.story.len(), lines.len()));
                self.breaks(lesson);
            }
        }
    }

    /// Does each step of the story break exactly the properties that it names?
    fn breaks(&mut self, lesson: &Lesson) {
        let (mut inputs, mut broken): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
        for (step, said) in lesson.story.iter().zip(&self.source.breaks) {
            inputs.extend(step.inputs.iter().cloned());
            let Ok(played) = play::play(lesson, &inputs) else { return };
            let now = lesson.properties.iter().enumerate().filter(|(number, _)| played.is_broken(*number));
            let new: Vec<&str> =
                now.map(|(_, property)| property.id.as_str()).filter(|id| !broken.contains(id)).collect();
            if new != said.iter().map(String::as_str).collect::<Vec<_>>() {
                self.fault(&format!("step.{}", step.id), format!("it breaks {new:?}, not {said:?}"));
            }
            broken.extend(new);
        }
    }

    fn search(&mut self, lesson: &Lesson, budget: &Budget, property: &str, what: &str) -> Option<SearchResult> {
        let number = lesson.properties.iter().position(|other| other.id == property)?;
        match play::search(lesson, budget, number) {
            Ok(found) => {
                if found.steps().is_some() {
                    self.report.schedules.push(format!("  {what}, {property}:\n{}", found.schedule()));
                }
                Some(found)
            }
            Err(why) => {
                self.fault("", format!("{what} cannot be opened: {why}"));
                None
            }
        }
    }

    /// Does a search find exactly the recorded violations, and no shorter schedule?
    fn verdicts(&mut self, lesson: &Lesson) {
        for property in &lesson.properties {
            let Some(found) = self.search(lesson, &lesson.budget, &property.id, "the lesson") else { continue };
            self.say(format!("{}: {}", property.id, outcome(&found)));
            let recorded = match property.verdict {
                Verdict::Holds => None,
                Verdict::Broken { steps } => usize::try_from(steps).ok(),
            };
            if found.steps() != recorded {
                let expected = recorded.map_or("that it holds".to_owned(), |steps| format!("{steps} steps"));
                self.fault(
                    &format!("property.{}", property.id),
                    format!("recorded is {expected}; found was: {}", outcome(&found)),
                );
            } else if recorded.is_none() && matches!(found.outcome, SearchOutcome::Nothing { cut: Some(_) }) {
                self.fault(&format!("property.{}", property.id), format!("is not searched whole: {}", outcome(&found)));
            } else if recorded.is_none() && found.progress.untested != 0 {
                self.fault(&format!("property.{}", property.id), "no schedule puts it to the test");
            }
        }
    }

    fn task(&mut self, lesson: &Lesson, task: &Task) {
        let place = format!("task.{}", task.id);
        match &task.kind {
            TaskKind::Break(breaking) => {
                let Break { property, shortest, stage, faults } = breaking;
                if *shortest == 0 {
                    self.fault(&place, format!("`{property}` holds: no schedule breaks it"));
                }
                self.say(format!("task {}: break {property}, shortest {shortest}", task.id));
                if !stage.is_empty() || faults.is_some() {
                    self.break_elsewhere(lesson, &place, breaking);
                }
            }
            TaskKind::Predict { after, then, .. } => {
                let inputs: Vec<String> = after.iter().chain(then).cloned().collect();
                match play::play(lesson, &inputs) {
                    Err((at, why)) => {
                        let input = at.and_then(|at| inputs.get(at)).map_or("", String::as_str);
                        self.fault(&place, format!("`{input}`: {why}"));
                    }
                    Ok(played) => self.prediction(lesson, &task.id, &played),
                }
            }
            TaskKind::Forecast { inputs, rows } => match play::play(lesson, inputs) {
                Err((at, why)) => {
                    let input = at.and_then(|at| inputs.get(at)).map_or("", String::as_str);
                    self.fault(&place, format!("`{input}`: {why}"));
                }
                Ok(played) => {
                    if let Some(why) = played.failed() {
                        self.fault(&place, format!("a program fails: {why}"));
                    }
                    // The page says of the same messages that they are "not processed yet" as long as a program can still go on.
                    if rows.iter().any(|row| row.is_lost()) && !played.world().is_end() {
                        self.fault(
                            &place,
                            "what is open is lost when all programs are over: the script ends before that",
                        );
                    }
                    let (lines, faults) = forecast::measure(&task.id, rows, played.world().watch().ledger());
                    self.report.lines.extend(lines);
                    faults.into_iter().for_each(|what| self.fault(&place, what));
                }
            },
            TaskKind::Achieve(achieve) => {
                let Some(ways) = self.source.ways.iter().find(|ways| ways.task == task.id) else { return };
                let (lines, faults) = ways::prove(lesson, achieve, ways);
                self.report.lines.extend(lines);
                faults.into_iter().for_each(|what| self.fault(&place, what));
            }
            TaskKind::Repair(repair) => {
                let Some(proofs) = self.source.proofs.iter().find(|proofs| proofs.task == task.id) else { return };
                self.say(format!("task {}: repair {}", task.id, repair.program));
                let Proven { lines, faults, broken } =
                    proofs::prove(self.source, lesson, repair, proofs, self.with_mutants);
                self.report.lines.extend(lines);
                self.report.faults.extend(faults);
                self.broken.extend(broken);
            }
            TaskKind::Handler(handling) => {
                let Some(proofs) = self.source.proofs.iter().find(|proofs| proofs.task == task.id) else { return };
                self.say(format!("task {}: write a handler", task.id));
                let (lines, faults) = handling::prove(lesson, handling, proofs, self.with_mutants);
                self.report.lines.extend(lines);
                faults.into_iter().for_each(|what| self.fault(&place, what));
            }
            TaskKind::Script(scripting) => {
                let Some(proofs) = self.source.proofs.iter().find(|proofs| proofs.task == task.id) else { return };
                self.say(format!("task {}: write a script, {} cases", task.id, scripting.cases.len()));
                let (lines, faults) = scripting::prove(lesson, scripting, proofs, self.with_mutants);
                self.report.lines.extend(lines);
                faults.into_iter().for_each(|what| self.fault(&place, what));
            }
            // Passing choices are also passing programs, and failing ones are wrong answers: both were checked there.
            TaskKind::Choose { of, fixes } => {
                self.say(format!("task {}: choose among {} of {of}", task.id, fixes.len()))
            }
        }
    }

    /// For a task with its own stage or faults: is its property broken in the recorded number of steps? The search that the page starts
    /// there uses the budget of the stage, and must find the same length.
    fn break_elsewhere(&mut self, lesson: &Lesson, place: &str, task: &Break) {
        let on_stage = lesson.on_stage(&task.stage);
        for (lesson, what) in [(lesson.broken_by(task), "the task"), (on_stage, "its stage")] {
            let Some(found) = self.search(&lesson, &lesson.budget, &task.property, what) else { continue };
            self.say(format!("{place}: {what}: {}", outcome(&found)));
            if found.steps() != usize::try_from(task.shortest).ok() {
                self.fault(place, format!("recorded are {} steps; {what}: {}", task.shortest, outcome(&found)));
            }
        }
    }

    /// Is the answer that is marked right the server's reply?
    fn prediction(&mut self, lesson: &Lesson, task: &str, played: &Played) {
        let Some(prediction) = self.source.predictions.iter().find(|prediction| prediction.task == task) else {
            return;
        };
        let place = format!("task.{task}");
        if let Some(shows) = &prediction.shows {
            let reply = played.last_reply().unwrap_or_default();
            if reply != *shows {
                self.fault(&place, format!("the last reply is {reply}, not {shows}"));
            }
            self.say(format!("task {task}: predict, shows {shows}"));
        }
        if let Some(breaks) = &prediction.breaks {
            let number = lesson.properties.iter().position(|property| property.id == *breaks);
            if !number.is_some_and(|number| played.is_broken(number)) {
                self.fault(&place, format!("`{breaks}` is not broken then"));
            }
            self.say(format!("task {task}: predict, breaks {breaks}"));
        }
        if let Some(counts) = &prediction.counts {
            match (handling::bound(counts), played.world().traffic()) {
                (Some(bound), Some(traffic)) => {
                    let figure = bound.measure(traffic);
                    self.say(format!("task {task}: predict, {counts}: {figure:?}"));
                    if !bound.holds(traffic) {
                        self.fault(&place, format!("`{counts}`: the figure is {figure:?}"));
                    }
                }
                (None, _) => self.fault(&place, format!("`{counts}` is no figure of traffic")),
                (_, None) => self.fault(&place, "there is no traffic"),
            }
        }
    }

    /// Is each property broken by some program, and satisfied by no empty program?
    fn properties(&mut self, lesson: &Lesson) {
        for (number, property) in lesson.properties.iter().enumerate() {
            let place = format!("property.{}", property.id);
            match self.searched(lesson, number, "") {
                Ok((false, false)) => self.fault(&place, "it holds of an empty program"),
                Ok((true, _)) => continue,
                Err(why) => self.fault(&place, why),
                Ok(_) => {}
            }
            if matches!(property.verdict, Verdict::Broken { .. }) || self.broken.contains(&property.id) {
                continue;
            }
            let by = self.source.broken_by.iter().find(|by| by.property == property.id);
            match by.map(|by| (&by.functions.file, self.searched(lesson, number, &by.functions.text))) {
                Some((file, Ok((true, _)))) => self.say(format!("{}: broken by {file}", property.id)),
                Some((file, Ok(_))) => self.fault(&place, format!("{file} does not break it")),
                Some((_, Err(why))) => self.fault(&place, why),
                None => self.fault(&place, "no program of the folder breaks it: name one (`broken-by`)"),
            }
        }
    }

    /// Is a property broken or untested when all clients run this text, above the frame if there is one?
    fn searched(&self, lesson: &Lesson, property: usize, text: &str) -> Result<(bool, bool), String> {
        let mut tried = lesson.clone();
        for program in &mut tried.programs {
            program.text = match repair::split(&program.text) {
                Some((_, frame)) if repair::split(text).is_none() => repair::join(text, frame),
                _ => text.to_owned(),
            };
        }
        let played = play::play(&tried, &[]).map_err(|(_, why)| why)?;
        if played.is_broken(property) {
            return Ok((true, false));
        }
        let found = play::search(&tried, &lesson.budget, property)?;
        Ok((found.steps().is_some(), found.progress.untested != 0))
    }
}

/// An outcome in words.
fn outcome(found: &SearchResult) -> String {
    let states = found.progress.states;
    match &found.outcome {
        SearchOutcome::Broken { schedule, .. } => format!("broken in {} steps ({states} states)", schedule.len()),
        SearchOutcome::Nothing { cut: None } => format!("holds in every schedule ({states} states)"),
        SearchOutcome::Nothing { cut: Some(Cut::Depth) } => {
            format!("nothing found up to depth {} ({states} states)", found.progress.depth)
        }
        SearchOutcome::Nothing { cut: Some(Cut::States | Cut::Memory | Cut::Stopped) } => {
            format!("too many states ({states})")
        }
    }
}
