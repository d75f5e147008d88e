//! When messages first flowed on a path: all that the page has to know before the river itself is fetched.
use std::collections::BTreeSet;

use redis_model::WaitReason;
use redis_model::value::Value;
use world::{ClientIndex, EventKind, Happening, Step, StepId};

use crate::state::followed::Derive;

/// The position after the step that made the first stream, in which a client first waited for a list, subscribed without being a program, or
/// told of a message.
#[derive(Debug, Default)]
pub struct FirstFlow {
    first: Option<usize>,
    /// Who runs a program. Programs subscribe in order to wait for a lock: the lanes show that.
    programs: BTreeSet<ClientIndex>,
}

impl FirstFlow {
    /// Has there been one by this position?
    pub fn is_there(&self, position: usize) -> bool {
        self.first.is_some_and(|first| first <= position)
    }
}

impl Derive for FirstFlow {
    type Context = ();
    type Checkpoint = (Option<usize>, BTreeSet<ClientIndex>);

    fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
        if self.first.is_some() {
            return;
        }
        for event in &step.events {
            if let EventKind::Program { client, what: Happening::Loaded, .. } = event.kind {
                self.programs.insert(client);
            }
        }
        let makes = |kind: &EventKind| match kind {
            EventKind::KeyChanged { after: Some(after), .. } => matches!(after.value, Value::Stream(_)),
            EventKind::Blocked { wait, .. } => matches!(wait.reason, WaitReason::Keys { type_name: "list", .. }),
            EventKind::Command { client, argv, .. } if !self.programs.contains(client) => {
                let name = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
                matches!(name.as_slice(), b"SUBSCRIBE" | b"PSUBSCRIBE" | b"SSUBSCRIBE")
            }
            EventKind::Program { what: Happening::Produced { .. } | Happening::Processed { .. }, .. } => true,
            _ => false,
        };
        if step.events.iter().any(|event| makes(&event.kind)) {
            self.first = Some(position);
        }
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.first, self.programs.clone())
    }

    fn go_back(&mut self, (first, programs): &Self::Checkpoint) {
        self.first = *first;
        self.programs.clone_from(programs);
    }
}
