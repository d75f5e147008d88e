//! Repairs and choices in a lesson's source: functions, frames, variations, and the data for the proofs of `lesson check`.
use super::folder::{Programs, property, text_of};
use super::text::Text;
use super::toml_file::{LessonToml, Lines, PropertyToml, Spanned, TaskToml, VariationToml, WrongToml};
use super::{BrokenBy, Cheat, Functions, Harmless, Mistake, Proofs};
use crate::repair::{self, DEPTH_MAX, Fix, Repair, Variation, Wrong};
use crate::{Budget, Property, TaskKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// The id of the text about failing functions.
pub fn wrong_id(task: &str, program: &str) -> String {
    let name = stem(program);
    format!("{task}.wrong-{}", name.strip_prefix("wrong-").unwrap_or(name))
}

/// The id of the text about passing functions in a *choose* task.
pub fn right_id(task: &str, program: &str) -> String {
    format!("{task}.right-{}", stem(program))
}

/// The file name of a program without its extension.
pub fn stem(program: &str) -> &str {
    program.strip_suffix(".lua").unwrap_or(program)
}

/// The functions of a file: the part above the frame, or the whole file.
fn functions(text: &str) -> &str {
    repair::split(text).map_or(text, |(functions, _)| functions)
}

/// The frame of a file: the part below the mark, or the whole file.
fn frame(text: &str) -> &str {
    repair::split(text).map_or(text, |(_, frame)| frame)
}

/// All files named by tasks and properties, with their positions.
pub fn files(toml: &LessonToml) -> impl Iterator<Item = (Range<usize>, &str)> {
    let tasks = toml.tasks.iter().flat_map(|task| {
        let named = task.program.iter().chain(&task.start);
        let right = task.right.iter().flat_map(|right| right.as_ref());
        let failing = task.wrong.iter().chain(&task.cheats).flat_map(|all| all.as_ref());
        let failing = failing.filter_map(|wrong| wrong.program.as_ref());
        let frames = task.variations.iter().filter_map(|variation| variation.frame.as_ref());
        named.chain(right).chain(failing).chain(frames)
    });
    let broken_by = toml.properties.iter().chain(&toml.checks).filter_map(|property| property.broken_by.as_ref());
    let named = tasks.chain(broken_by).map(|name| (name.span(), name.as_ref().as_str()));
    let solutions = toml.tasks.iter().filter_map(|task| task.solution.as_ref());
    named.chain(solutions.filter_map(|solution| Some((solution.span(), solution.as_ref().file()?))))
}

/// The repair of a *choose* task.
fn repair_of<'a>(toml: &'a LessonToml, task: &TaskToml) -> Option<&'a TaskToml> {
    let of = task.of.as_ref()?.as_ref();
    toml.tasks.iter().find(|other| other.id.as_ref() == of && other.kind.as_ref() == "repair")
}

/// The passing files of a repair.
fn passing(repair: &TaskToml) -> impl Iterator<Item = &str> {
    let right = repair.right.iter().flat_map(|right| right.as_ref());
    let solution = repair.solution.iter().filter_map(|solution| solution.as_ref().file());
    solution.chain(right.map(|name| name.as_ref().as_str()))
}

/// The passing files among the choices.
pub fn surviving<'a>(toml: &'a LessonToml, task: &'a TaskToml) -> impl Iterator<Item = &'a str> {
    let right: Vec<&str> = repair_of(toml, task).into_iter().flat_map(passing).collect();
    let choices = task.choices.iter().flat_map(|choices| choices.as_ref()).map(|choice| choice.as_ref().as_str());
    choices.filter(move |choice| right.contains(choice))
}

/// Checks that everything named by repairs and choices exists.
pub fn check(toml: &LessonToml, lines: &Lines, programs: &Programs, faults: &mut Vec<Mistake>) {
    let text = |name: &str| programs.get(name).and_then(|texts| texts.first()).map(String::as_str).unwrap_or_default();
    for task in &toml.tasks {
        let program = text_of(task.program.as_ref());
        if task.kind.as_ref() == "repair" && programs.contains_key(&program) && repair::split(text(&program)).is_none()
        {
            let what = format!("`{program}` has no line `{}` between functions and frame", repair::FRAME_MARK);
            faults.push(lines.fault(task.kind.span(), what));
        }
        check_variations(toml, task, lines, &text, faults);
        if task.kind.as_ref() == "choose" {
            check_choices(toml, task, lines, faults);
        }
    }
    for property in toml.checks.iter().filter(|check| check.broken.is_some()) {
        faults.push(lines.fault(property.id.span(), "what only variations watch has no `broken`"));
    }
}

