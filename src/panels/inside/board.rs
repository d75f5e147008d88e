//! The leaderboard of a sorted set: a row per member, which glides from its place before the last step to its place now.
//!
//! All rows are equally high, so a row's old place is a number of rows, and the style sheet (`records.css`) moves it without any measuring.
use bytes::Bytes;
use redis_model::value::number::format_double;
use resp::split::{quote_argument, quote_command};
use yew::prelude::*;

use super::cell::{mark_word, px, shown, sign};
use crate::i18n::{Lang, code, rich};
use crate::state::inside::Mark;
use crate::state::inside::board::{Board, BoardLine, BoardRow, Scale};
use crate::ui::html;

/// The board of a key.
#[inline(never)]
pub fn picture(t: Lang, key: &Bytes, board: &Board) -> Html {
    let scale = board.scale();
    let lines = board.lines.iter().enumerate().map(|(nth, line)| match line {
        BoardLine::Row(entry) => row(t, entry, scale),
        BoardLine::Gap(count) => {
            html! { <li key={format!("{nth}")} class="board-gap">{ t.inside_more(*count as u64) }</li> }
        }
    });
    let words: [&[u8]; 6] = [b"ZRANGE", key, b"0", b"9", b"REV", b"WITHSCORES"];
    html! {
        <div class="board-side">
            <ol class="board" data-testid="board" aria-label={t.inside_board()}>{ for lines }</ol>
            <p class="soft small">{ rich(&t.inside_board_order(&code(&quote_command(&words)))) }</p>
        </div>
    }
}

fn row(t: Lang, entry: &BoardRow, scale: Scale) -> Html {
    let was = entry.was.map(|(score, _)| score).filter(|_| entry.mark == Mark::Changed);
    let (start, length) = scale.bar(entry.score);
    let (old_start, old_length) = was.map_or((start, length), |was| scale.bar(was));
    let style = format!(
        "--from: {}; --start: {}%; --length: {}%; --old-start: {}%; --old-length: {}%",
        entry.from,
        px(start),
        px(length),
        px(old_start),
        px(old_length),
    );
    let is_moved = entry.from != 0 && entry.mark != Mark::New;
    html! {
        // A quoted name cannot be the number of a gap's line.
        <li key={format!("={}", quote_argument(&entry.member))} class="board-row" style={style} data-mark={entry.mark.word()}
            data-moved={is_moved.then_some("")} title={mark_word(t, entry.mark)}>
            <i class="board-bar" aria-hidden="true"></i>
            <b class="board-place">{ t.number((entry.rank as u64).saturating_add(1)) }</b>
            <span class="board-move">{ moved(t, entry) }</span>
            <span class="board-member">{ shown(&entry.member) }</span>
            <span class="board-score">
                if let Some(was) = was { <s class="soft">{ format_double(was) }</s>{ " → " } }
                { format_double(entry.score) }
            </span>
        </li>
    }
}

/// How far the member went up or down, or the sign of what else happened to it.
fn moved(t: Lang, entry: &BoardRow) -> Html {
    let climbed = entry.climbed();
    let count = climbed.unsigned_abs();
    let (sign_of, words) = match climbed {
        0 => return sign(t, entry.mark),
        1.. => ("▲", t.inside_board_up(count)),
        _ => ("▼", t.inside_board_down(count)),
    };
    html! { <i role="img" aria-label={words.clone()} title={words} data-down={(climbed < 0).then_some("")}>{ sign_of }{ t.number(count) }</i> }
}
