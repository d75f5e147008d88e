//! Reads the folder of a lesson: combines its files and checks them against each other.
use super::repairs::{self, stem, wrong_id};
use super::text::Text;
use super::toml_file::{BudgetToml, ClientToml, LessonToml, Lines, PropertyToml, Spanned, StageToml, TaskToml};
use super::{Mistake, Prediction, Source, name_of, program, toml_file};
use super::{achieve, forecast, scripting, traffic};
use crate::{
    Break, Budget, Choice, ClientGroup, LANGUAGES, Lesson, Panel, Program, Property, Section, Stage, Step, Task,
    TaskKind, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Programs by file name, in both languages.
pub type Programs = BTreeMap<String, [String; 2]>;

/// Reads the folder of a lesson.
///
/// # Errors
/// All its mistakes.
pub fn read(folder: &Path) -> Result<Source, Vec<Mistake>> {
    let mut faults = Vec::new();
    let Some((toml, lines)) = toml_file::read::<LessonToml>(&folder.join("lesson.toml"), &mut faults) else {
        return Err(faults);
    };
    let programs = read_programs(folder, &mut faults);
    check(&toml, &lines, &programs, &mut faults);
    repairs::check(&toml, &lines, &programs, &mut faults);
    achieve::check(&toml, &lines, &mut faults);
    forecast::check(&toml, &lines, &mut faults);
    traffic::check(&toml, &lines, &mut faults);
    toml.tasks.iter().for_each(|task| scripting::check(task, &lines, &mut faults));
    let wanted = wanted(&toml);
    let texts = LANGUAGES.map(|language| {
        let path = folder.join(format!("text.{language}.md"));
        let found = std::fs::read_to_string(&path);
        let text = found.unwrap_or_else(|error| {
            faults.push(Mistake { path: path.clone(), line: 0, what: error.to_string() });
            String::new()
        });
        let text = Text::read(&path, &text, &mut faults);
        text.compare(&wanted, &mut faults);
        text
    });
    let mut number = 0;
    let lessons = texts.map(|text| {
        let maker = Maker { language: number, toml: &toml, text: &text, programs: &programs };
        number = number.saturating_add(1);
        let track = folder.parent().map(name_of).unwrap_or_default();
        maker.lesson(track, name_of(folder))
    });
    if !faults.is_empty() {
        return Err(faults);
    }
    let predictions = toml.tasks.iter().filter(|task| task.kind.as_ref() == "predict").map(|task| Prediction {
        task: task.id.as_ref().clone(),
        shows: task.shows.as_ref().map(|shows| shows.as_ref().clone()),
        breaks: task.breaks.as_ref().map(|breaks| breaks.as_ref().clone()),
        counts: task.counts.as_ref().map(|counts| counts.as_ref().clone()),
    });
    let predictions = predictions.collect();
    let breaks = |breaks: &Vec<Spanned<String>>| breaks.iter().map(|property| property.as_ref().clone()).collect();
    let breaks = toml.steps.iter().map(|step| breaks(&step.breaks)).collect();
    let places = places(&toml, &lines);
    let proofs = repairs::proofs(&toml, &programs);
    let ways = achieve::ways(&toml, &programs);
    let broken_by = repairs::broken_by(&toml, &programs);
    let folder = folder.to_path_buf();
    Ok(Source { folder, order: toml.order, lessons, breaks, predictions, proofs, ways, broken_by, places })
}

/// Line numbers of the items that can fail when the lesson is played.
fn places(toml: &LessonToml, lines: &Lines) -> BTreeMap<String, usize> {
    let steps = toml.steps.iter().map(|step| ("step", &step.id));
    let properties = toml.properties.iter().map(|property| ("property", &property.id));
    let tasks = toml.tasks.iter().map(|task| ("task", &task.id));
    let all = steps.chain(properties).chain(tasks);
    all.map(|(kind, id)| (format!("{kind}.{}", id.as_ref()), lines.fault(id.span(), "").line)).collect()
}

fn read_programs(folder: &Path, faults: &mut Vec<Mistake>) -> Programs {
    let mut programs = Programs::new();
    let found = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    for path in found.filter(|path| path.extension().is_some_and(|ending| ending == "lua")) {
        match std::fs::read_to_string(&path) {
            Ok(text) => _ = programs.insert(name_of(&path), program::read(&path, &text, faults)),
            Err(error) => faults.push(Mistake { path, line: 0, what: error.to_string() }),
        }
    }
    programs
}

/// The ids of the texts that a lesson needs, in order.
fn wanted(toml: &LessonToml) -> Vec<String> {
    let mut wanted: Vec<String> = toml.sections.iter().map(|id| id.as_ref().clone()).collect();
    wanted.extend(toml.steps.iter().map(|step| format!("step.{}", step.id.as_ref())));
    for task in &toml.tasks {
        let id = task.id.as_ref();
        wanted.push(id.clone());
        wanted.extend((1..=task.hints).map(|hint| format!("{id}.hint-{hint}")));
        let choices = task.choices.iter().flat_map(|choices| choices.as_ref());
        if task.kind.as_ref() == "choose" {
            wanted.extend(repairs::surviving(toml, task).map(|name| repairs::right_id(id, name)));
        } else {
            wanted.extend(
                choices.flat_map(|choice| ["choice", "reply"].map(|what| format!("{id}.{what}-{}", choice.as_ref()))),
            );
        }
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref());
        let named = wrong.filter_map(|wrong| wrong.program.as_ref().or(wrong.id.as_ref()));
        wanted.extend(named.map(|name| wrong_id(id, name.as_ref())));
        wanted.push(format!("{id}.solution"));
    }
    wanted
}

