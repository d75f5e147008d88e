//! The box that an element stands in, with the mark of what the last step did to it.
use resp::decimal::fixed;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::state::inside::Mark;
use crate::state::terminal::transcript::readable;
use crate::ui::html;

/// Characters of an element that are drawn.
const SHOWN_MAX: usize = 48;

/// An element as text: as it is where it can be read, quoted where it cannot.
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

/// A name where there is little room.
pub fn short(name: &[u8]) -> String {
    let text = shown(name);
    match text.char_indices().nth(10) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A length in a drawing.
pub fn px(value: f64) -> String {
    fixed(value, 1)
}

/// A bit.
pub fn digit(bit: bool) -> &'static str {
    if bit { "1" } else { "0" }
}

/// The word of a mark, for readers who do not see its colour.
pub fn mark_word(t: Lang, mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Same => None,
        Mark::New => Some(t.inside_new()),
        Mark::Changed => Some(t.inside_changed()),
        Mark::Gone => Some(t.inside_removed()),
    }
}

/// The sign of a mark, for everyone.
fn mark_sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "",
        Mark::New => "+",
        Mark::Changed => "∗",
        Mark::Gone => "−",
    }
}

/// A box with an element, and small print under it.
pub fn cell(t: Lang, bytes: &[u8], small: Option<String>, mark: Mark) -> Html {
    let text = shown(bytes);
    html! {
        <span class="cell" data-mark={mark.word()} title={mark_word(t, mark)}>
            if mark != Mark::Same { <i aria-label={mark_word(t, mark)}>{ mark_sign(mark) }</i> }
            { if mark == Mark::Gone { html! { <s>{ text }</s> } } else { html! { <span>{ text }</span> } } }
            if let Some(small) = small { <small>{ small }</small> }
        </span>
    }
}

/// A box with a name and what belongs to it; `before` is what belonged to it until now.
pub fn pair(t: Lang, name: &[u8], value: &[u8], before: Option<&[u8]>, mark: Mark) -> Html {
    html! {
        <span class="cell cell-pair" data-mark={mark.word()} title={mark_word(t, mark)}>
            if mark != Mark::Same { <i aria-label={mark_word(t, mark)}>{ mark_sign(mark) }</i> }
            <b>{ shown(name) }</b>
            <span>
                if let Some(before) = before { <s class="soft">{ shown(before) }</s>{ " → " } }
                { if mark == Mark::Gone { html! { <s>{ shown(value) }</s> } } else { html! { { shown(value) } } } }
            </span>
        </span>
    }
}

/// What is not drawn.
pub fn more(t: Lang, count: usize) -> Html {
    if count == 0 {
        Html::default()
    } else {
        html! { <span class="cell-more">{ t.inside_more(count as u64) }</span> }
    }
}