fn check_variations<'a>(
    toml: &LessonToml,
    task: &TaskToml,
    lines: &Lines,
    text: &impl Fn(&str) -> &'a str,
    faults: &mut Vec<Mistake>,
) {
    let known: BTreeSet<&str> =
        toml.properties.iter().chain(&toml.checks).map(|property| property.id.as_ref().as_str()).collect();
    let failing = || task.wrong.iter().chain(&task.cheats).flat_map(|all| all.as_ref());
    let properties = task.properties.iter().chain(task.variations.iter().filter_map(|one| one.properties.as_ref()));
    for property in properties.flatten().chain(failing().filter_map(|wrong| wrong.property.as_ref())) {
        if !known.contains(property.as_ref().as_str()) {
            faults.push(lines.fault(property.span(), format!("there is no property `{}`", property.as_ref())));
        }
    }
    let mut ids = BTreeSet::new();
    for variation in &task.variations {
        if !ids.insert(variation.id.as_ref().as_str()) {
            let what = format!("there is a variation `{}` already", variation.id.as_ref());
            faults.push(lines.fault(variation.id.span(), what));
        }
        let file = text_of(variation.frame.as_ref().or(task.program.as_ref()));
        for name in variation.set.keys().filter(|name| with(frame(text(&file)), name.as_ref(), "").is_none()) {
            let what = format!("the frame has no line `local {} = …`", name.as_ref());
            faults.push(lines.fault(name.span(), what));
        }
    }
    for variation in failing().filter_map(|wrong| wrong.variation.as_ref()) {
        if !ids.contains(variation.as_ref().as_str()) {
            faults.push(lines.fault(variation.span(), format!("there is no variation `{}`", variation.as_ref())));
        }
    }
}

fn check_choices(toml: &LessonToml, task: &TaskToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    let Some(repair) = repair_of(toml, task) else {
        if let Some(of) = &task.of {
            faults.push(lines.fault(of.span(), format!("there is no task `{}` of kind repair", of.as_ref())));
        }
        return;
    };
    let wrong = repair.wrong.iter().flat_map(|wrong| wrong.as_ref()).filter_map(|wrong| wrong.program.as_ref());
    let known: Vec<&str> = passing(repair).chain(wrong.map(|name| name.as_ref().as_str())).collect();
    let choices = || task.choices.iter().flat_map(|choices| choices.as_ref());
    for choice in choices().filter(|choice| !known.contains(&choice.as_ref().as_str())) {
        let what = format!("`{}` is neither right nor wrong in `{}`", choice.as_ref(), repair.id.as_ref());
        faults.push(lines.fault(choice.span(), what));
    }
    let survivors = surviving(toml, task).count();
    if survivors == 0 || survivors == choices().count() {
        faults.push(lines.fault(task.kind.span(), "some of the choices survive, and some do not"));
    }
}

/// A frame with another value for a local variable; `None` if the frame has no such line.
fn with(frame: &str, name: &str, value: &str) -> Option<String> {
    let head = format!("local {name} = ");
    let mut is_there = false;
    let lines = frame.split_inclusive('\n').map(|line| {
        if is_there || !line.starts_with(&head) {
            return line.to_owned();
        }
        is_there = true;
        format!("{head}{value}\n")
    });
    let text = lines.collect();
    is_there.then_some(text)
}

/// Builds the repairs and choices in one language.
pub struct Maker<'a> {
    pub language: usize,
    pub toml: &'a LessonToml,
    pub text: &'a Text,
    pub programs: &'a Programs,
}

