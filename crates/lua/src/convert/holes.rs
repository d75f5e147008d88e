//! Lists with holes: how long they are for `#`.
//!
//! In a list with nils, `#` finds *a* border: an item followed by nil. Which one Lua 5.1 finds depends on how the
//! table has grown, item by item from an empty one, and the VM used here grows tables differently. So this module simulates the growth
//! of Lua 5.1 with only full and empty slots, and then creates the table so that the VM finds the same border.
//!
//! ```text
//!   list      x - x x -        when the fourth item is added, 1..4 is more than half full: all go into the array
//!   Lua 5.1   [x - x x] {}     the last slot of the array is full and the hash part is empty: # is 4
//!   list      x - x -
//!   Lua 5.1   [x] {3}          two of four is not more than half: # is 1
//! ```
//!
//! `#` depends on the size of the array part. The hash part matters because a new key without a free slot there makes the
//! whole table grow, and because it keeps the slot of a key whose value is nil.
use crate::native;
use lua_types::LuaError;
use lua_vm::api;
use lua_vm::state::LuaState;

/// Most slots visited while simulating growth. Only lists of tens of thousands of items with long gaps need more; these get the length
/// of a list that was created in one step.
const STEPS_MAX: usize = 1 << 22;

/// The longest list that is simulated.
const ITEMS_MAX: usize = 1 << 16;

/// Pushes an empty table with an array as large as after assigning `items` items one by one. The size
/// matters when a script removes some of them again.
pub fn push_list(state: &mut LuaState, items: usize) -> Result<(), LuaError> {
    native::push_table(state, if items == 0 { 0 } else { items.next_power_of_two() }, 0)
}

/// Makes `#` of the list on top of the stack what Lua 5.1 finds after `items` assignments, some of them of nil.
pub fn settle(state: &mut LuaState, items: usize) -> Result<(), LuaError> {
    let list = native::table(state, api::get_top(state))?;
    let numbers = || (1..).take(items);
    let is_full: Vec<bool> = numbers().map(|number| !list.get_int(number).is_nil()).collect();
    let Some(array) = array_for(&is_full) else { return Ok(()) };
    let behind = is_full.get(array..).unwrap_or_default().iter().filter(|&&is_full| is_full).count();
    native::push_table(state, array, behind)?;
    for number in numbers() {
        let item = list.get_int(number);
        if !item.is_nil() {
            native::push_value(state, item)?;
            api::raw_set_i(state, -2, number)?;
        }
    }
    // Replace the old list by the new one.
    api::rotate(state, -2, 1);
    api::set_top(state, -2)
}

/// The array size with which the VM finds the same border as Lua 5.1: preferably the size that the array has in Lua 5.1.
fn array_for(is_full: &[bool]) -> Option<usize> {
    if is_full.len() > ITEMS_MAX {
        return None;
    }
    let grown = Grown::from_list(is_full)?;
    let (size, border) = (grown.array.len(), grown.border());
    let is_kept = found_by_machine(is_full, size) == Some(border);
    Some(if is_kept { size } else { border })
}

/// The border that the VM finds in a list with an array of this size; `None` if the VM would not keep that size.
fn found_by_machine(is_full: &[bool], size: usize) -> Option<usize> {
    let at = |number: usize| number > 0 && is_full.get(number - 1).is_some_and(|is_full| *is_full);
    match size {
        // The array would grow to include the item after its end.
        _ if at(size.saturating_add(1)) => None,
        _ if size == 0 || at(size) => Some(size),
        _ if at(size - 1) => Some(size - 1),
        _ => Some(between(at, 0, size)),
    }
}

/// A border between a full index (or 0) and an empty one, by binary search.
fn between(at: impl Fn(usize) -> bool, mut full: usize, mut empty: usize) -> usize {
    while empty.saturating_sub(full) > 1 {
        let middle = full.midpoint(empty);
        if at(middle) {
            full = middle;
        } else {
            empty = middle;
        }
    }
    full
}

/// A slot of the hash part.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The key last stored here; 0 if the slot was never used.
    key: usize,
    /// Whether its value is not nil.
    is_full: bool,
}

/// A simulated table of Lua 5.1 with the keys 1, 2, …
#[derive(Default)]
struct Grown {
    array: Vec<bool>,
    hash: Vec<Slot>,
    /// Never used slots of the hash part lie below this index.
    free_below: usize,
    steps: usize,
}

impl Grown {
    /// The table after all items were assigned one by one; `None` if the simulation would take too long.
    fn from_list(is_full: &[bool]) -> Option<Grown> {
        let mut grown = Grown::default();
        for (number, &is_full) in (1..).zip(is_full) {
            grown.put(number, is_full);
            if grown.steps > STEPS_MAX {
                return None;
            }
        }
        Some(grown)
    }

    /// The result of `#`: a border within the array if its last slot is empty, otherwise one after it.
    fn border(&self) -> usize {
        let size = self.array.len();
        let in_array = |number: usize| number > 0 && self.array.get(number - 1).is_some_and(|is_full| *is_full);
        if size > 0 && !in_array(size) {
            return between(in_array, 0, size);
        }
        let at = |number: usize| in_array(number) || self.hash.iter().any(|place| place.key == number && place.is_full);
        let (mut full, mut next) = (size, size.saturating_add(1));
        while at(next) {
            (full, next) = (next, next.saturating_mul(2));
        }
        between(at, full, next)
    }

