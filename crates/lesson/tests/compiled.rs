//! The compiled format: lessons survive encoding and decoding, and garbage is an error.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
use lesson::packed::VERSION;
use lesson::{
    Achieve, Break, Budget, Check, Choice, ClientGroup, Entry, Faults, Fix, Handling, Index, Lesson, Load, Panel,
    Program, Property, Repair, Row, Section, Stage, Step, Task, TaskKind, Track, Unreadable, Variation, Verdict, Wrong,
    WrongWay,
};
use proptest::prelude::*;

/// A lesson with one item of every kind, and this text in all text fields.
fn lesson(text: &str, number: u32) -> Lesson {
    let text = || text.to_owned();
    let texts = || vec![text(), String::new(), text()];
    let faults = Faults {
        crashes: 1,
        pauses: 2,
        restarts: number % 2,
        node_crashes: number % 3,
        node_clock_jumps: number % 5,
        cuts: number % 7,
        ..Faults::default()
    };
    let budget = Budget { clients: number, faults, depth: 4 };
    let task = |kind| Task { id: text(), title: text(), html: text(), hints: texts(), solution: text(), kind };
    let wrong = Wrong { variation: text(), property: text(), way: text(), title: text(), html: text(), text: text() };
    let property = |verdict| Property { id: text(), title: text(), text: text(), verdict };
    let variation = Variation {
        id: text(),
        title: text(),
        frame: text(),
        setup: texts(),
        seed: u64::from(number),
        budget,
        properties: vec![property(Verdict::Holds), property(Verdict::Holds)],
    };
    let load = Load {
        id: text(),
        title: text(),
        nodes: texts(),
        setup: texts(),
        traffic: text(),
        inputs: texts(),
        bounds: vec![property(Verdict::Holds), property(Verdict::Holds)],
    };
    let fix = |survives| Fix { title: text(), html: text(), text: text(), survives };
    let choice = |is_right| Choice { html: text(), reply: text(), is_right };
    let clients = || ClientGroup { name: text(), program: text(), count: number };
    let stage =
        Stage { id: text(), clients: vec![clients(), ClientGroup::default()], nodes: texts(), setup: texts(), budget };
    let row = |expect| Row { key: text(), title: text(), expect };
    Lesson {
        track: text(),
        id: text(),
        language: text(),
        title: text(),
        summary: text(),
        panels: vec![Panel::Lanes, Panel::Verdict],
        sections: vec![Section { id: text(), title: text(), html: text() }],
        programs: vec![Program { name: text(), text: text() }],
        clients: vec![clients()],
        nodes: texts(),
        clock: Some(number),
        setup: texts(),
        traffic: text(),
        flow: texts(),
        properties: vec![property(Verdict::Holds), property(Verdict::Broken { steps: number })],
        budget,
        stages: vec![stage, Stage::default()],
        story: vec![Step { id: text(), title: text(), html: text(), inputs: texts() }],
        tasks: vec![
            task(TaskKind::Break(Break { property: text(), shortest: number, ..Break::default() })),
            task(TaskKind::Break(Break { property: text(), shortest: number, stage: text(), faults: Some(faults) })),
            task(TaskKind::Achieve(Achieve {
                checks: vec![Check { html: text(), claim: text() }, Check::default()],
                wrong: vec![WrongWay { title: text(), html: text(), claims: texts() }, WrongWay::default()],
            })),
            task(TaskKind::Repair(Repair {
                program: text(),
                start: text(),
                solution: text(),
                wrong: vec![wrong.clone(), wrong.clone()],
                variations: vec![variation, Variation::default()],
            })),
            task(TaskKind::Handler(std::sync::Arc::new(Handling {
                start: text(),
                solution: text(),
                wrong: vec![wrong.clone(), wrong],
                variations: vec![load, Load::default()],
            }))),
            task(TaskKind::Choose { of: text(), fixes: vec![fix(true), fix(false)] }),
            task(TaskKind::Predict { after: texts(), then: texts(), choices: vec![choice(true), choice(false)] }),
            task(TaskKind::Forecast {
                inputs: texts(),
                rows: vec![row([true, false, true]), row([false, true, false])],
            }),
        ],
    }
}

