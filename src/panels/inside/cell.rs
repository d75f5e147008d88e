//! The box of an element, with the mark of what the last step did to the element.
use resp::decimal::fixed;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::state::inside::Mark;
use crate::state::terminal::transcript::readable;
use crate::ui::html;

/// Maximum number of characters shown of an element.
const SHOWN_MAX: usize = 48;

/// An element as text: unchanged if it is printable, otherwise quoted.
pub fn shown(bytes: &[u8]) -> String {
    let text = readable(bytes).unwrap_or_else(|| {
        let quoted = resp::cli::quoted(bytes);
        let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inner.map(str::to_owned).unwrap_or(quoted)
    });
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A name, shortened for narrow places.
pub fn short(name: &[u8]) -> String {
    let text = shown(name);
    match text.char_indices().nth(10) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Formats a length in a drawing.
pub fn px(value: f64) -> String {
    fixed(value, 1)
}

/// A bit as `1` or `0`.
pub fn digit(bit: bool) -> &'static str {
    if bit { "1" } else { "0" }
}

/// The text of a mark, for readers who cannot see its colour.
pub fn mark_word(t: Lang, mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Same => None,
        Mark::New => Some(t.inside_new()),
        Mark::Changed => Some(t.inside_changed()),
        Mark::Gone => Some(t.inside_removed()),
    }
}

/// The sign of a mark before a box, with its word; nothing if nothing changed.
pub fn sign(t: Lang, mark: Mark) -> Html {
    html! { if mark != Mark::Same { <i aria-label={mark_word(t, mark)}>{ mark_sign(mark) }</i> } }
}

/// The sign of a mark, a single character.
fn mark_sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "",
        Mark::New => "+",
        Mark::Changed => "∗",
        Mark::Gone => "−",
    }
}

/// A box with an element, and small text below it.
pub fn cell(t: Lang, bytes: &[u8], small: Option<String>, mark: Mark) -> Html {
    let text = shown(bytes);
    html! {
        <span class="cell" data-mark={mark.word()} title={mark_word(t, mark)}>
            { sign(t, mark) }
            { if mark == Mark::Gone { html! { <s>{ text }</s> } } else { html! { <span>{ text }</span> } } }
            if let Some(small) = small { <small>{ small }</small> }
        </span>
    }
}

/// A box with a name and its value; `before` is the value before the last step. `is_picked`: the reader picked it in another picture of the
/// same value.
pub fn pair(t: Lang, name: &[u8], value: &[u8], before: Option<&[u8]>, mark: Mark, is_picked: bool) -> Html {
    html! {
        <span class="cell cell-pair" data-mark={mark.word()} data-picked={is_picked.then_some("")} title={mark_word(t, mark)}>
            { sign(t, mark) }
            <b>{ shown(name) }</b>
            <span>
                if let Some(before) = before { <s class="soft">{ shown(before) }</s>{ " → " } }
                { if mark == Mark::Gone { html! { <s>{ shown(value) }</s> } } else { html! { { shown(value) } } } }
            </span>
        </span>
    }
}

/// Number of elements that are not shown.
pub fn more(t: Lang, count: usize) -> Html {
    if count == 0 {
        Html::default()
    } else {
        html! { <span class="cell-more">{ t.inside_more(count as u64) }</span> }
    }
}
