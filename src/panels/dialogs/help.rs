//! Help: three things to try, and all keyboard shortcuts, which can be changed here.
use yew::prelude::*;

use crate::hooks::{use_lang, use_preferences};
use crate::i18n::messages::HelpStart2;
use crate::i18n::{Lang, code, rich};
use crate::state::preferences::Prefer;
use crate::state::shortcuts::{Chord, Shortcut};
use crate::state::support::FRAGMENT;
use crate::ui::{Button, dialog, html, part};
use crate::workbench::registry::panel;

/// The help dialog, opened with `?`.
pub fn help(t: Lang, onclose: Callback<()>) -> Html {
    let children = html! {
        <>
            <section>
                <h3>{ t.help_start() }</h3>
                <ol class="help-start">
                    <li>{ rich(&t.help_start_1(&code("SET greeting hello EX 30"))) }</li>
                    <li>{ rich(&t.say(HelpStart2 { command: &code("BRPOP queue 0"), key: &code("queue") })) }</li>
                    <li>{ rich(&t.help_start_3(&code("Alt + ,"))) }</li>
                </ol>
            </section>
            <section>
                <h3>{ t.help_keys() }</h3>
                <p class="soft">{ t.help_keys_what() }</p>
                { part::<Keyboard>(()) }
            </section>
            <section>
                <h3>{ t.help_keys_terminal() }</h3>
                <dl class="keys">
                    { row(html! { <><kbd>{ "↑" }</kbd>{ " " }<kbd>{ "↓" }</kbd></> }, t.key_terminal_history()) }
                    { row(html! { <><kbd>{ "Ctrl" }</kbd>{ " " }<kbd>{ "R" }</kbd></> }, t.key_terminal_search()) }
                    { row(html! { <kbd>{ "Tab" }</kbd> }, t.key_terminal_complete()) }
                    { row(html! { <><kbd>{ "Ctrl" }</kbd>{ " " }<kbd>{ "C" }</kbd></> }, t.key_terminal_interrupt()) }
                    { row(html! { <><kbd>{ "Ctrl" }</kbd>{ " " }<kbd>{ "L" }</kbd></> }, t.key_terminal_clear()) }
                </dl>
            </section>
            <p><a href={FRAGMENT} data-testid="support-link">{ t.support_title() }</a></p>
            <p class="soft small">{ t.help_privacy() }</p>
        </>
    };
    dialog(t.help_title(), onclose, "help-dialog", children)
}

/// The keyboard shortcuts: what each does, a field to change it, and whether single keys work without Alt.
#[component]
fn Keyboard() -> Html {
    let t = use_lang();
    let preferences = use_preferences();
    let keys = preferences.now().keys.clone();
    // The shortcut that waits for a new key, and the one that already uses the pressed key.
    let waiting = use_state_eq(|| None::<Shortcut>);
    let taken = use_state_eq(|| None::<Shortcut>);
    let pressed = {
        let (waiting, taken, keys, preferences) = (waiting.clone(), taken.clone(), keys.clone(), preferences.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some(shortcut) = *waiting else { return };
            if event.key() == "Tab" {
                return waiting.set(None);
            }
            event.prevent_default();
            event.stop_propagation();
            if event.key() == "Escape" {
                return waiting.set(None);
            }
            let Some(chord) = Chord::of(&event.code(), event.shift_key()) else { return };
            match keys.with(shortcut, chord) {
                Ok(_) => {
                    preferences.prefer(Prefer::Key(shortcut, chord));
                    waiting.set(None);
                    taken.set(None);
                }
                Err(other) => taken.set(Some(other)),
            }
        })
    };
    let key = |shortcut: Shortcut, chord: Chord| {
        let is_waiting = *waiting == Some(shortcut);
        let (waiting, taken) = (waiting.clone(), taken.clone());
        let change = Callback::from(move |_: MouseEvent| {
            taken.set(None);
            waiting.set((!is_waiting).then_some(shortcut));
        });
        let words = if is_waiting { t.keys_press().to_owned() } else { chord.label() };
        html! {
            <button type="button" class="key" aria-pressed={if is_waiting { "true" } else { "false" }} title={t.keys_change()}
                aria-label={format!("{}: {words}", said(t, shortcut))} onclick={change} onkeydown={pressed.clone()}>
                <kbd>{ words.clone() }</kbd>
            </button>
        }
    };
    let single = preferences.preferring(Prefer::SingleKeys(!keys.is_single));
    html! {
        <>
            <p class="keys-single">
                { Button::words(if keys.is_single { t.keys_on() } else { t.keys_off() }).pressed(keys.is_single)
                    .testid("single-keys").on(single) }
                <span>{ t.keys_single() }</span>
            </p>
            <dl class="keys" data-testid="keys">
                { for keys.all().map(|(shortcut, chord)| row(key(shortcut, chord), said(t, shortcut))) }
                { row(html! { <kbd>{ "1–8" }</kbd> }, t.key_client()) }
                { row(html! { <><kbd>{ "?" }</kbd>{ " " }<kbd>{ "F1" }</kbd></> }, t.key_help()) }
            </dl>
            <p role="status">{ taken.map(|other| t.keys_taken(said(t, other))).unwrap_or_default() }</p>
            if keys != keys.reset() {
                { Button::words(t.keys_default()).testid("default-keys").on(preferences.preferring(Prefer::DefaultKeys)) }
            }
        </>
    }
}

fn row(keys: Html, what: &'static str) -> Html {
    html! { <div><dt>{ keys }</dt><dd>{ what }</dd></div> }
}

fn said(t: Lang, shortcut: Shortcut) -> &'static str {
    match shortcut {
        Shortcut::StepBack => t.key_step_back(),
        Shortcut::StepForward => t.key_step_forward(),
        Shortcut::First => t.key_first(),
        Shortcut::Last => t.key_last(),
        Shortcut::PlayPause => t.key_run(),
        Shortcut::Slower => t.key_slower(),
        Shortcut::Faster => t.key_faster(),
        Shortcut::Second => t.key_second(),
        Shortcut::Deadline => t.key_deadline(),
        Shortcut::NextBranch => t.key_branch(),
        Shortcut::NewClient => t.key_client_new(),
        Shortcut::PreviousClient => t.key_client_previous(),
        Shortcut::NextClient => t.key_client_next(),
        Shortcut::Client(_) => t.key_client(),
        Shortcut::Panel(id) => panel(id).map_or("", |panel| (panel.title)(t)),
        Shortcut::FilterKeys => t.key_filter(),
        Shortcut::Steps => t.key_steps(),
        Shortcut::Scripts => t.key_scripts(),
        Shortcut::Lanes => t.key_lanes(),
        Shortcut::River => t.key_river(),
        Shortcut::Language => t.key_language(),
        Shortcut::Projector => t.key_projector(),
        Shortcut::Focus => t.key_focus(),
        Shortcut::Help | Shortcut::Leave => t.key_help(),
    }
}