    /// `t[key] = value` for a new key.
    fn put(&mut self, key: usize, is_full: bool) {
        if !self.has_put(key, is_full) {
            self.grow(key);
            self.has_put(key, is_full);
        }
    }

    /// Stores an item; false if the hash part has no free slot for it.
    fn has_put(&mut self, key: usize, is_full: bool) -> bool {
        self.steps = self.steps.saturating_add(1);
        if let Some(slot) = key.checked_sub(1).and_then(|at| self.array.get_mut(at)) {
            *slot = is_full;
            return true;
        }
        self.has_put_in_hash(Slot { key, is_full })
    }

    fn has_put_in_hash(&mut self, new: Slot) -> bool {
        let home = self.home(new.key);
        let Some(there) = self.hash.get(home).copied() else { return false };
        if !there.is_full {
            // A key with the value nil is overwritten.
            self.set_place(home, new);
            return true;
        }
        let Some(free) = self.free() else { return false };
        if self.home(there.key) == home {
            self.set_place(free, new);
        } else {
            // The key in this slot is not in its main position and is moved.
            self.set_place(free, there);
            self.set_place(home, new);
        }
        true
    }

    fn set_place(&mut self, at: usize, place: Slot) {
        if let Some(slot) = self.hash.get_mut(at) {
            *slot = place;
        }
    }

    /// A never used slot. The search runs from the end and visits each slot once.
    fn free(&mut self) -> Option<usize> {
        while let Some(at) = self.free_below.checked_sub(1) {
            self.free_below = at;
            self.steps = self.steps.saturating_add(1);
            if self.hash.get(at).is_some_and(|place| place.key == 0) {
                return Some(at);
            }
        }
        None
    }

    /// A key's main position in the hash part: the sum of the two halves of its double, modulo an odd number.
    fn home(&self, key: usize) -> usize {
        let bits = (key as f64).to_bits();
        let sum = (bits as u32).wrapping_add((bits >> 32) as u32);
        let by = self.hash.len().saturating_sub(1) | 1;
        usize::try_from(sum).unwrap_or(0).checked_rem(by).unwrap_or(0)
    }

    /// Makes space for one more key: the array becomes the largest power of two that is more than half full (the new key counts as
    /// full), and the hash part takes the other keys.
    fn grow(&mut self, key: usize) {
        let numbers = (1..).zip(&self.array).filter(|(_, is_full)| **is_full).map(|(number, _)| number);
        let keys = self.hash.iter().filter(|place| place.is_full).map(|place| place.key);
        let mut keys: Vec<usize> = numbers.chain(keys).chain([key]).collect();
        keys.sort_unstable();
        self.steps = self.steps.saturating_add(self.array.len()).saturating_add(self.hash.len());
        let (mut size, mut count) = (0, 0);
        let mut power = 1_usize;
        while power / 2 < keys.len() {
            let within = keys.partition_point(|&key| key <= power);
            if within > power / 2 {
                (size, count) = (power, within);
            }
            power = power.saturating_mul(2);
        }
        self.resize(size, keys.len().saturating_sub(count));
    }

    fn resize(&mut self, size: usize, behind: usize) {
        let places = if behind == 0 { 0 } else { behind.next_power_of_two() };
        let former = std::mem::replace(&mut self.hash, vec![Slot::default(); places]);
        self.free_below = places;
        let cut = self.array.split_off(size.min(self.array.len()));
        self.array.resize(size, false);
        for (key, _) in (size.saturating_add(1)..).zip(cut).filter(|(_, is_full)| *is_full) {
            self.has_put(key, true);
        }
        for place in former.into_iter().rev().filter(|place| place.is_full) {
            self.has_put(place.key, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_lost_and_the_border_is_one(is_full in proptest::collection::vec(any::<bool>(), 0..300)) {
            let grown = Grown::from_list(&is_full).unwrap();
            for (at, &is_full) in is_full.iter().enumerate() {
                let in_array = grown.array.get(at) == Some(&true);
                let in_hash = grown.hash.iter().filter(|place| place.key == at + 1 && place.is_full).count();
                prop_assert_eq!(usize::from(in_array) + in_hash, usize::from(is_full));
            }
            let border = grown.border();
            prop_assert!(border == 0 || is_full[border - 1]);
            prop_assert!(!is_full.get(border).is_some_and(|is_full| *is_full));
            let array = array_for(&is_full).unwrap();
            prop_assert_eq!(found_by_machine(&is_full, array), Some(border));
        }
    }

    #[test]
    fn long_list_is_simulated_or_skipped() {
        assert!(Grown::from_list(&vec![true; ITEMS_MAX]).is_some());
        assert_eq!(array_for(&vec![true; ITEMS_MAX + 1]), None);
        // As many items as fit into the hash part, then a long gap: the table grows at each item.
        let sparse: Vec<bool> = (0..ITEMS_MAX).map(|at| at % 3 == 0 && at / 3 < (1 << 14) - 1).collect();
        let steps = Grown::from_list(&sparse).map_or(STEPS_MAX, |grown| grown.steps);
        assert!(steps <= STEPS_MAX);
    }
}
