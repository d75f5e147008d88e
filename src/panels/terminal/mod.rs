//! The terminal of one client: what it sent and received up to the cursor, and a line to type on.
use web_sys::{HtmlElement, HtmlInputElement};
use world::{ClientIndex, EventKind};
use yew::prelude::*;

use crate::hooks::use_session;

/// Properties of [`Terminal`].
#[derive(Clone, PartialEq, Properties)]
pub struct TerminalProps {
    /// Whose terminal.
    pub client: ClientIndex,
    /// Whether it shall have the focus as soon as it is there.
    #[prop_or_default]
    pub is_active: bool,
}

/// A terminal like redis-cli.
#[component]
pub fn Terminal(props: &TerminalProps) -> Html {
    let client = props.client;
    let session = use_session();
    let line = use_state(String::new);
    let (input, log) = (use_node_ref(), use_node_ref());
    {
        let input = input.clone();
        use_effect_with(props.is_active, move |is_active| {
            if *is_active && let Some(input) = input.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        });
    }
    {
        let log = log.clone();
        use_effect_with(session.revision(), move |_| {
            if let Some(log) = log.cast::<HtmlElement>() {
                log.set_scroll_top(log.scroll_height());
            }
        });
    }
    let typed = {
        let line = line.clone();
        Callback::from(move |event: InputEvent| line.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    let submit = {
        let (session, line) = (session.clone(), line.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Ok(argv) = resp::split::split(line.as_bytes())
                && !argv.is_empty()
            {
                session.run(client, argv);
                line.set(String::new());
            }
        })
    };
    let focused = {
        let session = session.clone();
        Callback::from(move |_: FocusEvent| session.activate(client))
    };
    html! {
        <div class="terminal">
            <div class="terminal-log" ref={log} role="log" tabindex="0" aria-label={session.name_of(client)}>
                { for session.timeline().events_of(client).map(|(_, kind)| entry(kind)) }
            </div>
            <form class="terminal-line" onsubmit={submit}>
                <span class="terminal-prompt" aria-hidden="true">{ "> " }</span>
                <input ref={input} value={(*line).clone()} oninput={typed} onfocus={focused} autocomplete="off"
                    autocapitalize="off" spellcheck="false" aria-label={session.name_of(client)}
                    data-testid={format!("input-{client}")} />
            </form>
        </div>
    }
}

fn entry(kind: &EventKind) -> Html {
    match kind {
        EventKind::Command { argv, .. } => {
            html! { <pre class="terminal-command">{ format!("> {}", resp::split::quote_command(argv)) }</pre> }
        }
        EventKind::Reply { value, protocol, .. } => {
            html! { <pre>{ resp::cli::text(value, *protocol) }</pre> }
        }
        EventKind::Push { value, .. } => {
            html! { <pre>{ String::from_utf8_lossy(&resp::cli::push(value)).trim_end().to_owned() }</pre> }
        }
        _ => Html::default(),
    }
}
