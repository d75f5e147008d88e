//! Traffic in a lesson's source: handlers are referenced by file name, in session lines and in handler tasks.
use super::folder::{Programs, text_of};
use super::repairs::Maker;
use super::toml_file::{LessonToml, Lines, Spanned, TaskToml, VariationToml};
use super::{Mistake, toml_file};
use crate::handling::{Handling, Load, with_handler};
use crate::lesson::opening::quoted;
use std::ops::Range;

/// Separator before the handler's file name in a line.
const HANDLER: &str = " lua ";
/// Placeholder in a line for the lesson's own traffic settings, without its handler.
const TRAFFIC: &str = "{traffic}";

/// The handler's file at the end of a line such as `@traffic begin rate 50 lua cache-aside.lua`, and the text before it.
fn handler_of(line: &str) -> Option<(&str, &str)> {
    let (before, file) = line.rsplit_once(HANDLER)?;
    (line.starts_with("@traffic begin ") && file.ends_with(".lua") && !file.contains('"')).then_some((before, file))
}

/// A line with the placeholder and the handler's file name replaced by their texts.
pub fn expanded(toml: &LessonToml, programs: &Programs, language: usize, line: &str) -> String {
    let traffic = toml.traffic.as_ref().map_or("", |traffic| traffic.as_ref().as_str());
    let line = if line.starts_with("@traffic ") { line.replace(TRAFFIC, traffic) } else { line.to_owned() };
    match handler_of(&line) {
        Some((before, file)) => format!("{before}{HANDLER}{}", quoted(program(programs, file, language))),
        None => line,
    }
}

fn program<'a>(programs: &'a Programs, file: &str, language: usize) -> &'a str {
    programs.get(file).and_then(|texts| texts.get(language)).map(String::as_str).unwrap_or_default()
}

/// The lesson's own traffic with its handler; empty if it has none.
pub fn of_lesson(toml: &LessonToml, programs: &Programs, language: usize) -> String {
    let Some(traffic) = &toml.traffic else { return String::new() };
    with_handler(traffic.as_ref(), program(programs, &text_of(toml.handler.as_ref()), language))
}

/// All files named by traffic, with their positions.
pub fn files(toml: &LessonToml) -> Vec<(Range<usize>, String)> {
    let mut files: Vec<(Range<usize>, String)> =
        toml.handler.iter().map(|file| (file.span(), file.as_ref().clone())).collect();
    let mut add = |span: Range<usize>, lines: &[String]| {
        let named = lines.iter().filter_map(|line| handler_of(line));
        files.extend(named.map(|(_, file)| (span.clone(), file.to_owned())));
    };
    for step in &toml.steps {
        add(step.id.span(), &step.inputs);
    }
    for task in &toml.tasks {
        for lines in [&task.after, &task.then, &task.inputs].into_iter().flatten() {
            add(lines.span(), lines.as_ref());
        }
        for variation in &task.variations {
            for lines in variation.inputs.iter() {
                add(lines.span(), lines.as_ref());
            }
        }
        let solution = task.solution.iter().filter_map(|solution| solution.as_ref().lines());
        let ways = task.ways.iter().flat_map(|ways| ways.as_ref()).map(Vec::as_slice);
        let examples = task.wrong.iter().flat_map(|wrong| wrong.as_ref()).filter_map(|wrong| wrong.example.as_deref());
        for lines in solution.chain(ways).chain(examples) {
            add(task.id.span(), lines);
        }
    }
    let wrong = || toml.tasks.iter().flat_map(|task| task.wrong.iter().flat_map(|wrong| wrong.as_ref()));
    let claims = toml.tasks.iter().flat_map(|task| &task.when).chain(wrong().flat_map(|wrong| &wrong.when));
    let handlers = claims.filter_map(|claim| claim.as_ref().handler.as_ref());
    files.extend(handlers.map(|file| (file.span(), file.as_ref().clone())));
    files
}

