//! Properties of HyperLogLogs, against plain arrays of registers.
use super::*;
use proptest::prelude::*;

fn bytes_of(numbers: &[u32], sparse_bytes_max: usize) -> BytesMut {
    let mut bytes = BytesMut::from(&empty()[..]);
    for number in numbers {
        add(&mut bytes, number.to_string().as_bytes(), sparse_bytes_max).unwrap();
    }
    bytes
}

/// The registers by definition.
fn naive(numbers: &[u32]) -> Registers {
    let mut registers = Registers::default();
    for number in numbers {
        let place = RegisterUpdate::of(number.to_string().as_bytes());
        registers.raise(place.register, place.run);
    }
    registers
}

fn read(bytes: &[u8]) -> HyperLogLog<'_> {
    HyperLogLog::of(bytes).unwrap()
}

fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![prop::collection::vec(0u32..500, 0..200), prop::collection::vec(any::<u32>(), 0..3000)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn both_forms_hold_the_registers_of_the_definition(numbers in numbers(), limit in prop::sample::select(vec![0usize, 20, 100, 3000, 16000])) {
        let (bytes, registers) = (bytes_of(&numbers, limit), naive(&numbers));
        let hll = read(&bytes);
        prop_assert!(hll.registers().unwrap() == registers);
        prop_assert_eq!(hll.count().unwrap(), registers.estimate());
        if hll.encoding() == Encoding::Sparse {
            prop_assert!(bytes.len() <= limit.max(HEADER_BYTES + 2));
            prop_assert_eq!(hll.opcodes().map(Opcode::len).sum::<usize>(), REGISTERS);
            prop_assert_eq!(hll.opcodes().map(Opcode::bytes).sum::<usize>(), bytes.len() - HEADER_BYTES);
            let mut again = Vec::new();
            hll.opcodes().for_each(|opcode| opcode.write(&mut again));
            prop_assert!(again == bytes[HEADER_BYTES..]);
        } else {
            prop_assert_eq!(bytes.len(), DENSE_BYTES);
        }
    }

    #[test]
    fn union_is_commutative_associative_and_idempotent(a in numbers(), b in numbers(), c in numbers()) {
        let (a, b, c) = (naive(&a), naive(&b), naive(&c));
        let union = |a: &Registers, b: &Registers| { let mut union = a.clone(); union.merge(b); union };
        prop_assert!(union(&a, &b) == union(&b, &a));
        prop_assert!(union(&union(&a, &b), &c) == union(&a, &union(&b, &c)));
        prop_assert!(union(&a, &a) == a && union(&a, &Registers::default()) == a);
    }

    #[test]
    fn adding_again_changes_nothing(numbers in numbers()) {
        let bytes = bytes_of(&numbers, 3000);
        let mut again = bytes.clone();
        for number in &numbers {
            prop_assert!(!add(&mut again, number.to_string().as_bytes(), 3000).unwrap());
        }
        prop_assert_eq!(again, bytes);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(body in prop::collection::vec(any::<u8>(), 0..40), element in any::<u32>()) {
        let mut bytes = BytesMut::from(&empty()[..HEADER_BYTES]);
        bytes.extend_from_slice(&body);
        let hll = read(&bytes);
        let (count, registers) = (hll.count(), hll.registers());
        prop_assert!(count.is_err() || registers.is_ok());
        let before = bytes.clone();
        if add(&mut bytes, &element.to_le_bytes(), 3000).is_err() {
            prop_assert_eq!(&bytes, &before);
        }
        if to_dense(&mut bytes) == Ok(true) {
            prop_assert_eq!(bytes.len(), DENSE_BYTES);
        }
    }
}

#[test]
fn remembers_a_count_until_something_changes() {
    let mut bytes = bytes_of(&[], 3000);
    assert_eq!(read(&bytes).cached_count(), Some(0));
    add(&mut bytes, b"a", 3000).unwrap();
    assert_eq!((read(&bytes).cached_count(), read(&bytes).count()), (None, Ok(1)));
    remember_count(&mut bytes, 1);
    add(&mut bytes, b"a", 3000).unwrap();
    assert_eq!(read(&bytes).cached_count(), Some(1));
}

#[test]
fn accepts_only_strings_with_a_valid_header() {
    let sparse = empty();
    let mut dense = BytesMut::from(&sparse[..]);
    to_dense(&mut dense).unwrap();
    assert!(HyperLogLog::of(&dense).is_ok());
    assert_eq!(HyperLogLog::of(&dense[..DENSE_BYTES - 1]).err(), Some(NotHyperLogLog));
    assert_eq!(HyperLogLog::of(&sparse[..HEADER_BYTES - 1]).err(), Some(NotHyperLogLog));
    assert_eq!(HyperLogLog::of(b"HYLM\x01567890123456").err(), Some(NotHyperLogLog));
    assert_eq!(HyperLogLog::of(b"HYLL\x02567890123456").err(), Some(NotHyperLogLog));
}

#[test]
fn self_test_passes() {
    assert_eq!(self_test(), Ok(()));
}
