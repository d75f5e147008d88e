//! Notices for the whole page: any component may post one, and a single region shows them.
use gloo_timers::callback::Timeout;
use world::StepError;
use yew::prelude::*;

use super::preferences::missing;
use super::{reload, use_lang};
use crate::i18n::Lang;
use crate::i18n::messages::RefusedSize;
use crate::state::notices::{Notice, NoticeKind, NoticeText, Notices, Notify};
use crate::state::scripts::TEXT_CHARS_MAX;
use crate::ui::{Button, Picture, part_of};

/// How long notices of success and of refusal stay; a warning stays until it is closed.
const DONE_MS: u32 = 5_000;
const REFUSED_MS: u32 = 9_000;

/// Posts notices.
#[derive(Clone, PartialEq)]
pub struct NoticesHandle {
    dispatcher: UseReducerDispatcher<Notices>,
}

impl NoticesHandle {
    /// Shows `text` at the bottom of the page and announces it to screen readers.
    pub fn say(&self, text: NoticeText) {
        self.dispatcher.dispatch(Notify::Say(text));
    }
}

/// Properties of [`NoticesProvider`].
#[derive(Clone, PartialEq, Properties)]
pub struct NoticesProviderProps {
    /// The page.
    pub children: Html,
}

/// Provides notices to its children and shows them.
#[component]
pub fn NoticesProvider(props: &NoticesProviderProps) -> Html {
    let state = use_reducer(Notices::default);
    let close = {
        let dispatcher = state.dispatcher();
        Callback::from(move |id: u32| dispatcher.dispatch(Notify::Close(id)))
    };
    html! {
        <ContextProvider<NoticesHandle> context={NoticesHandle { dispatcher: state.dispatcher() }}>
            { props.children.clone() }
            <div class="notices" role="status" aria-live="polite" data-testid="notices">
                { for state.shown.iter().map(|notice| html! {
                    { part_of::<NoticeCard>(&notice.id, NoticeCardProps { notice: notice.clone(), onclose: close.clone() }) }
                }) }
            </div>
        </ContextProvider<NoticesHandle>>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct NoticeCardProps {
    notice: Notice,
    onclose: Callback<u32>,
}

#[component]
fn NoticeCard(props: &NoticeCardProps) -> Html {
    let t = use_lang();
    let (id, kind) = (props.notice.id, props.notice.kind);
    {
        let onclose = props.onclose.clone();
        use_effect_with(id, move |_| {
            let stays_ms = match kind {
                NoticeKind::Done => Some(DONE_MS),
                NoticeKind::Refused => Some(REFUSED_MS),
                NoticeKind::Warning => None,
            };
            let timeout = stays_ms.map(|ms| Timeout::new(ms, move || onclose.emit(id)));
            move || drop(timeout)
        });
    }
    let close = {
        let onclose = props.onclose.clone();
        Callback::from(move |_: MouseEvent| onclose.emit(id))
    };
    let word = match kind {
        NoticeKind::Done => "done",
        NoticeKind::Refused | NoticeKind::Warning => "warning",
    };
    html! {
        <div class="notice" data-kind={word} data-testid="notice">
            <span>{ sentence(t, &props.notice.text) }</span>
            if props.notice.text == NoticeText::NewBuild {
                { Button::words(t.notice_reload()).testid("notice-reload").on(Callback::from(|_| reload())) }
            }
            { Button::icon(Picture::Close, t.close()).on(close) }
        </div>
    }
}

fn sentence(t: Lang, text: &NoticeText) -> String {
    match text {
        NoticeText::FixedText(_, words) => words.0(t).to_owned(),
        NoticeText::LinkCopied(length) => t.notice_link_copied(*length),
        NoticeText::TranscriptCopied => t.notice_transcript_copied().to_owned(),
        NoticeText::ClipboardRefused => t.notice_clipboard_refused().to_owned(),
        NoticeText::SessionOpened(steps) => t.notice_session_opened(*steps),
        NoticeText::SetAside => t.notice_set_aside().to_owned(),
        NoticeText::NotASession => t.notice_not_a_session().to_owned(),
        NoticeText::NewerVersion => t.notice_from_the_future().to_owned(),
        NoticeText::TooLarge => t.notice_too_large().to_owned(),
        NoticeText::NotStored => t.notice_not_stored().to_owned(),
        NoticeText::Refused(why) => refusal(t, *why),
        NoticeText::PasteTooLarge => t.notice_paste_too_large().to_owned(),
        NoticeText::NoMachine => t.notice_no_machine().to_owned(),
        NoticeText::TrafficStopped => t.traffic_stopped().to_owned(),
        NoticeText::TrafficStoppedAtFault => t.traffic_stopped_at_fault().to_owned(),
        NoticeText::ScriptStopped => t.notice_script_stopped().to_owned(),
        NoticeText::ScriptNotStored => t.notice_script_not_stored().to_owned(),
        NoticeText::ScriptTooLarge => t.notice_script_too_large(TEXT_CHARS_MAX as u64),
        NoticeText::ScriptNotText => t.notice_script_not_text().to_owned(),
        NoticeText::ScriptName => t.notice_script_name().to_owned(),
        NoticeText::Forked => t.notice_forked().to_owned(),
        NoticeText::NewBuild => t.notice_new_build().to_owned(),
    }
}

fn refusal(t: Lang, why: StepError) -> String {
    match why {
        StepError::ClientIsBlocked(_) => t.refused_blocked().to_owned(),
        StepError::ClientIsPaused(_) => t.refused_paused().to_owned(),
        StepError::BadName => t.refused_name().to_owned(),
        StepError::NameTaken => t.refused_taken().to_owned(),
        StepError::CommandTooLarge { given, most } => t.say(RefusedSize { given: given as u64, most: most as u64 }),
        StepError::MachineCannot(_) => t.traffic_refused_machine().to_owned(),
        StepError::TooMuchTraffic(most) => t.traffic_refused_many(most),
        StepError::EndOfTime => t.refused_end_of_time().to_owned(),
        StepError::TimelineFull(most) => t.refused_full(most as u64),
        other => t.refused_other(&other.to_string()),
    }
}

/// The handle that posts notices.
#[hook]
pub fn use_notices() -> NoticesHandle {
    use_context::<NoticesHandle>().unwrap_or_else(|| missing("NoticesProvider"))
}
