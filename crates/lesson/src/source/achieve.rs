//! States to reach in a lesson's source: claims, valid ways and wrong ways.
use super::folder::{Programs, is_id, text_of};
use super::repairs::wrong_id;
use super::text::{self, Text};
use super::toml_file::{ClaimToml, ClientToml, LessonToml, Lines, Spanned, TaskToml, Texts, WrongToml};
use super::{Mistake, Ways, traffic};
use crate::lesson::opening::{TERMINALS, quoted};
use crate::{Achieve, Check, LANGUAGES, WrongWay};
use std::collections::BTreeSet;
use std::iter;

/// Most claims per condition: each claim is evaluated after every step.
const CLAIMS_MAX: usize = 16;

/// Checks that everything named by a state to reach exists, and that each claim makes exactly one statement.
pub fn check(toml: &LessonToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    for task in &toml.tasks {
        let is_achieve = task.kind.as_ref() == "achieve";
        if is_achieve {
            check_ways(task, lines, faults);
        } else if let Some(solution) = &task.solution
            && solution.as_ref().file().is_none()
        {
            let what = format!("the solution of a task of kind {} is a file of functions", task.kind.as_ref());
            faults.push(lines.fault(solution.span(), what));
        }
        for wrong in task.wrong.iter().chain(&task.cheats).flat_map(|all| all.as_ref()) {
            check_wrong(task, wrong, lines, faults);
        }
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref());
        let conditions = iter::once((&task.when, true))
            .chain(task.variations.iter().map(|case| (&case.when, true)))
            .chain(wrong.map(|wrong| (&wrong.when, false)));
        for (when, is_shown) in conditions {
            if let Some(claim) = when.get(CLAIMS_MAX) {
                faults.push(lines.fault(claim.span(), format!("a condition has at most {CLAIMS_MAX} claims")));
            }
            for claim in when {
                check_claim(toml, claim, is_shown, lines, faults);
            }
        }
    }
}

/// Whether the stage has a client with this name.
fn is_client(toml: &LessonToml, name: &str) -> bool {
    let is_one = |clients: &ClientToml| {
        let cast_name = clients.name.as_ref().as_str();
        let number = name.strip_prefix(cast_name).and_then(|number| number.parse::<u32>().ok());
        number.is_some_and(|n| (1..=*clients.count.as_ref()).contains(&n) && name == format!("{cast_name}{n}"))
    };
    if toml.clients.is_empty() { TERMINALS.contains(&name) } else { toml.clients.iter().any(is_one) }
}

fn check_ways(task: &TaskToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    if let Some(solution) = &task.solution
        && solution.as_ref().lines().is_none()
    {
        faults.push(
            lines.fault(solution.span(), "the solution of a task of kind achieve is a list of lines of a session"),
        );
    }
    if let Some(ways) = &task.ways
        && ways.as_ref().len() < 2
    {
        let what = "a task of kind achieve has at least two other ways than its solution: any right way counts";
        faults.push(lines.fault(ways.span(), what));
    }
    if let Some(wrong) = &task.wrong
        && wrong.as_ref().is_empty()
    {
        faults
            .push(lines.fault(wrong.span(), "a task of kind achieve has at least one way that looks right and is not"));
    }
    let mut ids = BTreeSet::new();
    for id in task.wrong.iter().flat_map(|wrong| wrong.as_ref()).filter_map(|wrong| wrong.id.as_ref()) {
        if !is_id(id.as_ref()) {
            let what = format!("`{}`: small letters, digits and hyphens make a name", id.as_ref());
            faults.push(lines.fault(id.span(), what));
        }
        if !ids.insert(id.as_ref()) {
            faults.push(lines.fault(id.span(), format!("there is a wrong way `{}` already", id.as_ref())));
        }
    }
}

/// Checks the fields of a wrong answer of a repair, or of a wrong way to a state.
fn check_wrong(task: &TaskToml, wrong: &WrongToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    let kind = task.kind.as_ref().as_str();
    let judged = if kind == "handler" { "handler" } else { "repair" };
    let writes = if kind == "script" { "script" } else { judged };
    let span = wrong.id.as_ref().or(wrong.program.as_ref()).map_or_else(|| task.kind.span(), Spanned::span);
    let fields = [
        ("program", wrong.program.is_some(), writes, true),
        ("property", wrong.property.is_some(), judged, true),
        ("variation", wrong.variation.is_some(), writes, false),
        ("way", !wrong.way.is_empty(), "repair", false),
        ("id", wrong.id.is_some(), "achieve", true),
        ("when", !wrong.when.is_empty(), "achieve", true),
        ("example", wrong.example.is_some(), "achieve", true),
    ];
    for (name, is_there, of, is_needed) in fields {
        if is_there && of != kind {
            let what = format!("`{name}` belongs to what is wrong in tasks of kind {of}; this one is of kind {kind}");
            faults.push(lines.fault(span.clone(), what));
        } else if !is_there && of == kind && is_needed {
            faults.push(lines.fault(span.clone(), format!("what is wrong in a task of kind {kind} needs `{name}`")));
        }
    }
}

