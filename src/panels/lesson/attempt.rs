//! *Break* tasks: the button that sets up a stage of their own, and the result of an attempt as text. Both are in a chunk that is loaded
//! later.
use std::rc::Rc;

use ::lesson::Break;
use yew::prelude::*;

use super::put_on_stage;

use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::{AttemptBeyond, AttemptWithin};
use crate::state::judge::{Done, Worth};
use crate::state::lesson::Opened;
use crate::ui::{Button, ButtonLook, Picture, html};

/// The result of the learner's schedule in a *break* task.
#[inline(never)]
pub fn feedback(t: Lang, session: &SessionHandle, worth: &Worth) -> Html {
    html! { <>{ for words(t, session, worth).into_iter().map(|said| html! { <p>{ said }</p> }) }</> }
}

/// The result of the learner's schedule in a *break* task, as one or two sentences.
fn words(t: Lang, session: &SessionHandle, worth: &Worth) -> Vec<String> {
    let (steps, shortest, is_within, passed_over) = match worth {
        Worth::Given => return vec![t.attempt_given().to_owned()],
        Worth::Foreign => return vec![t.attempt_foreign().to_owned()],
        Worth::Done(Done::Broken { steps, shortest, is_within, passed_over }) => {
            (u64::from(*steps), u64::from(*shortest), is_within, passed_over)
        }
        Worth::Nothing | Worth::Partly | Worth::Done(_) => return Vec::new(),
    };
    let mut said = vec![if *is_within {
        t.say(AttemptWithin { steps, shortest })
    } else {
        t.say(AttemptBeyond { steps, shortest })
    }];
    if !passed_over.is_empty() {
        let who: Vec<String> = passed_over.iter().map(|client| session.name_of(*client)).collect();
        said.push(t.attempt_stood(&who.join(t.step_comma())));
    }
    said
}

/// A button that sets up the stage of a task that has its own.
#[inline(never)]
pub fn stage(t: Lang, opened: &Opened, session: &SessionHandle, task: &Break) -> Html {
    let set = {
        let (lesson, stage, session) = (Rc::clone(&opened.lesson), task.stage.clone(), session.clone());
        Callback::from(move |_: MouseEvent| put_on_stage(&session, &lesson.on_stage(&stage), &[]))
    };
    Button::words(t.task_stage()).picture(Picture::Play).look(ButtonLook::Quiet).testid("put-on-stage").on(set)
}
