//! Time in which so much traffic comes that it passes in slices.
use std::rc::Rc;

use world::Input;
use world::timeline::Stretch;

use super::{Session, SessionAction};

/// Time in which so many requests of traffic are expected passes in slices.
const LONG_REQUESTS: u64 = 1_000;

impl Session {
    /// Takes time that has passed in slices, unless something else has happened meanwhile.
    pub(super) fn take_stretch(&mut self, stretch: Stretch) {
        let before = self.timeline.cursor();
        match self.timeline.push_stretch(stretch) {
            Some(Ok(step)) if step != before => Rc::make_mut(&mut self.by_hand).add(step),
            Some(Ok(_)) | None => {}
            Some(Err(why)) => self.refuse(why),
        }
        self.run_typed_ahead();
    }

    /// The time that an action lets pass, if so much traffic comes in it that it has to pass in slices, and what is to be done then. All
    /// traffic passes in slices if `can_stop`: what happens in it may end it.
    pub fn long_time(&self, action: &SessionAction, can_stop: bool) -> Option<(u64, Option<SessionAction>)> {
        self.world().traffic()?;
        let is_at_end = self.timeline.is_at_end();
        let (ms, rest) = match action {
            SessionAction::Push { input, .. } | SessionAction::Tell(input)
                if matches!(input, Input::Advance { .. })
                    && self.timeline.step_at(self.timeline.position()).is_some_and(|next| next.input == *input) =>
            {
                return None;
            }
            SessionAction::Push { input: Input::Advance { ms }, ahead_ms } => {
                (if is_at_end { ms.saturating_add(*ahead_ms) } else { *ms }, None)
            }
            SessionAction::Tell(Input::Advance { ms }) => (*ms, None),
            SessionAction::Push { input, ahead_ms } if is_at_end => {
                (*ahead_ms, Some(SessionAction::Push { input: input.clone(), ahead_ms: 0 }))
            }
            SessionAction::AddClient { ahead_ms } if is_at_end => {
                (*ahead_ms, Some(SessionAction::AddClient { ahead_ms: 0 }))
            }
            SessionAction::Settle { ahead_ms } if is_at_end => (*ahead_ms, None),
            _ => return None,
        };
        let long = if can_stop { 1 } else { LONG_REQUESTS };
        (self.world().expected_requests(ms) >= long).then_some((ms, rest))
    }
}
