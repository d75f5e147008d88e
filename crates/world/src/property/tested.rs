//! Whether events test a property. A property that no schedule ever tests holds for any program.
use redis_model::{Entry, value::Value};

use super::{Bound, Looked, Property, Term, When, formula};
use crate::{Event, EventKind, ProgramEvent, World};

impl Property {
    /// Do these events, from the step that led to this world, test the property?
    ///
    /// ```text
    /// mutual-exclusion            a thread entered a section
    /// at-most                     a thread entered that section
    /// nobody-gives-up             a program ended normally
    /// only-owner-releases lock    the lock was deleted, not left to expire
    /// sum …                       a term changed; for tallies with an upper bound: a command was sent
    /// sum end …                   the end was reached
    /// everyone-gets-in            the end was reached, with a named client that has not crashed
    /// always [if …]               an operand changed, and the premise is true
    /// end [if …]                  the end was reached, and the premise is true
    /// checks                      a condition was checked
    /// no-deadlock, no-errors      a command was sent
    /// everyone-gets-on            the same
    /// nothing-lost                the end was reached, and a message was produced
    /// processed-once              a message was processed
    /// in-order, in-order-by-key   two messages are finished, with the same key
    /// ```
    pub(crate) fn is_tested_by(&self, events: &[Event], world: &World) -> bool {
        // Properties never read keys of other nodes.
        let is_seen = |event: &&Event| !event.kind.is_about_keys() || event.node == Some(Property::NODE);
        let any = |is_it: &dyn Fn(&EventKind) -> bool| events.iter().filter(is_seen).any(|event| is_it(&event.kind));
        let happened = |is_it: fn(&ProgramEvent) -> bool| {
            any(&|kind| matches!(kind, EventKind::Program { what, .. } if is_it(what)))
        };
        match self {
            Property::MutualExclusion => happened(|what| matches!(what, ProgramEvent::Entered { .. })),
            Property::AtMost { section, .. } => any(
                &|kind| matches!(kind, EventKind::Program { what: ProgramEvent::Entered { section: of }, .. } if of == section),
            ),
            Property::NoClientGivesUp { .. } => {
                happened(|what| matches!(what, ProgramEvent::Ended))
                    && world.asked(&[]).any(|(_, process)| process.is_done())
            }
            Property::OnlyOwnerReleases { key } => any(&|kind| {
                let EventKind::KeyChanged { key: (0, changed), before: Some(_), after: None } = kind else {
                    return false;
                };
                changed == key
            }),
            Property::Sum { when: When::End, .. } => world.is_end(),
            Property::EveryoneGetsIn { clients, .. } => world.is_end() && world.asked(clients).next().is_some(),
            Property::Claim { when, premise, .. } => {
                let is_looked_at = match when {
                    When::End => world.is_end(),
                    When::Always => self.decides().into_iter().any(|looked| any(&|kind| changes(looked, kind))),
                };
                is_looked_at && premise.as_ref().is_none_or(|premise| formula::is_true(world, premise))
            }
            Property::Sum { terms, bound, .. } => {
                let is_tallies_at_most = matches!(bound, Bound::AtMost(_))
                    && terms.iter().all(|(factor, term)| *factor > 0 && matches!(term, Term::Tally(_)));
                self.decides().into_iter().any(|looked| any(&|kind| changes(looked, kind)))
                    || is_tallies_at_most && happened(|what| matches!(what, ProgramEvent::Sent { .. }))
            }
            Property::Checks => happened(|what| matches!(what, ProgramEvent::Checked { .. })),
            Property::NoDeadlock | Property::EveryoneGetsOn | Property::NoErrors => {
                happened(|what| matches!(what, ProgramEvent::Sent { .. }))
            }
            Property::NothingLost => world.is_end() && world.watch().ledger().produced() > 0,
            Property::ProcessedOnce => happened(|what| matches!(what, ProgramEvent::Processed { .. })),
            Property::InOrder => world.watch().ledger().has_pair(),
            Property::InOrderByKey => world.watch().ledger().has_pair_of_key(),
        }
    }
}

impl Property {
    /// The names whose change tests the property: only rows, if it reads any, because what they are compared with changes without them.
    fn decides(&self) -> Vec<Looked<'_>> {
        let mut looked = self.looks_at();
        let is_row = |looked: &Looked| matches!(looked, Looked::Row(..));
        if looked.iter().any(is_row) {
            looked.retain(is_row);
        }
        looked
    }
}

/// Does this event change the value?
fn changes(looked: Looked, kind: &EventKind) -> bool {
    match (looked, kind) {
        (Looked::Tally(name), EventKind::Program { what: ProgramEvent::Tallied { name: counted, .. }, .. }) => {
            name == counted
        }
        (Looked::Key(name), EventKind::KeyChanged { key: (0, key), before, after }) => {
            name == key && value(before.as_ref()) != value(after.as_ref())
        }
        (Looked::Row(table, name), EventKind::RowChanged { table: changed, key, .. }) => {
            (table, name) == (changed, key)
        }
        _ => false,
    }
}

fn value(entry: Option<&Entry>) -> Option<&Value> {
    entry.map(|entry| &entry.value)
}