/// Checks that fields for traffic occur only in lessons with traffic.
pub fn check(toml: &LessonToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    if toml.traffic.is_some() != toml.handler.is_some() {
        let span = toml.traffic.as_ref().or(toml.handler.as_ref()).map_or(0..0, Spanned::span);
        faults.push(lines.fault(span, "a lesson with `traffic` has a `handler`, and one without has none"));
    }
    for task in &toml.tasks {
        let is_handler = task.kind.as_ref() == "handler";
        if is_handler && toml.traffic.is_none() {
            faults.push(lines.fault(task.kind.span(), "a task of kind handler belongs to a lesson with `traffic`"));
        }
        for variation in &task.variations {
            check_variation(variation, task.kind.as_ref(), lines, faults);
        }
        for id in task
            .properties
            .iter()
            .flatten()
            .chain(task.variations.iter().flat_map(|variation| variation.properties.iter().flatten()))
        {
            let watch = toml.checks.iter().find(|check| check.id.as_ref() == id.as_ref()).map(|check| &check.watch);
            if is_handler && !watch.is_some_and(|watch| watch.starts_with("traffic ")) {
                let what = format!("`{}` is no `[[check]]` of traffic", id.as_ref());
                faults.push(lines.fault(id.span(), what));
            }
        }
    }
}

fn check_variation(variation: &VariationToml, kind: &str, lines: &Lines, faults: &mut Vec<Mistake>) {
    let VariationToml { frame, set, nodes, traffic, inputs, when, seed, clients, faults: budget, .. } = variation;
    let (is_handler, is_script) = (kind == "handler", kind == "script");
    let of_repair = [frame.is_some(), !set.is_empty(), *seed > 0, *clients > 0, *budget != Default::default()];
    let of_handler = [nodes.is_some(), traffic.is_some(), inputs.is_some() && !is_script];
    let id = || variation.id.span();
    if (is_handler || is_script) && of_repair.contains(&true) {
        faults
            .push(lines.fault(id(), "`frame`, `set`, `seed`, `clients` and `faults` belong to variations of repairs"));
    }
    if !is_handler && of_handler.contains(&true) {
        faults.push(lines.fault(id(), "`nodes`, `traffic` and `do` belong to variations of handlers"));
    }
    if !is_script && !when.is_empty() {
        faults.push(lines.fault(id(), "`when` belongs to the cases of a script"));
    }
    if is_handler && inputs.is_none() {
        faults.push(lines.fault(id(), "a variation of a handler says what happens (`do`)"));
    }
}

impl Maker<'_> {
    /// The compiled form of a handler task.
    pub fn handling(&self, task: &TaskToml) -> Handling {
        let solution = task.solution.as_ref().and_then(|solution| solution.as_ref().file()).unwrap_or_default();
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref()).map(|wrong| self.wrong(task, wrong));
        Handling {
            start: self.program(&text_of(task.start.as_ref())).to_owned(),
            solution: self.program(solution).to_owned(),
            wrong: wrong.collect(),
            variations: task.variations.iter().map(|variation| self.load(task, variation)).collect(),
        }
    }

    fn load(&self, task: &TaskToml, variation: &VariationToml) -> Load {
        let own = self.toml.traffic.as_ref().map_or("", |traffic| traffic.as_ref().as_str());
        let other = variation.traffic.as_ref().map_or("", |traffic| traffic.as_ref().as_str());
        let inputs = variation.inputs.iter().flat_map(|inputs| inputs.as_ref());
        let nodes = variation.nodes.as_ref().unwrap_or(&self.toml.nodes);
        Load {
            id: variation.id.as_ref().clone(),
            title: variation.title.of(self.language).to_owned(),
            nodes: nodes.iter().map(|node| node.as_ref().clone()).collect(),
            setup: variation.setup.clone().unwrap_or_else(|| self.toml.setup.clone()),
            traffic: format!("{own} {other}").trim().to_owned(),
            inputs: inputs.map(|line| expanded(self.toml, self.programs, self.language, line)).collect(),
            bounds: self.properties(variation.properties.as_ref().or(task.properties.as_ref())),
        }
    }
}

/// The handler's text for a claim about the running handler.
pub fn claim_text(claim: &toml_file::ClaimToml, programs: &Programs, language: usize) -> Option<String> {
    let file = claim.handler.as_ref()?;
    Some(program(programs, file.as_ref(), language).to_owned())
}
