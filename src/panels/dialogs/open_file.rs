//! The button that opens a file: a session, or plain commands.
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::DialogOnlyProps;
use crate::hooks::{use_lang, use_open_file};
use crate::ui::{Button, Picture, html};

/// The button. The dialog around it closes when a file was chosen.
#[component]
pub fn OpenFile(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let open = use_open_file();
    let input = use_node_ref();
    let choose = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let onclose = props.onclose.clone();
    let chosen = Callback::from(move |event: Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            open.emit(file);
            onclose.emit(());
        }
        // Cleared so that selecting the same file again fires an event.
        input.set_value("");
    });
    html! {
        <>
            { Button::words(t.share_file_open()).picture(Picture::Upload).testid("open-file").on(choose) }
            <input ref={input} type="file" class="sr-only" tabindex="-1" accept=".txt,.redis,.lockstep,text/plain" onchange={chosen}
                aria-label={t.share_file_open()} data-testid="file-input" />
        </>
    }
}
