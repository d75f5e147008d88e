//! Help: three things to try, and every key.
use yew::prelude::*;

use crate::i18n::messages::HelpStart2;
use crate::i18n::{Lang, code, rich};
use crate::state::shortcuts::{SHOWN, Shortcut};
use crate::state::support::FRAGMENT;
use crate::ui::{dialog, html};

/// The overlay behind `?`.
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
                <dl class="keys">
                    { for SHOWN.iter().map(|(key, shortcut)| row(html! { <kbd>{ *key }</kbd> }, said(t, *shortcut))) }
                </dl>
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
        Shortcut::FilterKeys => t.key_filter(),
        Shortcut::Steps => t.key_steps(),
        Shortcut::Scripts => t.key_scripts(),
        Shortcut::Lanes => t.key_lanes(),
        Shortcut::Language => t.key_language(),
        Shortcut::Projector => t.key_projector(),
        Shortcut::Help | Shortcut::Leave => t.key_help(),
    }
}
