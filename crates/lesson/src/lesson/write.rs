//! Encodes lessons.
use super::achieve::{Achieve, Check, WrongWay};
use super::forecast::{FATES, Row};
use super::handling::{Handling, Load};
use super::repair::{Fix, Repair, Variation, Wrong};
use super::{Break, Budget, Choice, ClientGroup, Lesson, Property, Section, Stage, Step, Task, TaskKind, Verdict};
use crate::packed::{self, Writer};

/// The format name in the header of compiled lessons.
pub const WHAT: &str = "lockstep-lesson";

impl Lesson {
    /// Encodes the lesson.
    pub fn write(&self) -> String {
        let mut writer = Writer::default();
        writer.put("track", &self.track);
        writer.put("id", &self.id);
        writer.put("title", &self.title);
        writer.put("summary", &self.summary);
        self.panels.iter().for_each(|panel| writer.put("panel", panel.name()));
        self.sections.iter().for_each(|section| writer.group("section", |writer| write_section(writer, section)));
        for program in &self.programs {
            writer.group("program", |writer| {
                writer.put("name", &program.name);
                writer.put("text", &program.text);
            });
        }
        self.clients.iter().for_each(|clients| writer.group("clients", |writer| write_cast(writer, clients)));
        writer.put_all("node", &self.nodes);
        writer.put_all("setup", &self.setup);
        if !self.traffic.is_empty() {
            writer.put("traffic", &self.traffic);
        }
        writer.put_all("flow", &self.flow);
        self.properties.iter().for_each(|property| writer.group("property", |writer| write_property(writer, property)));
        writer.put("budget", &budget(&self.budget));
        self.stages.iter().for_each(|stage| writer.group("stage", |writer| write_stage(writer, stage)));
        self.story.iter().for_each(|step| writer.group("step", |writer| write_step(writer, step)));
        self.tasks.iter().for_each(|task| writer.group("task", |writer| write_task(writer, task)));
        packed::close(WHAT, &writer.finish())
    }
}

fn write_cast(writer: &mut Writer, clients: &ClientGroup) {
    writer.put("name", &clients.name);
    writer.put("program", &clients.program);
    writer.put("count", &clients.count.to_string());
}

fn write_stage(writer: &mut Writer, stage: &Stage) {
    writer.put("id", &stage.id);
    stage.clients.iter().for_each(|clients| writer.group("clients", |writer| write_cast(writer, clients)));
    writer.put_all("node", &stage.nodes);
    writer.put_all("setup", &stage.setup);
    writer.put("budget", &budget(&stage.budget));
}

fn write_break(writer: &mut Writer, Break { property, shortest, stage, faults }: &Break) {
    writer.put("property", property);
    writer.put("shortest", &shortest.to_string());
    if !stage.is_empty() {
        writer.put("stage", stage);
    }
    if let Some(faults) = *faults {
        writer.put("budget", &budget(&Budget { faults, ..Budget::default() }));
    }
}

fn write_section(writer: &mut Writer, section: &Section) {
    writer.put("id", &section.id);
    writer.put("title", &section.title);
    writer.put("html", &section.html);
}

fn write_step(writer: &mut Writer, step: &Step) {
    writer.put("id", &step.id);
    writer.put("title", &step.title);
    writer.put("html", &step.html);
    writer.put_all("input", &step.inputs);
}

fn write_task(writer: &mut Writer, task: &Task) {
    writer.put("id", &task.id);
    writer.put("title", &task.title);
    writer.put("html", &task.html);
    writer.put_all("hint", &task.hints);
    writer.put("solution", &task.solution);
    match &task.kind {
        TaskKind::Break(task) => writer.group("break", |writer| write_break(writer, task)),
        TaskKind::Achieve(achieve) => writer.group("achieve", |writer| write_achieve(writer, achieve)),
        TaskKind::Repair(repair) => writer.group("repair", |writer| write_repair(writer, repair)),
        TaskKind::Handler(handling) => writer.group("handler", |writer| write_handling(writer, handling)),
        TaskKind::Choose { of, fixes } => writer.group("choose", |writer| {
            writer.put("of", of);
            fixes.iter().for_each(|fix| writer.group("fix", |writer| write_fix(writer, fix)));
        }),
        TaskKind::Predict { after, then, choices } => writer.group("predict", |writer| {
            writer.put_all("after", after);
            writer.put_all("then", then);
            choices.iter().for_each(|Choice { html, reply, is_right }| {
                writer.group(if *is_right { "right" } else { "choice" }, |writer| {
                    writer.put("html", html);
                    writer.put("reply", reply);
                });
            });
        }),
        TaskKind::Forecast { inputs, rows } => writer.group("forecast", |writer| {
            writer.put_all("input", inputs);
            rows.iter().for_each(|Row { key, title, expect }| {
                writer.group("row", |writer| {
                    writer.put("key", key);
                    writer.put("title", title);
                    let fates = FATES.iter().zip(expect).filter(|(_, is_expected)| **is_expected);
                    fates.for_each(|(fate, _)| writer.put("expect", fate));
                });
            });
        }),
    }
}

