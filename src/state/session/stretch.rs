//! Time with so much traffic that it has to pass in slices.
use std::rc::Rc;

use world::Input;
use world::timeline::Stretch;
use world::traffic::settings::Handler;

use super::{Session, SessionAction};

/// From this many expected requests, time passes in slices.
const LONG_REQUESTS: u64 = 1_000;
/// The same for a handler in Lua, which may take several ms per request until it reaches a limit.
const LONG_REQUESTS_IN_LUA: u64 = 20;

impl Session {
    /// Applies time that has passed in slices, unless something else happened meanwhile.
    pub(super) fn take_stretch(&mut self, stretch: Stretch) {
        if stretch.ms() == 0 {
            // It was stopped in its first script.
            return self.run_typed_ahead();
        }
        let before = self.timeline.cursor();
        match self.timeline.push_stretch(stretch) {
            Some(Ok(step)) if step != before => Rc::make_mut(&mut self.by_hand).add(step),
            Some(Ok(_)) | None => {}
            Some(Err(why)) => self.refuse(why),
        }
        self.run_typed_ahead();
    }

    /// How much time an action lets pass, if it has so much traffic that it must pass in slices, and the action to take afterwards. With
    /// `can_stop`, any traffic passes in slices: an event in it may end it.
    pub fn long_time(&self, action: &SessionAction, can_stop: bool) -> Option<(u64, Option<SessionAction>)> {
        let is_at_end = self.timeline.is_at_end();
        let (ms, rest) = match action {
            SessionAction::Push { input, .. } | SessionAction::Story(input)
                if matches!(input, Input::Advance { .. })
                    && self.timeline.step_at(self.timeline.position()).is_some_and(|next| next.input == *input) =>
            {
                return None;
            }
            SessionAction::Push { input: Input::Advance { ms }, ahead_ms } => {
                (if is_at_end { ms.saturating_add(*ahead_ms) } else { *ms }, None)
            }
            SessionAction::Story(Input::Advance { ms }) => (*ms, None),
            SessionAction::Push { input, ahead_ms } if is_at_end => {
                (*ahead_ms, Some(SessionAction::Push { input: input.clone(), ahead_ms: 0 }))
            }
            SessionAction::AddClient { ahead_ms } if is_at_end => {
                (*ahead_ms, Some(SessionAction::AddClient { ahead_ms: 0 }))
            }
            SessionAction::Settle { ahead_ms } if is_at_end => (*ahead_ms, None),
            _ => return None,
        };
        let long = match &self.world().traffic()?.settings().handler {
            _ if can_stop => 1,
            Handler::Lua(_) => LONG_REQUESTS_IN_LUA,
            Handler::CacheAside { .. } => LONG_REQUESTS,
        };
        (self.world().expected_requests(ms) >= long).then_some((ms, rest))
    }
}
