//! The result of a task, for its card, and the only place where the panel records it in the progress.
use std::rc::Rc;

use ::lesson::{Task, TaskKind};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{SessionPart, use_progress, use_session_for};
use crate::state::judge::{Answer, Judge, Judgement, Worth, noted};
use crate::state::lesson::Opened;

/// The result of a task, and a callback that answers it.
pub struct Judging {
    /// The judgement of the session at the cursor.
    pub judgement: Rc<Judgement>,
    /// Judges an answer and records the result.
    pub answer: Callback<Answer>,
}

/// Judges the session after each step, and each answer of the learner. Results are recorded at once.
#[hook]
pub fn use_judging(opened: &Opened, task: &Task, is_done: bool) -> Judging {
    let session = use_session_for(&[SessionPart::Steps]);
    let progress = use_progress();
    // The judge is in a chunk that is loaded later, as are some commands that it runs. Before the learner's first step it is not needed.
    let has_work = matches!(task.kind, TaskKind::Achieve(_)) || !session.is_at_floor();
    let is_here = use_chunk(has_work.then_some(Chunk::Rest)) && Chunk::Rest.is_here();
    let judge = use_mut_ref(Judge::default);
    let judgement = {
        let judge = Rc::clone(&judge);
        let (session, lesson, task) = (session.clone(), Rc::clone(&opened.lesson), task.clone());
        let key = (session.revision(), session.is_dead_lock(), task.id.clone(), is_here);
        use_memo(key, move |_| {
            if is_here { judge.borrow_mut().judge(&lesson, &task, &session, None) } else { Judgement::default() }
        })
    };
    let note = {
        let (name, task) = (opened.name.clone(), task.clone());
        move |judgement: &Judgement| {
            for did in noted(&task, judgement, progress.help(&name, &task.id)) {
                progress.note(&name, did);
            }
        }
    };
    let answer = {
        let (note, lesson, task) = (note.clone(), Rc::clone(&opened.lesson), task.clone());
        Callback::from(move |answer: Answer| {
            let (note, lesson, judge) = (note.clone(), Rc::clone(&lesson), Rc::clone(&judge));
            let (session, task) = (session.clone(), task.clone());
            let judged = move || note(&judge.borrow_mut().judge(&lesson, &task, &session, Some(&answer)));
            if Chunk::Rest.is_here() {
                return judged();
            }
            spawn_local(async move {
                Chunk::Rest.ready().await;
                judged();
            });
        })
    };
    let is_new = matches!(judgement.worth, Worth::Done(_)) && !is_done;
    let judged = Rc::clone(&judgement);
    use_effect_with(is_new, move |is_new| {
        if *is_new {
            note(&judged);
        }
    });
    Judging { judgement, answer }
}
