//! Keeps the card of the client that acts in view.
use web_sys::Element;
use yew::prelude::*;

use crate::hooks::{Size, Write, before_paint, use_sizes};

/// After each change of the session (`revision`), and when the panel changes its size, scrolls `body` so that the card in this place of `grid`
/// is in view.
#[hook]
pub fn use_acting_card_in_view(body: &NodeRef, grid: &NodeRef, revision: u64, acting: Option<usize>) {
    let place = acting.and_then(|acting| u32::try_from(acting).ok());
    {
        let (body, grid) = (body.clone(), grid.clone());
        use_effect_with((revision, place), move |(_, place)| {
            let place = *place;
            before_paint(move || scroll_to(&body.cast()?, &grid.cast()?, place?));
        });
    }
    let current = use_mut_ref(|| place);
    current.replace(place);
    let onsizes = {
        let (body, grid) = (body.clone(), grid.clone());
        Callback::from(move |_: [Size; 2]| {
            let (body, grid, place) = (body.clone(), grid.clone(), *current.borrow());
            before_paint(move || {
                let grid: Element = grid.cast()?;
                // The keyboard of a phone changes the size too: what is edited stays in view.
                let is_edited = grid.matches(":focus-within").unwrap_or(false);
                if is_edited { None } else { scroll_to(&body.cast()?, &grid, place?) }
            });
        })
    };
    use_sizes(body, body, onsizes);
}

/// Scrolls only the body. A card under the pointer stays where it is: its button may be pressed again.
fn scroll_to(body: &Element, grid: &Element, place: u32) -> Option<Write> {
    let card = grid.children().item(place)?;
    if card.matches(":hover").unwrap_or(false) {
        return None;
    }
    let (card, area) = (card.get_bounding_client_rect(), body.get_bounding_client_rect());
    let (above, below) = (card.top() - area.top(), card.bottom() - area.bottom());
    let beyond = if above < 0.0 || card.height() > area.height() {
        above
    } else if below > 0.0 {
        below
    } else {
        return None;
    };
    let (top, body) = (body.scroll_top().saturating_add(beyond.round() as i32), body.clone());
    Some(Box::new(move || body.set_scroll_top(top)))
}
