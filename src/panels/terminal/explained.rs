//! What an error means, below it: a sentence, and corrected lines that run on a click.
use resp::Value;
use yew::prelude::*;

use super::help::support_link;
use crate::hooks::SessionHandle;
use crate::i18n::{Lang, rich};
use crate::state::explain::{Explanation, explain, full_width};
use crate::state::key::Database;
use crate::state::terminal::transcript::{Entry, ItemContent};
use crate::state::terminal::wide::corrected_line;
use crate::ui::html;

/// The explanation of an error reply, if there is one. A click on a suggested line emits it.
// Not inlined, so that it can be in a deferred chunk; so is the other one.
#[inline(never)]
pub fn explained(
    t: Lang,
    entry: &Entry,
    session: &SessionHandle,
    database: Option<Database>,
    onrun: &Callback<String>,
) -> Html {
    let (text, argv) = match &entry.what {
        ItemContent::Reply { value: Value::Error(text), argv, .. } => (text, argv.as_ref()),
        ItemContent::Push { value: Value::Error(text), .. } => (text, [].as_slice()),
        _ => return Html::default(),
    };
    let world = session.timeline().world_at(entry.step);
    let found = explain(t, argv, text, database.and_then(|database| database.find(&world)));
    found.map_or_else(Html::default, |found| drawn(t, &found, onrun))
}

/// For a line with unbalanced quotes: what was meant, if it has full-width characters.
#[inline(never)]
pub fn misread(t: Lang, line: &str, onrun: &Callback<String>) -> Html {
    corrected_line(line).map_or_else(Html::default, |line| drawn(t, &full_width(t, line), onrun))
}

fn drawn(t: Lang, explanation: &Explanation, onrun: &Callback<String>) -> Html {
    html! {
        <p class="terminal-explains">
            { rich(&explanation.text) }
            if explanation.is_unmodelled { { " " }{ support_link(t) } }
            if !explanation.suggestions.is_empty() {
                { " " }{ t.explain_did_you_mean() }
                { for explanation.suggestions.iter().map(|line| {
                    let (onrun, run) = (onrun.clone(), line.clone());
                    let onclick = Callback::from(move |_: MouseEvent| onrun.emit(run.clone()));
                    html! { <button type="button" class="terminal-suggests" {onclick}>{ line }</button> }
                }) }
            }
        </p>
    }
}
