//! Decodes compiled lessons.
use super::achieve::{Achieve, Check, WrongWay};
use super::forecast::{FATES, Row};
use super::handling;
use super::repair::{Fix, Repair, Variation, Wrong};
use super::write::WHAT;
use super::{
    Break, Budget, Choice, ClientGroup, Lesson, Panel, Program, Property, Section, Stage, Step, Task, TaskKind, Verdict,
};
use crate::packed::{self, Pieces, Unreadable};

impl Lesson {
    /// Decodes a compiled lesson.
    ///
    /// # Errors
    /// [`Unreadable`]
    pub fn read(text: &str) -> Result<Lesson, Unreadable> {
        let mut lesson = Lesson::default();
        let mut pieces = Pieces::of(packed::open(text, WHAT)?);
        while let Some((name, value)) = pieces.piece()? {
            match name {
                "track" => set(&mut lesson.track, value),
                "id" => set(&mut lesson.id, value),
                "title" => set(&mut lesson.title, value),
                "summary" => set(&mut lesson.summary, value),
                "panel" => lesson.panels.push(Panel::named(value).ok_or(Unreadable::Damaged)?),
                "section" => lesson.sections.push(read_section(value)?),
                "flow" => add(&mut lesson.flow, value),
                "program" => lesson.programs.push(read_program(value)?),
                "clients" => lesson.clients.push(read_cast(value)?),
                "node" => add(&mut lesson.nodes, value),
                "setup" => add(&mut lesson.setup, value),
                "traffic" => set(&mut lesson.traffic, value),
                "property" => lesson.properties.push(read_property(value)?),
                "budget" => lesson.budget = read_budget(value)?,
                "stage" => lesson.stages.push(read_stage(value)?),
                "step" => lesson.story.push(read_step(value)?),
                "task" => lesson.tasks.push(read_task(value)?),
                _ => return Err(Unreadable::Damaged),
            }
        }
        Ok(lesson)
    }
}

// Text fields are set in a hundred places; a shared function keeps the page small.
#[inline(never)]
pub(super) fn set(to: &mut String, value: &str) {
    value.clone_into(to);
}

#[inline(never)]
pub(super) fn add(to: &mut Vec<String>, value: &str) {
    to.push(value.to_owned());
}

fn read_number(text: &str) -> Result<u32, Unreadable> {
    text.parse().map_err(|_| Unreadable::Damaged)
}

fn read_section(text: &str) -> Result<Section, Unreadable> {
    let mut section = Section::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut section.id, value),
            "title" => set(&mut section.title, value),
            "html" => set(&mut section.html, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(section)
}

fn read_program(text: &str) -> Result<Program, Unreadable> {
    let mut program = Program::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "name" => set(&mut program.name, value),
            "text" => set(&mut program.text, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(program)
}

fn read_cast(text: &str) -> Result<ClientGroup, Unreadable> {
    let mut clients = ClientGroup::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "name" => set(&mut clients.name, value),
            "program" => set(&mut clients.program, value),
            "count" => clients.count = read_number(value)?,
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(clients)
}

fn read_stage(text: &str) -> Result<Stage, Unreadable> {
    let mut stage = Stage::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut stage.id, value),
            "clients" => stage.clients.push(read_cast(value)?),
            "node" => add(&mut stage.nodes, value),
            "setup" => add(&mut stage.setup, value),
            "budget" => stage.budget = read_budget(value)?,
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(stage)
}

pub(super) fn read_property(text: &str) -> Result<Property, Unreadable> {
    let mut property = Property::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut property.id, value),
            "title" => set(&mut property.title, value),
            "text" => set(&mut property.text, value),
            "broken" => property.verdict = Verdict::Broken { steps: read_number(value)? },
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(property)
}

fn read_budget(text: &str) -> Result<Budget, Unreadable> {
    let mut numbers = text.split(' ').map(read_number);
    let mut next = || numbers.next().ok_or(Unreadable::Damaged)?;
    let mut budget = Budget { clients: next()?, depth: next()?, ..Budget::default() };
    // Missing counts are 0.
    for (fault, number) in budget.faults.in_order().into_iter().zip(&mut numbers) {
        *fault = number?;
    }
    if numbers.next().is_some() { Err(Unreadable::Damaged) } else { Ok(budget) }
}

fn read_step(text: &str) -> Result<Step, Unreadable> {
    let mut step = Step::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut step.id, value),
            "title" => set(&mut step.title, value),
            "html" => set(&mut step.html, value),
            "input" => add(&mut step.inputs, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(step)
}

