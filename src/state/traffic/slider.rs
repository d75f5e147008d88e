//! Sliders beside the traffic fields: each moves along a row of round values, which are further apart in a wide range.
//!
//! The field is exact: its value moves the slider to the nearest round value, or to an end if it is outside the row.
use super::field::Field;
use super::notation::DAY_MS;

/// Round numbers of one decade.
const ROUND: [u64; 12] = [10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90];

/// Round times, in ms.
const TIMES_MS: [u64; 27] = [
    10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000, 90_000, 120_000,
    180_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

/// The values of a slider, in the smallest unit of its field.
enum Row {
    /// From the first to the second value, in steps of the third.
    Even(u64, u64, u64),
    /// Round numbers from the first to the second value.
    Round(u64, u64),
    /// 0, then round numbers.
    ZeroAndRound(u64, u64),
    /// 0, then powers of two from the first to the second value.
    Doubled(u64, u64),
    /// Round times from the first to the second value, in ms.
    Times(u64, u64),
}

fn row(field: Field) -> Row {
    match field {
        Field::Rate => Row::Round(1, 10_000),
        Field::Duration => Row::Times(1_000, 86_400_000),
        Field::Items => Row::Round(1, 200_000),
        Field::Exponent => Row::Even(0, 2_000, 50),
        // From 0.1 %.
        Field::Hot | Field::Absent | Field::Writes => Row::ZeroAndRound(1_000, 1_000_000),
        Field::AbsentIds => Row::Round(1, 10_000_000),
        Field::DatabaseWorkers => Row::Round(1, 100),
        Field::DatabaseMs => Row::ZeroAndRound(1, 1_000),
        Field::DatabaseConnections => Row::Round(1, 1_000),
        Field::Machines => Row::Round(1, 100),
        Field::Workers => Row::Round(1, 200),
        Field::Backlog => Row::ZeroAndRound(1, 10_000),
        Field::Patience => Row::ZeroAndRound(10, 60_000),
        Field::Retries => Row::Even(0, 10, 1),
        Field::Network | Field::Command => Row::ZeroAndRound(1, 100_000),
        Field::Interval => Row::Times(10, 3_600_000),
        Field::Clock => Row::Even(0, DAY_MS - 1, 1_800_000),
        Field::Maxmemory => Row::Doubled(1 << 20, 1 << 30),
        Field::Seed => Row::Even(0, 100, 1),
    }
}

/// The values of a field's slider, ascending.
pub fn values(field: Field) -> Vec<u64> {
    match row(field) {
        Row::Even(least, most, step) => (0..)
            .map(|nth: u64| least.saturating_add(nth.saturating_mul(step)))
            .take_while(|value| *value <= most)
            .collect(),
        Row::Round(least, most) => round(least, most).collect(),
        Row::ZeroAndRound(least, most) => std::iter::once(0).chain(round(least, most)).collect(),
        Row::Doubled(least, most) => {
            let powers = (0..64).map(|power| 1_u64 << power).filter(|value| (least..=most).contains(value));
            std::iter::once(0).chain(powers).collect()
        }
        Row::Times(least, most) => TIMES_MS.into_iter().filter(|ms| (least..=most).contains(ms)).collect(),
    }
}

fn round(least: u64, most: u64) -> impl Iterator<Item = u64> {
    let units = (0..20).map(|digits| 10_u64.saturating_pow(digits)).take_while(move |unit| *unit <= most);
    let all = units.flat_map(|unit| ROUND.into_iter().map(move |tenths| tenths.saturating_mul(unit)));
    // Below ten, only whole numbers.
    all.filter(|tenths| tenths.is_multiple_of(10))
        .map(|tenths| tenths / 10)
        .filter(move |value| (least..=most).contains(value))
}

/// The index of the value nearest to `value`; of two equally near, the lower one.
pub fn position(values: &[u64], value: u64) -> usize {
    let above = values.partition_point(|other| *other < value);
    let Some(below) = above.checked_sub(1) else { return 0 };
    match (values.get(below), values.get(above)) {
        (Some(lower), Some(upper)) if value.saturating_sub(*lower) > upper.saturating_sub(value) => above,
        _ => below,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::state::traffic::draft::{Draft, Plan};

    #[test]
    fn each_value_is_found_at_its_own_index() {
        for field in Field::ALL {
            let values = values(field);
            assert!(values.len() >= 10 && values.is_sorted(), "{field:?}: {values:?}");
            assert!(values.windows(2).all(|two| two[0] < two[1]), "{field:?}: {values:?}");
            for (place, value) in values.iter().enumerate() {
                assert_eq!(position(&values, *value), place, "{field:?} {value}");
            }
        }
    }

    #[test]
    fn field_reads_what_the_slider_writes() {
        let draft = Draft::of(&Plan::default());
        for field in Field::ALL {
            let (_, least, most) = field.range();
            for value in values(field) {
                let changed = draft.with(field, &field.text_of(value));
                assert_eq!(changed.single(field), Some(value), "{field:?} {value}");
                assert!((least..=most).contains(&value), "{field:?} {value}");
                assert!(!field.spoken(Lang::En, value).is_empty());
            }
        }
    }

    #[test]
    fn other_values_move_to_the_nearest_one() {
        let values = values(Field::DatabaseMs);
        assert_eq!(values[..4], [0, 1, 2, 3]);
        let at = |value: u64| values[position(&values, value)];
        for (value, nearest) in
            [(11, 10), (13, 12), (14, 15), (999, 1_000), (1_000, 1_000), (60_000, 1_000), (u64::MAX, 1_000)]
        {
            assert_eq!(at(value), nearest, "{value}");
        }
        assert_eq!(position(&super::values(Field::Items), 0), 0);
        assert_eq!(position(&[], 5), 0);
    }

    #[test]
    fn slider_values_are_round() {
        assert_eq!(values(Field::Machines)[..12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15]);
        assert_eq!(values(Field::Absent)[..3], [0, 1_000, 1_200]);
        assert_eq!(values(Field::Absent).last(), Some(&1_000_000));
        assert_eq!(values(Field::Exponent)[20], 1_000);
        assert_eq!(values(Field::Duration).first(), Some(&1_000));
    }
}
