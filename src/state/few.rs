//! Picks a few of many items: the most important ones, in their original order.

/// At most `most` items: those with the lowest rank, ties by order of arrival. The result keeps the original order. Also returns how many
/// items were left out.
pub fn few<T>(all: impl IntoIterator<Item = T>, most: usize, rank: impl Fn(&T) -> u8) -> (Vec<T>, usize) {
    let mut all: Vec<(usize, T)> = all.into_iter().enumerate().collect();
    let hidden = all.len().saturating_sub(most);
    if hidden > 0 {
        // Both sorts are stable.
        all.sort_by_key(|(_, each)| rank(each));
        all.truncate(most);
        all.sort_by_key(|(place, _)| *place);
    }
    (all.into_iter().map(|(_, each)| each).collect(), hidden)
}

#[cfg(test)]
mod tests {
    use super::few;

    #[test]
    fn picked_items_keep_their_order() {
        assert_eq!(few(0..5, 5, |_| 0), (vec![0, 1, 2, 3, 4], 0));
        assert_eq!(few(0..5, 2, |each| u8::from(*each != 4)), (vec![0, 4], 3));
        assert_eq!(few(0..5, 2, |each| u8::from(*each < 2)), (vec![2, 3], 3));
        assert_eq!(few(0..5, 0, |_| 0), (vec![], 5));
    }
}
