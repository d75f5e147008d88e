//! Time and events of traffic that may take so long that they have to pass in slices.
use std::rc::Rc;

use world::Input;
use world::timeline::Stretch;
use world::traffic::TrafficAct;
use world::traffic::settings::Handler;

use super::{Session, SessionAction};

/// From this many expected requests, time passes in slices. With a handler in Lua it always does: a single request can take seconds.
const LONG_REQUESTS: u64 = 1_000;

impl Session {
    /// Applies time that has passed in slices, unless something else happened meanwhile.
    pub(super) fn take_stretch(&mut self, stretch: Stretch) {
        let before = self.timeline.cursor();
        match self.timeline.push_stretch(stretch) {
            Some(Ok(step)) if step != before => Rc::make_mut(&mut self.by_hand).add(step),
            Some(Ok(_)) | None => {}
            Some(Err(why)) => self.refuse(why),
        }
        self.run_typed_ahead();
    }

    /// The time that an action lets pass, or the event of traffic, if it may take so long that it must pass in slices, and the action to
    /// take afterwards. With `can_stop`, any traffic passes in slices: an event in it may end it.
    pub fn in_slices(&self, action: &SessionAction, can_stop: bool) -> Option<(Stretch, Option<SessionAction>)> {
        let is_at_end = self.timeline.is_at_end();
        let of_time = |ms| {
            let long = match &self.world().traffic()?.settings().handler {
                Handler::CacheAside { .. } if !can_stop => LONG_REQUESTS,
                Handler::CacheAside { .. } => 1,
                Handler::Lua(_) => 0,
            };
            let is_long = ms > 0 && self.world().expected_requests(ms) >= long;
            is_long.then(|| self.timeline.stretch(ms).ok()).flatten()
        };
        match action {
            SessionAction::Push { input, .. } | SessionAction::Story(input) if self.is_next(input) => None,
            SessionAction::Push { input: Input::Advance { ms }, ahead_ms } => {
                Some((of_time(if is_at_end { ms.saturating_add(*ahead_ms) } else { *ms })?, None))
            }
            SessionAction::Story(Input::Advance { ms }) => Some((of_time(*ms)?, None)),
            SessionAction::Push { input, ahead_ms } if is_at_end && *ahead_ms > 0 => {
                let rest = SessionAction::Push { input: input.clone(), ahead_ms: 0 };
                Some((of_time(*ahead_ms)?, Some(rest)))
            }
            SessionAction::AddClient { ahead_ms } if is_at_end => {
                Some((of_time(*ahead_ms)?, Some(SessionAction::AddClient { ahead_ms: 0 })))
            }
            SessionAction::Settle { ahead_ms } if is_at_end => Some((of_time(*ahead_ms)?, None)),
            SessionAction::Push { input: Input::Traffic { act: TrafficAct::Step }, .. }
            | SessionAction::Story(Input::Traffic { act: TrafficAct::Step }) => {
                Some((self.timeline.stretch_of_event().ok()?, None))
            }
            _ => None,
        }
    }

    /// Is this input the next step of the path? Then it only moves forward.
    fn is_next(&self, input: &Input) -> bool {
        self.timeline.step_at(self.timeline.position()).is_some_and(|next| next.input == *input)
    }
}
