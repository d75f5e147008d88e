//! A histogram: how many clients have sent how many requests.

/// Most columns of the histogram.
const BUCKETS_MAX: u32 = 12;

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Fewest requests.
    pub from: u32,
    /// Most requests.
    pub to: u32,
    /// How many clients have sent that many.
    pub clients: usize,
}

/// The columns, from zero requests to the highest count; all have the same width.
pub fn histogram(requests: &[u32]) -> Vec<Bucket> {
    let Some(most) = requests.iter().max() else { return Vec::new() };
    let width = most.saturating_add(1).div_ceil(BUCKETS_MAX).max(1);
    let count = most / width;
    (0..=count)
        .map(|nth| {
            let from = nth.saturating_mul(width);
            let to = from.saturating_add(width).saturating_sub(1);
            Bucket { from, to, clients: requests.iter().filter(|n| (from..=to).contains(n)).count() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Bucket, histogram};

    #[test]
    fn every_client_is_counted_once() {
        assert_eq!(histogram(&[]), []);
        assert_eq!(histogram(&[0, 0]), [Bucket { from: 0, to: 0, clients: 2 }]);
        let few = histogram(&[1, 2, 2]);
        assert_eq!(few.iter().map(|bucket| bucket.clients).collect::<Vec<_>>(), [0, 1, 2]);
        let many: Vec<u32> = (0..1_000).map(|i| i % 97).collect();
        let buckets = histogram(&many);
        assert!(buckets.len() <= 12);
        assert_eq!(buckets.iter().map(|bucket| bucket.clients).sum::<usize>(), 1_000);
    }
}