/// Most nodes of a lesson.
const NODES_MAX: usize = 16;

/// A time of day in minutes since midnight: `23:00`.
fn minutes(clock: &str) -> Option<u32> {
    let (hours, minutes) = clock.split_once(':').filter(|_| clock.len() == "23:00".len())?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str, below: u32| text.parse().ok().filter(|number: &u32| is_number(text) && *number < below);
    Some(number(hours, 24)?.saturating_mul(60).saturating_add(number(minutes, 60)?))
}

/// Checks the nodes: each has a unique name and a valid persistence mode.
fn check_nodes(nodes: &[Spanned<String>], lines: &Lines, faults: &mut Vec<Mistake>) {
    let mut names = BTreeSet::new();
    for (place, node) in nodes.iter().enumerate() {
        let words: Vec<&str> = node.as_ref().split(' ').collect();
        let what = match words.as_slice() {
            [name, kind @ ..] if is_kind_of_node(kind) => match () {
                () if !is_id(name) => format!("`{name}`: small letters, digits and hyphens make a name"),
                () if !names.insert(*name) => format!("there is a node `{name}` already"),
                () if place >= NODES_MAX => format!("there are at most {NODES_MAX} nodes"),
                () => continue,
            },
            _ => format!(
                "a node is a name and `none`, `everysec` or `always`, or a name and `table` with any of `service`, `workers`, \
                 `connections`, `lock-wait` and a number, not `{}`",
                node.as_ref()
            ),
        };
        faults.push(lines.fault(node.span(), what));
    }
}

/// Whether this is a valid node kind, as parsed by `world::NodeSettings::from_words`.
fn is_kind_of_node(words: &[&str]) -> bool {
    let is_setting = |pair: &[&str]| match pair {
        [word, number] => {
            matches!(*word, "service" | "workers" | "connections" | "lock-wait") && number.parse::<u32>().is_ok()
        }
        _ => false,
    };
    match words {
        ["none" | "everysec" | "always"] => true,
        ["table", settings @ ..] => settings.chunks(2).all(is_setting),
        _ => false,
    }
}

