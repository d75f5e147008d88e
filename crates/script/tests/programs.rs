//! Programs and their states survive encoding and decoding, and a remote player gives the same results as a local one.
use bytes::Bytes;
use proptest::prelude::*;
use resp::Value;
use script::codec::{DEPTH_MAX, Malformed, Wire};
use script::fingerprint;
use script::program::remote::{PlayRequest, Report};
use script::program::{
    Answer, Failed, Frame, History, Local, MemoryCommand, Player, ProgramState, Remote, Reply, Request, Served, State,
    Target, ThreadSnapshot, Unplayable,
};
use std::cell::Cell;

fn bytes() -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), 0..12).prop_map(Bytes::from)
}

fn words() -> impl Strategy<Value = Vec<Bytes>> {
    prop::collection::vec(bytes(), 0..4)
}

fn history() -> impl Strategy<Value = History> {
    let value = prop_oneof![
        any::<i64>().prop_map(Value::Integer),
        Just(Value::Null),
        bytes().prop_map(Value::Error),
        words().prop_map(|words| Value::Array(words.into_iter().map(Value::Bulk).collect())),
    ];
    let reply = prop_oneof![
        Just(Reply::Nothing),
        any::<i64>().prop_map(Reply::Integer),
        bytes().prop_map(Reply::Text),
        value.prop_map(Reply::Value),
    ];
    let answer = (any::<u32>(), reply).prop_map(|(thread, reply)| Answer { thread, reply });
    prop::collection::vec(answer, 0..5).prop_map(|answers| answers.into_iter().collect())
}

fn request() -> impl Strategy<Value = Request> {
    prop_oneof![
        Just(Request::Begin),
        words().prop_map(|argv| Request::Call { to: None, argv }),
        (any::<(u32, Option<u64>)>(), words())
            .prop_map(|((node, timeout_ms), argv)| Request::Call { to: Some(Target { node, timeout_ms }), argv }),
        bytes().prop_map(|node| Request::Connect { node }),
        any::<u64>().prop_map(|ms| Request::Sleep { ms }),
        any::<u64>().prop_map(|ms| Request::Work { ms }),
        Just(Request::Now),
        Just(Request::Uuid),
        any::<(i64, i64)>().prop_map(|(from, to)| Request::Random { from, to }),
        bytes().prop_map(|section| Request::Enter { section }),
        bytes().prop_map(|section| Request::Leave { section }),
        any::<u32>().prop_map(|thread| Request::Spawn { thread }),
        any::<u32>().prop_map(|thread| Request::Cancel { thread }),
        words().prop_map(|channels| Request::Subscribe { channels }),
        any::<Option<u64>>().prop_map(|ms| Request::WaitMessage { ms }),
        bytes().prop_map(|text| Request::Note { text }),
        (bytes(), any::<i64>()).prop_map(|(name, n)| Request::Tally { name, n }),
        (any::<bool>(), bytes()).prop_map(|(holds, text)| Request::Check { holds, text }),
        (bytes(), prop::option::of(bytes())).prop_map(|(id, key)| Request::Produced { id, key }),
        bytes().prop_map(|id| Request::Processed { id }),
        prop::option::of(bytes()).prop_map(|value| Request::Answer { value }),
        (bytes(), any::<Option<u32>>(), command()).prop_map(|(region, most, command)| Request::Memory {
            region,
            most,
            command
        }),
        any::<(bool, bool)>().prop_map(|(number, args)| Request::Who { number, args }),
    ]
}

