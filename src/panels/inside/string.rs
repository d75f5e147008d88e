//! A string: its bytes in memory, or the integer that Redis stores instead.
use redis_model::value::string::Str;
use yew::prelude::*;

use super::cell::shown;
use crate::i18n::Lang;
use crate::state::inside::changed_middle;
use crate::ui::html;

/// Maximum number of bytes that are shown.
const BYTES_MAX: usize = 256;

/// Maximum number of bytes that are compared and quoted: a bitmap of megabytes must not be copied for a picture of its beginning.
const LOOKED_AT_MAX: usize = 4096;

/// The picture of a string.
pub fn picture(t: Lang, before: Option<&Str>, now: &Str, is_changed: bool) -> Html {
    let head = |string: &Str| string.slice(0..LOOKED_AT_MAX);
    let (bytes, was) = (head(now), before.map(head));
    let changed = match (&was, is_changed) {
        (Some(was), true) => changed_middle(was, &bytes).0,
        (None, true) => 0..bytes.len(),
        _ => 0..0,
    };
    let hidden = now.len().saturating_sub(BYTES_MAX);
    html! {
        <div class="inside-picture">
            if let Some(was) = was.filter(|was| is_changed && *was != bytes) {
                <p class="inside-was"><s class="soft">{ shown(&was) }</s>{ " → " }<strong>{ shown(&bytes) }</strong></p>
            }
            {
                match now {
                    Str::Int(integer) => integer_picture(t, *integer),
                    Str::Embstr(_) => blocks(html! { <>{ object() }{ header() }<span class="block-end">{ t.inside_one_block() }</span></> }),
                    Str::Raw(_) => blocks(html! { <>{ object() }<span class="block-arrow" aria-hidden="true">{ "→" }</span>{ header() }<span class="block-end">{ t.inside_two_blocks() }</span></> }),
                }
            }
            <ol class="byte-grid" aria-label={t.inside_bytes(now.len() as u64)} data-testid="bytes">
                { for bytes.iter().take(BYTES_MAX).enumerate().map(|(i, byte)| html! {
                    <li data-mark={changed.contains(&i).then_some("changed")} title={i.to_string()}>
                        <b>{ face(*byte) }</b><small>{ format!("{byte:02x}") }</small>
                    </li>
                }) }
            </ol>
            if hidden > 0 { <p class="soft small">{ t.inside_more_bytes(hidden as u64) }</p> }
        </div>
    }
}

/// A byte as text.
fn face(byte: u8) -> String {
    match byte {
        b' ' => "␣".to_owned(),
        0x21..=0x7e => char::from(byte).to_string(),
        _ => "·".to_owned(),
    }
}

fn integer_picture(t: Lang, integer: i64) -> Html {
    html! {
        <div class="blocks">
            <span class="block">{ "robj" }<small>{ "int64" }</small><b>{ integer.to_string() }</b></span>
            <span class="block-end">{ t.inside_int_form() }</span>
        </div>
    }
}

fn blocks(inner: Html) -> Html {
    html! { <div class="blocks">{ inner }</div> }
}

fn object() -> Html {
    html! { <span class="block">{ "robj" }<small>{ "16 B" }</small></span> }
}

fn header() -> Html {
    html! { <span class="block">{ "sdshdr" }<small>{ "len · alloc · flags" }</small></span> }
}
