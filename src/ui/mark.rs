//! Who a client is, at a glance: a colour *and* a shape, so that nobody has to tell colours apart.
use yew::prelude::*;

use super::html;

/// Path data on a 24 × 24 grid for slots 1 to 8: disc, triangle, square, diamond, star, pentagon, plus, half-disc.
const SHAPES: [&str; 8] = [
    "M12 2a10 10 0 1 0 .01 0z",
    "M12 2l11 19.500H1z",
    "M3 3h18v18H3z",
    "M12 .5L23.500 12 12 23.500.500 12z",
    "M12 .5l3.400 7.700 8.300.8-6.300 5.500 1.900 8.200L12 18.400l-7.300 4.300 1.900-8.200L.300 9l8.300-.8z",
    "M12 1l11 8.100-4.200 13H5.200L1 9.100z",
    "M8.500 1.500h7v7h7v7h-7v7h-7v-7h-7v-7h7z",
    "M1 17.500a11 11 0 0 1 22 0z",
];

/// The shape of the client in place `slot` among the eight (from 1; beyond eight it wraps around), in its colour.
/// The client's name stands beside it.
pub fn client_mark(slot: u8) -> Html {
    let slot = slot_of(slot);
    let path = SHAPES.get(usize::from(slot) - 1).copied().unwrap_or_default();
    html! {
        <svg class="client-mark" viewBox="0 0 24 24" data-client={slot.to_string()} aria-hidden="true"><path d={path} /></svg>
    }
}

/// Name of the shape of `slot` in the messages' sense, for tests and tooltips.
pub fn client_shape_name(slot: u8) -> &'static str {
    const NAMES: [&str; 8] = ["disc", "triangle", "square", "diamond", "star", "pentagon", "plus", "half-disc"];
    NAMES.get(usize::from(slot_of(slot)) - 1).copied().unwrap_or_default()
}

/// Any number as one of the slots 1 to 8.
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