fn command() -> impl Strategy<Value = MemoryCommand> {
    let places = || prop::collection::vec(any::<u32>(), 0..4);
    let ms = any::<Option<u64>>;
    prop_oneof![
        bytes().prop_map(|key| MemoryCommand::Get { key }),
        (bytes(), bytes(), ms()).prop_map(|(key, value, ttl_ms)| MemoryCommand::Set { key, value, ttl_ms }),
        (bytes(), bytes(), ms()).prop_map(|(key, value, ttl_ms)| MemoryCommand::Add { key, value, ttl_ms }),
        (bytes(), any::<i64>()).prop_map(|(key, n)| MemoryCommand::Incr { key, n }),
        bytes().prop_map(|key| MemoryCommand::Delete { key }),
        (bytes(), ms()).prop_map(|(key, timeout_ms)| MemoryCommand::Wait { key, timeout_ms }),
        places().prop_map(|places| MemoryCommand::SetBits { places }),
        places().prop_map(|places| MemoryCommand::HasBits { places }),
        Just(MemoryCommand::Clear),
    ]
}

fn thread() -> impl Strategy<Value = ThreadSnapshot> {
    let state = prop_oneof![
        4 => request().prop_map(State::Requests),
        1 => Just(State::Done),
        1 => Just(State::Cancelled),
        1 => bytes().prop_map(|message| State::Failed(Failed::Error(message))),
        1 => Just(State::Failed(Failed::Endless)),
        1 => Just(State::Failed(Failed::OutOfMemory)),
    ];
    let local = (bytes(), bytes()).prop_map(|(name, shown)| Local { name, shown });
    let frame = (prop::option::of(bytes()), any::<u32>(), prop::collection::vec(local, 0..3))
        .prop_map(|(name, line, locals)| Frame { name, line, locals });
    (state, prop::collection::vec(frame, 0..3)).prop_map(|(state, frames)| ThreadSnapshot { state, frames })
}

fn played() -> impl Strategy<Value = Result<ProgramState, Unplayable>> {
    prop_oneof![
        6 => (prop::collection::vec(thread(), 0..4), any::<Option<u128>>()).prop_map(|(threads, live)| Ok(ProgramState { threads, live })),
        1 => bytes().prop_map(|message| Err(Unplayable::DoesNotCompile(message))),
        1 => any::<u32>().prop_map(|at| Err(Unplayable::Diverged { at: at as usize })),
        1 => Just(Err(Unplayable::Broken)),
        1 => Just(Err(Unplayable::NoPlayer)),
    ]
}

fn survives<T: Wire + PartialEq + std::fmt::Debug>(value: &T) -> Result<(), TestCaseError> {
    let bytes = value.encode();
    let decoded = T::decode(&bytes);
    prop_assert_eq!(decoded.as_ref(), Ok(value));
    for end in 0..bytes.len() {
        prop_assert!(bytes.get(..end).is_none_or(|cut| T::decode(cut).is_err()), "cut at {}", end);
    }
    let mut longer = bytes;
    longer.push(0);
    prop_assert_eq!(T::decode(&longer), Err(Malformed::Long));
    Ok(())
}

proptest! {
    #[test]
    fn orders_survive(text in bytes(), history in history(), name: u128) {
        if let Some(answer) = history.newest() {
            survives(&PlayRequest::Next { text: name, before: name ^ 1, answer: answer.clone() })?;
        }
        survives(&PlayRequest::Whole(text, history))?;
    }

    #[test]
    fn reports_survive(played in played()) {
        survives(&Report::Played(played))?;
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(order) = PlayRequest::decode(&bytes) {
            prop_assert_eq!(PlayRequest::decode(&order.encode()), Ok(order));
        }
        if let Ok(report) = Report::decode(&bytes) {
            prop_assert_eq!(Report::decode(&report.encode()), Ok(report));
        }
    }

    #[test]
    fn remote_player_gives_the_results_of_a_local_one(ways in prop::collection::vec((0u8..3, history(), any::<bool>()), 1..12)) {
        // A server side with a cache, which is sometimes replaced by one with an empty cache.
        let mut served = Served::new(Echo);
        for (text, history, is_new) in ways {
            if is_new {
                served = Served::new(Echo);
            }
            let text = Bytes::from(vec![text]);
            let mut remote = Remote::new(|order: &[u8]| Some(served.serve(order)));
            let mut before = History::default();
            for answer in history.answers() {
                let next = before.push(answer);
                prop_assert_eq!(remote.play(&text, &next), Echo.play(&text, &next));
                before = next;
            }
            prop_assert_eq!(remote.play(&text, &history), Echo.play(&text, &history));
        }
    }
}