fn write_achieve(writer: &mut Writer, Achieve { checks, wrong }: &Achieve) {
    checks.iter().for_each(|Check { html, claim }| {
        writer.group("check", |writer| {
            writer.put("html", html);
            writer.put("claim", claim);
        });
    });
    wrong.iter().for_each(|WrongWay { title, html, claims }| {
        writer.group("wrong", |writer| {
            writer.put("title", title);
            writer.put("html", html);
            writer.put_all("claim", claims);
        });
    });
}

fn write_property(writer: &mut Writer, property: &Property) {
    writer.put("id", &property.id);
    writer.put("title", &property.title);
    writer.put("text", &property.text);
    if let Verdict::Broken { steps } = property.verdict {
        writer.put("broken", &steps.to_string());
    }
}

fn write_repair(writer: &mut Writer, repair: &Repair) {
    writer.put("program", &repair.program);
    writer.put("start", &repair.start);
    writer.put("solution", &repair.solution);
    repair.wrong.iter().for_each(|wrong| writer.group("wrong", |writer| write_wrong(writer, wrong)));
    repair.variations.iter().for_each(|variation| {
        writer.group("variation", |writer| write_variation(writer, variation));
    });
}

fn write_handling(writer: &mut Writer, handling: &Handling) {
    writer.put("start", &handling.start);
    writer.put("solution", &handling.solution);
    handling.wrong.iter().for_each(|wrong| writer.group("wrong", |writer| write_wrong(writer, wrong)));
    handling.variations.iter().for_each(|load| writer.group("variation", |writer| write_load(writer, load)));
}

fn write_load(writer: &mut Writer, load: &Load) {
    writer.put("id", &load.id);
    writer.put("title", &load.title);
    writer.put_all("node", &load.nodes);
    writer.put_all("setup", &load.setup);
    writer.put("traffic", &load.traffic);
    writer.put_all("input", &load.inputs);
    load.bounds.iter().for_each(|bound| writer.group("bound", |writer| write_property(writer, bound)));
}

fn write_variation(writer: &mut Writer, variation: &Variation) {
    writer.put("id", &variation.id);
    writer.put("title", &variation.title);
    writer.put("frame", &variation.frame);
    writer.put_all("setup", &variation.setup);
    writer.put("seed", &variation.seed.to_string());
    writer.put("budget", &budget(&variation.budget));
    let properties = variation.properties.iter();
    properties.for_each(|property| writer.group("property", |writer| write_property(writer, property)));
}

fn write_fix(writer: &mut Writer, fix: &Fix) {
    writer.put("title", &fix.title);
    writer.put("html", &fix.html);
    writer.put("text", &fix.text);
    writer.put("survives", if fix.survives { "yes" } else { "no" });
}

fn write_wrong(writer: &mut Writer, wrong: &Wrong) {
    writer.put("variation", &wrong.variation);
    writer.put("property", &wrong.property);
    writer.put("way", &wrong.way);
    writer.put("title", &wrong.title);
    writer.put("html", &wrong.html);
    writer.put("text", &wrong.text);
}

/// Clients, depth, and the fault counts in order, without trailing zeros.
fn budget(budget: &Budget) -> String {
    let mut faults = budget.faults;
    let faults = faults.in_order().map(|count| *count);
    let said = faults.iter().rposition(|count| *count > 0).map_or(0, |last| last.saturating_add(1));
    let numbers = [budget.clients, budget.depth].into_iter().chain(faults.into_iter().take(said));
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}
