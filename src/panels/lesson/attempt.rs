//! What an attempt to break something is worth, in words. It comes with the judge, and is asked for only then.
use yew::prelude::*;

use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{AttemptBeyond, AttemptWithin};
use crate::state::judge::{Done, Worth};
use crate::ui::html;

/// What the learner's schedule is worth in a task to break something.
#[inline(never)]
pub fn told(t: Lang, session: &SessionHandle, worth: &Worth) -> Html {
    html! { <>{ for words(t, session, worth).into_iter().map(|said| html! { <p>{ said }</p> }) }</> }
}

/// What the learner's schedule is worth in a task to break something, in a sentence or two.
fn words(t: Lang, session: &SessionHandle, worth: &Worth) -> Vec<String> {
    let (steps, par, is_within, passed_over) = match worth {
        Worth::Given => return vec![t.attempt_given().to_owned()],
        Worth::Foreign => return vec![t.attempt_foreign().to_owned()],
        Worth::Done(Done::Broken { steps, par, is_within, passed_over }) => {
            (u64::from(*steps), u64::from(*par), is_within, passed_over)
        }
        Worth::Nothing | Worth::Partly | Worth::Done(_) => return Vec::new(),
    };
    let mut said =
        vec![if *is_within { t.say(AttemptWithin { steps, par }) } else { t.say(AttemptBeyond { steps, par }) }];
    if !passed_over.is_empty() {
        let who: Vec<String> = passed_over.iter().map(|client| session.name_of(*client)).collect();
        said.push(t.attempt_stood(&who.join(t.told_comma())));
    }
    said
}
