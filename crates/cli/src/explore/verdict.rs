//! The verdict of a search, and the notes that weaken it.
use std::collections::BTreeSet;

use bytes::Bytes;
use script::program::Failed;
use world::explore::{Cut, SearchOutcome};
use world::{EventKind, Input, Looked, Process, ProgramEvent, Property, When, World};

use super::schedule::name;
use super::{Ended, PropertyResult};

/// Steps of the plain run that shows what programs do.
const RUN_STEPS: usize = 2_000;

/// The verdict of a search on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// No schedule breaks it, and the search was complete.
    Holds,
    /// The same, but no schedule tested it.
    Untested,
    /// A schedule breaks it.
    Broken,
    /// No such schedule was found, but the search was not complete.
    Undecided(Cut),
}

impl PropertyVerdict {
    /// Its effect on the result of all searches.
    pub fn ended(self) -> Ended {
        match self {
            PropertyVerdict::Holds => Ended::Holds,
            PropertyVerdict::Broken => Ended::Broken,
            PropertyVerdict::Untested | PropertyVerdict::Undecided(_) => Ended::Undecided,
        }
    }
}

impl PropertyResult {
    /// The verdict of a finished search.
    pub fn verdict(&self) -> PropertyVerdict {
        let bit = u32::try_from(self.number).ok().and_then(|number| 1_u32.checked_shl(number)).unwrap_or_default();
        match &self.outcome {
            SearchOutcome::Broken { .. } => PropertyVerdict::Broken,
            SearchOutcome::Nothing { cut: Some(cut) } => PropertyVerdict::Undecided(*cut),
            SearchOutcome::Nothing { cut: None } if self.progress.untested & bit != 0 => PropertyVerdict::Untested,
            SearchOutcome::Nothing { cut: None } => PropertyVerdict::Holds,
        }
    }
}

/// The event that would have tested the property but never happened.
pub fn why_untested(property: &Property) -> String {
    match property {
        Property::MutualExclusion => "no client ever entered a section".to_owned(),
        Property::OnlyOwnerReleases { key } => format!("no client ever deleted {}", key.escape_ascii()),
        Property::AtMost { section, .. } => format!("no client ever entered {}", section.escape_ascii()),
        Property::Sum { when: When::End, .. }
        | Property::Claim { when: When::End, premise: None, .. }
        | Property::EveryoneGetsIn { .. } => "the programs never all ended".to_owned(),
        Property::NoClientGivesUp { .. } => "no program ever ended by itself".to_owned(),
        Property::Claim { when: When::End, .. } => {
            "the claim after 'if' never held when all programs had ended".to_owned()
        }
        Property::Claim { premise: None, .. } => "no value in it ever changed".to_owned(),
        Property::Claim { .. } => "the claim after 'if' never held after a value had changed".to_owned(),
        Property::Sum { .. } => "no value in the sum ever changed".to_owned(),
        Property::Checks => "nothing was ever checked".to_owned(),
        Property::NoDeadlock | Property::EveryoneGetsOn | Property::NoErrors => {
            "no client ever sent a command".to_owned()
        }
        Property::NothingLost => "no message was ever produced, or the programs never all ended".to_owned(),
        Property::ProcessedOnce => "no message was ever processed".to_owned(),
        Property::InOrder => "there were never two messages to compare".to_owned(),
        Property::InOrderByKey => "there were never two messages of one key to compare".to_owned(),
    }
}

