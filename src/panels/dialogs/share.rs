//! Share: the session as a link, a file or a transcript.
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::DialogOnlyProps;
use super::open_file::OpenFile;
use crate::hooks::link::{self, LINK_CHARS_MAX};
use crate::hooks::{NoticesHandle, SessionHandle, SessionPart, files, use_lang, use_notices, use_session_for};
use crate::i18n::Lang;
use crate::i18n::messages::ShareLinkTooLong;
use crate::state::notices::NoticeText;
use crate::state::transcript;
use crate::ui::{Button, ButtonLook, Picture, dialog, html, part};

/// Name of the downloaded file.
pub const FILE_NAME: &str = "session.lockstep.txt";

/// The dialog that shares the session.
#[component]
pub fn Share(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let notices = use_notices();
    let link = use_link(&session);
    let children = html! {
        <>
            { link_section(t, (*link).clone(), &notices) }
            { file_section(t, &session, props) }
            { transcript_section(t, &session, &notices) }
        </>
    };
    dialog(t.share(), props.onclose.clone(), "share-dialog", children)
}

/// The link to the current session; `None` while it is being created.
#[hook]
fn use_link(session: &SessionHandle) -> UseStateHandle<Option<String>> {
    let link = use_state(|| None::<String>);
    {
        let (link, session) = (link.clone(), session.clone());
        use_effect_with(session.revision(), move |_| {
            let text = session.timeline().to_text();
            spawn_local(async move {
                link.set(Some(link::address_with(&text).await));
            });
        });
    }
    link
}

/// Copies a text and shows a notice with the result.
fn copy(notices: &NoticesHandle, text: String, done: NoticeText) {
    let notices = notices.clone();
    spawn_local(async move {
        let is_copied = files::copy(&text).await;
        notices.say(if is_copied { done } else { NoticeText::ClipboardRefused });
    });
}

fn link_section(t: Lang, link: Option<String>, notices: &NoticesHandle) -> Html {
    let length = link.as_ref().map_or(0, |link| link.chars().count());
    let select = Callback::from(|event: FocusEvent| event.target_unchecked_into::<HtmlInputElement>().select());
    let body = match link {
        None => html! { <p class="soft">{ t.share_link_making() }</p> },
        Some(_) if length > LINK_CHARS_MAX => html! {
            <p class="warning" role="alert">{ t.say(ShareLinkTooLong { n: length as u64, most: LINK_CHARS_MAX as u64 }) }</p>
        },
        Some(link) => {
            let onclick = {
                let (link, notices) = (link.clone(), notices.clone());
                Callback::from(move |_: MouseEvent| copy(&notices, link.clone(), NoticeText::LinkCopied(length as u64)))
            };
            html! {
                <>
                    <div class="row share-link">
                        <input class="field code" readonly=true value={link} onfocus={select} aria-label={t.share_link()}
                            data-testid="share-link" />
                        { Button::words(t.share_link_copy()).look(ButtonLook::Primary).picture(Picture::Share)
                            .testid("copy-link").on(onclick) }
                    </div>
                    <p class="soft small">{ t.share_link_length(length as u64) }</p>
                </>
            }
        }
    };
    html! {
        <section>
            <h3>{ t.share_link() }</h3>
            <p class="soft">{ t.share_link_what() }</p>
            { body }
        </section>
    }
}

fn file_section(t: Lang, session: &SessionHandle, props: &DialogOnlyProps) -> Html {
    let save = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| {
            // If the browser refuses the download, it says so itself.
            let _ = files::download(FILE_NAME, &session.timeline().to_text());
        })
    };
    html! {
        <section>
            <h3>{ t.share_file() }</h3>
            <p class="soft">{ t.share_file_what() }</p>
            <div class="row">
                { Button::words(t.share_file_save()).picture(Picture::Download).testid("save-file").on(save) }
                { part::<OpenFile>(props.clone()) }
            </div>
        </section>
    }
}

fn transcript_section(t: Lang, session: &SessionHandle, notices: &NoticesHandle) -> Html {
    let copying = |is_markdown: bool| {
        let (session, notices) = (session.clone(), notices.clone());
        Callback::from(move |_: MouseEvent| {
            let name_of = |client| session.name_of(client);
            let text = if is_markdown {
                transcript::as_markdown(t, session.timeline(), &name_of)
            } else {
                transcript::as_text(session.timeline(), &name_of)
            };
            copy(&notices, text, NoticeText::TranscriptCopied);
        })
    };
    html! {
        <section>
            <h3>{ t.share_transcript() }</h3>
            <p class="soft">{ t.share_transcript_what() }</p>
            <div class="row">
                { Button::words(t.share_transcript_text()).picture(Picture::Terminal).testid("copy-text").on(copying(false)) }
                { Button::words(t.share_transcript_markdown()).picture(Picture::List).testid("copy-markdown").on(copying(true)) }
            </div>
        </section>
    }
}
