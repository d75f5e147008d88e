//! All values survive encoding and decoding, and malformed bytes are rejected without harm.
use bytes::Bytes;
use proptest::prelude::*;
use resp::{Protocol, Value};
use script::codec::{Answer, DEPTH_MAX, EngineRequest, Malformed, Question, Report, Wire};
use script::{
    Call, Engine, Failure, Function, Host, Job, Level, Limits, Permission, Ran, Remote, Repl, ScriptOutcome,
    SourceLocation, Work, serve,
};
use std::mem::ManuallyDrop;

fn bytes() -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), 0..20).prop_map(Bytes::from)
}

fn words() -> impl Strategy<Value = Vec<Bytes>> {
    prop::collection::vec(bytes(), 0..4)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        bytes().prop_map(Value::Simple),
        bytes().prop_map(Value::Error),
        any::<i64>().prop_map(Value::Integer),
        bytes().prop_map(Value::Bulk),
        Just(Value::Null),
        Just(Value::NullArray),
        any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))),
        any::<bool>().prop_map(Value::Boolean),
        bytes().prop_map(Value::BigNumber),
        bytes().prop_map(Value::WideDouble),
        (any::<[u8; 3]>(), bytes()).prop_map(|(format, text)| Value::Verbatim(format, text)),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            items.clone().prop_map(Value::Array),
            items.clone().prop_map(Value::Set),
            items.prop_map(Value::Push),
            prop::collection::vec((inner.clone(), inner), 0..3).prop_map(Value::Map),
        ]
    })
}

fn work() -> impl Strategy<Value = Work> {
    prop_oneof![
        (bytes(), words(), words()).prop_map(|(text, keys, args)| Work::Script { text, keys, args }),
        bytes().prop_map(|text| Work::Load { text }),
        (bytes(), bytes(), words(), words()).prop_map(|(text, function, keys, args)| Work::Call {
            text,
            function,
            keys,
            args
        }),
    ]
}

fn order() -> impl Strategy<Value = EngineRequest> {
    prop_oneof![
        bytes().prop_map(EngineRequest::Compile),
        (work(), any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(work, instructions, memory_bytes, random)| {
            EngineRequest::Run(Job { work, limits: Limits { instructions, memory_bytes }, random })
        }),
    ]
}

fn outcome() -> impl Strategy<Value = ScriptOutcome> {
    let function = (bytes(), prop::option::of(bytes()), words()).prop_map(|(name, description, flags)| Function {
        name,
        description,
        flags,
    });
    let place = || (bytes(), any::<i64>()).prop_map(|(source, line)| SourceLocation { source, line });
    prop_oneof![
        value().prop_map(ScriptOutcome::Reply),
        prop::collection::vec(function, 0..3).prop_map(ScriptOutcome::Loaded),
        bytes().prop_map(ScriptOutcome::DoesNotCompile),
        (bytes(), prop::option::of(place()), any::<bool>())
            .prop_map(|(message, place, counted)| ScriptOutcome::Failed(Failure { message, place, counted })),
        Just(ScriptOutcome::NoSuchFunction),
        prop::option::of(place()).prop_map(ScriptOutcome::BudgetSpent),
        Just(ScriptOutcome::OutOfMemory),
        Just(ScriptOutcome::Broken),
    ]
}

fn level() -> impl Strategy<Value = Level> {
    prop::sample::select(vec![Level::Debug, Level::Verbose, Level::Notice, Level::Warning])
}