/// Checks that everything named in `lesson.toml` exists, and that each task has the fields of its kind.
fn check(toml: &LessonToml, lines: &Lines, programs: &Programs, faults: &mut Vec<Mistake>) {
    let properties: BTreeSet<&str> = toml.properties.iter().map(|property| property.id.as_ref().as_str()).collect();
    for panel in toml.panels.iter().filter(|panel| Panel::named(panel.as_ref()).is_none()) {
        let names = Panel::ALL.map(|(name, _)| name).join(", ");
        faults.push(lines.fault(panel.span(), format!("no panel is called `{}`; there are {names}", panel.as_ref())));
    }
    check_nodes(&toml.nodes, lines, faults);
    if let Some(clock) = toml.clock.as_ref().filter(|clock| minutes(clock.as_ref()).is_none()) {
        faults.push(lines.fault(clock.span(), format!("`{}` is no time of day such as 23:00", clock.as_ref())));
    }
    for stage in &toml.stages {
        check_nodes(&stage.nodes, lines, faults);
    }
    let ids = [
        ("section", toml.sections.iter().collect::<Vec<_>>()),
        ("client", toml.clients.iter().map(|client| &client.name).collect()),
        ("property", toml.properties.iter().chain(&toml.checks).map(|property| &property.id).collect()),
        ("stage", toml.stages.iter().map(|stage| &stage.id).collect()),
        ("step", toml.steps.iter().map(|step| &step.id).collect()),
        ("task", toml.tasks.iter().map(|task| &task.id).collect()),
    ];
    for (what, ids) in ids {
        let mut seen = BTreeSet::new();
        for id in ids {
            if !is_id(id.as_ref()) {
                let what = format!("`{}`: small letters, digits and hyphens make a name", id.as_ref());
                faults.push(lines.fault(id.span(), what));
            }
            if !seen.insert(id.as_ref()) {
                faults.push(lines.fault(id.span(), format!("there is a {what} `{}` already", id.as_ref())));
            }
        }
    }
    // Titles of properties and variations must be unique, otherwise the reader cannot tell them apart.
    let properties_titled = toml.properties.iter().chain(&toml.checks).map(|property| (&property.id, &property.title));
    let variations = toml.tasks.iter().map(|task| task.variations.iter().map(|each| (&each.id, &each.title)).collect());
    for titled in std::iter::once(properties_titled.collect::<Vec<_>>()).chain(variations) {
        for language in 0..LANGUAGES.len() {
            let mut seen = BTreeSet::from([toml.title.of(language)]);
            for (id, title) in titled.iter().filter(|(_, title)| !seen.insert(title.of(language))).collect::<Vec<_>>() {
                let what = format!("`{}` has a title that stands elsewhere: {}", id.as_ref(), title.of(language));
                faults.push(lines.fault(id.span(), what));
            }
        }
    }
    for property in toml.steps.iter().flat_map(|step| &step.breaks) {
        if !properties.contains(property.as_ref().as_str()) {
            faults.push(lines.fault(property.span(), format!("there is no property `{}`", property.as_ref())));
        }
    }
    if let (Some(property), None) = (toml.properties.first(), &toml.budget) {
        faults.push(lines.fault(property.id.span(), "a lesson with properties needs a `[budget]`"));
    }
    let mut used = BTreeSet::new();
    let mut program = |span: Range<usize>, name: &str, faults: &mut Vec<Mistake>| {
        used.insert(name.to_owned());
        if !programs.contains_key(name) {
            faults.push(lines.fault(span, format!("there is no program `{name}` in this folder")));
        }
    };
    for client in clients(toml) {
        if let Some(name) = &client.program {
            program(name.span(), name.as_ref(), faults);
        }
        if !(1..=1000).contains(client.count.as_ref()) {
            faults.push(lines.fault(client.count.span(), "there are 1 to 1000 clients"));
        }
    }
    for (span, name) in repairs::files(toml) {
        program(span, name, faults);
    }
    for (span, name) in traffic::files(toml) {
        program(span, &name, faults);
    }
    for task in &toml.tasks {
        if let Some(name) = &task.program
            && !toml
                .clients
                .iter()
                .filter_map(|client| client.program.as_ref())
                .any(|program| program.as_ref() == name.as_ref())
        {
            faults.push(lines.fault(name.span(), format!("no client runs `{}`", name.as_ref())));
        }
        check_task(task, lines, &properties, faults);
        if let Some(stage) = task.stage.as_ref()
            && !toml.stages.iter().any(|other| other.id.as_ref() == stage.as_ref())
        {
            faults.push(lines.fault(stage.span(), format!("there is no stage `{}`", stage.as_ref())));
        }
    }
    check_flow(toml, lines, faults);
    for name in programs.keys().filter(|name| !used.contains(*name)) {
        faults.push(lines.fault(0..0, format!("nothing in lesson.toml names the program `{name}`")));
    }
}

