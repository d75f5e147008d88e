//! `HELP`: help on a command, a group of commands, or the terminal itself.
use bytes::Bytes;
use redis_model::command::{self, Command, Run};
use yew::prelude::*;

use super::documentation::{Described, DescribedProps};
use crate::hooks::{scripts, use_summaries};
use crate::i18n::messages::TerminalEval;
use crate::i18n::{Lang, code, rich};
use crate::state::support::FRAGMENT;
use crate::ui::{html, part};

/// Properties of [`Help`].
#[derive(Clone, PartialEq, Properties)]
pub struct HelpProps {
    /// The words after `HELP`.
    pub topic: Vec<Bytes>,
    /// Runs a line in this terminal.
    pub onrun: Callback<String>,
}

/// The reply to `HELP`.
#[component]
pub fn Help(props: &HelpProps) -> Html {
    let t = use_summaries();
    let topic: Vec<String> =
        props.topic.iter().map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).collect();
    let topic: Vec<&str> = topic.iter().map(String::as_str).collect();
    match topic.as_slice() {
        [] => overview(t),
        ["--eval", ..] | ["redis-cli", ..] => eval(t),
        [group] if group.starts_with('@') => of_group(t, group.trim_start_matches('@')),
        [name, rest @ ..] => match command::by_name(name.as_bytes()) {
            None => html! { <p class="terminal-explains">{ t.help_unknown(name) }</p> },
            Some(row) => {
                let row = rest.first().and_then(|sub| row.subcommand(sub.as_bytes())).unwrap_or(row);
                part::<Described>(DescribedProps { row, onrun: props.onrun.clone() })
            }
        },
    }
}

fn overview(t: Lang) -> Html {
    let mut groups: Vec<&'static str> =
        command::all().filter(|row| is_modelled(row)).map(|row| row.group.name()).collect();
    redis_model::sorting::sort(&mut groups);
    groups.dedup();
    html! {
        <div class="terminal-help">
            <p>{ t.help_overview() }</p>
            <ul>{ for groups.iter().map(|group| html! { <li><code>{ format!("HELP @{group}") }</code></li> }) }</ul>
            <p>{ t.help_terminal_keys() }</p>
            { eval(t) }
            <p>{ support_link(t) }</p>
        </div>
    }
}

/// The statements that a database supports.
#[inline(never)]
pub fn statements(t: Lang) -> Html {
    html! {
        <div class="terminal-help">
            <p>{ t.help_statements() }</p>
            <ul>{ for table::STATEMENTS.iter().map(|(_, syntax)| html! { <li><code>{ *syntax }</code></li> }) }</ul>
            <p>{ t.help_terminal_keys() }</p>
        </div>
    }
}

/// A link to the list of supported commands.
pub fn support_link(t: Lang) -> Html {
    html! { <a href={FRAGMENT}>{ t.support_title() }</a> }
}

/// Help on `--eval`, an option of redis-cli that is a command of this terminal.
pub fn eval(t: Lang) -> Html {
    let files = scripts::files(t);
    let names: Vec<String> =
        files.iter().map(|file| code(&resp::split::quote_argument(file.name.as_bytes()))).collect();
    let usage = code("--eval release.lua lock:1 , token");
    html! { <p class="terminal-explains">{ rich(&t.say(TerminalEval { usage: &usage, names: &names.join(t.step_comma()) })) }</p> }
}

/// Whether the model has a command, or a part of it.
pub fn is_modelled(row: &Command) -> bool {
    match row.run {
        Run::NotModelled => false,
        Run::Container => row.subcommands.iter().any(is_modelled),
        Run::Call(_) | Run::ContainerOr(_) => true,
    }
}

fn of_group(t: Lang, group: &str) -> Html {
    let rows: Vec<&Command> = command::all().filter(|row| row.group.name() == group).collect();
    if rows.is_empty() {
        return html! { <p class="terminal-explains">{ t.help_unknown(&format!("@{group}")) }</p> };
    }
    html! {
        <dl class="terminal-help terminal-help-list">
            { for rows.into_iter().map(|row| html! {
                <><dt><code>{ row.name.to_ascii_uppercase() }</code></dt><dd>{ t.summary(row) }</dd></>
            }) }
        </dl>
    }
}
