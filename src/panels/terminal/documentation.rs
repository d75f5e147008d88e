//! Documentation of a command: in a card above the input line for the command being typed, and in the reply to `HELP`.
use redis_model::command::{self, Command};
use yew::prelude::*;

use super::help::{is_modelled, support_link};
use crate::hooks::{use_documentation, use_lang};
use crate::i18n::{Lang, example, late, rich, unmarked};
use crate::state::explain::usage_line;
use crate::ui::html;

/// Properties of [`Documentation`].
#[derive(Clone, PartialEq, Properties)]
pub struct DocumentationProps {
    /// The id of its element.
    pub id: String,
    /// The line being typed.
    pub line: String,
    /// Runs a line in this terminal.
    pub onrun: Callback<String>,
}

/// The card above the input line. Between two commands, and while a name is incomplete, it keeps the last one.
#[component]
pub fn Documentation(props: &DocumentationProps) -> Html {
    let t = use_lang();
    let latest = use_mut_ref(|| None::<&'static Command>);
    if let Some(row) = documented(&props.line) {
        latest.replace(Some(row));
    }
    let row = *latest.borrow();
    let name = row.map(shown_name);
    let label = name.as_ref().map_or_else(|| t.documentation_toggle().to_owned(), |name| t.documentation_of(name));
    let onrun = props.onrun.clone();
    // An element for each command, which begins at its start. It can scroll, so it can be reached by the keyboard.
    html! {
        <section key={name.unwrap_or_default()} class="documentation" id={props.id.clone()} tabindex="0" aria-label={label}
            data-testid="documentation">
            if let Some(row) = row {
                { crate::ui::part::<Described>(DescribedProps { row, onrun }) }
            } else {
                <style>{ unmarked(late!("rest", "/src/panels/terminal/documentation.css")) }</style>
                <p class="terminal-help">{ t.documentation_none() }</p>
            }
        </section>
    }
}

/// The command that a line names with its first word, or its first two; a number of repetitions may precede them.
fn documented(line: &str) -> Option<&'static Command> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let name = if first.bytes().all(|letter| letter.is_ascii_digit()) { words.next()? } else { first };
    let row = command::by_name(name.as_bytes())?;
    Some(words.next().and_then(|word| row.subcommand(word.as_bytes())).unwrap_or(row))
}

fn shown_name(row: &Command) -> String {
    row.full_name().to_ascii_uppercase().replace('|', " ")
}

/// Properties of [`Described`].
#[derive(Clone, Properties)]
pub struct DescribedProps {
    /// The command.
    pub row: &'static Command,
    /// Runs a line in this terminal.
    pub onrun: Callback<String>,
}

impl PartialEq for DescribedProps {
    fn eq(&self, other: &DescribedProps) -> bool {
        std::ptr::eq(self.row, other.row) && self.onrun == other.onrun
    }
}

/// What there is to say about a command. Options, the example and what is Chinese follow once their files are loaded.
#[component]
pub fn Described(props: &DescribedProps) -> Html {
    let t = use_documentation();
    let row = props.row;
    let (options, complexity) = (t.options(row), t.complexity(row));
    html! {
        <div class="terminal-help documented">
            <style>{ unmarked(late!("rest", "/src/panels/terminal/documentation.css")) }</style>
            <p><code>{ usage_line(row) }</code></p>
            <dl>
                <dt>{ t.help_summary() }</dt><dd>{ t.summary(row) }</dd>
                <dt>{ t.help_since() }</dt><dd>{ row.since }</dd>
                <dt>{ t.help_group() }</dt><dd>{ row.group.name() }</dd>
                if !complexity.is_empty() { <><dt>{ t.help_complexity() }</dt><dd>{ complexity }</dd></> }
                if !options.is_empty() {
                    <>
                        <dt>{ t.help_options() }</dt>
                        <dd><dl class="terminal-help-list">
                            { for options.into_iter().map(|(token, sentence)| html! {
                                <><dt><code>{ token }</code></dt><dd>{ rich(sentence) }</dd></>
                            }) }
                        </dl></dd>
                    </>
                }
                { tried(t, example(row), &props.onrun) }
            </dl>
            if !row.subcommands.is_empty() {
                <dl class="terminal-help-list">
                    { for row.subcommands.iter().map(|sub| html! {
                        <><dt><code>{ sub.name.to_ascii_uppercase() }</code></dt><dd>{ t.summary(sub) }</dd></>
                    }) }
                </dl>
            }
            if !is_modelled(row) { <p>{ t.help_not_modelled() }{ " " }{ support_link(t) }</p> }
        </div>
    }
}

/// The lines of an example, and the button that runs them one after another.
fn tried(t: Lang, lines: Vec<&'static str>, onrun: &Callback<String>) -> Html {
    if lines.is_empty() {
        return Html::default();
    }
    let shown: Html = lines.iter().map(|line| html! { <code>{ *line }</code> }).collect();
    // The focus stays where it is: a click into the terminal would move it to the line, and open the keyboard of a phone.
    let keep_focus = Callback::from(|event: MouseEvent| event.prevent_default());
    let onrun = onrun.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        for line in &lines {
            onrun.emit((*line).to_owned());
        }
    });
    html! {
        <>
            <dt>{ t.help_example() }</dt>
            <dd class="documented-example">
                <div data-testid="help-example">{ shown }</div>
                <button type="button" class="button" onmousedown={keep_focus} {onclick} data-testid="help-run">{ t.help_run() }</button>
            </dd>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::{documented, shown_name};

    #[test]
    fn line_names_its_command() {
        for (line, name) in [
            ("SET k v", Some("SET")),
            ("  get", Some("GET")),
            ("set k \"half", Some("SET")),
            ("5 incr n", Some("INCR")),
            ("CLIENT", Some("CLIENT")),
            ("client ki", Some("CLIENT")),
            ("client kill ID 3", Some("CLIENT KILL")),
            ("GE", None),
            ("5", None),
            ("", None),
        ] {
            assert_eq!(documented(line).map(shown_name).as_deref(), name, "{line}");
        }
    }
}
