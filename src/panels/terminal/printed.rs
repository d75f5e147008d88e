//! Replies of a database in the format of the `mysql` client, with explanations of errors.
use std::rc::Rc;

use bytes::Bytes;
use yew::prelude::*;

use crate::hooks::use_lang;
use crate::i18n::messages::TerminalWaitsRow;
use crate::i18n::{Lang, code, rich};
use crate::state::terminal::transcript::{Entry, ItemContent};
use crate::ui::html;

/// Maximum number of lines shown.
const LINES_MAX: usize = 2_000;

/// Properties of [`Printed`].
#[derive(Clone, Properties)]
pub struct PrintedProps {
    /// The entry with the reply.
    pub entry: Rc<Entry>,
}

impl PartialEq for PrintedProps {
    fn eq(&self, other: &PrintedProps) -> bool {
        Rc::ptr_eq(&self.entry, &other.entry)
    }
}

/// A reply of a database.
#[component]
pub fn Printed(props: &PrintedProps) -> Html {
    let t = use_lang();
    let ItemContent::Result { text, code } = &props.entry.what else { return Html::default() };
    let hidden = text.lines().count().saturating_sub(LINES_MAX);
    html! {
        <div class="terminal-answer">
            <div class={if code.is_some() { "terminal-printed said-error" } else { "terminal-printed" }}>
                { for text.lines().take(LINES_MAX).map(|line| html! {
                    <div data-bordered={line.starts_with(['+', '|']).then_some("")}>{ for runs(line).map(run) }</div>
                }) }
            </div>
            if hidden > 0 { <p class="terminal-explains">{ t.terminal_not_drawn(hidden as u64) }</p> }
            if let Some(why) = code.and_then(|code| meaning(t, code)) { <p class="terminal-explains">{ rich(why) }</p> }
        </div>
    }
}

/// Splits a line into runs of characters of equal width: ASCII, or others, which are twice as wide.
fn runs(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_wide = |c: char| !c.is_ascii();
        let first = rest.chars().next()?;
        let end = rest.find(|c| is_wide(c) != is_wide(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(run)
    })
}

/// A run of a line. In no font are Chinese characters exactly twice as wide as Latin ones, so their width is set to what the table's
/// borders expect.
fn run(text: &str) -> Html {
    if text.is_ascii() {
        return html! { { text } };
    }
    let width = format!("inline-size: {}ch", table::text_width(text));
    html! { <span class="terminal-wide" style={width}>{ text }</span> }
}

/// Explanation of an error of a database, by its code.
fn meaning(t: Lang, code: u16) -> Option<&'static str> {
    Some(match code {
        1040 => t.sql_too_many_connections(),
        1062 => t.sql_duplicate(),
        1064 => t.sql_syntax(),
        1146 => t.sql_no_table(),
        1054 => t.sql_no_column(),
        1205 => t.sql_lock_wait(),
        1213 => t.sql_deadlock(),
        1048 | 1364 => t.sql_not_null(),
        _ => return None,
    })
}

/// Message that a statement waits for a row lock, with the holders.
pub fn waits_for_row(t: Lang, table: &Bytes, row: &Bytes, holders: &[String]) -> String {
    let text = |bytes: &Bytes| code(&String::from_utf8_lossy(bytes));
    t.say(TerminalWaitsRow { row: &text(row), table: &text(table), holders: &holders.join(t.step_comma()) })
}
