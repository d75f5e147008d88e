//! What an error of a program means, below it.
use yew::prelude::*;

use crate::i18n::{Lang, rich};
use crate::state::explain::lua;
use crate::state::lab::status::ProgramError;
use crate::ui::html;

/// The explanation of the error that ended a program, if there is one.
// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
pub fn explained(t: Lang, fault: &ProgramError) -> Html {
    let (ProgramError::DoesNotCompile(text) | ProgramError::Error(text)) = fault else { return Html::default() };
    lua::explain(t, text).map_or_else(Html::default, |text| html! { <p class="program-explains">{ rich(&text) }</p> })
}