/// A player whose program states contain its arguments.
struct Echo;

impl Player for Echo {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
        if history.len() > 3 {
            return Err(Unplayable::Diverged { at: 3 });
        }
        let described = Bytes::from([text.as_ref(), format!("{history:?}").as_bytes()].concat());
        let state = State::Requests(Request::Note { text: described });
        Ok(ProgramState { threads: vec![ThreadSnapshot { state, frames: Vec::new() }], live: None })
    }
}

#[test]
fn one_step_costs_the_same_for_any_history_length() {
    let (mut served, sizes) = (Served::new(Echo), Cell::new(Vec::new()));
    let mut remote = Remote::new(|order: &[u8]| {
        let mut sent = sizes.take();
        sent.push(order.len());
        sizes.set(sent);
        Some(served.serve(order))
    });
    let text = Bytes::from(vec![b'x'; 5_000]);
    let mut history = History::default();
    for n in 0..1_000 {
        // The result does not matter here.
        let _ = remote.play(&text, &history);
        history = history.push(Answer { thread: 0, reply: Reply::Integer(n) });
    }
    let sent = sizes.take();
    let (first, others) = sent.split_first().unwrap();
    assert!(*first > 5_000);
    assert_eq!(others.len(), 999, "nothing is asked twice");
    assert!(others.iter().all(|size| *size < 50), "{others:?}");
}

#[test]
fn evicted_history_is_sent_as_a_whole() {
    let answer = Answer { thread: 0, reply: Reply::Nothing };
    let order = PlayRequest::Next { text: fingerprint(&Bytes::from_static(b"x")).0, before: 0, answer: answer.clone() };
    let mut served = Served::new(Echo);
    assert_eq!(Report::decode(&served.serve(&order.encode())), Ok(Report::Forgotten));
    let beginning = PlayRequest::Whole(Bytes::from_static(b"x"), History::default());
    assert!(Report::decode(&served.serve(&beginning.encode())).is_ok());
    let played = Echo.play(&Bytes::from_static(b"x"), &History::default().push(answer));
    assert_eq!(Report::decode(&served.serve(&order.encode())), Ok(Report::Played(played)));
    // Other programs fill the cache.
    for n in 0..10_000 {
        let order = PlayRequest::Whole(Bytes::from(format!("{n}")), History::default());
        assert!(!served.serve(&order.encode()).is_empty());
    }
    assert_eq!(Report::decode(&served.serve(&order.encode())), Ok(Report::Forgotten));
}

#[test]
fn crashed_player_is_reported() {
    let history = History::default().push(Answer { thread: 0, reply: Reply::Nothing });
    for report in [None, Some(Vec::new()), Some(vec![9]), Some(vec![0, 0, 0, 0, 0]), Some(vec![0, 1])] {
        let mut remote = Remote::new(move |_: &[u8]| report.clone());
        assert_eq!(remote.play(&Bytes::new(), &History::default()), Err(Unplayable::Broken));
        assert_eq!(remote.play(&Bytes::new(), &history), Err(Unplayable::Broken));
    }
}

#[test]
fn malformed_order_is_not_played() {
    let mut served = Served::new(Echo);
    // A thread number with more than 32 bits, an unknown kind of answer, a reply with too deep nesting, and a wrong count.
    let reply = (0..=DEPTH_MAX).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let history = History::default().push(Answer { thread: 0, reply: Reply::Value(reply) });
    let deep = PlayRequest::Whole(Bytes::new(), history).encode();
    let wide = [0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x1f, 0];
    let lie = [0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0];
    for order in [&[][..], &[0, 0], &[2], &[0, 0, 1, 0, 4], &[1; 20], &wide, &lie, &deep] {
        assert_eq!(served.serve(order), Vec::<u8>::new(), "{order:?}");
    }
}
