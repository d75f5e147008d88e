//! Some of many: what matters most, in the order in which it came.

/// At most `most` of these: those of the lowest rank, then the first ones. Each stays where it was among the others. Also
/// how many are left out.
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
    fn what_matters_stays_in_its_place_among_the_first() {
        assert_eq!(few(0..5, 5, |_| 0), (vec![0, 1, 2, 3, 4], 0));
        assert_eq!(few(0..5, 2, |each| u8::from(*each != 4)), (vec![0, 4], 3));
        assert_eq!(few(0..5, 2, |each| u8::from(*each < 2)), (vec![2, 3], 3));
        assert_eq!(few(0..5, 0, |_| 0), (vec![], 5));
    }
}
