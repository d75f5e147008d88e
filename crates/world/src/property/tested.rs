//! Whether something that happened put a property to the test. One that no schedule ever puts to the test holds of any program.
use redis_model::{Entry, value::Value};

use super::{Bound, Property, Term, When};
use crate::{Event, EventKind, Happening, World};

impl Property {
    /// Do these events, of the step that led to this world, put the property to the test?
    ///
    /// ```text
    /// mutual-exclusion            somebody came into a section
    /// only-owner-releases lock    the lock was deleted, not left to its time
    /// sum …                       something that is added up changed; of tallies that may not become more: a command was sent
    /// sum end …, everyone-gets-in the end was reached
    /// checks                      something was checked
    /// no-deadlock, no-errors      a command was sent
    /// nothing-lost                the end was reached, and a message was produced
    /// processed-once              a message was processed
    /// in-order, in-order-by-key   two messages are done, of the same key
    /// ```
    pub(crate) fn is_tested_by(&self, events: &[Event], world: &World) -> bool {
        let any = |is_it: &dyn Fn(&EventKind) -> bool| events.iter().any(|event| is_it(&event.kind));
        let happened =
            |is_it: fn(&Happening) -> bool| any(&|kind| matches!(kind, EventKind::Program { what, .. } if is_it(what)));
        match self {
            Property::MutualExclusion => happened(|what| matches!(what, Happening::Entered { .. })),
            Property::OnlyOwnerReleases { key } => any(&|kind| {
                let EventKind::KeyChanged { key: (0, changed), before: Some(_), after: None } = kind else {
                    return false;
                };
                changed == key
            }),
            Property::Sum { when: When::End, .. } | Property::EveryoneGetsIn { .. } => world.is_end(),
            Property::Sum { terms, bound, .. } => {
                let is_tallies_at_most =
                    matches!(bound, Bound::AtMost(_)) && terms.iter().all(|term| matches!(term, Term::Tally(_)));
                terms.iter().any(|term| any(&|kind| changes(term, kind)))
                    || is_tallies_at_most && happened(|what| matches!(what, Happening::Sent { .. }))
            }
            Property::Checks => happened(|what| matches!(what, Happening::Checked { .. })),
            Property::NoDeadlock | Property::NoErrors => happened(|what| matches!(what, Happening::Sent { .. })),
            Property::NothingLost => world.is_end() && world.watch().ledger().produced() > 0,
            Property::ProcessedOnce => happened(|what| matches!(what, Happening::Processed { .. })),
            Property::InOrder => world.watch().ledger().has_pair(),
            Property::InOrderByKey => world.watch().ledger().has_pair_of_key(),
        }
    }
}

/// Does this change what a term stands for?
fn changes(term: &Term, kind: &EventKind) -> bool {
    match (term, kind) {
        (Term::Tally(name), EventKind::Program { what: Happening::Tallied { name: counted, .. }, .. }) => {
            name == counted
        }
        (
            Term::Key(name) | Term::Field(name, _) | Term::Length(name),
            EventKind::KeyChanged { key: (0, key), before, after },
        ) => name == key && value(before.as_ref()) != value(after.as_ref()),
        _ => false,
    }
}

fn value(entry: Option<&Entry>) -> Option<&Value> {
    entry.map(|entry| &entry.value)
}
