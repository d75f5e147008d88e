//! The story of a lesson, step by step; each step is explained after it has happened.
use yew::prelude::*;

use super::{prose, put_on_stage};
use crate::hooks::course::use_lesson;
use crate::hooks::{SessionPart, use_kept_focus, use_lang, use_progress, use_root_mark, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::StoryStep;
use crate::state::lesson::StoryProgress;
use crate::state::progress::Did;
use crate::ui::{Button, ButtonLook, Picture, html};

/// Properties of [`StoryPart`].
#[derive(Clone, PartialEq, Properties)]
pub struct StoryPartProps {
    /// Opens the sections and tasks.
    pub to_lesson: Callback<MouseEvent>,
}

/// The current position in the story, and the buttons for next and back. They are at the top, next first, so that the pointer can stay in
/// place.
#[component]
pub fn StoryPart(props: &StoryPartProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let opened = use_lesson();
    let progress = use_progress();
    let story_node = use_node_ref();
    use_kept_focus(&story_node);
    // On a phone the lanes are shown below the story.
    use_root_mark(Some("data-story"));
    let (story, steps) = (&opened.story, &opened.lesson.story);
    let shown = story.progress(&session);
    let (count, all) = (shown.steps(), story.len());
    let is_over = shown == StoryProgress::After(all);
    {
        let name = opened.name.clone();
        use_effect_with(is_over, move |is_over| {
            if *is_over {
                progress.note(&name, Did::HearOut);
            }
        });
    }
    let seek = |steps: usize| {
        let (session, position) = (session.clone(), story.position(&session, steps));
        Callback::from(move |_: MouseEvent| session.seek(position))
    };
    let on = {
        let (session, rest) = (session.clone(), story.rest(&session).to_vec());
        let from = story.position(&session, count);
        let is_aside = matches!(shown, StoryProgress::Aside(_));
        Callback::from(move |_: MouseEvent| {
            if session.is_held() {
                return;
            }
            if is_aside {
                session.seek(from);
            }
            session.set_running(false);
            rest.iter().for_each(|input| session.play_story(input.clone()));
        })
    };
    // On the stage of a task the only way back is to start the story again.
    let back = if session.is_staged() {
        seek(count)
    } else {
        let (session, lesson) = (session.clone(), opened.lesson.clone());
        Callback::from(move |_: MouseEvent| put_on_stage(&session, &lesson, &[]))
    };
    // A step without an effect is explained together with the step before it.
    let current = count.checked_sub(1).and_then(|last| steps.get(last));
    html! {
        <div class="story" data-testid="story" ref={story_node} tabindex="-1">
            <div class="row story-go">
                if !is_over && count < all && session.is_staged() {
                    { Button::words(next_word(t, count)).picture(Picture::Next).look(ButtonLook::Primary).testid("story-next").on(on) }
                }
                if is_over {
                    { Button::words(t.story_to_lesson()).look(ButtonLook::Primary).testid("story-to-lesson").on(props.to_lesson.clone()) }
                }
                if count > 0 {
                    { Button::words(t.story_back()).picture(Picture::Previous).testid("story-back").on(seek(count.saturating_sub(1))) }
                }
                if matches!(shown, StoryProgress::Aside(_)) {
                    { Button::words(t.story_return()).picture(Picture::Undo).testid("story-return").on(back) }
                }
            </div>
            <div class="story-now">
                {
                    match current {
                        None => html! { <p>{ t.story_ready() }</p> },
                        Some(step) => html! {
                            <>
                                <p class="story-count soft small" data-testid="story-count">{ t.say(StoryStep { n: count as u64, all: all as u64 }) }</p>
                                <h3>{ &step.title }</h3>
                                { prose(&step.html) }
                            </>
                        },
                    }
                }
                if matches!(shown, StoryProgress::Aside(_)) {
                    <p class="warning">{ t.story_aside() }</p>
                }
                if is_over { <p class="story-end">{ t.story_end() }</p> }
            </div>
            <ol class="story-steps">
                { for steps.iter().take(count).enumerate().map(|(nth, step)| {
                    let number = nth.saturating_add(1);
                    html! {
                        <li>
                            <button type="button" class="story-step" aria-current={(number == count).then_some("step")}
                                onclick={seek(number)}>{ &step.title }</button>
                        </li>
                    }
                }) }
            </ol>
        </div>
    }
}

fn next_word(t: Lang, count: usize) -> &'static str {
    if count == 0 { t.story_begin() } else { t.story_next() }
}
