//! The record that a hash describes, on a card as an application shows it. A field that is picked on the card is marked in the hash, and the
//! command that reads it stands below.
use bytes::Bytes;
use resp::split::quote_command;
use yew::prelude::*;

use super::cell::{shown, sign};
use super::choose::Chooser;
use crate::i18n::{Lang, code, rich};
use crate::state::inside::card::{Card, CardField};
use crate::state::inside::{Choice, Mark};
use crate::ui::html;

/// The card, named by the key.
#[inline(never)]
pub fn picture(t: Lang, key: &Bytes, card: &Card, choose: &Chooser) -> Html {
    let picked = card.fields.iter().find(|field| Some(&field.name) == choose.now.member.as_ref());
    let entry = |nth: usize| {
        card.fields.get(nth).map(|field| {
            let is_picked = picked.is_some_and(|picked| picked.name == field.name);
            entry(t, field, card.title == Some(nth), is_picked, choose)
        })
    };
    let others = (0..card.fields.len()).filter(|nth| card.title != Some(*nth));
    let command = |words: &[&[u8]]| code(&quote_command(words));
    let how = match picked {
        None => t.inside_card_all(&command(&[b"HGETALL", key])),
        Some(field) => {
            let command = command(&[b"HGET", key, &field.name]);
            if field.mark == Mark::Gone { t.inside_card_lost(&command) } else { t.inside_card_one(&command) }
        }
    };
    html! {
        <div class="record-side">
            <div class="record-card" data-testid="card" role="group" aria-label={t.inside_card()}>
                <code class="record-key">{ resp::split::quote_argument(key) }</code>
                <ul>{ for card.title.into_iter().chain(others).map(entry) }</ul>
            </div>
            <p class="soft small">{ rich(&how) }</p>
        </div>
    }
}

/// A field on the card, as a button that picks it; picked again, it is released.
fn entry(t: Lang, field: &CardField, is_title: bool, is_picked: bool, choose: &Chooser) -> Html {
    let member = (!is_picked).then(|| field.name.clone());
    let click = choose.click(Choice { member, ..choose.now.clone() });
    let value = match (&*field.value, field.mark) {
        (b"", _) => html! { <span class="soft">{ "\"\"" }</span> },
        (value, Mark::Gone) => html! { <s>{ shown(value) }</s> },
        (value, _) => html! { <span>{ shown(value) }</span> },
    };
    html! {
        <li data-mark={field.mark.word()} data-title={is_title.then_some("")}>
            <button type="button" data-picked={is_picked.then_some("")} aria-pressed={if is_picked { "true" } else { "false" }} onclick={click}>
                <span class="record-name">{ sign(t, field.mark) }{ shown(&field.name) }</span>
                <span class="record-value">
                    if let Some(was) = &field.was { <s class="soft">{ shown(was) }</s>{ " → " } }
                    { value }
                </span>
            </button>
        </li>
    }
}
