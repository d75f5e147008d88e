//! Whether the river panel has anything to show.
use yew::prelude::*;

use super::{SessionPart, use_derived, use_session_if_any};
use crate::state::followed::Followed;
use crate::state::river::FirstFlow;

/// Whether any step up to the cursor has used a stream or a list that a client waited for.
#[hook]
pub fn use_has_flow() -> bool {
    let session = use_session_if_any(&[SessionPart::Steps]);
    let first = use_derived::<Followed<FirstFlow>>(|| "first-flow".to_owned());
    session.is_some_and(|session| {
        let mut first = first.borrow_mut();
        first.follow(session.timeline(), ());
        first.is_there(session.timeline().position())
    })
}