fn check_claim(
    lesson: &LessonToml,
    claim: &Spanned<ClaimToml>,
    is_shown: bool,
    lines: &Lines,
    faults: &mut Vec<Mistake>,
) {
    let mut fault = |what: String| faults.push(lines.fault(claim.span(), what));
    let toml = claim.as_ref();
    if let Err(what) = words(toml) {
        fault(what);
    }
    for name in toml
        .by
        .iter()
        .chain(&toml.reply)
        .chain(&toml.closed)
        .chain(&toml.not_closed)
        .filter(|name| !is_client(lesson, name))
    {
        fault(format!("no client on the stage is called `{name}`"));
    }
    match &toml.text {
        Some(both) if is_shown => {
            let objections = (0..LANGUAGES.len()).filter_map(|language| text::line(both.of(language)).err());
            objections.for_each(fault);
        }
        Some(_) => fault("a wrong way is recognised, not shown: this claim has no `text`".to_owned()),
        None if is_shown => fault("a claim says what it is in `text`".to_owned()),
        None => {}
    }
}

/// A claim in the syntax of `world::claim`.
fn words(toml: &ClaimToml) -> Result<Vec<String>, String> {
    let kinds = [
        toml.ask.is_some(),
        toml.reply.is_some(),
        toml.at_most.is_some(),
        toml.at_least.is_some(),
        toml.without.is_some(),
        toml.sent.is_some(),
        toml.closed.is_some(),
        toml.not_closed.is_some(),
        toml.traffic.is_some(),
        toml.handler.is_some(),
    ];
    if kinds.iter().filter(|is_there| **is_there).count() != 1 {
        return Err(
            "a claim has one of `ask`, `reply`, `at-most`, `at-least`, `without`, `sent`, `closed`, `not-closed`, `traffic` and \
             `handler`"
                .to_owned(),
        );
    }
    let has_reply = toml.ask.is_some() || toml.reply.is_some();
    let expected = [toml.is.is_some(), toml.not.is_some(), toml.within.is_some()];
    match expected.iter().filter(|is_there| **is_there).count() {
        1 if has_reply => {}
        0 if !has_reply && toml.traffic.is_none() => {}
        1 if toml.traffic.is_some() && toml.within.is_some() => {}
        _ if toml.traffic.is_some() => return Err("a figure of traffic has `in`".to_owned()),
        _ if has_reply => return Err("what is asked or replied has one of `is`, `not` and `in`".to_owned()),
        _ => return Err("`is`, `not` and `in` belong to `ask` and `reply`".to_owned()),
    }
    let is_about_connection = toml.closed.is_some() || toml.not_closed.is_some();
    if toml.because.is_some() != is_about_connection {
        return Err("`closed` and `not-closed` have `because`, and no other claim has".to_owned());
    }
    if toml.because.as_ref().is_some_and(|because| because.all().is_empty()) {
        return Err("`because` names nothing".to_owned());
    }
    if toml.by.is_some() && (has_reply || is_about_connection || toml.traffic.is_some() || toml.handler.is_some()) {
        return Err("`by` belongs to commands that were sent; what is asked is asked by no client".to_owned());
    }
    if toml.lacks.is_some() && toml.sent.is_none() {
        return Err("`lacks` belongs to `sent`".to_owned());
    }
    let mut words = Vec::new();
    if let Some(by) = &toml.by {
        words.extend(["by".to_owned(), by.clone()]);
    }
    let texts =
        [("ask", &toml.ask), ("reply", &toml.reply), ("closed", &toml.closed), ("not-closed", &toml.not_closed)];
    for (word, text) in texts {
        if let Some(text) = text {
            words.extend([word.to_owned(), text.clone()]);
        }
    }
    words.extend(toml.because.iter().flat_map(|because| because.all().iter().cloned()));
    for (word, number) in [("at-most", toml.at_most), ("at-least", toml.at_least)] {
        if let Some(number) = number {
            words.extend([word.to_owned(), number.to_string()]);
        }
    }
    let lists = [
        ("is", &toml.is),
        ("not", &toml.not),
        ("without", &toml.without),
        ("sent", &toml.sent),
        ("lacks", &toml.lacks),
    ];
    for (word, texts) in lists {
        let Some(texts) = texts.as_ref().map(Texts::all) else { continue };
        if texts.is_empty() {
            return Err(format!("`{word}` names nothing"));
        }
        words.push(word.to_owned());
        words.extend(texts.iter().cloned());
    }
    let mut range_words = Vec::new();
    if let Some(within) = &toml.within {
        range_words.push("in".to_owned());
        range_words.extend(range(within).ok_or_else(|| {
            format!("`{within}` is no range of integers: write `1..10`, both ends included, `1..` or `..10`")
        })?);
    }
    // The range of a metric precedes its time span.
    let mut figure = toml.traffic.iter().flat_map(|figure| figure.split(' ').map(str::to_owned));
    if let Some(name) = figure.next() {
        words.extend(["traffic".to_owned(), name]);
    }
    words.extend(range_words);
    words.extend(figure);
    Ok(words)
}