fn question() -> impl Strategy<Value = Question> {
    let protocol = prop::sample::select(vec![Protocol::Resp2, Protocol::Resp3]);
    prop_oneof![
        (words(), protocol, any::<bool>(), any::<bool>()).prop_map(|(argv, protocol, aof, replicas)| {
            Question::Call(Call { argv, protocol, repl: Repl { aof, replicas }, instructions: 1 << 40 })
        }),
        (level(), bytes()).prop_map(|(level, message)| Question::Log(level, message)),
        words().prop_map(Question::May),
        Just(Question::GoesOn),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    let permission = prop::sample::select(vec![Permission::Granted, Permission::Denied, Permission::NoSuchCommand]);
    prop_oneof![
        value().prop_map(Answer::Reply),
        Just(Answer::Noted),
        permission.prop_map(Answer::Permission),
        any::<bool>().prop_map(Answer::GoesOn)
    ]
}

fn survives<T: Wire + PartialEq + std::fmt::Debug>(value: T) -> Result<(), TestCaseError> {
    let bytes = value.encode();
    let decoded = T::decode(&bytes);
    prop_assert_eq!(decoded.as_ref(), Ok(&value));
    for end in 0..bytes.len() {
        prop_assert_eq!(bytes.get(..end).is_none_or(|cut| T::decode(cut).is_err()), true, "cut at {}", end);
    }
    let mut longer = bytes;
    longer.push(0);
    prop_assert_eq!(T::decode(&longer), Err(Malformed::Long));
    Ok(())
}

proptest! {
    #[test]
    fn orders_survive(order in order()) {
        survives(order)?;
    }

    #[test]
    fn questions_survive(question in question()) {
        survives(question)?;
    }

    #[test]
    fn answers_survive(answer in answer()) {
        survives(answer)?;
    }

    #[test]
    fn reports_survive(outcome in outcome(), instructions: u64, random: u64) {
        survives(Report::Ran(Ran { outcome, instructions, random }))?;
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        // A value decoded from them survives another round trip unchanged.
        if let Ok(order) = EngineRequest::decode(&bytes) {
            prop_assert_eq!(EngineRequest::decode(&order.encode()), Ok(order));
        }
        if let Ok(report) = Report::decode(&bytes) {
            prop_assert_eq!(Report::decode(&report.encode()), Ok(report));
        }
        if let Ok(answer) = Answer::decode(&bytes) {
            prop_assert_eq!(Answer::decode(&answer.encode()), Ok(answer));
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        let reply = (0..depth).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        // Not dropped: the destructor of a deep value is recursive.
        let answer = ManuallyDrop::new(Answer::Reply(reply));
        Answer::decode(&answer.encode())
    };
    assert!(nested(DEPTH_MAX).is_ok());
    assert_eq!(nested(DEPTH_MAX + 1), Err(Malformed::Content));
    assert_eq!(nested(100_000), Err(Malformed::Content));
}

#[test]
fn wrong_lengths_are_rejected() {
    let most = |last: u8| [&[0xff; 9][..], &[last]].concat();
    let bulk = [&[0, 1, 3, 0][..], &most(1)].concat();
    assert_eq!(Answer::decode(&bulk), Err(Malformed::Short));
    let parts = [&[0][..], &most(1)].concat();
    assert_eq!(Answer::decode(&parts), Err(Malformed::Short));
    let integer = [&[0, 1, 2][..], &most(2)].concat();
    assert_eq!(Answer::decode(&integer), Err(Malformed::Content), "more than 64 bits");
}

#[test]
fn unknown_tags_are_rejected() {
    for answer in [&[4][..], &[2, 3], &[3, 2], &[0, 1, 15, 0, 0]] {
        assert_eq!(Answer::decode(answer), Err(Malformed::Content), "{answer:?}");
    }
}

#[test]
fn parts_that_are_not_one_reply_are_rejected() {
    let null = [4, 0, 0];
    let parts = |count: u8, last: &[u8]| [&[0, count][..], &null.repeat(usize::from(count) - 1), last].concat();
    let pairs = [&[7][..], &[0xff; 9], &[1, 0]].concat();
    assert_eq!(Answer::decode(&parts(2, &null)), Err(Malformed::Content), "two replies");
    assert_eq!(Answer::decode(&[0, 0]), Err(Malformed::Content), "no part");
    assert_eq!(Answer::decode(&parts(1, &[6, 1, 0])), Err(Malformed::Content), "an array of one item, without it");
    assert_eq!(Answer::decode(&parts(2, &[7, 1, 0])), Err(Malformed::Content), "a map with half a pair");
    assert_eq!(Answer::decode(&parts(2, &pairs)), Err(Malformed::Content), "a map of 2^64 - 1 pairs");
    assert_eq!(Answer::decode(&parts(2, &[6, 1, 0])), Ok(Answer::Reply(Value::Array(vec![Value::Null]))));
    let map = Value::Map(vec![(Value::Null, Value::Null)]);
    assert_eq!(Answer::decode(&parts(3, &[7, 1, 0])), Ok(Answer::Reply(map)));
    let short = [&[0, 1, 13, 0, 2][..], b"tx"].concat();
    assert_eq!(Answer::decode(&short), Err(Malformed::Content), "a format of two letters");
}

/// An engine that calls each of `KEYS` as a command without arguments and returns all replies.
struct Caller;

impl Engine for Caller {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        if text.is_empty() { Err(Bytes::from_static(b"empty")) } else { Ok(()) }
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let keys = if let Work::Script { keys, .. } = &job.work { keys.as_slice() } else { &[] };
        host.log(Level::Notice, Bytes::from_static(b"begin"));
        let may = host.may(keys.to_vec());
        let mut replies = vec![Value::Integer(may as i64)];
        for key in keys {
            let (argv, protocol) = (vec![key.clone()], Protocol::Resp3);
            replies.push(host.call(Call { argv, protocol, repl: Repl::default(), instructions: 0 }));
        }
        Ran { outcome: ScriptOutcome::Reply(Value::Array(replies)), instructions: 7, random: job.random + 1 }
    }
}

#[derive(Default)]
struct Echo {
    log: Vec<(Level, Bytes)>,
}

impl Host for Echo {
    fn call(&mut self, call: Call) -> Value {
        Value::Bulk(call.argv.concat().into())
    }

    fn log(&mut self, level: Level, message: Bytes) {
        self.log.push((level, message));
    }

    fn may(&mut self, _: Vec<Bytes>) -> Permission {
        Permission::Denied
    }
}

#[test]
fn remote_engine_gives_the_results_of_a_local_one() {
    let keys = vec![Bytes::from_static(b"a"), Bytes::from_static(b"b")];
    let work = Work::Script { text: Bytes::from_static(b"x"), keys, args: Vec::new() };
    let job = Job { work, limits: Limits::USUAL, random: 3 };
    let mut near_host = Echo::default();
    let near = Caller.run(&job, &mut near_host);
    let mut remote = Remote::new(|order: &[u8], ask: script::Ask<'_>| Some(serve(&mut Caller, order, ask)));
    let mut far_host = Echo::default();
    assert_eq!(remote.run(&job, &mut far_host), near);
    assert_eq!(far_host.log, near_host.log);
    assert_eq!(near_host.log.len(), 1);
    assert_eq!(remote.compile(&Bytes::from_static(b"x")), Ok(()));
    assert_eq!(remote.compile(&Bytes::new()), Err(Bytes::from_static(b"empty")));
}

#[test]
fn crashed_machine_is_reported() {
    let work = Work::Load { text: Bytes::from_static(b"x") };
    let job = Job { work, limits: Limits::USUAL, random: 3 };
    for report in [None, Some(Vec::new()), Some(vec![9])] {
        let mut remote = Remote::new(move |_: &[u8], _: script::Ask<'_>| report.clone());
        let ran = remote.run(&job, &mut Echo::default());
        assert_eq!(ran, Ran { outcome: ScriptOutcome::Broken, instructions: 0, random: 3 });
    }
}
