//! Fills the table of traffic's items in slices before traffic begins, so that the page stays responsive.
use world::traffic::items::MANY_ITEMS;

use super::clock::real_ms;
use super::machine;
use super::next_task::next_task;

/// Length of a slice, in ms.
const SLICE_MS: f64 = 16.0;
/// Number of items between two checks of the clock.
const ITEMS_AT_ONCE: u32 = 1_000;

/// Fills the table with this number of items, if they are many; worlds of the page then take it as it is.
pub async fn fill(items: u32) {
    let table = machine::engines().items;
    if items < MANY_ITEMS {
        return;
    }
    let mut is_filled = table.are_filled(items);
    while !is_filled {
        next_task().await;
        let until_ms = real_ms() + SLICE_MS;
        while !is_filled && real_ms() < until_ms {
            is_filled = table.fill(items, ITEMS_AT_ONCE);
        }
    }
    // What needs the table has a task of its own.
    next_task().await;
}
