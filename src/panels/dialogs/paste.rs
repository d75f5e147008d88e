//! Pasted commands: how many there are, which lines are none, and running them in the active client or in a new session.
use web_sys::HtmlTextAreaElement;
use world::ClientIndex;
use yew::prelude::*;

use super::DialogOnlyProps;
use crate::hooks::{SessionPart, run_all, run_anew, use_lang, use_session_for};
use crate::i18n::messages::PasteStrange;
use crate::state::commands::{FileCommand, of_paste};
use crate::ui::{Button, ButtonLook, Picture, html};

/// Maximum number of strange lines that are shown, and of characters of each.
const STRANGE_MAX: usize = 6;
const LINE_CHARS_MAX: usize = 60;

/// A button that opens the box, and the box.
#[component]
pub fn Paste(props: &DialogOnlyProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps, SessionPart::Active]);
    let text = use_state_eq(String::new);
    let pasted = use_memo((*text).clone(), |text| of_paste(text));
    let set = text.setter();
    let oninput = Callback::from(move |event: InputEvent| {
        set.set(event.target_unchecked_into::<HtmlTextAreaElement>().value());
    });
    let client = session.active();
    let is_ready = !pasted.commands.is_empty() && !pasted.is_too_much;
    let can_be_typed = is_ready && session.world().client(client).is_some() && session.database_of(client).is_none();
    let run_here = {
        let (session, pasted, onclose) = (session.clone(), pasted.clone(), props.onclose.clone());
        Callback::from(move |_: MouseEvent| {
            run_all(&session, of_client(client, &pasted.commands));
            onclose.emit(());
        })
    };
    let run_new = {
        let (session, pasted, onclose) = (session.clone(), pasted.clone(), props.onclose.clone());
        Callback::from(move |_: MouseEvent| {
            run_anew(&session, pasted.commands.clone());
            onclose.emit(());
        })
    };
    let hidden = pasted.strange.len().saturating_sub(STRANGE_MAX);
    html! {
        <details class="paste" data-testid="paste">
            <summary>{ t.paste_title() }</summary>
            <label>
                <span class="soft small">{ t.paste_what() }</span>
                <textarea class="field paste-text" rows="6" value={(*text).clone()} {oninput} autocomplete="off" autocapitalize="off"
                    spellcheck="false" data-testid="paste-text" />
            </label>
            <div role="status" data-testid="paste-found">
                <p>{ if pasted.is_too_much { t.paste_too_much().to_owned() } else { t.paste_count(pasted.commands.len() as u64) } }</p>
                if !pasted.strange.is_empty() {
                    <p class="small">{ t.paste_strange_lines(pasted.strange.len() as u64) }</p>
                    <ul class="paste-strange small">
                        { for pasted.strange.iter().take(STRANGE_MAX).map(|(number, line)| {
                            let line: String = line.chars().take(LINE_CHARS_MAX).collect();
                            html! { <li>{ t.say(PasteStrange { number: &number.to_string(), line: &line }) }</li> }
                        }) }
                        if hidden > 0 { <li>{ t.inside_more(hidden as u64) }</li> }
                    </ul>
                }
            </div>
            <div class="row">
                { Button::words(t.paste_here(&session.name_of(client))).look(ButtonLook::Primary).picture(Picture::Terminal)
                    .disabled(!can_be_typed).testid("paste-here").on(run_here) }
                { Button::words(t.paste_new()).picture(Picture::Add).disabled(!is_ready).testid("paste-new").on(run_new) }
            </div>
        </details>
    }
}

/// The commands as if this client had typed all of them.
fn of_client(client: ClientIndex, commands: &[FileCommand]) -> Vec<FileCommand> {
    commands.iter().map(|command| FileCommand { client, argv: command.argv.clone() }).collect()
}
