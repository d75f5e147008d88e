//! Sorting that stays small in the page.
//!
//! The sort of the standard library is compiled anew, about four kilobytes each time, for every type of element. Natively that
//! is what makes it quick. In the page, where elements are few and every byte is loaded first, one merge sort of positions serves
//! all types. Both are stable, so both put the same elements into the same order.
use std::cmp::Ordering;

/// Sorts by the elements' own order; stable.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a comparison, which is a total order; stable. O(n log n).
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") {
        sort_by_positions(items, compare);
    } else {
        items.sort_by(compare);
    }
}

fn sort_by_positions<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    // Each cycle of the permutation is walked once: `order[at]` is the place from which the element at `at` comes.
    for start in 0..order.len() {
        let mut at = start;
        while let Some(place) = order.get_mut(at) {
            let from = std::mem::replace(place, at);
            if from == start || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// The positions 0..`len` in the order of what stands there: a merge sort from the bottom up.
#[inline(never)]
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..len).collect();
    let mut merged = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        for pair in sorted.chunks(width.saturating_mul(2)) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
                if compare(*b, *a).is_lt() {
                    merged.push(*b);
                    right = right_rest;
                } else {
                    merged.push(*a);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut sorted, &mut merged);
        merged.clear();
        width = width.saturating_mul(2);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn positions_sort_like_the_standard_library(items in prop::collection::vec((0u8..9, any::<u16>()), 0..70)) {
            let (mut ours, mut expected) = (items.clone(), items);
            sort_by_positions(&mut ours, |a, b| a.0.cmp(&b.0));
            expected.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &expected);
            sort_by_positions(&mut ours, Ord::cmp);
            sort(&mut expected);
            prop_assert_eq!(ours, expected);
        }
    }
}
