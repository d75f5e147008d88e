//! Sorting with little compiled code in the page.
//!
//! The standard library's sort is compiled again for every type of element, about four kilobytes each time. In native builds
//! that makes it fast, and it is used there. In the page, where elements are few and every byte is downloaded first, one merge sort
//! of positions serves all types. Both are stable, so both produce the same order.
use std::cmp::Ordering;

/// Collects into a map or a set by inserting one element after the other. `collect` would compile the standard library's sort.
pub fn inserted<T, C: Default + Extend<T>>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

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
    let order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    permute(items, order);
}

/// Reorders the elements by `order`: the element for position `at` comes from position `order[at]`.
fn permute<T>(items: &mut [T], mut order: Vec<usize>) {
    // Each cycle of the permutation is followed once.
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

/// The positions 0..`len`, sorted by their elements: a bottom-up merge sort.
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

/// Sorts the first `count` elements and leaves the rest behind them in an unspecified order, as Redis does for a `LIMIT` or a `COUNT`:
/// a quicksort that enters only parts which hold some of the first elements. It is not stable; this exact algorithm decides which of
/// two equal elements comes first (J. Bentley, D. McIlroy, "Engineering a Sort Function", 1993).
/// If all elements are requested, they are sorted stably, as the C library does.
pub fn sort_first<T>(items: &mut [T], count: usize, compare: impl Fn(&T, &T) -> Ordering) {
    if count >= items.len() {
        return sort_by(items, compare);
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    let by_place = |a: &usize, b: &usize| match (items.get(*a), items.get(*b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    };
    first_in_order(&mut order, count, &by_place);
    permute(items, order);
}

fn first_in_order(order: &mut [usize], count: usize, compare: &dyn Fn(&usize, &usize) -> Ordering) {
    // Parts to sort, and how many of their elements are requested.
    let mut parts = vec![(order, count)];
    while let Some((part, count)) = parts.pop() {
        if count == 0 {
            continue;
        }
        if part.len() < 7 {
            insertion_sort(part, compare);
            continue;
        }
        let (less, more) = partition(part, compare);
        let behind = part.len().saturating_sub(more);
        let (low, rest) = part.split_at_mut(less);
        let high = rest.split_at_mut(behind.saturating_sub(less)).1;
        // A part with one element is sorted.
        if more > 1 {
            parts.push((high, count.saturating_sub(behind)));
        }
        if less > 1 {
            parts.push((low, count));
        }
    }
}

fn insertion_sort(part: &mut [usize], compare: &dyn Fn(&usize, &usize) -> Ordering) {
    for end in 1..part.len() {
        let mut at = end;
        while at > 0 && is(part, at - 1, at, compare) == Ordering::Greater {
            part.swap(at - 1, at);
            at -= 1;
        }
    }
}

fn is(part: &[usize], a: usize, b: usize, compare: &dyn Fn(&usize, &usize) -> Ordering) -> Ordering {
    match (part.get(a), part.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    }
}

/// Splits a part into less, equal, greater than a pivot; returns how many are less and how many are greater.
fn partition(part: &mut [usize], compare: &dyn Fn(&usize, &usize) -> Ordering) -> (usize, usize) {
    let len = part.len();
    let middle = pivot(part, compare);
    part.swap(0, middle);
    // equal │ less │ unknown │ greater │ equal
    let (mut left, mut low, mut high, mut right) = (1, 1, len, len);
    loop {
        while low < high {
            match is(part, low, 0, compare) {
                Ordering::Greater => break,
                Ordering::Equal => {
                    part.swap(left, low);
                    left += 1;
                }
                Ordering::Less => {}
            }
            low += 1;
        }
        while low < high {
            match is(part, high - 1, 0, compare) {
                Ordering::Less => break,
                Ordering::Equal => {
                    part.swap(high - 1, right - 1);
                    right -= 1;
                }
                Ordering::Greater => {}
            }
            high -= 1;
        }
        if low >= high {
            break;
        }
        part.swap(low, high - 1);
        low += 1;
        high -= 1;
    }
    // Move the equal elements into the middle.
    let (less, more) = (low - left, right - high);
    swap_blocks(part, 0, low - left.min(less), left.min(less));
    let moved = more.min(len - right);
    swap_blocks(part, low, len - moved, moved);
    (less, more)
}

fn swap_blocks(part: &mut [usize], a: usize, b: usize, len: usize) {
    for i in 0..len {
        part.swap(a + i, b + i);
    }
}

/// The middle element; with more than seven the median of three, with more than forty the median of three medians.
fn pivot(part: &[usize], compare: &dyn Fn(&usize, &usize) -> Ordering) -> usize {
    let len = part.len();
    let median = |a: usize, b: usize, c: usize| {
        let is_less = |x: usize, y: usize| is(part, x, y, compare) == Ordering::Less;
        match is_less(a, b) {
            true if is_less(b, c) => b,
            true if is_less(a, c) => c,
            true => a,
            false if is_less(c, b) => b,
            false if is_less(a, c) => a,
            false => c,
        }
    };
    let middle = len / 2;
    if len <= 7 {
        return middle;
    }
    if len <= 40 {
        return median(0, middle, len - 1);
    }
    let step = len / 8;
    let low = median(0, step, 2 * step);
    let high = median(len - 1 - 2 * step, len - 1 - step, len - 1);
    median(low, median(middle - step, middle, middle + step), high)
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

        #[test]
        fn first_elements_equal_those_of_a_full_sort(items in prop::collection::vec((0u8..30, any::<u16>()), 0..200), count in 0usize..200) {
            let (mut ours, mut sorted) = (items.clone(), items);
            sort_first(&mut ours, count, |a, b| a.0.cmp(&b.0));
            sorted.sort_by_key(|item| item.0);
            let keys = |items: &[(u8, u16)]| items.iter().take(count).map(|item| item.0).collect::<Vec<_>>();
            prop_assert_eq!(keys(&ours), keys(&sorted));
            ours.sort();
            sorted.sort();
            prop_assert_eq!(ours, sorted);
        }
    }
}