impl Maker<'_> {
    pub fn program(&self, name: &str) -> &str {
        self.programs.get(name).and_then(|texts| texts.get(self.language)).map(String::as_str).unwrap_or_default()
    }

    fn functions(&self, name: &str) -> String {
        functions(self.program(name)).to_owned()
    }

    pub fn repair(&self, task: &TaskToml) -> Repair {
        let program = text_of(task.program.as_ref());
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref()).map(|wrong| self.wrong(task, wrong));
        Repair {
            start: self.functions(&text_of(task.start.as_ref().or(task.program.as_ref()))),
            solution: self.functions(solution_of(task)),
            wrong: wrong.collect(),
            variations: task.variations.iter().map(|variation| self.variation(task, variation)).collect(),
            program: stem(&program).to_owned(),
        }
    }

    pub fn wrong(&self, task: &TaskToml, wrong: &WrongToml) -> Wrong {
        let program = text_of(wrong.program.as_ref());
        let (title, html) = self.text.piece(&wrong_id(task.id.as_ref(), &program));
        Wrong {
            variation: variation_of(task, wrong),
            property: text_of(wrong.property.as_ref()),
            way: wrong.way.clone(),
            title,
            html,
            text: self.functions(&program),
        }
    }

    fn variation(&self, task: &TaskToml, variation: &VariationToml) -> Variation {
        let file = text_of(variation.frame.as_ref().or(task.program.as_ref()));
        let set = variation.set.iter();
        let frame = set.fold(frame(self.program(&file)).to_owned(), |frame, (name, value)| {
            with(&frame, name.as_ref(), value).unwrap_or(frame)
        });
        Variation {
            id: variation.id.as_ref().clone(),
            title: variation.title.of(self.language).to_owned(),
            frame,
            setup: variation.setup.clone().unwrap_or_else(|| self.toml.setup.clone()),
            seed: variation.seed,
            budget: Budget { clients: variation.clients, faults: variation.faults, depth: DEPTH_MAX },
            properties: self.properties(variation.properties.as_ref().or(task.properties.as_ref())),
        }
    }

    /// The properties with these ids.
    pub fn properties(&self, named: Option<&Vec<Spanned<String>>>) -> Vec<Property> {
        let all = || self.toml.properties.iter().chain(&self.toml.checks);
        let find = |id: &Spanned<String>| all().find(|found: &&PropertyToml| found.id.as_ref() == id.as_ref());
        let properties = named.into_iter().flatten().filter_map(find);
        properties.map(|found| property(found, self.language)).collect()
    }

    pub fn choose(&self, task: &TaskToml) -> TaskKind {
        let survivors: Vec<&str> = surviving(self.toml, task).collect();
        let of = text_of(task.of.as_ref());
        let fix = |choice: &Spanned<String>| {
            let name = choice.as_ref().as_str();
            let survives = survivors.contains(&name);
            let id = if survives { right_id(task.id.as_ref(), name) } else { wrong_id(&of, name) };
            let (title, html) = self.text.piece(&id);
            Fix { title, html, text: self.functions(name), survives }
        };
        let fixes = task.choices.iter().flat_map(|choices| choices.as_ref()).map(fix).collect();
        TaskKind::Choose { of, fixes }
    }
}

/// The file of a repair's solution.
fn solution_of(task: &TaskToml) -> &str {
    task.solution.as_ref().and_then(|solution| solution.as_ref().file()).unwrap_or_default()
}

/// The first variation in which the functions fail: the named one, or the first one.
fn variation_of(task: &TaskToml, wrong: &WrongToml) -> String {
    text_of(wrong.variation.as_ref().or(task.variations.first().map(|variation| &variation.id)))
}

/// The data for the proofs of `lesson check`, for each repair.
pub fn proofs(toml: &LessonToml, programs: &Programs) -> Vec<Proofs> {
    let named = |name: &str| {
        let text = programs.get(name).and_then(|texts| texts.first()).map(String::as_str).unwrap_or_default();
        Functions { file: name.to_owned(), text: functions(text).to_owned() }
    };
    let repairs = toml
        .tasks
        .iter()
        .filter(|task| ["repair", "handler", "script"].contains(&task.kind.as_ref().as_str()))
        .map(|task| {
            let cheat = |cheat: &WrongToml| Cheat {
                functions: named(&text_of(cheat.program.as_ref())),
                variation: variation_of(task, cheat),
                property: text_of(cheat.property.as_ref()),
            };
            let solution = solution_of(task).to_owned();
            Proofs {
                task: task.id.as_ref().clone(),
                passing: passing(task).map(named).collect(),
                cheats: task.cheats.iter().flat_map(|cheats| cheats.as_ref()).map(cheat).collect(),
                harmless: task
                    .harmless
                    .iter()
                    .map(|harmless| Harmless {
                        file: harmless.program.as_ref().map_or_else(|| solution.clone(), |name| name.as_ref().clone()),
                        line: harmless.line.as_ref().clone(),
                        what: harmless.what.clone(),
                        why: harmless.why.clone(),
                    })
                    .collect(),
            }
        });
    repairs.collect()
}

/// Programs that break properties on the stage that the lesson's own programs keep.
pub fn broken_by(toml: &LessonToml, programs: &Programs) -> Vec<BrokenBy> {
    let all = toml.properties.iter().filter_map(|property| {
        let file = property.broken_by.as_ref()?.as_ref();
        let text = programs.get(file).and_then(|texts| texts.first())?;
        let functions = Functions { file: file.clone(), text: text.clone() };
        Some(BrokenBy { property: property.id.as_ref().clone(), functions })
    });
    all.collect()
}
