//! From the compiled form to a lesson.
use super::achieve::{Achieve, Check, WrongWay};
use super::forecast::{FATES, Row};
use super::repair::{Fix, Repair, Variation, Wrong};
use super::write::WHAT;
use super::{
    Break, Budget, Cast, Choice, Lesson, Panel, Program, Property, Section, Stage, Step, Task, TaskKind, Verdict,
};
use crate::packed::{self, Pieces, Unreadable};

impl Lesson {
    /// Reads the compiled form.
    ///
    /// # Errors
    /// [`Unreadable`]
    pub fn read(text: &str) -> Result<Lesson, Unreadable> {
        let mut lesson = Lesson::default();
        let mut pieces = Pieces::of(packed::open(text, WHAT)?);
        while let Some((name, value)) = pieces.piece()? {
            match name {
                "track" => lesson.track = value.to_owned(),
                "id" => lesson.id = value.to_owned(),
                "title" => lesson.title = value.to_owned(),
                "summary" => lesson.summary = value.to_owned(),
                "panel" => lesson.panels.push(Panel::named(value).ok_or(Unreadable::Damaged)?),
                "section" => lesson.sections.push(read_section(value)?),
                "flow" => lesson.flow.push(value.to_owned()),
                "program" => lesson.programs.push(read_program(value)?),
                "cast" => lesson.cast.push(read_cast(value)?),
                "node" => lesson.nodes.push(value.to_owned()),
                "setup" => lesson.setup.push(value.to_owned()),
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

fn read_number(text: &str) -> Result<u32, Unreadable> {
    text.parse().map_err(|_| Unreadable::Damaged)
}

fn read_section(text: &str) -> Result<Section, Unreadable> {
    let mut section = Section::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => section.id = value.to_owned(),
            "title" => section.title = value.to_owned(),
            "html" => section.html = value.to_owned(),
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
            "name" => program.name = value.to_owned(),
            "text" => program.text = value.to_owned(),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(program)
}

fn read_cast(text: &str) -> Result<Cast, Unreadable> {
    let mut cast = Cast::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "name" => cast.name = value.to_owned(),
            "program" => cast.program = value.to_owned(),
            "count" => cast.count = read_number(value)?,
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(cast)
}

fn read_stage(text: &str) -> Result<Stage, Unreadable> {
    let mut stage = Stage::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => stage.id = value.to_owned(),
            "cast" => stage.cast.push(read_cast(value)?),
            "node" => stage.nodes.push(value.to_owned()),
            "setup" => stage.setup.push(value.to_owned()),
            "budget" => stage.budget = read_budget(value)?,
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(stage)
}

fn read_property(text: &str) -> Result<Property, Unreadable> {
    let mut property = Property::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => property.id = value.to_owned(),
            "title" => property.title = value.to_owned(),
            "text" => property.text = value.to_owned(),
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
    // Those that are not said are 0.
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
            "id" => step.id = value.to_owned(),
            "title" => step.title = value.to_owned(),
            "html" => step.html = value.to_owned(),
            "input" => step.inputs.push(value.to_owned()),
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
            "id" => task.id = value.to_owned(),
            "title" => task.title = value.to_owned(),
            "html" => task.html = value.to_owned(),
            "hint" => task.hints.push(value.to_owned()),
            "solution" => task.solution = value.to_owned(),
            "break" => task.kind = read_break(value)?,
            "achieve" => task.kind = TaskKind::Achieve(read_achieve(value)?),
            "repair" => task.kind = TaskKind::Repair(read_repair(value)?),
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
            "property" => task.property = value.to_owned(),
            "par" => task.par = read_number(value)?,
            "stage" => task.stage = value.to_owned(),
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
            "html" => check.html = value.to_owned(),
            "claim" => check.claim = value.to_owned(),
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
            "title" => wrong.title = value.to_owned(),
            "html" => wrong.html = value.to_owned(),
            "claim" => wrong.claims.push(value.to_owned()),
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
            "program" => repair.program = value.to_owned(),
            "start" => repair.start = value.to_owned(),
            "solution" => repair.solution = value.to_owned(),
            "wrong" => repair.wrong.push(read_wrong(value)?),
            "variation" => repair.variations.push(read_variation(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(repair)
}

fn read_wrong(text: &str) -> Result<Wrong, Unreadable> {
    let mut wrong = Wrong::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "variation" => wrong.variation = value.to_owned(),
            "property" => wrong.property = value.to_owned(),
            "way" => wrong.way = value.to_owned(),
            "title" => wrong.title = value.to_owned(),
            "html" => wrong.html = value.to_owned(),
            "text" => wrong.text = value.to_owned(),
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
            "id" => variation.id = value.to_owned(),
            "title" => variation.title = value.to_owned(),
            "frame" => variation.frame = value.to_owned(),
            "setup" => variation.setup.push(value.to_owned()),
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
            "of" => of = value.to_owned(),
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
            "title" => fix.title = value.to_owned(),
            "html" => fix.html = value.to_owned(),
            "text" => fix.text = value.to_owned(),
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
            "html" => choice.html = value.to_owned(),
            "reply" => choice.reply = value.to_owned(),
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
            "after" => after.push(value.to_owned()),
            "then" => then.push(value.to_owned()),
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
            "input" => inputs.push(value.to_owned()),
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
            "key" => row.key = value.to_owned(),
            "title" => row.title = value.to_owned(),
            "expect" => {
                let fate = FATES.iter().zip(&mut row.expect).find(|(fate, _)| **fate == value);
                *fate.ok_or(Unreadable::Damaged)?.1 = true;
            }
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(row)
}
