//! Renders code of a chunk of the program that may not be loaded yet.
use yew::prelude::*;

use super::{html, part};
use crate::hooks::assets::{Chunk, use_chunk};

/// Renders `draw` once the chunk is loaded, and nothing until then.
pub fn later(chunk: Chunk, draw: impl Fn() -> Html + 'static) -> Html {
    part::<Later>(LaterProps { chunk, draw: Callback::from(move |()| draw()) })
}

#[derive(Clone, PartialEq, Properties)]
struct LaterProps {
    chunk: Chunk,
    draw: Callback<(), Html>,
}

#[component]
fn Later(props: &LaterProps) -> Html {
    if use_chunk(Some(props.chunk)) {
        props.draw.emit(())
    } else {
        html! { <div class="later" aria-busy="true" /> }
    }
}
