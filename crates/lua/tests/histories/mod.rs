//! Histories of programs for tests: answers to whichever thread waits.
use bytes::Bytes;
use resp::Value;
use script::program::{Answer, History, ProgramState, Reply, Request, State};

/// A reply to a request: one of a few, selected by `choice`.
fn reply(request: &Request, choice: u8) -> Reply {
    let choice = i64::from(choice % 4);
    match request {
        Request::Call { .. } | Request::WaitMessage { .. } => Reply::Value(match choice {
            0 => Value::Null,
            1 => Value::Array(vec![Value::bulk("c"), Value::bulk("text")]),
            2 => Value::error("ERR no"),
            _ => Value::bulk("7"),
        }),
        Request::Connect { .. } => Reply::Value(Value::Integer(choice)),
        Request::Now | Request::Random { .. } => Reply::Integer(choice),
        Request::Who { .. } => Reply::Value(Value::Array(vec![Value::Integer(2), Value::bulk("n")])),
        Request::Uuid => Reply::Text(Bytes::from(format!("uuid {choice}"))),
        _ => Reply::Nothing,
    }
}

/// The history after an answer to the `thread`th waiting thread, modulo their number.
pub fn next(scene: &ProgramState, history: &History, (thread, choice): (u8, u8)) -> Option<History> {
    let waits = |(number, thread): (u32, &script::program::ThreadSnapshot)| match &thread.state {
        State::Requests(request) => Some((number, request.clone())),
        _ => None,
    };
    let waiting: Vec<(u32, Request)> = (0..).zip(&scene.threads).filter_map(waits).collect();
    let (thread, request) = waiting.get(usize::from(thread) % waiting.len().max(1))?;
    Some(history.push(Answer { thread: *thread, reply: reply(request, choice) }))
}