/// Notes from a plain run that weaken a verdict. In this run one client after the other continues as far as it can.
pub fn notes(start: &World) -> Vec<String> {
    let seen = Seen::of(start);
    let mut notes = Vec::new();
    let processes = || start.clients().filter(|(_, found)| found.program.is_some()).count();
    if let Some(why) = seen.failures.first().filter(|_| seen.failures.len() == processes()) {
        notes.push(format!("in a run of one client after the other, every client fails; the first with: {why}"));
    }
    for (property, _) in start.watch().verdicts() {
        for (what, word) in missing(property, &seen) {
            notes.push(format!(
                "{word} {} is watched and never there in a run from beginning to end",
                what.escape_ascii()
            ));
        }
    }
    for (property, _) in start.watch().verdicts() {
        let Property::EveryoneGetsIn { clients, .. } = property else { continue };
        let is_there = |name: &&Bytes| {
            start.clients().any(|(_, found)| found.program.is_some() && found.name.as_bytes() == name.as_ref())
        };
        for name in clients.iter().filter(|name| !is_there(name)) {
            notes.push(format!(
                "the client {} is named, and no client with a program has that name",
                name.escape_ascii()
            ));
        }
    }
    notes.sort();
    notes.dedup();
    notes
}

/// Names in a property that did not occur in a run, with their kinds.
fn missing<'a>(property: &'a Property, seen: &Seen) -> Vec<(&'a Bytes, &'static str)> {
    let looked = |looked: Looked<'a>| match looked {
        Looked::Key(key) => (key, "the key", seen.keys.contains(key)),
        Looked::Tally(name) => (name, "the tally", seen.tallies.contains(name)),
        Looked::Row(table, key) => (key, "the row", seen.rows.contains(&(table.clone(), key.clone()))),
    };
    let named = match property {
        Property::Sum { .. } | Property::Claim { .. } => property.looks_at().into_iter().map(looked).collect(),
        Property::OnlyOwnerReleases { key } => vec![(key, "the key", seen.keys.contains(key))],
        Property::EveryoneGetsIn { section, .. }
        | Property::NoClientGivesUp { section }
        | Property::AtMost { section, .. } => vec![(section, "the section", seen.sections.contains(section))],
        _ => Vec::new(),
    };
    named.into_iter().filter(|(.., is_there)| !is_there).map(|(name, word, _)| (name, word)).collect()
}

/// Names that occurred in a run.
#[derive(Default)]
struct Seen {
    keys: BTreeSet<Bytes>,
    tallies: BTreeSet<Bytes>,
    /// Tables and primary keys.
    rows: BTreeSet<(Bytes, Bytes)>,
    sections: BTreeSet<Bytes>,
    failures: Vec<String>,
}

impl Seen {
    fn of(start: &World) -> Seen {
        let mut seen = Seen::default();
        let first = start.server(Property::NODE).and_then(|server| server.databases().first());
        seen.keys.extend(first.into_iter().flat_map(|database| database.entries().iter().map(|(key, _)| key.clone())));
        // A program that failed before its first request has already done so.
        for (client, found) in start.clients() {
            let failure = found.program.as_ref().and_then(failure);
            seen.failures.extend(failure.map(|why| format!("{}: {why}", name(start, client))));
        }
        let mut world = start.clone();
        for _ in 0..RUN_STEPS {
            let next = world.ready().next().or_else(|| world.until_next_ms().map(|ms| Input::Advance { ms }));
            let Some(events) = next.and_then(|next| world.step(&next).ok()) else { break };
            for event in events {
                match event.kind {
                    EventKind::KeyChanged { key: (0, key), after: Some(_), .. } => _ = seen.keys.insert(key),
                    EventKind::RowChanged { table, key, after: Some(_), .. } => _ = seen.rows.insert((table, key)),
                    EventKind::Program { client, what, .. } => match what {
                        ProgramEvent::Tallied { name, .. } => _ = seen.tallies.insert(name),
                        ProgramEvent::Entered { section } => _ = seen.sections.insert(section),
                        ProgramEvent::Failed(Failed::Error(why)) => {
                            seen.failures.push(format!("{}: {}", name(start, client), why.escape_ascii()));
                        }
                        _ => {}
                    },
                    _ => {}
                }
            }
            if world.is_end() {
                break;
            }
        }
        seen
    }
}

/// The error with which a program stopped before its first request.
fn failure(process: &Process) -> Option<String> {
    process.scene().ok()?.threads.iter().find_map(|thread| match &thread.state {
        script::program::State::Failed(Failed::Error(why)) => Some(why.escape_ascii().to_string()),
        _ => None,
    })
}