fn index(text: &str) -> Index {
    let entry = Entry { id: text.into(), title: text.into(), summary: text.into(), tasks: vec![text.into()] };
    let track =
        Track { id: text.into(), title: text.into(), summary: text.into(), lessons: vec![entry.clone(), entry] };
    Index { tracks: vec![track.clone(), Track::default(), track] }
}

proptest! {
    #[test]
    fn lessons_survive_encoding_and_decoding(text in any::<String>(), number in any::<u32>()) {
        let lesson = lesson(&text, number);
        prop_assert_eq!(Lesson::read(&lesson.write()), Ok(lesson));
        let index = index(&text);
        prop_assert_eq!(Index::read(&index.write()), Ok(index));
    }

    #[test]
    fn truncated_lesson_is_an_error(text in "[a-z\n ]{0,20}", at in any::<prop::sample::Index>()) {
        let whole = lesson(&text, 7).write();
        let at = at.index(whole.len());
        prop_assert!(Lesson::read(&whole[..at]).is_err(), "{}", at);
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..300), word in "lockstep-lessons?") {
        prop_assert!(Lesson::read(&bytes).is_err());
        prop_assert!(Index::read(&bytes).is_err());
        let file = [format!("{word} {VERSION} {}\n", bytes.len()).as_bytes(), &bytes].concat();
        let _ = Lesson::read(&file);
        let _ = Index::read(&file);
    }

    #[test]
    fn modified_lesson_never_panics(text in "[a-z\n ]{0,20}", at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut file = lesson(&text, 7).write();
        let at = at.index(file.len());
        file[at] = to;
        let _ = Lesson::read(&file);
    }
}

#[test]
fn errors_name_the_cause() {
    let whole = lesson("x", 1).write();
    let with = |head: &str, body: &[u8]| [format!("{head} {}\n", body.len()).as_bytes(), body].concat();
    let (_, body) = whole.split_at(whole.iter().position(|byte| *byte == b'\n').unwrap() + 1);
    assert_eq!(Lesson::read(&with(&format!("lockstep-lesson {VERSION}"), body)), Ok(lesson("x", 1)));
    assert_eq!(Lesson::read(b"<!doctype html>\n"), Err(Unreadable::Foreign));
    assert_eq!(Lesson::read(&index("x").write()), Err(Unreadable::Foreign));
    assert_eq!(Lesson::read(&with("lockstep-lesson 3", body)), Err(Unreadable::OtherVersion));
    assert_eq!(Lesson::read(&whole[..whole.len() - 1]), Err(Unreadable::Damaged));
    // Bytes after the value are an error, although their number fits the header.
    let longer = [body, b"\0"].concat();
    assert_eq!(Lesson::read(&with(&format!("lockstep-lesson {VERSION}"), &longer)), Err(Unreadable::Damaged));
}

#[test]
fn list_that_claims_a_huge_length_is_an_error() {
    // The first field is a text; its length is 2^63.
    let body = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    let file = [format!("lockstep-lesson {VERSION} {}\n", body.len()).as_bytes(), &body].concat();
    assert_eq!(Lesson::read(&file), Err(Unreadable::Damaged));
}

#[test]
fn clients_are_numbered_within_their_group() {
    let mut lesson = lesson("x", 1);
    let cast = |name: &str, count| ClientGroup { name: name.into(), program: format!("{name}-program"), count };
    lesson.clients = vec![cast("c", 2), cast("admin", 1)];
    let clients: Vec<_> = lesson.clients().collect();
    let expected = [("c1", "c-program"), ("c2", "c-program"), ("admin1", "admin-program")];
    assert_eq!(clients, expected.map(|(name, program)| (name.to_owned(), program)));
}
