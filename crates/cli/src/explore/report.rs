//! What `lockstep explore` prints: a verdict for each property, the schedule that breaks it, and the size of the search.
use std::fmt::Write as _;

use resp::split;
use serde_json::{Value, json};
use world::Breach;
use world::explore::{Cut, SearchOutcome, decisive};

use super::schedule::{describe, describe_breach, seconds, waiting};
use super::tokens::Tokens;
use super::verdict::{PropertyVerdict, why_untested};
use super::{PropertyResult, Subject, link};

/// The report as text.
pub fn text(subject: &Subject, findings: &[PropertyResult], notes: &[String], page: Option<&str>) -> String {
    let mut out = format!("{}\n\n", subject.name);
    for finding in findings {
        let words = words(finding);
        // Writing to a string cannot fail.
        let _ = match finding.verdict() {
            PropertyVerdict::Broken => broken(&mut out, subject, finding, page),
            PropertyVerdict::Holds => writeln!(out, "{words}: holds in every schedule; nothing was left out"),
            PropertyVerdict::Untested => {
                writeln!(out, "{words}: not tested: {}; so it holds, and says nothing", why_untested(&finding.property))
            }
            PropertyVerdict::Undecided(Cut::Depth) => {
                let depth = steps(finding.progress.depth);
                writeln!(out, "{words}: undecided: no breach within {depth}; longer schedules were not looked at")
            }
            PropertyVerdict::Undecided(Cut::States | Cut::Memory | Cut::Stopped) => {
                writeln!(out, "{words}: undecided: no breach in {} states; there are more", finding.progress.states)
            }
        };
        let took = finding.took.as_secs_f64();
        let rate = if took > 0.0 { finding.progress.states as f64 / took } else { 0.0 };
        let _ = writeln!(
            out,
            "      {} states, {} tried, depth {}, {took:.3} s, {rate:.0} states/s{}\n",
            finding.progress.states,
            steps(finding.progress.steps),
            finding.progress.depth,
            by_history(finding)
        );
    }
    for note in notes {
        let _ = writeln!(out, "note: {note}\n");
    }
    out
}

fn broken(out: &mut String, subject: &Subject, finding: &PropertyResult, page: Option<&str>) -> std::fmt::Result {
    let SearchOutcome::Broken { breach, schedule, .. } = &finding.outcome else { return Ok(()) };
    let start = subject.start();
    writeln!(out, "{}: broken after {}", words(finding), steps(schedule.len()))?;
    let tokens = Tokens::of(start, schedule);
    let (rows, end) = describe(start, schedule, &tokens);
    let text_begins = out.len();
    let pairs = decisive(start, schedule, finding.number);
    let owners: Vec<String> = rows.iter().map(|row| row.who.clone()).collect();
    let widest = rows.iter().map(|row| row.who.chars().count()).max().unwrap_or_default().max(6);
    for (place, row) in rows.into_iter().enumerate() {
        let line = row.line.map(|line| format!("line {line}")).unwrap_or_default();
        let is_decisive = pairs.iter().any(|(first, second)| [*first, *second].contains(&place));
        let (number, mark) = (place.saturating_add(1), if is_decisive { '*' } else { ' ' });
        writeln!(out, "{number:>4}{mark} {:>9}  {:<widest$}  {line:<8}  {}", seconds(row.at_ms), row.who, row.what)?;
    }
    writeln!(out, "      {}", tokens.named(describe_breach(start, breach)))?;
    if matches!(breach, Breach::Stuck | Breach::Starved { .. }) {
        for waits in waiting(start, &end) {
            writeln!(out, "        {}", tokens.named(waits))?;
        }
    }
    for pair in pairs {
        writeln!(out, "      {}", describe_order(&owners, pair))?;
    }
    if let Some(meaning) = tokens.meaning(out.get(text_begins..).unwrap_or_default()) {
        writeln!(out, "      {meaning}")?;
    }
    match page.and_then(|page| link::address(page, subject, schedule)) {
        Some(address) => writeln!(out, "      {address}"),
        None => Ok(()),
    }
}

/// The pairs of steps whose order mattered.
fn describe_order(owners: &[String], (first, second): (usize, usize)) -> String {
    let step = |place: usize| {
        let owner = owners.get(place).map_or("", String::as_str);
        format!("step {} ({owner})", place.saturating_add(1))
    };
    format!("* the order mattered: had {} come before {}, this would not have happened", step(second), step(first))
}

