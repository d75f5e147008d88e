//! Editing a key by hand: every change is a command of the active client, which is shown before it is sent.
use bytes::Bytes;
use redis_model::value::Value;
use web_sys::HtmlInputElement;
use world::ClientIndex;
use yew::prelude::*;

use super::cell::shown;
use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::i18n::Lang;
use crate::state::inside::edit::{ValuePart, commands, expire, parts_of, text_of};
use crate::state::key::KeyName;
use crate::ui::{Button, choice, html, part, part_of};

/// Properties of [`Edit`].
#[derive(Clone, PartialEq, Properties)]
pub struct EditProps {
    /// The key.
    pub name: KeyName,
    /// The client that sends the commands.
    pub client: ClientIndex,
    /// Closes it.
    pub onclose: Callback<()>,
}

/// The fields for a part of the value and for the time to live.
#[component]
pub fn Edit(props: &EditProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let chosen = use_state_eq(|| None::<ValuePart>);
    let input = use_node_ref();
    {
        let input = input.clone();
        use_effect_with((), move |()| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                let _ = input.focus();
                input.select();
            }
        });
    }
    let Some(entry) = props.name.entry(session.world()) else { return Html::default() };
    let parts = parts_of(&entry.value);
    // A part that is gone leaves its place to the first one.
    let now = chosen.as_ref().filter(|part| parts.contains(part)).or(parts.first()).cloned();
    let close = props.onclose.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            close.emit(());
        }
    });
    let set = chosen.setter();
    html! {
        <div class="inside-edit" role="group" aria-label={t.keys_edit(&session.name_of(props.client))} {onkeydown} data-testid="edit">
            {
                match now {
                    None => html! { <p class="soft small">{ t.keys_edit_stream() }</p> },
                    Some(now) => html! {
                        <>
                            if now != ValuePart::Whole {
                                { choice(Some(part_label(t, &entry.value)), "edit-part", &parts, &now, part_words, move |part| set.set(Some(part))) }
                            }
                            { part_of::<Field>(&format!("{now:?}"), FieldProps { edit: props.clone(), of: now, input }) }
                        </>
                    },
                }
            }
            { part::<TimeToLive>(props.clone()) }
        </div>
    }
}

fn part_label(t: Lang, value: &Value) -> &'static str {
    match value {
        Value::Hash(_) => t.keys_edit_field(),
        Value::List(_) => t.keys_edit_element(),
        _ => t.keys_edit_member(),
    }
}

fn part_words(part: &ValuePart) -> String {
    match part {
        ValuePart::Whole => String::new(),
        ValuePart::Element(index) => index.to_string(),
        ValuePart::Field(name) | ValuePart::Member(name) | ValuePart::Score(name) => shown(name),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FieldProps {
    edit: EditProps,
    of: ValuePart,
    /// The text field.
    input: NodeRef,
}

/// The field for the new text of a part; Enter sends it.
#[component]
fn Field(props: &FieldProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let draft = use_state_eq(|| None::<String>);
    let FieldProps { edit: EditProps { name, client, .. }, of, input } = props;
    let text = name.entry(session.world()).and_then(|entry| text_of(&entry.value, of));
    let Some(text) = text else {
        return html! { <p class="soft small" data-testid="edit-refused">{ t.keys_edit_not_text() }</p> };
    };
    let now = (*draft).clone().unwrap_or(text);
    let sent = commands(&name.key, of, &now);
    let label = if matches!(of, ValuePart::Score(_)) { t.keys_edit_score() } else { t.keys_edit_value() };
    let set = draft.setter();
    let oninput = Callback::from(move |event: InputEvent| {
        set.set(Some(event.target_unchecked_into::<HtmlInputElement>().value()));
    });
    let (client, words) = (*client, command_words(&sent));
    let run = Callback::from(move |()| {
        for argv in &sent {
            session.run(client, argv.clone());
        }
        draft.set(None);
    });
    form(t, (label, "edit-value"), now, input.clone(), (oninput, run), words)
}

/// The field for the time to live, in seconds.
#[component]
fn TimeToLive(props: &EditProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let draft = use_state_eq(String::new);
    let input = use_node_ref();
    let EditProps { name, client, .. } = props;
    let client = *client;
    let expires = name.entry(session.world()).is_some_and(|entry| entry.expires_ms.is_some());
    let sent = expire(&name.key, &draft);
    let words = sent.as_ref().map(|argv| command_words(std::slice::from_ref(argv))).unwrap_or_default();
    let set = draft.setter();
    let oninput =
        Callback::from(move |event: InputEvent| set.set(event.target_unchecked_into::<HtmlInputElement>().value()));
    let persist = {
        let (session, key) = (session.clone(), name.key.clone());
        Callback::from(move |_: MouseEvent| session.run(client, vec!["PERSIST".into(), key.clone()]))
    };
    let now = (*draft).clone();
    let run = Callback::from(move |()| {
        if let Some(argv) = sent.clone() {
            session.run(client, argv);
            draft.set(String::new());
        }
    });
    html! {
        <>
            { form(t, (t.keys_edit_ttl(), "edit-ttl"), now, input, (oninput, run), words) }
            if expires { { Button::words(t.keys_edit_persist()).testid("edit-persist").on(persist) } }
        </>
    }
}

fn command_words(commands: &[Vec<Bytes>]) -> String {
    let lines: Vec<String> = commands.iter().map(|argv| resp::split::quote_command(argv)).collect();
    lines.join("; ")
}

/// A field with its label and its button, and the command that it sends.
#[inline(never)]
fn form(
    t: Lang,
    (label, testid): (&'static str, &'static str),
    value: String,
    input: NodeRef,
    (oninput, run): (Callback<InputEvent>, Callback<()>),
    words: String,
) -> Html {
    let is_nothing = words.is_empty();
    let click = run.reform(|_: MouseEvent| ());
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        if !is_nothing {
            run.emit(());
        }
    });
    html! {
        <form class="edit-field" {onsubmit}>
            <label><span class="small">{ label }</span>
                <input ref={input} class="field" {value} {oninput} autocomplete="off" autocapitalize="off" spellcheck="false" data-testid={testid} />
            </label>
            { Button::words(t.keys_edit_send()).disabled(is_nothing).on(click) }
            <code class="edit-command small">{ words }</code>
        </form>
    }
}