/// The clients of all stages.
fn clients(toml: &LessonToml) -> impl Iterator<Item = &ClientToml> {
    toml.clients.iter().chain(toml.stages.iter().flat_map(|stage| &stage.clients))
}

pub fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn check_task(task: &TaskToml, lines: &Lines, properties: &BTreeSet<&str>, faults: &mut Vec<Mistake>) {
    let kind = task.kind.as_ref().as_str();
    // Several kinds have fields of the same name.
    let either = |one: &'static str, other: &'static str| if kind == one { one } else { other };
    let judged = either("handler", "repair");
    let writes = either("script", judged);
    // Field, its position, the kind that has it, whether that kind requires it.
    let fields = [
        ("property", task.property.as_ref().map(Spanned::span), "break", true),
        ("stage", task.stage.as_ref().map(Spanned::span), "break", false),
        ("broken", task.broken.as_ref().map(Spanned::span), "break", false),
        ("faults", task.faults.as_ref().map(Spanned::span), "break", false),
        ("program", task.program.as_ref().map(Spanned::span), "repair", true),
        (
            "properties",
            task.properties.as_ref().map(|all| all.first().map_or(task.kind.span(), Spanned::span)),
            judged,
            true,
        ),
        ("start", task.start.as_ref().map(Spanned::span), writes, kind != "repair"),
        ("solution", task.solution.as_ref().map(Spanned::span), either("achieve", writes), true),
        ("right", task.right.as_ref().map(Spanned::span), writes, true),
        ("wrong", task.wrong.as_ref().map(Spanned::span), either("achieve", writes), true),
        ("cheats", task.cheats.as_ref().map(Spanned::span), writes, kind != "script"),
        ("variation", task.variations.first().map(|variation| variation.id.span()), writes, true),
        ("harmless", task.harmless.first().map(|harmless| harmless.line.span()), writes, false),
        ("when", task.when.first().map(Spanned::span), "achieve", true),
        ("ways", task.ways.as_ref().map(Spanned::span), "achieve", true),
        ("of", task.of.as_ref().map(Spanned::span), "choose", true),
        ("after", task.after.as_ref().map(Spanned::span), "predict", true),
        ("then", task.then.as_ref().map(Spanned::span), "predict", true),
        ("choices", task.choices.as_ref().map(Spanned::span), either("choose", "predict"), true),
        ("answer", task.answer.as_ref().map(Spanned::span), "predict", true),
        ("shows", task.shows.as_ref().map(Spanned::span), "predict", false),
        ("breaks", task.breaks.as_ref().map(Spanned::span), "predict", false),
        ("counts", task.counts.as_ref().map(Spanned::span), "predict", false),
        ("do", task.inputs.as_ref().map(Spanned::span), "forecast", true),
        ("rows", task.rows.as_ref().map(Spanned::span), "forecast", true),
    ];
    if !fields.iter().any(|(_, _, of, _)| *of == kind) {
        faults.push(lines.fault(
            task.kind.span(),
            format!(
                "a task is of kind break, achieve, repair, handler, script, choose, predict or forecast, not `{kind}`"
            ),
        ));
        return;
    }
    for (name, span, of, is_needed) in fields {
        match span {
            Some(span) if of != kind => {
                faults.push(
                    lines.fault(span, format!("`{name}` belongs to tasks of kind {of}; this one is of kind {kind}")),
                );
            }
            None if of == kind && is_needed => {
                faults.push(lines.fault(task.kind.span(), format!("a task of kind {kind} needs `{name}`")));
            }
            _ => {}
        }
    }
    if task.broken.is_none()
        && let Some(span) = task.stage.as_ref().map(Spanned::span).or(task.faults.as_ref().map(Spanned::span))
    {
        faults.push(
            lines.fault(span, "a break on another stage or with other faults needs `broken`, its shortest length"),
        );
    }
    let named = task.property.iter().chain(&task.breaks);
    for property in named.filter(|property| !properties.contains(property.as_ref().as_str())) {
        faults.push(lines.fault(property.span(), format!("there is no property `{}`", property.as_ref())));
    }
    if let (Some(choices), Some(answer)) = (&task.choices, &task.answer)
        && !choices.as_ref().iter().any(|choice| choice.as_ref() == answer.as_ref())
    {
        faults.push(lines.fault(answer.span(), format!("`{}` is none of the choices", answer.as_ref())));
    }
    let proofs = [task.shows.is_some(), task.breaks.is_some(), task.counts.is_some()];
    if kind == "predict" && proofs.iter().filter(|is_there| **is_there).count() != 1 {
        faults.push(lines.fault(task.kind.span(), "a task of kind predict needs either `shows`, `breaks` or `counts`"));
    }
}

