//! When messages first flowed on a path: all that the page has to know before the river itself is fetched.
use redis_model::WaitReason;
use redis_model::value::Value;
use world::{EventKind, Step, StepId};

use crate::state::followed::Derive;

/// The position after the step that made the first stream, or in which a client first waited for a list.
#[derive(Debug, Default)]
pub struct FirstFlow(Option<usize>);

impl FirstFlow {
    /// Has there been one by this position?
    pub fn is_there(&self, position: usize) -> bool {
        self.0.is_some_and(|first| first <= position)
    }
}

impl Derive for FirstFlow {
    type Context = ();
    type Checkpoint = Option<usize>;

    fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
        let makes = |kind: &EventKind| match kind {
            EventKind::KeyChanged { after: Some(after), .. } => matches!(after.value, Value::Stream(_)),
            EventKind::Blocked { wait, .. } => matches!(wait.reason, WaitReason::Keys { type_name: "list", .. }),
            _ => false,
        };
        if self.0.is_none() && step.events.iter().any(|event| makes(&event.kind)) {
            self.0 = Some(position);
        }
    }

    fn checkpoint(&self) -> Option<usize> {
        self.0
    }

    fn go_back(&mut self, first: &Option<usize>) {
        self.0 = *first;
    }
}
