//! The machine of this thread.
use crate::Engine;
use std::cell::RefCell;

thread_local! {
    static ENGINE: RefCell<Option<Box<dyn Engine>>> = const { RefCell::new(None) };
}

/// Makes an engine the one of this thread, in place of the one before.
pub fn install(engine: Box<dyn Engine>) {
    ENGINE.set(Some(engine));
}

/// Is there an engine on this thread, and is it idle?
pub fn installed() -> bool {
    ENGINE.with_borrow(Option::is_some)
}

/// Lends this thread's engine; `None` where none is installed, and inside of another `with`.
pub fn with<R>(run: impl FnOnce(Option<&mut dyn Engine>) -> R) -> R {
    // Taken out meanwhile, so that a script which reached this again would find none instead of a locked cell.
    let mut engine = ENGINE.take();
    let result = run(engine.as_mut().map(|engine| engine.as_mut() as &mut dyn Engine));
    if engine.is_some() {
        ENGINE.with_borrow_mut(|place| {
            if place.is_none() {
                *place = engine;
            }
        });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Host, Job, Outcome, Ran};
    use bytes::Bytes;

    struct Nothing;

    impl Engine for Nothing {
        fn compile(&mut self, _: &Bytes) -> Result<(), Bytes> {
            Ok(())
        }

        fn run(&mut self, _: &Job, _: &mut dyn Host) -> Ran {
            Ran { outcome: Outcome::BudgetSpent(None), instructions: 0, random: 0 }
        }
    }

    #[test]
    fn one_is_lent_at_a_time() {
        assert!(!installed());
        with(|engine| assert!(engine.is_none()));
        install(Box::new(Nothing));
        with(|engine| {
            assert!(engine.is_some());
            with(|engine| assert!(engine.is_none()));
        });
        assert!(installed());
    }
}