/// The bounds of a range; `*` for an open end.
fn range(text: &str) -> Option<[String; 2]> {
    let (from, to) = text.split_once("..")?;
    let bound = |bound: &str| -> Option<Option<i64>> {
        let bound = bound.trim();
        if bound.is_empty() { Some(None) } else { bound.parse().ok().map(Some) }
    };
    let (from, to) = (bound(from)?, bound(to)?);
    if from.is_none() && to.is_none() || from.zip(to).is_some_and(|(from, to)| from > to) {
        return None;
    }
    Some([from, to].map(|bound| bound.map_or_else(|| "*".to_owned(), |n| n.to_string())))
}

/// A claim as one line, quoted for the splitting rules of redis-cli.
fn line(toml: &ClaimToml, handler: Option<String>) -> String {
    if let Some(text) = handler {
        return format!("handler {}", quoted(&text));
    }
    let is_plain = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_*.:()".contains(&byte))
    };
    let word = |word: &String| if is_plain(word) { word.clone() } else { quoted(word) };
    // Mistakes in a claim were already reported.
    words(toml).unwrap_or_default().iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A claim in one language, with its text for the learner.
pub fn shown(claim: &Spanned<ClaimToml>, programs: &Programs, language: usize) -> Check {
    let words = claim.as_ref().text.as_ref().map_or("", |both| both.of(language));
    let handler = traffic::claim_text(claim.as_ref(), programs, language);
    Check { html: text::line(words).unwrap_or_default(), claim: line(claim.as_ref(), handler) }
}

/// The state to reach of a task in one language.
pub fn achieve(task: &TaskToml, text: &Text, programs: &Programs, language: usize) -> Achieve {
    let line = |claim: &ClaimToml| line(claim, traffic::claim_text(claim, programs, language));
    let wrong = |wrong: &WrongToml| {
        let (title, html) = text.piece(&wrong_id(task.id.as_ref(), &text_of(wrong.id.as_ref())));
        WrongWay { title, html, claims: wrong.when.iter().map(|claim| line(claim.as_ref())).collect() }
    };
    Achieve {
        checks: task.when.iter().map(|claim| shown(claim, programs, language)).collect(),
        wrong: task.wrong.iter().flat_map(|wrong| wrong.as_ref()).map(wrong).collect(),
    }
}

/// The ways that `lesson check` plays.
pub fn ways(toml: &LessonToml, programs: &Programs) -> Vec<Ways> {
    let lines = |lines: &[String]| lines.iter().map(|line| traffic::expanded(toml, programs, 0, line)).collect();
    let tasks = toml.tasks.iter().filter(|task| task.kind.as_ref() == "achieve").map(|task| {
        let solution = task.solution.as_ref().and_then(|solution| solution.as_ref().lines());
        let others = task.ways.iter().flat_map(|ways| ways.as_ref());
        let wrong = task.wrong.iter().flat_map(|wrong| wrong.as_ref());
        Ways {
            task: task.id.as_ref().clone(),
            right: solution.into_iter().chain(others.map(Vec::as_slice)).map(lines).collect(),
            wrong: wrong.map(|wrong| lines(wrong.example.as_deref().unwrap_or_default())).collect(),
        }
    });
    tasks.collect()
}
