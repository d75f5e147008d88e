//! A HyperLogLog as registers: their values, which ones the last step raised, and which register an element affects.
use bytes::Bytes;
use redis_model::value::hyperloglog::{DENSE_BYTES, HyperLogLog, REGISTERS, RegisterUpdate, Registers};
use redis_model::value::string::Str;

/// Redis never makes a HyperLogLog longer than this.
const BYTES_MAX: usize = 4 * DENSE_BYTES;
/// Registers per line of the picture.
pub const LINE: usize = 256;
/// How many elements of a `PFADD` are described, and how many raised registers are circled.
pub const TRACED_MAX: usize = 12;
/// Values up to each of these share one tone; higher values are darker.
const TONES: [u8; 5] = [2, 4, 6, 9, u8::MAX];

/// Whether a string can be read as a HyperLogLog.
pub fn is_sketch(string: &Str) -> bool {
    string.len() <= BYTES_MAX && HyperLogLog::of(&string.to_bytes()).is_ok()
}

/// All registers of a string; `None` if it is not a HyperLogLog, or a damaged one.
pub fn registers_of(string: &Str) -> Option<Registers> {
    if string.len() > BYTES_MAX {
        return None;
    }
    HyperLogLog::of(&string.to_bytes()).ok()?.registers().ok()
}

/// How many registers have each value, up to the highest one.
pub fn histogram(registers: &Registers) -> Vec<u64> {
    let mut counts = Vec::new();
    for value in registers.as_slice() {
        let value = usize::from(*value);
        if counts.len() <= value {
            counts.resize(value + 1, 0);
        }
        if let Some(count) = counts.get_mut(value) {
            *count += 1;
        }
    }
    counts
}

/// The registers as SVG path data, one path per tone: a run of equal tone is one stroke.
pub fn paths(registers: &Registers) -> [String; TONES.len()] {
    let mut paths: [String; TONES.len()] = Default::default();
    let tone = |value: u8| (value > 0).then(|| TONES.iter().position(|most| value <= *most)).flatten();
    for (y, line) in registers.as_slice().chunks(LINE).enumerate() {
        let mut x = 0usize;
        for run in line.chunk_by(|a, b| tone(*a) == tone(*b)) {
            if let Some(path) = run.first().and_then(|value| paths.get_mut(tone(*value)?)) {
                path.push_str(&format!("M{x} {y}h{}", run.len()));
            }
            x = x.saturating_add(run.len());
        }
    }
    paths
}

/// The registers that increased: number, value before and value now.
pub fn raised(before: &Registers, now: &Registers) -> Vec<(usize, u8, u8)> {
    let pairs = before.as_slice().iter().zip(now.as_slice()).enumerate();
    pairs.filter(|(_, (was, is))| was < is).map(|(register, (was, is))| (register, *was, *is)).collect()
}

/// What happened to an added element.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The element.
    pub element: Bytes,
    /// Its register, and its run of zeros plus one.
    pub place: RegisterUpdate,
    /// The register's value before.
    pub was: u8,
}

/// What happened to each element of a `PFADD`, in order; a repeated element raises nothing the second time.
pub fn traces(words: &[Bytes], before: Option<&Registers>) -> Vec<Trace> {
    let is_add = words.first().is_some_and(|name| name.eq_ignore_ascii_case(b"pfadd"));
    let elements = words.get(2..).filter(|_| is_add).unwrap_or_default();
    let mut registers = before.cloned().unwrap_or_default();
    let mut traces = Vec::new();
    for element in elements.iter().take(TRACED_MAX) {
        let place = RegisterUpdate::of(element);
        let was = registers.as_slice().get(place.register).copied().unwrap_or(0);
        registers.raise(place.register, place.run);
        traces.push(Trace { element: element.clone(), place, was });
    }
    traces
}

/// The position of a register in the picture: column and line.
pub fn position(register: usize) -> (usize, usize) {
    let register = register.min(REGISTERS.saturating_sub(1));
    (register % LINE, register / LINE)
}

#[cfg(test)]
mod tests {
    use bytes::{Bytes, BytesMut};
    use proptest::prelude::*;
    use redis_model::value::hyperloglog::{self, REGISTERS};
    use redis_model::value::string::Str;

    use super::*;

    fn sketch(elements: &[&str]) -> Str {
        let mut bytes = BytesMut::from(&hyperloglog::empty()[..]);
        for element in elements {
            hyperloglog::add(&mut bytes, element.as_bytes(), 3000).unwrap();
        }
        Str::plain(bytes.freeze())
    }

    #[test]
    fn element_is_traced_to_the_register_that_it_raised() {
        let (before, now) = (registers_of(&sketch(&["a"])).unwrap(), registers_of(&sketch(&["a", "b"])).unwrap());
        let words = ["PFADD", "k", "a", "b", "b"].map(Bytes::from);
        let traces = traces(&words, Some(&before));
        let raises: Vec<bool> = traces.iter().map(|trace| trace.was < trace.place.run).collect();
        assert_eq!(raises, [false, true, false]);
        let b = &traces[1];
        assert_eq!(raised(&before, &now), [(b.place.register, 0, b.place.run)]);
        assert_eq!(super::traces(&["PFCOUNT", "k"].map(Bytes::from), None), []);
    }

    #[test]
    fn other_strings_are_not_sketches() {
        for bytes in [&b""[..], b"HYLL", b"HYLL\x01", b"HYLL\x00aaaaaaaaaaaaaaaaaaaa", b"hello"] {
            assert!(!is_sketch(&Str::plain(bytes)), "{bytes:?}");
        }
        // The header is valid, the runs are not: the string can be shown, its registers cannot.
        let spoilt = Str::plain([&hyperloglog::empty()[..], &[0x80]].concat());
        assert!(is_sketch(&spoilt));
        assert!(registers_of(&spoilt).is_none());
        assert!(!is_sketch(&Str::plain([b"HYLL\x01".as_slice(), &[0; BYTES_MAX]].concat())));
    }

    #[test]
    fn every_nonzero_register_is_drawn_once() {
        let elements: Vec<String> = (0..3000).map(|i| i.to_string()).collect();
        let registers = registers_of(&sketch(&elements.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
        let drawn: usize = paths(&registers)
            .iter()
            .flat_map(|path| path.split('M').skip(1))
            .map(|stroke| stroke.split_once('h').unwrap().1.parse::<usize>().unwrap())
            .sum();
        let histogram = histogram(&registers);
        assert_eq!(histogram.iter().sum::<u64>(), REGISTERS as u64);
        assert_eq!(drawn as u64, REGISTERS as u64 - histogram[0]);
        assert_eq!(position(REGISTERS - 1), (LINE - 1, REGISTERS / LINE - 1));
        assert_eq!(position(usize::MAX), position(REGISTERS - 1));
    }

    proptest! {
        #[test]
        fn no_bytes_make_trouble(tail in prop::collection::vec(any::<u8>(), 0..200), encoding in 0u8..3) {
            let string = Str::plain([b"HYLL", &[encoding][..], &[0; 11], &tail].concat());
            let _ = is_sketch(&string);
            if let Some(registers) = registers_of(&string) {
                prop_assert!(!histogram(&registers).is_empty());
                let _ = paths(&registers);
            }
        }
    }
}
