//! Mutations of inputs made of lines: inserts commands, deletes, doubles and swaps lines, takes words from other lines.
use bytes::Bytes;
use redis_model::rng::Rng;

use crate::commands::Line;

/// The line format of a target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Only lines.
    Commands,
    /// A header, lines, and a last line with the number of steps.
    Session,
}

/// Mutates `data[..size]` in place and returns its new size: as lines, or as bytes with the engine's own mutator.
pub fn change(shape: Shape, data: &mut [u8], size: usize, size_max: usize, seed: u32) -> usize {
    let mut rng = Rng::new(u64::from(seed));
    if rng.below(3) == 0 {
        let size = libfuzzer_sys::fuzzer_mutate(data, size, size_max);
        // A text with a wrong count in its last line is only rejected, so mostly the count is corrected.
        if shape == Shape::Commands || rng.below(4) == 0 {
            return size;
        }
        let lines = lines_of(data.get(..size).unwrap_or_default());
        return put(&lines_of_session(lines, &mut rng), data, size_max);
    }
    let mut lines = lines_of(data.get(..size).unwrap_or_default());
    for _ in 0..=rng.below(3) {
        change_lines(&mut lines, shape, &mut rng);
    }
    if shape == Shape::Session {
        lines = lines_of_session(lines, &mut rng);
    }
    put(&lines, data, size_max)
}

fn lines_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
}

fn put(lines: &[Vec<u8>], data: &mut [u8], size_max: usize) -> usize {
    let mut size = 0;
    for line in lines {
        let end = size + line.len() + 1;
        if end > size_max.min(data.len()) {
            break;
        }
        data[size..end - 1].copy_from_slice(line);
        data[end - 1] = b'\n';
        size = end;
    }
    size
}

fn change_lines(lines: &mut Vec<Vec<u8>>, shape: Shape, rng: &mut Rng) {
    let at = rng.index(lines.len() + 1);
    if lines.is_empty() || rng.below(3) == 0 {
        let new = conformance::diff::random_commands(rng.next_u64(), 1 + rng.below(3) as usize);
        let mut new: Vec<Vec<u8>> = new.into_iter().map(String::into_bytes).collect();
        if rng.below(8) == 0 {
            let most_ms = 1 << rng.below(20);
            new.push(format!("@+{}ms", rng.below(most_ms)).into_bytes());
        }
        if shape == Shape::Session && rng.below(4) == 0 {
            new.push(
                match rng.below(5) {
                    0 => format!("^ {}", rng.index(lines.len() + 1)),
                    1 => format!("+ {} {}", ["a", "b", "c"][rng.index(3)], rng.below(4)),
                    2 => "- b".to_owned(),
                    3 => "b= c".to_owned(),
                    _ => "a!".to_owned(),
                }
                .into_bytes(),
            );
        } else if rng.below(16) == 0 {
            new.push(b"b-".to_vec());
        }
        lines.splice(at..at, new);
        return;
    }
    let (at, other) = (rng.index(lines.len()), rng.index(lines.len()));
    match rng.below(6) {
        0 => _ = lines.remove(at),
        1 => lines.insert(at, lines[other].clone()),
        2 => lines.swap(at, other),
        // Change the client.
        3 => {
            if let Some(first) = lines[at].first_mut().filter(|first| (b'a'..=b'c').contains(first)) {
                *first = b'a' + rng.below(3) as u8;
            }
        }
        // Take a word from another line.
        _ => {
            let (Some(Line::Send(client, mut argv)), Some(Line::Send(_, from))) =
                (Line::read(&lines[at]), Line::read(&lines[other]))
            else {
                return;
            };
            let word: Bytes = from[rng.index(from.len())].clone();
            let place = rng.index(argv.len());
            match rng.below(3) {
                0 => argv.insert(place, word),
                1 if argv.len() > 1 => _ = argv.remove(place),
                _ => argv[place] = word,
            }
            let name = char::from(b'a' + client as u8);
            lines[at] = format!("{name}> {}", resp::split::quote_command(&argv)).into_bytes();
        }
    }
}

/// Splits a text into its header, its steps, and the line with their number.
fn lines_of_session(lines: Vec<Vec<u8>>, rng: &mut Rng) -> Vec<Vec<u8>> {
    let is_head = |line: &&Vec<u8>| {
        ["lockstep ", "seed ", "start ", "maxmemory ", "proto-max"].iter().any(|word| line.starts_with(word.as_bytes()))
    };
    let mut session: Vec<Vec<u8>> = lines.iter().filter(is_head).cloned().collect();
    session.push(Vec::new());
    let steps: Vec<Vec<u8>> =
        lines.iter().filter(|line| !is_head(line) && !line.starts_with(b"end ")).cloned().collect();
    let count = steps.iter().filter(|line| !line.starts_with(b"^ ") && !line.starts_with(b"#")).count();
    session.extend(steps);
    let end = count.saturating_sub(if rng.below(3) == 0 { rng.index(count + 1) } else { 0 });
    let cursor = if rng.below(2) == 0 { end } else { rng.index(end + 1) };
    session.push(format!("end {count} at {cursor} of {end}").into_bytes());
    session
}
