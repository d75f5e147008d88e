//! Properties of bit operations, against a vector of booleans.
use super::*;
use bytes::Bytes;
use proptest::prelude::*;

fn bits_of(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |nth| byte & (0x80 >> nth) != 0)).collect()
}

fn string(bytes: &[u8]) -> Str {
    Str::plain(Bytes::copy_from_slice(bytes))
}

/// Strings with many all-zero or all-one bytes, some long enough for several pieces.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![4 => Just(0u8), 4 => Just(0xff), 1 => any::<u8>()];
    let head = prop::collection::vec(byte, 0..40);
    (head, prop_oneof![8 => Just(0usize), 1 => 0usize..3 * PIECE_BYTES], any::<bool>()).prop_map(
        |(head, more, ones)| {
            let mut bytes = vec![if ones { 0xff } else { 0 }; more];
            bytes.extend(head);
            bytes
        },
    )
}

fn width() -> impl Strategy<Value = Width> {
    (any::<bool>(), 1u32..=64)
        .prop_map(|(is_signed, bits)| Width { is_signed, bits: if is_signed { bits } else { bits.min(63) } })
}

/// An integer near the ends of some width.
fn edge() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        -300i64..300,
        (0u32..64, -2i64..=2, any::<bool>()).prop_map(|(bits, by, is_negative)| {
            let power = 1i64.wrapping_shl(bits).wrapping_add(by);
            if is_negative { power.wrapping_neg() } else { power }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn counts_and_finds_as_a_vector_of_bits(bytes in bytes(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let (text, bits) = (string(&bytes), bits_of(&bytes));
        let view = text.view();
        prop_assume!(!bits.is_empty());
        // Range ends are as likely near the ends of the string as anywhere else.
        let (first, last) = (a.index(bits.len()).min(b.index(bits.len())), a.index(bits.len()).max(b.index(bits.len())));
        for (first, last) in [(first, last), (first % 60, bits.len() - 1), (0, last), (last, last)] {
            prop_assume!(first <= last && last < bits.len());
            let part = &bits[first..=last];
            prop_assert_eq!(count(&view, first as u64, last as u64), part.iter().filter(|bit| **bit).count() as u64);
            for wanted in [false, true] {
                let naive = part.iter().position(|bit| *bit == wanted).map(|at| (first + at) as u64);
                prop_assert_eq!(find(&view, wanted, first as u64, last as u64), naive);
            }
        }
    }

    #[test]
    fn sets_single_bits(bytes in bytes(), edits in prop::collection::vec((0u64..600_000, any::<bool>()), 1..20)) {
        let (mut text, mut bits) = (string(&bytes), bits_of(&bytes));
        for (index, bit) in edits {
            let was = bits.get(index as usize).copied().unwrap_or(false);
            prop_assert_eq!(get(&text.view(), index), was);
            text.edit(|raw| set(raw, index, bit));
            bits.resize(bits.len().max((index as usize / 8 + 1) * 8), false);
            bits[index as usize] = bit;
        }
        prop_assert!(bits_of(&text.to_bytes()) == bits);
    }

    #[test]
    fn combines_as_vectors_of_bits(sources in prop::collection::vec(bytes(), 1..5)) {
        let texts: Vec<Str> = sources.iter().map(|bytes| string(bytes)).collect();
        let views: Vec<View<'_>> = texts.iter().map(Str::view).collect();
        let len = sources.iter().map(Vec::len).max().unwrap_or(0);
        let at = |source: &[u8], nth: usize| source.get(nth).copied().unwrap_or(0);
        let by = |fold: fn(u8, u8) -> u8| -> Vec<u8> {
            (0..len).map(|nth| sources.iter().map(|source| at(source, nth)).reduce(fold).unwrap()).collect()
        };
        prop_assert!(combine(Operation::And, &views).to_bytes() == by(|a, b| a & b));
        prop_assert!(combine(Operation::Or, &views).to_bytes() == by(|a, b| a | b));
        prop_assert!(combine(Operation::Xor, &views).to_bytes() == by(|a, b| a ^ b));
        let not: Vec<u8> = sources[0].iter().map(|byte| !byte).collect();
        prop_assert!(combine(Operation::Not, &views[..1]).to_bytes() == not);
    }
}

proptest! {
    #[test]
    fn integers_are_read_from_and_written_to_their_bits(bytes in bytes(), width in width(), offset in 0u64..400, number in edge()) {
        let mut text = string(&bytes);
        let mut bits = bits_of(&bytes);
        bits.resize(bits.len().max((offset as usize + width.bits as usize).next_multiple_of(8)), false);
        let place = offset as usize..offset as usize + width.bits as usize;
        let naive = |bits: &[bool]| {
            let magnitude = bits.iter().fold(0i128, |sum, bit| sum << 1 | i128::from(*bit));
            let is_negative = width.is_signed && bits[0];
            (magnitude - if is_negative { 1i128 << width.bits } else { 0 }) as i64
        };
        prop_assert_eq!(width.read(&text.view(), offset), naive(&bits[place.clone()]));
        width.write(&mut text, offset, number);
        for (nth, at) in place.clone().rev().enumerate() {
            bits[at] = number >> nth & 1 == 1;
        }
        bits.truncate(bits.len().max(bytes.len() * 8));
        prop_assert!(bits_of(&text.to_bytes()) == bits);
        prop_assert_eq!(width.read(&text.view(), offset), naive(&bits[place]));
    }

    #[test]
    fn sums_wrap_saturate_or_fail(width in width(), value in edge(), increment in edge()) {
        let value = width.cut(value);
        let (min, max) = (i128::from(width.min()), i128::from(width.max()));
        prop_assert_eq!(max - min, (1i128 << width.bits) - 1);
        let sum = i128::from(value) + i128::from(increment);
        let wrapped = (sum - min).rem_euclid(max - min + 1) + min;
        prop_assert_eq!(width.add(value, increment, Overflow::Wrap).map(i128::from), Some(wrapped));
        prop_assert_eq!(width.add(value, increment, Overflow::Sat).map(i128::from), Some(sum.clamp(min, max)));
        let is_inside = (min..=max).contains(&sum);
        prop_assert_eq!(width.add(value, increment, Overflow::Fail).map(i128::from), is_inside.then_some(sum));
        prop_assert_eq!(width.fit(increment, Overflow::Fail), (min..=max).contains(&increment.into()).then_some(increment));
    }
}

#[test]
fn reads_widths_as_redis_does() {
    for (word, width) in [("u1", Some((false, 1))), ("u63", Some((false, 63))), ("i64", Some((true, 64)))] {
        assert_eq!(Width::parse(word.as_bytes()), width.map(|(is_signed, bits)| Width { is_signed, bits }));
    }
    for word in ["u64", "i65", "u0", "i-1", "i", "", "8", "I8", "u08", "u+8", "u8 "] {
        assert_eq!(Width::parse(word.as_bytes()), None, "{word}");
    }
}
