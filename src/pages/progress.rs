//! Footer of the course: saves the progress to a file, loads it from a file, and deletes it.
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::hooks::{use_lang, use_progress, use_progress_file};
use crate::ui::{Button, ButtonLook, Picture, html};

/// Buttons that save, load and delete the progress.
#[component]
pub fn ProgressBox() -> Html {
    let t = use_lang();
    let progress = use_progress();
    let load = use_progress_file();
    let input = use_node_ref();
    let is_sure = use_state_eq(|| false);
    let save = {
        let progress = progress.clone();
        Callback::from(move |_: MouseEvent| progress.save())
    };
    let choose = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let chosen = Callback::from(move |event: Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            load.emit(file);
        }
        // Cleared so that selecting the same file again fires an event.
        input.set_value("");
    });
    let forget = {
        let (progress, is_sure) = (progress.clone(), is_sure.clone());
        Callback::from(move |_: MouseEvent| {
            if *is_sure {
                progress.forget();
            }
            is_sure.set(!*is_sure);
        })
    };
    html! {
        <section class="course-progress" aria-labelledby="progress">
            <h3 id="progress">{ t.progress_title() }</h3>
            <p class="soft">{ t.progress_what() }</p>
            <div class="row">
                { Button::words(t.progress_save()).picture(Picture::Download).disabled(progress.is_empty()).testid("progress-save").on(save) }
                { Button::words(t.progress_load()).picture(Picture::Upload).testid("progress-load").on(choose) }
                <input ref={input} type="file" class="sr-only" tabindex="-1" accept=".txt,text/plain" onchange={chosen}
                    aria-label={t.progress_load()} data-testid="progress-file" />
                if !progress.is_empty() {
                    { Button::words(if *is_sure { t.progress_forget_really() } else { t.progress_forget() })
                        .picture(Picture::Trash).look(ButtonLook::Quiet).testid("progress-forget").on(forget) }
                }
            </div>
        </section>
    }
}
