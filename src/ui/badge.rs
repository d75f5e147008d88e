//! The badge of a key's type, and the ring that shows how much of a duration has passed or is left.
use resp::decimal::fixed;
use yew::prelude::*;

use super::html;

use crate::i18n::Lang;

/// Badge of a key's type (as `TYPE` replies: string, list, hash, set, zset, stream): glyph, word and tint.
pub fn type_badge(t: Lang, kind: &'static str) -> Html {
    let (glyph, word) = match kind {
        "string" => ("M2 4v8M2 8h12M14 4v8", t.type_string()),
        "list" => ("M1 5.500h4v5H1zM9.500 5.500h4.500v5H9.500zM5 8h4.500", t.type_list()),
        "hash" => ("M5.500 2v12M10.500 2v12M2 5.500h12M2 10.500h12", t.type_hash()),
        "set" => ("M6 3.500a4.500 4.500 0 1 0 .01 0zM10 3.500a4.500 4.500 0 1 0 .01 0z", t.type_set()),
        "zset" => ("M2 13.500h3v-4H2zM6.500 13.500h3v-7h-3zM11 13.500h3v-11h-3z", t.type_zset()),
        "stream" => ("M1.500 5c3-3 5 3 8 0s4-1 5 0M1.500 11c3-3 5 3 8 0s4-1 5 0", t.type_stream()),
        other => ("M8 3a5 5 0 1 0 .01 0z", other),
    };
    html! {
        <span class="type-badge" data-type={kind}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d={glyph} /></svg>
            { word }
        </span>
    }
}

/// Circumference of the ring: 2π · radius 10.
const RING: f64 = 62.831_853;

/// A ring filled to `ms / whole_ms`. Decoration only: the number is shown next to it.
pub fn time_ring(ms: u64, whole_ms: u64) -> Html {
    let part = if whole_ms == 0 { 0.0 } else { (ms as f64 / whole_ms as f64).clamp(0.0, 1.0) };
    html! {
        <svg class="ttl-ring" viewBox="0 0 24 24" aria-hidden="true">
            <circle class="track" cx="12" cy="12" r="10" />
            <circle class="left" cx="12" cy="12" r="10" stroke-dasharray={format!("{} {}", fixed(part * RING, 2), fixed(RING, 2))} />
        </svg>
    }
}