fn read_task(text: &str) -> Result<Task, Unreadable> {
    let mut task = Task::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut task.id, value),
            "title" => set(&mut task.title, value),
            "html" => set(&mut task.html, value),
            "hint" => add(&mut task.hints, value),
            "solution" => set(&mut task.solution, value),
            "break" => task.kind = read_break(value)?,
            "achieve" => task.kind = TaskKind::Achieve(read_achieve(value)?),
            "repair" => task.kind = TaskKind::Repair(read_repair(value)?),
            "handler" => task.kind = TaskKind::Handler(handling::read(value)?),
            "choose" => task.kind = read_choose(value)?,
            "predict" => task.kind = read_predict(value)?,
            "forecast" => task.kind = read_forecast(value)?,
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(task)
}

fn read_break(text: &str) -> Result<TaskKind, Unreadable> {
    let mut task = Break::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "property" => set(&mut task.property, value),
            "shortest" => task.shortest = read_number(value)?,
            "stage" => set(&mut task.stage, value),
            "budget" => task.faults = Some(read_budget(value)?.faults),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(TaskKind::Break(task))
}

fn read_achieve(text: &str) -> Result<Achieve, Unreadable> {
    let mut achieve = Achieve::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "check" => achieve.checks.push(read_check(value)?),
            "wrong" => achieve.wrong.push(read_wrong_way(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(achieve)
}

fn read_check(text: &str) -> Result<Check, Unreadable> {
    let mut check = Check::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "html" => set(&mut check.html, value),
            "claim" => set(&mut check.claim, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(check)
}

fn read_wrong_way(text: &str) -> Result<WrongWay, Unreadable> {
    let mut wrong = WrongWay::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "title" => set(&mut wrong.title, value),
            "html" => set(&mut wrong.html, value),
            "claim" => add(&mut wrong.claims, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(wrong)
}

fn read_repair(text: &str) -> Result<Repair, Unreadable> {
    let mut repair = Repair::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "program" => set(&mut repair.program, value),
            "start" => set(&mut repair.start, value),
            "solution" => set(&mut repair.solution, value),
            "wrong" => repair.wrong.push(read_wrong(value)?),
            "variation" => repair.variations.push(read_variation(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(repair)
}

pub(super) fn read_wrong(text: &str) -> Result<Wrong, Unreadable> {
    let mut wrong = Wrong::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "variation" => set(&mut wrong.variation, value),
            "property" => set(&mut wrong.property, value),
            "way" => set(&mut wrong.way, value),
            "title" => set(&mut wrong.title, value),
            "html" => set(&mut wrong.html, value),
            "text" => set(&mut wrong.text, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(wrong)
}

fn read_variation(text: &str) -> Result<Variation, Unreadable> {
    let mut variation = Variation::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut variation.id, value),
            "title" => set(&mut variation.title, value),
            "frame" => set(&mut variation.frame, value),
            "setup" => add(&mut variation.setup, value),
            "seed" => variation.seed = value.parse().map_err(|_| Unreadable::Damaged)?,
            "budget" => variation.budget = read_budget(value)?,
            "property" => variation.properties.push(read_property(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(variation)
}

fn read_choose(text: &str) -> Result<TaskKind, Unreadable> {
    let (mut of, mut fixes) = (String::new(), Vec::new());
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "of" => set(&mut of, value),
            "fix" => fixes.push(read_fix(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(TaskKind::Choose { of, fixes })
}

fn read_fix(text: &str) -> Result<Fix, Unreadable> {
    let mut fix = Fix::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "title" => set(&mut fix.title, value),
            "html" => set(&mut fix.html, value),
            "text" => set(&mut fix.text, value),
            "survives" if matches!(value, "yes" | "no") => fix.survives = value == "yes",
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(fix)
}

fn read_choice(text: &str, is_right: bool) -> Result<Choice, Unreadable> {
    let mut choice = Choice { is_right, ..Choice::default() };
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "html" => set(&mut choice.html, value),
            "reply" => set(&mut choice.reply, value),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(choice)
}

fn read_predict(text: &str) -> Result<TaskKind, Unreadable> {
    let (mut after, mut then, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "after" => add(&mut after, value),
            "then" => add(&mut then, value),
            "right" | "choice" => choices.push(read_choice(value, name == "right")?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(TaskKind::Predict { after, then, choices })
}

fn read_forecast(text: &str) -> Result<TaskKind, Unreadable> {
    let (mut inputs, mut rows) = (Vec::new(), Vec::new());
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "input" => add(&mut inputs, value),
            "row" => rows.push(read_row(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(TaskKind::Forecast { inputs, rows })
}

fn read_row(text: &str) -> Result<Row, Unreadable> {
    let mut row = Row::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "key" => set(&mut row.key, value),
            "title" => set(&mut row.title, value),
            "expect" => {
                let fate = FATES.iter().zip(&mut row.expect).find(|(fate, _)| **fate == value);
                *fate.ok_or(Unreadable::Damaged)?.1 = true;
            }
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(row)
}