/// The clients whose programs cannot be inspected; empty if there are none.
fn by_history(finding: &PropertyResult) -> String {
    if finding.by_history.is_empty() {
        return String::new();
    }
    format!(
        "\n      in {} of these states only their answers tell the programs of {} apart: they hold what cannot be looked into, such as a \
         coroutine or gmatch()",
        finding.progress.by_history,
        finding.by_history.join(", ")
    )
}

/// The result of all searches, on one line.
pub fn summary(findings: &[&PropertyResult]) -> String {
    let of = |is_it: fn(PropertyVerdict) -> bool| findings.iter().filter(|finding| is_it(finding.verdict())).count();
    let kinds = [
        (of(|verdict| verdict == PropertyVerdict::Broken), "broken"),
        (of(|verdict| matches!(verdict, PropertyVerdict::Undecided(_))), "undecided"),
        (of(|verdict| verdict == PropertyVerdict::Untested), "not tested"),
    ];
    let holds = match of(|verdict| verdict == PropertyVerdict::Holds) {
        1 => "1 holds".to_owned(),
        count => format!("{count} hold"),
    };
    let rest = kinds.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!(", {count} {word}"));
    let states: usize = findings.iter().map(|finding| finding.progress.states).sum();
    let took: f64 = findings.iter().map(|finding| finding.took.as_secs_f64()).sum();
    let opaque = match findings.iter().map(|finding| finding.by_history.len()).max().unwrap_or_default() {
        0 => String::new(),
        1 => "; 1 program is told apart by its answers".to_owned(),
        count => format!("; {count} programs are told apart by their answers"),
    };
    let count = match findings.len() {
        1 => "1 property".to_owned(),
        count => format!("{count} properties"),
    };
    format!("{count}: {holds}{}; {states} states, {took:.3} s{opaque}", rest.collect::<String>())
}

/// The report as JSON.
pub fn json(searched: &[(Subject, Vec<PropertyResult>, Vec<String>)], page: Option<&str>) -> Value {
    let all = searched
        .iter()
        .flat_map(|(subject, findings, notes)| findings.iter().map(move |finding| (subject, finding, notes)));
    all.map(|(subject, finding, notes)| {
        let start = subject.start();
        let verdict = match finding.verdict() {
            PropertyVerdict::Broken => "broken",
            PropertyVerdict::Holds => "holds",
            PropertyVerdict::Untested => "untested",
            PropertyVerdict::Undecided(_) => "undecided",
        };
        let why = match finding.verdict() {
            PropertyVerdict::Untested => Some(why_untested(&finding.property)),
            PropertyVerdict::Undecided(Cut::Depth) => Some("depth".to_owned()),
            PropertyVerdict::Undecided(Cut::States) => Some("states".to_owned()),
            PropertyVerdict::Undecided(Cut::Memory) => Some("memory".to_owned()),
            PropertyVerdict::Undecided(Cut::Stopped) => Some("stopped".to_owned()),
            PropertyVerdict::Broken | PropertyVerdict::Holds => None,
        };
        let (mut breach, mut schedule, mut waits, mut address) = (None, Vec::new(), Vec::new(), None);
        let mut pairs = Vec::new();
        if let SearchOutcome::Broken { breach: how, schedule: inputs, .. } = &finding.outcome {
            let (rows, end) = describe(start, inputs, &Tokens::default());
            breach = Some(describe_breach(start, how));
            schedule = rows
                .into_iter()
                .map(|row| json!({ "at_ms": row.at_ms, "who": row.who, "line": row.line, "what": row.what }))
                .collect();
            if matches!(how, Breach::Stuck | Breach::Starved { .. }) {
                waits = waiting(start, &end);
            }
            address = page.and_then(|page| link::address(page, subject, inputs));
            // Steps have the same numbers as in the printed report.
            let numbered = |(first, second): (usize, usize)| [first.saturating_add(1), second.saturating_add(1)];
            pairs = decisive(start, inputs, finding.number).into_iter().map(numbered).collect();
        }
        json!({
            "subject": subject.name,
            "property": words(finding),
            "verdict": verdict,
            "why": why,
            "breach": breach,
            "waits": waits,
            "schedule": schedule,
            "order": pairs,
            "link": address,
            "notes": notes,
            "states": finding.progress.states,
            "steps": finding.progress.steps,
            "depth": finding.progress.depth,
            "by_history": { "programs": finding.by_history, "states": finding.progress.by_history },
            "seconds": finding.took.as_secs_f64(),
        })
    })
    .collect()
}

fn words(finding: &PropertyResult) -> String {
    split::quote_command(&finding.property.to_words())
}

/// `1 step`, `2 steps`
fn steps(count: impl TryInto<u64>) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    }
}
