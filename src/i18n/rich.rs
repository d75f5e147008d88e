//! Messages that contain code: a key or a command inside a message is shown in the code font.
//!
//! A message is plain text. [`code`] wraps an argument in two private-use characters, [`rich`] turns such a message into elements, and
//! [`plain`] removes the marks for places that can hold only text.
use yew::prelude::*;

use crate::ui::html;

const OPEN: char = '\u{E000}';
const CLOSE: char = '\u{E001}';

/// Marks `text` as code, for use as an argument of a message that is shown through [`rich`] or [`plain`].
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 6);
    out.push(OPEN);
    out.extend(text.chars().filter(|c| *c != OPEN && *c != CLOSE));
    out.push(CLOSE);
    out
}

/// The message with its code in `<code>` elements: arguments wrapped by [`code`], and parts of its own text between backticks.
pub fn rich(message: &str) -> Html {
    message
        .split(OPEN)
        .enumerate()
        .map(|(index, piece)| match piece.split_once(CLOSE) {
            Some((inside, after)) if index > 0 => html! { <><code>{ inside }</code>{ own_words(after) }</> },
            _ => own_words(piece),
        })
        .collect()
}

fn own_words(words: &str) -> Html {
    let part = |(nth, part): (usize, &str)| {
        if nth % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    };
    words.split('`').enumerate().map(part).collect()
}

/// The message without marks.
pub fn plain(message: &str) -> String {
    message.chars().filter(|c| *c != OPEN && *c != CLOSE).collect()
}

#[cfg(test)]
mod tests {
    use super::{code, plain};

    #[test]
    fn plain_text_has_no_marks() {
        let message = format!("{} is now {}", code("stock"), code("a\u{E001}b"));
        assert_eq!(plain(&message), "stock is now ab");
    }
}
