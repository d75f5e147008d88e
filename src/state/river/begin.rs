//! When messages first flowed on a path: all that the page needs to know before it loads the river.
use std::collections::BTreeSet;

use redis_model::WaitReason;
use redis_model::value::Value;
use world::{ClientIndex, EventKind, ProgramEvent, Step, StepId};

use crate::state::followed::Derive;

/// The position after the first step that created a stream, in which a client first blocked on a list, subscribed without being a program,
/// or reported a message.
#[derive(Debug, Default)]
pub struct FirstFlow {
    first: Option<usize>,
    /// Clients that run a program. Programs subscribe in order to wait for a lock: the lanes show that.
    programs: BTreeSet<ClientIndex>,
}

impl FirstFlow {
    /// Whether messages have flowed by this position.
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
            if let EventKind::Program { client, what: ProgramEvent::Loaded, .. } = event.kind {
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
            EventKind::Program { what: ProgramEvent::Produced { .. } | ProgramEvent::Processed { .. }, .. } => true,
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
