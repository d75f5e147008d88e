//! Share: the session as a link, as a file, as a transcript.
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::DialogOnlyProps;
use crate::hooks::link::{self, LINK_CHARS_MAX};
use crate::hooks::{files, use_lang, use_notices, use_open_file, use_session};
use crate::state::notices::Said;
use crate::state::transcript;
use crate::ui::{Button, ButtonLook, Dialog, Picture};

/// The name under which a session is saved.
pub const FILE_NAME: &str = "session.lockstep.txt";

/// The dialog.
#[component]
pub fn Share(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    html! {
        <Dialog title={t.share()} onclose={props.onclose.clone()} testid="share-dialog">
            <Link />
            <FileSection onclose={props.onclose.clone()} />
            <Transcript />
        </Dialog>
    }
}

#[component]
fn Link() -> Html {
    let t = use_lang();
    let session = use_session();
    let notices = use_notices();
    let link = use_state(|| None::<String>);
    {
        let (link, session) = (link.clone(), session.clone());
        use_effect_with(session.revision(), move |_| {
            let text = session.timeline().to_text();
            spawn_local(async move {
                let fragment = link::fragment_of(&text).await;
                link.set(Some(format!("{}{fragment}", link::current_base())));
            });
        });
    }
    let length = link.as_ref().map_or(0, |link| link.chars().count());
    let is_too_long = length > LINK_CHARS_MAX;
    let copy = {
        let link = link.clone();
        Callback::from(move |_: MouseEvent| {
            let Some(link) = (*link).clone() else { return };
            let notices = notices.clone();
            spawn_local(async move {
                let is_copied = files::copy(&link).await;
                notices.say(if is_copied {
                    Said::LinkCopied(link.chars().count() as u64)
                } else {
                    Said::ClipboardRefused
                });
            });
        })
    };
    let select = Callback::from(|event: FocusEvent| event.target_unchecked_into::<HtmlInputElement>().select());
    html! {
        <section>
            <h3>{ t.share_link() }</h3>
            <p class="soft">{ t.share_link_what() }</p>
            if let Some(link) = link.as_ref() {
                if is_too_long {
                    <p class="warning" role="alert">{ t.share_link_too_long(LINK_CHARS_MAX as u64, length as u64) }</p>
                } else {
                    <div class="row share-link">
                        <input class="field code" readonly=true value={link.clone()} onfocus={select} aria-label={t.share_link()}
                            data-testid="share-link" />
                        <Button look={ButtonLook::Primary} picture={Picture::Share} onclick={copy} testid="copy-link">
                            { t.share_link_copy() }
                        </Button>
                    </div>
                    <p class="soft small">{ t.share_link_length(length as u64) }</p>
                }
            } else {
                <p class="soft">{ t.share_link_making() }</p>
            }
        </section>
    }
}

#[component]
fn FileSection(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let session = use_session();
    let open_file = use_open_file();
    let input = use_node_ref();
    let save = {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| {
            // A refusal is the browser's own, and it shows it itself.
            let _ = files::download(FILE_NAME, &session.timeline().to_text());
        })
    };
    let choose = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let chosen = {
        let onclose = props.onclose.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                open_file.emit(file);
                onclose.emit(());
            }
            // The same file may be chosen again.
            input.set_value("");
        })
    };
    html! {
        <section>
            <h3>{ t.share_file() }</h3>
            <p class="soft">{ t.share_file_what() }</p>
            <div class="row">
                <Button picture={Picture::Download} onclick={save} testid="save-file">{ t.share_file_save() }</Button>
                <Button picture={Picture::Upload} onclick={choose} testid="open-file">{ t.share_file_open() }</Button>
                <input ref={input} type="file" class="sr-only" tabindex="-1" accept=".txt,.lockstep,text/plain" onchange={chosen}
                    aria-label={t.share_file_open()} data-testid="file-input" />
            </div>
        </section>
    }
}

#[component]
fn Transcript() -> Html {
    let t = use_lang();
    let session = use_session();
    let notices = use_notices();
    let copy = move |is_markdown: bool| {
        let (session, notices) = (session.clone(), notices.clone());
        Callback::from(move |_: MouseEvent| {
            let name_of = |client| session.name_of(client);
            let text = if is_markdown {
                transcript::as_markdown(t, session.timeline(), &name_of)
            } else {
                transcript::as_text(session.timeline(), &name_of)
            };
            let notices = notices.clone();
            spawn_local(async move {
                let is_copied = files::copy(&text).await;
                notices.say(if is_copied { Said::TranscriptCopied } else { Said::ClipboardRefused });
            });
        })
    };
    html! {
        <section>
            <h3>{ t.share_transcript() }</h3>
            <p class="soft">{ t.share_transcript_what() }</p>
            <div class="row">
                <Button picture={Picture::Terminal} onclick={copy(false)} testid="copy-text">{ t.share_transcript_text() }</Button>
                <Button picture={Picture::List} onclick={copy(true)} testid="copy-markdown">{ t.share_transcript_markdown() }</Button>
            </div>
        </section>
    }
}
