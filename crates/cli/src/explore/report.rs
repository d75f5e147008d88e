//! What `lockstep explore` prints: a schedule step by step, and how much was looked at.
use std::fmt::Write as _;

use resp::{Protocol, Value, split};
use script::program::Failed;
use serde_json::json;
use world::explore::{Cut, Outcome};
use world::{Act, Breach, ClientIndex, Event, EventKind, Happening, Input, Leg, World};

use super::{Finding, Subject};

/// For people.
pub fn text(subject: &Subject, findings: &[Finding]) -> String {
    let start = &subject.start;
    let mut out = format!("{}\n\n", subject.name);
    for finding in findings {
        let words = words(finding);
        // Writing to a string cannot fail.
        let _ = match &finding.outcome {
            Outcome::Broken { breach, schedule, .. } => {
                let steps = told(start, schedule);
                let _ = writeln!(out, "{words}: broken after {} steps", schedule.len());
                for (number, (at_ms, who, what)) in (1..).zip(steps) {
                    let _ = writeln!(out, "{number:>4}  {at_ms:>8} ms  {who:<6}  {what}");
                }
                writeln!(out, "      {}", breach_told(start, breach))
            }
            Outcome::Nothing { cut: None } => writeln!(out, "{words}: holds in every schedule; nothing was left out"),
            Outcome::Nothing { cut: Some(Cut::Depth) } => {
                writeln!(
                    out,
                    "{words}: no breach within {} steps; longer schedules were not looked at",
                    finding.progress.depth
                )
            }
            Outcome::Nothing { cut: Some(Cut::States | Cut::Memory | Cut::Stopped) } => {
                writeln!(out, "{words}: no breach in {} states; there are more", finding.progress.states)
            }
        };
        let seconds = finding.took.as_secs_f64();
        let rate = if seconds > 0.0 { finding.progress.states as f64 / seconds } else { 0.0 };
        let _ = writeln!(
            out,
            "      {} states, {} steps tried, depth {}, {seconds:.3} s, {rate:.0} states/s\n",
            finding.progress.states, finding.progress.steps, finding.progress.depth
        );
    }
    out
}

/// For programs.
pub fn json(searched: &[(Subject, Vec<Finding>)]) -> serde_json::Value {
    let all = searched.iter().flat_map(|(subject, findings)| findings.iter().map(move |finding| (subject, finding)));
    let findings = all.map(|(subject, finding)| {
        let start = &subject.start;
        let (verdict, breach, schedule) = match &finding.outcome {
            Outcome::Broken { breach, schedule, .. } => {
                let steps = told(start, schedule).into_iter();
                let steps = steps.map(|(at_ms, who, what)| json!({ "at_ms": at_ms, "who": who, "what": what }));
                ("broken", Some(breach_told(start, breach)), steps.collect())
            }
            Outcome::Nothing { cut: None } => ("holds", None, Vec::new()),
            Outcome::Nothing { cut: Some(Cut::Depth) } => ("not within depth", None, Vec::new()),
            Outcome::Nothing { cut: Some(Cut::States | Cut::Memory | Cut::Stopped) } => {
                ("not within states", None, Vec::new())
            }
        };
        json!({
            "subject": subject.name,
            "property": words(finding),
            "verdict": verdict,
            "breach": breach,
            "schedule": schedule,
            "states": finding.progress.states,
            "steps": finding.progress.steps,
            "depth": finding.progress.depth,
            "seconds": finding.took.as_secs_f64(),
        })
    });
    findings.collect()
}

fn words(finding: &Finding) -> String {
    split::quote_command(&finding.property.to_words())
}

fn name(world: &World, client: ClientIndex) -> String {
    world.client(client).map_or_else(|| client.to_string(), |found| found.name.clone())
}

/// When, who, and what, for each input.
fn told(start: &World, schedule: &[Input]) -> Vec<(u64, String, String)> {
    let mut world = start.clone();
    let step = |input: &Input| {
        let events = world.step(input).unwrap_or_default();
        let at_ms = world.now_ms().saturating_sub(start.now_ms());
        let who = input.client().map_or_else(|| "time".to_owned(), |client| name(&world, client));
        (at_ms, who, what(input, &events))
    };
    schedule.iter().map(step).collect()
}

fn what(input: &Input, events: &[Event]) -> String {
    let head = match input {
        Input::Advance { ms } => Some(format!("{ms} ms pass")),
        Input::Program { act, .. } => match act {
            Act::Crash => Some("crashes".to_owned()),
            Act::Pause => Some("stands still".to_owned()),
            Act::Resume => Some("goes on".to_owned()),
            Act::Lose { leg: Leg::Request, .. } => Some("its request is lost".to_owned()),
            Act::Lose { leg: Leg::Reply, .. } => Some("its reply is lost".to_owned()),
            _ => None,
        },
        _ => None,
    };
    head.into_iter().chain(events.iter().filter_map(|event| happened(&event.kind))).collect::<Vec<_>>().join("; ")
}

fn happened(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::Command { argv, .. } => split::quote_command(argv),
        EventKind::Reply { value, .. } => format!("→ {}", short(value)),
        EventKind::KeyExpired { key: (_, key), .. } => format!("{} has expired", key.escape_ascii()),
        EventKind::Program { what, .. } => match what {
            Happening::Entered { section } => format!("enters {}", section.escape_ascii()),
            Happening::Left { section } => format!("leaves {}", section.escape_ascii()),
            Happening::Noted { text } => format!("says {}", text.escape_ascii()),
            Happening::Woke => "wakes".to_owned(),
            Happening::Ended => "is done".to_owned(),
            Happening::Failed(Failed::Error(why)) => format!("breaks off: {}", why.escape_ascii()),
            Happening::Failed(_) | Happening::RanAway => "breaks off".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}

fn short(value: &Value) -> String {
    let text = resp::cli::text(value, Protocol::Resp2);
    text.lines().next().unwrap_or_default().to_owned()
}

fn breach_told(world: &World, breach: &Breach) -> String {
    match breach {
        Breach::BothInside { section, first, second } => format!(
            "{} came into {} while {} was inside",
            name(world, second.client),
            section.escape_ascii(),
            name(world, first.client)
        ),
        Breach::ReleasedByOther { key, owner, by } => {
            format!("{} took {} away, which {} had made", name(world, *by), key.escape_ascii(), name(world, *owner))
        }
        Breach::Sum { is } => format!("the sum is {is}"),
        Breach::NeverIn { client } => format!("{} never got in", name(world, *client)),
        Breach::Stuck => "from here on nobody gets on any more".to_owned(),
        Breach::Check { client, text } => format!("{} checked: {}", name(world, *client), text.escape_ascii()),
        Breach::Error { client } => format!("{} broke off with an error", name(world, *client)),
        Breach::Lost { id, count: 1 } => format!("message {} was never processed", id.escape_ascii()),
        Breach::Lost { id, count } => {
            format!("{count} messages were never processed, the first is {}", id.escape_ascii())
        }
        Breach::Repeated { id, client } => {
            format!("{} processed message {} again", name(world, *client), id.escape_ascii())
        }
        Breach::OutOfOrder { late, early } => format!(
            "message {} was processed after message {}, which was produced later",
            late.escape_ascii(),
            early.escape_ascii()
        ),
    }
}
