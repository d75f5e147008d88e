//! The mark of a client: a colour *and* a shape, so that readers need not distinguish colours.
use yew::prelude::*;

use super::html;

/// Paths for slots 1 to 8, on a 24 × 24 grid and relative to its centre: disc, triangle, square, diamond, star, pentagon, plus, half-disc.
const SHAPES: [&str; 8] = [
    "m0-10a10 10 0 1 0 .01 0z",
    "m0-10l11 19.500h-22z",
    "m-9-9h18v18h-18z",
    "m0-11.500l11.500 11.500-11.500 11.500-11.500-11.500z",
    "m0-11.500l3.400 7.700 8.300.8-6.300 5.500 1.900 8.200-7.300-4.300-7.300 4.300 1.900-8.200-6.300-5.500 8.300-.8z",
    "m0-11l11 8.100-4.200 13h-13.600l-4.200-13z",
    "m-3.500-10.500h7v7h7v7h-7v7h-7v-7h-7v-7h7z",
    "m-11 5.500a11 11 0 0 1 22 0z",
];

/// The mark for slot `slot` (from 1; beyond eight it wraps around), in the slot's colour. Decoration only: the client's name is shown next
/// to it.
pub fn client_mark(slot: u8) -> Html {
    let path = format!("M12 12{}", client_shape(slot));
    let slot = slot_of(slot).to_string();
    html! {
        <svg class="client-mark" viewBox="0 0 24 24" data-client={slot} aria-hidden="true"><path d={path} /></svg>
    }
}

/// The SVG path of the shape, relative to its centre, on a 24 × 24 grid.
pub fn client_shape(slot: u8) -> &'static str {
    SHAPES.get(usize::from(slot_of(slot)) - 1).copied().unwrap_or_default()
}

/// Name of the shape of `slot`, for tests and tooltips.
pub fn client_shape_name(slot: u8) -> &'static str {
    const NAMES: [&str; 8] = ["disc", "triangle", "square", "diamond", "star", "pentagon", "plus", "half-disc"];
    NAMES.get(usize::from(slot_of(slot)) - 1).copied().unwrap_or_default()
}

/// Maps any number to one of the slots 1 to 8.
fn slot_of(slot: u8) -> u8 {
    slot.saturating_sub(1) % 8 + 1
}

#[cfg(test)]
mod tests {
    use super::{client_shape_name, slot_of};

    #[test]
    fn eight_clients_have_eight_shapes() {
        let mut names: Vec<_> = (1..=8).map(client_shape_name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 8);
        assert_eq!(slot_of(9), 1);
        assert_eq!(slot_of(0), 1);
    }
}