/// Checks that the flow names every section and every task exactly once.
fn check_flow(toml: &LessonToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    let Some(flow) = &toml.flow else { return };
    let all: Vec<&Spanned<String>> = toml.sections.iter().chain(toml.tasks.iter().map(|task| &task.id)).collect();
    for (number, id) in flow.iter().enumerate() {
        if !all.iter().any(|known| known.as_ref() == id.as_ref()) {
            faults.push(lines.fault(id.span(), format!("there is no section and no task `{}`", id.as_ref())));
        } else if flow.iter().take(number).any(|earlier| earlier.as_ref() == id.as_ref()) {
            faults.push(lines.fault(id.span(), format!("`{}` stands in the flow already", id.as_ref())));
        }
    }
    for id in all.iter().filter(|id| !flow.iter().any(|named| named.as_ref() == id.as_ref())) {
        faults.push(lines.fault(id.span(), format!("`{}` is missing in `flow`", id.as_ref())));
    }
}

/// The reading order of sections and tasks.
fn flow(toml: &LessonToml) -> Vec<String> {
    let all = toml.sections.iter().chain(toml.tasks.iter().map(|task| &task.id));
    match &toml.flow {
        Some(flow) => flow.iter().map(|id| id.as_ref().clone()).collect(),
        None => all.map(|id| id.as_ref().clone()).collect(),
    }
}

/// A property in one of the languages.
pub fn property(property: &PropertyToml, language: usize) -> Property {
    Property {
        id: property.id.as_ref().clone(),
        title: property.title.of(language).to_owned(),
        text: property.watch.clone(),
        verdict: property.broken.map_or(Verdict::Holds, |steps| Verdict::Broken { steps }),
    }
}

/// Builds the lesson in one language.
struct Maker<'a> {
    language: usize,
    toml: &'a LessonToml,
    text: &'a Text,
    programs: &'a Programs,
}

