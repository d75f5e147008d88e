//! Callers: each waits for the answer to its request, gives up after a while and may try again.
use super::arrivals::Wish;
use super::event::RequestEvent;
use super::{Due, Traffic, US};

/// A caller that waits for the answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    pub(super) until_ns: u64,
    pub(super) is_over: bool,
    pub(super) wish: Wish,
    pub(super) id: u32,
    pub(super) tries: u32,
}

impl Caller {
    /// Has it got an answer, or given up?
    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Traffic {
    /// The index of a request's caller among those that may still give up.
    fn caller_of(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first_caller)?).ok()
    }

    /// Does the caller of this request still wait?
    pub(super) fn is_waited_for(&self, number: u64) -> bool {
        let caller = self.caller_of(number).and_then(|place| self.callers.get(place));
        self.settings.patience_ms == 0 || caller.is_some_and(|caller| !caller.is_over)
    }

    /// Ends the caller's wait; returns whether it still waited.
    pub(super) fn caller_hears(&mut self, number: u64) -> bool {
        if self.settings.patience_ms == 0 {
            return true;
        }
        let Some(caller) = self.caller_of(number).and_then(|place| self.callers.get_mut(place)) else { return false };
        let waited = !std::mem::replace(&mut caller.is_over, true);
        // Callers that no longer wait are dropped from the front.
        while self.callers.front().is_some_and(|caller| caller.is_over) {
            self.callers.pop_front();
            self.first_caller = self.first_caller.saturating_add(1);
        }
        waited
    }

    /// The caller that has waited longest gives up. Its machine does not notice.
    pub(super) fn caller_gives_up(&mut self) {
        let Some(Caller { wish, id, tries, .. }) = self.callers.front().cloned() else { return };
        let number = self.first_caller;
        self.emit_for_waiting(number, None, || RequestEvent::GaveUp);
        self.caller_hears(number);
        self.series.now_mut().given_up = self.series.now().given_up.saturating_add(1);
        self.try_again(wish, id, tries);
    }

    /// After an error, a caller tries again if it may: after 50 to 150 ms, and twice as long each time.
    pub(super) fn try_again(&mut self, wish: Wish, id: u32, tries: u32) {
        if tries >= self.settings.retries {
            return;
        }
        let pause_us = self.rng.below(100_000).saturating_add(50_000) << tries.min(10);
        self.asks = self.asks.saturating_add(1);
        let at_ns = self.now_ns.saturating_add(pause_us.saturating_mul(US));
        self.due.insert((at_ns, self.asks), Due::Retry { wish, id, tries: tries.saturating_add(1) });
    }
}
