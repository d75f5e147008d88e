//! Bytes → the messages between a machine and its module, and back to bytes.
use bytes::Bytes;
use lua_machine::LuaPlayer;
use resp::Value;
use resp::decode::{ReplyDecoder, ReplyLimits};
use script::codec::{Answer, EngineRequest, Question, Report, Wire};
use script::program::remote::{PlayRequest, Report as PlayReport};
use script::program::{Answer as Reaction, History, Player, Remote, Reply, Served, State};
use script::{Job, Limits, RANDOM_AT_START, Work};

use crate::memory;

/// Maximum bytes that an input may allocate. No length in it reserves more than its remaining bytes justify.
const BYTES_MAX: usize = 2 << 20;

/// Answers that a program of a seed gets.
const ANSWERS_MAX: usize = 6;

/// Decodes the bytes after the first, which chooses the type. Checks: nothing panics, memory is bounded, and what was decoded is the same
/// after it was encoded again.
pub fn decode(bytes: &[u8]) {
    let Some((kind, message)) = bytes.split_first() else { return };
    memory::within(BYTES_MAX, || match kind % 6 {
        0 => again::<EngineRequest>(message),
        1 => again::<Question>(message),
        2 => again::<Answer>(message),
        3 => again::<Report>(message),
        4 => again::<PlayRequest>(message),
        _ => again::<PlayReport>(message),
    });
}

fn again<T: Wire + PartialEq + std::fmt::Debug>(message: &[u8]) {
    let Ok(value) = T::decode(message) else { return };
    assert_eq!(T::decode(&value.encode()), Ok(value), "it is the same after another round");
}

/// Messages as they are sent: scripts and replies of golden scripts, and programs that are played.
pub fn seeds(scripts: &[Vec<u8>], replies: &[Vec<u8>], programs: &[String]) -> Vec<Vec<u8>> {
    let message = |kind: u8, bytes: Vec<u8>| [vec![kind], bytes].concat();
    let mut seeds = Vec::new();
    for text in scripts.iter().step_by(10).map(|text| Bytes::copy_from_slice(text)) {
        seeds.push(message(0, EngineRequest::Compile(text.clone()).encode()));
        let (keys, args) = (vec![Bytes::from_static(b"k")], vec![Bytes::from_static(b"1")]);
        let work = Work::Script { text, keys, args };
        let job = Job { work, limits: Limits::USUAL, random: RANDOM_AT_START };
        seeds.push(message(0, EngineRequest::Run(job).encode()));
    }
    for bytes in replies {
        let mut decoder = ReplyDecoder::new(ReplyLimits::default());
        decoder.feed(bytes);
        while let Ok(Some(value)) = decoder.next_reply() {
            seeds.push(message(2, Answer::Reply(value).encode()));
        }
    }
    for text in programs {
        let text = Bytes::copy_from_slice(text.as_bytes());
        let mut served = Served::new(LuaPlayer::new());
        let mut player = Remote::new(|order: &[u8]| {
            let report = served.serve(order);
            seeds.push(message(4, order.to_vec()));
            seeds.push(message(5, report.clone()));
            Some(report)
        });
        let mut history = History::default();
        for _ in 0..ANSWERS_MAX {
            let Ok(state) = player.play(&text, &history) else { break };
            let requests = |state: &State| matches!(state, State::Requests(_));
            let Some(thread) = (0..).zip(&state.threads).find(|(_, thread)| requests(&thread.state)) else { break };
            let reply = Reply::Value(Value::Simple(Bytes::from_static(b"OK")));
            history = history.push(Reaction { thread: thread.0, reply });
        }
    }
    seeds
}