impl Maker<'_> {
    fn lesson(&self, track: String, id: String) -> Lesson {
        let toml = self.toml;
        let section = |id: &Spanned<String>| {
            let (title, html) = self.text.piece(id.as_ref());
            Section { id: id.as_ref().clone(), title, html }
        };
        let names: BTreeSet<&String> =
            clients(toml).filter_map(|client| client.program.as_ref()).map(Spanned::as_ref).collect();
        let program = |name: &&String| Program { name: stem(name).to_owned(), text: self.program(name) };
        let properties = toml.properties.iter().map(|found| property(found, self.language));
        let story = toml.steps.iter().map(|step| {
            let (title, html) = self.text.piece(&format!("step.{}", step.id.as_ref()));
            Step { id: step.id.as_ref().clone(), title, html, inputs: self.lines(&step.inputs) }
        });
        Lesson {
            track,
            id,
            title: toml.title.of(self.language).to_owned(),
            language: LANGUAGES.get(self.language).copied().unwrap_or_default().to_owned(),
            summary: toml.summary.of(self.language).to_owned(),
            panels: toml.panels.iter().filter_map(|panel| Panel::named(panel.as_ref())).collect(),
            sections: toml.sections.iter().map(section).collect(),
            flow: flow(toml),
            programs: names.iter().map(program).collect(),
            clients: cast(&toml.clients),
            nodes: nodes(&toml.nodes),
            clock: toml.clock.as_ref().and_then(|clock| minutes(clock.as_ref())),
            setup: toml.setup.clone(),
            traffic: traffic::of_lesson(toml, self.programs, self.language),
            properties: properties.collect(),
            budget: budget(&toml.budget.unwrap_or_default()),
            stages: toml.stages.iter().map(stage).collect(),
            story: story.collect(),
            tasks: toml.tasks.iter().map(|task| self.task(task)).collect(),
        }
    }

    fn program(&self, name: &str) -> String {
        self.programs.get(name).and_then(|texts| texts.get(self.language)).cloned().unwrap_or_default()
    }

    /// Session lines with the named handlers expanded.
    fn lines(&self, lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| traffic::expanded(self.toml, self.programs, self.language, line)).collect()
    }

    fn task(&self, task: &TaskToml) -> Task {
        let id = task.id.as_ref();
        let (title, html) = self.text.piece(id);
        let kind = match task.kind.as_ref().as_str() {
            "break" => self.break_it(task),
            "achieve" => TaskKind::Achieve(achieve::achieve(task, self.text, self.programs, self.language)),
            "repair" => TaskKind::Repair(self.repairs().repair(task)),
            "handler" => TaskKind::Handler(self.repairs().handling(task).into()),
            "script" => TaskKind::Script(self.repairs().scripting(task).into()),
            "choose" => self.repairs().choose(task),
            "forecast" => forecast::forecast(task, self.language),
            _ => self.predict(task),
        };
        Task {
            id: id.clone(),
            title,
            html,
            hints: (1..=task.hints).map(|hint| self.text.html(&format!("{id}.hint-{hint}"))).collect(),
            solution: self.text.html(&format!("{id}.solution")),
            kind,
        }
    }

    fn break_it(&self, task: &TaskToml) -> TaskKind {
        let property = text_of(task.property.as_ref());
        let found = self.toml.properties.iter().find(|other| *other.id.as_ref() == property);
        let broken = task.broken.as_ref().map(|steps| *steps.as_ref());
        TaskKind::Break(Break {
            shortest: broken.or(found.and_then(|found| found.broken)).unwrap_or_default(),
            property,
            stage: text_of(task.stage.as_ref()),
            faults: task.faults.as_ref().map(|faults| *faults.as_ref()),
        })
    }

    fn repairs(&self) -> repairs::Maker<'_> {
        repairs::Maker { language: self.language, toml: self.toml, text: self.text, programs: self.programs }
    }

    fn predict(&self, task: &TaskToml) -> TaskKind {
        let inputs =
            |inputs: Option<&Spanned<Vec<String>>>| inputs.map(|all| self.lines(all.as_ref())).unwrap_or_default();
        let answer = text_of(task.answer.as_ref());
        let choice = |choice: &Spanned<String>| Choice {
            html: self.text.html(&format!("{}.choice-{}", task.id.as_ref(), choice.as_ref())),
            reply: self.text.html(&format!("{}.reply-{}", task.id.as_ref(), choice.as_ref())),
            is_right: *choice.as_ref() == answer,
        };
        TaskKind::Predict {
            after: inputs(task.after.as_ref()),
            then: inputs(task.then.as_ref()),
            choices: task.choices.iter().flat_map(|choices| choices.as_ref()).map(choice).collect(),
        }
    }
}

pub fn text_of(text: Option<&Spanned<String>>) -> String {
    text.map(|text| text.as_ref().clone()).unwrap_or_default()
}

fn cast(clients: &[ClientToml]) -> Vec<ClientGroup> {
    let clients = clients.iter().map(|client| ClientGroup {
        name: client.name.as_ref().clone(),
        program: client.program.as_ref().map_or_else(String::new, |program| stem(program.as_ref()).to_owned()),
        count: *client.count.as_ref(),
    });
    clients.collect()
}

fn nodes(nodes: &[Spanned<String>]) -> Vec<String> {
    nodes.iter().map(|node| node.as_ref().clone()).collect()
}

fn stage(stage: &StageToml) -> Stage {
    Stage {
        id: stage.id.as_ref().clone(),
        clients: cast(&stage.clients),
        nodes: nodes(&stage.nodes),
        setup: stage.setup.clone(),
        budget: budget(&stage.budget),
    }
}

const fn budget(budget: &BudgetToml) -> Budget {
    let BudgetToml { clients, faults, depth } = *budget;
    Budget { clients, faults, depth }
}
